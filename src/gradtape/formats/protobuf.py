"""The wire format of protocol buffers: fields as bytes."""

from __future__ import annotations

import struct

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def _varint(value: int) -> bytes:
    value &= 0xFFFFFFFFFFFFFFFF  # negative numbers are written as 64 bits
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def integer(field: int, value: int) -> bytes:
    """An integer, bool or enumeration."""
    return _varint(field << 3 | _VARINT) + _varint(value)


def double(field: int, value: float) -> bytes:
    return _varint(field << 3 | _FIXED64) + struct.pack("<d", value)


def single(field: int, value: float) -> bytes:
    return _varint(field << 3 | _FIXED32) + struct.pack("<f", value)


def data(field: int, value: bytes | str) -> bytes:
    """Bytes, a text, or a message."""
    value = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | _BYTES) + _varint(len(value)) + value
