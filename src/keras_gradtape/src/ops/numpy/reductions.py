"""Sums, means, extremes, quantiles, running sums, order."""

from __future__ import annotations

from gradtape import ops
from gradtape.api import numpy_names as names
from keras_gradtape.src import sparse
from keras_gradtape.src.conversion import SPARSE, cast, convert_to_tensor
from keras_gradtape.src.promotion import adapt, inexact, named_like, numeric, result_dtype

__all__ = [
    "all",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "argpartition",
    "argsort",
    "average",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "diff",
    "max",
    "mean",
    "median",
    "min",
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanpercentile",
    "nanprod",
    "nanquantile",
    "nanstd",
    "nansum",
    "nanvar",
    "percentile",
    "prod",
    "ptp",
    "quantile",
    "sort",
    "std",
    "sum",
    "trapezoid",
    "var",
]

_WIDE = {
    "bool": "int32",
    "int8": "int32",
    "int16": "int32",
    "uint8": "uint32",
    "uint16": "uint32",
}


def _widen(x):
    """Return a tensor whose sums fit: integers of at least 32 bits."""
    x = convert_to_tensor(x)
    wanted = _WIDE.get(x.dtype.name)
    return x if wanted is None else ops.cast(x, wanted)


# --- sums and means -------------------------------------------------------------------------------


def sum(x, axis=None, keepdims=False):
    """Return the sum over axes."""
    if type(x) in SPARSE:
        return sparse.total(sum, x, axis, keepdims)
    return ops.reduce_sum(_widen(x), axis, keepdims)


def prod(x, axis=None, keepdims=False, dtype=None):
    """Return the product over axes."""
    x = _widen(x) if dtype is None else cast(x, dtype)
    return ops.reduce_prod(x, axis, keepdims)


def _in_float32(compute, x, axis, keepdims):
    """Return a mean or the like: half precision is summed in float32, which it would overflow."""
    x = inexact(x)
    dtype = x.dtype
    if dtype.size < 4:
        return ops.cast(compute(ops.cast(x, "float32"), axis, keepdims), dtype)
    return compute(x, axis, keepdims)


def mean(x, axis=None, keepdims=False):
    """Return the mean over axes."""
    if type(x) in SPARSE:
        return sparse.mean(mean, x, axis, keepdims)
    return _in_float32(ops.reduce_mean, x, axis, keepdims)


def var(x, axis=None, keepdims=False):
    """Return the variance over axes."""
    return _in_float32(ops.reduce_variance, x, axis, keepdims)


def std(x, axis=None, keepdims=False):
    """Return the standard deviation over axes."""
    return _in_float32(ops.reduce_std, x, axis, keepdims)


def average(x, axis=None, weights=None):
    """Return the mean over axes, with weights."""
    if weights is None:
        return names.average(inexact(x), axis)
    x, weights = convert_to_tensor(x), convert_to_tensor(weights)
    dtype = result_dtype(x, weights, float)
    return names.average(ops.cast(x, dtype), axis, ops.cast(weights, dtype))


def count_nonzero(x, axis=None):
    """Return how many elements are not 0."""
    return names.count_nonzero(convert_to_tensor(x), axis)


# --- extremes -------------------------------------------------------------------------------------

all = adapt(names.all)
any = adapt(names.any)
argmax = adapt(names.argmax)
argmin = adapt(names.argmin)
ptp = adapt(names.ptp, numeric)


def max(x, axis=None, keepdims=False, initial=None):
    """Return the largest element over axes."""
    return names.max(convert_to_tensor(x), axis, keepdims, initial)


def min(x, axis=None, keepdims=False, initial=None):
    """Return the smallest element over axes."""
    return names.min(convert_to_tensor(x), axis, keepdims, initial)


def amax(x, axis=None, keepdims=False):
    """Return the largest element over axes."""
    return names.max(convert_to_tensor(x), axis, keepdims)


def amin(x, axis=None, keepdims=False):
    """Return the smallest element over axes."""
    return names.min(convert_to_tensor(x), axis, keepdims)


# --- order ----------------------------------------------------------------------------------------

argpartition = adapt(names.argpartition)
argsort = adapt(names.argsort)
sort = adapt(names.sort)
median = adapt(names.median, inexact)
nanmedian = adapt(names.nanmedian, inexact)


def _quantiles(compute):
    def function(x, q, axis=None, method="linear", keepdims=False):
        return compute(inexact(x), inexact(q), axis, method, keepdims)

    return named_like(function, compute)


quantile = _quantiles(names.quantile)
percentile = _quantiles(names.percentile)
nanquantile = _quantiles(names.nanquantile)
nanpercentile = _quantiles(names.nanpercentile)

# --- without nans ---------------------------------------------------------------------------------

nanargmax = adapt(names.nanargmax)
nanargmin = adapt(names.nanargmin)
nanmax = adapt(names.nanmax)
nanmin = adapt(names.nanmin)
nansum = adapt(names.nansum, _widen)
nanprod = adapt(names.nanprod, _widen)


def nanmean(x, axis=None, keepdims=False):
    """Return the mean of the elements that are not nan."""
    return _in_float32(names.nanmean, x, axis, keepdims)


def nanvar(x, axis=None, keepdims=False):
    """Return the variance of the elements that are not nan."""
    return _in_float32(names.nanvar, x, axis, keepdims)


def nanstd(x, axis=None, keepdims=False):
    """Return the standard deviation of the elements that are not nan."""
    return _in_float32(names.nanstd, x, axis, keepdims)


# --- along an axis --------------------------------------------------------------------------------


def _running(compute):
    def function(x, axis=None, dtype=None):
        return compute(numeric(x) if dtype is None else cast(x, dtype), axis)

    return named_like(function, compute)


cumprod = _running(names.cumprod)
cumsum = _running(names.cumsum)
nancumprod = _running(names.nancumprod)
nancumsum = _running(names.nancumsum)
diff = adapt(names.diff)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """Return the integral along an axis, by trapezoids."""
    y, dx = convert_to_tensor(y), dx if isinstance(dx, (int, float)) else convert_to_tensor(dx)
    parts = [y, dx if x is None else convert_to_tensor(x), float]
    dtype = result_dtype(*parts)
    y = ops.cast(y, dtype)
    if x is not None:
        return names.trapezoid(y, cast(x, dtype), axis=axis)
    return names.trapezoid(y, dx=convert_to_tensor(dx, y.dtype), axis=axis)
