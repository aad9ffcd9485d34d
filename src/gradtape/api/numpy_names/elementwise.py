"""NumPy's arithmetic and functions of each element that TensorFlow has no op for."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np

from gradtape import ops
from gradtape.backends.broadcasting import broadcast_shapes
from gradtape.core.tensor import Tensor

__all__ = [
    "add",
    "angle",
    "clip",
    "deg2rad",
    "divide",
    "exp2",
    "fmax",
    "fmin",
    "gcd",
    "heaviside",
    "hypot",
    "is_truth",
    "lcm",
    "ldexp",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "maximum",
    "minimum",
    "multiply",
    "nan_to_num",
    "nextafter",
    "rad2deg",
    "round",
    "sign",
    "signbit",
    "sinc",
]


def is_truth(x) -> bool:
    """Return whether a tensor holds truth values, for which NumPy's sums and extremes are logic."""
    return x._data.dtype.kind == "b"


def _is_real_float(x) -> bool:
    return x.dtype.is_floating


# --- arithmetic, also of truth values -------------------------------------------------------------


def with_logic(arithmetic, logic, doc: str):
    """Make a function that applies `logic` to booleans and `arithmetic` to numbers."""

    def function(x1, x2):
        if type(x1) is not Tensor or type(x2) is not Tensor:
            x1, x2 = ops.operands(arithmetic.__name__, x1, x2)
        return logic(x1, x2) if is_truth(x1) else arithmetic(x1, x2)

    function.__name__ = function.__qualname__ = arithmetic.__name__
    function.__doc__ = doc
    return function


add = with_logic(ops.add, ops.logical_or, "Return x1 + x2; of booleans, the logical or.")
multiply = with_logic(
    ops.multiply, ops.logical_and, "Return x1 · x2; of booleans, the logical and."
)
maximum = with_logic(ops.maximum, ops.logical_or, "Return the larger of x1 and x2.")
minimum = with_logic(ops.minimum, ops.logical_and, "Return the smaller of x1 and x2.")


def divide(x1, x2):
    """Return x1 / x2, both of an inexact dtype."""
    return ops.divide(x1, x2)


def _ignoring_nan(choose):
    def function(x1, x2):
        x1, x2 = ops.operands(choose.__name__, x1, x2)
        if not _is_real_float(x1):
            return choose(x1, x2)
        # Each nan is replaced before the choice, so that no gradient comes out of it.
        first = ops.where(ops.is_nan(x1), x2, x1)
        return choose(first, ops.where(ops.is_nan(x2), first, x2))

    return function


fmax = _ignoring_nan(maximum)
fmax.__doc__ = "Return the larger of x1 and x2; a number, where only one is nan."
fmin = _ignoring_nan(minimum)
fmin.__doc__ = "Return the smaller of x1 and x2; a number, where only one is nan."


def clip(x, x_min, x_max):
    """Clip x to bounds, of which one may be None."""
    x = ops.to_tensor(x)
    if x_min is not None:
        x = ops.maximum(x, x_min)
    return x if x_max is None else ops.minimum(x, x_max)


def sign(x):
    """Return -1, 0 or 1; nan stays nan."""
    return ops.sign(x)


# --- exponentials and logarithms ------------------------------------------------------------------


def _constant(value: float, x):
    return ops.to_tensor(value, x.dtype)


def exp2(x):
    """Return 2 to the power x."""
    x = ops.to_tensor(x)
    if x.dtype.is_complex:
        return ops.exp(x * math.log(2))
    return ops.pow(_constant(2.0, x), x)


def log2(x):
    """Return the logarithm to base 2."""
    return ops.log(x) * (1 / math.log(2))


def log10(x):
    """Return the logarithm to base 10."""
    return ops.log(x) * (1 / math.log(10))


def logaddexp(x1, x2):
    """Return log(exp(x1) + exp(x2)), without overflow."""
    x1, x2 = ops.operands("logaddexp", x1, x2)
    # Of equal infinities the difference is nan, where it should count as 0.
    same = ops.logical_and(ops.equal(x1, x2), ops.is_inf(x1))
    difference = ops.where(same, ops.zeros_like(x1), x1 - x2)
    return ops.where(
        ops.greater(x1, x2), x1 + ops.softplus(-difference), x2 + ops.softplus(difference)
    )


def logaddexp2(x1, x2):
    """Return log2(2**x1 + 2**x2), without overflow."""
    x1, x2 = ops.operands("logaddexp2", x1, x2)
    scale = math.log(2)
    return logaddexp(x1 * scale, x2 * scale) * (1 / scale)


def ldexp(x1, x2):
    """Return x1 · 2**x2, for integers x2."""
    x1, x2 = ops.to_tensor(x1), ops.to_tensor(x2)
    return x1 * exp2(ops.cast(x2, x1.dtype))


# --- geometry -------------------------------------------------------------------------------------


def hypot(x1, x2):
    """Return sqrt(x1² + x2²), without overflow of the squares."""
    x1, x2 = ops.operands("hypot", x1, x2)
    scale = ops.stop_gradient(ops.maximum(ops.abs(x1), ops.abs(x2)))
    plain = ops.logical_or(ops.equal(scale, 0), ops.logical_not(ops.is_finite(scale)))
    scale = ops.where(plain, ops.ones_like(scale), scale)
    a, b = x1 / scale, x2 / scale
    return scale * ops.sqrt(a * a + b * b)


def deg2rad(x):
    """Convert degrees to radians."""
    return ops.to_tensor(x) * (math.pi / 180)


def rad2deg(x):
    """Convert radians to degrees."""
    return ops.to_tensor(x) * (180 / math.pi)


def angle(x):
    """Return the argument of complex numbers; of real ones 0, or π where they are negative."""
    x = ops.to_tensor(x)
    if x.dtype.is_complex:
        return ops.angle(x)
    # Through the sign of the number, because -0.0 has the angle π, and nan stays nan.
    turned = ops.where(signbit(x), _constant(math.pi, x), ops.zeros_like(x))
    return ops.where(ops.is_nan(x), x, turned)


def sinc(x):
    """Return sin(πx) / (πx), and its limit 1 at 0."""
    x = ops.to_tensor(x) * math.pi
    if x.dtype.is_complex:
        near = ops.equal(x, 0)
    else:
        # So near 0 that the next term of the series is lost in rounding, derivatives included.
        near = ops.less(ops.abs(x), float(ml_dtypes.finfo(x.dtype.as_numpy_dtype).eps) ** 0.25)
    safe = ops.where(near, ops.ones_like(x), x)
    square = ops.where(near, x, ops.zeros_like(x)) ** 2
    return ops.where(near, 1 - square / 6 + square * square / 120, ops.sin(safe) / safe)


def heaviside(x1, x2):
    """Return 0 where x1 is negative, 1 where it is positive, x2 where it is 0."""
    x1, x2 = ops.operands("heaviside", x1, x2)
    step = ops.where(ops.less(x1, 0), ops.zeros_like(x1), ops.ones_like(x1))
    if _is_real_float(x1):
        step = ops.where(ops.is_nan(x1), x1, step)
    return ops.where(ops.equal(x1, 0), x2, step)


# --- the form of numbers --------------------------------------------------------------------------


def round(x, decimals=0):
    """Round x to a number of decimals (negative: before the point), halves to even."""
    x = ops.to_tensor(x)
    if decimals == 0:
        return ops.round(x)
    if not x.dtype.is_differentiable:
        if decimals > 0:
            return x
        return ops.cast(round(ops.cast(x, "float64"), decimals), x.dtype)
    factor = _constant(10.0 ** abs(decimals), x)
    if decimals > 0:
        return ops.round(x * factor) / factor
    return ops.round(x / factor) * factor


_INTEGER_OF_SIZE = {1: "int8", 2: "int16", 4: "int32", 8: "int64"}


def signbit(x):
    """Return whether the sign is negative: also that of -0.0 and of a nan."""
    x = ops.to_tensor(x)
    if not _is_real_float(x):
        return ops.less(x, 0)
    return ops.less(ops.bitcast(x, _INTEGER_OF_SIZE[x.dtype.size]), 0)


def nextafter(x1, x2):
    """Return the next number of the dtype from x1 toward x2."""
    x1, x2 = ops.operands("nextafter", x1, x2)
    if x1.dtype.size >= 4:
        return ops.nextafter(x1, x2)
    # Of a positive number, the next larger is that whose bits are the next integer.
    bits = ops.bitcast(x1, "int16")
    outwards = ops.equal(ops.greater(x2, x1), ops.greater(x1, 0))
    moved = ops.bitcast(ops.where(outwards, bits + 1, bits - 1), x1.dtype)
    least = ops.bitcast(ops.ones_like(bits), x1.dtype)
    moved = ops.where(ops.equal(x1, 0), ops.where(ops.greater(x2, 0), least, -least), moved)
    moved = ops.where(ops.equal(x1, x2), x2, moved)
    return ops.where(ops.logical_or(ops.is_nan(x1), ops.is_nan(x2)), x1 + x2, moved)


def nan_to_num(x, nan=0.0, posinf=None, neginf=None):
    """Return x with numbers in place of nan and of the infinities (by default the largest)."""
    x = ops.to_tensor(x)
    if x.dtype.is_complex:
        return ops.complex(
            nan_to_num(ops.real(x), nan, posinf, neginf),
            nan_to_num(ops.imag(x), nan, posinf, neginf),
        )
    if not _is_real_float(x):
        return x
    limits = ml_dtypes.finfo(x.dtype.as_numpy_dtype)
    high = float(limits.max) if posinf is None else posinf
    low = float(limits.min) if neginf is None else neginf
    x = ops.where(ops.is_nan(x), nan, x)
    x = ops.where(ops.equal(x, _constant(math.inf, x)), high, x)
    return ops.where(ops.equal(x, _constant(-math.inf, x)), low, x)


# --- whole numbers --------------------------------------------------------------------------------

# Euclid's algorithm is slowest for neighbors in Fibonacci's sequence.
_STEPS_OF_SIZE = {1: 13, 2: 24, 4: 47, 8: 93}


def gcd(x1, x2):
    """Return the greatest common divisor of integers, not negative; that of 0 and 0 is 0."""
    x1, x2 = ops.operands("gcd", x1, x2)
    shape = broadcast_shapes(tuple(x1.shape), tuple(x2.shape))
    a, b = (ops.broadcast_to(ops.abs(x), shape) for x in (x1, x2))
    for _ in range(_STEPS_OF_SIZE[a.dtype.size]):
        goes_on = ops.not_equal(b, 0)
        if type(b) is Tensor and not np.any(goes_on._data):
            break
        divisor = ops.where(goes_on, b, ops.ones_like(b))
        a, b = ops.where(goes_on, b, a), ops.where(goes_on, ops.floormod(a, divisor), b)
    return a


def lcm(x1, x2):
    """Return the least common multiple of integers, not negative; 0 where one of them is 0."""
    x1, x2 = ops.operands("lcm", x1, x2)
    divisor = gcd(x1, x2)
    divisor = ops.where(ops.equal(divisor, 0), ops.ones_like(divisor), divisor)
    return ops.abs(ops.floordiv(x1, divisor) * x2)
