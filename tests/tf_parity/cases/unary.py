"""Elementwise functions of one argument."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import Input, array, booleans, integers, normal, positive, uniform

case = CaseList()

REAL = normal(3, 4)
UNIT = uniform(3, 4, low=-0.9, high=0.9)


def domain(kind: str, dtype: str) -> Input:
    """Inputs inside the domain of a function."""
    return {
        "real": normal(3, 4, dtype=dtype),
        "positive": positive(3, 4, dtype=dtype),
        "unit": uniform(3, 4, low=-0.9, high=0.9, dtype=dtype),
        "above one": uniform(3, 4, low=1.1, high=4.0, dtype=dtype),
        "wide": normal(3, 4, dtype=dtype, scale=4.0),
    }[kind]


DOMAINS = {
    "math.abs": "real",
    "math.acos": "unit",
    "math.acosh": "above one",
    "math.asin": "unit",
    "math.asinh": "wide",
    "math.atan": "wide",
    "math.atanh": "unit",
    "math.ceil": "wide",
    "math.cos": "wide",
    "math.cosh": "real",
    "math.erf": "real",
    "math.erfc": "real",
    "math.erfinv": "unit",
    "math.exp": "real",
    "math.expm1": "real",
    "math.floor": "wide",
    "math.log": "positive",
    "math.log1p": "positive",
    "math.log_sigmoid": "wide",
    "math.negative": "real",
    "math.reciprocal": "positive",
    "math.reciprocal_no_nan": "positive",
    "math.rint": "wide",
    "math.round": "wide",
    "math.rsqrt": "positive",
    "math.sigmoid": "wide",
    "math.sign": "real",
    "math.sin": "wide",
    "math.sinh": "real",
    "math.softplus": "wide",
    "math.softsign": "wide",
    "math.sqrt": "positive",
    "math.square": "real",
    "math.tan": "unit",
    "math.tanh": "wide",
}
for path, kind in DOMAINS.items():
    for dtype in ("float32", "float64"):
        case(f"{path}_{dtype}", call(path), x=domain(kind, dtype))

TOP_LEVEL = (
    "abs acos acosh asin asinh atan atanh cos cosh exp floor negative round sigmoid sign sin sinh "
    "sqrt square tan tanh"
)
for name in TOP_LEVEL.split():
    case(name, call(name), x=domain(DOMAINS[f"math.{name}"], "float32"))

HALF = (
    "abs cos erf exp expm1 floor log log1p negative reciprocal rsqrt sigmoid sin softplus sqrt "
    "square tanh"
)
for name in HALF.split():
    for dtype in ("float16", "bfloat16"):
        case(f"{name}_{dtype}", call(f"math.{name}"), x=positive(2, 3, dtype=dtype))

COMPLEX = (
    "abs acos acosh asin asinh atan atanh cos cosh exp expm1 log log1p negative reciprocal "
    "rsqrt sigmoid sign sin sinh sqrt square tan tanh"
)
for name in COMPLEX.split():
    case(f"{name}_complex128", call(f"math.{name}"), x=normal(2, 3, dtype="complex128"))
for name in "abs cos exp log sqrt square tanh".split():
    case(f"{name}_complex64", call(f"math.{name}"), x=normal(2, 3, dtype="complex64"))

for name in "angle conj imag real".split():
    for dtype in ("complex64", "complex128", "float32"):
        case(f"{name}_{dtype}", call(f"math.{name}"), x=normal(2, 3, dtype=dtype))

for name in "abs negative sign square".split():
    for dtype in ("int32", "int64"):
        case(f"{name}_{dtype}", call(f"math.{name}"), x=integers(3, 3, low=-5, high=6, dtype=dtype))
case("round_int32", call("round"), x=integers(4))
case("abs_int8_minimum", call("abs"), x=array([-128, -1, 0, 127], "int8"))

SPECIAL_VALUES = array([0.0, -0.0, 1.0, -1.0, float("inf"), float("-inf"), float("nan")])
for name in "is_finite is_inf is_nan".split():
    for dtype in ("float32", "float64", "float16"):
        values = [1.0, float("inf"), float("-inf"), float("nan")]
        case(f"{name}_{dtype}", call(f"math.{name}"), wrt="", x=array(values, dtype))
for name in "abs exp expm1 log log1p sqrt rsqrt reciprocal sigmoid tanh sign softplus erf".split():
    case(f"{name}_at_special_values", call(f"math.{name}"), x=SPECIAL_VALUES)

# Values far out, where a careless formula overflows or loses all digits.
FAR = array([-1e4, -100.0, -30.0, -1e-6, 0.0, 1e-6, 30.0, 100.0, 1e4], "float64")
for name in "sigmoid log_sigmoid softplus softsign tanh expm1 asinh atan erf erfc".split():
    case(f"{name}_far_out", call(f"math.{name}"), x=FAR)
case("log1p_near_zero", call("math.log1p"), x=array([1e-12, -1e-12, 1e-7, 0.5], "float64"))
case(
    "round_halves_to_even",
    lambda tf, x: (tf.round(x), tf.math.rint(x), tf.math.floor(x), tf.math.ceil(x)),
    x=array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]),
)
case("logical_not", call("logical_not"), x=booleans(3, 4))
case("math.logical_not", call("math.logical_not"), x=booleans(5))
case("identity", call("identity"), x=REAL)
case("identity_integer", call("identity"), x=integers(3))
case("stop_gradient", lambda tf, x: x * tf.stop_gradient(x), x=REAL)
case("stop_gradient_only", call("stop_gradient"), x=REAL)
case("l2_loss_of_sines", lambda tf, x: tf.nn.l2_loss(tf.sin(x)), x=REAL)
case("chain_of_functions", lambda tf, x: tf.tanh(tf.exp(tf.sin(x)) * x) / tf.cosh(x), x=UNIT)
case("scalar_exp", call("exp"), x=normal())
case("scalar_sigmoid_float64", call("sigmoid"), x=normal(dtype="float64"))
