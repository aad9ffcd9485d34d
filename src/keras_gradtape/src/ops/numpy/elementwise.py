"""Arithmetic, functions of each element, comparisons and bits."""

from __future__ import annotations

from keras.src.backend.common import dtypes as keras_dtypes

from gradtape import ops
from gradtape.api import numpy_names as names
from keras_gradtape.src.conversion import SPARSE, cast, convert_to_tensor
from keras_gradtape.src.promotion import (
    adapt,
    adapted_pair,
    binary,
    common,
    common_inexact,
    common_numeric,
    inexact,
    named_like,
    numeric,
    result_dtype,
    unary,
)
from keras_gradtape.src.sparse import (
    densify,
    intersection,
    on_values,
    quotient,
    sparse_first,
    union,
)

__all__ = [
    "abs",
    "absolute",
    "add",
    "allclose",
    "angle",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "clip",
    "conj",
    "conjugate",
    "cos",
    "cosh",
    "deg2rad",
    "divide",
    "divide_no_nan",
    "equal",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "hypot",
    "i0",
    "imag",
    "isclose",
    "isfinite",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "isreal",
    "lcm",
    "ldexp",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "nan_to_num",
    "negative",
    "nextafter",
    "not_equal",
    "power",
    "rad2deg",
    "real",
    "reciprocal",
    "right_shift",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinc",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "trunc",
]

# --- arithmetic -----------------------------------------------------------------------------------

add = binary(names.add, sparse=union)
subtract = binary(ops.subtract, sparse=union)
multiply = binary(names.multiply, sparse=intersection)
divide = true_divide = binary(names.divide, common_inexact, quotient)
divide_no_nan = binary(ops.divide_no_nan, common_inexact)
maximum = binary(names.maximum, sparse=union)
minimum = binary(names.minimum, sparse=union)
fmax = binary(names.fmax)
fmin = binary(names.fmin)
floor_divide = binary(ops.floordiv, common_numeric)
mod = binary(ops.floormod, common_numeric)
fmod = binary(ops.truncatemod, common_numeric)
gcd = binary(names.gcd)
lcm = binary(names.lcm)
negative = unary(ops.negative, sparse=on_values)
square = unary(ops.square, numeric, on_values)
reciprocal = unary(ops.reciprocal, inexact, densify)


def power(x1, x2):
    """Return x1 to the power x2."""
    if isinstance(x2, (int, float)) and not isinstance(x2, bool):
        # A Python number as exponent has a shorter rule.
        x1 = convert_to_tensor(x1)
        if x1.dtype.is_differentiable:
            return ops.pow(x1, x2)
    return ops.pow(*common_numeric(x1, x2))


@sparse_first(on_values)
def absolute(x):
    """Return |x|."""
    x = convert_to_tensor(x)
    return x if names.is_truth(x) or x.dtype.is_unsigned else ops.abs(x)


abs = absolute


@sparse_first(on_values)
def fabs(x):
    """Return |x|, as a real number."""
    return ops.abs(inexact(x))


@sparse_first(on_values)
def sign(x):
    """Return -1, 0 or 1."""
    x = convert_to_tensor(x)
    if x.dtype.is_unsigned:
        return ops.cast(ops.not_equal(x, ops.zeros((), x.dtype)), x.dtype)
    return ops.sign(numeric(x))


_NUMBERS = (int, float, type(None))


def clip(x, x_min, x_max):
    """Clip x to bounds."""
    if type(x) in SPARSE:
        keeps_zero = all(type(b) in _NUMBERS for b in (x_min, x_max)) and (
            (x_min is None or x_min <= 0) and (x_max is None or x_max >= 0)
        )
        return (on_values if keeps_zero else densify)(clip, x, x_min, x_max)
    x = numeric(x)
    if x.dtype.is_floating and all(type(bound) in _NUMBERS for bound in (x_min, x_max)):
        return names.clip(x, x_min, x_max)
    bounds = [bound for bound in (x_min, x_max) if bound is not None]
    x = cast(x, result_dtype(x, *bounds))
    low, high = (b if b is None else convert_to_tensor(b, x.dtype) for b in (x_min, x_max))
    return names.clip(x, low, high)


# --- functions of real numbers --------------------------------------------------------------------

arccos = unary(ops.acos, inexact, densify)
arccosh = unary(ops.acosh, inexact, densify)
arcsin = unary(ops.asin, inexact, on_values)
arcsinh = unary(ops.asinh, inexact, on_values)
arctan = unary(ops.atan, inexact, on_values)
arctan2 = binary(ops.atan2, common_inexact)
arctanh = unary(ops.atanh, inexact, on_values)
cbrt = unary(ops.cbrt, inexact, on_values)
cos = unary(ops.cos, inexact, densify)
cosh = unary(ops.cosh, inexact, densify)
deg2rad = unary(names.deg2rad, inexact, on_values)
exp = unary(ops.exp, inexact, densify)
exp2 = unary(names.exp2, inexact, densify)
expm1 = unary(ops.expm1, inexact, on_values)
heaviside = binary(names.heaviside, common_inexact)
hypot = binary(names.hypot, common_inexact)
i0 = unary(ops.bessel_i0, inexact)
log = unary(ops.log, inexact, densify)
log1p = unary(ops.log1p, inexact, on_values)
log2 = unary(names.log2, inexact, densify)
log10 = unary(names.log10, inexact, densify)
logaddexp = binary(names.logaddexp, common_inexact)
logaddexp2 = binary(names.logaddexp2, common_inexact)
nextafter = binary(names.nextafter, common_inexact)
rad2deg = unary(names.rad2deg, inexact, on_values)
sin = unary(ops.sin, inexact, on_values)
sinc = unary(names.sinc, inexact)
sinh = unary(ops.sinh, inexact, on_values)
sqrt = unary(ops.sqrt, inexact, on_values)
tan = unary(ops.tan, inexact, on_values)
tanh = unary(ops.tanh, inexact, on_values)


def ldexp(x1, x2):
    """Return x1 · 2**x2, for integers x2."""
    x2 = convert_to_tensor(x2)
    if x2.dtype.name not in keras_dtypes.INT_TYPES:
        raise TypeError(
            f"ldexp exponent must be an integer type. Received: x2 dtype={x2.dtype.name}"
        )
    return names.ldexp(inexact(x1), x2)


# --- whole numbers nearby -------------------------------------------------------------------------

ceil = unary(ops.ceil, inexact, on_values)
floor = unary(ops.floor, inexact, on_values)


@sparse_first(on_values)
def trunc(x):
    """Truncate x toward 0."""
    x = convert_to_tensor(x)
    return ops.trunc(x) if x.dtype.is_floating else x


@sparse_first(on_values)
def round(x, decimals=0):
    """Round x to a number of decimals."""
    return names.round(numeric(x), decimals)


# --- complex numbers ------------------------------------------------------------------------------


def angle(x):
    """Return the argument of complex numbers; of real ones 0 or π."""
    return names.angle(inexact(x))


@sparse_first(on_values)
def conjugate(x):
    """Return the complex conjugate."""
    return ops.conj(numeric(x))


conj = conjugate


@sparse_first(on_values)
def real(x):
    """Return the real part."""
    x = convert_to_tensor(x)
    return ops.real(x) if x.dtype.is_complex else x


@sparse_first(on_values)
def imag(x):
    """Return the imaginary part: zeros, for real numbers."""
    x = convert_to_tensor(x)
    return ops.imag(x) if x.dtype.is_complex else ops.zeros_like(x)


# --- comparisons and tests ------------------------------------------------------------------------

equal = binary(names.equal)
not_equal = binary(names.not_equal)
less = binary(names.less)
less_equal = binary(names.less_equal)
greater = binary(names.greater)
greater_equal = binary(names.greater_equal)
allclose = adapted_pair(names.allclose)
isclose = adapted_pair(names.isclose)
isfinite = unary(names.isfinite, sparse=densify)
isinf = unary(names.isinf, sparse=on_values)
isnan = unary(names.isnan, sparse=on_values)
isneginf = unary(names.isneginf)
isposinf = unary(names.isposinf)
isreal = unary(names.isreal)
signbit = unary(names.signbit, numeric)


def _each(x1, x2):
    return convert_to_tensor(x1), convert_to_tensor(x2)


logical_and = binary(names.logical_and, _each)
logical_or = binary(names.logical_or, _each)
logical_xor = binary(names.logical_xor, _each)
logical_not = unary(names.logical_not)
nan_to_num = adapt(names.nan_to_num)

# --- bits -----------------------------------------------------------------------------------------


def _bits(compute, prepare=common):
    def function(x, y):
        return compute(*prepare(x, y))

    return named_like(function, compute)


bitwise_and = _bits(names.bitwise_and)
bitwise_or = _bits(names.bitwise_or)
bitwise_xor = _bits(names.bitwise_xor)
bitwise_left_shift = left_shift = _bits(names.left_shift, common_numeric)
bitwise_right_shift = right_shift = _bits(names.right_shift, common_numeric)
bitwise_invert = bitwise_not = unary(names.bitwise_invert)
