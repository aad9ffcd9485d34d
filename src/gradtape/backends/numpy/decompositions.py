"""Decompositions of (stacks of) matrices."""

from __future__ import annotations

import numpy as np

from gradtape.backends.errors import BadValues
from gradtape.backends.numpy.linalg import each
from gradtape.backends.precision import in_float32


@in_float32
def cholesky(x):
    try:
        return np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        return each(_cholesky_or_nan, x, np.empty(x.shape, x.dtype))


def _cholesky_or_nan(matrix):
    try:
        return np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return np.tril(np.full(matrix.shape, np.nan, matrix.dtype))


@in_float32
def qr(x, full_matrices):
    if not x.size:
        return _empty_qr(x, full_matrices)
    return tuple(np.linalg.qr(x, "complete" if full_matrices else "reduced"))


def _empty_qr(x, full_matrices):
    *stack, m, n = x.shape
    rank = m if full_matrices else min(m, n)
    q = np.broadcast_to(np.eye(m, rank, dtype=x.dtype), (*stack, m, rank))
    return q, np.zeros((*stack, rank, n), x.dtype)


@in_float32
def svd(x, full_matrices):
    try:
        u, s, vh = np.linalg.svd(x, full_matrices=full_matrices)
    except np.linalg.LinAlgError:  # nan or inf in some matrix of the stack
        finite = np.isfinite(x).all((-2, -1))[..., None, None]
        u, s, vh = np.linalg.svd(np.where(finite, x, 0), full_matrices=full_matrices)
        u, vh = np.where(finite, u, np.nan), np.where(finite, vh, np.nan)
        s = np.where(finite[..., 0], s, np.nan)
    v = vh.swapaxes(-1, -2)
    return s, u, v.conj() if v.dtype.kind == "c" else v


@in_float32
def svd_values(x):
    try:
        return np.linalg.svd(x, compute_uv=False)
    except np.linalg.LinAlgError:
        return svd(x, full_matrices=False)[0]


@in_float32
def eigh(x):
    try:
        values, vectors = np.linalg.eigh(x)
    except np.linalg.LinAlgError as error:
        raise _failed("SelfAdjointEigV2", "Self-adjoint eigen decomposition") from error
    return values.astype(x.dtype), vectors


@in_float32
def eigvalsh(x):
    try:
        return np.linalg.eigvalsh(x).astype(x.dtype)
    except np.linalg.LinAlgError as error:
        raise _failed("SelfAdjointEigV2", "Self-adjoint eigen decomposition") from error


def eig(x):
    try:
        values, vectors = np.linalg.eig(x)
    except np.linalg.LinAlgError as error:
        raise _failed("Eig", "Eigen decomposition") from error
    dtype = np.result_type(x.dtype, np.complex64)
    return values.astype(dtype), vectors.astype(dtype)


def eigvals(x):
    try:
        return np.linalg.eigvals(x).astype(np.result_type(x.dtype, np.complex64))
    except np.linalg.LinAlgError as error:
        raise _failed("Eig", "Eigen decomposition") from error


def _failed(op: str, what: str) -> Exception:
    return BadValues(f"{what} was not successful. The input might not be valid. [Op:{op}]")


@in_float32
def lu(x, index_dtype):
    from scipy.linalg import get_lapack_funcs

    (getrf,) = get_lapack_funcs(("getrf",), (x,))
    factors = np.empty(x.shape, x.dtype)
    order = np.empty(x.shape[:-1], index_dtype)
    for index in np.ndindex(x.shape[:-2] if x.size else (0,)):
        factors[index], pivots, info = getrf(x[index])
        if info > 0:
            raise BadValues("Input is not invertible. [Op:Lu]")
        rows = np.arange(x.shape[-1])
        for i, j in enumerate(pivots):
            rows[i], rows[j] = rows[j], rows[i]
        order[index] = rows
    return factors, order


KERNELS = {
    "cholesky": cholesky,
    "eig": eig,
    "eigh": eigh,
    "eigvals": eigvals,
    "eigvalsh": eigvalsh,
    "lu": lu,
    "qr": qr,
    "svd": svd,
    "svd_values": svd_values,
}
