"""Reductions. `axis` is a tuple of non-negative ints, never None (one int, for argmax)."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np

# What sums and products of a dtype are accumulated in. Halves take float32 and round once; NumPy
# would widen small integers, TensorFlow lets them wrap.
_HALVES = {
    np.dtype(t)
    for t in (np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)
}
_PLAIN = {np.dtype(t) for t in (np.float32, np.float64, np.complex64, np.complex128)}


# Sums of fewer numbers than this are left to NumPy; so are longer ones than this along the last
# axes, where NumPy adds in pairs and is the more accurate.
_FEW_NUMBERS = 2048
_LONG_SUM = 1024

_ones: dict[np.dtype, np.ndarray] = {}


def _vector_of_ones(size: int, dtype) -> np.ndarray:
    found = _ones.get(dtype)
    if found is None or len(found) < size:
        found = np.ones(size, dtype)
        if size <= 2**18:
            _ones[dtype] = found
    return found[:size]


def _sum(x, axis, keepdims):
    """The sum in x's own dtype, which is one of `_PLAIN`.

    A product with ones is up to five times faster than NumPy's sum (more, where that one has short
    inner loops), and more accurate than its sum over leading axes.
    """
    if (
        x.size < _FEW_NUMBERS
        or x.dtype.kind != "f"
        or axis[-1] - axis[0] != len(axis) - 1
        or not x.flags.c_contiguous
    ):
        return np.add.reduce(x, axis, None, None, keepdims)
    shape, first, last = x.shape, axis[0], axis[-1] + 1
    length, inner = math.prod(shape[first:last]), math.prod(shape[last:])
    if len(axis) == x.ndim:
        total = _sum_of_all(x.reshape(-1))
    elif first == 0:
        total = _vector_of_ones(length, x.dtype) @ x.reshape(length, inner)
    elif inner != 1:
        total = _vector_of_ones(length, x.dtype) @ x.reshape(-1, length, inner)
    elif length <= _LONG_SUM:
        total = x.reshape(-1, length) @ _vector_of_ones(length, x.dtype)
    else:
        return np.add.reduce(x, axis, None, None, keepdims)
    kept = (1,) * len(axis) if keepdims else ()
    return total.reshape(shape[:first] + kept + shape[last:])[()]


def _sum_of_all(x):
    """Short stretches by products with ones, the results in pairs."""
    whole = x.size // _LONG_SUM * _LONG_SUM
    parts = x[:whole].reshape(-1, _LONG_SUM) @ _vector_of_ones(_LONG_SUM, x.dtype)
    return np.add.reduce(parts) + np.add.reduce(x[whole:])


def reduce_sum(x, axis, keepdims):
    if not axis:
        return x
    dtype = x.dtype
    if dtype in _PLAIN:
        return _sum(x, axis, keepdims)
    if dtype in _HALVES:
        return np.add.reduce(x, axis, np.float32, None, keepdims).astype(dtype)
    return np.add.reduce(x, axis, dtype, None, keepdims)


def reduce_prod(x, axis, keepdims):
    dtype = x.dtype
    wide = np.float32 if dtype in _HALVES else dtype
    return np.multiply.reduce(x, axis, wide, None, keepdims).astype(dtype, copy=False)


def reduce_mean(x, axis, keepdims):
    if not axis:
        return x
    count = 1
    for a in axis:
        count *= x.shape[a]
    dtype = x.dtype
    if dtype in _PLAIN:
        return _sum(x, axis, keepdims) / count
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
    dtype = x.dtype
    share = np.asarray(np.equal(x, extreme)).astype(np.float32 if dtype in _HALVES else dtype)
    count = reduce_sum(share, axis, True)
    if (count != 1).any():
        share /= count
    return share.astype(dtype, copy=False)


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
