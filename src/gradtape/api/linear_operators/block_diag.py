"""`LinearOperatorBlockDiag`: operators along the diagonal."""

from __future__ import annotations

import functools

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linear_operators.base import (
    Structured,
    common_batch,
    one_dtype,
    settled,
    with_batch,
)
from gradtape.api.linear_operators.blocks import Blockwise, parted


@export("linalg.LinearOperatorBlockDiag")
class LinearOperatorBlockDiag(Blockwise, Structured):
    """Operators that act on one block of coordinates each."""

    _matrix_axes = (("operators", 0),)

    def __init__(
        self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
        is_square=True, name=None,
    ):  # fmt: skip
        parameters = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        self._operators = list(operators)
        dtype = one_dtype(self._operators, "LinearOperatorBlockDiag")
        hints = {}
        for hint in ("is_non_singular", "is_self_adjoint", "is_positive_definite"):
            hints[hint] = settled(
                parameters[hint],
                all(getattr(o, hint) for o in self._operators),
                f"All blocks have {hint}=True, so the whole has, too.",
            )
        name = name or "_ds_".join(o.name for o in self._operators)
        super().__init__(dtype, is_square=is_square, name=name, parameters=parameters, **hints)

    @property
    def operators(self) -> list:
        return self._operators

    def _block_sizes(self, which: str) -> list[int]:
        return [int(getattr(o, f"{which}_dimension")) for o in self._operators]

    def _shape(self):
        batch = common_batch(*(o.batch_shape for o in self._operators))
        return (*batch, sum(self._block_sizes("range")), sum(self._block_sizes("domain")))

    def _each(self, x, act, which: str):
        blocks = parted(x, self._block_sizes(which), -2)
        found = [act(o, block) for o, block in zip(self._operators, blocks, strict=True)]
        batch = common_batch(*(block.shape[:-2] for block in found))
        return ops.concat([with_batch(block, batch) for block in found], -2)

    def _apply(self, x, adjoint: bool):
        which = "range" if adjoint else "domain"
        return self._each(x, lambda o, block: o.matmul(block, adjoint=adjoint), which)

    def _apply_inverse(self, rhs, adjoint: bool):
        which = "domain" if adjoint else "range"
        return self._each(rhs, lambda o, block: o.solve(block, adjoint=adjoint), which)

    def _determinant(self):
        return functools.reduce(ops.multiply, (o.determinant() for o in self._operators))

    def _log_abs_determinant(self):
        return functools.reduce(ops.add, (o.log_abs_determinant() for o in self._operators))

    def _trace(self):
        return functools.reduce(ops.add, (o.trace() for o in self._operators))

    def _joined(self, vectors: list):
        batch = tuple(self.batch_shape)
        return ops.concat([with_batch(vector, batch, 1) for vector in vectors], -1)

    def _diag_part(self):
        if not all(o.is_square for o in self._operators):
            return ops.matrix_diag_part(self.to_dense())
        return self._joined([o.diag_part() for o in self._operators])

    def _eigvals(self):
        return self._joined([o.eigvals() for o in self._operators])

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

    def _hints(self) -> dict:
        return {
            "is_non_singular": self.is_non_singular,
            "is_self_adjoint": self.is_self_adjoint,
            "is_positive_definite": self.is_positive_definite,
        }

    def _linop_adjoint(self):
        return self._like([o.adjoint() for o in self._operators], **self._hints())

    def _linop_inverse(self):
        return self._like([o.inverse() for o in self._operators], **self._hints())

    def _linop_cholesky(self):
        return self._like([o.cholesky() for o in self._operators], is_non_singular=True)
