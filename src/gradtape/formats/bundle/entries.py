"""What the index of a checkpoint says: of all shards, of each tensor, of slices of tensors."""

from __future__ import annotations

import re
import struct
from typing import NamedTuple

from gradtape.formats import protobuf
from gradtape.formats.errors import DecodeError
from gradtape.formats.tensor_proto import decode_shape, encode_shape

# The only version of the format.
_VERSION = 1
WHOLE_AXIS = -1  # as the length of an extent
# Beginning (start, length) of each axis of a slice.
Slice = tuple[tuple[int, int], ...]


class Entry(NamedTuple):
    """Where the bytes of a tensor stand: `size` bytes of a shard, from `offset`.

    A tensor with `slices` has no bytes itself: each slice is a tensor under a key of its own.
    """

    dtype: int
    shape: tuple[int, ...]
    shard: int
    offset: int
    size: int
    checksum: int
    slices: tuple[Slice, ...]


def encode_header(shards: int) -> bytes:
    """Return the value of the empty key."""
    version = protobuf.integer(1, _VERSION)
    return protobuf.integer(1, shards) + protobuf.data(3, version)


def decode_header(value: memoryview) -> int:
    """Return the number of shards."""
    shards = 0
    for field, wire, content, _ in protobuf.fields(value):
        if wire == protobuf.VARINT and field == 1:
            shards = content
        elif wire == protobuf.VARINT and field == 2 and content:
            raise DecodeError("its numbers were written by a big-endian machine")
        elif wire == protobuf.BYTES and field == 3:
            for inner, kind, number, _ in protobuf.fields(content):
                if inner == 2 and kind == protobuf.VARINT and number > _VERSION:
                    raise DecodeError(f"it needs a reader of version {number} of the format")
    if not 0 < shards < 100_000:
        raise DecodeError(f"it has {shards} shards")
    return shards


def encode_entry(entry: Entry) -> bytes:
    """Return the value of a tensor's key."""
    numbers = ((3, entry.shard), (4, entry.offset), (5, entry.size))
    return b"".join(
        [
            protobuf.integer(1, entry.dtype),
            protobuf.data(2, encode_shape(entry.shape)),
            *(protobuf.integer(field, number) for field, number in numbers if number),
            protobuf.fixed32(6, entry.checksum),
        ]
    )


def decode_entry(value: memoryview) -> Entry:
    numbers = dict.fromkeys((1, 3, 4, 5, 6), 0)
    shape: list[int] = []
    slices = []
    for field, wire, content, _ in protobuf.fields(value):
        if field in (1, 3, 4, 5) and wire == protobuf.VARINT:
            numbers[field] = _signed(content)
        elif field == 6 and wire == protobuf.FIXED32:
            numbers[6] = struct.unpack("<I", content)[0]
        elif field == 2 and wire == protobuf.BYTES:
            shape = decode_shape(content)
        elif field == 7 and wire == protobuf.BYTES:
            slices.append(_decode_slice(content))
    dtype, shard, offset, size, checksum = numbers.values()
    return Entry(dtype, tuple(shape), shard, offset, size, checksum, tuple(slices))


def _decode_slice(value: memoryview) -> Slice:
    extents = []
    for field, wire, content, _ in protobuf.fields(value):
        if field != 1 or wire != protobuf.BYTES:
            continue
        numbers = {1: 0, 2: WHOLE_AXIS}
        for inner, kind, number, _ in protobuf.fields(content):
            if inner in numbers and kind == protobuf.VARINT:
                numbers[inner] = _signed(number)
        extents.append((numbers[1], numbers[2]))
    return tuple(extents)


def _signed(number: int) -> int:
    return number - (number >> 63 << 64)


# --- keys of slices ------------------------------------------------------------------------------


def slice_key(name: bytes, extents: Slice) -> bytes:
    """Return the key of a slice: a zero, the name, the extents; keys sort as slices do."""
    escaped = re.sub(rb"[\0\xff]", lambda byte: byte[0] + bytes([255 - byte[0][0]]), name)
    numbers = b"".join(_ordered(number) for extent in extents for number in extent)
    return b"\0" + escaped + b"\0\x01" + _unsigned(len(extents)) + numbers


def _unsigned(number: int) -> bytes:
    """Return a number with its length in front."""
    digits = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return bytes([len(digits)]) + digits


def _ordered(number: int) -> bytes:
    """Return a signed number whose first bits say how many bytes it has."""
    bits = (~number if number < 0 else number).bit_length()
    length = bits // 7 + 1
    digits = number.to_bytes(length, "big", signed=True)
    # As many ones as there are bytes, flipped in a negative number by its sign.
    mark = ((1 << length) - 1) << (8 * length - length)
    return (int.from_bytes(digits, "big") ^ mark).to_bytes(length, "big")
