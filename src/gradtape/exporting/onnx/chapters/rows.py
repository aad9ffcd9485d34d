"""Writes of rows at indices; an index of -1 is ignored."""

from __future__ import annotations

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op


def scatter(b: Builder, whole: str, indices: str, rows: str, reduction: str, count: str) -> str:
    """Write rows into a tensor with `count` of them: one more, cut off later, takes the ignored."""
    at = b.cast(indices, np.int64)
    at = b("Where", b("Less", at, np.int64(0)), count, at)
    spare = b.slice(rows_like(b, whole), 0, 0, 1)
    longer = b("Concat", whole, spare, axis=0)
    written = b("ScatterND", longer, b.unsqueeze(at, -1), rows, reduction=reduction)
    return b("Slice", written, b.integers([0]), count, b.integers([0]))


def rows_like(b: Builder, whole: str) -> str:
    """Return a tensor that has at least one row, of the same kind as the rows of another."""
    shape = b("Shape", whole, start=1)
    zero = b("Sub", b("ReduceSum", whole, keepdims=0), b("ReduceSum", whole, keepdims=0))
    return b("Expand", zero, b("Concat", b.integers([1]), shape, axis=0))


def _writes(reduction_of):
    def row(b: Builder, op: Op, x: str, indices: str, updates: str) -> str:
        shape, inner = op.shape(0), op.shape(2)[1:]
        outer = len(shape) - len(inner)
        if op.rank(1) != 1:
            raise NotImplementedError(f"{op}: only a vector of indices is exported.")
        table = x
        if outer > 1:
            table = (
                b("Reshape", x, b("Concat", b.integers([-1]), b.shape(inner), axis=0))
                if (inner)
                else b("Reshape", x, b.integers([-1]))
            )
        count = b("Shape", table, start=0, end=1)
        reduction = reduction_of(op)
        if reduction == "subtract":
            updates, reduction = b("Neg", updates), "add"
        written = scatter(b, table, indices, updates, reduction, count)
        return b.reshape(written, shape) if outer > 1 else written

    return row


def _scaling(op: Op) -> str:
    if op["divide"]:
        raise NotImplementedError(f"{op}: rows that are divided are not in ONNX.")
    return "mul"


ROWS = {
    "set_rows": _writes(lambda op: "none"),
    "add_rows": _writes(lambda op: "subtract" if op["subtract"] else "add"),
    "extreme_rows": _writes(lambda op: "max" if op["largest"] else "min"),
    "scale_rows": _writes(_scaling),
    "row_number": lambda b, op, indices: indices,
}
