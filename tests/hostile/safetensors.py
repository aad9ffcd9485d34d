"""Safetensors files with headers that lie, by a generator."""

import json


def file(header, data=bytes(8), length=None):
    """A file of a header, as JSON or as bytes, and of data."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    size = len(text) if length is None else length
    return size.to_bytes(8, "little") + text + data


def entry(dtype="F32", shape=(2,), offsets=(0, 8), **more):
    return {"x": {"dtype": dtype, "shape": shape, "data_offsets": offsets, **more}}


def noted(**notes):
    """A good array, and metadata about it."""
    return {"__metadata__": {f"gradtape.{key}": text for key, text in notes.items()}, **entry()}


def files():
    """Yield (name, bytes)."""
    for length in (2**64 - 1, 2**63, 2**63 - 1, 2**40, 10**9, 1, 0):
        yield f"header of {length} bytes", file(entry(), length=length)
    whole = file(entry())
    for cut in range(0, len(whole), 7):
        yield f"cut at {cut}", whole[:cut]
    yield "more bytes than it says", whole + b"x"
    for name, text in (
        ("no JSON", b"{x}"),
        ("a list", b"[1, 2]"),
        ("a number", b"3"),
        ("null", b"null"),
        ("not UTF-8", b"\xff\xfe"),
        ("deep lists", b"[" * 100_000),
        ("deep objects", b'{"a":' * 100_000),
        ("long number", b'{"x":' + b"9" * 5000 + b"}"),
    ):
        yield f"header: {name}", file(text)
    for shape in (
        [2**63], [2**62, 2], [-1], [-2, -1], [1.0, 2], ["2"], [[2]], 2, None, {}, [True, 2], [3],
        [2**31, 2**31, 2**31, 0, 1], [0], [1] * 100,
    ):  # fmt: skip
        yield f"shape {str(shape)[:40]}", file(entry(shape=shape))
    for offsets in (
        [8, 0], [-8, 8], [0, 2**63], [0, 2**70], [0], [0, 4, 8], "08", None, [0.0, 8.0], ["0", "8"],
        [4, 8], [0, 7],
    ):  # fmt: skip
        yield f"offsets {offsets}", file(entry(offsets=offsets))
    for dtype in ("F31", "", None, 3, ["F32"], "O", "__class__"):
        yield f"dtype {dtype}", file(entry(dtype=dtype))
    yield "metadata that is a list", file({"__metadata__": [], **entry()})
    yield "metadata that is null", file({"__metadata__": None, **entry()})
    for text in (
        "[1]", "3", "null", "{", '{"x": []}', '{"x": ["os", 2]}', '{"x": ["string"]}', '{"y": []}',
        '{"x": ["int4", 2]}', '{"x": ["complex64", 1, 2]}', '{"x": "string"}',
    ):  # fmt: skip
        yield f"types {text}", file(noted(types=text))
    for text in ("[1]", "3", "null", "{", '{"x": []}', '{"x": 5}', '{"x": "5"}'):
        yield f"checksums {text}", file(noted(crc32=text))
    for lengths in ([1, 2**62], [-1, 1], [0, 1]):
        data = b"".join(n.to_bytes(8, "little", signed=True) for n in lengths)
        notes = {"__metadata__": {"gradtape.types": '{"x": ["string", 2]}'}}
        yield f"strings of {lengths}", file({**notes, **entry("U8", [16], [0, 16])}, data)
    yield "wrong checksum of the header", file(noted(header_crc32="1"))
    yield "an entry that is a list", file({"x": []})
    yield "an entry without a dtype", file({"x": {"shape": [2], "data_offsets": [0, 8]}})
