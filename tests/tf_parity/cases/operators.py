"""Operators of tensors, their reflected forms, and operands of different kinds."""

from __future__ import annotations

import operator

import numpy as np

from ..case import CaseList
from ..inputs import array, booleans, integers, normal, positive, well_conditioned

case = CaseList()

BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
}
COMPARISONS = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
}


def with_right(operate, other):
    """A case function with a fixed right operand."""
    return lambda tf, x: operate(x, other)


def with_left(operate, other):
    """A case function with a fixed left operand."""
    return lambda tf, x: operate(other, x)


VECTOR32 = np.array([1.5, 0.5, 2.0], np.float32)
VECTOR64 = np.array([1.5, 0.5, 2.0], np.float64)
OTHERS = {
    "float": 2.5,
    "int": 2,
    "numpy_float32": np.float32(1.5),
    "numpy_float64": np.float64(1.5),
    "array_float32": VECTOR32,
    "array_float64": VECTOR64,
    "list": [1.5, 0.5, 2.0],
}
for name, operate in BINARY.items():
    case(f"{name}_tensors", lambda tf, x, y, op=operate: op(x, y), x=positive(2, 3), y=positive(3))
    for kind, other in OTHERS.items():
        case(f"{name}_{kind}", with_right(operate, other), x=positive(2, 3))
        # A NumPy operand on the left decides by its own protocol what happens.
        if not isinstance(other, (np.ndarray, np.generic)):
            case(f"{name}_reflected_{kind}", with_left(operate, other), x=positive(2, 3))
    case(f"{name}_left_array", with_left(operate, VECTOR32), x=positive(2, 3))
    case(f"{name}_float64_int", with_right(operate, 3), x=positive(3, dtype="float64"))
    case(f"{name}_float64_float", with_left(operate, 3.5), x=positive(3, dtype="float64"))
    for dtype in ("float16", "bfloat16"):
        case(f"{name}_{dtype}_float", with_right(operate, 1.5), x=positive(3, dtype=dtype))
    if name != "pow":
        case(f"{name}_int32_int", with_right(operate, 3), x=integers(4, low=-9, high=10))
        case(f"{name}_int64_list", with_left(operate, [7, 8]), x=integers(2, low=1, dtype="int64"))
for name, operate in COMPARISONS.items():
    case(
        f"{name}_tensors",
        lambda tf, x, y, op=operate: op(x, y),
        wrt="",
        x=normal(3, 1),
        y=normal(3),
    )
    case(f"{name}_scalar", with_right(operate, 0.0), wrt="", x=normal(4))
    case(f"{name}_int_scalar", with_right(operate, 3), x=integers(6, high=6))
    case(f"{name}_array", with_right(operate, VECTOR32), wrt="", x=normal(3))
case("neg", lambda tf, x: -x, x=normal(3))
case("abs", lambda tf, x: abs(x), x=normal(4))
case("invert_bool", lambda tf, x: ~x, x=booleans(4))
case("invert_int32", lambda tf, x: ~x, x=integers(4))
for name in ("and_", "or_", "xor"):
    operate = getattr(operator, name)
    case(f"{name}_bool", lambda tf, x, y, op=operate: op(x, y), x=booleans(5), y=booleans(5))
    case(f"{name}_bool_scalar", with_right(operate, True), x=booleans(5))
    case(f"{name}_int32", lambda tf, x, y, op=operate: op(x, y), x=integers(5), y=integers(5))
case("matmul", lambda tf, x, y: x @ y, x=normal(2, 3), y=normal(3, 4))
case("matmul_batched", lambda tf, x, y: x @ y, x=normal(2, 2, 3), y=normal(3, 4))
case("matmul_array", lambda tf, x: x @ np.ones((3, 2), np.float32), x=normal(2, 3))
case("matmul_reflected_array", lambda tf, x: np.ones((3, 2), np.float32) @ x, x=normal(2, 3))
case("matmul_reflected_list", lambda tf, x: [[1.0, 2.0]] @ x, x=normal(2, 3))
case("pow_two", lambda tf, x: x**2, x=normal(3))
case("pow_three", lambda tf, x: x**3, x=normal(3))
case("pow_minus_two", lambda tf, x: x**-2, x=positive(3))
case("pow_of_scalar", lambda tf, x: 2**x, x=normal(3))
case("pow_int32_int", lambda tf, x: x**2, x=integers(4))
case("pow_tensor_exponent", lambda tf, x, y: x**y, x=positive(3), y=normal(3))
case("pow_square_of_complex", lambda tf, x: x**2, x=normal(3, dtype="complex64"))
case("complex_with_python", lambda tf, x: x * (1 + 2j) + 1, x=normal(3, dtype="complex64"))
case("complex_with_float", lambda tf, x: 2.0 * x - 1j, x=normal(3, dtype="complex128"))
case("truediv_int32", lambda tf, x, y: x / y, x=integers(3), y=integers(3, low=1))
case(
    "truediv_int8",
    lambda tf, x, y: x / y,
    x=integers(3, dtype="int8"),
    y=integers(3, low=1, dtype="int8"),
)
case(
    "truediv_int16",
    lambda tf, x, y: x / y,
    x=integers(3, dtype="int16"),
    y=integers(3, low=1, dtype="int16"),
)
case("truediv_int64", lambda tf, x: x / 4, x=integers(3, dtype="int64"))
case("expression", lambda tf, x, y: (3 * x + y / 2 - 1) ** 2 - x % 2, x=positive(3), y=positive(3))
case("in_place_style", lambda tf, x, y: _accumulate(x, y), x=normal(3), y=normal(3))


def _accumulate(x, y):
    total = x
    total += y
    total *= 2
    total -= 1
    total /= 4
    return total


case("python_sum", lambda tf, x: sum(x), x=normal(4))
case("python_max", lambda tf, x: max(x), x=normal(4))
case("iteration", lambda tf, x: [row * (i + 1) for i, row in enumerate(x)], x=normal(3, 2))
case("unpacking", lambda tf, x: _product_of_pair(*x), x=normal(2))
case("length", lambda tf, x: len(x), wrt="", x=normal(4, 2))
case("bool_of_scalar", lambda tf, x: bool(tf.reduce_all(x > -100)), wrt="", x=normal(3))
case("int_of_scalar", lambda tf, x: int(x), wrt="", x=array(3.7))
case("float_of_scalar", lambda tf, x: float(x), wrt="", x=array(1.5))
case("index_of_scalar", lambda tf, x: [10, 20, 30][x], x=array(2, "int32"))
case("numpy_ufunc", lambda tf, x: np.asarray(np.sin(x)), wrt="", x=normal(3))
case("numpy_asarray", lambda tf, x: np.asarray(x), wrt="", x=normal(2, 2))
case("numpy_asarray_dtype", lambda tf, x: np.asarray(x, np.float64), wrt="", x=normal(2, 2))
case("numpy_mean", lambda tf, x: np.mean(x), wrt="", x=normal(4, dtype="float64"))
case("shape_as_list", lambda tf, x: x.shape.as_list(), wrt="", x=normal(2, 3))
case("shape_rank", lambda tf, x: (x.shape.rank, x.ndim, len(x.shape)), wrt="", x=normal(2, 3))
case("shape_num_elements", lambda tf, x: x.shape.num_elements(), wrt="", x=normal(2, 3))
case("shape_index", lambda tf, x: (x.shape[0], x.shape[-1]), wrt="", x=normal(2, 3))
case("get_shape", lambda tf, x: tuple(x.get_shape()), wrt="", x=normal(2, 3))
case("repr_scalar", lambda tf: repr(tf.constant(6.0)))
case("repr_vector", lambda tf: repr(tf.constant([1.0, 2.5])))
case("repr_matrix", lambda tf: repr(tf.constant([[1, 2], [3, 4]])))
case("str_scalar", lambda tf: str(tf.constant(6.0)))
case("str_matrix", lambda tf: str(tf.constant([[1.5, 2.0], [3.0, 4.0]])))
case("str_bool", lambda tf: str(tf.constant([True, False])))
case("format_scalar", lambda tf: f"{tf.constant(2.0)} {tf.constant(2.5):.3f}")
case("str_complex", lambda tf: str(tf.constant(1 + 2j)))
case("str_dtype", lambda tf: (str(tf.float32), repr(tf.int64), tf.bfloat16.name))
case("str_shape", lambda tf: (str(tf.zeros([2, 3]).shape), repr(tf.zeros([]).shape)))
case(
    "linear_model",
    lambda tf, w, x, b: tf.nn.relu(x @ w + b),
    w=normal(3, 2),
    x=normal(4, 3),
    b=normal(2),
)
case("matrix_power_by_hand", lambda tf, a: a @ a @ a, a=well_conditioned(3, 3))


def _product_of_pair(a, b):
    return a * b
