"""Ragged tensors from and to dense and sparse ones, and with dimensions merged."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.ragged.partition import RowPartition, integers, within_rows
from gradtape.api.ragged.rows import dense_as_ragged, take_rows
from gradtape.api.ragged.tensor import RaggedTensor, axis_number
from gradtape.api.sparse.tensor import SparseTensor, as_sparse
from gradtape.core.brief import brief
from gradtape.core.convert import static_value
from gradtape.core.dtypes import DType, string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor


def bounding_sizes(rt: RaggedTensor) -> list[int]:
    """Return the sizes of the smallest dense tensor that holds all rows."""
    longest = [
        partition.lengths.max(initial=0) if partition.uniform is None else partition.uniform
        for partition in rt._partitions()
    ]
    return [rt._partition.nrows, *map(int, longest), *rt.flat_values.shape[1:]]


def coordinates(rt: RaggedTensor) -> list[np.ndarray]:
    """Return the index of each flat value in each of the ragged dimensions, the outermost first."""
    indices = [np.arange(rt._partition.nrows)]
    for partition in rt._partitions():
        lengths = partition.lengths
        indices = [np.repeat(each, lengths) for each in indices]
        indices.append(within_rows(lengths))
    return indices


# --- dense ----------------------------------------------------------------------------------------


def _default(rt: RaggedTensor, default_value: Any) -> Any:
    flat = rt.flat_values
    if default_value is None:
        default_value = b"" if rt.dtype is string else np.zeros((), rt.dtype.as_numpy_dtype)
    value = ops.to_tensor(default_value, None if ops.is_tensor_like(default_value) else rt.dtype)
    if value.dtype is not rt.dtype:
        raise InvalidArgumentError(
            f"RaggedTensor.to_tensor: default_value has dtype {value.dtype.name}, the values "
            f"{rt.dtype.name}. Use tf.cast. [Op:RaggedTensorToTensor]"
        )
    try:
        return ops.broadcast_to(value, (1, *flat.shape[1:]))
    except ValueError:
        raise InvalidArgumentError(
            f"RaggedTensor.to_tensor: default_value.shape={value.shape} and the shape of the flat "
            f"values {flat.shape} are incompatible: it must broadcast to {flat.shape[1:]}. "
            "[Op:RaggedTensorToTensor]"
        ) from None


def to_tensor(rt: RaggedTensor, default_value: Any, shape: Any) -> Tensor:
    """Return a dense tensor of a shape (sizes may be None) or as large as it has to be."""
    wanted = _wanted(rt, shape)
    outer, inner = wanted[: rt.ragged_rank + 1], wanted[rt.ragged_rank + 1 :]
    flat, default = rt.flat_values, _default(rt, default_value)
    if any(size not in (None, own) for size, own in zip(inner, flat.shape[1:], strict=True)):
        raise InvalidArgumentError(
            f"RaggedTensor.to_tensor: shape={wanted} and rt_input.shape={rt.shape} are "
            "incompatible: only ragged dimensions can be padded. [Op:RaggedTensorToTensor]"
        )
    # The default is one more row of the values, which all positions outside of the rows read.
    rows = ops.concat([flat, default], 0)
    partitions = rt._partitions()
    if any(size is not None and not isinstance(size, int) for size in outer) or all(
        partition.row_splits._has_value for partition in partitions
    ):
        sizes = [
            own if size is None else size
            for size, own in zip(outer, bounding_sizes(rt), strict=False)
        ]
        source = _sources([partition.lengths for partition in partitions], sizes)
        dense = take_rows(rows, source.ravel())
        return ops.reshape(dense, (*sizes, *flat.shape[1:]))
    # A trace: which position reads which value is known when the function runs.
    own = [rt._partition.nrows, *[partition.uniform for partition in partitions]]
    known = [mine if size is None else size for size, mine in zip(outer, own, strict=True)]
    fixed = [size if isinstance(size, int) else None for size in known]
    splits = [partition.row_splits for partition in partitions]
    compute = partial(_sources_of_splits, sizes=fixed)
    (source,) = ops.host_arrays(compute, splits, [(np.int64, tuple(known))])
    return ops.gather(rows, source)


def _sources_of_splits(*splits: np.ndarray, sizes: list) -> list[np.ndarray]:
    return [_sources([np.diff(each) for each in splits], sizes)]


def _sources(all_lengths: list[np.ndarray], sizes: list) -> np.ndarray:
    """Return, for each position of a dense tensor, the number of the value that it holds.

    Positions outside of the rows have the number after the last. A size that is None is that of the
    longest row.
    """
    indices = [np.arange(len(all_lengths[0]))]
    outer = [len(indices[0]) if sizes[0] is None else sizes[0]]
    for lengths, size in zip(all_lengths, sizes[1:], strict=True):
        indices = [np.repeat(each, lengths) for each in indices]
        indices.append(within_rows(lengths))
        outer.append(lengths.max(initial=0) if size is None else size)
    inside = np.ones(len(indices[0]), bool)
    position = np.zeros(len(indices[0]), np.int64)
    for index, size in zip(indices, outer, strict=True):
        inside &= index < size
        position = position * size + index
    source = np.full(math.prod(outer), len(inside), np.int64)
    source[position[inside]] = np.flatnonzero(inside)
    return source.reshape(outer)


def _wanted(rt: RaggedTensor, shape: Any) -> list:
    """Return the sizes that are asked for, None where it is to be as large as it has to be."""
    rank = len(rt.shape)
    if shape is None:
        return [None] * rank
    value = shape if isinstance(shape, TensorShape) else static_value(shape)
    given = TensorShape(None) if value is None else TensorShape(_open_sizes(value))
    wanted = [None] * rank if given.rank is None else list(given)
    if len(wanted) != rank:
        raise InvalidArgumentError(
            f"rt_input.shape and shape={wanted} are incompatible: rt_input.rank = {rank} but "
            f"shape.rank = {len(wanted)} [Op:RaggedTensorToTensor]"
        )
    return wanted


def _open_sizes(sizes: Any) -> Any:
    """Return sizes with None for -1."""
    if isinstance(sizes, TensorShape):
        return sizes
    return [None if size is None or size == -1 else int(size) for size in sizes]


def from_tensor(
    tensor: Any, lengths: Any, padding: Any, ragged_rank: int, dtype: DType
) -> RaggedTensor:
    """Return the rows of a dense tensor, cut to lengths or without padding at their ends."""
    if lengths is not None and padding is not None:
        raise ValueError("Specify argument `lengths` or `padding`, but not both.")
    if not isinstance(ragged_rank, int):
        raise TypeError(f"Argument `ragged_rank` must be an int. Received {brief(ragged_rank)}.")
    if ragged_rank <= 0:
        raise ValueError(f"Argument `ragged_rank` must be greater than 0. Received {ragged_rank}.")
    x = ops.to_tensor(tensor)
    if x.ndim < 2:
        raise ValueError(
            "The rank of a RaggedTensor must be greater than 1, i.e., a list of scalars won't have "
            f"ragged dimensions. Received argument `tensor` with rank {x.ndim}."
        )
    if isinstance(lengths, (list, tuple)) and lengths and not isinstance(lengths[0], (int, float)):
        ragged_rank = len(lengths)
    if x.ndim <= ragged_rank:
        raise ValueError(f"Shape {x.shape} must have rank at least {ragged_rank + 1}")
    if isinstance(lengths, (list, tuple)) and lengths and not isinstance(lengths[0], (int, float)):
        return _cut_nested(x, lengths, dtype)
    if ragged_rank > 1 and (lengths is not None or padding is not None):
        sizes = tuple(x.shape)
        merged = ops.reshape(x, (math.prod(sizes[:ragged_rank]), *sizes[ragged_rank:]))
        inner = from_tensor(merged, lengths, padding, 1, dtype)
        for axis in range(ragged_rank - 1, 0, -1):
            partition = RowPartition.of_uniform(math.prod(sizes[:axis]), sizes[axis], dtype)
            inner = RaggedTensor._of(inner, partition)
        return inner
    if lengths is None and padding is None:
        return dense_as_ragged(x, ragged_rank, dtype)
    kept = _lengths_without(x, padding) if lengths is None else _as_lengths(lengths, dtype)
    return _cut(x, kept, dtype)


def _as_lengths(lengths: Any, dtype: DType) -> np.ndarray:
    return np.asarray(static_value(integers(lengths, "lengths", dtype)), np.int64)


def _cut(x: Tensor, lengths: np.ndarray, dtype: DType) -> RaggedTensor:
    rows, width = x.shape[:2]
    if len(lengths) != rows:
        raise ValueError(
            f"Shapes {x.shape} and ({len(lengths)},) are incompatible: RaggedTensor.from_tensor "
            "needs one length for each row."
        )
    lengths = np.clip(lengths, 0, width)
    source = np.repeat(np.arange(rows) * width, lengths) + within_rows(lengths)
    flat = ops.reshape(x, (rows * width, *x.shape[2:]))
    return RaggedTensor._of(take_rows(flat, source), RowPartition.of_lengths(lengths, dtype))


def _cut_nested(x: Tensor, lengths: Any, dtype: DType) -> RaggedTensor:
    first, *rest = lengths
    result = _cut(x, _as_lengths(first, dtype), dtype)
    if not rest:
        return result
    inner: Any = result.values
    inner = _cut_nested(inner, rest, dtype)
    return RaggedTensor._of(inner, result._partition)


def _lengths_without(x: Tensor, padding: Any) -> np.ndarray:
    """Return the lengths of rows without the padding at their ends."""
    pad = ops.to_tensor(padding, None if ops.is_tensor_like(padding) else x.dtype)
    if tuple(pad.shape) != tuple(x.shape[2:]):
        raise ValueError(
            f"Shapes {pad.shape} and {x.shape[2:]} are incompatible: `padding` must have the shape "
            "of one element of a row."
        )
    differs: Any = np.asarray(static_value(ops.not_equal(x, pad)))
    differs = differs.any(tuple(range(2, x.ndim)))
    lengths = np.arange(1, x.shape[1] + 1)
    return np.where(differs, lengths, 0).max(1, initial=0)


# --- sparse ---------------------------------------------------------------------------------------


def to_sparse(rt: RaggedTensor) -> SparseTensor:
    """Return a sparse tensor of all values."""
    flat = rt.flat_values
    columns = [index[:, None] for index in coordinates(rt)]
    inner = tuple(flat.shape[1:])
    count, per_row = flat.shape[0], math.prod(inner)
    outer = np.repeat(np.concatenate(columns, 1), per_row, 0)
    grid = np.indices(inner).reshape(len(inner), per_row).T
    indices = np.concatenate([outer, np.tile(grid, (count, 1))], 1).astype(np.int64)
    shape = np.array(bounding_sizes(rt), np.int64)
    return SparseTensor(Tensor(indices), ops.reshape(flat, (-1,)), Tensor(shape))


def from_sparse(st_input: Any, dtype: DType) -> RaggedTensor:
    """Return the rows of a sparse matrix whose values stand at the beginning of each row."""
    st = as_sparse(st_input, "st_input")
    if len(st.shape) != 2:
        raise ValueError(f"rank(st_input) must be 2, got shape {st.shape}.")
    indices = np.asarray(static_value(st.indices))
    nrows = int(static_value(st.dense_shape)[0])
    lengths = np.bincount(indices[:, 0], minlength=nrows)
    in_order = np.repeat(np.arange(len(lengths)), lengths)
    if not np.array_equal(indices, np.stack([in_order, within_rows(lengths)], 1)):
        raise InvalidArgumentError(
            "SparseTensor is not right-ragged: the values of each row must stand at columns 0, 1, "
            f"…, in order; the indices are {brief(indices.tolist())}."
        )
    return RaggedTensor._of(st.values, RowPartition.of_lengths(lengths, dtype))


# --- merged dimensions ----------------------------------------------------------------------------


def merge_dims(rt: Any, outer_axis: Any, inner_axis: Any) -> Any:
    """Return the dimensions from `outer_axis` to `inner_axis` as one."""
    rank = len(rt.shape)
    outer, inner = (axis_number("merge_dims", axis, rank) for axis in (outer_axis, inner_axis))
    if outer > inner:
        raise ValueError(
            f"Expected outer_axis ({outer_axis}) to be less than or equal to inner_axis "
            f"({inner_axis})"
        )
    return _merge(rt, outer, inner)


def _merge(rt: Any, outer: int, inner: int) -> Any:
    if outer == inner:
        return rt
    if not isinstance(rt, RaggedTensor):
        sizes = tuple(rt.shape)
        merged = math.prod(sizes[outer : inner + 1])
        return ops.reshape(rt, (*sizes[:outer], merged, *sizes[inner + 1 :]))
    if outer > 1:
        return rt.with_values(_merge(rt.values, outer - 1, inner - 1))
    if outer == 0:
        return _merge(rt.values, 0, inner - 1)
    # The rows of the rows: their ends are those of the innermost rows.
    values, partition = rt.values, rt._partition
    if isinstance(values, RaggedTensor):
        nested = values._partition
        splits = nested.splits[partition.splits]
        uniform = None
        if partition.uniform is not None and nested.uniform is not None:
            uniform = partition.uniform * nested.uniform
        merged = RowPartition.of_lengths(np.diff(splits), partition.dtype, uniform)
        return _merge(RaggedTensor._of(values.values, merged), 1, inner - 1)
    size = values.shape[1]
    uniform = None if partition.uniform is None else partition.uniform * size
    merged = RowPartition.of_lengths(partition.lengths * size, partition.dtype, uniform)
    return _merge(RaggedTensor._of(_merge(values, 0, 1), merged), 1, inner - 1)
