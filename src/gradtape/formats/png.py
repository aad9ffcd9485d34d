"""PNG files from pixels."""

from __future__ import annotations

import struct
import zlib

import numpy as np

_COLOUR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}  # by channels: grey, with alpha, RGB, with alpha


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encode_png(pixels: np.ndarray, compression: int = -1) -> bytes:
    """A PNG file of a (height, width, channels) array of uint8 or uint16."""
    if pixels.ndim != 3 or pixels.shape[2] not in _COLOUR_TYPES:
        raise ValueError(
            f"An image must have shape [height, width, channels] with 1 to 4 channels, got "
            f"{list(pixels.shape)}."
        )
    height, width, channels = pixels.shape
    depth = 8 * pixels.dtype.itemsize
    rows = np.ascontiguousarray(pixels.astype(pixels.dtype.newbyteorder(">"), copy=False))
    lines = rows.reshape(height, -1).view(np.uint8)
    # Each line begins with its filter: none.
    data = np.concatenate([np.zeros((height, 1), np.uint8), lines], 1).tobytes()
    header = struct.pack(">IIBBBBB", width, height, depth, _COLOUR_TYPES[channels], 0, 0, 0)
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"IDAT", zlib.compress(data, compression)),
            _chunk(b"IEND", b""),
        ]
    )
