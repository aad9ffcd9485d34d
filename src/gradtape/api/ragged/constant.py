"""`tf.ragged.constant`: ragged tensors of nested Python lists."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.ragged.partition import RowPartition
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.core.dtypes import as_dtype, int32, int64
from gradtape.core.tensor import Tensor


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _depths(value: Any) -> tuple[int | None, int]:
    """Return how deep the scalars of a list stand (None without any), and how deep lists are
    nested."""
    if not _is_list(value):
        return 0, 0
    if isinstance(value, np.ndarray) and value.dtype != object:
        return (value.ndim if value.size else None), value.ndim
    scalar, deepest = None, 1
    for item in value:
        inner, depth = _depths(item)
        deepest = max(deepest, depth + 1)
        if inner is not None:
            if scalar is not None and scalar != inner + 1:
                raise ValueError("all scalar values must have the same nesting depth")
            scalar = inner + 1
    return scalar, deepest


def _flattened(items: list, depth: int) -> tuple[list, list[list[int]]]:
    """Return what stands `depth` lists deep, and the row lengths of each level above."""
    lengths = []
    for _ in range(depth):
        if not all(map(_is_list, items)):
            raise ValueError("all scalar values must have the same nesting depth")
        lengths.append([len(item) for item in items])
        items = [each for item in items for each in item]
    return items, lengths


def _default_inner_shape(items: list, depth: int) -> tuple[int, ...]:
    """Return the shape of what stands inside the ragged dimensions, from the first of them."""
    shape: list[int] = []
    for _ in range(depth):
        shape.append(len(items[0]) if items else 0)
        items = list(items[0]) if items else []
    return tuple(shape)


@export("ragged.constant")
def constant(
    pylist, dtype=None, ragged_rank=None, inner_shape=None, name=None, row_splits_dtype=int64
) -> Any:
    """Return nested lists as a ragged tensor (as a dense one, where nothing is nested)."""
    splits_dtype = as_dtype(row_splits_dtype)
    kind = None if dtype is None else as_dtype(dtype)
    if isinstance(pylist, RaggedTensor) or ops.is_tensor_like(pylist):
        raise TypeError("ragged.constant: pylist must not be a RaggedTensor or Tensor.")
    scalar_depth, deepest = _depths(pylist)
    if scalar_depth is not None and deepest > scalar_depth:
        raise ValueError(
            "Invalid pylist: all scalar values must have the same nesting depth, but an empty list "
            f"is nested {deepest} deep, scalars {scalar_depth}"
        )
    if inner_shape is not None:
        inner_shape = (inner_shape,) if isinstance(inner_shape, int) else tuple(inner_shape)
    if ragged_rank is not None and ragged_rank < 0:
        raise ValueError(f"Invalid ragged_rank={ragged_rank}: must be nonnegative")
    if splits_dtype not in (int32, int64):
        raise ValueError(
            f"ragged.constant: row_splits must have dtype int32 or int64, got {splits_dtype.name}"
        )
    if not _is_list(pylist):
        if ragged_rank:
            raise ValueError(
                f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank}"
            )
        if inner_shape:
            raise ValueError(
                f"Invalid pylist={pylist!r}: incompatible with dim(inner_shape)={len(inner_shape)}"
            )
        return ops.to_tensor(pylist, kind)
    if ragged_rank is None:
        # Without a scalar, no list is known to be a part of an inner value.
        inner = 0 if inner_shape is None or scalar_depth is None else len(inner_shape)
        ragged_rank = max(deepest - 1 - inner, 0)
    items, lengths = _flattened(list(pylist), ragged_rank)
    if inner_shape is None:
        depth = (deepest if scalar_depth is None else scalar_depth) - ragged_rank - 1
        if depth < 0 and scalar_depth is not None:
            raise ValueError(
                f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank}"
            )
        inner_shape = _default_inner_shape(items, max(depth, 0))
    flat = _flat_tensor(items, inner_shape, kind)
    for level in reversed(lengths):
        flat = RaggedTensor._of(flat, RowPartition.of_lengths(level, splits_dtype))
    return flat


def _flat_tensor(items: list, inner_shape: tuple, kind: Any) -> Any:
    if not items:
        array = np.zeros((0, *inner_shape), np.float32 if kind is None else kind.as_numpy_dtype)
        return Tensor(array)
    arrays = [item for item in items if isinstance(item, np.ndarray)]
    if kind is None and len(arrays) == len(items) and all(a.dtype.kind in "fc" for a in arrays):
        kind = as_dtype(np.result_type(*arrays))
    # Integers of NumPy become int32 where they fit, as Python's do.
    plain = [
        item.tolist() if isinstance(item, (np.ndarray, np.integer)) else item for item in items
    ]
    flat = ops.to_tensor(plain, kind)
    wanted = (len(items), *inner_shape)
    if tuple(flat.shape) != wanted and math.prod(flat.shape) == math.prod(wanted):
        return ops.reshape(flat, wanted)
    if tuple(flat.shape) != wanted:
        raise ValueError(
            f"ragged.constant: the inner values have shape {flat.shape[1:]}, not inner_shape="
            f"{inner_shape}"
        )
    return flat
