"""Casts, complex numbers, bits, and how each dtype behaves."""

from __future__ import annotations

import numpy as np

from ..case import CaseList, call
from ..inputs import array, booleans, integers, normal, positive

case = CaseList()

FLOATS = "float16 bfloat16 float32 float64".split()
INTEGERS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
for source in FLOATS:
    for target in FLOATS:
        case(f"cast_{source}_{target}", call("cast", target), x=normal(4, dtype=source))
    for target in ("int32", "int64", "bool", "complex64"):
        case(
            f"cast_{source}_{target}",
            call("cast", target),
            x=array([-2.75, -0.5, 0.0, 0.5, 3.25], source),
        )
for source in ("int32", "int64", "uint8", "bool"):
    for target in (*FLOATS, "int32", "int8", "bool", "complex128"):
        given = booleans(4) if source == "bool" else integers(4, high=200, dtype=source)
        case(f"cast_{source}_{target}", call("cast", target), x=given)
for source in ("complex64", "complex128"):
    for target in ("complex64", "complex128"):
        case(f"cast_{source}_{target}", call("cast", target), x=normal(3, dtype=source))
case("cast_by_dtype", lambda tf, x: tf.cast(x, tf.float64), x=normal(3))
case("cast_numpy_dtype", lambda tf, x: tf.cast(x, np.float64), x=normal(3))
case("cast_python_type", lambda tf, x: (tf.cast(x, float), tf.cast(x, bool)), wrt="", x=normal(3))
case("cast_list", lambda tf: tf.cast([1.7, -1.7], tf.int32))
case(
    "cast_there_and_back",
    lambda tf, x: tf.cast(tf.cast(x, tf.float64) ** 2, tf.float32),
    x=normal(3),
)
case(
    "cast_through_integer_stops_gradient",
    lambda tf, x: tf.cast(tf.cast(x, tf.int32), tf.float32),
    x=normal(3),
)
case(
    "saturate_cast_uint8",
    lambda tf, x: tf.saturate_cast(x, tf.uint8),
    wrt="",
    x=array([-5.0, 3.6, 300.0]),
)
case(
    "saturate_cast_int8",
    lambda tf, x: tf.dtypes.saturate_cast(x, tf.int8),
    x=array([-500, 3, 500], "int32"),
)
case(
    "saturate_cast_float",
    lambda tf, x: tf.saturate_cast(x, tf.float32),
    x=normal(3, dtype="float64"),
)
case(
    "saturate_cast_float16",
    lambda tf, x: tf.saturate_cast(x, tf.float16),
    wrt="",
    x=array([1e6, -1e6, 1.0]),
)
case(
    "saturate_cast_unsigned",
    lambda tf, x: tf.saturate_cast(x, tf.uint8),
    x=array([-1, 2**40, 7], "int64"),
)
case("complex", call("complex"), re=normal(3), im=normal(3))
case(
    "complex_broadcast",
    call("dtypes.complex"),
    re=normal(3, 1, dtype="float64"),
    im=normal(2, dtype="float64"),
)
case(
    "complex_parts",
    lambda tf, z: (tf.math.real(z), tf.math.imag(z)),
    z=normal(3, dtype="complex64"),
)
case(
    "complex_absolute_squared",
    lambda tf, z: tf.math.real(z * tf.math.conj(z)),
    z=normal(3, dtype="complex128"),
)
case("complex_from_parts", lambda tf, a, b: tf.abs(tf.complex(a, b) ** 2), a=normal(3), b=normal(3))
case("complex_holomorphic", lambda tf, z: tf.exp(z) * tf.sin(z), z=normal(3, dtype="complex128"))
case(
    "complex_product_with_constant",
    lambda tf, z: z * tf.constant(1 + 2j, tf.complex64),
    z=normal(3, dtype="complex64"),
)
case(
    "complex_real_of_product",
    lambda tf, z, w: tf.math.real(z * w),
    z=normal(3, dtype="complex64"),
    w=normal(3, dtype="complex64"),
)
case("angle_of_complex", lambda tf, z: tf.math.angle(z), z=normal(4, dtype="complex128"))
case("euler", lambda tf, t: tf.exp(tf.complex(tf.zeros_like(t), t)), t=normal(3))

case("bitcast_float_int", lambda tf, x: tf.bitcast(x, tf.int32), wrt="", x=normal(3))
case(
    "bitcast_int_float",
    lambda tf, x: tf.bitcast(x, tf.float32),
    exact=True,
    x=array([1065353216, 0], "int32"),
)
case("bitcast_smaller", lambda tf, x: tf.bitcast(x, tf.uint8), x=array([258, 3], "int32"))
case(
    "bitcast_larger",
    lambda tf, x: tf.bitcast(x, tf.int32),
    x=array([[2, 1, 0, 0], [3, 0, 0, 0]], "uint8"),
)

for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    for dtype in INTEGERS:
        given = {"x": integers(5, high=120, dtype=dtype), "y": integers(5, high=120, dtype=dtype)}
        case(f"{name}_{dtype}", call(f"bitwise.{name}"), **given)
for name in ("left_shift", "right_shift"):
    for dtype in ("int32", "uint8", "int64"):
        given = {"x": integers(5, high=60, dtype=dtype), "y": integers(5, high=4, dtype=dtype)}
        case(f"{name}_{dtype}", call(f"bitwise.{name}"), **given)
case(
    "right_shift_negative",
    call("bitwise.right_shift"),
    x=array([-8, -1], "int32"),
    y=array([1, 1], "int32"),
)
for dtype in ("int32", "uint8", "int8"):
    case(f"invert_{dtype}", call("bitwise.invert"), x=integers(4, high=100, dtype=dtype))
case("bitwise_broadcast", call("bitwise.bitwise_and"), x=integers(2, 1), y=integers(3))

for dtype in (*FLOATS, "complex64", "complex128"):
    case(
        f"sum_of_products_{dtype}",
        lambda tf, x, y: tf.reduce_sum(x * y),
        x=normal(4, dtype=dtype),
        y=normal(4, dtype=dtype),
    )
    case(f"dtype_properties_{dtype}", lambda tf, d=dtype: _properties(tf.as_dtype(d)))
for dtype in (*INTEGERS, "bool"):
    case(f"dtype_properties_{dtype}", lambda tf, d=dtype: _properties(tf.as_dtype(d)))


def _properties(dtype):
    return [
        dtype.name,
        dtype.size,
        dtype.is_floating,
        dtype.is_integer,
        dtype.is_complex,
        dtype.is_unsigned,
        dtype.is_bool,
    ]


for dtype in ("float16", "float32", "float64", "int8", "int32", "int64", "uint8"):
    case(
        f"dtype_limits_{dtype}",
        lambda tf, d=dtype: (float(tf.as_dtype(d).max), float(tf.as_dtype(d).min)),
    )
case(
    "as_dtype_forms",
    lambda tf: [
        tf.as_dtype(d).name
        for d in ("float32", np.float64, np.dtype("int8"), tf.int32, float, bool)
    ],
)
case(
    "dtype_equality",
    lambda tf: [
        tf.float32 == "float32",
        tf.float32 == np.float32,
        tf.half == tf.float16,
        tf.double == tf.float64,
        tf.int32 == tf.int64,
    ],
)
case(
    "dtype_as_numpy",
    lambda tf: [
        np.dtype(tf.as_dtype(d).as_numpy_dtype).name
        for d in ("float32", "bfloat16", "bool", "int64")
    ],
)
case("dtype_real", lambda tf: [tf.complex64.real_dtype.name, tf.complex128.real_dtype.name])

for dtype in ("float16", "bfloat16"):
    case(
        f"mlp_{dtype}",
        lambda tf, x, w, b: tf.nn.elu(tf.matmul(x, w) + b),
        x=normal(2, 3, dtype=dtype),
        w=normal(3, 2, dtype=dtype),
        b=normal(2, dtype=dtype),
    )
    case(
        f"softmax_of_sums_{dtype}",
        lambda tf, x: tf.nn.softmax(tf.reduce_sum(x, 0)),
        x=normal(3, 4, dtype=dtype),
    )
    case(
        f"division_{dtype}",
        lambda tf, x, y: x / y - tf.sqrt(x),
        x=positive(4, dtype=dtype),
        y=positive(4, dtype=dtype),
    )
case("overflow_float16", lambda tf, x: x * x, x=array([300.0, 10.0], "float16"))
case(
    "gradient_dtype_follows_input",
    lambda tf, x: tf.cast(x, tf.float64) * 3.0,
    x=normal(3, dtype="float16"),
)
case(
    "integer_input_has_no_gradient",
    lambda tf, i, x: tf.cast(i, tf.float32) * x,
    wrt="x",
    i=integers(3),
    x=normal(3),
)
for source, target in (("float16", "float16"), ("float32", "int32"), ("bfloat16", "uint8")):
    case(
        f"saturate_cast_infinity_{source}_{target}",
        call("saturate_cast", target),
        wrt="",
        x=array([np.inf, -np.inf, 3.0], source),
    )
