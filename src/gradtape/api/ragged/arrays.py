"""Ragged tensors joined, repeated, reversed, and with dimensions added or removed."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.ragged.partition import RowPartition
from gradtape.api.ragged.rows import common_splits_dtype, dense_as_ragged, slice_rows, take_rows
from gradtape.api.ragged.tensor import RaggedTensor, as_values, row_count
from gradtape.core.convert import static_int, static_ints, static_value
from gradtape.core.dtypes import as_dtype, int32, int64
from gradtape.core.errors import InvalidArgumentError


def one_axis(axis: Any, rank: int) -> int:
    """Return an axis, counted from the front."""
    number = static_int(axis)
    if not -rank <= number < rank:
        raise ValueError(f"axis={number} out of bounds: expected {-rank}<=axis<{rank}")
    return number % rank


# --- joining --------------------------------------------------------------------------------------


def _alike(values: list, axis: int) -> list:
    """Return values as ragged tensors of one ragged rank, deep enough to be joined at an axis."""
    dtype = common_splits_dtype(values)
    rank = len(values[0].shape)
    for value in values:
        if len(value.shape) != rank:
            raise ValueError(
                f"Shape {value.shape} must have rank {rank}, as {values[0].shape} has: all tensors "
                "to join must have one rank."
            )
    depth = max(
        axis, *(value.ragged_rank for value in values if isinstance(value, RaggedTensor)), 1
    )
    depth = min(depth, max(v.ragged_rank for v in values if isinstance(v, RaggedTensor)))
    return [deeper(value, depth, dtype) for value in values]


def deeper(value: Any, depth: int, dtype: Any) -> Any:
    """Return a value with at least `depth` row partitions."""
    if not depth:
        return value
    if not isinstance(value, RaggedTensor):
        return dense_as_ragged(value, depth, dtype)
    return RaggedTensor._of(deeper(value.values, depth - 1, dtype), value._partition)


def several(values: Any) -> list:
    """Return the tensors of an argument that is a list of them, or one ragged tensor."""
    return [values] if isinstance(values, RaggedTensor) else list(values)


def concat(values, axis, name="concat") -> Any:
    """Return tensors joined along an axis, one of them ragged."""
    values = _converted(several(values))
    axis = one_axis(axis, len(values[0].shape))
    return values[0] if len(values) == 1 else _concat(_alike(values, axis), axis)


def _converted(values: list) -> list:
    """Return values as tensors of the dtype of the ragged one."""
    dtype = next(value.dtype for value in values if isinstance(value, RaggedTensor))
    return [
        value
        if isinstance(value, RaggedTensor)
        else ops.to_tensor(value, None if ops.is_tensor_like(value) else dtype)
        for value in values
    ]


def _concat(values: list, axis: int) -> Any:
    if not isinstance(values[0], RaggedTensor):
        return ops.concat(values, axis)
    dtype = values[0]._partition.dtype
    if axis == 0:
        lengths = np.concatenate([value._partition.lengths for value in values])
        uniform = {value._partition.uniform for value in values}
        inner = _concat([value.values for value in values], 0)
        known = uniform.pop() if len(uniform) == 1 else None
        return RaggedTensor._of(inner, RowPartition.of_lengths(lengths, dtype, known))
    _check_rows(values)
    if axis == 1:
        count = row_count(values[0])
        joined = _concat(values, 0)
        # Row i of the result is row i of each value, one after the other.
        order = np.arange(count * len(values)).reshape(len(values), count).T.reshape(-1)
        rows = take_rows(joined, order)
        lengths = rows._partition.lengths.reshape(count, len(values)).sum(1)
        return RaggedTensor._of(rows.values, RowPartition.of_lengths(lengths, dtype))
    first = values[0]
    for other in values[1:]:
        if not other._partition.is_same_as(first._partition):
            raise InvalidArgumentError(
                f"concat: ragged tensors of shapes {first.shape} and {other.shape} have different "
                "row lengths in a dimension outside the axis."
            )
    return RaggedTensor._of(_concat([v.values for v in values], axis - 1), first._partition)


def _check_rows(values: list) -> None:
    counts = [row_count(value) for value in values]
    for i, count in enumerate(counts):
        if count != counts[0]:
            raise InvalidArgumentError(
                f"Input tensors at index 0 and {i} have incompatible shapes: {counts[0]} and "
                f"{count} rows."
            )


@export("ragged.stack")
def stack(values, axis=0, name=None) -> Any:
    """Return tensors, dense or ragged, stacked along a new axis; their sizes may differ."""
    if not isinstance(values, (list, tuple)):
        values = [values]
    if not values:
        raise ValueError("ragged.stack: `rt_inputs` must have at least one tensor.")
    values = [as_values(value) for value in values]
    rank = len(values[0].shape)
    axis = one_axis(axis, rank + 1)
    if not any(isinstance(value, RaggedTensor) for value in values):
        if rank == 0 or axis != 0:
            return ops.stack(values, axis)
        dtype = int32 if rank == 1 else int64  # as in TensorFlow
        values = [dense_as_ragged(value, rank - 1, dtype, uniform=False) for value in values]
    else:
        dtype = common_splits_dtype(values)
        values = _alike(values, 1)
    if axis == 0:
        counts = [row_count(value) for value in values]
        return RaggedTensor._of(_concat(values, 0), RowPartition.of_lengths(counts, dtype))
    expanded = [expand_dims(value, axis) for value in values]
    return _concat(_alike(expanded, axis), axis)


def stack_ragged(values, axis=0, name="stack") -> Any:
    """Return `tf.stack` of tensors of which one is ragged."""
    return stack(_converted(several(values)), axis)


def split(value, num_or_size_splits, axis=0, num=None, name="split") -> list:
    """Return parts along an axis."""
    axis = one_axis(axis, len(value.shape))
    parts = np.shape(static_value(num_or_size_splits))
    if num is not None and parts and parts[0] != num:
        raise ValueError(f"split: `num` is {num}, but num_or_size_splits has {parts[0]} sizes.")
    if axis == 1:
        return _split_rows(value, num_or_size_splits)
    if axis != 0:
        return split_values(value, num_or_size_splits, axis)
    sizes = _split_sizes(num_or_size_splits, row_count(value))
    ends = np.cumsum(sizes)
    return [
        slice_rows(value, int(end - size), int(end)) for size, end in zip(sizes, ends, strict=True)
    ]


def split_values(value: RaggedTensor, sizes: Any, axis: int) -> list:
    """Return parts along a uniform axis inside the ragged ones."""
    inner = value.values
    if isinstance(inner, RaggedTensor):
        return [value.with_values(part) for part in split(inner, sizes, axis - 1)]
    return [value.with_values(part) for part in ops.split(inner, sizes, axis - 1)]


def _split_rows(value: RaggedTensor, sizes: Any) -> list:
    """Return parts of each row, all of which have one length."""
    partition = value._partition
    if partition.uniform is None:
        raise ValueError("split: a ragged dimension cannot be split. Use slices: rt[:, :n].")
    parts, begin = [], 0
    for size in _split_sizes(sizes, partition.uniform, "items of a row"):
        rows = partition.splits[:-1, None] + np.arange(begin, begin + size)
        uniform = RowPartition.of_uniform(partition.nrows, size, partition.dtype)
        parts.append(RaggedTensor._of(take_rows(value.values, rows.reshape(-1)), uniform))
        begin += size
    return parts


def _split_sizes(given: Any, count: int, what: str = "rows") -> list[int]:
    value = static_value(given)
    if np.ndim(value) > 1 or np.asarray(value).dtype.kind not in "iu":
        raise TypeError(
            f"split: num_or_size_splits must be an integer or a list of integers, got {value!r}."
        )
    if np.ndim(value) == 0:
        parts = static_int(value, "split")
        if parts < 1:
            raise ValueError(f"split: num_or_size_splits must be 1 or more, got {parts}.")
        if count % parts:
            raise InvalidArgumentError(
                f"split: {count} {what} cannot be divided into {parts} equal parts."
            )
        ops.check_room("split", (parts,))
        return [count // parts] * parts
    sizes = static_ints(value, "split")
    if sum(sizes) != count:
        raise InvalidArgumentError(f"split: sizes {sizes} must add up to the {count} {what}.")
    return sizes


# --- repetition and order -------------------------------------------------------------------------


def tile(input, multiples, name=None) -> Any:
    """Return a ragged tensor repeated along each dimension."""
    times = static_ints(multiples)
    if len(times) != len(input.shape):
        raise InvalidArgumentError(
            f"tile: multiples {times} must have one number for each of the {len(input.shape)} "
            "dimensions."
        )
    return _tile(input, times)


def _tile(x: Any, times: list[int]) -> Any:
    if not isinstance(x, RaggedTensor):
        return ops.tile(x, times)
    first, second, *inner = times
    if any(count != 1 for count in inner):
        x = RaggedTensor._of(_tile(x.values, [1, *inner]), x._partition)
    if second != 1:
        partition = x._partition
        uniform = None if partition.uniform is None else partition.uniform * second
        rows = take_rows(x, np.repeat(np.arange(row_count(x)), second))
        lengths = rows._partition.lengths.reshape(row_count(x), second).sum(1)
        x = RaggedTensor._of(
            rows.values, RowPartition.of_lengths(lengths, partition.dtype, uniform)
        )
    return x if first == 1 else take_rows(x, np.tile(np.arange(row_count(x)), first))


def reverse(tensor, axis, name=None) -> Any:
    """Return a ragged tensor with the order reversed along axes."""
    axes = static_value(axis)
    if not isinstance(axes, (list, tuple, np.ndarray)):
        raise TypeError(
            f"`axis` must be a list of int or a constant tensor when reversing, got {axes}"
        )
    reversed_axes = {one_axis(each, len(tensor.shape)) for each in axes}
    backward, whole = slice(None, None, -1), slice(None)
    return tensor[
        tuple(backward if i in reversed_axes else whole for i in range(len(tensor.shape)))
    ]


# --- dimensions -----------------------------------------------------------------------------------


def expand_dims(input, axis, name=None) -> Any:
    """Return a tensor with a dimension of size 1 inserted."""
    axis = one_axis(axis, len(input.shape) + 1)
    if not isinstance(input, RaggedTensor):
        return ops.expand_dims(input, axis)
    if axis > 1:
        return RaggedTensor._of(expand_dims(input.values, axis - 1), input._partition)
    count, dtype = row_count(input), input._partition.dtype
    sizes = (1, count) if axis == 0 else (count, 1)
    return RaggedTensor._of(input, RowPartition.of_uniform(*sizes, dtype))


def squeeze(input, axis=None, name=None) -> Any:
    """Return a tensor without dimensions of size 1."""
    if axis is None:
        raise ValueError("Ragged.squeeze must have an axis argument.")
    rank = len(input.shape)
    for each in sorted(
        {one_axis(a, rank) for a in np.atleast_1d(static_value(axis))}, reverse=True
    ):
        input = _squeeze(input, each)
    return input


def _squeeze(x: Any, axis: int) -> Any:
    if not isinstance(x, RaggedTensor):
        return ops.squeeze(x, axis)
    lengths = x._partition.lengths
    if axis > 1:
        return RaggedTensor._of(_squeeze(x.values, axis - 1), x._partition)
    if row_count(x) != 1 if axis == 0 else (lengths != 1).any():
        raise InvalidArgumentError(
            f"the given axis (axis = {axis}) is not squeezable! It is not 1 in {x.shape}."
        )
    return x.values


def size(input, out_type=None, name=None) -> Any:
    """Return the number of values."""
    dtype = int32 if out_type is None else as_dtype(out_type)
    return ops.to_tensor(input.flat_values.shape.num_elements(), dtype)


def rank(input, name=None) -> Any:
    """Return the number of dimensions, ragged ones included."""
    return ops.to_tensor(len(input.shape), int32)


def reshape(tensor, shape, name=None) -> Any:
    """Return the flat values in another, dense shape."""
    return ops.reshape(tensor.flat_values, shape)


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None) -> Any:
    """Return one-hot vectors, along an axis inside the ragged ones."""
    rank_ = len(indices.shape) + 1
    axis = rank_ - 1 if axis is None else one_axis(axis, rank_)
    if axis <= indices.ragged_rank:
        raise ValueError(
            f"axis ({axis}) must be greater than indices.ragged_rank ({indices.ragged_rank})."
        )
    from gradtape.api.array.creation import one_hot as dense

    inner = axis - indices.ragged_rank
    return indices.with_flat_values(
        dense(indices.flat_values, depth, on_value, off_value, inner, dtype)
    )
