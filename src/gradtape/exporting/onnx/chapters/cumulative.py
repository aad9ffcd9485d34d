"""Cumulative sums and other recurrences along one axis."""

from __future__ import annotations

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op


def _cumsum(b: Builder, op: Op, x: str) -> str:
    axis = b.constant(op["axis"], np.int64)
    return b("CumSum", x, axis, exclusive=int(op["exclusive"]), reverse=int(op["reverse"]))


def _shift(b: Builder, op: Op, x: str) -> str:
    axis, by = op["axis"], op["by"]
    shape = op.shape(0)
    edge = [size if i != axis else (1,) * len(size) for i, size in enumerate(shape)]
    filler = b.expand(b.constant(op["fill"], op.dtype()), edge)
    if by < 0:
        return b("Concat", b.slice(x, axis, 1, None), filler, axis=axis)
    return b("Concat", filler, b.slice(x, axis, None, -1), axis=axis)


ROWS = {"cumsum": _cumsum, "shift": _shift}
