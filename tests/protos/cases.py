"""`tf.io.decode_proto`, `encode_proto`, `tf.train.ClusterDef` and its like, names of SavedModels.

Each case is a function of the module `tf` and of a folder to write to. `tests/recorded/record.py`
runs them with TensorFlow and writes `recorded.json`; `test_recorded.py` beside it compares.
"""

import os
import struct

import numpy as np

CASES = {}


def case(function):
    assert function.__name__ not in CASES
    CASES[function.__name__] = lambda tf, directory: function(tf)
    return function


def cases(prefix, table):
    """A case for each function of a table."""
    for name, function in table.items():
        assert f"{prefix}_{name}" not in CASES
        CASES[f"{prefix}_{name}"] = lambda tf, directory, function=function: function(tf)


def plain(value):
    """A result as JSON can hold it, with dtypes and shapes."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (bytes, float)):
        return repr(value)
    if isinstance(value, dict):
        return {"dict": [[key, plain(value[key])] for key in value]}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if hasattr(value, "SerializeToString"):
        return {"message": str(value)}
    array = np.asarray(value)
    kind = "string" if array.dtype == object else array.dtype.name
    values = np.vectorize(repr, otypes=[object])(array).tolist() if array.size else []
    return [kind, list(array.shape), values]


# --- descriptors, written by hand -----------------------------------------------------------------


def varint(value):
    out = bytearray()
    value &= 2**64 - 1
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def integer(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def field(name, number, kind, repeated=False, type_name="", default="", packed=None):
    parts = [data(1, name), integer(3, number), integer(4, 3 if repeated else 1), integer(5, kind)]
    if type_name:
        parts.append(data(6, type_name))
    if default:
        parts.append(data(7, default))
    if packed is not None:
        parts.append(data(8, integer(2, packed)))
    return data(2, b"".join(parts))


def enum(name, *values):
    inner = b"".join(data(2, data(1, v) + integer(2, n)) for v, n in values)
    return data(1, name) + inner


KINDS = "double float int64 uint64 int32 fixed64 fixed32 bool string group message bytes"
KINDS = dict(
    enumerate([*KINDS.split(), "uint32", "enum", "sfixed32", "sfixed64", "sint32", "sint64"], 1)
)
OF = {10: ".t.N", 11: ".t.N", 14: ".t.E"}
DTYPES = "float32 float64 int32 int64 uint32 uint64 bool string uint8 float16 int8".split()


def descriptors():
    """All kinds of fields, in a file of each syntax."""
    all_kinds = b"".join(
        field(name, number, number, type_name=OF.get(number, ""))
        + field(name + "s", number + 100, number, True, OF.get(number, ""))
        for number, name in KINDS.items()
    )
    defaults = (
        field("d_int", 300, 5, default="7")
        + field("d_float", 301, 2, default="1.5")
        + field("d_text", 302, 9, default="text")
        + field("d_bool", 303, 8, default="true")
        + field("d_enum", 304, 14, type_name=".t.E", default="TWO")
        + field("d_double", 305, 1, default="-inf")
        + field("d_uint", 306, 4, default="18446744073709551615")
    )
    two = (
        data(1, "two.proto")
        + data(2, "t")
        + data(4, data(1, "M") + all_kinds + defaults)
        + data(4, data(1, "N") + field("a", 1, 5) + field("n", 2, 11, type_name="N"))
        + data(5, enum("E", ("ONE", 1), ("TWO", 2), ("MINUS", -1)))
    )
    three = (
        data(1, "three.proto")
        + data(2, "u")
        + data(
            4,
            data(1, "M")
            + field("a", 1, 5, True)
            + field("b", 2, 5, True, packed=0)
            + field("c", 3, 5)
            + field("i", 4, 11, type_name="I")
            + field("f", 5, 2, True)
            + field("s", 6, 9, True)
            + data(3, data(1, "I") + field("z", 1, 9)),
        )
        + data(12, "proto3")
    )
    return data(1, two) + data(1, three)


SOURCE = b"bytes://" + descriptors()


def decoded(tf, messages, names, dtypes, kind="t.M", source=SOURCE, **kwargs):
    dtypes = [getattr(tf, dtype) for dtype in dtypes]
    return tf.io.decode_proto(messages, kind, names, dtypes, descriptor_source=source, **kwargs)


def encoded(tf, sizes, values, names, kind="t.M", source=SOURCE):
    return tf.io.encode_proto(sizes, values, names, kind, descriptor_source=source)


for _name in KINDS.values():
    for _dtype in DTYPES:

        def _absent(tf, name=_name, dtype=_dtype):
            return decoded(tf, [b""], [name], [dtype])

        def _one(tf, name=_name, dtype=_dtype):
            value = tf.constant([[b""]]) if dtype == "string" else tf.cast([[1]], dtype)
            return encoded(tf, [[1]], [value], [name])

        cases("kind", {f"absent_{_name}_{_dtype}": _absent, f"one_{_name}_{_dtype}": _one})


def both(tf, name, dtype, values):
    """Write values as a repeated field, and read them again."""
    value = tf.constant([values], getattr(tf, dtype))
    wire = encoded(tf, [[len(values)]], [value], [name + "s"])
    return [wire, decoded(tf, wire, [name + "s"], [dtype])]


EXTREMES = {
    "double": ("float64", [0.1, -1e300, float("inf"), float("nan")]),
    "float": ("float32", [0.1, -1e30, float("inf"), 1e-40]),
    "float_of_doubles": ("float64", [0.1, 1e39, -1e-50]),
    "int64": ("int64", [0, -1, 2**63 - 1, -(2**63)]),
    "uint64": ("uint64", [0, 1, 2**64 - 1]),
    "int32": ("int32", [0, -1, 2**31 - 1, -(2**31)]),
    "fixed64": ("uint64", [0, 2**64 - 1]),
    "fixed32": ("uint32", [0, 2**32 - 1]),
    "bool": ("bool", [True, False]),
    "string": ("string", [b"", b"\xff", "größer".encode()]),
    "group": ("string", [b"", b"\x08\x05"]),
    "message": ("string", [b"", b"\x08\x05", b"\xff\xff"]),
    "bytes": ("string", [b"\x00\xff"]),
    "uint32": ("uint32", [0, 2**32 - 1]),
    "enum": ("int32", [0, 1, -1, 77]),
    "sfixed32": ("int32", [-(2**31), 2**31 - 1]),
    "sfixed64": ("int64", [-(2**63), 2**63 - 1]),
    "sint32": ("int32", [-(2**31), 2**31 - 1, -1]),
    "sint64": ("int64", [-(2**63), 2**63 - 1, -1]),
}
cases(
    "extremes",
    {
        name: lambda tf, name=name, dtype=dtype, values=values: both(
            tf, name.partition("_")[0], dtype, values
        )
        for name, (dtype, values) in EXTREMES.items()
    },
)

cases(
    "decode",
    {
        "defaults": lambda tf: decoded(
            tf,
            [b""],
            ["d_int", "d_float", "d_text", "d_bool", "d_enum", "d_double", "d_uint", "enum"],
            ["int32", "float32", "string", "bool", "int32", "float64", "uint64", "int32"],
        ),
        "packed": lambda tf: decoded(tf, [b"\x0a\x02\x01\x02", b""], ["a"], ["int32"], kind="u.M"),
        "packed_and_not": lambda tf: decoded(
            tf, [b"\x0a\x02\x01\x02\x08\x05", b""], ["a"], ["int32"], kind="u.M"
        ),
        "packed_one": lambda tf: decoded(tf, [b"\x1a\x02\x01\x02"], ["c"], ["int32"], kind="u.M"),
        "last_counts": lambda tf: decoded(
            tf, [b"\x22\x03\x0a\x01x\x22\x03\x0a\x01y", b""], ["i"], ["string"], kind="u.M"
        ),
        "other_wire": lambda tf: decoded(
            tf, [b"\x0d\x02\x01\x02\x01"], ["a"], ["int32"], kind="u.M"
        ),
        "sign_of_32_bits": lambda tf: decoded(
            tf, [b"\x18\xff\xff\xff\xff\x0f"], ["c"], ["int64"], kind="u.M"
        ),
        "sign_of_64_bits": lambda tf: decoded(
            tf, [b"\x18" + varint(-1)], ["c"], ["int64"], kind="u.M"
        ),
        "corrupt_packed": lambda tf: decoded(
            tf, [b"\x0a\x03\x01\x02\x80"], ["a"], ["int32"], kind="u.M"
        ),
        "corrupt_packed_floats": lambda tf: decoded(
            tf, [b"\x2a\x03\x01\x02\x80"], ["f"], ["float32"], kind="u.M"
        ),
        "name_twice": lambda tf: decoded(
            tf, [b"\x32\x01\xff\x32\x00"], ["s", "s"], ["string", "string"], kind="u.M"
        ),
        "sanitize_utf8": lambda tf: decoded(
            tf, [b"\x32\x01\xff"], ["s"], ["string"], kind="u.M", sanitize=True
        ),
        "sanitize": lambda tf: decoded(
            tf, [b"\x18\x02\x08\x01"], ["a", "c"], ["int32", "int32"], kind="u.M", sanitize=True
        ),
        "sanitize_inner": lambda tf: decoded(
            tf, [b"\x22\x04\xff\xff\xff\xff"], ["i"], ["string"], kind="u.M", sanitize=True
        ),
        "nested_type": lambda tf: decoded(tf, [b"\x0a\x01z"], ["z"], ["string"], kind="u.M.I"),
        "group_skipped": lambda tf: decoded(
            tf, [b"\x1b\x18\x02\x1c\x18\x04"], ["c"], ["int32"], kind="u.M"
        ),
        "group": lambda tf: decoded(tf, [b"\x53\x08\x05\x54"], ["group"], ["string"]),
        "scalar": lambda tf: decoded(tf, b"", ["d_int"], ["int32"]),
        "matrix": lambda tf: decoded(
            tf, [[b"\x08\x05"], [b"\x08\x05\x08\x06"]], ["a"], ["int32"], kind="u.M"
        ),
        "empty": lambda tf: decoded(tf, tf.constant([], tf.string), ["a"], ["int32"], kind="u.M"),
        "no_fields": lambda tf: decoded(tf, [b""], [], []),
        "unknown_type": lambda tf: decoded(tf, [b""], ["a"], ["int32"], kind="t.X"),
        "leading_dot": lambda tf: decoded(tf, [b""], ["a"], ["int32"], kind=".u.M"),
        "unknown_field": lambda tf: decoded(tf, [b""], ["nope"], ["int32"]),
        "lengths": lambda tf: decoded(tf, [b""], ["d_int"], ["int32", "int32"]),
        "truncated": lambda tf: decoded(tf, [b"\x08"], ["d_int"], ["int32"]),
        "open_group": lambda tf: decoded(tf, [b"\x0b"], ["d_int"], ["int32"]),
        "bad_source": lambda tf: decoded(tf, [b""], ["a"], ["int32"], source="bytes://zzzz"),
        "no_file": lambda tf: decoded(tf, [b""], ["a"], ["int32"], source="/no/such/file"),
        "no_scheme": lambda tf: decoded(tf, [b""], ["a"], ["int32"], source="foo://bar"),
        "format": lambda tf: decoded(tf, [b""], ["d_int"], ["int32"], message_format="xml"),
        "not_strings": lambda tf: decoded(tf, [1], ["d_int"], ["int32"]),
        "local": lambda tf: tf.io.decode_proto(
            [
                tf.train.Example(
                    features=tf.train.Features(feature={"x": tf.train.Feature()})
                ).SerializeToString()
            ],
            "tensorflow.Example",
            ["features"],
            [tf.string],
        ),
        "local_floats": lambda tf: tf.io.decode_proto(
            [tf.train.FloatList(value=[1.0, 2.5]).SerializeToString(), b""],
            "tensorflow.FloatList",
            ["value"],
            [tf.float32],
        ),
        "local_unknown": lambda tf: tf.io.decode_proto([b""], "t.M", ["a"], [tf.int32]),
    },
)

TEXT = b"""a: 1 a: [2, 3] b: 0x10, c: -07; f: inf f: 1.5e3f f: -nan f: .5 f: 3
s: "x\\n\\x41\\101" 'y' s: "" i < z: "q" > # the rest"""


def of_text(tf, text, names="c", dtypes=("int32",)):
    return decoded(tf, [text], list(names), dtypes, kind="u.M", message_format="text")


cases(
    "text",
    {
        "all": lambda tf: of_text(
            tf, TEXT, "abcfsi", ["int32"] * 3 + ["float32", "string", "string"]
        ),
        "twice": lambda tf: of_text(tf, b"c: 1 c: 2"),
        "empty": lambda tf: of_text(tf, b"  # nothing"),
        "unknown": lambda tf: of_text(tf, b"zz: 3"),
        "no_colon": lambda tf: of_text(tf, b"c 3"),
        "no_value": lambda tf: of_text(tf, b"c:"),
        "too_large": lambda tf: of_text(tf, b"c: 2147483648"),
        "smallest": lambda tf: of_text(tf, b"c: -2147483648"),
        "not_closed": lambda tf: of_text(tf, b'i { z: "a"'),
        "word_for_number": lambda tf: of_text(tf, b"c: abc"),
        "fraction_for_integer": lambda tf: of_text(tf, b"c: 1.5"),
        "octal_of_nines": lambda tf: of_text(tf, b"c: 09"),
        "list_of_one_field": lambda tf: of_text(tf, b"c: [1]"),
        "empty_list": lambda tf: of_text(tf, b"a: []", "a"),
        "bad_escape": lambda tf: of_text(tf, b's: "\\q"', "s", ["string"]),
        "open_text": lambda tf: of_text(tf, b's: "abc', "s", ["string"]),
        "enum": lambda tf: decoded(
            tf,
            [b"enum: TWO enums: [ONE, MINUS, 2] bool: true bools: [f, 1, False]"],
            ["enum", "enums", "bool", "bools"],
            ["int32", "int32", "bool", "bool"],
            message_format="text",
        ),
        "unknown_enum": lambda tf: decoded(
            tf, [b"enum: SIX"], ["enum"], ["int32"], message_format="text"
        ),
        "nested": lambda tf: decoded(
            tf,
            [b"messages { a: 1 n { a: 2 } } messages: [{a: 3}, <a: 4>]"],
            ["messages"],
            ["string"],
            message_format="text",
        ),
        "negative_unsigned": lambda tf: decoded(
            tf, [b"uint32: -1"], ["uint32"], ["uint32"], message_format="text"
        ),
    },
)

cases(
    "encode",
    {
        "by_number": lambda tf: encoded(tf, [[1, 2]], [[[5]], [[1, 2]]], ["d_int", "int32s"]),
        "packed": lambda tf: encoded(tf, [[2]], [[[1, 2]]], ["a"], kind="u.M"),
        "not_packed": lambda tf: encoded(tf, [[2]], [[[1, 2]]], ["b"], kind="u.M"),
        "packed_none": lambda tf: encoded(tf, [[0]], [[[1, 2]]], ["a"], kind="u.M"),
        "zero_is_written": lambda tf: encoded(tf, [[1]], [[[0]]], ["c"], kind="u.M"),
        "narrowed": lambda tf: encoded(
            tf, [[1]], [tf.constant([[2**40 + 3]], tf.int64)], ["c"], kind="u.M"
        ),
        "more_than_one": lambda tf: encoded(tf, [[2]], [[[1, 2]]], ["d_int"]),
        "none": lambda tf: encoded(tf, [[0]], [[[1, 2]]], ["d_int"]),
        "negative": lambda tf: encoded(tf, [[-1]], [[[1, 2]]], ["int32s"]),
        "too_many": lambda tf: encoded(tf, [[3]], [[[1, 2]]], ["int32s"]),
        "rows": lambda tf: encoded(
            tf, [[2, 0], [1, 1]], [[[1, 2], [3, 4]], [[5], [6]]], ["int32s", "d_int"]
        ),
        "three_axes": lambda tf: encoded(tf, [[[1], [2]]], [[[[1, 2], [3, 4]]]], ["int32s"]),
        "sizes_of_rows": lambda tf: encoded(tf, [[2], [1]], [[[1, 2]]], ["int32s"]),
        "sizes_of_fields": lambda tf: encoded(tf, [[2, 1]], [[[1, 2]]], ["int32s"]),
        "vector": lambda tf: encoded(tf, [2], [[1, 2]], ["int32s"]),
        "unknown": lambda tf: encoded(tf, [[1]], [[[1]]], ["nope"]),
        "nothing": lambda tf: encoded(tf, [[1]], [], []),
        "local": lambda tf: tf.io.encode_proto(
            [[3]], [tf.constant([[1, 2, 300]], tf.int64)], ["value"], "tensorflow.Int64List"
        ),
    },
)


def from_a_file(tf, directory):
    path = os.path.join(directory, "set.pb")
    with open(path, "wb") as file:
        file.write(descriptors())
    return decoded(tf, [b"\x08\x05"], ["a"], ["int32"], kind="u.M", source=path)


CASES["decode_from_a_file"] = from_a_file

# --- clusters -------------------------------------------------------------------------------------


def server(tf):
    return tf.train.ServerDef(
        cluster=tf.train.ClusterDef(job=[tf.train.JobDef(name="w", tasks={0: "a:1"})]),
        job_name="w",
        task_index=-1,
        protocol="grpc",
        port=2**31 - 1,
        replica=2,
    )


def changed(tf):
    made = tf.train.JobDef()
    made.name = "größer"
    made.tasks[2] = "c"
    made.tasks[0] = b"a"
    actual = [made.tasks[2], 5 in made.tasks, made.tasks.get(5, "none"), len(made.tasks)]
    del made.tasks[2]
    return [made, actual, dict(made.tasks), made.SerializeToString()]


cases(
    "cluster",
    {
        "server": server,
        "server_bytes": lambda tf: server(tf).SerializeToString(),
        "server_again": lambda tf: tf.train.ServerDef.FromString(server(tf).SerializeToString()),
        "session_is_kept": lambda tf: tf.train.ServerDef.FromString(
            data(2, "w") + data(4, integer(7, 1))
        ).SerializeToString(),
        "defaults": lambda tf: [
            tf.train.ServerDef().job_name,
            tf.train.ServerDef().port,
            tf.train.ServerDef().HasField("cluster"),
        ],
        "zero_is_not_written": lambda tf: tf.train.ServerDef(
            port=0, job_name=""
        ).SerializeToString(),
        "changed": changed,
        "merged": lambda tf: _merged(tf),
        "equal": lambda tf: [
            server(tf) == server(tf),
            tf.train.JobDef(name="a") == tf.train.JobDef(name="b"),
        ],
        "bad_name": lambda tf: tf.train.JobDef(name=3),
        "bad_port": lambda tf: tf.train.ServerDef(port=2**31),
        "bad_task": lambda tf: tf.train.JobDef(tasks={"a": "b"}),
        "bad_field": lambda tf: tf.train.JobDef(nope=1),
        "not_utf8": lambda tf: tf.train.JobDef.FromString(data(1, b"\xff")),
        "wide_number": lambda tf: tf.train.ServerDef.FromString(integer(6, 2**32 + 5)).port,
        "other_wire": lambda tf: (
            tf.train.ServerDef.FromString(varint(6 << 3 | 5) + struct.pack("<I", 7)).port
        ),
        "of_spec": lambda tf: tf.train.ClusterSpec(
            {"worker": ["a:1", "b:2"], "ps": ["c:3"]}
        ).as_cluster_def(),
        "spec_of_def": lambda tf: tf.train.ClusterSpec(
            tf.train.ClusterDef(job=[tf.train.JobDef(name="w", tasks={0: "a", 1: "b"})])
        ).as_dict(),
        "spec": lambda tf: [
            tf.train.ClusterSpec({"w": ["a", "b"]}).num_tasks("w"),
            tf.train.ClusterSpec({"w": ["a", "b"]}).task_indices("w"),
            tf.train.ClusterSpec({"w": ["a", "b"]}).task_address("w", 1),
            tf.train.ClusterSpec({"w": ["a", "b"]}).job_tasks("w"),
        ],
        "spec_of_numbers": lambda tf: tf.train.ClusterSpec(3),
    },
)


def _merged(tf):
    made = tf.train.JobDef(name="a", tasks={0: "x", 1: "y"})
    made.MergeFrom(tf.train.JobDef(name="b", tasks={1: "z"}))
    return made


CASES["cluster_copied"] = lambda tf, directory: _copied(tf)


def _copied(tf):
    made = tf.train.ServerDef()
    made.cluster.job.add(name="a").tasks[1] = "b"
    other = tf.train.ServerDef()
    other.CopyFrom(made)
    made.cluster.job[0].name = "changed"
    return other


# --- names of SavedModels -------------------------------------------------------------------------

NAMES = """ASSETS_DIRECTORY ASSETS_KEY CLASSIFY_INPUTS CLASSIFY_METHOD_NAME CLASSIFY_OUTPUT_CLASSES
CLASSIFY_OUTPUT_SCORES DEBUG_DIRECTORY DEBUG_INFO_FILENAME_PB DEFAULT_SERVING_SIGNATURE_DEF_KEY GPU
PREDICT_INPUTS PREDICT_METHOD_NAME PREDICT_OUTPUTS REGRESS_INPUTS REGRESS_METHOD_NAME
REGRESS_OUTPUTS SAVED_MODEL_FILENAME_PB SAVED_MODEL_FILENAME_PBTXT SAVED_MODEL_SCHEMA_VERSION
SERVING TPU TRAINING VARIABLES_DIRECTORY VARIABLES_FILENAME"""
cases(
    "saved_model",
    {name: lambda tf, name=name: getattr(tf.saved_model, name) for name in NAMES.split()},
)


def saved(tf, directory, **kwargs):
    class Scaled(tf.Module):
        def __init__(self):
            super().__init__()
            self.scale = tf.Variable([2.0, 3.0])

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="x")])
        def __call__(self, x):
            return {"scaled": x * self.scale}

    folder = os.path.join(directory, "model")
    module = Scaled()
    tf.saved_model.save(module, folder, **kwargs)
    return folder, module


def saved_and_loaded(tf, directory):
    folder, _ = saved(
        tf, directory, options=tf.saved_model.SaveOptions(experimental_debug_stripper=True)
    )
    loaded = tf.saved_model.load(
        folder, options=tf.saved_model.LoadOptions(allow_partial_checkpoint=False)
    )
    with tf.GradientTape() as tape:
        y = loaded(tf.constant([[1.0, 2.0]]))["scaled"]
    signature = loaded.signatures["serving_default"]
    return [
        tf.saved_model.contains_saved_model(folder),
        tf.saved_model.contains_saved_model(directory),
        y,
        tape.gradient(y, loaded.scale),
        signature(x=tf.constant([[1.0, 1.0]]))["scaled"],
        sorted(signature.structured_outputs),
        sorted(loaded.signatures),
        signature.structured_input_signature[1]["x"].name,
    ]


CASES["saved_and_loaded"] = saved_and_loaded
CASES["saved_tags"] = lambda tf, directory: [
    tf.saved_model.load(saved(tf, directory)[0], tags=tags)(tf.ones([1, 2]))
    for tags in (["serve"], None)
]
CASES["saved_other_tag"] = lambda tf, directory: tf.saved_model.load(
    saved(tf, directory)[0], tags=["gpu"]
)
CASES["saved_nowhere"] = lambda tf, directory: tf.saved_model.load(os.path.join(directory, "none"))
CASES["saved_number"] = lambda tf, directory: tf.saved_model.save(3, directory)
CASES["saved_bad_signature"] = lambda tf, directory: saved(tf, directory, signatures=lambda x: x)
