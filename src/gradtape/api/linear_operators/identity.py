"""Operators that need no matrix: the identity, multiples of it, and zero."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linear_operators.arguments import (
    common_batch,
    constructor_arguments,
    resolve_hint,
    to_stored,
    with_batch,
)
from gradtape.api.linear_operators.base import LinearOperator, Structured
from gradtape.core import dtypes
from gradtape.core.convert import static_ints, static_value
from gradtape.core.dtypes import as_dtype


def _size(value, what: str) -> int:
    number = static_value(value)
    if np.ndim(number) or int(number) != number or number < 0:
        raise ValueError(f"{what} must be a non-negative integer, got {value!r}.")
    return int(number)


def _batch(value) -> tuple[int, ...]:
    sizes = () if value is None else tuple(static_ints(value))
    if any(n < 0 for n in sizes):
        raise ValueError(f"batch_shape must be non-negative, got {value!r}.")
    return sizes


def _always(what: str, **hints) -> None:
    for hint, (value, text) in hints.items():
        if not value:
            raise ValueError(f"{what} is always {text}; {hint} cannot be {value}.")


@export("linalg.LinearOperatorIdentity")
class LinearOperatorIdentity(Structured):
    """The identity."""

    def __init__(
        self,
        num_rows,
        batch_shape=None,
        dtype=None,
        is_non_singular=True,
        is_self_adjoint=True,
        is_positive_definite=True,
        is_square=True,
        assert_proper_shapes=False,
        name="LinearOperatorIdentity",
    ):
        parameters = constructor_arguments(locals())
        _always(
            "An identity operator",
            is_self_adjoint=(is_self_adjoint, "self adjoint"),
            is_non_singular=(is_non_singular, "non-singular"),
            is_positive_definite=(is_positive_definite, "positive-definite"),
            is_square=(is_square, "square"),
        )
        self._num_rows = _size(num_rows, "num_rows")
        self._batch = _batch(batch_shape)
        super().__init__(dtype or dtypes.float32, None, True, True, True, True, name, parameters)

    def _shape(self):
        return (*self._batch, self._num_rows, self._num_rows)

    def _fit(self, x, axes: int = 2):
        batch = common_batch(self._batch, x.shape[: x.ndim - axes])
        return with_batch(x, batch, axes)

    def _apply(self, x, adjoint: bool):
        return self._fit(x)

    def _apply_inverse(self, rhs, adjoint: bool):
        return self._fit(rhs)

    def _determinant(self):
        return ops.ones(self._batch, self.dtype)

    def _log_abs_determinant(self):
        return ops.zeros(self._batch, self.dtype)

    def _trace(self):
        return ops.fill_like(self._determinant(), self._num_rows)

    def _diag_part(self):
        return ops.ones((*self._batch, self._num_rows), self.dtype)

    def _eigvals(self):
        return self._diag_part()

    def _cond(self):
        return self._determinant()

    def _to_dense(self):
        return self._eye()

    def _linop_inverse(self):
        return self

    def _linop_cholesky(self):
        return self

    def __getitem__(self, slices):
        batch = np.empty(self._batch, bool)[slices].shape
        return LinearOperatorIdentity(self._num_rows, batch, self.dtype)


@export("linalg.LinearOperatorScaledIdentity")
class LinearOperatorScaledIdentity(Structured):
    """A number (for each element of the batch) times the identity."""

    _matrix_axes = (("multiplier", 0),)

    def __init__(
        self,
        num_rows,
        multiplier,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=True,
        assert_proper_shapes=False,
        name="LinearOperatorScaledIdentity",
    ):
        parameters = constructor_arguments(locals())
        self._multiplier = to_stored(multiplier)
        self._num_rows = _size(num_rows, "num_rows")
        is_self_adjoint = resolve_hint(
            is_self_adjoint,
            not self._multiplier.dtype.is_complex,
            "A real scaled identity operator is always self adjoint.",
        )
        is_square = resolve_hint(is_square, True, "A scaled identity operator is always square.")
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(self._multiplier.dtype, None, *hints, name, parameters)

    @property
    def multiplier(self):
        return self._multiplier

    def _shape(self):
        return (*self._multiplier.shape, self._num_rows, self._num_rows)

    def _factor(self, adjoint: bool, axes: int):
        factor = ops.conj(self._multiplier) if adjoint else ops.to_tensor(self._multiplier)
        return ops.reshape(factor, (*factor.shape, *(1,) * axes))

    def _apply(self, x, adjoint: bool):
        return x * self._factor(adjoint, 2)

    def _apply_inverse(self, rhs, adjoint: bool):
        return rhs / self._factor(adjoint, 2)

    def _determinant(self):
        return ops.pow(self._multiplier, self._num_rows)

    def _log_abs_determinant(self):
        result = self._num_rows * ops.log(ops.abs(self._multiplier))
        return ops.cast(result, self.dtype) if self.dtype.is_complex else result

    def _trace(self):
        return ops.multiply(self._multiplier, self._num_rows)

    def _diag_part(self):
        shape = (*self._multiplier.shape, self._num_rows)
        return ops.broadcast_to(self._factor(False, 1), shape)

    def _eigvals(self):
        return self._diag_part()

    def _cond(self):
        factor = ops.to_tensor(self._multiplier)
        infinite = ops.fill_like(factor, float("inf"))
        return ops.where(ops.equal(factor, 0), infinite, ops.ones_like(factor))

    def _to_dense(self):
        return ops.matrix_diag(self._diag_part())

    def _like(self, multiplier, **hints):
        return LinearOperatorScaledIdentity(self._num_rows, multiplier, **hints)

    def _linop_adjoint(self):
        return self._like(
            ops.conj(self._multiplier),
            is_non_singular=self.is_non_singular,
            is_positive_definite=self.is_positive_definite,
        )

    def _linop_inverse(self):
        return self._like(
            1 / ops.to_tensor(self._multiplier),
            is_non_singular=self.is_non_singular,
            is_positive_definite=self.is_positive_definite,
        )

    def _linop_cholesky(self):
        return self._like(ops.sqrt(self._multiplier), is_non_singular=True)

    def _linop_matmul(self, left_operator: LinearOperator, right_operator: LinearOperator):
        if isinstance(right_operator, LinearOperatorScaledIdentity):
            return self._like(
                ops.multiply(self._multiplier, ops.to_tensor(right_operator.multiplier))
            )
        return super()._linop_matmul(left_operator, right_operator)


@export("linalg.LinearOperatorZeros")
class LinearOperatorZeros(Structured):
    """Zero."""

    def __init__(
        self,
        num_rows,
        num_columns=None,
        batch_shape=None,
        dtype=None,
        is_non_singular=False,
        is_self_adjoint=True,
        is_positive_definite=False,
        is_square=True,
        assert_proper_shapes=False,
        name="LinearOperatorZeros",
    ):
        parameters = constructor_arguments(locals())
        self._rows = _size(num_rows, "num_rows")
        self._columns = self._rows if num_columns is None else _size(num_columns, "num_columns")
        self._batch = _batch(batch_shape)
        if is_non_singular or is_positive_definite:
            raise ValueError("A zeros operator is singular, and never positive definite.")
        if is_square and self._rows != self._columns:
            raise ValueError(
                "LinearOperatorZeros initialized as is_square, but shape is not square."
            )
        if is_self_adjoint and not is_square:
            raise ValueError("A zeros operator that is not square is not self-adjoint.")
        super().__init__(
            as_dtype(dtype or dtypes.float32),
            None,
            False,
            is_self_adjoint,
            False,
            is_square,
            name,
            parameters,
        )

    def _shape(self):
        return (*self._batch, self._rows, self._columns)

    def _apply(self, x, adjoint: bool):
        batch = common_batch(self._batch, x.shape[:-2])
        rows = self._columns if adjoint else self._rows
        return ops.zeros((*batch, rows, x.shape[-1]), self.dtype)

    def _determinant(self):
        return ops.zeros(self._batch, self.dtype)

    def _trace(self):
        return self._determinant()

    def _diag_part(self):
        return ops.zeros((*self._batch, min(self._rows, self._columns)), self.dtype)

    def _eigvals(self):
        return self._diag_part()

    def _to_dense(self):
        return ops.zeros(self._shape(), self.dtype)

    def _log_abs_determinant(self):
        return ops.log(self._determinant())
