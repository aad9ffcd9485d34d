"""`tf.linalg`: products, decompositions, solvers, norms; and clipping by norms."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.dtypes import as_dtype, int32
from gradtape.core.errors import ShapeError
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices

# --- linear operators ----------------------------------------------------------------------------


def is_operator(x) -> bool:
    """Whether a value is a `LinearOperator`, whose module is imported only where one is made."""
    return hasattr(x, "_is_linear_operator")


def _operator_product(a, b, adjoint_a, adjoint_b):
    if is_operator(a):
        return a.matmul(b, adjoint=bool(adjoint_a), adjoint_arg=bool(adjoint_b))
    # A B = (Bᴴ Aᴴ)ᴴ
    return ops.adjoint(b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a))


# --- products ----------------------------------------------------------------------------------


def _one_of(transpose, adjoint, which: str) -> None:
    if transpose and adjoint:
        raise ValueError(
            f"Only one of `transpose_{which}` and `adjoint_{which}` can be True. Received "
            f"`transpose_{which}`={transpose}, `adjoint_{which}`={adjoint}."
        )


@export("matmul", "linalg.matmul")
def matmul(
    a,
    b,
    transpose_a=False,
    transpose_b=False,
    adjoint_a=False,
    adjoint_b=False,
    a_is_sparse=False,
    b_is_sparse=False,
    output_type=None,
    grad_a=False,
    grad_b=False,
    name=None,
):
    """The product of matrices, over stacks of them that broadcast; also of linear operators."""
    if (type(a) is not Tensor and is_operator(a)) or (type(b) is not Tensor and is_operator(b)):
        return _operator_product(a, b, adjoint_a, adjoint_b)
    if not (transpose_a or transpose_b or adjoint_a or adjoint_b or output_type):
        return ops.matmul(a, b)
    _one_of(transpose_a, adjoint_a, "a")
    _one_of(transpose_b, adjoint_b, "b")
    if output_type is not None:
        # Wide integers (or floats) of the result hold what narrow products would lose.
        wide = as_dtype(output_type)
        a, b = ops.cast(ops.to_tensor(a), wide), ops.cast(ops.to_tensor(b), wide)
    return ops.matmul(a, b, bool(transpose_a), bool(transpose_b), bool(adjoint_a), bool(adjoint_b))


@export("linalg.matvec")
def matvec(
    a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None
):
    """The product of matrices (or a linear operator) and vectors, over stacks that broadcast."""
    if type(a) is not Tensor and is_operator(a):
        return a.matvec(b, adjoint=bool(adjoint_a))
    _one_of(transpose_a, adjoint_a, "a")
    return ops.matvec(a, b, bool(transpose_a), bool(adjoint_a))


@export("tensordot", "linalg.tensordot")
def tensordot(a, b, axes, name=None):
    """The sum of products over the last axes of a and the first of b, or over the pairs given."""
    return ops.tensordot(a, b, axes)


@export("einsum", "linalg.einsum")
def einsum(equation, *inputs, **kwargs):
    """The sum of products that an equation such as "ij,jk->ik" describes."""
    unknown = set(kwargs) - {"name", "optimize"}
    if unknown:
        raise TypeError(
            f"Invalid keyword arguments for einsum: {', '.join(sorted(unknown))}. Valid arguments: "
            "name, optimize."
        )
    return ops.einsum(equation, *inputs)


@export("linalg.cross")
def cross(a, b, name=None):
    """The cross product of the 3-vectors along the last axis."""
    return ops.cross(a, b)


@export("linalg.trace")
def trace(x, name=None):
    """The sum of the main diagonal of each matrix."""
    if is_operator(x):
        return x.trace()
    return ops.trace(x)


@export("linalg.matrix_transpose")
def matrix_transpose(a, name="matrix_transpose", conjugate=False):
    """a with its last two axes exchanged, and conjugated if asked for."""
    a = ops.to_tensor(a)
    if a.ndim < 2:
        raise ValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2. Received a tensor with "
            f"shape: {a.shape}"
        )
    return ops.adjoint(a) if conjugate else ops.matrix_transpose(a)


@export("linalg.adjoint")
def adjoint(matrix, name=None):
    """The conjugate transpose of matrices."""
    if is_operator(matrix):
        return matrix.adjoint()
    return matrix_transpose(matrix, conjugate=True)


# --- decompositions ----------------------------------------------------------------------------


@export("linalg.cholesky")
def cholesky(input, name=None):
    """The lower triangular L with L Lᴴ = input; nan where that is not positive definite."""
    if is_operator(input):
        return input.cholesky()
    return ops.cholesky(input)


@export("linalg.lu")
def lu(input, output_idx_type=int32, name=None):
    """Both factors in one matrix, and the order of the rows: input[order] = lower upper."""
    return ops.lu(input, output_idx_type)


@export("linalg.qr")
def qr(input, full_matrices=False, name=None):
    """q with orthonormal columns and r upper triangular, with q r = input."""
    return ops.qr(input, full_matrices)


@export("linalg.svd")
def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    """Singular values s, and (unless told otherwise) u and v: tensor = u diag(s) vᴴ."""
    return ops.svd(tensor, full_matrices) if compute_uv else ops.svd_values(tensor)


@export("linalg.eigh")
def eigh(tensor, name=None):
    """Eigenvalues (increasing) and eigenvectors of Hermitian matrices."""
    return ops.eigh(tensor)


@export("linalg.eigvalsh")
def eigvalsh(tensor, name=None):
    """Eigenvalues of Hermitian matrices, increasing."""
    return ops.eigvalsh(tensor)


@export("linalg.eig", "eig")
def eig(tensor, name=None):
    """Eigenvalues and eigenvectors of square matrices, complex, in no particular order."""
    return ops.eig(tensor)


@export("linalg.eigvals", "eigvals")
def eigvals(tensor, name=None):
    """Eigenvalues of square matrices, complex, in no particular order."""
    return ops.eigvals(tensor)


@export("linalg.eigh_tridiagonal")
def eigh_tridiagonal(
    alpha, beta, eigvals_only=True, select="a", select_range=None, tol=None, name=None
):
    """Eigenvalues, all or some, of the Hermitian matrices with these main and off diagonals.

    `select` is "a" (all), "i" (those with index in `select_range`, both ends counted) or "v"
    (those with a value in it).
    """
    if select not in ("a", "i", "v"):
        raise ValueError(f"select must have a value in {{'a', 'i', 'v'}}, got {select!r}.")
    if select == "a":
        select_range = (0, 0)
    elif select_range is None or len(select_range) != 2:
        raise ValueError(
            f"select_range must be two numbers for select={select!r}, got {select_range!r}."
        )
    alpha, beta = ops.operands("eigh_tridiagonal", alpha, beta)
    count = alpha.shape[-1]
    if tuple(beta.shape) != (*alpha.shape[:-1], max(count - 1, 0)):
        raise ShapeError(
            f"eigh_tridiagonal: an off-diagonal beta of shape {beta.shape} does not fit a diagonal "
            f"alpha of shape {alpha.shape}: it must be one shorter. [Op:eigh_tridiagonal]"
        )
    # The part below the diagonal is all that eigh reads.
    matrix = ops.matrix_diag(alpha) + ops.matrix_diag(beta, k=-1)
    values, vectors = (ops.eigvalsh(matrix), None) if eigvals_only else ops.eigh(matrix)
    values = ops.real(values)
    if select == "i":
        start, stop = int(select_range[0]), int(select_range[1]) + 1
        if not 0 <= start < stop <= count:
            raise ValueError(
                f"select_range {tuple(select_range)} is no range of the {count} eigenvalues."
            )
    elif select == "v":
        start, stop = _between(values, *select_range)
    else:
        start, stop = 0, count
    if vectors is None:
        return values[..., start:stop]
    return values[..., start:stop], vectors[..., start:stop]


def _between(values, low, high) -> tuple[int, int]:
    """The index range of the (increasing) eigenvalues in (low, high]; of one matrix only."""
    if values.ndim != 1:
        raise ValueError(
            f"select='v' needs one matrix, got a stack with eigenvalues of shape {values.shape}: "
            "the numbers of eigenvalues in the range may differ."
        )
    start, stop = np.searchsorted(values.numpy(), [float(low), float(high)], "right")
    return int(start), int(stop)


# --- systems, inverses, determinants -------------------------------------------------------------


@export("linalg.solve")
def solve(matrix, rhs, adjoint=False, name=None):
    """x such that matrix x = rhs (or adjoint(matrix) x = rhs)."""
    if is_operator(matrix):
        return matrix.solve(rhs, adjoint=adjoint)
    return ops.solve(matrix, rhs, adjoint)


@export("linalg.triangular_solve")
def triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    """x such that matrix x = rhs, where of matrix only one triangle is read."""
    return ops.triangular_solve(matrix, rhs, lower, adjoint)


@export("linalg.banded_triangular_solve")
def banded_triangular_solve(bands, rhs, lower=True, adjoint=False, name=None):
    """x such that a x = rhs for the triangular matrix a with these diagonals."""
    return ops.banded_triangular_solve(bands, rhs, lower, adjoint)


@export("linalg.cholesky_solve")
def cholesky_solve(chol, rhs, name=None):
    """x such that (chol cholᴴ) x = rhs."""
    return ops.cholesky_solve(chol, rhs)


@export("linalg.lu_solve")
def lu_solve(lower_upper, perm, rhs, validate_args=False, name=None):
    """x such that a x = rhs, given the LU factorisation of a."""
    lower_upper, rhs = ops.operands("lu_solve", lower_upper, rhs)
    if rhs.ndim < 2:
        raise ValueError(
            f"Input `rhs` must have at least 2 dimensions, got shape {rhs.shape}. Give a vector a "
            "last axis of size 1."
        )
    return ops.lu_solve(lower_upper, ops.to_tensor(perm), rhs)


@export("linalg.lu_reconstruct")
def lu_reconstruct(lower_upper, perm, validate_args=False, name=None):
    """The matrix whose LU factorisation is given."""
    return ops.lu_reconstruct(lower_upper, ops.to_tensor(perm))


@export("linalg.lu_matrix_inverse")
def lu_matrix_inverse(lower_upper, perm, validate_args=False, name=None):
    """The inverse of the matrix whose LU factorisation is given."""
    return ops.lu_matrix_inverse(lower_upper, ops.to_tensor(perm))


@export("linalg.lstsq")
def lstsq(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    """x that minimises |matrix x - rhs|² + l2_regularizer |x|²."""
    return ops.lstsq(matrix, rhs, l2_regularizer, fast)


@export("linalg.inv")
def inv(input, adjoint=False, name=None):
    """The inverse of matrices, or of their adjoints."""
    if is_operator(input):
        return input.inverse().adjoint() if adjoint else input.inverse()
    return ops.inv(input, adjoint)


def _real_matrix(a):
    """The argument of `pinv` and `matrix_rank`, as TensorFlow checks it."""
    a = ops.to_tensor(a)
    if not a.dtype.is_floating:
        raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {a.dtype.name}).")
    if a.ndim < 2:
        raise ValueError(f"Input `a` must have at least 2 dimensions (saw: {a.ndim}).")
    return a


@export("linalg.pinv")
def pinv(a, rcond=None, validate_args=False, name=None):
    """The pseudo-inverse; singular values up to rcond times the largest count as 0."""
    return ops.pinv(_real_matrix(a), rcond)


@export("linalg.matrix_rank")
def matrix_rank(a, tol=None, validate_args=False, name=None):
    """The number of singular values above `tol`."""
    a = _real_matrix(a)
    s = ops.svd_values(a)
    if tol is None:
        tol = ops.precision(a) * max(a._data.shape[-2:]) * ops.reduce_max(s, -1, keepdims=True)
    return ops.reduce_sum(ops.cast(s > tol, int32), -1)


@export("linalg.det")
def det(input, name=None):
    """The determinant of each matrix."""
    if is_operator(input):
        return input.determinant()
    return ops.det(input)


@export("linalg.slogdet")
def slogdet(input, name=None):
    """The sign of each determinant, and the logarithm of its absolute value."""
    return ops.slogdet(input)


@export("linalg.logdet")
def logdet(matrix, name=None):
    """The logarithm of the determinant of positive definite matrices."""
    if is_operator(matrix):
        return matrix.log_abs_determinant()
    diagonal = ops.matrix_diag_part(ops.cholesky(matrix))
    return 2.0 * ops.reduce_sum(ops.log(ops.real(diagonal)), -1)


@export("linalg.expm")
def expm(input, name=None):
    """The matrix exponential."""
    input = ops.to_tensor(input)
    if not input.dtype.is_differentiable:
        raise ValueError(f"tf.linalg.expm does not support matrices of type {input.dtype!r}")
    return ops.matrix_exp(input)


@export("linalg.logm")
def logm(input, name=None):
    """The principal logarithm of complex matrices."""
    return ops.logm(input)


@export("linalg.sqrtm", "matrix_square_root")
def sqrtm(input, name=None):
    """The principal square root of matrices."""
    return ops.sqrtm(input)


# --- tridiagonal matrices ------------------------------------------------------------------------


def _compact(diagonals, diagonals_format: str):
    """Diagonals in any of the three formats as one tensor (..., 3, size), aligned by rows."""
    if diagonals_format == "compact":
        diagonals = ops.to_tensor(diagonals)
        if diagonals.ndim < 2 or diagonals.shape[-2] != 3:
            got = diagonals.shape[-2] if diagonals.ndim > 1 else diagonals.shape
            raise ValueError(f"Expected 3 diagonals got {got}")
        return diagonals
    if diagonals_format == "sequence":
        if not isinstance(diagonals, (list, tuple)) or len(diagonals) != 3:
            raise ValueError("Expected diagonals to be a sequence of length 3.")
        upper, main, lower = (ops.to_tensor(d) for d in diagonals)
        size = main.shape[-1]
        zero = ops.zeros_like(main[..., :1])
        if upper.shape[-1] == size - 1:
            upper = ops.concat([upper, zero], -1)
        if lower.shape[-1] == size - 1:
            lower = ops.concat([zero, lower], -1)
        return ops.stack([upper, main, lower], -2)
    if diagonals_format == "matrix":
        matrix = ops.to_tensor(diagonals)
        if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
            raise ValueError(
                "Expected last two dimensions of diagonals to be same, got a tensor of shape "
                f"{matrix.shape}"
            )
        return ops.matrix_diag_part(matrix, k=(-1, 1), align="LEFT_RIGHT")
    raise ValueError(
        f"Unrecognized diagonals_format: {diagonals_format}. It is 'compact', 'sequence' or "
        "'matrix'."
    )


@export("linalg.tridiagonal_solve")
def tridiagonal_solve(
    diagonals,
    rhs,
    diagonals_format="compact",
    transpose_rhs=False,
    conjugate_rhs=False,
    name=None,
    partial_pivoting=True,
    perturb_singular=False,
):
    """x such that a x = rhs, for tridiagonal matrices a."""
    if perturb_singular and not partial_pivoting:
        raise ValueError("partial_pivoting must be True if perturb_singular is.")
    diagonals, rhs = ops.operands("TridiagonalSolve", _compact(diagonals, diagonals_format), rhs)
    if not diagonals.ndim - 1 <= rhs.ndim <= diagonals.ndim:
        raise ValueError(
            f"Expected the rank of rhs to be {diagonals.ndim - 1} or {diagonals.ndim}, got "
            f"{rhs.ndim}"
        )
    if conjugate_rhs:
        rhs = ops.conj(rhs)
    is_vector = rhs.ndim == diagonals.ndim - 1
    if is_vector:
        rhs = ops.as_column(rhs)
    elif transpose_rhs:
        rhs = ops.matrix_transpose(rhs)
    if rhs.shape[-2] != diagonals.shape[-1]:
        raise ValueError(
            "Expected number of left-hand sided and right-hand sides to be equal, got "
            f"{diagonals.shape[-1]} and {rhs.shape[-2]}"
        )
    x = ops.tridiagonal_solve(diagonals, rhs, perturb_singular)
    return ops.reshape(x, x.shape[:-1]) if is_vector else x


@export("linalg.tridiagonal_matmul")
def tridiagonal_matmul(diagonals, rhs, diagonals_format="compact", name=None):
    """The product of tridiagonal matrices with matrices."""
    return ops.tridiagonal_matmul(_compact(diagonals, diagonals_format), rhs)


# --- norms ---------------------------------------------------------------------------------------


def _check_norm(ord: Any, axis) -> tuple[int, ...] | None:
    """The axes of a norm as a tuple; TensorFlow's errors for what has no norm."""
    is_matrix = isinstance(axis, (list, tuple)) and len(axis) == 2
    is_integer = [isinstance(a, (int, np.integer)) for a in axis] if is_matrix else []
    if is_matrix:
        if not all(is_integer) or axis[0] == axis[1]:
            raise ValueError(
                f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}"
            )
        if ord not in ("euclidean", "fro", 1, 2, np.inf):
            raise ValueError(
                "'ord' must be a supported matrix norm in ['euclidean', 'fro', 1, 2, inf], got "
                f"{ord}"
            )
        return tuple(axis)
    if axis is not None and not isinstance(axis, (int, np.integer)):
        raise ValueError(
            f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}"
        )
    if ord != "euclidean" and not (isinstance(ord, numbers.Real) and float(ord) > 0):
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
    return None if axis is None else (int(axis),)


@export("norm", "linalg.norm")
def norm(tensor, ord: Any = "euclidean", axis=None, keepdims=None, name=None):
    """The norm of vectors (one axis, or all elements) or of matrices (two axes).

    The gradient of the Euclidean norm of zeros is nan, as TensorFlow's.
    """
    axes = _check_norm(ord, axis)
    x = ops.to_tensor(tensor)
    keepdims = bool(keepdims)
    is_matrix = axes is not None and len(axes) == 2
    if ord == 2 and is_matrix:
        return _spectral_norm(x, axes, keepdims)
    if ord in ("fro", "euclidean", 2):
        return ops.sqrt(ops.reduce_sum(x * ops.conj(x), axes, keepdims))
    size = ops.abs(x)
    if axes is not None and len(axes) == 2:
        rows, columns = axes if ord == 1 else axes[::-1]
        sums = ops.reduce_sum(size, rows, keepdims=True)
        largest = ops.reduce_max(sums, columns, keepdims=True)
        return largest if keepdims else ops.squeeze(largest, axes)
    if ord == 1:
        return ops.reduce_sum(size, axes, keepdims)
    if ord == np.inf:
        return ops.reduce_max(size, axes, keepdims)
    return ops.reduce_sum(size**ord, axes, keepdims) ** (1.0 / ord)


def _spectral_norm(x, axes, keepdims):
    axes = [a % x.ndim for a in axes]
    rest = [a for a in range(x.ndim) if a not in axes]
    largest = ops.reduce_max(ops.svd_values(ops.transpose(x, [*rest, *axes])), -1)
    if keepdims:
        shape = [1 if a in axes else n for a, n in enumerate(x.shape)]
        return ops.reshape(largest, shape)
    return largest


@export("linalg.normalize")
def normalize(tensor, ord="euclidean", axis=None, name=None):
    """The tensor divided by its norm, and the norm (with its axes kept)."""
    tensor = ops.to_tensor(tensor)
    size = ops.cast(norm(tensor, ord, axis, keepdims=True), tensor.dtype)
    return tensor / size, size


@export("linalg.l2_normalize", "math.l2_normalize", "nn.l2_normalize")
def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    """x divided by its Euclidean norm along `axis`, at least sqrt(epsilon)."""
    x = ops.to_tensor(x)
    axis = dim if axis is None else axis
    squares = ops.square(x) if not x.dtype.is_complex else ops.real(x * ops.conj(x))
    total = ops.reduce_sum(squares, axis, keepdims=True)
    return x * ops.cast(ops.rsqrt(ops.maximum(total, epsilon)), x.dtype)


# --- clipping ------------------------------------------------------------------------------------


def _values(t):
    return t.values if isinstance(t, IndexedSlices) else ops.to_tensor(t)


def _like(t, values):
    """New values in the form of t: rows of IndexedSlices, or a tensor."""
    return (
        IndexedSlices(values, t.indices, t._dense_shape) if isinstance(t, IndexedSlices) else values
    )


def _tensor_list(t_list) -> list:
    if not isinstance(t_list, (list, tuple)):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    return list(t_list)


@export("linalg.global_norm")
def global_norm(t_list, name=None):
    """The Euclidean norm of all tensors of a list together; None counts as nothing."""
    total = None
    for t in _tensor_list(t_list):
        if t is not None:
            part = ops.reduce_sum(ops.square(_values(t)))
            total = part if total is None else total + part
    return ops.to_tensor(0.0) if total is None else ops.sqrt(total)


@export("clip_by_global_norm")
def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    """The tensors scaled so that their norm together is at most clip_norm, and that norm.

    If the norm is not finite, all results are nan.
    """
    tensors = _tensor_list(t_list)
    use_norm = global_norm(tensors) if use_norm is None else ops.to_tensor(use_norm)
    scale = clip_norm * ops.minimum(1.0 / use_norm, 1.0 / ops.to_tensor(clip_norm, use_norm.dtype))
    scale = scale + (use_norm - use_norm)
    clipped = [
        None if t is None else _like(t, _values(t) * ops.cast(scale, _values(t).dtype))
        for t in tensors
    ]
    return clipped, use_norm


@export("clip_by_norm")
def clip_by_norm(t, clip_norm, axes=None, name=None):
    """t scaled so that its Euclidean norm (along `axes`) is at most clip_norm."""
    values = _values(t)
    total = ops.reduce_sum(values * values, axes, keepdims=True)
    positive = total > 0
    # Two selections, so that the derivative of the root at 0 is never taken.
    safe = ops.where(positive, total, ops.ones_like(total))
    size = ops.where(positive, ops.sqrt(safe), total)
    scaled = values * clip_norm
    TensorShape(values.shape).assert_is_compatible_with(scaled.shape)
    return _like(t, scaled / ops.maximum(size, clip_norm))


@export("compat.v1.clip_by_average_norm")
def clip_by_average_norm(t, clip_norm, name=None):
    """t scaled so that its Euclidean norm per element is at most clip_norm."""
    values = _values(t)
    count = float(math.prod(values._data.shape))
    inverse = ops.rsqrt(ops.reduce_sum(values * values))
    return _like(t, values * clip_norm * ops.minimum(inverse * count, 1.0 / clip_norm))
