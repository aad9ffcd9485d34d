"""Compressed blocks of a checkpoint's index, which other builds of TensorFlow write."""

import struct

import pytest

from gradtape.formats.bundle.table import read_table
from gradtape.formats.crc32c import masked_crc32c
from gradtape.formats.errors import DecodeError
from gradtape.formats.protobuf import varint
from gradtape.formats.snappy import decompress


def _literal(content: bytes) -> bytes:
    length = len(content) - 1
    if length < 60:
        return bytes([length << 2]) + content
    size = (length.bit_length() + 7) // 8
    return bytes([59 + size << 2]) + length.to_bytes(size, "little") + content


def _short_copy(offset: int, length: int) -> bytes:
    return bytes([1 | length - 4 << 2 | offset >> 8 << 5, offset & 255])


def _copy(offset: int, length: int, size: int) -> bytes:
    kind = {2: 2, 4: 3}[size]
    return bytes([kind | length - 1 << 2]) + offset.to_bytes(size, "little")


LONG = bytes(range(256)) * 3
STREAMS = {
    "empty": ([], b""),
    "literal": ([_literal(b"tensor")], b"tensor"),
    "long literal": ([_literal(LONG)], LONG),
    "repeated": ([_literal(b"ab"), _short_copy(2, 9)], b"ab" + b"ababababa"),
    "short copy": ([_literal(LONG), _short_copy(700, 11)], LONG + LONG[68:79]),
    "copy": ([_literal(LONG), _copy(600, 64, 2)], LONG + LONG[168:232]),
    "far copy": ([_literal(LONG), _copy(768, 5, 4), _literal(b"!")], LONG + LONG[:5] + b"!"),
}


@pytest.mark.parametrize("name", STREAMS)
def test_decompressed(name):
    parts, content = STREAMS[name]
    assert decompress(memoryview(varint(len(content)) + b"".join(parts))) == content


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        (varint(9) + _literal(b"short"), "are not the 9 bytes"),
        (varint(2) + _literal(b"longer"), "are not the 2 bytes"),
        (varint(6) + _literal(b"cut off")[:-3], "cut off"),
        (varint(9) + _literal(b"a") + _copy(1, 8, 4)[:-2], "cut off"),
        (varint(9) + _literal(b"a") + _short_copy(2, 8), "2 bytes before, of 1"),
        (varint(9) + _literal(b"a") + _short_copy(0, 8), "0 bytes before"),
        (varint(10**12) + _literal(b"a"), "cannot be 1000000000000 bytes"),
        (b"\xff", "end within a number"),
        (b"", "end within a number"),
    ],
)
def test_damaged(stream, message):
    with pytest.raises(DecodeError, match=message):
        decompress(memoryview(stream))


def test_a_table_with_compressed_blocks():
    def block(key: bytes, value: bytes) -> bytes:
        plain = varint(0) + varint(len(key)) + varint(len(value)) + key + value
        plain += struct.pack("<II", 0, 1)
        return varint(len(plain)) + _literal(plain)

    def stored(content: bytes) -> bytes:
        kind = content + b"\1"
        return kind + struct.pack("<I", masked_crc32c(kind))

    data = block(b"key", b"value")
    index = block(b"key", varint(0) + varint(len(data)))
    handles = varint(0) + varint(0) + varint(len(data) + 5) + varint(len(index))
    footer = handles.ljust(40, b"\0") + struct.pack("<Q", 0xDB4775248B80FB57)
    table = read_table(stored(data) + stored(index) + footer, "an index")
    assert {key: bytes(value) for key, value in table.items()} == {b"key": b"value"}
