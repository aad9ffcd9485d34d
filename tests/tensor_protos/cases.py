"""`tf.make_tensor_proto` and `tf.make_ndarray`: messages, their text and bytes, and errors.

Each case is a function of the module `tf` and of a folder. `tests/recorded/record.py` runs them
with TensorFlow and writes `recorded.json`; `test_recorded.py` beside it compares.
"""

import numpy as np

CASES = {}


def plain(value):
    """A result as JSON can hold it, with dtypes and shapes."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (bytes, float)):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    array = np.asarray(value)
    kind = "string" if array.dtype == object else array.dtype.name
    values = np.vectorize(repr, otypes=[object])(array).tolist() if array.size else []
    return [kind, list(array.shape), values]


def described(tf, *args, **kwargs):
    """A message as text, as bytes, by its fields, and as an array again."""
    proto = tf.make_tensor_proto(*args, **kwargs)
    copy = type(proto)()
    copy.ParseFromString(proto.SerializeToString())
    fields = ["float", "double", "int", "int64", "bool", "half", "scomplex", "dcomplex", "uint32"]
    return [
        str(proto),
        proto.SerializeToString(),
        copy == proto,
        proto.dtype,
        [dim.size for dim in proto.tensor_shape.dim],
        proto.tensor_content,
        [[float(x) for x in getattr(proto, f"{field}_val")] for field in fields],
        list(proto.string_val),
        tf.make_ndarray(proto),
    ]


DTYPES = (
    "float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool "
    "complex64 complex128"
).split()
SHAPES = {"scalar": (), "one": (1,), "vector": (3,), "matrix": (2, 3), "nothing": (0, 3)}


def of_dtype(tf, name, shape):
    count = int(np.prod(shape))
    values = tf.cast(tf.reshape(tf.range(count), shape), name)
    return described(tf, values.numpy())


for _name in DTYPES:
    for _kind, _shape in SHAPES.items():
        CASES[f"{_name}_{_kind}"] = lambda tf, position, n=_name, s=_shape: of_dtype(tf, n, s)

VALUES = {
    "float": 1.5,
    "int": 3,
    "truth": True,
    "text": "ä",
    "bytes": b"\x00\xff",
    "floats": [1.0, 2.5, -0.0],
    "ints": [[1, 2], [3, 4]],
    "texts": ["a", "bc"],
    "texts_in_rows": [["a"], ["b"]],
    "truths": [True, False],
    "complex": 1 + 2j,
    "numpy_float": np.float64(2.5),
    "numpy_int": np.int64(-7),
    "numpy_text": np.array(["x", "yz"]),
    "special": [float("inf"), float("-inf"), float("nan")],
    "digits": [0.1, 1e-45, 3.4e38, 1e10],
    "doubles": np.array([0.1, 1e-300, 1e300, 1 / 3]),
    "one_double": np.float64(0.1),
    "one_large": np.uint64(2**64 - 1),
    "one_negative": np.int8(-5),
    "empty": [],
    "none": None,
    "ragged": [[1], [2, 3]],
    "mixed_numbers": [1, 2.5],
    "tuple": (1, 2),
    "long": list(range(40)),
}
for _name, _value in VALUES.items():
    CASES[f"value_{_name}"] = lambda tf, position, value=_value: described(tf, value)

OPTIONS = {
    "fills": ((1.0,), {"shape": [2, 2]}),
    "fills_the_rest": (([1, 2, 3],), {"shape": [2, 2]}),
    "reshapes": (([1, 2, 3, 4],), {"shape": [2, 2]}),
    "reshapes_texts": ((["a", "b"],), {"shape": [1, 2]}),
    "verifies": (([1, 2],), {"shape": [2], "verify_shape": True}),
    "verifies_wrong": (([1, 2],), {"shape": [2, 2], "verify_shape": True}),
    "broadcasts": ((1,), {"shape": [2], "allow_broadcast": True}),
    "broadcasts_one": (([1],), {"shape": [2, 3], "allow_broadcast": True}),
    "broadcasts_wrong": (([1, 2],), {"shape": [2, 2], "allow_broadcast": True}),
    "of_shape_nothing": (([],), {"shape": [0, 2]}),
    "float_as_int": (([1.5],), {"dtype": "int32"}),
    "int_as_float": (([1, 2],), {"dtype": "float32"}),
    "int_as_double": ((1,), {"dtype": "float64"}),
    "int_as_half": (([1, 2],), {"dtype": "float16"}),
    "text_as_float": ((["a"],), {"dtype": "float32"}),
    "int_as_text": (([1],), {"dtype": "string"}),
    "int_as_small": (([1, 2],), {"dtype": "int8"}),
    "truth_as_int": ((True,), {"dtype": "int32"}),
    "unknown_dtype": ((1,), {"dtype": "float31"}),
}
for _name, (_args, _kwargs) in OPTIONS.items():
    CASES[f"option_{_name}"] = lambda tf, position, a=_args, k=_kwargs: described(tf, *a, **k)


def of_itself(tf, position):
    proto = tf.make_tensor_proto([1.0])
    return tf.make_tensor_proto(proto) is proto


def of_a_tensor(tf, position):
    return tf.make_ndarray(tf.make_tensor_proto(tf.constant([1, 2])))


def of_serialized(tf, position):
    proto = type(tf.make_tensor_proto(1))()
    proto.ParseFromString(tf.io.serialize_tensor([[1.0, 2.0]]).numpy())
    return [str(proto), tf.make_ndarray(proto)]


def parsed_by_the_op(tf, position):
    proto = tf.make_tensor_proto([[1, 2], [3, 4]])
    return tf.io.parse_tensor(proto.SerializeToString(), tf.int32)


def changed(tf, position):
    proto = tf.make_tensor_proto(np.zeros([0], np.int32))
    proto.int_val.append(5)
    proto.tensor_shape.dim.add(size=1)
    return [str(proto), proto.HasField("tensor_shape")]


def cleared(tf, position):
    proto = tf.make_tensor_proto([1.0])
    proto.Clear()
    return [str(proto), proto.HasField("tensor_shape"), proto.dtype]


FUNCTIONS = (of_itself, of_a_tensor, of_serialized, parsed_by_the_op, changed, cleared)
CASES |= {function.__name__: function for function in FUNCTIONS}
