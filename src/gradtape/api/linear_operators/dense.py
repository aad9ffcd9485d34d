"""Operators that are stored as matrices: full ones, and lower triangular ones."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linear_operators.arguments import (
    constructor_arguments,
    require_diagonal,
    resolve_hint,
    same_batch,
    to_stored,
)
from gradtape.api.linear_operators.base import Structured


def _check_matrix(matrix, what: str) -> None:
    if len(matrix.shape) < 2:
        raise ValueError(f"{what} must have at least 2 dimensions. Found: {tuple(matrix.shape)}")


@export("linalg.LinearOperatorFullMatrix")
class LinearOperatorFullMatrix(Structured):
    """An operator that is given by its matrix."""

    _matrix_axes = (("matrix", 2),)

    def __init__(
        self,
        matrix,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorFullMatrix",
    ):
        parameters = constructor_arguments(locals())
        self._matrix = to_stored(matrix)
        _check_matrix(self._matrix, "Argument matrix")
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(self._matrix.dtype, None, *hints, name, parameters)

    @property
    def matrix(self):
        return self._matrix

    def _shape(self):
        return self._matrix.shape

    def _apply(self, x, adjoint: bool):
        return ops.matmul(ops.to_tensor(self._matrix), x, adjoint_a=adjoint)

    def _to_dense(self):
        return ops.to_tensor(self._matrix)


@export("linalg.LinearOperatorLowerTriangular")
class LinearOperatorLowerTriangular(Structured):
    """An operator whose matrix is lower triangular; what stands above the diagonal is not seen."""

    _matrix_axes = (("tril", 2),)

    def __init__(
        self,
        tril,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorLowerTriangular",
    ):
        parameters = constructor_arguments(locals())
        is_square = resolve_hint(
            is_square, True, "Only square lower triangular operators supported at this time."
        )
        self._tril = to_stored(tril)
        _check_matrix(self._tril, "Argument tril")
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(self._tril.dtype, None, *hints, name, parameters)

    @property
    def tril(self):
        return self._tril

    def _shape(self):
        return self._tril.shape

    def _assert_non_singular(self):
        return require_diagonal(self._diag_part())

    def _lower(self):
        return ops.band_part(self._tril, -1, 0)

    def _apply(self, x, adjoint: bool):
        return ops.matmul(self._lower(), x, adjoint_a=adjoint)

    def _apply_inverse(self, rhs, adjoint: bool):
        matrix, rhs = same_batch(self._lower(), rhs)
        return ops.triangular_solve(matrix, rhs, True, adjoint)

    def _determinant(self):
        return ops.reduce_prod(self._diag_part(), -1)

    def _log_abs_determinant(self):
        return ops.reduce_sum(ops.log(ops.abs(self._diag_part())), -1)

    def _diag_part(self):
        return ops.matrix_diag_part(self._tril)

    def _to_dense(self):
        return self._lower()

    def _eigvals(self):
        return self._diag_part()
