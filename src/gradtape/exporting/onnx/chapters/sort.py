"""Sorting, the largest elements, and search in sorted sequences."""

from __future__ import annotations

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op
from gradtape.exporting.sizes import Series


def _top(b: Builder, x: str, axis: int, count: Series, descending: bool) -> list[str]:
    return b.several("TopK", [x, b.size(count)], 2, axis=axis, largest=int(descending), sorted=1)


def _sort(b: Builder, op: Op, x: str) -> str:
    axis = op["axis"]
    return _top(b, x, axis, op.shape(0)[axis], op["descending"])[0]


def _argsort(b: Builder, op: Op, x: str) -> str:
    axis = op["axis"]
    return b.cast(_top(b, x, axis, op.shape(0)[axis], op["descending"])[1], op.result())


def _top_k_indices(b: Builder, op: Op, x: str) -> str:
    return b.cast(_top(b, x, -1, op.series("k"), True)[1], op.result())


def _searchsorted(b: Builder, op: Op, sequence: str, values: str) -> str:
    """Count the elements that are less (or equal): what a binary search finds."""
    compare = "Less" if op["side"] == "left" else "LessOrEqual"
    below = b(compare, b.unsqueeze(sequence, -2), b.unsqueeze(values, -1))
    return b.reduce("ReduceSum", b.cast(below, op.result()), [-1], False)


ROWS = {
    "sort": _sort,
    "argsort": _argsort,
    "top_k_indices": _top_k_indices,
    "searchsorted": _searchsorted,
}
