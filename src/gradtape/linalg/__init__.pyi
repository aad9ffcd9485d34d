# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Sequence
from gradtape import einsum as einsum
from gradtape import eye as eye
from gradtape import matmul as matmul
from gradtape import norm as norm
from gradtape import tensordot as tensordot
from gradtape.api.linalg.decompositions import Lu
from gradtape.api.linalg.decompositions import Qr
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
    """Return the conjugate transpose of matrices.

    Args:
        matrix: a matrix, or a batch of matrices.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `matrix` has a dtype that it does not take.
        ValueError if the shape of `matrix` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def band_part(
    input: TensorLike,
    num_lower: TensorLike,
    num_upper: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return matrices with zeros outside of a band around the diagonal (-1: no limit).

    Args:
        input: a tensor, or what converts to one.
        num_lower: how many diagonals below the main one to keep; negative: all.
        num_upper: how many diagonals above the main one to keep; negative: all.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.linalg.band_part(tf.constant([[1, 2], [3, 4]]), 0, -1).numpy()
        array([[1, 2],
               [0, 4]], dtype=int32)
    """

def banded_triangular_solve(
    bands: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return x such that a x = rhs for the triangular matrix a with these diagonals.

    Args:
        bands: the diagonals, one per row.
        rhs: the right-hand side, or sides.
        lower: whether the matrix is a lower triangle.
        adjoint: whether to solve with the adjoint matrix.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `bands` or `rhs` has a dtype that it does not take, the
            dtypes of `bands` and `rhs` differ, the shape of `bands` or `rhs` does not fit, or the
            shapes of `bands` and `rhs` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def cholesky(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the lower triangular L with L Lᴴ = input; nan where that is not positive definite.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.

    Example:
        >>> tf.linalg.cholesky(tf.constant([[4.0, 0.0], [0.0, 9.0]])).numpy()
        array([[2., 0.],
               [0., 3.]], dtype=float32)
    """

def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: str | None = None) -> Tensor:
    """Return x such that (chol cholᴴ) x = rhs.

    Args:
        chol: the Cholesky factor.
        rhs: the right-hand side, or sides.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `chol` or `rhs` has a dtype that it does not take, the
            dtypes of `chol` and `rhs` differ, the shape of `chol` or `rhs` does not fit, or the
            shapes of `chol` and `rhs` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def cross(a: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """Return the cross product of the 3-vectors along the last axis.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `a` or `b` has a dtype that it does not take, the dtypes
            of `a` and `b` differ, the shape of `a` or `b` does not fit, or the shapes of `a` and
            `b` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def det(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the determinant of each matrix.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> round(float(tf.linalg.det(tf.constant([[1.0, 2.0], [3.0, 4.0]]))), 4)
        -2.0
    """

def diag(
    diagonal: TensorLike,
    name: str = 'diag',
    k: IntLike | Sequence[Any] = 0,
    num_rows: IntLike = -1,
    num_cols: IntLike = -1,
    padding_value: TensorLike = 0,
    align: str = 'RIGHT_LEFT',
) -> Tensor:
    """Return matrices with given diagonals.

    Args:
        diagonal: the diagonals.
        name: a label, as in TensorFlow; it does not change the result.
        k: how many to take; for diagonals, which one (0 is the main one).
        num_rows: the number of rows.
        num_cols: the number of columns.
        padding_value: the number outside of the diagonals.
        align: where short diagonals lie: "RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT" or "RIGHT_RIGHT".

    Raises:
        tf.errors.InvalidArgumentError if the shape of `diagonal` does not fit, or `align` is not a
            known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.linalg.diag(tf.constant([1, 2])).numpy()
        array([[1, 0],
               [0, 2]], dtype=int32)
    """

def diag_part(
    input: TensorLike,
    name: str = 'diag_part',
    k: IntLike | Sequence[Any] = 0,
    padding_value: TensorLike = 0,
    align: str = 'RIGHT_LEFT',
) -> Tensor:
    """Return diagonals of matrices; of a linear operator, the main one.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.
        k: how many to take; for diagonals, which one (0 is the main one).
        padding_value: the number outside of the diagonals.
        align: where short diagonals lie: "RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT" or "RIGHT_RIGHT".

    Raises:
        tf.errors.InvalidArgumentError if the shape of `input` does not fit, or `align` is not a
            known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.linalg.diag_part(tf.constant([[1, 2], [3, 4]])).numpy()
        array([1, 4], dtype=int32)
    """

def eig(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, ...]:
    """Return eigenvalues and eigenvectors of square matrices, complex, in no particular order.

    Args:
        tensor: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `tensor` has a dtype that it does not take, or the shape
            of `tensor` does not fit.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.
    """

def eigh(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, ...]:
    """Return eigenvalues (increasing) and eigenvectors of Hermitian matrices.

    Args:
        tensor: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `tensor` has a dtype that it does not take, or the shape
            of `tensor` does not fit.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.

    Example:
        >>> values, vectors = tf.linalg.eigh(tf.constant([[1.0, 0.0], [0.0, 3.0]]))
        >>> values.numpy()
        array([1., 3.], dtype=float32)
    """

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

    Args:
        alpha: a factor: see above.
        beta: a factor: see above.
        eigvals_only: whether to leave out the vectors.
        select: which eigenvalues: "a", "i" or "v".
        select_range: the range of indices or values.
        tol: how close to 0 counts as 0.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `select` is not a known one.
        tf.errors.InvalidArgumentError if `alpha` or `beta` has a dtype that it does not take, the
            dtypes of `alpha` and `beta` differ, the shape of `alpha` or `beta` does not fit, or the
            shapes of `alpha` and `beta` do not fit together.
    """

def eigvals(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Return eigenvalues of square matrices, complex, in no particular order.

    Args:
        tensor: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `tensor` has a dtype that it does not take, or the shape
            of `tensor` does not fit.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.
    """

def eigvalsh(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Return eigenvalues of Hermitian matrices, increasing.

    Args:
        tensor: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `tensor` has a dtype that it does not take, or the shape
            of `tensor` does not fit.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.
    """

def expm(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the matrix exponential.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.linalg.expm(tf.zeros((2, 2))).numpy()
        array([[1., 0.],
               [0., 1.]], dtype=float32)
    """

def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """Return the Euclidean norm of all tensors of a list together; None counts as nothing.

    Args:
        t_list: a list of tensors; None among them is left out.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if it is not given a list.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def inv(input: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """Return the inverse of matrices, or of their adjoints.

    Args:
        input: a tensor, or what converts to one.
        adjoint: whether to solve with the adjoint matrix.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if a matrix is singular.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.linalg.inv(tf.constant([[2.0, 0.0], [0.0, 4.0]])).numpy()
        array([[0.5 , 0.  ],
               [0.  , 0.25]], dtype=float32)
    """

def l2_normalize(
    x: TensorLike,
    axis: AxisLike = None,
    epsilon: TensorLike = 1e-12,
    name: str | None = None,
    dim: AxisLike = None,
) -> Tensor:
    """Return x divided by its Euclidean norm along `axis`, at least sqrt(epsilon).

    Args:
        x: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        epsilon: a small number that keeps divisions finite.
        name: a label, as in TensorFlow; it does not change the result.
        dim: an old name of axis.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take, the shape of `x`
            does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.l2_normalize(tf.constant([3.0, 4.0])).numpy()
        array([0.6, 0.8], dtype=float32)
    """

def logdet(matrix: TensorLike, name: str | None = None) -> Tensor:
    """Return the logarithm of the determinant of positive definite matrices.

    Args:
        matrix: a matrix, or a batch of matrices.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `matrix` has a dtype that it does not take, or the shape
            of `matrix` does not fit.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.
    """

def logm(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the principal logarithm of complex matrices.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.
    """

def lstsq(
    matrix: TensorLike,
    rhs: TensorLike,
    l2_regularizer: TensorLike = 0.0,
    fast: bool = True,
    name: str | None = None,
) -> Tensor:
    """Return x that minimizes |matrix x - rhs|² + l2_regularizer |x|².

    Args:
        matrix: a matrix, or a batch of matrices.
        rhs: the right-hand side, or sides.
        l2_regularizer: a number to add to the diagonal.
        fast: whether to solve the normal equations; otherwise by an orthogonal factorization.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `matrix` or `rhs` has a dtype that it does not take, the
            dtypes of `matrix` and `rhs` differ, the shape of `matrix` or `rhs` does not fit, or the
            shapes of `matrix` and `rhs` do not fit together.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.

    Example:
        >>> tf.linalg.lstsq(tf.constant([[1.0], [1.0]]), [[2.0], [4.0]]).numpy()
        array([[2.9999998]], dtype=float32)
    """

def lu(input: TensorLike, output_idx_type: DTypeLike = ..., name: str | None = None) -> Lu:
    """Return both factors in one matrix, and the order of the rows: input[order] = lower upper.

    Args:
        input: a tensor, or what converts to one.
        output_idx_type: the dtype of the permutation.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.
    """

def lu_matrix_inverse(
    lower_upper: TensorLike,
    perm: Any,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the inverse of the matrix whose LU factorization is given.

    Args:
        lower_upper: both factors in one matrix, from `tf.linalg.lu`.
        perm: the permutation of the rows, from `tf.linalg.lu`.
        validate_args: whether to check the arguments' values, too.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `lower_upper` has a dtype that it does not take, the shape
            of `lower_upper` or `perm` does not fit, or the shapes of `lower_upper` and `perm` do
            not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def lu_reconstruct(
    lower_upper: TensorLike,
    perm: Any,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the matrix whose LU factorization is given.

    Args:
        lower_upper: both factors in one matrix, from `tf.linalg.lu`.
        perm: the permutation of the rows, from `tf.linalg.lu`.
        validate_args: whether to check the arguments' values, too.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `lower_upper` has a dtype that it does not take, the shape
            of `lower_upper` or `perm` does not fit, or the shapes of `lower_upper` and `perm` do
            not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def lu_solve(
    lower_upper: TensorLike,
    perm: Any,
    rhs: TensorLike,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return x such that a x = rhs, given the LU factorization of a.

    Args:
        lower_upper: both factors in one matrix, from `tf.linalg.lu`.
        perm: the permutation of the rows, from `tf.linalg.lu`.
        rhs: the right-hand side, or sides.
        validate_args: whether to check the arguments' values, too.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shape of `rhs` does not fit.
        tf.errors.InvalidArgumentError if `lower_upper` or `rhs` has a dtype that it does not take,
            the dtypes of `lower_upper` and `rhs` differ, the shape of `lower_upper` or `perm` does
            not fit, or the shapes of `lower_upper`, `perm` and `rhs` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def matrix_rank(
    a: TensorLike,
    tol: Any = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the number of singular values above `tol`.

    Args:
        a: a tensor, or what converts to one.
        tol: how close to 0 counts as 0.
        validate_args: whether to check the arguments' values, too.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `a` has a dtype that it does not take.
        ValueError if the shape of `a` does not fit.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def matrix_transpose(
    a: TensorLike,
    name: str = 'matrix_transpose',
    conjugate: bool = False,
) -> Tensor:
    """Return a with its last two axes exchanged, and conjugated if asked for.

    Args:
        a: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.
        conjugate: whether to conjugate, too.

    Raises:
        ValueError if the shape of `a` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

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

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        transpose_a: whether to transpose a.
        adjoint_a: whether to transpose and conjugate a.
        a_is_sparse: has no effect; there for compatibility.
        b_is_sparse: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `a` or `b` has a dtype that it does not take, the dtypes
            of `a` and `b` differ, the shape of `a` or `b` does not fit, or the shapes of `a` and
            `b` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.linalg.matvec(tf.constant([[1.0, 2.0], [3.0, 4.0]]), [1.0, 1.0]).numpy()
        array([3., 7.], dtype=float32)
    """

def normalize(
    tensor: TensorLike,
    ord: str | float = 'euclidean',
    axis: AxisLike = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the tensor divided by its norm, and the norm (with its axes kept).

    Args:
        tensor: a tensor, or what converts to one.
        ord: which norm: "euclidean", "fro", 1, 2, np.inf or a number.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `ord` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `tensor` does not fit, or `axis` is out of
            range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def pinv(
    a: TensorLike,
    rcond: Any = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the pseudo-inverse; singular values up to rcond times the largest count as 0.

    Args:
        a: a tensor, or what converts to one.
        rcond: singular values below this part of the largest one count as 0.
        validate_args: whether to check the arguments' values, too.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `a` has a dtype that it does not take.
        ValueError if the shape of `a` does not fit.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.
    """

def qr(input: TensorLike, full_matrices: bool = False, name: str | None = None) -> Qr:
    """Return q with orthonormal columns and r upper triangular, with q r = input.

    Args:
        input: a tensor, or what converts to one.
        full_matrices: whether Q (or U and V) are square.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.

    Example:
        >>> q, r = tf.linalg.qr(tf.constant([[0.0, 1.0], [1.0, 0.0]]))
        >>> tf.matmul(q, r).numpy()
        array([[0., 1.],
               [1., 0.]], dtype=float32)
    """

def set_diag(
    input: TensorLike,
    diagonal: TensorLike,
    name: str = 'set_diag',
    k: IntLike | Sequence[Any] = 0,
    align: str = 'RIGHT_LEFT',
) -> Tensor:
    """Return matrices with some diagonals replaced.

    Args:
        input: a tensor, or what converts to one.
        diagonal: the diagonals.
        name: a label, as in TensorFlow; it does not change the result.
        k: how many to take; for diagonals, which one (0 is the main one).
        align: where short diagonals lie: "RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT" or "RIGHT_RIGHT".

    Raises:
        tf.errors.InvalidArgumentError if `input` or `diagonal` has a dtype that it does not take,
            the dtypes of `input` and `diagonal` differ, the shape of `input` or `diagonal` does not
            fit, the shapes of `input` and `diagonal` do not fit together, `k` is negative, or
            `align` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def slogdet(input: TensorLike, name: str | None = None) -> LogMatrixDeterminant:
    """Return the sign of each determinant, and the logarithm of its absolute value.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def solve(
    matrix: TensorLike,
    rhs: TensorLike,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return x such that matrix x = rhs (or adjoint(matrix) x = rhs).

    Args:
        matrix: a matrix, or a batch of matrices.
        rhs: the right-hand side, or sides.
        adjoint: whether to solve with the adjoint matrix.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if a matrix is singular.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.

    Example:
        >>> tf.linalg.solve(tf.constant([[2.0, 0.0], [0.0, 4.0]]), [[2.0], [8.0]]).numpy()
        array([[1.],
               [2.]], dtype=float32)
    """

def sqrtm(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the principal square root of matrices.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def svd(
    tensor: TensorLike,
    full_matrices: bool = False,
    compute_uv: bool = True,
    name: str | None = None,
) -> Any:
    """Return the singular values s, and by default u and v: tensor = u diag(s) vᴴ.

    Args:
        tensor: a tensor, or what converts to one.
        full_matrices: whether Q (or U and V) are square.
        compute_uv: whether to compute the vectors, too.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `tensor` has a dtype that it does not take, or the shape
            of `tensor` does not fit.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.

    Example:
        >>> singular, u, v = tf.linalg.svd(tf.constant([[3.0, 0.0], [0.0, 4.0]]))
        >>> singular.numpy()
        array([4., 3.], dtype=float32)
    """

def tensor_diag(diagonal: TensorLike, name: str | None = None) -> Tensor:
    """Return a tensor of twice the rank with the given elements on its diagonal.

    Args:
        diagonal: the diagonals.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `diagonal` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def tensor_diag_part(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the diagonal of a tensor of even rank.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def trace(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the sum of the main diagonal of each matrix.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take, or the shape of `x`
            does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.linalg.trace(tf.constant([[1.0, 2.0], [3.0, 4.0]])).numpy()
        np.float32(5.0)
    """

def triangular_solve(
    matrix: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return x such that matrix x = rhs, where of matrix only one triangle is read.

    Args:
        matrix: a matrix, or a batch of matrices.
        rhs: the right-hand side, or sides.
        lower: whether the matrix is a lower triangle.
        adjoint: whether to solve with the adjoint matrix.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `matrix` or `rhs` has a dtype that it does not take, the
            dtypes of `matrix` and `rhs` differ, the shape of `matrix` or `rhs` does not fit, or the
            shapes of `matrix` and `rhs` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.linalg.triangular_solve([[2.0, 0.0], [1.0, 1.0]], [[2.0], [3.0]]).numpy()
        array([[1.],
               [2.]], dtype=float32)
    """

def tridiagonal_matmul(
    diagonals: Any,
    rhs: TensorLike,
    diagonals_format: str = 'compact',
    name: str | None = None,
) -> Tensor:
    """Return the product of tridiagonal matrices with matrices.

    Args:
        diagonals: the three diagonals.
        rhs: the right-hand side, or sides.
        diagonals_format: "compact", "matrix" or "sequence".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shape of `diagonals` does not fit, or `diagonals_format` is not a known
            one.
        tf.errors.InvalidArgumentError if `diagonals` or `rhs` has a dtype that it does not take,
            the dtypes of `diagonals` and `rhs` differ, the shape of `rhs` does not fit, or the
            shapes of `diagonals` and `rhs` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

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
    """Return x such that a x = rhs, for tridiagonal matrices a.

    Args:
        diagonals: the three diagonals.
        rhs: the right-hand side, or sides.
        diagonals_format: "compact", "matrix" or "sequence".
        transpose_rhs: whether to transpose the right-hand side.
        conjugate_rhs: whether to conjugate the right-hand side.
        name: a label, as in TensorFlow; it does not change the result.
        partial_pivoting: whether rows may be exchanged.
        perturb_singular: has no effect; there for compatibility.

    Raises:
        ValueError if the shape of `diagonals` or `rhs` does not fit, the shapes of `diagonals` and
            `rhs` do not fit together, or `diagonals_format` is not a known one.
        tf.errors.InvalidArgumentError if `diagonals` or `rhs` has a dtype that it does not take, or
            the dtypes of `diagonals` and `rhs` differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """
