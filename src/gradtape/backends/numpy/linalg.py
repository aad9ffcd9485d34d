"""Products of (stacks of) matrices and functions of a matrix."""

from __future__ import annotations

import functools
import warnings

import numpy as np

from gradtape.backends.extension import extension


def is_half(dtype: np.dtype) -> bool:
    """Whether a dtype is float16 or bfloat16, for which there is no BLAS or LAPACK."""
    return dtype.itemsize == 2 and dtype.kind in "fV"


def in_float32(kernel):
    """The kernel for halves too: computed in float32, rounded once at the end."""

    @functools.wraps(kernel)
    def run(*arrays, **params):
        dtype = arrays[0].dtype
        if not is_half(dtype):
            return kernel(*arrays, **params)
        wide = [a.astype(np.float32) if a.dtype == dtype else a for a in arrays]
        found = kernel(*wide, **params)
        if isinstance(found, tuple):
            return tuple(y.astype(dtype) if y.dtype == np.float32 else y for y in found)
        return found.astype(dtype)

    return run


def each(function, x: np.ndarray, result: np.ndarray) -> np.ndarray:
    """`function` of every matrix of a stack, for routines that take one at a time."""
    for index in np.ndindex(x.shape[:-2]):
        result[index] = function(x[index])
    return result


def product(x, y):
    """x @ y, by our own threads where they can: BLAS's would stand in their way afterwards."""
    found = None if extension is None else extension.product(x, y)
    return np.matmul(x, y) if found is None else found


def matmul(x, y, transpose_a, transpose_b):
    if transpose_a:
        x = x.swapaxes(-1, -2)
    if transpose_b:
        y = y.swapaxes(-1, -2)
    dtype = x.dtype
    if dtype.itemsize <= 2 and is_half(dtype):
        return np.matmul(x.astype(np.float32), y.astype(np.float32)).astype(dtype)
    if y.ndim == 2:
        if x.ndim == 2:
            return x.dot(y)  # the shortest way to BLAS
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
    """A function of each matrix of a stack; nan where it has none (of the same dtype)."""

    def one(matrix):
        if not matrix.size or not np.all(np.isfinite(matrix)):
            return np.nan
        value = function(matrix)
        if np.iscomplexobj(value) and not np.iscomplexobj(matrix):
            value = value.real if not np.any(value.imag) else np.nan
        return value

    # SciPy's warnings about singular and inaccurate results: a tensor op gives the numbers.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return each(one, x, np.empty(x.shape, x.dtype))


KERNELS = {"matmul": matmul, "cross": cross, "expm": expm, "logm": logm, "sqrtm": sqrtm}
