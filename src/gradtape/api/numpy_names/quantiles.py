"""Medians and quantiles, with and without nans."""

from __future__ import annotations

import math

from gradtape import ops

__all__ = [
    "median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile",
]  # fmt: skip


def _rows(x, axis):
    """(x with all reduced axes as one last axis, in order; its shape with 1 for the reduced)."""
    shape = tuple(x.shape)
    axes = ops.normalize_axes("quantile", axis, len(shape))
    kept = [i for i in range(len(shape)) if i not in axes]
    size = math.prod(shape[i] for i in axes)
    rows = ops.reshape(ops.transpose(x, (*kept, *axes)), (*(shape[i] for i in kept), size))
    return ops.sort(rows, -1), tuple(1 if i in axes else n for i, n in enumerate(shape))


# For a place between two elements: that below it, that above, and the weight of the one above.
_METHODS = {
    "linear": lambda place: (ops.floor(place), ops.ceil(place), place - ops.floor(place)),
    "lower": lambda place: (ops.floor(place),) * 2 + (ops.zeros_like(place),),
    "higher": lambda place: (ops.ceil(place),) * 2 + (ops.zeros_like(place),),
    "nearest": lambda place: (ops.round(place),) * 2 + (ops.zeros_like(place),),
    "midpoint": lambda place: (ops.floor(place), ops.ceil(place), ops.fill_like(place, 0.5)),
}


def _quantile(x, q, axis, method, keepdims, skip_nan: bool):
    if method not in _METHODS:
        raise ValueError(f"quantile: method must be one of {list(_METHODS)}, got {method!r}.")
    x, q = ops.to_tensor(x), ops.to_tensor(q)
    # Places are counted in a dtype that can: half precision ends at 2048.
    q = ops.cast(q, "float64" if x.dtype.name == "float64" else "float32")
    ordered, kept_shape = _rows(x, axis)
    nan = ops.is_nan(ordered)
    size = ordered.shape[-1]
    # Axes from here on: those of q, those kept of x, one for the places to look up.
    q = ops.reshape(q, (*q.shape, *(1,) * ordered.ndim))
    if skip_nan:
        count = ops.count_nonzero(ops.logical_not(nan), -1, True, "int32")
        last = ops.maximum(ops.cast(count, q.dtype) - 1, 0)
    else:
        last = ops.to_tensor(float(size - 1), q.dtype)
    below, above, weight = _METHODS[method](q * last)
    shape = (*q.shape[: q.ndim - ordered.ndim], *ordered.shape)
    rows = ops.broadcast_to(ordered, shape)

    def at(place):
        place = ops.cast(ops.broadcast_to(place, (*shape[:-1], 1)), "int32")
        return ops.squeeze(ops.take_along_axis(rows, place, -1), -1)

    weight = ops.squeeze(ops.cast(weight, x.dtype), -1)
    low, high = at(below), at(above)
    found = low * (1 - weight) + high * weight
    if not skip_nan:
        found = ops.where(ops.reduce_any(nan, -1), math.nan, found)
    if keepdims:
        return ops.reshape(found, (*shape[: len(shape) - ordered.ndim], *kept_shape))
    return found


def quantile(x, q, axis=None, method="linear", keepdims=False):
    """The value below which a share q of the elements lies; q's axes come first."""
    return _quantile(x, q, axis, method, keepdims, False)


def nanquantile(x, q, axis=None, method="linear", keepdims=False):
    """The quantile of what is not nan."""
    return _quantile(x, q, axis, method, keepdims, True)


def percentile(x, q, axis=None, method="linear", keepdims=False):
    """The quantile of q percent."""
    return quantile(x, ops.to_tensor(q) / 100, axis, method, keepdims)


def nanpercentile(x, q, axis=None, method="linear", keepdims=False):
    """The quantile of q percent of what is not nan."""
    return nanquantile(x, ops.to_tensor(q) / 100, axis, method, keepdims)


def median(x, axis=None, keepdims=False):
    """The element in the middle, or the mean of the two."""
    return quantile(x, 0.5, axis, "midpoint", keepdims)


def nanmedian(x, axis=None, keepdims=False):
    """The median of what is not nan."""
    return nanquantile(x, 0.5, axis, "midpoint", keepdims)
