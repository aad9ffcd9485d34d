"""`LinearOperatorBlockLowerTriangular`: rows of operators, up to the diagonal."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linear_operators.arguments import (
    common_batch,
    constructor_arguments,
    one_dtype,
    resolve_hint,
    with_batch,
)
from gradtape.api.linear_operators.base import Structured
from gradtape.api.linear_operators.blocks import Blockwise, split_blocks
from gradtape.api.linear_operators.of_operators import OfOperators


@export("linalg.LinearOperatorBlockLowerTriangular")
class LinearOperatorBlockLowerTriangular(Blockwise, OfOperators, Structured):
    """[[A₀₀], [A₁₀, A₁₁], …]: solved by substitution, block by block."""

    def __init__(
        self,
        operators,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorBlockLowerTriangular",
    ):
        parameters = constructor_arguments(locals())
        self._operators = [list(row) for row in operators]
        flat = [operator for row in self._operators for operator in row]
        dtype = one_dtype(flat, "LinearOperatorBlockLowerTriangular")
        self._check()
        is_non_singular = resolve_hint(
            is_non_singular,
            all(o.is_non_singular for o in self._diagonal()),
            "A block lower triangular operator with non-singular diagonal is non-singular.",
        )
        is_square = resolve_hint(is_square, True, "A block lower triangular operator is square.")
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(dtype, None, *hints, name, parameters)

    def _check(self) -> None:
        for i, row in enumerate(self._operators):
            if len(row) != i + 1:
                raise ValueError(
                    f"Row {i} of a block lower triangular operator has {i + 1} operators, got "
                    f"{len(row)}."
                )
            if not row[-1].is_square:
                raise ValueError(f"The operator on the diagonal of row {i} must be square.")
            for j, operator in enumerate(row):
                wanted = (row[-1].range_dimension, self._operators[j][j].domain_dimension)
                result = (operator.range_dimension, operator.domain_dimension)
                if result != wanted:
                    raise ValueError(
                        f"The operator in row {i}, column {j} must have shape {wanted}, got "
                        f"{result}."
                    )

    def _diagonal(self) -> list:
        return [row[-1] for row in self._operators]

    def _block_sizes(self, which: str) -> list[int]:
        return [int(o.domain_dimension) for o in self._diagonal()]

    def _shape(self):
        batch = common_batch(*(o.batch_shape for row in self._operators for o in row))
        size = sum(self._block_sizes("domain"))
        return (*batch, size, size)

    def _join_blocks(self, blocks: list, axes: int = 2):
        batch = common_batch(*(block.shape[: block.ndim - axes] for block in blocks))
        return ops.concat([with_batch(block, batch, axes) for block in blocks], -axes)

    def _terms(self, row: int, adjoint: bool) -> list[tuple]:
        """Return (operator, column) of what stands in a row beside the diagonal."""
        if adjoint:
            later = range(row + 1, len(self._operators))
            return [(self._operators[j][row], j) for j in later]
        return [(self._operators[row][j], j) for j in range(row)]

    def _apply(self, x, adjoint: bool):
        blocks = split_blocks(x, self._block_sizes("domain"), -2)
        results = []
        for i, operator in enumerate(self._diagonal()):
            total = operator.matmul(blocks[i], adjoint=adjoint)
            for beside, j in self._terms(i, adjoint):
                total = total + beside.matmul(blocks[j], adjoint=adjoint)
            results.append(total)
        return self._join_blocks(results)

    def _apply_inverse(self, rhs, adjoint: bool):
        blocks = split_blocks(rhs, self._block_sizes("domain"), -2)
        result: dict[int, ops.Tensor] = {}
        rows = range(len(blocks))
        for i in reversed(rows) if adjoint else rows:
            rest = blocks[i]
            for beside, j in self._terms(i, adjoint):
                rest = rest - beside.matmul(result[j], adjoint=adjoint)
            result[i] = self._operators[i][i].solve(rest, adjoint=adjoint)
        return self._join_blocks([result[i] for i in rows])

    def _diag_part(self):
        return self._join_blocks([o.diag_part() for o in self._diagonal()], 1)

    def _eigvals(self):
        return self._join_blocks([o.eigvals() for o in self._diagonal()], 1)

    def _to_dense(self):
        batch, size = tuple(self.batch_shape), int(self.domain_dimension)
        rows = []
        for row in self._operators:
            whole = ops.concat([with_batch(o.to_dense(), batch) for o in row], -1)
            rows.append(ops.pad(whole, [(0, 0)] * (whole.ndim - 1) + [(0, size - whole.shape[-1])]))
        return ops.concat(rows, -2)
