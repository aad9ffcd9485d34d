"""Reductions. `axis` is a tuple of non-negative ints, never None (one int, for argmax)."""

from __future__ import annotations

import ml_dtypes
import numpy as np

# What sums and products of a dtype are accumulated in. Halves take float32 and round once; NumPy
# would widen small integers, TensorFlow lets them wrap.
_HALVES = {
    np.dtype(t)
    for t in (np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)
}
_PLAIN = {np.dtype(t) for t in (np.float32, np.float64, np.complex64, np.complex128)}


def _accumulate(ufunc: np.ufunc, x, axis, keepdims):
    dtype = x.dtype
    if dtype in _PLAIN:
        return ufunc.reduce(x, axis, None, None, keepdims)
    if dtype in _HALVES:
        return ufunc.reduce(x, axis, np.float32, None, keepdims).astype(dtype)
    return ufunc.reduce(x, axis, dtype, None, keepdims)


def reduce_sum(x, axis, keepdims):
    return _accumulate(np.add, x, axis, keepdims) if axis else x


def reduce_prod(x, axis, keepdims):
    return _accumulate(np.multiply, x, axis, keepdims)


def reduce_mean(x, axis, keepdims):
    if not axis:
        return x
    count = 1
    for a in axis:
        count *= x.shape[a]
    dtype = x.dtype
    if dtype in _PLAIN:
        return np.add.reduce(x, axis, None, None, keepdims) / count
    if dtype in _HALVES:
        return (np.add.reduce(x, axis, np.float32, None, keepdims) / count).astype(dtype)
    # Integers are summed without overflow and rounded towards 0; the mean of nothing is 0.
    total = np.add.reduce(x, axis, np.uint64 if dtype.kind == "u" else np.int64, None, keepdims)
    return (np.sign(total) * (np.abs(total) // max(count, 1))).astype(dtype)


def reduce_max(x, axis, keepdims):
    if x.size:
        return np.maximum.reduce(x, axis, None, None, keepdims)
    return np.maximum.reduce(x, axis, None, None, keepdims, _lowest(x.dtype))


def reduce_min(x, axis, keepdims):
    if x.size:
        return np.minimum.reduce(x, axis, None, None, keepdims)
    return np.minimum.reduce(x, axis, None, None, keepdims, _highest(x.dtype))


def _lowest(dtype):
    """The maximum of nothing."""
    return dtype.type(ml_dtypes.iinfo(dtype).min if dtype.kind in "iu" else -np.inf)


def _highest(dtype):
    return dtype.type(ml_dtypes.iinfo(dtype).max if dtype.kind in "iu" else np.inf)


def tie_shares(x, extreme, axis):
    """1/k at the k elements equal to the extreme along the axes, else 0; nan where it is nan."""
    hit = np.equal(x, extreme)
    count = np.count_nonzero(hit, axis, keepdims=True)
    share = np.asarray(hit).astype(x.dtype)
    return share if np.all(count == 1) else np.divide(share, count.astype(x.dtype))


def reduce_any(x, axis, keepdims):
    return np.logical_or.reduce(x, axis, None, None, keepdims)


def reduce_all(x, axis, keepdims):
    return np.logical_and.reduce(x, axis, None, None, keepdims)


def reduce_logsumexp(x, axis, keepdims):
    dtype = x.dtype
    if dtype in _HALVES:
        x = x.astype(np.float32)
    shift = np.maximum.reduce(x, axis, None, None, True, x.dtype.type(-np.inf))
    shift = np.where(np.isfinite(shift), shift, x.dtype.type(0))
    exponentials = np.asarray(x - shift)
    np.exp(exponentials, exponentials)
    result = np.log(np.add.reduce(exponentials, axis, None, None, True)) + shift
    result = result if keepdims else np.squeeze(result, axis)
    return result.astype(dtype, copy=False)


def reduce_euclidean_norm(x, axis, keepdims):
    dtype = x.dtype
    wide = np.float32 if dtype in _HALVES else np.float64 if dtype.kind in "iu" else dtype
    x = x.astype(wide, copy=False)
    squares = (x * np.conjugate(x)).real if dtype.kind == "c" else np.square(x)
    return np.sqrt(np.add.reduce(squares, axis, None, None, keepdims)).astype(dtype, copy=False)


def _place(find, worst):
    def place(x, axis, dtype):
        found = find(x, axis)
        if x.dtype.kind in "fV":
            # NumPy stops at the first nan; TensorFlow passes over them.
            best = np.take_along_axis(x, np.expand_dims(found, axis), axis)
            if np.isnan(best).any():
                found = find(np.where(np.isnan(x), x.dtype.type(worst), x), axis)
        return found.astype(dtype)

    return place


KERNELS = {
    "reduce_sum": reduce_sum,
    "reduce_prod": reduce_prod,
    "reduce_mean": reduce_mean,
    "reduce_max": reduce_max,
    "reduce_min": reduce_min,
    "tie_shares": tie_shares,
    "reduce_any": reduce_any,
    "reduce_all": reduce_all,
    "reduce_logsumexp": reduce_logsumexp,
    "reduce_euclidean_norm": reduce_euclidean_norm,
    "argmax": _place(np.argmax, -np.inf),
    "argmin": _place(np.argmin, np.inf),
}
