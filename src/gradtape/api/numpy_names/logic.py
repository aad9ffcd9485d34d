"""NumPy's tests of each element, bit operations, and comparisons with tolerance."""

from __future__ import annotations

import math

from gradtape import ops
from gradtape.api.numpy_names.elementwise import is_truth, with_logic

__all__ = [
    "allclose",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_or",
    "bitwise_xor",
    "equal",
    "greater",
    "greater_equal",
    "isclose",
    "isfinite",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "isreal",
    "left_shift",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "not_equal",
    "right_shift",
    "truth",
]


def truth(x):
    """Return whether each element is not 0."""
    x = ops.to_tensor(x)
    return x if is_truth(x) else ops.not_equal(x, ops.zeros((), x.dtype))


# --- comparisons ----------------------------------------------------------------------------------


def _define_comparison(compare, doc: str):
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
less = _define_comparison(ops.less, "Return x1 < x2; false is less than true.")
less_equal = _define_comparison(ops.less_equal, "Return x1 <= x2; false is less than true.")
greater = _define_comparison(ops.greater, "Return x1 > x2; true is greater than false.")
greater_equal = _define_comparison(
    ops.greater_equal, "Return x1 >= x2; true is greater than false."
)


def isclose(x1, x2, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Return whether |x1 - x2| <= atol + rtol |x2|; of infinities, whether they are equal."""
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
    """Return whether all elements are close."""
    return ops.reduce_all(isclose(x1, x2, rtol, atol, equal_nan))


# --- logic ----------------------------------------------------------------------------------------


def logical_and(x1, x2):
    """Return whether both elements are not 0."""
    return ops.logical_and(truth(x1), truth(x2))


def logical_or(x1, x2):
    """Return whether at least one of the elements is not 0."""
    return ops.logical_or(truth(x1), truth(x2))


def logical_xor(x1, x2):
    """Return whether exactly one of the elements is not 0."""
    return ops.not_equal(truth(x1), truth(x2))


def logical_not(x):
    """Return whether each element is 0."""
    return ops.logical_not(truth(x))


# --- kinds of numbers -----------------------------------------------------------------------------


def _define_test(test, combine, otherwise: bool, doc: str):
    """Make an elementwise test of floats and complex numbers from one of floats; integers all pass,
    or all fail."""

    def function(x):
        x = ops.to_tensor(x)
        if x.dtype.is_floating:
            return test(x)
        if x.dtype.is_complex:
            return combine(test(ops.real(x)), test(ops.imag(x)))
        return ops.fill_like(x, otherwise, "bool")

    function.__doc__ = doc
    return function


isfinite = _define_test(ops.is_finite, ops.logical_and, True, "Return whether elements are finite.")
isinf = _define_test(ops.is_inf, ops.logical_or, False, "Return whether elements are infinite.")
isnan = _define_test(ops.is_nan, ops.logical_or, False, "Return whether elements are nan.")


def _define_infinity_test(value: float, doc: str):
    def function(x):
        x = ops.to_tensor(x)
        if not x.dtype.is_floating:
            return ops.fill_like(x, False, "bool")
        return ops.equal(x, ops.to_tensor(value, x.dtype))

    function.__doc__ = doc
    return function


isposinf = _define_infinity_test(math.inf, "Return whether elements are positive infinity.")
isneginf = _define_infinity_test(-math.inf, "Return whether elements are negative infinity.")


def isreal(x):
    """Return whether its imaginary part is 0."""
    x = ops.to_tensor(x)
    if x.dtype.is_complex:
        return ops.equal(ops.imag(x), 0)
    return ops.fill_like(x, True, "bool")


# --- bits -----------------------------------------------------------------------------------------


bitwise_and = with_logic(ops.bitwise_and, ops.logical_and, "Return the bits that are set in both.")
bitwise_or = with_logic(ops.bitwise_or, ops.logical_or, "Return the bits that are set in either.")
bitwise_xor = with_logic(ops.bitwise_xor, ops.not_equal, "Return the bits that differ.")


def bitwise_invert(x):
    """Invert the bits of each element."""
    x = ops.to_tensor(x)
    return ops.logical_not(x) if is_truth(x) else ops.bitwise_invert(x)


def left_shift(x, y):
    """Return x shifted left by y bits."""
    return ops.left_shift(x, y)


def right_shift(x, y):
    """Return x shifted right by y bits."""
    return ops.right_shift(x, y)
