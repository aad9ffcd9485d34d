"""Selection of elements by masks, partitions and coordinates: composed of gather."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.convert import static_int, to_tensor
from gradtape.core.errors import InvalidArgumentError, ShapeError
from gradtape.core.tensor import Tensor
from gradtape.ops.families import INTEGERS, broadcast_shapes, check_dtype
from gradtape.ops.gather import gather
from gradtape.ops.reduce import normalize_axis

if TYPE_CHECKING:
    from gradtape.core.typing import IntLike, TensorLike

__all__ = [
    "boolean_mask",
    "dynamic_partition",
    "dynamic_stitch",
    "reverse_sequence",
    "take_along_axis",
    "unravel_index",
]


def take_along_axis(x: TensorLike, indices: Any, axis: IntLike = -1) -> Tensor:
    """Take x at `indices` along an axis; along the other axes both shapes broadcast."""
    x, indices = to_tensor(x), to_tensor(indices)
    rank = len(x._data.shape)
    if len(indices._data.shape) != rank:
        raise ShapeError(
            f"take_along_axis: indices must have the rank of the tensor, {rank}, got shape "
            f"{list(indices._data.shape)}. [Op:GatherV2]"
        )
    axis = normalize_axis("take_along_axis", axis, rank)
    x, indices = ops.moveaxis(x, axis, -1), ops.moveaxis(indices, axis, -1)
    before = broadcast_shapes("take_along_axis", x._data.shape[:-1], indices._data.shape[:-1])
    size = x._data.shape[-1]
    x = ops.reshape(ops.broadcast_to(x, (*before, size)), (*before, size))
    indices = ops.broadcast_to(indices, (*before, indices._data.shape[-1]))
    indices = ops.where(indices < 0, indices + size, indices)
    return ops.moveaxis(gather(x, indices, rank - 1, rank - 1), -1, axis)


def boolean_mask(x: TensorLike, mask: TensorLike, axis: int = 0) -> Tensor:
    """Return the slices of x where the mask is true; its axes (from `axis` on) become one."""
    x, mask = to_tensor(x), to_tensor(mask)
    rank, shape = len(mask._data.shape), tuple(x._data.shape)
    if not rank:
        raise ValueError("mask cannot be scalar.")
    axis = static_int(axis)
    axis = axis + len(shape) if axis < 0 else axis
    if shape[axis : axis + rank] != tuple(mask._data.shape):
        raise ShapeError(
            f"Shapes {shape[axis : axis + rank]} and {tuple(mask._data.shape)} are incompatible: "
            f"the mask must have the sizes of the tensor's axes from {axis} on. [Op:boolean_mask]"
        )
    (positions,) = ops.host_arrays(_true_positions, [mask], [(np.int64, (None,))])
    x = ops.reshape(x, (*shape[:axis], math.prod(mask._data.shape), *shape[axis + rank :]))
    return gather(x, positions, axis)


def _true_positions(mask: np.ndarray) -> list[np.ndarray]:
    return [np.flatnonzero(mask)]


def dynamic_partition(x: TensorLike, partitions: TensorLike, count: int) -> list[Tensor]:
    """Split x into `count` tensors, by the index of the partition that each slice belongs to."""
    x, numbers = to_tensor(x), to_tensor(partitions)
    check_dtype("DynamicPartition", INTEGERS, numbers)
    shape, rank = tuple(x._data.shape), len(numbers._data.shape)
    if shape[:rank] != tuple(numbers._data.shape):
        raise ShapeError(
            f"data.shape must start with partitions.shape, got data.shape = {list(shape)}, "
            f"partitions.shape = {list(numbers._data.shape)}. [Op:DynamicPartition]"
        )
    count = static_int(count)
    if count < 1:
        raise InvalidArgumentError(
            f"num_partitions must be at least 1, not {count}. [Op:DynamicPartition]"
        )
    ops.check_room("DynamicPartition", (count,))
    table = ops.reshape(x, (math.prod(shape[:rank]), *shape[rank:]))
    find = partial(_positions_in_partitions, count=count)
    empty: Any = None  # the empty ones are one tensor: there may be very many
    parts = []
    for positions in ops.host_arrays(find, [numbers], [(np.int64, (None,))] * count):
        if not positions._has_value or positions._data.size:
            parts.append(gather(table, positions))
            continue
        empty = gather(table, positions) if empty is None else empty
        parts.append(empty)
    return parts


def _positions_in_partitions(numbers: np.ndarray, count: int) -> list[np.ndarray]:
    values = np.asarray(numbers).reshape(-1)
    if values.size and not 0 <= values.min() <= values.max() < count:
        position = int(np.flatnonzero((values < 0) | (values >= count))[0])
        raise InvalidArgumentError(
            f"partitions[{position}] = {values[position]} is not in [0, {count}). "
            "[Op:DynamicPartition]"
        )
    places_of = [np.zeros(0, np.int64)] * count
    for i in np.unique(values).tolist():
        places_of[i] = np.flatnonzero(values == i)
    return places_of


def dynamic_stitch(indices: list[Any], data: list[Any]) -> Tensor:
    """Merge slices at their indices, the later winning: the inverse of `dynamic_partition`."""
    indices = [to_tensor(i) for i in indices]
    for i in indices:
        check_dtype("DynamicStitch", INTEGERS, i)
    data = ops.tensors_alike("DynamicStitch", data)
    if len(indices) != len(data):
        raise ShapeError(
            f"dynamic_stitch: {len(indices)} tensors of indices for {len(data)} of data. "
            "[Op:DynamicStitch]"
        )
    if not indices:
        raise InvalidArgumentError(
            "dynamic_stitch: at least one tensor of indices is needed. [Op:DynamicStitch]"
        )
    inner = tuple(data[0]._data.shape[len(indices[0]._data.shape) :])
    numbers, rows = [], []
    for i, x in zip(indices, data, strict=True):
        if tuple(x._data.shape) != (*i._data.shape, *inner):
            raise ShapeError(
                f"data of shape {list(x._data.shape)} does not start with the shape of its indices,"
                f" {list(i._data.shape)}, or does not end with {list(inner)} as the first does. "
                "[Op:DynamicStitch]"
            )
        numbers.append(ops.reshape(i, (-1,)))
        rows.append(ops.reshape(x, (math.prod(i._data.shape), *inner)))
    numbers, rows = ops.concat(numbers, 0), ops.concat(rows, 0)
    positions = numbers.numpy()
    if positions.size and positions.min() < 0:
        raise InvalidArgumentError(
            f"dynamic_stitch: indices must be >= 0, got {positions.min()}. [Op:DynamicStitch]"
        )
    size = int(positions.max()) + 1 if positions.size else 0
    return ops.set_rows(ops.zeros((size, *inner), rows.dtype), numbers, rows)


def unravel_index(indices: TensorLike, dims: Sequence[int]) -> Tensor:
    """Return the coordinates, one row for each axis, of flat indices in row-major order."""
    indices = to_tensor(indices)
    sizes = ops.static_shape(dims, "UnravelIndex")
    total = math.prod(sizes)
    if type(indices) is Tensor:
        values = np.asarray(indices._data)
        if values.size and not 0 <= values.min() <= values.max() < total:
            raise InvalidArgumentError(
                f"index is out of bound as with dims: indices reach from {values.min()} to "
                f"{values.max()}, dims {list(sizes)} have {total} positions. [Op:UnravelIndex]"
            )
    rows = []
    for size in sizes[:0:-1]:
        rows.append(ops.floormod(indices, size))
        indices = ops.floordiv(indices, size)
    return ops.stack([indices, *reversed(rows)])


def reverse_sequence(
    x: TensorLike, lengths: TensorLike, seq_axis: int, batch_axis: int = 0
) -> Tensor:
    """Reverse the first `lengths[i]` elements along one axis, for each index i of another."""
    x, lengths = to_tensor(x), to_tensor(lengths)
    rank = len(x._data.shape)
    seq_axis = normalize_axis("ReverseSequence", seq_axis, rank)
    batch_axis = normalize_axis("ReverseSequence", batch_axis, rank)
    batch, size = x._data.shape[batch_axis], x._data.shape[seq_axis]
    if seq_axis == batch_axis:
        raise ShapeError(f"batch_dim == seq_dim == {seq_axis} [Op:ReverseSequence]")
    if tuple(lengths._data.shape) != (batch,):
        raise ShapeError(
            f"Length of seq_lengths != input.dims({batch_axis}), ({list(lengths._data.shape)} vs. "
            f"{batch}) [Op:ReverseSequence]"
        )
    if type(lengths) is Tensor and batch:
        values = lengths._data
        if values.min() < 0 or values.max() > size:
            raise InvalidArgumentError(
                f"seq_lens must lie in [0, input.dims({seq_axis})] = [0, {size}], got "
                f"{values.tolist()} [Op:ReverseSequence]"
            )
    steps = Tensor(np.arange(size, dtype=lengths._data.dtype))
    lengths = ops.expand_dims(lengths, 1)
    spots = ops.where(steps < lengths, lengths - 1 - steps, steps)
    moved = ops.moveaxis(x, (batch_axis, seq_axis), (0, 1))
    return ops.moveaxis(gather(moved, spots, 1, 1), (0, 1), (batch_axis, seq_axis))
