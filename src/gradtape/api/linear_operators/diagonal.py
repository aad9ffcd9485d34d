"""`LinearOperatorDiag`: a diagonal matrix."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linear_operators.arguments import (
    constructor_arguments,
    require_diagonal,
    resolve_hint,
    to_stored_vectors,
)
from gradtape.api.linear_operators.base import LinearOperator, Structured


@export("linalg.LinearOperatorDiag")
class LinearOperatorDiag(Structured):
    """An operator that multiplies each coordinate by a number."""

    _matrix_axes = (("diag", 1),)

    def __init__(
        self,
        diag,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorDiag",
    ):
        parameters = constructor_arguments(locals())
        self._diag = to_stored_vectors(diag, "diag")
        is_self_adjoint = resolve_hint(
            is_self_adjoint,
            not self._diag.dtype.is_complex,
            "A real diagonal operator is always self adjoint.",
        )
        is_square = resolve_hint(
            is_square, True, "Only square diagonal operators currently supported."
        )
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(self._diag.dtype, None, *hints, name, parameters)

    @property
    def diag(self):
        return self._diag

    def _values(self, adjoint: bool = False):
        return ops.conj(self._diag) if adjoint else ops.to_tensor(self._diag)

    def _assert_non_singular(self):
        return require_diagonal(self._values())

    def _shape(self):
        shape = tuple(self._diag.shape)
        return (*shape, shape[-1])

    def _apply(self, x, adjoint: bool):
        return ops.expand_dims(self._values(adjoint), -1) * x

    def _apply_inverse(self, rhs, adjoint: bool):
        return rhs / ops.expand_dims(self._values(adjoint), -1)

    def _matvec(self, x, adjoint=False):
        return self._values(adjoint) * x

    def _solvevec(self, rhs, adjoint=False):
        return rhs / self._values(adjoint)

    def _determinant(self):
        return ops.reduce_prod(self._diag, -1)

    def _log_abs_determinant(self):
        result = ops.reduce_sum(ops.log(ops.abs(self._diag)), -1)
        return ops.cast(result, self.dtype) if self.dtype.is_complex else result

    def _to_dense(self):
        return ops.matrix_diag(self._diag)

    def _diag_part(self):
        return self._values()

    def _add_to_tensor(self, x):
        return ops.to_tensor(x) + self._to_dense()

    def _eigvals(self):
        return self._values()

    def _cond(self):
        magnitudes = ops.abs(self._diag)
        ratio = ops.reduce_max(magnitudes, -1) / ops.reduce_min(magnitudes, -1)
        # Infinite where a row is nothing but zeros, too.
        return ops.where(ops.is_nan(ratio), ops.to_tensor(float("inf"), ratio.dtype), ratio)

    def _linop_adjoint(self):
        return LinearOperatorDiag(self._values(True), is_square=True, **self._hints())

    def _linop_inverse(self):
        return LinearOperatorDiag(1 / self._values(), is_square=True, **self._hints())

    def _linop_cholesky(self):
        return LinearOperatorDiag(
            ops.sqrt(self._diag), is_non_singular=True, is_self_adjoint=True, is_square=True
        )

    def _linop_matmul(self, left_operator: LinearOperator, right_operator: LinearOperator):
        if not isinstance(right_operator, LinearOperatorDiag):
            return super()._linop_matmul(left_operator, right_operator)
        both = self.is_non_singular and right_operator.is_non_singular
        return LinearOperatorDiag(
            self._values() * right_operator._values(), is_non_singular=both or None
        )
