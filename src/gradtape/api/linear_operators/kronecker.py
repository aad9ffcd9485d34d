"""`LinearOperatorKronecker`: the Kronecker product of operators."""

from __future__ import annotations

import functools
import math

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linear_operators.arguments import (
    common_batch,
    constructor_arguments,
    with_batch,
)
from gradtape.api.linear_operators.base import Structured
from gradtape.api.linear_operators.of_operators import OfOperators


def _outer(left, right):
    """Return all products of two vectors' elements, in a row."""
    table = ops.expand_dims(left, -1) * ops.expand_dims(right, -2)
    return ops.reshape(table, (*table.shape[:-2], table.shape[-2] * table.shape[-1]))


@export("linalg.LinearOperatorKronecker")
class LinearOperatorKronecker(OfOperators, Structured):
    """A₁ ⊗ A₂ ⊗ …: applied one factor after the other, without the large matrix."""

    def __init__(
        self,
        operators,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name=None,
    ):
        parameters = constructor_arguments(locals())
        self._init_with_hints_of_all(parameters, "their Kronecker product", "_x_")

    def _shape(self):
        batch = common_batch(*(o.batch_shape for o in self._operators))
        rows = math.prod(int(o.range_dimension) for o in self._operators)
        return (*batch, rows, math.prod(int(o.domain_dimension) for o in self._operators))

    def _apply_each(self, x, act, given: str, result: str):
        """Apply each factor to its own axis of x, whose rows are a grid."""
        batch = common_batch(self.batch_shape, x.shape[:-2])
        columns = x.shape[-1]
        sizes = [int(getattr(o, given)) for o in self._operators]
        grid = ops.reshape(with_batch(x, batch), (*batch, *sizes, columns))
        for i, operator in enumerate(self._operators):
            axis = len(batch) + i
            moved = ops.moveaxis(grid, axis, len(batch))
            shape = tuple(moved.shape)
            rest = math.prod(shape[len(batch) + 1 :])
            acted = act(operator, ops.reshape(moved, (*batch, shape[len(batch)], rest)))
            moved = ops.reshape(acted, (*batch, acted.shape[-2], *shape[len(batch) + 1 :]))
            grid = ops.moveaxis(moved, len(batch), axis)
        rows = math.prod(int(getattr(o, result)) for o in self._operators)
        return ops.reshape(grid, (*batch, rows, columns))

    def _apply(self, x, adjoint: bool):
        names = ("domain_dimension", "range_dimension")
        given, result = reversed(names) if adjoint else names
        return self._apply_each(x, lambda o, v: o.matmul(v, adjoint=adjoint), given, result)

    def _apply_inverse(self, rhs, adjoint: bool):
        names = ("range_dimension", "domain_dimension")
        given, result = reversed(names) if adjoint else names
        return self._apply_each(rhs, lambda o, v: o.solve(v, adjoint=adjoint), given, result)

    def _determinant(self):
        total = int(self.domain_dimension)
        result = 1.0
        for operator in self._operators:
            result = result * operator.determinant() ** (total // int(operator.domain_dimension))
        return result

    def _log_abs_determinant(self):
        total = int(self.domain_dimension)
        result = 0.0
        for operator in self._operators:
            share = total // int(operator.domain_dimension)
            result = result + operator.log_abs_determinant() * share
        return result

    def _trace(self):
        return functools.reduce(ops.multiply, (o.trace() for o in self._operators))

    def _diag_part(self):
        return functools.reduce(_outer, (o.diag_part() for o in self._operators))

    def _eigvals(self):
        return functools.reduce(_outer, (o.eigvals() for o in self._operators))

    def _to_dense(self):
        def kron(a, b):
            blocks = a[..., :, None, :, None] * b[..., None, :, None, :]
            m, p, n, q = blocks.shape[-4:]
            return ops.reshape(blocks, (*blocks.shape[:-4], m * p, n * q))

        return functools.reduce(kron, (o.to_dense() for o in self._operators))

    def _linop_adjoint(self):
        operators = [o.adjoint() for o in self._operators]
        return LinearOperatorKronecker(operators, is_square=True, **self._hints())

    def _linop_inverse(self):
        operators = [o.inverse() for o in self._operators]
        return LinearOperatorKronecker(operators, is_square=True, **self._hints())

    def _linop_cholesky(self):
        return LinearOperatorKronecker(
            [o.cholesky() for o in self._operators], is_non_singular=True, is_square=True
        )
