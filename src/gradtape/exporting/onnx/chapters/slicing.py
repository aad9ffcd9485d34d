"""Slices, read and written."""

from __future__ import annotations

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op
from gradtape.exporting.sizes import Series, constant


def _entries(op: Op) -> tuple[list[tuple[int, tuple]], list[int], list[int]]:
    """Return the slices by axis of the input, the axes that are dropped, and those that are new."""
    slices, dropped, new = [], [], []
    axis = made = 0
    for entry in op.series("index"):
        if entry is None:
            new.append(made)
            made += 1
            continue
        if len(entry) == 3 and _is_slice(op, axis + len(new)):
            if any(part is not None for part in entry):
                slices.append((axis, entry))
            made += 1
        else:
            slices.append((axis, (entry, None, None)))
            dropped.append(axis)
        axis += 1
    return slices, dropped, new


def _is_slice(op: Op, position: int) -> bool:
    return type(op.nodes[0].params["index"][position]) is tuple


def _step(step: Series | None) -> int:
    return 1 if step is None else step[0]


def _bounds(op: Op, axis: int, entry: tuple, dropped: list[int]) -> tuple:
    """Return start, stop and step of a slice; an integer is the slice of its one element."""
    start, stop, step = entry
    if axis not in dropped:
        return start, stop, _step(step)
    fixed = constant(start)
    if fixed is None:
        return start, tuple([n + 1 for n in start]), 1
    return fixed, (None if fixed == -1 else fixed + 1), 1


def _slice(b: Builder, op: Op, x: str) -> str:
    slices, dropped, new = _entries(op)
    starts, stops, axes, steps = [], [], [], []
    last = np.iinfo(np.int64)
    for axis, entry in slices:
        start, stop, step = _bounds(op, axis, entry, dropped)
        starts.append(b.bound(start, 0 if step > 0 else last.max))
        stops.append(b.bound(stop, last.max if step > 0 else last.min))
        axes.append(axis)
        steps.append(step)
    if slices:
        x = b(
            "Slice", x, _vector(b, starts), _vector(b, stops), b.integers(axes), b.integers(steps)
        )
    if dropped:
        x = b.squeeze(x, *dropped)
    return b.unsqueeze(x, *new) if new else x


def _vector(b: Builder, parts: list[str]) -> str:
    known = [b.known(part) for part in parts]
    if all(part is not None for part in known):
        return b.integers([int(part[0]) for part in known if part is not None])
    return b("Concat", *parts, axis=0)


def _positions(b: Builder, op: Op, shape: list[Series]) -> str:
    """Return the flat positions, in a tensor of a shape, that an index selects."""
    total = b("Mul", b.size(shape[0]), b.integers([1]))
    for size in shape[1:]:
        total = b("Mul", total, b.size(size))
    numbers = b("Range", np.int64(0), b("Reshape", total, b.integers([])), np.int64(1))
    return _slice(b, op, b.reshape(numbers, shape))


def _write(b: Builder, op: Op, whole: str, part: str, shape: list[Series]) -> str:
    """Return a tensor with a part of it replaced."""
    flat = b("Reshape", whole, b.integers([-1]))
    at = b("Reshape", _positions(b, op, shape), b.integers([-1, 1]))
    values = b("Reshape", part, b.integers([-1]))
    return b.reshape(b("ScatterND", flat, at, values), shape)


def _put_slice(b: Builder, op: Op, x: str) -> str:
    shape = list(op.series("shape"))
    zeros = b.expand(b.constant(0, op.dtype()), shape)
    return _write(b, op, zeros, x, shape)


ROWS = {
    "slice": _slice,
    "put_slice": _put_slice,
    "update_slice": lambda b, op, x, value: _write(b, op, x, value, op.shape(0)),
}
