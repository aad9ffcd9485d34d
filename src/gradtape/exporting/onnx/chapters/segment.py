"""Reductions of rows that share a segment id; a negative id drops the row."""

from __future__ import annotations

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op


def _reduced(reduction: str, empty_of):
    def row(b: Builder, op: Op, x: str, ids: str) -> str:
        num = op.series("num")
        inner = op.shape(0)[1:]
        empty = b.constant(empty_of(op), op.dtype())
        count = b.size(num)
        # One more row takes what is dropped.
        sizes = b("Add", count, b.integers([1]))
        if inner:
            sizes = b("Concat", sizes, b.shape(inner), axis=0)
        at = b.cast(ids, np.int64)
        at = b.unsqueeze(b("Where", b("Less", at, np.int64(0)), count, at), -1)
        start = _lowest(op, reduction)
        if start is None:
            made = b("ScatterND", b("Expand", empty, sizes), at, x, reduction=reduction)
            return b("Slice", made, b.integers([0]), count, b.integers([0]))
        # Segments without rows keep a value of their own.
        start = b.constant(start, op.dtype())
        made = b("ScatterND", b("Expand", start, sizes), at, x, reduction=reduction)
        zeros = b("Expand", b.constant(0, np.int32), sizes)
        ones = b("Expand", b.constant(1, np.int32), b("Shape", x))
        used = b("ScatterND", zeros, at, ones, reduction="max")
        made = b("Where", b("Equal", used, np.int32(0)), empty, made)
        return b("Slice", made, b.integers([0]), count, b.integers([0]))

    return row


def _lowest(op: Op, reduction: str):
    """Return the number that a maximum or minimum starts from."""
    if reduction not in ("max", "min"):
        return None
    dtype = op.dtype()
    if dtype.kind == "f":
        return -np.inf if reduction == "max" else np.inf
    limits = np.iinfo(dtype)
    return limits.min if reduction == "max" else limits.max


def _segment_rows(b: Builder, op: Op, x: str, ids: str) -> str:
    at = b.cast(ids, np.int64)
    dropped = b("Less", at, np.int64(0))
    taken = b("Gather", x, b("Where", dropped, np.int64(0), at), axis=0)
    mask = b.unsqueeze(dropped, *range(1, op.rank())) if op.rank() > 1 else dropped
    return b("Where", mask, np.asarray(0, op.dtype()), taken)


ROWS = {
    "segment_sum": _reduced("add", lambda op: 0),
    "segment_prod": _reduced("mul", lambda op: 1),
    "segment_max": _reduced("max", lambda op: op["empty"]),
    "segment_min": _reduced("min", lambda op: op["empty"]),
    "segment_rows": _segment_rows,
}
