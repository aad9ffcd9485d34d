"""Checkpoints of TensorFlow's that are damaged, cut off or made to mislead, by a generator."""

import struct

import numpy as np

from gradtape.formats import protobuf
from gradtape.formats.bundle.entries import Entry, encode_entry, encode_header, slice_key
from gradtape.formats.bundle.object_graph import OBJECT_GRAPH_KEY
from gradtape.formats.bundle.table import encode_table
from gradtape.formats.bundle.writer import encode_array
from gradtape.formats.crc32c import masked_crc32c
from gradtape.formats.protobuf import data, integer, varint

KEY = "v/.ATTRIBUTES/VARIABLE_VALUE"
NAME = "ckpt"
INDEX, SHARD = f"{NAME}.index", f"{NAME}.data-00000-of-00001"
VALUES = np.arange(6, dtype=np.float32).reshape(2, 3)
FLOAT, INT32, INT64, STRING = 1, 3, 9, 7


def child(number, name):
    return data(1, integer(1, number) + data(2, name))


def attribute(key, kind="VARIABLE_VALUE"):
    return data(2, data(1, kind) + data(3, key))


def graph(*nodes):
    return b"".join(data(1, node) for node in nodes)


GRAPH = graph(child(1, "v"), attribute(KEY))


def string_entry(offset, *strings, shape=()):
    array = np.empty(shape, object)
    array[...] = list(strings) if shape else strings[0]
    raw, checksum = encode_array(array)
    return bytes(raw), Entry(STRING, shape, 0, offset, len(raw), checksum, ())


RAW = VALUES.tobytes()
GOOD = Entry(FLOAT, (2, 3), 0, 0, len(RAW), masked_crc32c(RAW), ())


def checkpoint(entry=GOOD, raw=RAW, header=None, graph=GRAPH, more=None):
    """The files of a checkpoint with one variable and the graph, and more values by key."""
    stored, graph_entry = string_entry(len(raw), graph)
    table = {
        b"": encode_header(1) if header is None else header,
        KEY.encode(): entry if isinstance(entry, bytes) else encode_entry(entry),
        OBJECT_GRAPH_KEY.encode(): encode_entry(graph_entry),
        **(more or {}),
    }
    return {INDEX: encode_table(table), SHARD: raw + stored}


FILES = checkpoint()


def block(entries, restarts=(0,), count=None, kind=0):
    """A block of (shared, unshared, size, bytes) with a checksum that is right."""
    body = b"".join(varint(a) + varint(b) + varint(c) + rest for a, b, c, rest in entries)
    body += struct.pack(f"<{len(restarts)}I", *restarts)
    body += struct.pack("<IB", len(restarts) if count is None else count, kind)
    return body + struct.pack("<I", masked_crc32c(body))


def table(*blocks, handle=None, limit=b"\xff"):
    """A table of blocks as they are; `handle` instead of where each one is."""
    out, entries = b"", []
    for number, each in enumerate(blocks):
        position = varint(len(out)) + varint(len(each) - 5) if handle is None else handle
        name = limit + bytes([number])
        entries.append((0, len(name), len(position), name + position))
        out += each
    index = block(entries)
    footer = varint(0) + varint(0) + varint(len(out)) + varint(len(index) - 5)
    return out + index + footer.ljust(40, b"\0") + FILES[INDEX][-8:]


def with_index(index):
    return {INDEX: index, SHARD: FILES[SHARD]}


def with_footer(*numbers):
    footer = b"".join(map(varint, numbers)).ljust(40, b"\0")[:40]
    return with_index(FILES[INDEX][:-48] + footer + FILES[INDEX][-8:])


def plain(key, value=b""):
    return (0, len(key), len(value), key + value)


# --- the index -----------------------------------------------------------------------------------


def broken_tables():
    """Yield (name, files, what the error says)."""
    good = FILES[INDEX]
    for cut in sorted({0, 1, 7, 8, 40, 47, 48, len(good) // 2, len(good) - 49, len(good) - 1}):
        yield f"index cut at {cut}", with_index(good[:cut]), INDEX
    for name, numbers in {
        "beyond the end": (0, 0, 10**6, 10),
        "of 2^63 bytes": (0, 0, 0, 2**63),
        "at 2^64 - 1": (0, 0, 2**64 - 1, 5),
        "that is the footer": (0, 0, len(good) - 48, 40),
        "of no bytes": (0, 0, 3, 0),
    }.items():
        yield f"index block {name}", with_footer(*numbers), INDEX
    yield "no magic", with_index(good[:-1] + b"x"), "cut off or no index"
    yield "text", with_index(b"this is no checkpoint, but a text " * 5), "cut off or no index"
    yield "ones", with_index(b"\xff" * 200), "cut off or no index"
    first, second = plain(b""), plain(b"b")
    yield "keys not in order", with_index(table(block([first, second, plain(b"a")]))), "in order"
    yield "a key twice", with_index(table(block([first, second, second]))), "in order"
    yield "blocks not in order", with_index(table(block([second]), block([first]))), "in order"
    low = table(block([first, second]), limit=b"a")
    yield "a key after its block", with_index(low), "in order"
    yield "prefix too long", with_index(table(block([first, (9, 1, 0, b"c")]))), "shares 9"
    yield "value too long", with_index(table(block([(0, 1, 10**9, b"c")]))), INDEX
    yield "key of 2^63", with_index(table(block([(0, 2**63, 0, b"c")]))), INDEX
    for count in (2, 1000, 2**32 - 1):
        yield f"{count} restarts", with_index(table(block([first], count=count))), INDEX
    for kind in (1, 2, 255):
        yield f"block of kind {kind}", with_index(table(block([first], kind=kind))), "compressed"
    endless = varint(0) + varint(2**62)
    for name, handle in {"lying": endless, "empty": b"", "cut": b"\xff\xff"}.items():
        yield f"handle {name}", with_index(table(block([first]), handle=handle)), INDEX
    yield "checksum of a block", with_index(b"\x01" + good[1:]), "checksum"
    long = plain(b"a" * 100_000)
    steps = [(100_000 + i, 1, 0, b"a") for i in range(30_000)]
    yield "keys that fill the memory", with_index(table(block([first, long, *steps]))), "keys take"
    no_header = {KEY.encode(): encode_entry(GOOD)}
    yield "no header", with_index(encode_table(no_header)), "no header"
    for name, header in {
        "no shards": b"",
        "2^31 shards": integer(1, 2**31),
        "negative shards": integer(1, -1),
        "big-endian": integer(1, 1) + integer(2, 1),
        "version 9": integer(1, 1) + data(3, integer(2, 9)),
        "cut": b"\x08",
        "wire type 7": b"\x0f",
        "endless group": b"\x0b" * 200,
    }.items():
        yield f"header: {name}", checkpoint(header=header), "in its header"


# --- entries -------------------------------------------------------------------------------------


def shape(*axes):
    return data(2, b"".join(data(2, integer(1, size)) for size in axes))


def broken_entries():
    start = integer(1, FLOAT)
    for name, sizes in {
        "2^63": (2**63,),
        "2^63 - 1": (2**63 - 1,),
        "2^62 by 4": (2**62, 4),
        "negative": (-1, 6),
        "zero by 2^63 - 1": (0, 2**63 - 1, 2**63 - 1),
        "300 axes": (1,) * 300,
    }.items():
        entry = start + shape(*sizes) + integer(5, 0 if 0 in sizes else 24)
        yield f"shape {name}", checkpoint(entry=entry), KEY
    yield "unknown rank", checkpoint(entry=start + data(2, integer(3, 1))), KEY
    for name, change in {
        "offset -1": {"offset": -1},
        "offset outside": {"offset": 10**6},
        "offset 2^62": {"offset": 2**62},
        "size of 2^62": {"size": 2**62, "shape": (2**60,)},
        "size too small": {"size": 20},
        "size too large": {"size": 28},
        "size negative": {"size": -24},
        "shard 7": {"shard": 7},
        "shard -1": {"shard": -1},
        "wrong checksum": {"checksum": 1},
        "another dtype": {"dtype": INT64},
        "string": {"dtype": STRING},
        "ten strings": {"dtype": STRING, "shape": (10,)},
        "strings of 2^62": {"dtype": STRING, "shape": (2**62,)},
    }.items():
        yield f"entry: {name}", checkpoint(GOOD._replace(**change)), KEY
    yield "entry: cut", checkpoint(entry=b"\x08"), KEY
    yield "entry: groups", checkpoint(entry=b"\x0b" * 5000), KEY
    same = {f"w{i}".encode(): encode_entry(GOOD) for i in range(5000)}
    yield "entries that share their bytes", checkpoint(more=same), "bytes of data"
    yield from broken_strings()
    yield from broken_slices()


def broken_strings():
    good, entry = string_entry(0, b"abc", b"de", shape=(2,))
    for name, raw in {
        "a length of 2^63": varint(2**63) + good[1:],
        "a length too long": b"\x7f" + good[1:],
        "an endless length": b"\xff" * len(good),
        "other lengths": b"\x02\x03" + good[2:],
        "checksum of lengths": good[:2] + b"\0\0\0\0" + good[6:],
        "other bytes": good[:-1] + b"x",
        "nothing but lengths": good[:2],
    }.items():
        changed = entry._replace(size=len(raw))
        yield f"strings: {name}", checkpoint(changed, raw), KEY


def sliced(sizes, *slices):
    def extent(start, length):
        return data(1, integer(1, start) + integer(2, length))

    parts = b"".join(data(7, b"".join(extent(*pair) for pair in pairs)) for pairs in slices)
    return integer(1, FLOAT) + shape(*sizes) + parts


def broken_slices():
    name = KEY.encode()
    halves = [((0, 1), (0, 3)), ((1, 1), (0, 3))]
    half = encode_entry(Entry(FLOAT, (1, 3), 0, 0, 12, masked_crc32c(RAW[:12]), ()))
    both = {slice_key(name, each): half for each in halves}
    yield "slices: missing", checkpoint(sliced((2, 3), *halves)), "is missing"
    whole = "not the whole"
    yield "slices: not all", checkpoint(sliced((2, 3), halves[0]), more=both), whole
    yield "slices: twice", checkpoint(sliced((2, 3), halves[0], halves[0]), more=both), whole
    over = sliced((2, 3), ((2, 1), (0, 3)))
    yield "slices: outside", checkpoint(over, more=both), "outside"
    huge = sliced((2**40, 3), *halves)
    yield "slices: of a huge tensor", checkpoint(huge, more=both), whole
    yield "slices: negative", checkpoint(sliced((2, 3), ((-1, 1), (0, 3))), more=both), "outside"
    yield "slices: of 2^62", checkpoint(sliced((2, 3), ((0, 2**62), (0, 3)))), "outside"
    yield "slices: other rank", checkpoint(sliced((2, 3), ((0, 1),)), more=both), "axes"
    ints = encode_entry(Entry(INT32, (1, 3), 0, 0, 12, masked_crc32c(RAW[:12]), ()))
    other = {**both, slice_key(name, halves[1]): ints}
    yield "slices: other dtype", checkpoint(sliced((2, 3), *halves), more=other), "another dtype"


# --- data and graph ------------------------------------------------------------------------------


def broken_data():
    yield "no data", {INDEX: FILES[INDEX]}, "is missing"
    yield "data is a folder", {INDEX: FILES[INDEX], SHARD: None}, "no file"
    for cut in (0, 1, 23, len(FILES[SHARD]) - 1):
        yield f"data cut at {cut}", {INDEX: FILES[INDEX], SHARD: FILES[SHARD][:cut]}, "ckpt."
    for position in (0, 11, 23, 24, 30, len(FILES[SHARD]) - 1):
        changed = bytearray(FILES[SHARD])
        changed[position] ^= 1 << position % 8
        yield f"data byte {position}", {INDEX: FILES[INDEX], SHARD: bytes(changed)}, "at offset"


def broken_graphs():
    node = attribute(KEY)
    deep = b"\x0a\x02" * 20_000
    for name, encoded in {
        "empty": b"",
        "child 7": graph(child(7, "v"), node),
        "child 2^31": graph(child(2**31, "v"), node),
        "child -1": graph(child(-1, "v"), node),
        "slot 9": graph(data(3, integer(1, 1) + data(2, "m") + integer(3, 9)), node),
        "missing value": graph(child(1, "v"), attribute("no/such/key")),
        "cut": GRAPH[:-3],
        "name is a number": graph(data(1, integer(1, 1) + integer(2, 5)), node),
        "number is a name": graph(data(1, data(1, "1") + data(2, "v")), node),
        "groups": b"\x0b" * 10_000,
        "nested": deep,
        "wire type 6": b"\x0e",
        "length of 2^62": b"\x0a" + varint(2**62),
    }.items():
        yield f"graph: {name}", checkpoint(graph=encoded), INDEX
    number = encode_entry(Entry(FLOAT, (2, 3), 0, 0, 24, masked_crc32c(RAW), ()))
    more = {OBJECT_GRAPH_KEY.encode(): number}
    yield "graph: a float", checkpoint(more=more), "no string"


def harmless_graphs():
    """Yield (name, files) of graphs with cycles and many edges, which restore what they have."""
    node = attribute(KEY)
    yield "itself", checkpoint(graph=graph(child(1, "v") + child(0, "me"), node))
    yield "cycle", checkpoint(graph=graph(child(1, "v"), node + child(0, "parent")))
    yield "two names", checkpoint(graph=graph(child(1, "v") + child(1, "w"), node))
    wide = b"".join(child(1, f"c{i}") for i in range(20_000))
    yield "wide", checkpoint(graph=graph(child(1, "v") + wide, node))
    ladder = [child(1, "v") + child(2, "next"), node]
    ladder += [child(i + 3, "next") for i in range(20_000)] + [child(0, "next")]
    yield "long", checkpoint(graph=graph(*ladder))
    yield "unknown fields", checkpoint(graph=GRAPH + protobuf.data(99, b"x") + integer(98, 1))


def files():
    """Yield (name, contents of files by name, what the error says)."""
    yield from broken_tables()
    yield from broken_entries()
    yield from broken_data()
    yield from broken_graphs()


# --- the list of checkpoints ---------------------------------------------------------------------

LISTS = {
    "empty": "",
    "text": "this is no list of checkpoints",
    "another folder": 'model_checkpoint_path: "../../../../etc/passwd"',
    "absolute": 'model_checkpoint_path: "/etc/passwd"',
    "open string": 'model_checkpoint_path: "ckpt',
    "number": "model_checkpoint_path: 7",
    "not a number": 'model_checkpoint_path: "x"\nlast_preserved_timestamp: ..e-',
    "bad escape": 'model_checkpoint_path: "\\777\\xZZ\\u12"',
    "zero byte": 'model_checkpoint_path: "\\000"',
    "long": 'model_checkpoint_path: "' + "a" * 100_000 + '"',
    "times": 'model_checkpoint_path: "x"\nall_model_checkpoint_timestamps: "soon"',
}
