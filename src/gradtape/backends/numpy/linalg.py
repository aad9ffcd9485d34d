"""Products of (stacks of) matrices and functions of a matrix."""

from __future__ import annotations

import warnings

import numpy as np

from gradtape.backends.native.extension import extension
from gradtape.backends.precision import in_float32


def each(function, x: np.ndarray, result: np.ndarray) -> np.ndarray:
    """Apply `function` to every matrix of a stack, for routines that take one at a time."""
    for index in np.ndindex(x.shape[:-2]):
        result[index] = function(x[index])
    return result


def product(x, y):
    """Compute x @ y with our own threads if possible: those of BLAS would compete with them."""
    native = None if extension is None else extension.product(x, y)
    return np.matmul(x, y) if native is None else native


# Products of integers with fewer steps than this are left to NumPy, which has no BLAS for them.
_FEW_STEPS = 8192
_EXACT = 2**53  # sums of integers in float64 are exact below


def _largest(x) -> int:
    return max(int(x.max()), -int(x.min()))


def _integer_product(x, y):
    """Return x @ y, which wraps as sums of integers do, by float64 products with exact sums."""
    dtype, inner = x.dtype, x.shape[-1]
    if x.size and y.size and x.size * y.shape[-1] >= _FEW_STEPS and y.shape[-2] == inner:
        if _largest(x) * _largest(y) * inner < _EXACT:
            return _exact_product(x, y).astype(dtype)
        if dtype.itemsize == 4 and inner < 2**21:
            # Of x = x_high 2**16 + x_low and y, the product of the high parts wraps to nothing.
            x_low, x_high = x & 0xFFFF, x >> 16
            y_low, y_high = y & 0xFFFF, y >> 16
            middle = _exact_product(x_high, y_low) + _exact_product(x_low, y_high)
            return (_exact_product(x_low, y_low) + (middle << 16)).astype(dtype)
    return np.matmul(x, y)


def _exact_product(x, y):
    return product(x.astype(np.float64), y.astype(np.float64)).astype(np.int64)


@in_float32
def matmul(x, y, transpose_a, transpose_b):
    if transpose_a:
        x = x.swapaxes(-1, -2)
    if transpose_b:
        y = y.swapaxes(-1, -2)
    if x.dtype.kind in "iu":
        return _integer_product(x, y)
    if y.ndim == 2:
        if x.ndim == 2:
            return x.dot(y)  # the fastest call of BLAS
        if x.flags.c_contiguous and x.size:
            # One large product instead of a stack of small ones with the same matrix.
            return x.reshape(-1, x.shape[-1]).dot(y).reshape(*x.shape[:-1], y.shape[-1])
    return np.matmul(x, y)


def cross(x, y):
    return np.cross(x, y)


@in_float32
def expm(x):
    from scipy.linalg import expm

    if not np.all(np.isfinite(x)):
        return _finite_only(expm, x)
    return expm(x).astype(x.dtype, copy=False)


@in_float32
def logm(x):
    from scipy.linalg import logm

    return _finite_only(logm, x)


@in_float32
def sqrtm(x):
    from scipy.linalg import sqrtm

    return _finite_only(sqrtm, x)


def _finite_only(function, x):
    """Apply a function to each matrix of a stack; nan if there is no value of its dtype."""

    def one(matrix):
        if not matrix.size or not np.all(np.isfinite(matrix)):
            return np.nan
        value = function(matrix)
        if np.iscomplexobj(value) and not np.iscomplexobj(matrix):
            value = value.real if not np.any(value.imag) else np.nan
        return value

    # SciPy's warnings about singular and inaccurate results: a tensor op returns the numbers.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return each(one, x, np.empty(x.shape, x.dtype))


KERNELS = {"matmul": matmul, "cross": cross, "expm": expm, "logm": logm, "sqrtm": sqrtm}
