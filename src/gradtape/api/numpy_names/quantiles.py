"""Medians and quantiles, with and without nans."""

from __future__ import annotations

import math

from gradtape import ops

__all__ = [
    "median",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "percentile",
    "quantile",
]


def _rows(x, axis):
    """Return (x with all reduced axes as one last axis, in order; its shape with 1 for the
    reduced)."""
    shape = tuple(x.shape)
    axes = ops.normalize_axes("quantile", axis, len(shape))
    kept = [i for i in range(len(shape)) if i not in axes]
    size = math.prod(shape[i] for i in axes)
    rows = ops.reshape(ops.transpose(x, (*kept, *axes)), (*(shape[i] for i in kept), size))
    return ops.sort(rows, -1), tuple(1 if i in axes else n for i, n in enumerate(shape))


# For a position between two elements: that below it, that above, and the weight of the one above.
_METHODS = {
    "linear": lambda position: (
        ops.floor(position),
        ops.ceil(position),
        position - ops.floor(position),
    ),
    "lower": lambda position: (ops.floor(position),) * 2 + (ops.zeros_like(position),),
    "higher": lambda position: (ops.ceil(position),) * 2 + (ops.zeros_like(position),),
    "nearest": lambda position: (ops.round(position),) * 2 + (ops.zeros_like(position),),
    "midpoint": lambda position: (
        ops.floor(position),
        ops.ceil(position),
        ops.fill_like(position, 0.5),
    ),
}


def _quantile(x, q, axis, method, keepdims, skip_nan: bool):
    if method not in _METHODS:
        raise ValueError(f"quantile: method must be one of {list(_METHODS)}, got {method!r}.")
    x, q = ops.to_tensor(x), ops.to_tensor(q)
    # Positions need a dtype that can count them: half precision ends at 2048.
    q = ops.cast(q, "float64" if x.dtype.name == "float64" else "float32")
    ordered, kept_shape = _rows(x, axis)
    nan = ops.is_nan(ordered)
    size = ordered.shape[-1]
    # Axes from here on: those of q, those kept of x, one for the positions to look up.
    q = ops.reshape(q, (*q.shape, *(1,) * ordered.ndim))
    if skip_nan:
        count = ops.count_nonzero(ops.logical_not(nan), -1, True, "int32")
        last = ops.maximum(ops.cast(count, q.dtype) - 1, 0)
    else:
        last = ops.to_tensor(float(size - 1), q.dtype)
    below, above, weight = _METHODS[method](q * last)
    shape = (*q.shape[: q.ndim - ordered.ndim], *ordered.shape)
    rows = ops.broadcast_to(ordered, shape)

    def at(position):
        position = ops.cast(ops.broadcast_to(position, (*shape[:-1], 1)), "int32")
        return ops.squeeze(ops.take_along_axis(rows, position, -1), -1)

    weight = ops.squeeze(ops.cast(weight, x.dtype), -1)
    low, high = at(below), at(above)
    result = low * (1 - weight) + high * weight
    if not skip_nan:
        result = ops.where(ops.reduce_any(nan, -1), math.nan, result)
    if keepdims:
        return ops.reshape(result, (*shape[: len(shape) - ordered.ndim], *kept_shape))
    return result


def quantile(x, q, axis=None, method="linear", keepdims=False):
    """Return the quantile q of the elements; q's axes come first."""
    return _quantile(x, q, axis, method, keepdims, False)


def nanquantile(x, q, axis=None, method="linear", keepdims=False):
    """Return the quantile of the elements that are not nan."""
    return _quantile(x, q, axis, method, keepdims, True)


def percentile(x, q, axis=None, method="linear", keepdims=False):
    """Return the q-th percentile."""
    return quantile(x, ops.to_tensor(q) / 100, axis, method, keepdims)


def nanpercentile(x, q, axis=None, method="linear", keepdims=False):
    """Return the q-th percentile of the elements that are not nan."""
    return nanquantile(x, ops.to_tensor(q) / 100, axis, method, keepdims)


def median(x, axis=None, keepdims=False):
    """Return the median."""
    return quantile(x, 0.5, axis, "midpoint", keepdims)


def nanmedian(x, axis=None, keepdims=False):
    """Return the median of the elements that are not nan."""
    return nanquantile(x, 0.5, axis, "midpoint", keepdims)
