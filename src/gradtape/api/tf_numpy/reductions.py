"""Reductions by NumPy's names."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.tf_numpy.promotion import (
    array,
    as_float,
    asarray,
    default_float,
    is_inexact,
    numpy_name,
    result_type,
)
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


def _no_out(name: str, out) -> None:
    if out is not None:
        raise ValueError(f"{name}: out cannot be given; a tensor is a value.")


def _wide(x, *, with_bool: bool = True):
    """Widen small integers (on request booleans, too) to the dtype that NumPy sums them in."""
    if x.dtype.is_bool:
        return ops.cast(x, "int64") if with_bool else x
    if not x.dtype.is_integer:
        return x
    return ops.cast(x, "uint64" if x.dtype.is_unsigned else "int64")


def _sum_like(a, axis, dtype, keepdims, compute, of_truth):
    if dtype is not None:
        dtype = result_type(dtype)
        a = asarray(a, dtype)
        if dtype.is_bool:
            return of_truth(a, axis, bool(keepdims))
        return compute(a, axis, bool(keepdims))
    return compute(_wide(asarray(a)), axis, bool(keepdims))


@numpy_name("sum")
def sum(a, axis=None, dtype=None, keepdims=None) -> Tensor:
    """Return the sum over axes; of integers in 64 bits."""
    return _sum_like(a, axis, dtype, keepdims, ops.reduce_sum, ops.reduce_any)


@numpy_name("prod")
def prod(a, axis=None, dtype=None, keepdims=None) -> Tensor:
    """Return the product over axes; of integers in 64 bits."""
    return _sum_like(a, axis, dtype, keepdims, ops.reduce_prod, ops.reduce_all)


@numpy_name("mean")
def mean(a, axis=None, dtype=None, out=None, keepdims=None) -> Tensor:
    """Return the mean over axes; of integers as floats."""
    _no_out("mean", out)
    a = as_float(a) if dtype is None else asarray(a, dtype)
    return ops.reduce_mean(a, axis, bool(keepdims))


@numpy_name("std")
def std(a, axis=None, keepdims=None) -> Tensor:
    """Return the standard deviation over axes."""
    return ops.reduce_std(as_float(a), axis, bool(keepdims))


@numpy_name("var")
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=None) -> Tensor:
    """Return the variance over axes; divided by the number of elements less ddof."""
    _no_out("var", out)
    a = asarray(a)
    wanted = None if dtype is None else result_type(dtype)
    a = as_float(a) if wanted is None else asarray(a, result_type(a, wanted))
    variance = ops.reduce_variance(a, axis, bool(keepdims))
    if ddof:
        axes = ops.normalize_axes("var", axis, a.ndim)
        count = math.prod(a.shape[i] for i in axes)
        with np.errstate(divide="ignore", invalid="ignore"):  # nan where nothing is left, as NumPy
            factor = np.divide(count, count - ddof)
        variance = variance * ops.to_tensor(float(factor), variance.dtype)
    return variance if wanted is None else ops.cast(variance, wanted)


@numpy_name("all")
def all(a, axis=None, keepdims=None) -> Tensor:
    """Return whether all elements are not 0."""
    return ops.reduce_all(asarray(a, bool), axis, bool(keepdims))


@numpy_name("any")
def any(a, axis=None, keepdims=None) -> Tensor:
    """Return whether any element is not 0."""
    return ops.reduce_any(asarray(a, bool), axis, bool(keepdims))


@numpy_name("amax")
def amax(a, axis=None, out=None, keepdims=None) -> Tensor:
    """Return the largest element over axes."""
    _no_out("amax", out)
    return names.max(asarray(a), axis, bool(keepdims))


@numpy_name("amin")
def amin(a, axis=None, out=None, keepdims=None) -> Tensor:
    """Return the smallest element over axes."""
    _no_out("amin", out)
    return names.min(asarray(a), axis, bool(keepdims))


@numpy_name("max")
def max(a, axis=None, keepdims=None) -> Tensor:
    """Return the largest element over axes."""
    return amax(a, axis, keepdims=keepdims)


@numpy_name("min")
def min(a, axis=None, keepdims=None) -> Tensor:
    """Return the smallest element over axes."""
    return amin(a, axis, keepdims=keepdims)


@numpy_name("ptp")
def ptp(a, axis=None, keepdims=None) -> Tensor:
    """Return the difference of the largest and the smallest element."""
    return names.ptp(asarray(a), axis, bool(keepdims))


@numpy_name("count_nonzero")
def count_nonzero(a, axis=None) -> Tensor:
    """Return how many elements are not 0."""
    return ops.count_nonzero(asarray(a), axis, False, "int64")


@numpy_name("average")
def average(a, axis=None, weights=None, returned=False):
    """Return the mean, or the mean with weights; with the sum of the weights too, if `returned`."""
    if axis is not None and not isinstance(axis, int):
        raise ValueError(f"average: axis must be an integer or None, got {axis!r}.")
    a = asarray(a)
    if weights is None:
        a = as_float(a)
        mean = ops.reduce_mean(a, axis)
        total = ops.to_tensor(float(math.prod(a.shape) if axis is None else a.shape[axis]), a.dtype)
    else:
        kinds = [a.dtype, weights] if is_inexact(a) else [a.dtype, weights, default_float()]
        a, weights = (array(x, result_type(*kinds)) for x in (a, weights))
        if weights.ndim != a.ndim and axis is not None:
            total = ops.reduce_sum(weights)
        elif tuple(weights.shape) == tuple(a.shape):
            total = ops.reduce_sum(weights, axis)
        else:
            raise InvalidArgumentError(
                f"average: weights of shape {tuple(weights.shape)} do not fit a of shape "
                f"{tuple(a.shape)}."
            )
        mean = names.average(a, axis, weights)
    return (mean, ops.broadcast_to(total, mean.shape)) if returned else mean


# --- without nans ---------------------------------------------------------------------------------


def _without_nan(a, value: float):
    a = asarray(a)
    if not is_inexact(a):
        return a
    return ops.where(names.isnan(a), ops.to_tensor(value, a.dtype), a)


@numpy_name("nansum")
def nansum(a, axis=None, dtype=None, keepdims=False) -> Tensor:
    """Return the sum of the elements that are not nan."""
    return sum(_without_nan(a, 0.0), axis, dtype, keepdims)


@numpy_name("nanprod")
def nanprod(a, axis=None, dtype=None, keepdims=False) -> Tensor:
    """Return the product of the elements that are not nan."""
    return prod(_without_nan(a, 1.0), axis, dtype, keepdims)


@numpy_name("nanmean")
def nanmean(a, axis=None, dtype=None, keepdims=None) -> Tensor:
    """Return the mean of the elements that are not nan."""
    a = asarray(a)
    if not is_inexact(a):
        return mean(a, axis, dtype, keepdims=keepdims)
    result = names.nanmean(a, axis, bool(keepdims))
    return result if dtype is None else ops.cast(result, result_type(dtype))


# --- along an axis --------------------------------------------------------------------------------


def _running(compute, what: str):
    def function(a, axis=None, dtype=None) -> Tensor:
        a = asarray(a) if dtype is None else asarray(a, dtype)
        return compute(_wide(a, with_bool=False) if dtype is None else a, axis)

    function.__doc__ = f"Return running {what} along an axis, or of the flattened a."
    return function


cumsum = numpy_name("cumsum")(_running(names.cumsum, "sums"))
cumprod = numpy_name("cumprod")(_running(names.cumprod, "products"))


@numpy_name("diff")
def diff(a, n=1, axis=-1) -> Tensor:
    """Return the differences of neighbors along an axis, taken n times."""
    a = asarray(a)
    if n < 0:
        raise ValueError(f"diff: n must not be negative, got {n}.")
    if not -a.ndim <= axis < a.ndim:
        raise ValueError(f"diff: axis {axis} is out of bounds for rank {a.ndim}.")
    return names.diff(a, n, axis)


def _check_order(name: str, kind, order, kinds: tuple[str, ...]) -> None:
    if kind not in kinds or order is not None:
        raise ValueError(
            f"{name}: kind must be one of {kinds} and order None, got {kind!r} and {order!r}."
        )


@numpy_name("sort")
def sort(a, axis=-1, kind="quicksort", order=None) -> Tensor:
    """Sort the elements along an axis."""
    _check_order("sort", kind, order, ("quicksort",))
    return names.sort(asarray(a), axis)


@numpy_name("argsort")
def argsort(a, axis=-1, kind="quicksort", order=None) -> Tensor:
    """Return the indices that sort the elements."""
    _check_order("argsort", kind, order, ("quicksort", "stable"))
    a = asarray(a)
    if a.dtype.is_complex:
        raise TypeError(f"argsort: complex numbers have no order, got dtype {a.dtype.name}.")
    return ops.cast(names.argsort(a, axis), np.intp)


def _define_arg_extreme(compute, which: str):
    def function(a, axis=None) -> Tensor:
        a = asarray(a)
        a = ops.reshape(a, (-1,)) if axis is None or not a.ndim else a
        return compute(a, 0 if axis is None else axis, "int64")

    function.__doc__ = f"Return the index of the first of the {which} elements."
    return function


argmax = numpy_name("argmax")(_define_arg_extreme(ops.argmax, "largest"))
argmin = numpy_name("argmin")(_define_arg_extreme(ops.argmin, "smallest"))
