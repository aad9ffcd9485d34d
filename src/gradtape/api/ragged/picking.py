"""Parts of ragged tensors picked by indices and masks: gather, gather_nd, boolean_mask, where."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.ragged.arrays import one_axis
from gradtape.api.ragged.broadcasting import elementwise
from gradtape.api.ragged.conversion import coordinates
from gradtape.api.ragged.partition import RowPartition
from gradtape.api.ragged.rows import dense_as_ragged, take_rows
from gradtape.api.ragged.tensor import RaggedTensor, as_values, row_count
from gradtape.core.brief import brief
from gradtape.core.convert import static_int, static_value
from gradtape.core.dtypes import bool_ as boolean
from gradtape.core.dtypes import int64
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None) -> Any:
    """Return rows of params, one of which or the indices are ragged."""
    params, indices = as_values(params), as_values(indices)
    if not indices.dtype.is_integer:
        raise InvalidArgumentError(
            f"gather: indices must be integers, got {indices.dtype.name}. [Op:RaggedGather]"
        )
    batch = static_int(batch_dims)
    batch += len(indices.shape) if batch < 0 else 0
    axis = one_axis(batch if axis is None else axis, len(params.shape))
    return _gather(params, indices, axis, batch)


def _gather(params: Any, indices: Any, axis: int, batch: int) -> Any:
    if not isinstance(params, RaggedTensor) and not isinstance(indices, RaggedTensor):
        return ops.gather(params, indices, axis, batch)
    if batch and batch == len(indices.shape):  # one index for each row
        each = _gather_in_batches(params, _with_last_axis(indices), axis, batch)
        return _without_axis(each, axis)
    if batch:
        return _gather_in_batches(params, indices, axis, batch)
    if axis:
        if isinstance(params, RaggedTensor) and axis > 1:
            return params.with_values(_gather(params.values, indices, axis - 1, 0))
        return _gather_columns(params, indices, axis)
    if isinstance(indices, RaggedTensor):
        return indices.with_values(_gather(params, indices.values, 0, 0))
    rows = _checked_rows(indices, row_count(params))
    if not indices.ndim:
        return params[int(rows[0])]
    return _in_rows(take_rows(params, rows), tuple(indices.shape), params._partition.dtype)


def _in_rows(values: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Return ragged values divided as the first dimensions of a dense shape."""
    for axis in range(len(shape) - 1, 0, -1):
        count = int(np.prod(shape[:axis], dtype=np.int64))
        rows = RowPartition.of_uniform(count, shape[axis], dtype)
        values = RaggedTensor._of(values, RowPartition(rows.row_splits))
    return values


def _with_last_axis(indices: Any) -> Any:
    if isinstance(indices, RaggedTensor):
        return indices.with_values(_with_last_axis(indices.values))
    return ops.expand_dims(indices, -1)


def _without_axis(value: Any, axis: int) -> Any:
    """Return a tensor without an axis along which every row has one item."""
    if not isinstance(value, RaggedTensor):
        return ops.squeeze(value, axis)
    return value.values if axis == 1 else value.with_values(_without_axis(value.values, axis - 1))


def _checked_rows(indices: Any, count: int) -> np.ndarray:
    rows = np.asarray(static_value(indices), np.int64).reshape(-1)
    wrong = (rows < 0) | (rows >= count)
    if wrong.any():
        row = int(wrong.argmax())
        raise InvalidArgumentError(
            f"indices[{row}] = {rows[row]} is not in [0, {count}) [Op:RaggedGather]"
        )
    return rows


def _gather_columns(params: Any, indices: Any, axis: int) -> Any:
    """Return columns at the same indices of each row."""
    if not isinstance(params, RaggedTensor):
        params = dense_as_ragged(params, axis, int64)
        return _gather(params, indices, axis, 0)
    lengths = params._partition.lengths
    columns = _flat_indices(indices)
    if len(lengths) and len(columns) and (columns.max() >= lengths.min() or columns.min() < 0):
        raise InvalidArgumentError(
            f"gather: indices {brief(columns.tolist())} are not in every row: the shortest of them "
            f"has {lengths.min()} values. [Op:RaggedGather]"
        )
    starts = params._partition.splits[:-1]
    picked = take_rows(params.values, (starts[:, None] + columns[None]).reshape(-1))
    if not isinstance(indices, RaggedTensor):
        if not isinstance(picked, RaggedTensor):
            return ops.reshape(picked, (len(starts), *indices.shape, *picked.shape[1:]))
        return _in_rows(picked, (len(starts), *indices.shape), params._partition.dtype)
    # Each row has what was picked in the rows of the indices.
    rows = RowPartition.of_uniform(len(starts), row_count(indices), params._partition.dtype)
    each = take_rows(indices, np.tile(np.arange(row_count(indices)), len(starts)))
    if not isinstance(picked, RaggedTensor):
        picked = ops.reshape(picked, (*each.flat_values.shape, *picked.shape[1:]))
    else:
        picked = _in_rows(picked, tuple(each.flat_values.shape), params._partition.dtype)
    return RaggedTensor._of(each.with_flat_values(picked), rows)


def _flat_indices(indices: Any) -> np.ndarray:
    flat = indices.flat_values if isinstance(indices, RaggedTensor) else indices
    return np.asarray(static_value(flat), np.int64).reshape(-1)


def _gather_in_batches(params: Any, indices: Any, axis: int, batch: int) -> Any:
    """Return a gather within each row: the indices of row i count from the start of row i."""
    dtype = next(x for x in (params, indices) if isinstance(x, RaggedTensor))._partition.dtype
    if not isinstance(params, RaggedTensor):
        params = dense_as_ragged(params, 1, dtype)
    if not isinstance(indices, RaggedTensor):
        indices = dense_as_ragged(indices, 1, dtype)
    if row_count(params) != row_count(indices):
        raise ValueError(
            f"gather: batch dimensions {row_count(params)} and {row_count(indices)} of params and "
            "indices differ."
        )
    if batch > 1:
        inner = _gather(params.values, indices.values, axis - 1, batch - 1)
        return RaggedTensor._of(inner, indices._partition)
    if axis > 1:  # every item of a row has the indices of the row
        each = take_rows(indices, np.asarray(static_value(params.value_rowids())))
        return params.with_values(_gather(params.values, each, axis - 1, 1))
    starts, sizes = params._partition.splits[:-1], params._partition.lengths
    return _shifted(params.values, indices, starts, sizes)


def _shifted(values: Any, indices: Any, starts: np.ndarray, sizes: np.ndarray) -> Any:
    if not isinstance(indices, RaggedTensor):
        shape = (len(starts), *[1] * (indices.ndim - 1))
        numbers = np.asarray(static_value(indices), np.int64)
        wrong = (numbers < 0) | (numbers >= sizes.reshape(shape))
        if wrong.any():
            raise InvalidArgumentError(
                f"gather: index {numbers[wrong][0]} is not in its row, which has "
                f"{np.broadcast_to(sizes.reshape(shape), numbers.shape)[wrong][0]} values. "
                "[Op:RaggedGather]"
            )
        return _gather(values, Tensor(numbers + starts.reshape(shape)), 0, 0)
    lengths = indices._partition.lengths
    inner = _shifted(values, indices.values, np.repeat(starts, lengths), np.repeat(sizes, lengths))
    return RaggedTensor._of(inner, indices._partition)


def gather_nd(params, indices, batch_dims=0, name=None, bad_indices_policy="") -> Any:
    """Return the parts of params at index vectors."""
    if static_int(batch_dims):
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    params, indices = as_values(params), as_values(indices)
    if isinstance(indices, RaggedTensor):
        return indices.with_values(gather_nd(params, indices.values))
    if not isinstance(params, RaggedTensor):
        return ops.gather_nd(params, indices)
    if not len(indices.shape):
        raise ValueError("gather_nd: indices must have rank 1 or more, got a scalar.")
    *outer, width = indices.shape
    if not width:
        whole = RowPartition.of_lengths([row_count(params)], params._partition.dtype)
        zeros = Tensor(np.zeros(outer, np.int64))
        return _gather(RaggedTensor._of(params, whole), zeros, 0, 0)
    vectors = np.asarray(static_value(indices), np.int64).reshape(-1, width)
    result: Any = params
    rows = _checked_rows(Tensor(vectors[:, 0]), row_count(params))
    for column in range(1, width):
        if not isinstance(result, RaggedTensor):
            rest = np.concatenate([rows[:, None], vectors[:, column:]], 1)
            return ops.gather_nd(result, Tensor(rest.reshape(*outer, -1)))
        sizes = result._partition.lengths[rows]
        wrong = (vectors[:, column] < 0) | (vectors[:, column] >= sizes)
        if wrong.any():
            raise InvalidArgumentError(
                f"gather_nd: indices {vectors[wrong][0].tolist()} are not in params of shape "
                f"{params.shape}. [Op:RaggedGatherNd]"
            )
        rows = result._partition.splits[rows] + vectors[:, column]
        result = result.values
    return _gather(result, Tensor(rows.reshape(outer)), 0, 0)


# --- masks ----------------------------------------------------------------------------------------


@export("ragged.boolean_mask")
def boolean_mask(data, mask, name=None) -> Any:
    """Return the values where a mask holds: rows keep their order and become shorter."""
    data = as_values(data)
    if not isinstance(mask, RaggedTensor):
        mask = ops.to_tensor(mask, None if ops.is_tensor_like(mask) else boolean)
    if mask.dtype is not boolean:
        raise TypeError(f"boolean_mask: mask must have dtype bool, got {mask.dtype.name}.")
    rank = len(mask.shape)
    if not rank:
        raise ValueError("mask cannot be scalar.")
    if len(data.shape) < rank:
        raise ValueError(
            f"boolean_mask: mask of shape {mask.shape} has more dimensions than data of shape "
            f"{data.shape}."
        )
    if rank == 1 or not (isinstance(data, RaggedTensor) or isinstance(mask, RaggedTensor)):
        return _masked_dense(data, mask)
    dtype = next(x for x in (mask, data) if isinstance(x, RaggedTensor))._partition.dtype
    return _masked(_divided(data, rank - 1, dtype), _divided(mask, rank - 1, dtype))


def _divided(value: Any, depth: int, dtype: Any) -> Any:
    from gradtape.api.ragged.arrays import deeper

    return deeper(value, depth, dtype)


def _masked_dense(data: Any, mask: Any) -> Any:
    if len(mask.shape) > 1:
        depth = len(mask.shape) - 1
        return _masked(_divided(data, depth, int64), _divided(mask, depth, int64))
    if row_count(data) != mask.shape[0]:
        raise ValueError(f"Shapes {data.shape} and {mask.shape} are incompatible: boolean_mask.")
    return take_rows(data, np.flatnonzero(static_value(mask)))


def _masked(data: Any, mask: Any) -> Any:
    if not isinstance(mask, RaggedTensor):
        return _masked_dense(data, mask)
    if not data._partition.is_same_as(mask._partition):
        raise InvalidArgumentError(
            f"Inputs must have identical ragged splits: data of shape {data.shape} and mask of "
            f"shape {mask.shape} have rows of different lengths."
        )
    partition = mask._partition
    if isinstance(mask.values, RaggedTensor):
        return RaggedTensor._of(_masked(data.values, mask.values), partition)
    kept = np.asarray(static_value(mask.values))
    rows = np.asarray(static_value(mask.value_rowids()))
    lengths = np.bincount(rows[kept], minlength=partition.nrows)
    values = _masked_dense(data.values, mask.values)
    return RaggedTensor._of(values, RowPartition.of_lengths(lengths, partition.dtype))


def where(condition, x=None, y=None, name=None) -> Any:
    """Return x where the condition holds, else y; without them, the coordinates where it holds."""
    if (x is None) != (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    if x is None:
        outer = np.stack(coordinates(condition), 1)
        flat = condition.flat_values
        indices = np.asarray(static_value(ops.coordinates(flat)))
        return Tensor(np.concatenate([outer[indices[:, 0]], indices[:, 1:]], 1))
    if isinstance(condition, RaggedTensor) or len(ops.to_tensor(condition).shape) != 1:
        return elementwise(ops.where, [condition, x, y], "where")
    chosen = np.asarray(static_value(ops.to_tensor(condition)))
    rows = np.where(
        chosen, np.arange(len(chosen)), np.arange(len(chosen)) + row_count(as_values(x))
    )
    from gradtape.api.ragged.arrays import concat

    return take_rows(concat([as_values(x), as_values(y)], 0), rows)
