"""NumPy's reductions that leave nans out."""

from __future__ import annotations

import math

from gradtape import ops
from gradtape.api.numpy_names import reductions
from gradtape.api.numpy_names.logic import isnan

__all__ = [
    "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmin", "nanprod",
    "nanstd", "nansum", "nanvar",
]  # fmt: skip


def _filled(x, value: float):
    """x with a value in place of nan, and where those were (None if there cannot be any)."""
    x = ops.to_tensor(x)
    if not x.dtype.is_differentiable:
        return x, None
    nan = isnan(x)
    return ops.where(nan, ops.to_tensor(value, x.dtype), x), nan


def nansum(x, axis=None, keepdims=False):
    """The sum of what is not nan."""
    return ops.reduce_sum(_filled(x, 0)[0], axis, keepdims)


def nanprod(x, axis=None, keepdims=False):
    """The product of what is not nan."""
    return ops.reduce_prod(_filled(x, 1)[0], axis, keepdims)


def nancumsum(x, axis=None):
    """Running sums in which nan counts as 0."""
    return reductions.cumsum(_filled(x, 0)[0], axis)


def nancumprod(x, axis=None):
    """Running products in which nan counts as 1."""
    return reductions.cumprod(_filled(x, 1)[0], axis)


def _count(x, nan, axis, keepdims):
    return ops.cast(ops.count_nonzero(ops.logical_not(nan), axis, keepdims, "int32"), x.dtype)


def nanmean(x, axis=None, keepdims=False):
    """The mean of what is not nan; nan, if that is nothing."""
    filled, nan = _filled(x, 0)
    return ops.reduce_sum(filled, axis, keepdims) / _count(filled, nan, axis, keepdims)


def nanvar(x, axis=None, keepdims=False):
    """The variance of what is not nan."""
    x = ops.to_tensor(x)
    distance, nan = _filled(x - nanmean(x, axis, keepdims=True), 0)
    if x.dtype.is_complex:
        squares = ops.real(ops.conj(distance) * distance)
    else:
        squares = ops.square(distance)
    return ops.reduce_sum(squares, axis, keepdims) / _count(squares, nan, axis, keepdims)


def nanstd(x, axis=None, keepdims=False):
    """The standard deviation of what is not nan."""
    return ops.sqrt(nanvar(x, axis, keepdims))


def _extreme(reduce, opposite: float, doc: str):
    def function(x, axis=None, keepdims=False):
        filled, nan = _filled(x, opposite)
        found = reduce(filled, axis, keepdims)
        if nan is None:
            return found
        return ops.where(ops.reduce_all(nan, axis, keepdims), math.nan, found)

    function.__doc__ = doc
    return function


nanmax = _extreme(reductions.max, -math.inf, "The largest of what is not nan; nan, if nothing is.")
nanmin = _extreme(reductions.min, math.inf, "The smallest of what is not nan; nan, if nothing is.")


def _place(find, opposite: float, doc: str):
    def function(x, axis=None, keepdims=False):
        filled, nan = _filled(x, opposite)
        place = find(filled, axis, keepdims)
        if nan is None:
            return place
        return ops.where(ops.reduce_all(nan, axis, keepdims), -1, place)

    function.__doc__ = doc
    return function


nanargmax = _place(
    reductions.argmax, -math.inf, "Where the largest of what is not nan is; -1, if nothing is."
)
nanargmin = _place(
    reductions.argmin, math.inf, "Where the smallest of what is not nan is; -1, if nothing is."
)
