"""NumPy's reductions that leave nans out."""

from __future__ import annotations

import math

from gradtape import ops
from gradtape.api.numpy_names import reductions
from gradtape.api.numpy_names.logic import isnan

__all__ = [
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
]


def _fill_nan(x, value: float):
    """Return x with a value in place of nan, and where those were (None if there cannot be any)."""
    x = ops.to_tensor(x)
    if not x.dtype.is_differentiable:
        return x, None
    nan = isnan(x)
    return ops.where(nan, ops.to_tensor(value, x.dtype), x), nan


def nansum(x, axis=None, keepdims=False):
    """Return the sum of the elements that are not nan."""
    return ops.reduce_sum(_fill_nan(x, 0)[0], axis, keepdims)


def nanprod(x, axis=None, keepdims=False):
    """Return the product of the elements that are not nan."""
    return ops.reduce_prod(_fill_nan(x, 1)[0], axis, keepdims)


def nancumsum(x, axis=None):
    """Return running sums in which nan counts as 0."""
    return reductions.cumsum(_fill_nan(x, 0)[0], axis)


def nancumprod(x, axis=None):
    """Return running products in which nan counts as 1."""
    return reductions.cumprod(_fill_nan(x, 1)[0], axis)


def _count(x, nan, axis, keepdims):
    return ops.cast(ops.count_nonzero(ops.logical_not(nan), axis, keepdims, "int32"), x.dtype)


def nanmean(x, axis=None, keepdims=False):
    """Return the mean of the elements that are not nan; nan if there are none."""
    filled, nan = _fill_nan(x, 0)
    return ops.reduce_sum(filled, axis, keepdims) / _count(filled, nan, axis, keepdims)


def nanvar(x, axis=None, keepdims=False):
    """Return the variance of the elements that are not nan."""
    x = ops.to_tensor(x)
    distance, nan = _fill_nan(x - nanmean(x, axis, keepdims=True), 0)
    if x.dtype.is_complex:
        squares = ops.real(ops.conj(distance) * distance)
    else:
        squares = ops.square(distance)
    return ops.reduce_sum(squares, axis, keepdims) / _count(squares, nan, axis, keepdims)


def nanstd(x, axis=None, keepdims=False):
    """Return the standard deviation of the elements that are not nan."""
    return ops.sqrt(nanvar(x, axis, keepdims))


def _define_extreme(reduce, opposite: float, if_none: float, doc: str):
    def function(x, axis=None, keepdims=False):
        filled, nan = _fill_nan(x, opposite)
        result = reduce(filled, axis, keepdims)
        if nan is None:
            return result
        return ops.where(ops.reduce_all(nan, axis, keepdims), if_none, result)

    function.__doc__ = doc
    return function


nanmax = _define_extreme(
    reductions.max,
    -math.inf,
    math.nan,
    "Return the largest of what is not nan; nan, if nothing is.",
)
nanmin = _define_extreme(
    reductions.min,
    math.inf,
    math.nan,
    "Return the smallest of what is not nan; nan, if nothing is.",
)


nanargmax = _define_extreme(
    reductions.argmax,
    -math.inf,
    -1,
    "Return the index of the largest element that is not nan; -1 if all are.",
)
nanargmin = _define_extreme(
    reductions.argmin,
    math.inf,
    -1,
    "Return the index of the smallest element that is not nan; -1 if all are.",
)
