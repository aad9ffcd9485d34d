"""`LinearOperatorHouseholder`: a reflection."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linalg.norms import l2_normalize
from gradtape.api.linear_operators.arguments import (
    constructor_arguments,
    resolve_hint,
    to_stored_vectors,
    with_batch,
)
from gradtape.api.linear_operators.base import Structured


@export("linalg.LinearOperatorHouseholder")
class LinearOperatorHouseholder(Structured):
    """The reflection at the plane to which a vector is normal: I - 2 v vᵀ / |v|²."""

    _matrix_axes = (("reflection_axis", 1),)

    def __init__(
        self,
        reflection_axis,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorHouseholder",
    ):
        parameters = constructor_arguments(locals())
        self._reflection_axis = to_stored_vectors(reflection_axis, "reflection_axis")
        if is_positive_definite:
            raise ValueError("Householder operator is always not positive definite.")
        resolve_hint(is_non_singular, True, "Householder operator is always non-singular.")
        super().__init__(
            self._reflection_axis.dtype,
            None,
            is_non_singular,
            resolve_hint(is_self_adjoint, True, "Householder operator is always self adjoint."),
            False,
            resolve_hint(is_square, True, "Householder operator is always square."),
            name,
            parameters,
        )

    @property
    def reflection_axis(self):
        return self._reflection_axis

    def _shape(self):
        shape = tuple(self._reflection_axis.shape)
        return (*shape, shape[-1])

    def _axis(self):
        return ops.expand_dims(l2_normalize(ops.to_tensor(self._reflection_axis), axis=-1), -1)

    def _apply(self, x, adjoint: bool):
        # A reflection is its own adjoint.
        normal = self._axis()
        return x - 2 * normal * ops.matmul(normal, x, adjoint_a=True)

    def _apply_inverse(self, rhs, adjoint: bool):
        return self._apply(rhs, adjoint)

    def _numbers(self, value: float):
        return ops.fill(tuple(self.batch_shape), ops.to_tensor(value, self.dtype))

    def _determinant(self):
        return self._numbers(-1.0)

    def _log_abs_determinant(self):
        return self._numbers(0.0)

    def _trace(self):
        return self._numbers(float(self.domain_dimension - 2))

    def _cond(self):
        return self._numbers(1.0)

    def _to_dense(self):
        normal = self._axis()
        eye = with_batch(self._eye(), tuple(self.batch_shape))
        return eye - 2 * ops.matmul(normal, normal, adjoint_b=True)

    def _diag_part(self):
        return 1.0 - 2.0 * ops.square(ops.squeeze(self._axis(), [-1]))

    def _eigvals(self):
        ones = ops.ones((*self.batch_shape, self.domain_dimension - 1), self.dtype)
        return ops.concat([ops.expand_dims(self._numbers(-1.0), -1), ones], -1)

    def _linop_inverse(self):
        return self
