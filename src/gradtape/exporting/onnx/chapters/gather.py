"""Reads at indices that are tensors."""

from __future__ import annotations

import math

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op
from gradtape.exporting.sizes import constant


def _gather(b: Builder, op: Op, x: str, indices: str) -> str:
    axis, batch = op["axis"], op["batch_dims"]
    if op.dtype(1) not in (np.int32, np.int64):
        indices = b.cast(indices, np.int64)
    if not batch:
        return b("Gather", x, indices, axis=axis)
    rank, more = op.rank(), op.rank(1) - batch
    order = [*range(batch), axis, *[i for i in range(batch, rank) if i != axis]]
    at = b.unsqueeze(indices if op.dtype(1) == np.int64 else b.cast(indices, np.int64), -1)
    taken = b("GatherND", b.transpose(x, order), at, batch_dims=batch)
    # [batch, indices, outer, inner] → [batch, outer, indices, inner]
    outer = axis - batch
    back = [
        *range(batch),
        *range(batch + more, batch + more + outer),
        *range(batch, batch + more),
        *range(batch + more + outer, rank - 1 + more),
    ]
    return b.transpose(taken, back)


def _ravel_index(b: Builder, op: Op, indices: str) -> str:
    """Return flat indices: the sum of coordinates times the sizes that follow them."""
    depth = op.fixed_shape(0)[-1]
    sizes = list(op.series("shape"))[:depth]
    fixed = [constant(size) for size in sizes]
    indices = b.cast(indices, np.int64)
    if None in fixed[1:]:
        weights: list = []
        for i in range(depth):
            weight = b.integers([1])
            for size in sizes[i + 1 :]:
                weight = b("Mul", weight, b.size(size))
            weights.append(weight)
        factors = b("Concat", *weights, axis=0)
    else:
        tail = [n for n in fixed[1:] if n is not None]
        factors = b.integers([math.prod(tail[i:]) for i in range(depth)])
    numbers = b.reduce("ReduceSum", b("Mul", indices, factors), [-1], False)
    if not op["ignore"]:
        return numbers
    wrong = b("Or", b("Less", indices, np.int64(0)), b("GreaterOrEqual", indices, b.shape(sizes)))
    any_wrong = b.cast(b.reduce("ReduceMax", b.cast(wrong, np.int32), [-1], False), np.bool_)
    return b("Where", any_wrong, np.int64(-1), numbers)


ROWS = {"gather": _gather, "ravel_index": _ravel_index}
