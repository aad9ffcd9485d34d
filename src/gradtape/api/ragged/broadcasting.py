"""Elementwise functions of ragged tensors, broadcast with other ragged or dense ones.

A dimension broadcasts if it is uniform and of size 1, or missing; other dimensions must have the
same row lengths.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.ragged.partition import RowPartition, within_rows
from gradtape.api.ragged.rows import common_splits_dtype, take_rows
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.core.convert import is_tensor_like
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.shape import TensorShape


def elementwise(function: Callable, operands: list, name: str = "an elementwise op") -> Any:
    """Return function(*operands) of values broadcast to one shape, one of them ragged."""
    ragged = [x for x in operands if isinstance(x, RaggedTensor)]
    dtype = common_splits_dtype(ragged)
    first = ragged[0]
    operands = [x if isinstance(x, RaggedTensor) else _dense(x, first) for x in operands]
    if all(_fits_inside(x, first) for x in operands):
        flat = [x.flat_values if isinstance(x, RaggedTensor) else x for x in operands]
        result = function(*flat)
        if isinstance(result, tuple):  # code points, and their offsets
            return tuple(map(first.with_flat_values, result))
        return first.with_flat_values(result)
    flat, partitions = _broadcast(operands, dtype, name)
    result = function(*flat)
    for partition in reversed(partitions):
        result = RaggedTensor._of(result, partition)
    return result


def _dense(x: Any, ragged: RaggedTensor) -> Any:
    """Return a dense operand: a tensor, of the dtype of the ragged one if that is left open."""
    if x is None or isinstance(x, (int, float, complex, str, bytes)) or is_tensor_like(x):
        return x if not is_tensor_like(x) else ops.to_tensor(x)
    return ops.operands("ragged", ragged.flat_values, x)[1]


def _fits_inside(x: Any, first: RaggedTensor) -> bool:
    """Return whether the flat values can be combined as they are."""
    if isinstance(x, RaggedTensor):
        mine, others = x._partitions(), first._partitions()
        return len(mine) == len(others) and all(
            a.is_same_as(b) for a, b in zip(mine, others, strict=True)
        )
    return not _rank(x) or _rank(x) < len(first.shape) - first.ragged_rank


def _rank(x: Any) -> int:
    return len(x.shape) if hasattr(x, "shape") else 0


def _sizes(x: Any, rank: int, depth: int) -> list:
    """Return the sizes of dimensions 0 to depth: numbers, or row partitions."""
    missing = rank - _rank(x)
    if not isinstance(x, RaggedTensor):
        sizes = list(x.shape) if _rank(x) else []
    else:
        partitions = [p if p.uniform is None else p.uniform for p in x._partitions()]
        sizes = [x._partition.nrows, *partitions, *x.flat_values.shape[1:]]
    return [*[1] * missing, *sizes][: depth + 1]


def _broadcast(operands: list, dtype: Any, name: str) -> tuple[list, list[RowPartition]]:
    """Return the flat values of operands, repeated as the others need, and the partitions."""
    rank = max(map(_rank, operands))
    depth = max(rank - _rank(x) + x.ragged_rank for x in operands if isinstance(x, RaggedTensor))
    sizes = [_sizes(x, rank, depth) for x in operands]
    rows = [np.zeros(1, np.int64) for _ in operands]  # of each operand, for each row of the result
    partitions = []
    for axis in range(depth + 1):
        here = [size[axis] for size in sizes]
        lengths, uniform = _lengths(here, rows, [x.shape for x in operands if _rank(x)], name)
        rows = [_children(s, r, lengths) for s, r in zip(here, rows, strict=True)]
        if axis:
            partitions.append(RowPartition.of_lengths(lengths, dtype, uniform))
    flat = [_take(x, r, depth + 1 - (rank - _rank(x))) for x, r in zip(operands, rows, strict=True)]
    return flat, partitions


def _lengths(sizes: list, rows: list, shapes: list[TensorShape], name: str) -> tuple:
    """Return the row lengths of the result in one dimension, and their common value if uniform."""
    lengths, uniform = None, 1
    for size, row in zip(sizes, rows, strict=True):
        if isinstance(size, RowPartition):
            mine, known = size.lengths[row], None
        elif size == 1:
            continue
        else:
            mine, known = np.full(len(row), size), size
        if lengths is None:
            lengths, uniform = mine, known
        elif not np.array_equal(lengths, mine):
            raise InvalidArgumentError(
                f"{name}: the shapes {' and '.join(map(str, shapes))} cannot be broadcast: row "
                f"lengths {lengths.tolist()[:8]} and {mine.tolist()[:8]} differ. A ragged "
                "dimension is never broadcast; make the other one uniform of size 1."
            )
        elif known is None:
            uniform = None  # ragged wins: TensorFlow's result is ragged, too
    return (np.ones(len(rows[0]), np.int64) if lengths is None else lengths), uniform


def _children(size: Any, rows: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    if isinstance(size, RowPartition):
        starts = size.splits[rows]
    elif size == 1:
        return np.repeat(rows, lengths)
    else:
        starts = rows * size
    return np.repeat(starts, lengths) + within_rows(lengths)


def _take(x: Any, rows: np.ndarray, merged: int) -> Any:
    """Return the elements of an operand at rows of its first `merged` dimensions."""
    if merged <= 0:
        return x
    if isinstance(x, RaggedTensor):
        x, merged = x.flat_values, merged - x.ragged_rank
    sizes = tuple(x.shape)
    flat = ops.reshape(x, (math.prod(sizes[:merged]), *sizes[merged:]))
    return take_rows(flat, rows)
