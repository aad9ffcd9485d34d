"""Products of matrices and of tensors with named axes."""

from __future__ import annotations

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op


def swapped(b: Builder, x: str, rank: int) -> str:
    """Transpose the matrices of a stack."""
    return b.transpose(x, [*range(rank - 2), rank - 1, rank - 2])


def _matmul(b: Builder, op: Op, x: str, y: str) -> str:
    if op["transpose_a"]:
        x = swapped(b, x, op.rank(0))
    if op["transpose_b"]:
        y = swapped(b, y, op.rank(1))
    return b("MatMul", x, y)


ROWS = {
    "matmul": _matmul,
    "einsum": lambda b, op, x, y: b("Einsum", x, y, equation=op["equation"]),
    "det": lambda b, op, x: b("Det", x),
}
