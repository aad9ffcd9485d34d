"""`tf.audio`: WAV files of 16 bits, from and to float tensors between -1 and 1."""

from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.convert import static_int
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


class DecodedWav(NamedTuple):
    """The samples [time, channels], and how many there are in a second."""

    audio: Tensor
    sample_rate: Tensor


def _chunks(data: bytes) -> dict[bytes, bytes]:
    """Return the parts of a RIFF file by name; of equal names, the first."""
    if len(data) < 12 or data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise InvalidArgumentError(
            "decode_wav: the contents are no WAV file: they do not begin with RIFF and WAVE"
        )
    chunks: dict[bytes, bytes] = {}
    offset = 12
    while offset + 8 <= len(data):
        name, size = data[offset : offset + 4], struct.unpack_from("<I", data, offset + 4)[0]
        content = data[offset + 8 : offset + 8 + size]
        if len(content) < size:
            raise InvalidArgumentError(
                f"decode_wav: the file is cut off: part {name.decode(errors='replace')!r} should "
                f"have {size} bytes and has {len(content)}"
            )
        chunks.setdefault(name, content)
        offset += 8 + size + size % 2
    return chunks


@export("audio.decode_wav")
def decode_wav(contents, desired_channels=-1, desired_samples=-1, name=None) -> DecodedWav:
    """Return the samples of a WAV file, cut or filled up to the size that is asked for."""
    data = ops.to_tensor(contents).numpy()
    if not isinstance(data, bytes):
        raise InvalidArgumentError("decode_wav: contents must be a single string")
    parts = _chunks(data)
    if b"fmt " not in parts or b"data" not in parts or len(parts[b"fmt "]) < 16:
        raise InvalidArgumentError("decode_wav: the file has no format or no data")
    kind, channels, rate, second, sample, bits = struct.unpack_from("<HHIIHH", parts[b"fmt "])
    if kind not in (1, 0xFFFE) or bits != 16:
        raise InvalidArgumentError(
            f"decode_wav: only 16-bit PCM is supported, this file has format {kind} and {bits} bits"
        )
    if not channels or (sample, second) != (2 * channels, 2 * channels * rate):
        raise InvalidArgumentError(
            f"decode_wav: a file of {channels} channels with {rate} samples a second has {sample} "
            f"bytes for a sample and {second} for a second, not {2 * channels} and "
            f"{2 * channels * rate}"
        )
    samples = np.frombuffer(parts[b"data"], "<i2")
    samples = samples[: len(samples) // channels * channels].reshape(-1, channels)
    audio = samples.astype(np.float32) / np.float32(32768)
    if desired_channels > channels:  # the last channel serves for those that are missing
        audio = np.pad(audio, [(0, 0), (0, desired_channels - channels)], mode="edge")
    elif desired_channels > 0:
        audio = audio[:, :desired_channels]
    if desired_samples > 0:
        audio = np.pad(audio, [(0, max(desired_samples - len(audio), 0)), (0, 0)])[:desired_samples]
    return DecodedWav(Tensor(np.ascontiguousarray(audio)), Tensor(np.int32(rate)))


@export("audio.encode_wav")
def encode_wav(audio, sample_rate, name=None) -> Tensor:
    """Return a WAV file of samples [time, channels], clipped to -1 and 1."""
    values = np.asarray(ops.to_tensor(audio).numpy(), np.float32)
    rate = static_int(sample_rate)
    if values.ndim != 2:
        raise ops.ShapeError(f"encode_wav: audio must be 2-dimensional, got {list(values.shape)}")
    channels = values.shape[1]
    if not 0 <= 2 * rate * max(channels, 1) < 2**32:
        raise ops.InvalidArgumentError(
            f"encode_wav: {rate} samples per second of {channels} channels do not fit the format"
        )
    # Halves are rounded away from zero, as C rounds.
    scaled = values * np.float32(32768)
    rounded = np.trunc(scaled + np.copysign(np.float32(0.5), scaled))
    data = np.clip(rounded, -32768, 32767).astype("<i2").tobytes()
    header = struct.pack(
        "<4sI4s4sIHHIIHH4sI",
        b"RIFF",
        36 + len(data),
        b"WAVE",
        b"fmt ",
        16,
        1,
        channels,
        rate,
        rate * channels * 2,
        channels * 2,
        16,
        b"data",
        len(data),
    )
    return Tensor(np.array(header + data, object))
