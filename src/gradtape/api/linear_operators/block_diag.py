"""`LinearOperatorBlockDiag`: operators along the diagonal."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linear_operators.arguments import (
    common_batch,
    constructor_arguments,
    with_batch,
)
from gradtape.api.linear_operators.base import Structured
from gradtape.api.linear_operators.blocks import Blockwise, split_blocks
from gradtape.api.linear_operators.of_operators import OfOperators


@export("linalg.LinearOperatorBlockDiag")
class LinearOperatorBlockDiag(Blockwise, OfOperators, Structured):
    """Operators that act on one block of coordinates each."""

    def __init__(
        self,
        operators,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=True,
        name=None,
    ):
        parameters = constructor_arguments(locals())
        self._init_with_hints_of_all(parameters, "the block diagonal operator", "_ds_")

    def _diagonal(self) -> list:
        return self._operators

    def _block_sizes(self, which: str) -> list[int]:
        return [int(getattr(o, f"{which}_dimension")) for o in self._operators]

    def _shape(self):
        batch = common_batch(*(o.batch_shape for o in self._operators))
        return (*batch, sum(self._block_sizes("range")), sum(self._block_sizes("domain")))

    def _apply_each(self, x, act, which: str):
        blocks = split_blocks(x, self._block_sizes(which), -2)
        results = [act(o, block) for o, block in zip(self._operators, blocks, strict=True)]
        batch = common_batch(*(block.shape[:-2] for block in results))
        return ops.concat([with_batch(block, batch) for block in results], -2)

    def _apply(self, x, adjoint: bool):
        which = "range" if adjoint else "domain"
        return self._apply_each(x, lambda o, block: o.matmul(block, adjoint=adjoint), which)

    def _apply_inverse(self, rhs, adjoint: bool):
        which = "domain" if adjoint else "range"
        return self._apply_each(rhs, lambda o, block: o.solve(block, adjoint=adjoint), which)

    def _join_blocks(self, vectors: list):
        batch = tuple(self.batch_shape)
        return ops.concat([with_batch(vector, batch, 1) for vector in vectors], -1)

    def _diag_part(self):
        if not all(o.is_square for o in self._operators):
            return ops.matrix_diag_part(self.to_dense())
        return self._join_blocks([o.diag_part() for o in self._operators])

    def _eigvals(self):
        return self._join_blocks([o.eigvals() for o in self._operators])

    def _to_dense(self):
        batch, columns = tuple(self.batch_shape), int(self.domain_dimension)
        rows, before = [], 0
        for operator in self._operators:
            block = with_batch(operator.to_dense(), batch)
            after = columns - before - block.shape[-1]
            sides = [(0, 0)] * (block.ndim - 1) + [(before, after)]
            rows.append(ops.pad(block, sides))
            before += block.shape[-1]
        return ops.concat(rows, -2)

    def _like(self, operators, **hints):
        return LinearOperatorBlockDiag(operators, is_square=True, **hints)

    def _linop_adjoint(self):
        return self._like([o.adjoint() for o in self._operators], **self._hints())

    def _linop_inverse(self):
        return self._like([o.inverse() for o in self._operators], **self._hints())

    def _linop_cholesky(self):
        return self._like([o.cholesky() for o in self._operators], is_non_singular=True)
