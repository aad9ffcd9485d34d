"""Reductions. `axis` is a tuple of non-negative ints, never None."""

from __future__ import annotations

import numpy as np


def reduce_sum(x, axis, keepdims):
    # Halves are summed in float32, as TensorFlow does; integers keep their width.
    wide = np.float32 if x.dtype.itemsize <= 2 and x.dtype.kind in "fV" else x.dtype
    return np.sum(x, axis=axis, keepdims=keepdims, dtype=wide).astype(x.dtype, copy=False)


def reduce_max(x, axis, keepdims):
    return np.max(x, axis=axis, keepdims=keepdims, initial=_lowest(x.dtype))


def reduce_min(x, axis, keepdims):
    return np.min(x, axis=axis, keepdims=keepdims, initial=_highest(x.dtype))


def _lowest(dtype):
    """The maximum of nothing."""
    return -np.inf if dtype.kind in "fV" else np.iinfo(dtype).min


def _highest(dtype):
    return np.inf if dtype.kind in "fV" else np.iinfo(dtype).max


KERNELS = {
    "reduce_sum": reduce_sum,
    "reduce_max": reduce_max,
    "reduce_min": reduce_min,
}
