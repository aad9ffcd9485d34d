"""Reading uncompressed BMP files."""

from __future__ import annotations

import struct

import numpy as np

from gradtape.formats.errors import BadFile


def decode_bmp(contents: bytes) -> np.ndarray:
    """Return the pixels [height, width, 1, 3 or 4 channels] of an uncompressed BMP file."""
    if len(contents) < 32:
        raise BadFile(f"Incomplete bmp content, requires at least 32 bytes, got {len(contents)}.")
    (start,) = struct.unpack("<I", contents[10:14])
    width, height = struct.unpack("<ii", contents[18:26])
    (bits,) = struct.unpack("<H", contents[28:30])
    channels = bits // 8
    if channels not in (1, 3, 4) or width <= 0 or height == 0:
        raise BadFile(f"BMP files of {bits} bits and size {width} x {height} are not supported.")
    line = (width * channels + 3) // 4 * 4
    data = np.frombuffer(contents, np.uint8)[start:]
    if data.size < line * abs(height):
        raise BadFile(
            f"Incomplete bmp content, requires at least {start + line * abs(height)} bytes, got "
            f"{len(contents)}."
        )
    rows = data[: line * abs(height)].reshape(abs(height), line)[:, : width * channels]
    image = rows.reshape(abs(height), width, channels)
    if height > 0:  # stored from the bottom to the top
        image = image[::-1]
    if channels > 1:  # blue comes first
        image = np.concatenate([image[..., 2::-1], image[..., 3:]], -1)
    return np.ascontiguousarray(image)
