"""`LinearOperatorLowRankUpdate`: an operator plus a product of thin matrices."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linear_operators.arguments import (
    common_batch,
    constructor_arguments,
    resolve_hint,
    same_batch,
    to_stored,
    with_batch,
)
from gradtape.api.linear_operators.base import Structured
from gradtape.api.linear_operators.diagonal import LinearOperatorDiag
from gradtape.api.linear_operators.identity import LinearOperatorIdentity


@export("linalg.LinearOperatorLowRankUpdate")
class LinearOperatorLowRankUpdate(Structured):
    """L + U D Vᴴ: solved through a system as small as the rank of the update (Woodbury)."""

    _matrix_axes = (
        ("base_operator", 0),
        ("u", 2),
        ("diag_update", 1),
        ("v", 2),
    )

    def __init__(
        self,
        base_operator,
        u,
        diag_update=None,
        v=None,
        is_diag_update_positive=None,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorLowRankUpdate",
    ):
        parameters = constructor_arguments(locals())
        dtype = base_operator.dtype
        is_diag_update_positive = resolve_hint(
            is_diag_update_positive,
            diag_update is None,
            "The default diagonal is the identity, which is positive.",
        )
        self._use_cholesky = bool(
            base_operator.is_positive_definite
            and base_operator.is_self_adjoint
            and is_diag_update_positive
            and v is None
        )
        symmetric = base_operator.is_self_adjoint and v is None and not dtype.is_complex
        text = "The arguments imply a self-adjoint (positive definite) operator."
        is_self_adjoint = resolve_hint(is_self_adjoint, symmetric or self._use_cholesky, text)
        is_positive_definite = resolve_hint(is_positive_definite, self._use_cholesky, text)
        self._base_operator = base_operator
        self._u = to_stored(u)
        self._v = self._u if v is None else to_stored(v)
        self._diag_update = None if diag_update is None else to_stored(diag_update)
        self._is_diag_update_positive = is_diag_update_positive
        self._check_shapes()
        rank = self._u.shape[-1]
        self._diag_operator = (
            LinearOperatorIdentity(rank, dtype=dtype)
            if self._diag_update is None
            else LinearOperatorDiag(self._diag_update, is_positive_definite=is_diag_update_positive)
        )
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(dtype, None, *hints, name, parameters)

    def _check_shapes(self) -> None:
        rows, columns = self._base_operator.shape[-2:]
        rank = self._u.shape[-1]
        if self._u.shape[-2] != rows or self._v.shape[-2] != columns or self._v.shape[-1] != rank:
            raise ValueError(
                f"u and v of shapes {tuple(self._u.shape)} and {tuple(self._v.shape)} do not fit "
                f"an operator of shape {tuple(self._base_operator.shape)}."
            )
        if self._diag_update is not None and self._diag_update.shape[-1] != rank:
            raise ValueError(
                f"diag_update of shape {tuple(self._diag_update.shape)} does not fit u of shape "
                f"{tuple(self._u.shape)}."
            )

    @property
    def u(self):
        return self._u

    @property
    def v(self):
        return self._v

    @property
    def diag_update(self):
        return self._diag_update

    @property
    def diag_operator(self):
        return self._diag_operator

    @property
    def base_operator(self):
        return self._base_operator

    @property
    def is_diag_update_positive(self):
        return self._is_diag_update_positive

    def _shape(self):
        batch = common_batch(
            self._base_operator.batch_shape,
            self._diag_operator.batch_shape,
            self._u.shape[:-2],
            self._v.shape[:-2],
        )
        return (*batch, *self._base_operator.shape[-2:])

    def _thin(self):
        batch = common_batch(self._u.shape[:-2], self._v.shape[:-2])
        return with_batch(ops.to_tensor(self._u), batch), with_batch(ops.to_tensor(self._v), batch)

    def _apply(self, x, adjoint: bool):
        u, v = self._thin()
        if adjoint:
            u, v = v, u
        inner = self._diag_operator.matmul(ops.matmul(v, x, adjoint_a=True), adjoint=adjoint)
        return self._base_operator.matmul(x, adjoint=adjoint) + ops.matmul(u, inner)

    def _capacitance(self, u, v):
        """Return D⁻¹ + Vᴴ L⁻¹ U, as small as the rank of the update."""
        inner = ops.matmul(v, self._base_operator.solve(u), adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(inner)

    def _apply_inverse(self, rhs, adjoint: bool):
        if self._base_operator.is_non_singular is False:
            raise ValueError(
                f"{self.name}.solve: the base operator must not be singular; use to_dense()."
            )
        u, v = self._thin()
        capacitance = self._capacitance(u, v)
        if adjoint:
            u, v = v, u
        solved = self._base_operator.solve(rhs, adjoint=adjoint)
        inner = ops.matmul(v, solved, adjoint_a=True)
        if self._use_cholesky:
            inner = ops.cholesky_solve(*same_batch(ops.cholesky(capacitance), inner))
        else:
            capacitance, inner = same_batch(capacitance, inner)
            inner = ops.solve(capacitance, inner, adjoint)
        return solved - self._base_operator.solve(ops.matmul(u, inner), adjoint=adjoint)

    def _determinant(self):
        result = self._base_operator.determinant() * self._diag_operator.determinant()
        capacitance = self._capacitance(*self._thin())
        if self._use_cholesky:
            diagonal = ops.matrix_diag_part(ops.cholesky(capacitance))
            return result * ops.square(ops.reduce_prod(diagonal, -1))
        return result * ops.det(capacitance)

    def _log_abs_determinant(self):
        result = self._base_operator.log_abs_determinant()
        result = result + self._diag_operator.log_abs_determinant()
        capacitance = self._capacitance(*self._thin())
        if self._use_cholesky:
            diagonal = ops.matrix_diag_part(ops.cholesky(capacitance))
            return result + 2.0 * ops.reduce_sum(ops.log(diagonal), -1)
        return result + ops.slogdet(capacitance)[1]

    def _diag_part(self):
        u, v = self._thin()
        scaled = u * ops.expand_dims(self._diag_operator.diag_part(), -2)
        return self._base_operator.diag_part() + ops.reduce_sum(scaled * ops.conj(v), -1)
