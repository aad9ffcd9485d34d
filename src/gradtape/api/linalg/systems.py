"""Solvers, inverses, determinants and functions of matrices."""

from __future__ import annotations

from typing import NamedTuple

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.dtypes import int32
from gradtape.core.protocols import is_linear_operator
from gradtape.core.tensor import Tensor


@export("linalg.solve")
def solve(matrix, rhs, adjoint=False, name=None) -> Tensor:
    """Return x such that matrix x = rhs (or adjoint(matrix) x = rhs)."""
    if is_linear_operator(matrix):
        return matrix.solve(rhs, adjoint=adjoint)
    return ops.solve(matrix, rhs, adjoint)


@export("linalg.triangular_solve")
def triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None) -> Tensor:
    """Return x such that matrix x = rhs, where of matrix only one triangle is read."""
    return ops.triangular_solve(matrix, rhs, lower, adjoint)


@export("linalg.banded_triangular_solve")
def banded_triangular_solve(bands, rhs, lower=True, adjoint=False, name=None) -> Tensor:
    """Return x such that a x = rhs for the triangular matrix a with these diagonals."""
    return ops.banded_triangular_solve(bands, rhs, lower, adjoint)


@export("linalg.cholesky_solve")
def cholesky_solve(chol, rhs, name=None) -> Tensor:
    """Return x such that (chol cholᴴ) x = rhs."""
    return ops.cholesky_solve(chol, rhs)


@export("linalg.lu_solve")
def lu_solve(lower_upper, perm, rhs, validate_args=False, name=None) -> Tensor:
    """Return x such that a x = rhs, given the LU factorization of a."""
    lower_upper, rhs = ops.operands("lu_solve", lower_upper, rhs)
    if rhs.ndim < 2:
        raise ValueError(
            f"Input `rhs` must have at least 2 dimensions, got shape {rhs.shape}. Give a vector a "
            "last axis of size 1."
        )
    return ops.lu_solve(lower_upper, ops.to_tensor(perm), rhs)


@export("linalg.lu_reconstruct")
def lu_reconstruct(lower_upper, perm, validate_args=False, name=None) -> Tensor:
    """Return the matrix whose LU factorization is given."""
    return ops.lu_reconstruct(lower_upper, ops.to_tensor(perm))


@export("linalg.lu_matrix_inverse")
def lu_matrix_inverse(lower_upper, perm, validate_args=False, name=None) -> Tensor:
    """Return the inverse of the matrix whose LU factorization is given."""
    return ops.lu_matrix_inverse(lower_upper, ops.to_tensor(perm))


@export("linalg.lstsq")
def lstsq(matrix, rhs, l2_regularizer=0.0, fast=True, name=None) -> Tensor:
    """Return x that minimizes |matrix x - rhs|² + l2_regularizer |x|²."""
    return ops.lstsq(matrix, rhs, l2_regularizer, fast)


@export("linalg.inv")
def inv(input, adjoint=False, name=None):
    """Return the inverse of matrices, or of their adjoints."""
    if is_linear_operator(input):
        return input.inverse().adjoint() if adjoint else input.inverse()
    return ops.inv(input, adjoint)


def _real_matrix(a):
    """Return the argument of `pinv` and `matrix_rank`, as TensorFlow checks it."""
    a = ops.to_tensor(a)
    if not a.dtype.is_floating:
        raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {a.dtype.name}).")
    if a.ndim < 2:
        raise ValueError(f"Input `a` must have at least 2 dimensions (saw: {a.ndim}).")
    return a


@export("linalg.pinv")
def pinv(a, rcond=None, validate_args=False, name=None) -> Tensor:
    """Return the pseudo-inverse; singular values up to rcond times the largest count as 0."""
    return ops.pinv(_real_matrix(a), rcond)


@export("linalg.matrix_rank")
def matrix_rank(a, tol=None, validate_args=False, name=None) -> Tensor:
    """Return the number of singular values above `tol`."""
    a = _real_matrix(a)
    s = ops.svd_values(a)
    if tol is None:
        tol = ops.precision(a) * max(a._data.shape[-2:]) * ops.reduce_max(s, -1, keepdims=True)
    return ops.reduce_sum(ops.cast(s > tol, int32), -1)


@export("linalg.det")
def det(input, name=None) -> Tensor:
    """Return the determinant of each matrix."""
    if is_linear_operator(input):
        return input.determinant()
    return ops.det(input)


class LogMatrixDeterminant(NamedTuple):
    """The sign of a determinant, and the logarithm of its absolute value."""

    sign: Tensor
    log_abs_determinant: Tensor


@export("linalg.slogdet")
def slogdet(input, name=None) -> LogMatrixDeterminant:
    """Return the sign of each determinant, and the logarithm of its absolute value."""
    return LogMatrixDeterminant(*ops.slogdet(input))


@export("linalg.logdet")
def logdet(matrix, name=None) -> Tensor:
    """Return the logarithm of the determinant of positive definite matrices."""
    if is_linear_operator(matrix):
        return matrix.log_abs_determinant()
    diagonal = ops.matrix_diag_part(ops.cholesky(matrix))
    return 2.0 * ops.reduce_sum(ops.log(ops.real(diagonal)), -1)


@export("linalg.expm")
def expm(input, name=None) -> Tensor:
    """Return the matrix exponential."""
    input = ops.to_tensor(input)
    if not input.dtype.is_differentiable:
        raise ValueError(f"tf.linalg.expm does not support matrices of type {input.dtype!r}")
    return ops.matrix_exp(input)


@export("linalg.logm")
def logm(input, name=None) -> Tensor:
    """Return the principal logarithm of complex matrices."""
    return ops.logm(input)


@export("linalg.sqrtm", "matrix_square_root")
def sqrtm(input, name=None) -> Tensor:
    """Return the principal square root of matrices."""
    return ops.sqrtm(input)
