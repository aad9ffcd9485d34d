"""Solutions of linear systems, inverses and determinants of (stacks of) matrices."""

from __future__ import annotations

import functools

import numpy as np

from gradtape.backends.broadcasting import broadcast_shapes
from gradtape.backends.errors import BadValues
from gradtape.backends.numpy.decompositions import svd
from gradtape.backends.precision import in_float32


def _adjoint(x):
    return x.swapaxes(-1, -2).conj() if x.dtype.kind == "c" else x.swapaxes(-1, -2)


@in_float32
def solve(a, b, adjoint):
    try:
        return np.linalg.solve(_adjoint(a) if adjoint else a, b)
    except np.linalg.LinAlgError as error:
        raise BadValues("Input matrix is not invertible. [Op:MatrixSolve]") from error


@in_float32
def inv(x, adjoint):
    try:
        return np.linalg.inv(_adjoint(x) if adjoint else x)
    except np.linalg.LinAlgError as error:
        raise BadValues("Input is not invertible. [Op:MatrixInverse]") from error


@in_float32
def det(x):
    return np.linalg.det(x)


@in_float32
def slogdet(x):
    sign, value = np.linalg.slogdet(x)
    sign = np.where(np.isnan(value), value, sign).astype(x.dtype)
    return sign, value.astype(x.dtype)


@in_float32
def triangular_solve(a, b, lower, adjoint):
    stack = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    size, columns = b.shape[-2:]
    shape = (*stack, size, columns)
    if 0 in shape:
        return np.zeros(shape, b.dtype)
    if a.ndim == 2 and b.ndim > 2:
        # One matrix for a stack of right-hand sides: they are the columns of one large one.
        flat = np.moveaxis(b, -2, 0)
        solution = _one_triangular(a, flat.reshape(size, -1), lower, adjoint)
        return np.moveaxis(solution.reshape(flat.shape), 0, -2)
    if not stack:
        return _one_triangular(a, b, lower, adjoint)
    count = int(np.prod(stack))
    if count > size:
        return _substitute(a, b, lower, adjoint, shape)
    a, b = np.broadcast_to(a, (*stack, size, size)), np.broadcast_to(b, shape)
    result = np.empty(shape, b.dtype)
    for index in np.ndindex(stack):
        result[index] = _one_triangular(a[index], b[index], lower, adjoint)
    return result


@functools.cache
def _trsm(dtype: np.dtype):
    from scipy.linalg import get_blas_funcs

    return get_blas_funcs("trsm", dtype=dtype)


def _one_triangular(a, b, lower, adjoint):
    """Solve one system by BLAS; the other triangle is not read, a zero gives inf."""
    # BLAS is column-major: it solves x.T a.T = b.T, so that nothing needs to be copied.
    return _trsm(a.dtype)(1.0, a.T, b.T, side=1, lower=not lower, trans_a=2 if adjoint else 0).T


def _substitute(a, b, lower, adjoint, shape):
    """Solve many small systems by substitution, row by row, all of them at once."""
    if adjoint:
        a, lower = _adjoint(a), not lower
    size = shape[-2]
    x = np.empty(shape, b.dtype)
    for row in range(size) if lower else range(size - 1, -1, -1):
        known = slice(0, row) if lower else slice(row + 1, size)
        rest = np.matmul(a[..., row : row + 1, known], x[..., known, :])[..., 0, :]
        x[..., row, :] = (b[..., row, :] - rest) / a[..., row, row, None]
    return x


@in_float32
def tridiagonal_solve(diagonals, b, perturb_singular):
    from scipy.linalg import get_lapack_funcs

    (gtsv,) = get_lapack_funcs(("gtsv",), (diagonals, b))
    size = b.shape[-2]
    result = np.empty(b.shape, b.dtype)
    if not b.size:
        return result
    if size == 1:
        return b / diagonals[..., 1:2, :]
    for index in np.ndindex(b.shape[:-2]):
        upper, main, lower = diagonals[index]
        *_, x, info = gtsv(lower[1:], main, upper[: size - 1], b[index])
        if info > 0 and perturb_singular:
            scale = max(np.abs(diagonals[index]).max(), np.finfo(b.dtype).tiny)
            nudged = main + np.finfo(b.dtype).eps * scale
            *_, x, info = gtsv(lower[1:], nudged, upper[: size - 1], b[index])
        result[index] = np.nan if info > 0 else x
    return result


@in_float32
def pinv(x, rcond):
    if not x.size:
        return np.zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), x.dtype)
    s, u, v = svd(x, full_matrices=False)
    cutoff = (rcond * np.max(s, -1))[..., None]
    inverse = np.divide(1, s, out=np.zeros_like(s), where=~(s <= cutoff))  # nan stays nan
    return np.matmul(v * inverse[..., None, :], _adjoint(u))


KERNELS = {
    "det": det,
    "inv": inv,
    "pinv": pinv,
    "slogdet": slogdet,
    "solve": solve,
    "triangular_solve": triangular_solve,
    "tridiagonal_solve": tridiagonal_solve,
}
