"""Snappy: the compression of blocks in the tables of LevelDB, decompressed.

The size of the content as a varint, then elements: bytes as they are, or copies of bytes that were
written before. The two low bits of an element's first byte say which.
"""

from __future__ import annotations

from gradtape.formats.errors import DecodeError
from gradtape.formats.protobuf import read_varint

_LITERAL, _SHORT_COPY = 0, 1
_OFFSET_BYTES = {1: 1, 2: 2, 3: 4}  # by kind of copy
# The longest copy has 64 bytes and takes three.
_MAX_BYTES_PER_BYTE = 22


def decompress(data: memoryview) -> bytes:
    """Return the content of compressed bytes."""
    size, at = read_varint(data, 0)
    if size > _MAX_BYTES_PER_BYTE * len(data):
        raise DecodeError(f"{len(data)} compressed bytes cannot be {size} bytes")
    out = bytearray()
    while at < len(data):
        tag = data[at]
        at += 1
        if tag & 3 == _LITERAL:
            at = _add_literal(out, data, tag >> 2, at)
        else:
            at = _add_copy(out, data, tag, at)
        if len(out) > size:
            break
    if len(out) != size:
        raise DecodeError(f"{len(data)} compressed bytes are not the {size} bytes that they say")
    return bytes(out)


def _integer(data: memoryview, at: int, size: int) -> int:
    if at + size > len(data):
        raise DecodeError("compressed bytes are cut off")
    return int.from_bytes(data[at : at + size], "little")


def _add_literal(out: bytearray, data: memoryview, length: int, at: int) -> int:
    more = max(length - 59, 0)  # 60 to 63: the length stands in the next one to four bytes
    if more:
        length = _integer(data, at, more)
        at += more
    end = at + length + 1
    if end > len(data):
        raise DecodeError("compressed bytes are cut off")
    out += data[at:end]
    return end


def _add_copy(out: bytearray, data: memoryview, tag: int, at: int) -> int:
    size = _OFFSET_BYTES[tag & 3]
    offset = _integer(data, at, size)
    if tag & 3 == _SHORT_COPY:
        offset |= tag >> 5 << 8
        length = (tag >> 2 & 7) + 4
    else:
        length = (tag >> 2) + 1
    if not 0 < offset <= len(out):
        raise DecodeError(f"compressed bytes copy from {offset} bytes before, of {len(out)}")
    # A copy may go on with what it has written itself.
    start = len(out) - offset
    repeated = out[start : start + length]
    out += (repeated * (length // len(repeated) + 1))[:length]
    return at + size
