# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape import einsum as einsum
from gradtape import eye as eye
from gradtape import matmul as matmul
from gradtape import norm as norm
from gradtape import tensordot as tensordot
from gradtape.api.linalg.systems import LogMatrixDeterminant
from gradtape.api.linear_operators.base import LinearOperator as LinearOperator
from gradtape.api.linear_operators.block_diag import LinearOperatorBlockDiag as LinearOperatorBlockDiag
from gradtape.api.linear_operators.block_triangular import LinearOperatorBlockLowerTriangular as LinearOperatorBlockLowerTriangular
from gradtape.api.linear_operators.circulant import LinearOperatorCirculant as LinearOperatorCirculant
from gradtape.api.linear_operators.circulant import LinearOperatorCirculant2D as LinearOperatorCirculant2D
from gradtape.api.linear_operators.circulant import LinearOperatorCirculant3D as LinearOperatorCirculant3D
from gradtape.api.linear_operators.composition import LinearOperatorAdjoint as LinearOperatorAdjoint
from gradtape.api.linear_operators.composition import LinearOperatorComposition as LinearOperatorComposition
from gradtape.api.linear_operators.composition import LinearOperatorInversion as LinearOperatorInversion
from gradtape.api.linear_operators.dense import LinearOperatorFullMatrix as LinearOperatorFullMatrix
from gradtape.api.linear_operators.dense import LinearOperatorLowerTriangular as LinearOperatorLowerTriangular
from gradtape.api.linear_operators.diagonal import LinearOperatorDiag as LinearOperatorDiag
from gradtape.api.linear_operators.householder import LinearOperatorHouseholder as LinearOperatorHouseholder
from gradtape.api.linear_operators.identity import LinearOperatorIdentity as LinearOperatorIdentity
from gradtape.api.linear_operators.identity import LinearOperatorScaledIdentity as LinearOperatorScaledIdentity
from gradtape.api.linear_operators.identity import LinearOperatorZeros as LinearOperatorZeros
from gradtape.api.linear_operators.kronecker import LinearOperatorKronecker as LinearOperatorKronecker
from gradtape.api.linear_operators.low_rank_update import LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate
from gradtape.api.linear_operators.permutation import LinearOperatorPermutation as LinearOperatorPermutation
from gradtape.api.linear_operators.toeplitz import LinearOperatorToeplitz as LinearOperatorToeplitz
from gradtape.api.linear_operators.tridiagonal import LinearOperatorTridiag as LinearOperatorTridiag
from gradtape.core.tensor import Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import TensorLike
from gradtape.linalg import experimental as experimental
from typing import Any

def adjoint(matrix: TensorLike, name: str | None = None) -> Tensor:
    """Return the conjugate transpose of matrices."""

def band_part(
    input: TensorLike,
    num_lower: TensorLike,
    num_upper: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return matrices with zeros outside of a band around the diagonal (-1: no limit)."""

def banded_triangular_solve(
    bands: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return x such that a x = rhs for the triangular matrix a with these diagonals."""

def cholesky(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the lower triangular L with L Lᴴ = input; nan where that is not positive definite."""

def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: str | None = None) -> Tensor:
    """Return x such that (chol cholᴴ) x = rhs."""

def cross(a: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """Return the cross product of the 3-vectors along the last axis."""

def det(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the determinant of each matrix."""

def diag(
    diagonal: TensorLike,
    name: str = 'diag',
    k: IntLike = 0,
    num_rows: IntLike = -1,
    num_cols: IntLike = -1,
    padding_value: TensorLike = 0,
    align: str = 'RIGHT_LEFT',
) -> Tensor:
    """Return matrices with given diagonals."""

def diag_part(
    input: TensorLike,
    name: str = 'diag_part',
    k: IntLike = 0,
    padding_value: TensorLike = 0,
    align: str = 'RIGHT_LEFT',
) -> Tensor:
    """Return diagonals of matrices; of a linear operator, the main one."""

def eig(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, ...]:
    """Return eigenvalues and eigenvectors of square matrices, complex, in no particular order."""

def eigh(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, ...]:
    """Return eigenvalues (increasing) and eigenvectors of Hermitian matrices."""

def eigh_tridiagonal(
    alpha: TensorLike,
    beta: TensorLike,
    eigvals_only: bool = True,
    select: str = 'a',
    select_range: Any = None,
    tol: Any = None,
    name: str | None = None,
) -> Any:
    """Return eigenvalues, all or some, of Hermitian matrices with these main and off diagonals.

    `select` is "a" (all), "i" (those with index in `select_range`, both ends counted) or "v"
    (those with a value in it).
    """

def eigvals(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Return eigenvalues of square matrices, complex, in no particular order."""

def eigvalsh(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Return eigenvalues of Hermitian matrices, increasing."""

def expm(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the matrix exponential."""

def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """Return the Euclidean norm of all tensors of a list together; None counts as nothing."""

def inv(input: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """Return the inverse of matrices, or of their adjoints."""

def l2_normalize(
    x: TensorLike,
    axis: AxisLike = None,
    epsilon: TensorLike = 1e-12,
    name: str | None = None,
    dim: AxisLike = None,
) -> Tensor:
    """Return x divided by its Euclidean norm along `axis`, at least sqrt(epsilon)."""

def logdet(matrix: TensorLike, name: str | None = None) -> Tensor:
    """Return the logarithm of the determinant of positive definite matrices."""

def logm(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the principal logarithm of complex matrices."""

def lstsq(
    matrix: TensorLike,
    rhs: TensorLike,
    l2_regularizer: TensorLike = 0.0,
    fast: bool = True,
    name: str | None = None,
) -> Tensor:
    """Return x that minimizes |matrix x - rhs|² + l2_regularizer |x|²."""

def lu(
    input: TensorLike,
    output_idx_type: DTypeLike = ...,
    name: str | None = None,
) -> tuple[Tensor, ...]:
    """Return both factors in one matrix, and the order of the rows: input[order] = lower upper."""

def lu_matrix_inverse(
    lower_upper: TensorLike,
    perm: Any,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the inverse of the matrix whose LU factorization is given."""

def lu_reconstruct(
    lower_upper: TensorLike,
    perm: Any,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the matrix whose LU factorization is given."""

def lu_solve(
    lower_upper: TensorLike,
    perm: Any,
    rhs: TensorLike,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return x such that a x = rhs, given the LU factorization of a."""

def matrix_rank(
    a: TensorLike,
    tol: Any = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the number of singular values above `tol`."""

def matrix_transpose(
    a: TensorLike,
    name: str = 'matrix_transpose',
    conjugate: bool = False,
) -> Tensor:
    """Return a with its last two axes exchanged, and conjugated if asked for."""

def matvec(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the product of matrices (or a linear operator) and vectors, over stacks that
    broadcast.
    """

def normalize(
    tensor: TensorLike,
    ord: str = 'euclidean',
    axis: AxisLike = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the tensor divided by its norm, and the norm (with its axes kept)."""

def pinv(
    a: TensorLike,
    rcond: Any = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the pseudo-inverse; singular values up to rcond times the largest count as 0."""

def qr(
    input: TensorLike,
    full_matrices: bool = False,
    name: str | None = None,
) -> tuple[Tensor, ...]:
    """Return q with orthonormal columns and r upper triangular, with q r = input."""

def set_diag(
    input: TensorLike,
    diagonal: TensorLike,
    name: str = 'set_diag',
    k: IntLike = 0,
    align: str = 'RIGHT_LEFT',
) -> Tensor:
    """Return matrices with some diagonals replaced."""

def slogdet(input: TensorLike, name: str | None = None) -> LogMatrixDeterminant:
    """Return the sign of each determinant, and the logarithm of its absolute value."""

def solve(
    matrix: TensorLike,
    rhs: TensorLike,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return x such that matrix x = rhs (or adjoint(matrix) x = rhs)."""

def sqrtm(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the principal square root of matrices."""

def svd(
    tensor: TensorLike,
    full_matrices: bool = False,
    compute_uv: bool = True,
    name: str | None = None,
) -> Any:
    """Return the singular values s, and by default u and v: tensor = u diag(s) vᴴ."""

def tensor_diag(diagonal: TensorLike, name: str | None = None) -> Tensor:
    """Return a tensor of twice the rank with the given elements on its diagonal."""

def tensor_diag_part(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the diagonal of a tensor of even rank."""

def trace(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the sum of the main diagonal of each matrix."""

def triangular_solve(
    matrix: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return x such that matrix x = rhs, where of matrix only one triangle is read."""

def tridiagonal_matmul(
    diagonals: Any,
    rhs: TensorLike,
    diagonals_format: str = 'compact',
    name: str | None = None,
) -> Tensor:
    """Return the product of tridiagonal matrices with matrices."""

def tridiagonal_solve(
    diagonals: Any,
    rhs: TensorLike,
    diagonals_format: str = 'compact',
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Tensor:
    """Return x such that a x = rhs, for tridiagonal matrices a."""
