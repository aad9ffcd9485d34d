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
    export_made,
    is_inexact,
    numpy_name,
    promote,
)
from gradtape.core.tensor import Tensor


def _define_unary(name: str, compute, convert, doc: str):
    def function(x) -> Tensor:
        return compute(convert(x))

    return export_made(name, function, doc)


def binary(name: str, compute, doc: str | None):
    """Export a function of two operands, which get a common dtype."""

    def function(x1, x2) -> Tensor:
        return compute(*promote(x1, x2))

    return export_made(name, function, doc)


# --- of one number, which becomes a float ---------------------------------------------------------

for _name, _op in {
    "log": "log",
    "exp": "exp",
    "sqrt": "sqrt",
    "ceil": "ceil",
    "floor": "floor",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "expm1": "expm1",
    "log1p": "log1p",
}.items():
    _define_unary(_name, getattr(ops, _op), as_float, getattr(ops, _op).__doc__)

_define_unary("exp2", names.exp2, as_float, "Return 2 to the power x.")
_define_unary("log2", names.log2, as_float, "Return the logarithm to base 2.")
_define_unary("log10", names.log10, as_float, "Return the logarithm to base 10.")
_define_unary("deg2rad", names.deg2rad, as_float, "Convert degrees to radians.")
rad2deg = _define_unary("rad2deg", names.rad2deg, as_float, "Convert radians to degrees.")
_define_unary("sinc", names.sinc, as_float, "Return sin(πx) / (πx), and its limit 1 at 0.")
_define_unary("fix", ops.trunc, as_float, "Truncate x toward 0.")


def _cube_root(x):
    root = ops.pow(ops.abs(x), ops.to_tensor(1.0 / 3, x.dtype))
    return ops.where(ops.less(x, 0), -root, root)


_define_unary("cbrt", _cube_root, as_float, "Return the cube root, also of negative numbers.")

# --- of one number, which keeps its dtype ---------------------------------------------------------

for _name in ("abs", "absolute", "fabs"):
    _define_unary(_name, ops.abs, asarray, "Return the magnitude.")
for _name in ("conj", "conjugate"):
    _define_unary(_name, ops.conj, asarray, "Return the complex conjugate.")
_define_unary("negative", ops.negative, asarray, "Return -x.")
_define_unary("positive", ops.identity, asarray, "Return +x.")
_define_unary("reciprocal", ops.reciprocal, asarray, "Return 1 / x.")
square = _define_unary("square", ops.square, asarray, "Return x².")


@numpy_name("real")
def real(val) -> Tensor:
    """Return the real part."""
    return ops.real(asarray(val))


@numpy_name("imag")
def imag(val) -> Tensor:
    """Return the imaginary part: 0 for real numbers."""
    return ops.imag(asarray(val))


@numpy_name("sign")
def sign(x, out=None, where=None, **kwargs) -> Tensor:
    """Return -1, 0 or 1; for complex numbers x / |x|."""
    if out is not None or where is not None or kwargs:
        raise ValueError("sign: only x can be given; out, where and other options cannot.")
    return ops.sign(asarray(x))


def _signbit(x):
    if x.dtype.is_bool:
        return ops.fill_like(x, False, "bool")
    return ops.less(x, ops.zeros((), x.dtype))


_define_unary("signbit", _signbit, asarray, "Return whether x is less than 0.")


@numpy_name("angle")
def angle(z, deg=False) -> Tensor:
    """Return the argument of complex numbers; of real ones 0, or π where they are negative."""
    z = as_float(z)
    result = ops.angle(z) if z.dtype.is_complex else ops.where(ops.less(z, 0), math.pi, 0.0)
    return rad2deg(result) if deg else result


@numpy_name("around")
def around(a, decimals=0) -> Tensor:
    """Round a to a number of decimals (negative: before the point), halves to even."""
    a = asarray(a)
    x = as_float(a)
    try:
        factor = ops.to_tensor(math.pow(10, decimals), x.dtype)
    except OverflowError:
        raise ValueError(
            f"around: decimals must be at most 308, as 10**decimals is a number, got {decimals}."
        ) from None
    return ops.cast(ops.divide(ops.round(x * factor), factor), a.dtype)


@numpy_name("round")
def round(a, decimals=0) -> Tensor:
    """Round a to a number of decimals."""
    return around(a, decimals)


# --- of two numbers -------------------------------------------------------------------------------

add = binary("add", names.add, "Return x1 + x2; of booleans, the logical or.")
binary("subtract", ops.subtract, "Return x1 - x2.")
binary("multiply", names.multiply, "Return x1 · x2; of booleans, the logical and.")
binary("minimum", names.minimum, "Return the smaller of x1 and x2.")
for _name in ("power", "float_power"):
    binary(_name, ops.pow, "Return x1 to the power x2.")
binary("arctan2", ops.atan2, "Return the angle of the point (x2, x1).")
binary("nextafter", names.nextafter, "Return the next number of the dtype from x1 toward x2.")


def _at_least_int8(compute):
    """Return a tensor with booleans as int8."""

    def function(x1, x2) -> Tensor:
        if x1.dtype.is_bool:
            x1, x2 = ops.cast(x1, "int8"), ops.cast(x2, "int8")
        return compute(x1, x2)

    return function


floor_divide = binary(
    "floor_divide", _at_least_int8(ops.floordiv), "Return the largest integer not above x1 / x2."
)
mod = binary(
    "mod", _at_least_int8(ops.floormod), "Return the remainder of x1 / x2, with the sign of x2."
)
binary("remainder", _at_least_int8(ops.floormod), "Return the remainder of x1 / x2.")


@numpy_name("divmod")
def divmod(x1, x2) -> tuple[Tensor, Tensor]:
    """Return (x1 // x2, x1 % x2)."""
    return floor_divide(x1, x2), mod(x1, x2)


def _divide(x1, x2):
    if x1.dtype.is_bool:
        x1, x2 = (ops.cast(x, default_float()) for x in (x1, x2))
    return ops.truediv(x1, x2)


for _name in ("true_divide", "divide"):
    binary(_name, _divide, "Return x1 / x2; integers become floats.")


@numpy_name("maximum")
def maximum(x1, x2) -> Tensor:
    """Return the larger of x1 and x2."""
    x1, x2 = promote(x1, x2) if not _is_zero(x2) else (asarray(x1), x2)
    if _is_zero(x2):
        # As TensorFlow does it: the gradient at 0 is that of relu, nothing.
        return ops.relu(x1) if not x1.dtype.is_bool else names.maximum(*promote(x1, x2))
    return names.maximum(x1, x2)


def _is_zero(x) -> bool:
    return type(x) in (int, float) and x == 0


def _heaviside(x1, x2):
    zero, one = ops.zeros((), x2.dtype), ops.ones((), x2.dtype)
    result = ops.where(ops.less(x1, zero), zero, ops.where(ops.greater(x1, zero), one, x2))
    return result if is_inexact(result) else ops.cast(result, default_float())


binary("heaviside", _heaviside, "Return 0 where x1 < 0, 1 where x1 > 0, x2 where x1 is 0.")


@numpy_name("hypot")
def hypot(x1, x2) -> Tensor:
    """Return √(x1² + x2²)."""
    x1, x2 = promote(x1, x2)
    return ops.sqrt(as_float(ops.square(x1) + ops.square(x2)))


def _log_of_sum(compute):
    return lambda x1, x2: compute(as_float(x1), as_float(x2))


binary(
    "logaddexp", _log_of_sum(names.logaddexp), "Return log(exp(x1) + exp(x2)), without overflow."
)
binary("logaddexp2", _log_of_sum(names.logaddexp2), "Return log2(2**x1 + 2**x2), without overflow.")


def _of_integers(name: str, compute):
    def function(x1, x2) -> Tensor:
        if not x1.dtype.is_integer:
            raise ValueError(f"Arguments to {name} must be integers, got {x1.dtype.name}.")
        return compute(x1, x2)

    return function


binary("gcd", _of_integers("gcd", names.gcd), "Return the greatest common divisor of integers.")
binary("lcm", _of_integers("lcm", names.lcm), "Return the least common multiple of integers.")


@numpy_name("clip")
def clip(a, a_min, a_max) -> Tensor:
    """Clip a to bounds, of which one may be None."""
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
def polyval(p, x) -> Tensor:
    """Evaluate the polynomial with the coefficients p, highest power first, at x."""
    p, x = promote(p, x)
    coefficients: Any = ops.unstack(p if p.ndim else ops.reshape(p, (1,)))
    if not coefficients:
        return ops.zeros_like(x)
    if len(coefficients) == 1:
        return ops.broadcast_to(coefficients[0], x.shape)
    value = coefficients[0]
    for coefficient in coefficients[1:]:
        value = coefficient + value * x
    return value


# --- bits -----------------------------------------------------------------------------------------

binary("bitwise_and", names.bitwise_and, "Return the bits that are set in both.")
binary("bitwise_or", names.bitwise_or, "Return the bits that are set in either.")
binary("bitwise_xor", names.bitwise_xor, "Return the bits that differ.")
_define_unary("bitwise_not", names.bitwise_invert, asarray, "Return x with all bits inverted.")
