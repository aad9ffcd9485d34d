"""Reductions. `axis` is a tuple of non-negative ints, never None (one int, for argmax)."""

from __future__ import annotations

import functools
import math

import ml_dtypes
import numpy as np

from gradtape.backends.precision import in_float32

# Halves are summed in float32 and rounded once. NumPy would widen small integers, TensorFlow lets
# them wrap.
_PLAIN = {np.dtype(t) for t in (np.float32, np.float64, np.complex64, np.complex128)}


# --- sums ----------------------------------------------------------------------------------------
#
# A product with ones is several times faster than NumPy's sum, most of all if that has short inner
# loops (the sum over all but the last axis that every bias needs), and more accurate than its sum
# over leading axes. The products are kept small: their results are then added pairwise, as NumPy
# does, and BLAS does not start its threads, which would cost more than they gain.

# Sums of fewer numbers are left to NumPy; of even fewer, if its inner loops are short.
_FEW_NUMBERS = 65536
_VERY_FEW_NUMBERS = 2048
_SHORT_LOOP = 32
_VERY_SHORT = 8  # NumPy adds so few numbers one after the other
_PRODUCT = 8192  # how many numbers a product takes at a time
_STRETCH = 256  # the longest row that is summed by one product
_WIDE = 1024  # columns from which NumPy's sum of rows is as fast

_ones = {np.dtype(t): np.ones(_PRODUCT, t) for t in (np.float32, np.float64)}


def _sum(x, axis, keepdims):
    """Compute the sum in x's own dtype, which is one of `_PLAIN`."""
    size = x.size
    if (
        size < _VERY_FEW_NUMBERS
        or x.dtype.kind != "f"
        or axis[-1] - axis[0] != len(axis) - 1
        or not x.flags.c_contiguous
    ):
        return np.add.reduce(x, axis, keepdims=keepdims)
    shape, first, last = x.shape, axis[0], axis[-1] + 1
    length, inner = math.prod(shape[first:last]), math.prod(shape[last:])
    if size < _FEW_NUMBERS and (length if inner == 1 else inner) >= _SHORT_LOOP:
        return np.add.reduce(x, axis, keepdims=keepdims)
    if inner == 1:
        total = _sum_of_rows(x.reshape(-1, length))
    elif first == 0:
        total = _sum_of_columns(x.reshape(length, inner))
    else:
        total = _sum_between(x.reshape(-1, length, inner))
    kept = (1,) * len(axis) if keepdims else ()
    return total.reshape(shape[:first] + kept + shape[last:])[()]


def _sum_of_rows(x):
    rows, length = x.shape
    if length < _VERY_SHORT and x.size < _FEW_NUMBERS:
        total = x[:, 0] + x.dtype.type(0)  # no -0, as NumPy begins with 0
        for i in range(1, length):
            total += x[:, i]
        return total
    if length > _STRETCH:
        rest = length % _STRETCH
        if rest and rows > 1:
            return np.add.reduce(x, 1)
        stretches = _sum_of_rows(x[:, : length - rest].reshape(-1, _STRETCH))
        total = np.add.reduce(stretches.reshape(rows, -1), 1)
        return total + np.add.reduce(x[:, length - rest :], 1) if rest else total
    ones = _ones[x.dtype][:length]
    together = _PRODUCT // length
    whole = rows - rows % together
    total = np.empty(rows, x.dtype)
    np.matmul(x[:whole].reshape(-1, together, length), ones, total[:whole].reshape(-1, together))
    np.matmul(x[whole:], ones, total[whole:])
    return total


def _sum_of_columns(x):
    length, columns = x.shape
    if columns >= _WIDE:
        return np.add.reduce(x, 0)
    ones, together = _ones[x.dtype], _PRODUCT // columns
    if length <= together:
        return ones[:length] @ x
    rest = length % together
    stretches = ones[:together] @ x[: length - rest].reshape(-1, together, columns)
    total = _sum_of_columns(stretches)
    return total + ones[:rest] @ x[length - rest :] if rest else total


def _sum_between(x):
    outer, length, inner = x.shape
    together = _divisor(length, _PRODUCT // inner)
    if together < 8:
        return np.add.reduce(x, 1)
    if together == length:
        return _ones[x.dtype][:length] @ x
    stretches = _ones[x.dtype][:together] @ x.reshape(-1, together, inner)
    return np.add.reduce(stretches.reshape(outer, -1, inner), 1)


@functools.lru_cache(1024)
def _divisor(number: int, most: int) -> int:
    """Return the largest divisor of a number that is at most `most`, and at least 1."""
    return next((d for d in range(min(number, most), 1, -1) if number % d == 0), 1)


@in_float32
def reduce_sum(x, axis, keepdims):
    if not axis:
        return x
    dtype = x.dtype
    if dtype in _PLAIN:
        return _sum(x, axis, keepdims)
    return np.add.reduce(x, axis, dtype, keepdims=keepdims)


@in_float32
def reduce_prod(x, axis, keepdims):
    return np.multiply.reduce(x, axis, x.dtype, keepdims=keepdims)


@in_float32
def reduce_mean(x, axis, keepdims):
    if not axis:
        return x
    count = 1
    for a in axis:
        count *= x.shape[a]
    dtype = x.dtype
    if dtype in _PLAIN:
        return _sum(x, axis, keepdims) / count
    # Integers are summed without overflow and rounded toward 0; the mean of nothing is 0.
    total = np.add.reduce(x, axis, np.uint64 if dtype.kind == "u" else np.int64, keepdims=keepdims)
    return (np.sign(total) * (np.abs(total) // max(count, 1))).astype(dtype)


@in_float32
def reduce_max(x, axis, keepdims):
    if x.size:
        return np.maximum.reduce(x, axis, keepdims=keepdims)
    return np.maximum.reduce(x, axis, keepdims=keepdims, initial=_lowest(x.dtype))


@in_float32
def reduce_min(x, axis, keepdims):
    if x.size:
        return np.minimum.reduce(x, axis, keepdims=keepdims)
    return np.minimum.reduce(x, axis, keepdims=keepdims, initial=_highest(x.dtype))


def _lowest(dtype):
    """Return the identity of max: the lowest number of a dtype."""
    return dtype.type(ml_dtypes.iinfo(dtype).min if dtype.kind in "iu" else -np.inf)


def _highest(dtype):
    return dtype.type(ml_dtypes.iinfo(dtype).max if dtype.kind in "iu" else np.inf)


@in_float32
def tie_shares(x, extreme, axis):
    """Return 1/k at the k elements equal to the extreme along the axes, else 0; nan for nan."""
    share = np.asarray(np.equal(x, extreme)).astype(x.dtype)
    count = reduce_sum(share, axis, True)
    if (count != 1).any():
        share /= count
    return share


def reduce_any(x, axis, keepdims):
    return np.logical_or.reduce(x, axis, keepdims=keepdims)


def reduce_all(x, axis, keepdims):
    return np.logical_and.reduce(x, axis, keepdims=keepdims)


@in_float32
def reduce_logsumexp(x, axis, keepdims):
    shift = np.maximum.reduce(x, axis, keepdims=True, initial=x.dtype.type(-np.inf))
    shift = np.where(np.isfinite(shift), shift, x.dtype.type(0))
    exponentials = np.asarray(x - shift)
    np.exp(exponentials, exponentials)
    result = np.log(np.add.reduce(exponentials, axis, keepdims=True)) + shift
    return result if keepdims else np.squeeze(result, axis)[()]


@in_float32
def reduce_euclidean_norm(x, axis, keepdims):
    dtype = x.dtype
    x = x.astype(np.float64 if dtype.kind in "iu" else dtype, copy=False)
    squares = (x * np.conjugate(x)).real if dtype.kind == "c" else np.square(x)
    return np.sqrt(np.add.reduce(squares, axis, keepdims=keepdims)).astype(dtype, copy=False)


def _arg_extreme(find, worst):
    @in_float32
    def arg_extreme(x, axis, dtype):
        index = find(x, axis)
        if x.dtype.kind == "f" and _found_nan(x, index, axis):
            index = find(np.where(np.isnan(x), x.dtype.type(worst), x), axis)
        return index.astype(dtype)

    return arg_extreme


def _found_nan(x, index, axis):
    """Return whether there may be a nan at the index: NumPy stops at them, TensorFlow ignores them.

    A sum is nan if a number is; of few numbers it takes less time than to look at the index.
    """
    if x.size <= 4096:
        return np.isnan(np.add.reduce(x, None))
    return np.isnan(np.take_along_axis(x, np.expand_dims(index, axis), axis)).any()


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
    "argmax": _arg_extreme(np.argmax, -np.inf),
    "argmin": _arg_extreme(np.argmin, np.inf),
}
