"""Tensors made from nothing, from Python values and from NumPy arrays."""

from __future__ import annotations

import collections

import numpy as np

from ..case import CaseList, call
from ..inputs import array, integers, normal

case = CaseList()

for name in ("zeros", "ones"):
    case(name, lambda tf, f=name: getattr(tf, f)([2, 3]))
    case(f"{name}_scalar", lambda tf, f=name: getattr(tf, f)([]))
    case(f"{name}_tuple_int32", lambda tf, f=name: getattr(tf, f)((2, 2), tf.int32))
    case(f"{name}_integer_shape", lambda tf, f=name: getattr(tf, f)(3))
    case(f"{name}_tensor_shape", lambda tf, s, f=name: getattr(tf, f)(s), s=array([2, 1], "int32"))
    case(f"{name}_bool", lambda tf, f=name: getattr(tf, f)([2], dtype=tf.bool))
    case(f"{name}_complex", lambda tf, f=name: getattr(tf, f)([2], dtype="complex64"))
    case(f"{name}_like", call(f"{name}_like"), x=normal(2, 3))
    case(
        f"{name}_like_dtype",
        lambda tf, x, f=name: getattr(tf, f"{f}_like")(x, dtype=tf.float64),
        wrt="",
        x=normal(2),
    )
    case(f"{name}_like_list", lambda tf, f=name: getattr(tf, f"{f}_like")([[1, 2], [3, 4]]))
    case(f"{name}_like_numpy", lambda tf, f=name: getattr(tf, f"{f}_like")(np.arange(3.0)))
case("fill", call("fill", [2, 3], 2.5))
case("fill_gradient", lambda tf, v: tf.fill([2, 3], v), v=normal())
case("fill_integer", lambda tf: tf.fill([3], 7))
case("fill_bool", lambda tf: tf.fill([], True))

RANGES = {
    "stop": (5,),
    "start_stop": (2, 7),
    "step": (1, 10, 3),
    "negative_step": (5, 0, -2),
    "floats": (0.0, 1.0, 0.25),
    "float_and_integer": (0, 2.5),
    "empty": (3, 3),
    "third_steps": (0.0, 1.0, 1 / 3),
}
for label, arguments in RANGES.items():
    case(f"range_{label}", lambda tf, a=arguments: tf.range(*a))
case("range_dtype", lambda tf: tf.range(4, dtype=tf.float64))
case("range_tensor", lambda tf, n: tf.range(n), n=array(4, "int32"))
case("range_int64_tensor", lambda tf, n: tf.range(0, n, 2), n=array(7, "int64"))
case("range_mixed_tensor_types", lambda tf, a: tf.range(1, a, 0.5), wrt="", a=array(3.0))
# How many numbers there are is computed in the dtype itself.
for dtype in ("float16", "bfloat16", "float32", "float64"):
    for start, stop, step in ((0.2, 1.3, 0.1), (-2.0, 1.0, 0.00375), (1.2, -0.9, -0.7)):
        case(
            f"range_count_{dtype}_{step}",
            lambda tf, a=(start, stop, step), d=dtype: tf.range(*[tf.cast(x, d) for x in a]),
        )
case("range_limit_keyword", lambda tf: tf.range(start=2, limit=6, delta=2))

case("linspace", lambda tf: tf.linspace(0.0, 1.0, 5))
case("linspace_gradient", lambda tf, a, b: tf.linspace(a, b, 4), a=normal(), b=normal())
case("linspace_vectors", lambda tf, a, b: tf.linspace(a, b, 3, axis=1), a=normal(2), b=normal(2))
case("linspace_first_axis", lambda tf, a, b: tf.linspace(a, b, 3), a=normal(2), b=normal(2))
case("linspace_one", lambda tf: tf.linspace(3.0, 9.0, 1))
case("linspace_float64", lambda tf: tf.linspace(np.float64(-1), np.float64(2), 7))
case("linspace_int", lambda tf: tf.linspace(0, 10, 5))

case("eye", call("eye", 3))
case("eye_rectangle", call("eye", 2, 4))
case("eye_batched", call("eye", 2, batch_shape=[2, 1]))
case("eye_dtype", lambda tf: tf.linalg.eye(2, dtype=tf.int64))
case("one_hot", call("one_hot", 4), i=array([0, 2, 3, -1, 7], "int32"))
case("one_hot_axis0", call("one_hot", 3, axis=0), i=array([0, 2], "int32"))
case("one_hot_matrix", call("one_hot", 3), i=integers(2, 2, high=3))
case("one_hot_middle_axis", call("one_hot", 3, axis=1), i=integers(2, 2, high=3))
case("one_hot_values", call("one_hot", 3, on_value=5.0, off_value=-1.0), i=array([0, 1], "int64"))
case("one_hot_dtype", lambda tf, i: tf.one_hot(i, 3, dtype=tf.int32), i=array([0, 1], "uint8"))
case(
    "one_hot_bool",
    lambda tf, i: tf.one_hot(i, 3, on_value=True, off_value=False),
    i=array([0, 1], "int32"),
)
case("one_hot_scalar", call("one_hot", 3), i=array(1, "int32"))
case("one_hot_list", lambda tf: tf.one_hot([0, 1, 1], depth=2))
case(
    "one_hot_gradient_of_values",
    lambda tf, a, b, i: tf.one_hot(i, 3, on_value=a, off_value=b),
    a=normal(),
    b=normal(),
    i=array([0, 2], "int32"),
)

CONSTANTS = {
    "int": 3,
    "float": 2.5,
    "bool": True,
    "complex": 1 + 2j,
    "list": [1, 2, 3],
    "float_list": [1.0, 2, 3],
    "nested": [[1.0, 2.0], [3.0, 4.0]],
    "tuple": (1, 2),
    "empty_list": [],
    "bool_list": [True, False],
    "numpy_float64": np.array([1.0, 2.0]),
    "numpy_int64": np.array([1, 2]),
    "numpy_float32": np.float32(1.5),
    "numpy_scalar": np.float64(1.5),
    "numpy_int_scalar": np.int64(4),
    "list_of_arrays": [np.ones(2, np.float32), np.zeros(2, np.float32)],
    "large_int": 2**31 - 1,
    "list_of_numpy_scalars": [np.float64(1.0), np.float64(2.0)],
}
for label, value in CONSTANTS.items():
    case(f"constant_{label}", lambda tf, v=value: tf.constant(v))
    case(f"convert_to_tensor_{label}", lambda tf, v=value: tf.convert_to_tensor(v))
# The dtype of a list: its first number decides.
NUMBERS = {
    "int": 2,
    "large_int": 2**40,
    "float": 1.5,
    "int8": np.int8(3),
    "uint32": np.uint32(2**31 + 5),
    "int64": np.int64(4),
    "uint64": np.uint64(4),
    "float16": np.float16(0.5),
    "float32": np.float32(0.1),
    "float64": np.float64(0.1),
    "array_int64": np.array(5),
    "array_float32": np.array(0.3, np.float32),
}
FIRST = {**NUMBERS, "complex": 1 + 2j, "complex64": np.complex64(1 - 1j)}
for label, value in FIRST.items():
    case(f"constant_list_of_{label}", lambda tf, v=value: tf.constant([v]))
    case(f"stack_of_{label}", lambda tf, v=value: tf.stack([v, 2]))
    # After a number, Python's truth values are numbers, too.
    for after, other in {**NUMBERS, "bool": True}.items():
        case(f"constant_list_{label}_{after}", lambda tf, v=[value, other]: tf.constant(v))
for label, value in {
    "rows_of_int64": [np.arange(2), np.arange(2)],
    "rows_and_lists": [np.arange(2), [1.5, 2.5]],
    "nested_numpy": [[np.float32(0.1), 1], [2, 0.1]],
    "empty_rows": [np.zeros(0), np.zeros(0)],
    "truths": [np.bool_(True), False],
}.items():
    case(f"constant_{label}", lambda tf, v=value: tf.constant(v))
    case(f"stack_{label}", lambda tf, v=value: tf.stack(v))
    if label != "rows_and_lists":  # TensorFlow refuses it
        case(f"stack_last_{label}", lambda tf, v=value: tf.stack(v, axis=-1))
    case(f"variable_{label}", lambda tf, v=value: tf.Variable(v))
for dtype in "float16 bfloat16 float32 float64 int8 uint8 int16 int32 int64 complex64".split():
    case(f"constant_as_{dtype}", lambda tf, d=dtype: tf.constant([1, 2], dtype=d))
    case(f"convert_as_{dtype}", lambda tf, d=dtype: tf.convert_to_tensor(3, getattr(tf, d)))
case("constant_shape", lambda tf: tf.constant(2.0, shape=[2, 2]))
case("constant_reshape", lambda tf: tf.constant([1, 2, 3, 4, 5, 6], shape=(2, 3)))
case("constant_string", lambda tf: tf.constant("hello"))
case("constant_strings", lambda tf: tf.constant(["a", "bc"]))
case("constant_numpy_dtype", lambda tf: tf.constant([1, 2], dtype=np.float64))
case("constant_from_float64_array", lambda tf: tf.constant(np.ones(2), dtype=tf.float32))
case("convert_hint", lambda tf: tf.convert_to_tensor([1, 2], dtype_hint=tf.float32))
case("convert_tensor", lambda tf, x: tf.convert_to_tensor(x), x=normal(2))
case("read_only_array", lambda tf: tf.constant(np.broadcast_to(np.float32(2.0), (2, 2))) * 2.0)
case("strided_array", lambda tf: tf.constant(np.arange(12.0).reshape(3, 4)[::2, ::-1].T) + 0.0)
case("fortran_array", lambda tf: tf.constant(np.asfortranarray(np.arange(6.0).reshape(2, 3))) * 1.0)
case("changed_array_is_copied", lambda tf: _changed_after(tf))


def _changed_after(tf):
    source = np.ones(3, np.float32)
    tensor = tf.constant(source)
    source[:] = 5.0
    return tensor


case("ones_initializer", lambda tf: tf.ones_initializer()(shape=[2, 2]))
case("zeros_initializer", lambda tf: tf.zeros_initializer()(shape=[2], dtype=tf.int32))
case("constant_initializer", lambda tf: tf.constant_initializer(3.0)(shape=[2, 2]))
case(
    "is_tensor",
    lambda tf, x: (tf.is_tensor(x), tf.is_tensor([1.0]), tf.is_tensor(np.ones(2))),
    wrt="",
    x=normal(2),
)
case("get_static_value", lambda tf, x: tf.get_static_value(x), wrt="", x=normal(2))
case("executing_eagerly", lambda tf: tf.executing_eagerly())
case("hamming_like_creation", lambda tf: tf.signal.hann_window(5))
for name, make in (
    ("deque", lambda: collections.deque([1.5, 2.0])),
    ("deque_of_arrays", lambda: collections.deque([np.ones(2), np.zeros(2)])),
    ("list_of_deques", lambda: [collections.deque([1, 2]), collections.deque([3, 4])]),
    ("list_of_ranges", lambda: [range(3), range(3, 6)]),
):
    case(f"constant_of_{name}", lambda tf, f=make: tf.constant(f()))
case("stack_of_a_deque", lambda tf, x: tf.stack(collections.deque([x, 2.0 * x])), x=normal(2))
case("sum_of_a_deque", lambda tf, x: tf.add_n(collections.deque([x, 2.0 * x])), x=normal(2))
