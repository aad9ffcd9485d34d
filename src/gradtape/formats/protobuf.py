"""The wire format of protocol buffers: fields as bytes, and bytes as fields."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradtape.formats.errors import DecodeError

VARINT, FIXED64, BYTES, GROUP, GROUP_END, FIXED32 = 0, 1, 2, 3, 4, 5
_64_BITS = 0xFFFFFFFFFFFFFFFF
_DEEPEST_GROUP = 100
_FEW_NUMBERS = 24  # fewer than this are faster one by one than with NumPy


# --- encoding ------------------------------------------------------------------------------------


def varint(value: int) -> bytes:
    """Encode an integer in as few bytes as it needs, seven bits in each."""
    value &= _64_BITS  # negative numbers are written as 64 bits
    if value < 0x80:
        return _SINGLE_BYTES[value]
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


_SINGLE_BYTES = [bytes([value]) for value in range(0x80)]


def integer(field: int, value: int) -> bytes:
    """Encode an integer, bool or enumeration."""
    return varint(field << 3 | VARINT) + varint(value)


def double(field: int, value: float) -> bytes:
    return varint(field << 3 | FIXED64) + struct.pack("<d", value)


def single(field: int, value: float) -> bytes:
    return varint(field << 3 | FIXED32) + struct.pack("<f", value)


def fixed32(field: int, value: int) -> bytes:
    return varint(field << 3 | FIXED32) + struct.pack("<I", value)


def data(field: int, value: bytes | str) -> bytes:
    """Encode bytes, a text, or a message."""
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | BYTES) + varint(len(value)) + value


def packed_integers(numbers) -> bytes:
    """Encode integers one after the other; `numbers` is an array of 64 bits each."""
    if len(numbers) < _FEW_NUMBERS:
        return b"".join(map(varint, numbers))
    values = np.frombuffer(numbers, np.uint64)
    width = max((int(values.max()).bit_length() + 6) // 7, 1)
    if width == 1:
        return values.astype(np.uint8).tobytes()
    shifts = np.arange(width, dtype=np.uint64) * np.uint64(7)
    groups = values[:, None] >> shifts
    used = groups != 0
    used[:, 0] = True
    groups = (groups & np.uint64(0x7F)).astype(np.uint8)
    groups[:, :-1] |= used[:, 1:].astype(np.uint8) << np.uint8(7)
    return groups[used].tobytes()


# --- decoding ------------------------------------------------------------------------------------


def read_varint(view: memoryview, at: int) -> tuple[int, int]:
    """Return a number of at most 64 bits and where it ends."""
    result = shift = 0
    end = len(view)
    while at < end and shift < 64:
        byte = view[at]
        at += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            if result > _64_BITS:
                break
            return result, at
        shift += 7
    raise DecodeError(
        "a number is longer than 64 bits" if shift >= 63 else "the bytes end within a number"
    )


def fields(message: bytes | memoryview) -> Iterator[tuple[int, int, Any, memoryview]]:
    """Yield (field, wire type, value, all its bytes) for each field of a message.

    The value of a varint is an integer; of all others, a view of its bytes. A group has none.
    """
    view = memoryview(message)
    at, end = 0, len(view)
    while at < end:
        start = at
        tag, at = read_varint(view, at)
        field, wire = tag >> 3, tag & 7
        if not field or tag > 0xFFFFFFFF:
            raise DecodeError(f"{tag} is no tag of a field")
        value: Any = None
        if wire == VARINT:
            value, at = read_varint(view, at)
        elif wire == GROUP:
            at = _end_of_group(view, at, field)
        else:
            value, at = _read_part(view, at, wire)
        yield field, wire, value, view[start:at]


def map_entry(entry: bytes | memoryview) -> tuple[bytes, list[memoryview]]:
    """Return the key of an entry of a map and the parts of its value, a message."""
    key, parts = b"", []
    for number, wire, part, _ in fields(entry):
        if wire == BYTES and number == 1:
            key = bytes(part)
        elif wire == BYTES and number == 2:
            parts.append(part)
    return key, parts


def _read_part(view: memoryview, at: int, wire: int) -> tuple[memoryview, int]:
    if wire == BYTES:
        size, at = read_varint(view, at)
    elif wire in (FIXED64, FIXED32):
        size = 8 if wire == FIXED64 else 4
    else:
        raise DecodeError(f"a field has the unknown wire type {wire}")
    if size > len(view) - at:
        raise DecodeError(f"a field has {size} bytes, and only {len(view) - at} are left")
    return view[at : at + size], at + size


def _end_of_group(view: memoryview, at: int, field: int) -> int:
    """Return where a group ends; groups can be nested."""
    open_groups = [field]
    while open_groups:
        if len(open_groups) > _DEEPEST_GROUP:
            raise DecodeError(f"groups are nested more than {_DEEPEST_GROUP} deep")
        tag, at = read_varint(view, at)
        wire = tag & 7
        if wire == GROUP:
            open_groups.append(tag >> 3)
        elif wire == GROUP_END:
            if open_groups.pop() != tag >> 3:
                raise DecodeError("a group ends that did not begin")
        elif wire == VARINT:
            _, at = read_varint(view, at)
        else:
            _, at = _read_part(view, at, wire)
    return at


def unpack_integers(view: memoryview) -> np.ndarray:
    """Return packed integers as int64."""
    if len(view) < _FEW_NUMBERS:
        numbers, at = [], 0
        while at < len(view):
            number, at = read_varint(view, at)
            numbers.append(number)
        return np.array(numbers, np.uint64).view(np.int64)
    values = np.frombuffer(view, np.uint8)
    last = values < 0x80
    if last.all():
        return values.astype(np.int64)
    ends = np.flatnonzero(last)
    if not last[-1]:
        raise DecodeError("the bytes end within a number")
    starts = np.concatenate([[0], ends[:-1] + 1])
    widths = ends - starts + 1
    if widths.max() > 10 or bool((values[ends[widths == 10]] > 1).any()):
        raise DecodeError("a number is longer than 64 bits")
    positions = np.arange(len(values)) - np.repeat(starts, widths)
    parts = (values & 0x7F).astype(np.uint64) << (positions * 7).astype(np.uint64)
    return np.bitwise_or.reduceat(parts, starts).view(np.int64)


def unpack_floats(view: memoryview) -> np.ndarray:
    """Return packed numbers of 32 bits."""
    if len(view) % 4:
        raise DecodeError(f"packed floats have {len(view)} bytes, which is no multiple of 4")
    return np.frombuffer(view, "<f4").astype(np.float32, copy=False)
