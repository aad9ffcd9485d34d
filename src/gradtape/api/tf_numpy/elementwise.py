"""Functions of each element, by NumPy's names."""

from __future__ import annotations

import math
from typing import Any

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.tf_numpy.promotion import (
    as_float,
    asarray,
    default_float,
    is_inexact,
    numpy_name,
    promote,
)


def _unary(name: str, compute, convert, doc: str):
    def function(x):
        return compute(convert(x))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return numpy_name(name)(function)


def _binary(name: str, compute, doc: str):
    def function(x1, x2):
        return compute(*promote(x1, x2))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return numpy_name(name)(function)


# --- of one number, which becomes a float ---------------------------------------------------------

for _name, _op in {
    "log": "log", "exp": "exp", "sqrt": "sqrt", "ceil": "ceil", "floor": "floor", "sin": "sin",
    "cos": "cos", "tan": "tan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "arcsin": "asin",
    "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh",
    "arctanh": "atanh", "expm1": "expm1", "log1p": "log1p",
}.items():  # fmt: skip
    _unary(_name, getattr(ops, _op), as_float, getattr(ops, _op).__doc__)

_unary("exp2", names.exp2, as_float, "2 to the power x.")
_unary("log2", names.log2, as_float, "The logarithm to base 2.")
_unary("log10", names.log10, as_float, "The logarithm to base 10.")
_unary("deg2rad", names.deg2rad, as_float, "Degrees as radians.")
rad2deg = _unary("rad2deg", names.rad2deg, as_float, "Radians as degrees.")
_unary("sinc", names.sinc, as_float, "sin(πx) / (πx), and its limit 1 at 0.")
_unary("fix", ops.trunc, as_float, "x without its fraction.")


def _cube_root(x):
    root = ops.pow(ops.abs(x), ops.to_tensor(1.0 / 3, x.dtype))
    return ops.where(ops.less(x, 0), -root, root)


_unary("cbrt", _cube_root, as_float, "The cube root, also of negative numbers.")

# --- of one number, which keeps its dtype ---------------------------------------------------------

for _name in ("abs", "absolute", "fabs"):
    _unary(_name, ops.abs, asarray, "The magnitude.")
for _name in ("conj", "conjugate"):
    _unary(_name, ops.conj, asarray, "The complex conjugate.")
_unary("negative", ops.negative, asarray, "-x.")
_unary("positive", ops.identity, asarray, "+x.")
_unary("reciprocal", ops.reciprocal, asarray, "1 / x.")
square = _unary("square", ops.square, asarray, "x².")


@numpy_name("real")
def real(val):
    """The real part."""
    return ops.real(asarray(val))


@numpy_name("imag")
def imag(val):
    """The imaginary part: 0 for real numbers."""
    return ops.imag(asarray(val))


@numpy_name("sign")
def sign(x, out=None, where=None, **kwargs):
    """-1, 0 or 1; for complex numbers x / |x|."""
    if out is not None or where is not None or kwargs:
        raise ValueError("sign: only x can be given; out, where and other options cannot.")
    return ops.sign(asarray(x))


def _signbit(x):
    if x.dtype.is_bool:
        return ops.fill_like(x, False, "bool")
    return ops.less(x, ops.zeros((), x.dtype))


_unary("signbit", _signbit, asarray, "Whether x is less than 0.")


@numpy_name("angle")
def angle(z, deg=False):
    """The argument of complex numbers; of real ones 0, or π where they are negative."""
    z = as_float(z)
    found = ops.angle(z) if z.dtype.is_complex else ops.where(ops.less(z, 0), math.pi, 0.0)
    return rad2deg(found) if deg else found


@numpy_name("around")
def around(a, decimals=0):
    """a to so many decimals (before the point, if negative); halves go to the even digit."""
    a = asarray(a)
    x = as_float(a)
    factor = ops.to_tensor(math.pow(10, decimals), x.dtype)
    return ops.cast(ops.divide(ops.round(x * factor), factor), a.dtype)


@numpy_name("round")
def round(a, decimals=0):
    """a to so many decimals."""
    return around(a, decimals)


# --- of two numbers -------------------------------------------------------------------------------

add = _binary("add", names.add, "x1 + x2; of truth values, whether either holds.")
_binary("subtract", ops.subtract, "x1 - x2.")
_binary("multiply", names.multiply, "x1 · x2; of truth values, whether both hold.")
_binary("minimum", names.minimum, "The smaller of x1 and x2.")
for _name in ("power", "float_power"):
    _binary(_name, ops.pow, "x1 to the power x2.")
_binary("arctan2", ops.atan2, "The angle of the point (x2, x1).")
_binary("nextafter", names.nextafter, "The next number of the dtype from x1 towards x2.")


def _at_least_int8(compute):
    """Truth values count as 0 and 1."""

    def function(x1, x2):
        if x1.dtype.is_bool:
            x1, x2 = ops.cast(x1, "int8"), ops.cast(x2, "int8")
        return compute(x1, x2)

    return function


floor_divide = _binary(
    "floor_divide", _at_least_int8(ops.floordiv), "The whole number below x1 / x2."
)
mod = _binary("mod", _at_least_int8(ops.floormod), "What is left of x1 / x2, with the sign of x2.")
_binary("remainder", _at_least_int8(ops.floormod), "What is left of x1 / x2.")


@numpy_name("divmod")
def divmod(x1, x2):
    """(the whole number below x1 / x2, what is left)."""
    return floor_divide(x1, x2), mod(x1, x2)


def _divide(x1, x2):
    if x1.dtype.is_bool:
        x1, x2 = (ops.cast(x, default_float()) for x in (x1, x2))
    return ops.truediv(x1, x2)


for _name in ("true_divide", "divide"):
    _binary(_name, _divide, "x1 / x2; integers become floats.")


@numpy_name("maximum")
def maximum(x1, x2):
    """The larger of x1 and x2."""
    x1, x2 = promote(x1, x2) if not _is_zero(x2) else (asarray(x1), x2)
    if _is_zero(x2):
        # As TensorFlow does it: the gradient at 0 is that of relu, nothing.
        return ops.relu(x1) if not x1.dtype.is_bool else names.maximum(*promote(x1, x2))
    return names.maximum(x1, x2)


def _is_zero(x) -> bool:
    return type(x) in (int, float) and x == 0


def _heaviside(x1, x2):
    zero, one = ops.zeros((), x2.dtype), ops.ones((), x2.dtype)
    found = ops.where(ops.less(x1, zero), zero, ops.where(ops.greater(x1, zero), one, x2))
    return found if is_inexact(found) else ops.cast(found, default_float())


_binary("heaviside", _heaviside, "0 where x1 < 0, 1 where x1 > 0, x2 where x1 is 0.")


@numpy_name("hypot")
def hypot(x1, x2):
    """√(x1² + x2²)."""
    x1, x2 = promote(x1, x2)
    return ops.sqrt(as_float(ops.square(x1) + ops.square(x2)))


def _log_of_sum(compute):
    return lambda x1, x2: compute(as_float(x1), as_float(x2))


_binary("logaddexp", _log_of_sum(names.logaddexp), "log(exp(x1) + exp(x2)), without overflow.")
_binary("logaddexp2", _log_of_sum(names.logaddexp2), "log2(2**x1 + 2**x2), without overflow.")


def _of_integers(name: str, compute):
    def function(x1, x2):
        if not x1.dtype.is_integer:
            raise ValueError(f"Arguments to {name} must be integers, got {x1.dtype.name}.")
        return compute(x1, x2)

    return function


_binary("gcd", _of_integers("gcd", names.gcd), "The greatest common divisor of integers.")
_binary("lcm", _of_integers("lcm", names.lcm), "The least common multiple of integers.")


@numpy_name("clip")
def clip(a, a_min, a_max):
    """a kept between bounds, of which one may be None."""
    if a_min is None and a_max is None:
        raise ValueError("clip: at least one of a_min and a_max must be given.")
    if a_min is None:
        return names.minimum(*promote(a, a_max))
    if a_max is None:
        return maximum(a, a_min)
    a, a_min, a_max = promote(a, a_min, a_max)
    shape = ops.add(ops.zeros_like(a), ops.add(ops.zeros_like(a_min), ops.zeros_like(a_max))).shape
    return ops.clip(ops.broadcast_to(a, shape), a_min, a_max)


@numpy_name("polyval")
def polyval(p, x):
    """The polynomial with the coefficients p, highest power first, at x."""
    p, x = promote(p, x)
    coefficients: Any = ops.unstack(p if p.ndim else ops.reshape(p, (1,)))
    if len(coefficients) == 1:
        return ops.broadcast_to(coefficients[0], x.shape)
    value = coefficients[0]
    for coefficient in coefficients[1:]:
        value = coefficient + value * x
    return value


# --- bits -----------------------------------------------------------------------------------------

_binary("bitwise_and", names.bitwise_and, "Bits that are set in both.")
_binary("bitwise_or", names.bitwise_or, "Bits that are set in either.")
_binary("bitwise_xor", names.bitwise_xor, "Bits that differ.")
_unary("bitwise_not", names.bitwise_invert, asarray, "The other bits.")
