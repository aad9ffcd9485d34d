"""Record files and Examples that are damaged, cut off or made to mislead, by a generator."""

import gzip
import struct
import zlib

from gradtape.formats.crc32c import masked_crc32c
from gradtape.formats.records import frame_record

RECORDS = [b"first", b"", b"x" * 40, b"last"]
GOOD = b"".join(map(frame_record, RECORDS))
STARTS = [sum(len(frame_record(r)) for r in RECORDS[:i]) for i in range(len(RECORDS) + 1)]
LENGTHS = [2**64 - 1, 2**63, 2**63 - 1, 2**62, 2**48, 2**40, 2**32, 2**31 - 1, 10**9, 65536]


def header(length):
    """The beginning of a record of that length, with a checksum that is right."""
    size = struct.pack("<Q", length)
    return size + struct.pack("<I", masked_crc32c(size))


def record_at(offset):
    """The number of the record that a byte belongs to."""
    return max(i for i, start in enumerate(STARTS[:-1]) if start <= offset)


def files():
    """Yield (name, bytes, compression, number of whole records, offset of the bad one)."""
    for count in (0, 2, 4):
        for length in LENGTHS:
            data = GOOD[: STARTS[count]] + header(length) + b"short"
            yield f"length {length} after {count}", data, "", count, STARTS[count]
    for cut in range(1, len(GOOD), 2):
        if cut not in STARTS:
            yield f"cut at {cut}", GOOD[:cut], "", record_at(cut - 1), STARTS[record_at(cut - 1)]
    for index in range(0, len(GOOD), 2):
        data = bytearray(GOOD)
        data[index] ^= 1 << index % 8
        yield f"byte {index}", bytes(data), "", record_at(index), STARTS[record_at(index)]
    yield "text", b"this is no record file", "", 0, 0
    yield "zeros", bytes(64), "", 0, 0
    yield "ones", b"\xff" * 64, "", 0, 0
    for kind, pack in (("GZIP", gzip.compress), ("ZLIB", zlib.compress)):
        yield f"{kind} of a long length", pack(GOOD + header(2**50) + b"x"), kind, 4, STARTS[4]
        yield f"{kind} of text", pack(b"no record, but compressed"), kind, 0, 0
        yield f"{kind} that is none", GOOD, kind, 0, 0
        yield f"{kind} without an end", pack(GOOD, 0)[:-3], kind, 4, STARTS[4]
        bomb = pack(header(2**33) + bytes(5_000_000))
        yield f"{kind} of zeros", bomb, kind, 0, 0


def field(number, wire, payload=b""):
    return bytes([number << 3 | wire]) + payload


def part(number, payload):
    assert len(payload) < 128
    return field(number, 2, bytes([len(payload)]) + payload)


def with_list(kind, content):
    """An Example whose feature "a" has a list of that kind, with any bytes in it."""
    return part(1, part(1, part(1, b"a") + part(2, part(kind, content))))


LONG = b"\xff" * 10 + b"\x01"  # a number of 71 bits
HUGE = b"\xff" * 9 + b"\x01"  # 2**64 - 1
EXAMPLES = {
    "a tag is cut off": b"\x80",
    "a tag is too long": LONG,
    "a field has the number 0": b"\x00\x00",
    "wire type 6": b"\x0e\x00",
    "wire type 7": b"\x0f\x00",
    "a length is missing": b"\x0a",
    "a length is too long": b"\x0a" + LONG,
    "a length of 2**64": b"\x0a" + HUGE,
    "a length of 2**63": b"\x0a" + b"\x80" * 9 + b"\x01",
    "a length is one too large": b"\x0a\x02\x00",
    "features are no message": part(1, b"\xff"),
    "an entry is no message": part(1, part(1, b"\x80")),
    "a key is cut off": part(1, part(1, b"\x0a\x05a")),
    "a value is cut off": part(1, part(1, part(1, b"a") + b"\x12\x05")),
    "a feature is no message": part(1, part(1, part(1, b"a") + part(2, b"\x1a"))),
    "integers are cut off": with_list(3, part(1, b"\x80")),
    "an integer is too long": with_list(3, part(1, LONG)),
    "an integer of 65 bits": with_list(3, part(1, b"\xff" * 9 + b"\x02")),
    "many integers, one cut off": with_list(3, part(1, b"\x01" * 40 + b"\x80")),
    "many integers, one too long": with_list(3, part(1, b"\x01" * 40 + LONG)),
    "an integer outside of a pack is cut off": with_list(3, field(1, 0, b"\x80")),
    "floats of 3 bytes": with_list(2, part(1, b"abc")),
    "a float is cut off": with_list(2, field(1, 5, b"ab")),
    "a string is cut off": with_list(1, b"\x0a\x7f"),
    "a group ends": b"\x0c",
    "a group does not end": b"\x0b\x08\x01",
    "a group ends another": b"\x0b\x14",
    "groups are nested": b"\x0b" * 100_000,
    "groups are nested and end": b"\x0b" * 5_000 + b"\x0c" * 5_000,
    "a fixed number is cut off": b"\x59abc",
}

SHAPES = {
    "an axis of 2**63": b"\x08\x01\x12\x0c\x12\x0a\x08" + b"\x80" * 9 + b"\x01",
    "a negative axis": b"\x08\x01\x12\x0d\x12\x0b\x08" + HUGE,
    "an axis of 2**62": b"\x08\x01\x12\x0b\x12\x0a\x08" + b"\x80" * 8 + b"\x40",
    "four axes of 2**31": b"\x08\x01\x12\x20" + b"\x12\x06\x08\x80\x80\x80\x80\x08" * 4,
    "a hundred axes": b"\x08\x01\x12\xc8\x01" + b"\x12\x00" * 100,
    "too many values": b"\x08\x03\x12\x04\x12\x02\x08\x01:\x02\x01\x02",
    "contents of another size": b"\x08\x03\x12\x04\x12\x02\x08\x01\x22\x03abc",
    "an unknown dtype": b"\x08\x63\x12\x00",
    "no rank": b"\x08\x01\x12\x02\x18\x01",
    "floats of 3 bytes": b"\x08\x01\x12\x00\x2a\x03abc",
    "strings in contents": b"\x08\x07\x12\x00\x22\x01a",
    "nothing": b"",
    "no message": b"\xff\xff",
}
