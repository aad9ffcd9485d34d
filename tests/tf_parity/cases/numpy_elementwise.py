"""`tf.experimental.numpy`: functions of each element, comparisons, promotion of dtypes."""

from __future__ import annotations

import math

from ..case import CaseList, numpy, with_numpy_methods
from ..inputs import array, booleans, distinct, integers, normal, positive, uniform

case = CaseList()


# --- one argument

ANYWHERE = (
    "abs absolute fabs ceil floor conj conjugate negative positive square exp exp2 expm1 sin cos "
    "tan sinh cosh tanh arctan arcsinh deg2rad rad2deg cbrt fix sinc real imag sign"
).split()
for name in ANYWHERE:
    case(name, numpy(name), x=normal(2, 3))
    case(f"{name}_float64", numpy(name), x=normal(4, dtype="float64"))
for name in "log log2 log10 log1p sqrt reciprocal".split():
    case(name, numpy(name), x=positive(2, 3))
    case(f"{name}_float64", numpy(name), x=positive(3, dtype="float64"))
for name in "arcsin arccos arctanh".split():
    case(name, numpy(name), x=uniform(5, low=-0.9, high=0.9))
case("arccosh", numpy("arccosh"), x=uniform(5, low=1.1, high=3.0))
for name in "abs conj exp sin square negative real imag sign sqrt".split():
    case(f"{name}_complex64", numpy(name), wrt="", x=normal(3, dtype="complex64"))
for name in "exp sin sqrt log1p tanh arctan floor ceil".split():
    case(
        f"{name}_of_integers",
        numpy(name),
        reference=with_numpy_methods(numpy(name)),
        x=integers(4, low=0, high=5),
    )
for name in "abs negative square sign positive conj signbit".split():
    case(f"{name}_of_integers", numpy(name), x=integers(5, low=-4, high=5))
case("signbit", numpy("signbit"), x=array([-1.5, 0.0, 2.0]))
case("signbit_bool", numpy("signbit"), x=booleans(3))
case("angle", numpy("angle"), x=normal(4))
case("angle_complex", numpy("angle"), wrt="", x=normal(4, dtype="complex64"))
case("angle_degrees", numpy("angle", deg=True), wrt="", x=normal(4, dtype="complex64"))
for name in ("around", "round"):
    for decimals in (0, 2, -1):
        rounded = numpy(name, decimals)
        case(
            f"{name}_{decimals}",
            rounded,
            reference=with_numpy_methods(rounded),
            x=uniform(4, low=-90.0, high=90.0),
        )
case("sinc_at_zero", numpy("sinc"), wrt="", x=array([0.0, 0.5, 1.0]))
case("exp_of_list", lambda tf: tf.experimental.numpy.exp([1.0, 2.0]))
case("sin_of_number", lambda tf: tf.experimental.numpy.sin(0.5))
for name in "isnan isfinite isinf isposinf isneginf".split():
    case(name, numpy(name), wrt="", x=array([1.0, math.nan, math.inf, -math.inf]))
for name in "isinf isposinf isneginf".split():
    case(f"{name}_of_integers", numpy(name), x=integers(3))
for name in "isreal iscomplex iscomplexobj isrealobj".split():
    case(name, numpy(name), wrt="", x=array([1.0 + 0.0j, 1.0 + 2.0j], "complex64"))
    case(f"{name}_of_floats", numpy(name), wrt="", x=normal(2))
for name in "isscalar ndim shape size".split():
    case(
        name,
        lambda tf, x, name=name: _plain(getattr(tf.experimental.numpy, name)(x)),
        x=normal(2, 3),
    )
case("isscalar_of_number", lambda tf: tf.experimental.numpy.isscalar(2.0))
case("size_of_number", lambda tf: tf.experimental.numpy.size(2.0))


def _plain(value):
    """A shape or size as Python's own numbers."""
    if isinstance(value, bool):
        return value
    return [int(n) for n in value] if hasattr(value, "__len__") else int(value)


# --- two arguments

BINARY = (
    "add subtract multiply divide true_divide maximum minimum arctan2 logaddexp logaddexp2 hypot "
    "heaviside equal not_equal less less_equal greater greater_equal isclose allclose"
).split()
for name in BINARY:
    case(name, numpy(name), x=distinct(2, 3), y=normal(3))
    case(f"{name}_float64", numpy(name), x=normal(2, dtype="float64"), y=normal(2, dtype="float64"))
for name in "power float_power".split():
    case(name, numpy(name), x=positive(2, 3), y=normal(3))
for name in "floor_divide mod remainder".split():
    case(name, numpy(name), wrt="", x=normal(5), y=positive(5))
    case(f"{name}_of_integers", numpy(name), x=integers(5, low=-9, high=9), y=integers(5, low=1))
case("divmod", numpy("divmod"), wrt="", x=normal(5), y=positive(5))
case("nextafter", numpy("nextafter"), wrt="", exact=True, x=normal(5), y=normal(5))
case(
    "maximum_with_zero",
    lambda tf, x: tf.experimental.numpy.maximum(x, 0),
    x=array([-1.0, 0.0, 2.0]),
)
case(
    "maximum_of_zero", lambda tf, x: tf.experimental.numpy.maximum(0, x), x=array([-1.0, 0.5, 2.0])
)
case(
    "minimum_with_zero",
    lambda tf, x: tf.experimental.numpy.minimum(x, 0),
    x=array([-1.0, 0.5, 2.0]),
)
for name in "add multiply maximum minimum".split():
    case(f"{name}_bool", numpy(name), x=booleans(6), y=booleans(6))
for name in "divide floor_divide mod".split():
    case(f"{name}_bool", numpy(name), x=booleans(4), y=array([True] * 4, "bool"))
for name in "gcd lcm".split():
    case(name, numpy(name), x=integers(6, low=-20, high=40), y=integers(6, low=0, high=12))
for name in "bitwise_and bitwise_or bitwise_xor".split():
    case(name, numpy(name), x=integers(5, high=64), y=integers(5, high=64))
    case(f"{name}_bool", numpy(name), x=booleans(5), y=booleans(5))
case("bitwise_not", numpy("bitwise_not"), x=integers(5, low=-9, high=9))
case("bitwise_not_bool", numpy("bitwise_not"), x=booleans(5))
for name in "logical_and logical_or logical_xor".split():
    case(name, numpy(name), x=booleans(6), y=booleans(6))
    case(f"{name}_of_integers", numpy(name), x=integers(6, high=2), y=integers(6, high=3))
case("logical_not", numpy("logical_not"), x=integers(4, high=2))
for name in "less less_equal greater greater_equal equal".split():
    case(f"{name}_bool", numpy(name), x=booleans(4), y=booleans(4))
case("isclose_tolerances", numpy("isclose", 0.1, 0.01), wrt="", x=normal(6), y=normal(6))
case("isclose_of_integers", numpy("isclose"), x=integers(4, high=2), y=integers(4, high=2))
case(
    "isclose_nan",
    numpy("isclose", equal_nan=True),
    wrt="",
    x=array([math.nan, 1.0]),
    y=array([math.nan, math.nan]),
)
case("array_equal", numpy("array_equal"), wrt="", x=array([1.0, 2.0]), y=array([1.0, 2.0]))
case("array_equal_shapes", numpy("array_equal"), wrt="", x=normal(2), y=normal(3))
case("clip", numpy("clip", -0.5, 0.75), x=normal(8))
case("clip_low", numpy("clip", -0.5, None), x=normal(8))
case("clip_high", numpy("clip", None, 0.5), x=normal(8))
case("clip_tensors", numpy("clip"), wrt="x", x=normal(2, 3), low=array([-0.5]), high=positive(3))
case("polyval", numpy("polyval"), p=normal(4), x=normal(3))
case("polyval_constant", numpy("polyval"), p=normal(1), x=normal(3))

# --- promotion

PAIRS = {
    "int32_float32": ("int32", "float32"),
    "int32_int64": ("int32", "int64"),
    "int32_float64": ("int32", "float64"),
    "float32_float64": ("float32", "float64"),
    "uint8_int32": ("uint8", "int32"),
    "float16_float32": ("float16", "float32"),
    "float32_complex64": ("float32", "complex64"),
    "int16_float16": ("int16", "float16"),
}
for label, (first, second) in PAIRS.items():
    for name in ("add", "multiply", "where", "concatenate", "result_type", "promote_types"):
        given = {"x": array([1, 2], first), "y": array([3, 4], second)}

        def mixed(tf, x, y, name=name):
            module = tf.experimental.numpy
            if name == "where":
                return module.where([True, False], x, y)
            if name == "concatenate":
                return module.concatenate([x, y])
            if name == "result_type":
                return module.result_type(x, y).name
            if name == "promote_types":
                return module.promote_types(x.dtype, y.dtype).name
            return getattr(module, name)(x, y)

        case(f"{name}_{label}", mixed, wrt="", **given)
case("float32_tensor_and_number", lambda tf, x: tf.experimental.numpy.add(x, 2.5), x=normal(2))
case("int32_tensor_and_number", lambda tf, x: tf.experimental.numpy.add(x, 2.5), x=integers(2))
case("int32_tensor_and_integer", lambda tf, x: tf.experimental.numpy.add(x, 2), x=integers(2))
case("numbers", lambda tf: tf.experimental.numpy.add(2, 2.5))
case("integers", lambda tf: tf.experimental.numpy.add(2, 3))
case(
    "gradient_through_promotion",
    lambda tf, x, n: tf.experimental.numpy.multiply(x, n),
    x=normal(3),
    n=integers(3),
)
case("result_type_of_float", lambda tf: tf.experimental.numpy.result_type(float).name)
case("result_type_of_list", lambda tf: tf.experimental.numpy.result_type([1, 2.0]).name)
case("finfo", lambda tf: float(tf.experimental.numpy.finfo(tf.float32).eps))
case("iinfo", lambda tf: int(tf.experimental.numpy.iinfo("int16").max))
case(
    "issubdtype",
    lambda tf: bool(
        tf.experimental.numpy.issubdtype(tf.experimental.numpy.int32, tf.experimental.numpy.int_)
    ),
)
case(
    "constants",
    lambda tf: [getattr(tf.experimental.numpy, n) for n in ("pi", "e", "inf", "newaxis")],
)
