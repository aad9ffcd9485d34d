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
    """Return the samples of a WAV file, cut or filled up to the size that is asked for."""

def encode_wav(audio: TensorLike, sample_rate: Any, name: str | None = None) -> Tensor:
    """Return a WAV file of samples [time, channels], clipped to -1 and 1."""
