"""NumPy's sets of values, memberships and histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gradtape import ops
from gradtape.api.math.counting import bincount as tf_bincount
from gradtape.api.numpy_names.elementwise import is_truth
from gradtape.api.numpy_names.indexing import searchsorted
from gradtape.api.numpy_names.logic import isnan
from gradtape.core.tensor import Tensor

if TYPE_CHECKING:
    from gradtape.core.typing import TensorLike

__all__ = ["bincount", "histogram", "isin", "unique"]


def bincount(x, weights=None, minlength=0):
    """Return how often (with what total weight) each integer from 0 occurs, by rows of a matrix."""
    x = ops.to_tensor(x)
    return tf_bincount(
        ops.cast(x, "int32") if is_truth(x) else x, weights, minlength=minlength, axis=-1
    )


def histogram(x, bins: TensorLike = 10, range=None):
    """Return (how many values lie in each bin, the bounds of the bins).

    The bins are given by their bounds, or are so many equal ones of the range (of the values,
    by default). Each holds its lower bound; the last one the upper, too.
    """
    x = ops.reshape(x, (-1,))
    if not x.dtype.is_floating:
        x = ops.cast(x, "float32")
    known = ops.static_value(bins)
    if np.ndim(known) == 0:
        edges = _equal_bins(x, int(known), range)
    else:
        edges = ops.operands("histogram", x, bins)[1]
    count = edges.shape[0] - 1
    bin_index = searchsorted(edges, x, "right") - 1
    bin_index = ops.where(ops.equal(x, edges[-1]), count - 1, bin_index)
    inside = ops.logical_and(ops.greater_equal(x, edges[0]), ops.less_equal(x, edges[-1]))
    # What lies outside has the number -1: nowhere.
    bin_index = ops.where(inside, bin_index, -1)
    counts = ops.unsorted_segment_sum(ops.ones(x.shape, "int32"), bin_index, count)
    return counts, edges


def _equal_bins(x, bins: int, limits):
    if limits is None:
        if not x.shape[0]:
            low, high = ops.zeros((), x.dtype), ops.ones((), x.dtype)
        else:
            low, high = ops.reduce_min(x), ops.reduce_max(x)
    else:
        low, high = (ops.to_tensor(limit, x.dtype) for limit in limits)
    flat = ops.equal(low, high)
    low, high = ops.where(flat, low - 0.5, low), ops.where(flat, high + 0.5, high)
    return ops.linspace(low, high, bins + 1)


def isin(x1, x2, assume_unique=False, invert=False):
    """Return whether each element of x1 is among those of x2."""
    x1, x2 = ops.operands("isin", x1, x2)
    if is_truth(x1):
        x1, x2 = ops.cast(x1, "uint8"), ops.cast(x2, "uint8")
    ordered = ops.sort(ops.reshape(x2, (-1,)))
    is_member = ops.less(searchsorted(ordered, x1, "left"), searchsorted(ordered, x1, "right"))
    if x1.dtype.is_floating:
        is_member = ops.logical_and(is_member, ops.logical_not(isnan(x1)))
    return ops.logical_not(is_member) if invert else is_member


def unique(
    x,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    size=None,
    fill_value=None,
):
    """Return the distinct elements (slices along an axis) in order; on demand where they first are,
    which of them each element is, and how often they occur. `size` cuts, or fills up, to a number.
    """
    x = ops.to_tensor(x)
    # How many there are depends on the values: no op can say.
    known = np.asarray(x.numpy())
    if known.dtype.kind == "V":
        known = known.astype(np.float32)
    _, first, inverse, counts = np.unique(known, True, True, True, axis=axis, equal_nan=False)
    count = len(first)
    keep = count if size is None else min(size, count)
    first, counts = first[:keep], counts[:keep]
    if axis is None:
        flat, along = ops.reshape(x, (-1,)), 0
        inverse = inverse.reshape(known.shape)
    else:
        flat, along = x, ops.normalize_axis("unique", axis, x.ndim)
        inverse = inverse.reshape(-1)
    # Taken from where they first appear: that is where their gradient goes.
    moved = ops.moveaxis(flat, along, 0)
    values = ops.segment_rows(moved, Tensor(first.astype(np.int32)))
    if size is not None and size > count:
        missing = size - count
        filler = ops.slice_along(values, 0, 0, 1)
        if fill_value is not None:
            filler = ops.fill_like(filler, fill_value)
        filler = ops.broadcast_to(filler, (missing, *values.shape[1:]))
        values = ops.concat([values, filler], 0)
        first = np.concatenate([first, np.full(missing, first[0])])
        counts = np.concatenate([counts, np.zeros(missing, counts.dtype)])
    results = [ops.moveaxis(values, 0, along)]
    if return_index:
        results.append(Tensor(first.astype(np.int32)))
    if return_inverse:
        results.append(Tensor(inverse.astype(np.int32)))
    if return_counts:
        results.append(Tensor(counts.astype(np.int32)))
    return tuple(results) if len(results) > 1 else results[0]
