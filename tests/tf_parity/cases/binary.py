"""Elementwise functions of two arguments, their broadcasting and their dtypes."""

from __future__ import annotations

import numpy as np

from ..case import CaseList, call
from ..inputs import array, booleans, integers, normal, positive, uniform

case = CaseList()

ARITHMETIC = (
    "math.add math.subtract math.multiply math.divide math.truediv math.maximum math.minimum "
    "math.squared_difference math.divide_no_nan math.multiply_no_nan math.floordiv math.floormod "
    "math.mod math.atan2 math.xdivy truncatemod realdiv"
).split()
POSITIVE = "math.pow math.xlogy math.xlog1py".split()
SHAPES = {
    "same": ((2, 3), (2, 3)),
    "broadcast_right": ((2, 3), (3,)),
    "broadcast_left": ((1, 3), (2, 1)),
    "scalar": ((), (2, 3)),
}
# These have no derivative in TensorFlow.
NOT_DIFFERENTIATED = {"truncatemod"}
for path in ARITHMETIC + POSITIVE:
    make = positive if path in POSITIVE else normal
    wrt = "" if path in NOT_DIFFERENTIATED else None
    for label, (left, right) in SHAPES.items():
        case(f"{path}_{label}", call(path), wrt=wrt, x=make(*left), y=make(*right))
    float64 = {"x": make(2, 3, dtype="float64"), "y": make(2, 3, dtype="float64")}
    case(f"{path}_float64", call(path), wrt=wrt, **float64)

for name in "add subtract multiply divide maximum minimum pow truediv".split():
    case(name, call(name), x=positive(2, 1, 3), y=positive(4, 1))
    for dtype in ("float16", "bfloat16"):
        case(
            f"{name}_{dtype}", call(name), x=positive(2, 3, dtype=dtype), y=positive(3, dtype=dtype)
        )
for name in "add subtract multiply divide pow".split():
    for dtype in ("complex64", "complex128"):
        given = {"x": normal(2, 3, dtype=dtype), "y": normal(3, dtype=dtype)}
        case(f"{name}_{dtype}", call(name), **given)
for name in "squared_difference divide_no_nan xlogy xdivy multiply_no_nan xlog1py".split():
    given = {"x": normal(2, 3, dtype="complex128"), "y": normal(3, dtype="complex128")}
    # TensorFlow leaves the conjugate out of the gradients of the others.
    wrt = None if name == "divide_no_nan" else ""
    case(f"{name}_complex128", call(f"math.{name}"), wrt=wrt, **given)

INTEGER = (
    "add subtract multiply math.floordiv math.floormod math.mod truncatediv truncatemod maximum "
    "minimum math.squared_difference truediv divide"
).split()
for path in INTEGER:
    for dtype in ("int32", "int64"):
        left = integers(3, 4, low=-9, high=10, dtype=dtype)
        case(f"{path}_{dtype}", call(path), x=left, y=integers(4, low=1, high=5, dtype=dtype))
SIGNS = {"x": array([7, 7, -7, -7, 0], "int32"), "y": array([3, -3, 3, -3, 5], "int32")}
for path in "math.floordiv math.floormod truncatediv truncatemod truediv".split():
    case(f"{path}_signs_int32", call(path), **SIGNS)
    float_signs = {
        "x": array([7.0, 7.0, -7.0, -7.0, 0.0]),
        "y": array([3.0, -3.0, 3.0, -3.0, 5.0]),
    }
    if path != "truncatediv":
        wrt = "" if path == "truncatemod" else None
        case(f"{path}_signs_float32", call(path), wrt=wrt, **float_signs)
for dtype in ("int8", "uint8", "int16", "uint16", "uint32", "uint64"):
    case(
        f"arithmetic_{dtype}",
        lambda tf, x, y: (tf.add(x, y), tf.multiply(x, y), tf.maximum(x, y), tf.equal(x, y)),
        x=integers(6, low=1, high=12, dtype=dtype),
        y=integers(6, low=1, high=9, dtype=dtype),
    )
case("add_int8_overflow", call("add"), x=array([127, -128], "int8"), y=array([1, -1], "int8"))
case("multiply_int32_overflow", call("multiply"), x=array([2**30], "int32"), y=array([4], "int32"))
case("pow_int32", call("pow"), x=integers(4, low=-3, high=4), y=integers(4, low=0, high=4))
case("pow_int64", call("pow"), x=integers(4, dtype="int64"), y=integers(4, dtype="int64", high=4))

COMPARISONS = "equal not_equal less less_equal greater greater_equal".split()
for name in COMPARISONS:
    pairs = {"x": array([1.0, 2.0, 3.0, float("nan")]), "y": array([1.0, 3.0, 2.0, float("nan")])}
    case(f"{name}_float32", call(name), wrt="", **pairs)
    case(f"math.{name}_broadcast", call(f"math.{name}"), wrt="", x=normal(3, 1), y=normal(4))
    case(
        f"{name}_int64",
        call(name),
        x=integers(5, dtype="int64", high=3),
        y=integers(5, dtype="int64", high=3),
    )
    case(f"{name}_has_no_gradient", call(name), x=normal(3), y=normal(3))
for name in ("equal", "not_equal"):
    case(f"{name}_bool", call(name), x=booleans(6), y=booleans(6))
    complexes = array([1 + 1j, 1 - 1j, 0j], "complex64")
    case(f"{name}_complex64", call(name), wrt="", x=complexes, y=array([1 + 1j] * 3, "complex64"))
for name in "logical_and logical_or logical_xor".split():
    case(f"math.{name}", call(f"math.{name}"), x=booleans(3, 4), y=booleans(4))
case("logical_and", call("logical_and"), x=booleans(7), y=booleans(7))
case("logical_or", call("logical_or"), x=booleans(7), y=booleans(7))

case(
    "nextafter",
    call("math.nextafter"),
    wrt="",
    exact=True,
    x=array([0.0, 1.0, 2.0], "float64"),
    y=array([1.0, 2.0, 0.0], "float64"),
)
case(
    "nextafter_float32",
    call("math.nextafter"),
    wrt="",
    exact=True,
    x=array([0.0, 1.0, 2.0]),
    y=array([1.0, 2.0, 0.0]),
)
case(
    "add_n", lambda tf, x, y, z: tf.add_n([x, y, z]), x=normal(2, 3), y=normal(2, 3), z=normal(2, 3)
)
case("math.add_n_same_tensor", lambda tf, x: tf.math.add_n([x, x, x]), x=normal(3))
case(
    "accumulate_n", lambda tf, x, y: tf.math.accumulate_n([x, y, x]), x=normal(2, 3), y=normal(2, 3)
)
case("scalar_mul", lambda tf, x: tf.scalar_mul(2.5, x), x=normal(2, 3))
case("math.scalar_mul_tensor", call("math.scalar_mul"), s=normal(), x=normal(2, 3))
case(
    "polyval",
    lambda tf, a, b, c, x: tf.math.polyval([a, b, c], x),
    a=normal(),
    b=normal(),
    c=normal(),
    x=normal(4),
)
case(
    "polyval_tensors",
    lambda tf, a, b, x: tf.math.polyval([a, b], x),
    a=normal(3),
    b=normal(3),
    x=normal(3),
)
case("pow_negative_base_integer_exponent", lambda tf, x: tf.pow(x, 3.0), x=normal(2, 3))
case("pow_square", lambda tf, x: tf.pow(x, 2), x=normal(2, 3))
case("pow_half", lambda tf, x: tf.pow(x, 0.5), x=positive(2, 3))
case("pow_minus_one", lambda tf, x: tf.pow(x, -1.0), x=positive(2, 3))
case("pow_scalar_base", lambda tf, y: tf.pow(2.0, y), y=normal(2, 3))
case(
    "pow_large_exponents",
    call("pow"),
    x=uniform(4, low=0.5, high=1.5, dtype="float64"),
    y=array([20.0, -20.0, 0.0, 1.0], "float64"),
)
case("multiply_by_itself", lambda tf, x: x * x, x=normal(2, 3))
case(
    "atan2_quadrants",
    call("atan2"),
    y=array([1.0, 1.0, -1.0, -1.0]),
    x=array([2.0, -2.0, 2.0, -2.0]),
)
case(
    "broadcast_three_ways",
    lambda tf, x, y, z: x * y + z,
    x=normal(2, 1, 1),
    y=normal(3, 1),
    z=normal(4),
)
case("broadcast_many_ones", call("multiply"), x=normal(1, 1, 2), y=normal(3, 1, 1))

CLIP = {"x": array([-3.0, -0.5, 0.0, 0.5, 3.0])}
case("clip_by_value", lambda tf, x: tf.clip_by_value(x, -1.0, 1.0), **CLIP)
case(
    "clip_by_value_tensors",
    call("clip_by_value"),
    x=normal(2, 3),
    low=array([-0.5]),
    high=array([0.5]),
)
case(
    "clip_by_value_float64", lambda tf, x: tf.clip_by_value(x, -1, 1), x=normal(4, dtype="float64")
)
case("clip_by_value_int32", lambda tf, x: tf.clip_by_value(x, 2, 5), x=integers(6))
case("clip_by_norm", lambda tf, x: tf.clip_by_norm(x, 1.5), x=normal(2, 3))
case("clip_by_norm_inside", lambda tf, x: tf.clip_by_norm(x, 100.0), x=normal(2, 3))
case("clip_by_norm_axes", lambda tf, x: tf.clip_by_norm(x, 1.0, axes=[1]), x=normal(2, 3))
case("clip_by_norm_zero", lambda tf, x: tf.clip_by_norm(x, 1.0), x=array([0.0, 0.0]))
case(
    "clip_by_global_norm",
    lambda tf, x, y: tf.clip_by_global_norm([x, y], 1.0),
    x=normal(2, 3),
    y=normal(3),
)
case("clip_by_global_norm_inside", lambda tf, x: tf.clip_by_global_norm([x], 100.0), x=normal(3))
case(
    "clip_by_global_norm_given",
    lambda tf, x: tf.clip_by_global_norm([x], 1.0, use_norm=tf.constant(4.0)),
    x=normal(3),
)
case("global_norm", lambda tf, x, y: tf.linalg.global_norm([x, y]), x=normal(2, 3), y=normal(3))
case("global_norm_with_none", lambda tf, x: tf.linalg.global_norm([x, None]), x=normal(3))

case(
    "where", lambda tf, c, x, y: tf.where(c, x, y), c=booleans(2, 3), x=normal(2, 3), y=normal(2, 3)
)
case(
    "where_broadcast",
    lambda tf, c, x, y: tf.where(c, x, y),
    c=booleans(2, 1),
    x=normal(3),
    y=normal(2, 3),
)
case("where_scalar", lambda tf, c, x: tf.where(c, x, 0.0), c=booleans(2, 3), x=normal(2, 3))
case("where_comparison", lambda tf, x: tf.where(x > 0, x * x, -x), x=normal(2, 3))
case("where_scalar_condition", lambda tf, x, y: tf.where(True, x, y), x=normal(2), y=normal(2))
case(
    "where_safe_division",
    lambda tf, x: tf.where(x > 0, 1.0 / tf.where(x > 0, x, 1.0), 0.0),
    x=normal(2, 3),
)
case(
    "where_unsafe_division_is_nan",
    lambda tf, x: tf.where(x > 0, tf.sqrt(x), 0.0),
    x=array([-1.0, 0.0, 4.0]),
)
case("where_coordinates", call("where"), c=booleans(3, 4))
case("where_coordinates_of_numbers", call("where"), wrt="", x=array([[0.0, 1.0], [2.0, 0.0]]))
case("where_int32", call("where"), c=booleans(4), x=integers(4), y=integers(4))
case("where_list_condition", lambda tf, x: tf.where([True, False, True], x, -x), x=normal(3))
case("where_numpy_operands", lambda tf, x: tf.where(x > 0, x, np.float32(-1.0)), x=normal(3))
case("lerp", lambda tf, a, b, t: a + (b - a) * t, a=normal(3), b=normal(3), t=uniform())
