# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.io.audio import DecodedWav
from gradtape.core.tensor import Tensor
from gradtape.core.typing import IntLike
from gradtape.core.typing import TensorLike
from typing import Any

def decode_wav(
    contents: TensorLike,
    desired_channels: IntLike = -1,
    desired_samples: IntLike = -1,
    name: str | None = None,
) -> DecodedWav:
    """Return the samples of a WAV file, cut or filled up to the size that is asked for.

    Args:
        contents: the bytes of a file.
        desired_channels: how many channels to read; -1 means all.
        desired_samples: how many samples to read; -1 means all.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `contents` has a dtype that it does not take.
    """

def encode_wav(audio: TensorLike, sample_rate: Any, name: str | None = None) -> Tensor:
    """Return a WAV file of samples [time, channels], clipped to -1 and 1.

    Args:
        audio: samples, [length, channels], between -1 and 1.
        sample_rate: samples per second.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `audio` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `audio` does not fit.

    Derivative: none; the result consists of integers, truth values or strings.
    """
