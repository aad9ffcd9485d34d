"""Concatenation and parts."""

from __future__ import annotations

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op


def _stack(b: Builder, op: Op, *xs: str) -> str:
    return b("Concat", *[b.unsqueeze(x, op["axis"]) for x in xs], axis=op["axis"])


def _split(b: Builder, op: Op, x: str) -> list[str]:
    sizes = op.series("sizes")
    return b.several("Split", [x, b.shape(sizes)], len(sizes), axis=op["axis"])


def _unstack(b: Builder, op: Op, x: str) -> list[str]:
    axis, count = op["axis"], len(op.outputs)
    parts = b.several("Split", [x, b.integers([1] * count)], count, axis=axis) if count > 1 else [x]
    return [b.squeeze(part, axis) for part in parts]


ROWS = {
    "concat": lambda b, op, *xs: b("Concat", *xs, axis=op["axis"]),
    "stack": _stack,
    "split": _split,
    "unstack": _unstack,
}
