"""NumPy's tests of each element, bit operations, and comparisons with tolerance."""

from __future__ import annotations

import math

from gradtape import ops
from gradtape.api.numpy_names.elementwise import is_truth

__all__ = [
    "allclose", "bitwise_and", "bitwise_invert", "bitwise_or", "bitwise_xor", "equal", "greater",
    "greater_equal", "isclose", "isfinite", "isinf", "isnan", "isneginf", "isposinf", "isreal",
    "left_shift", "less", "less_equal", "logical_and", "logical_not", "logical_or", "logical_xor",
    "not_equal", "right_shift", "truth",
]  # fmt: skip


def truth(x):
    """Whether each element is not 0."""
    x = ops.to_tensor(x)
    return x if is_truth(x) else ops.not_equal(x, ops.zeros((), x.dtype))


# --- comparisons ----------------------------------------------------------------------------------


def _ordered(compare, doc: str):
    def function(x1, x2):
        x1, x2 = ops.operands(compare.__name__, x1, x2)
        if is_truth(x1):
            x1, x2 = ops.cast(x1, "uint8"), ops.cast(x2, "uint8")
        return compare(x1, x2)

    function.__name__ = function.__qualname__ = compare.__name__
    function.__doc__ = doc
    return function


equal = ops.equal
not_equal = ops.not_equal
less = _ordered(ops.less, "x1 < x2; false is less than true.")
less_equal = _ordered(ops.less_equal, "x1 <= x2; false is less than true.")
greater = _ordered(ops.greater, "x1 > x2; true is greater than false.")
greater_equal = _ordered(ops.greater_equal, "x1 >= x2; true is greater than false.")


def isclose(x1, x2, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether |x1 - x2| <= atol + rtol |x2|; of infinities, whether they are equal."""
    x1, x2 = ops.operands("isclose", x1, x2)
    if not x1.dtype.is_differentiable:
        return _isclose_of_floats(ops.cast(x1, "float64"), ops.cast(x2, "float64"), rtol, atol)
    close = _isclose_of_floats(x1, x2, rtol, atol)
    if not equal_nan:
        return close
    return ops.logical_or(close, ops.logical_and(isnan(x1), isnan(x2)))


def _isclose_of_floats(x1, x2, rtol, atol):
    finite = ops.logical_and(isfinite(x1), isfinite(x2))
    near = ops.less_equal(ops.abs(x1 - x2), atol + rtol * ops.abs(x2))
    return ops.where(finite, near, ops.equal(x1, x2))


def allclose(x1, x2, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether all elements are close."""
    return ops.reduce_all(isclose(x1, x2, rtol, atol, equal_nan))


# --- logic ----------------------------------------------------------------------------------------


def logical_and(x1, x2):
    """Whether neither is 0."""
    return ops.logical_and(truth(x1), truth(x2))


def logical_or(x1, x2):
    """Whether either is not 0."""
    return ops.logical_or(truth(x1), truth(x2))


def logical_xor(x1, x2):
    """Whether just one is not 0."""
    return ops.not_equal(truth(x1), truth(x2))


def logical_not(x):
    """Whether it is 0."""
    return ops.logical_not(truth(x))


# --- kinds of numbers -----------------------------------------------------------------------------


def _of_parts(test, combine, otherwise: bool, doc: str):
    """A test of floats, for complex numbers too; integers all pass, or all fail."""

    def function(x):
        x = ops.to_tensor(x)
        if x.dtype.is_floating:
            return test(x)
        if x.dtype.is_complex:
            return combine(test(ops.real(x)), test(ops.imag(x)))
        return ops.fill_like(x, otherwise, "bool")

    function.__doc__ = doc
    return function


isfinite = _of_parts(ops.is_finite, ops.logical_and, True, "Whether it is a finite number.")
isinf = _of_parts(ops.is_inf, ops.logical_or, False, "Whether it is infinite.")
isnan = _of_parts(ops.is_nan, ops.logical_or, False, "Whether it is not a number.")


def _is_infinity(value: float, doc: str):
    def function(x):
        x = ops.to_tensor(x)
        if not x.dtype.is_floating:
            return ops.fill_like(x, False, "bool")
        return ops.equal(x, ops.to_tensor(value, x.dtype))

    function.__doc__ = doc
    return function


isposinf = _is_infinity(math.inf, "Whether it is positive infinity.")
isneginf = _is_infinity(-math.inf, "Whether it is negative infinity.")


def isreal(x):
    """Whether its imaginary part is 0."""
    x = ops.to_tensor(x)
    if x.dtype.is_complex:
        return ops.equal(ops.imag(x), 0)
    return ops.fill_like(x, True, "bool")


# --- bits -----------------------------------------------------------------------------------------


def _bitwise(of_integers, of_truth, doc: str):
    def function(x, y):
        x, y = ops.operands(of_integers.__name__, x, y)
        return of_truth(x, y) if is_truth(x) else of_integers(x, y)

    function.__name__ = function.__qualname__ = of_integers.__name__
    function.__doc__ = doc
    return function


bitwise_and = _bitwise(ops.bitwise_and, ops.logical_and, "Bits that are set in both.")
bitwise_or = _bitwise(ops.bitwise_or, ops.logical_or, "Bits that are set in either.")
bitwise_xor = _bitwise(ops.bitwise_xor, ops.not_equal, "Bits that differ.")


def bitwise_invert(x):
    """The other bits."""
    x = ops.to_tensor(x)
    return ops.logical_not(x) if is_truth(x) else ops.bitwise_invert(x)


def left_shift(x, y):
    """Bits moved to the left by y places."""
    return ops.left_shift(x, y)


def right_shift(x, y):
    """Bits moved to the right by y places."""
    return ops.right_shift(x, y)
