"""Reductions of ragged tensors over ragged and uniform axes, and sums by segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.ragged.arrays import expand_dims
from gradtape.api.ragged.partition import RowPartition, count_of, within_rows
from gradtape.api.ragged.tensor import RaggedTensor, row_count
from gradtape.core.convert import static_value
from gradtape.core.dtypes import bool_ as boolean
from gradtape.core.dtypes import int32
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor

Segments = Callable[[Any, Any, int], Any]  # an unsorted segment op: values, ids, count


def normal_axes(axis: Any, rank: int) -> list[int]:
    """Return axes as a sorted list of those counted from the front."""
    numbers = np.atleast_1d(np.asarray(static_value(axis))).tolist()
    for number in numbers:
        if not -rank <= number < rank:
            raise ValueError(f"axis={number} out of bounds: expected {-rank}<=axis<{rank}")
    return sorted({int(number) % rank for number in numbers})


def aggregate(segments: Segments, values: Any, ids: Any, count: int) -> Any:
    """Return the rows of each segment combined, elementwise; of ragged rows the longest counts."""
    if not isinstance(values, RaggedTensor):
        return segments(values, ids, count)
    ids = np.asarray(static_value(ids), np.int64)
    partition = values._partition
    lengths = np.zeros(count, np.int64)
    np.maximum.at(lengths, ids[ids >= 0], partition.lengths[ids >= 0])
    starts = np.cumsum(lengths) - lengths
    # Each value goes to its place within the row of its segment.
    targets = np.repeat(np.where(ids < 0, -1, starts[ids]), partition.lengths)
    targets = np.where(targets < 0, -1, targets + within_rows(partition.lengths))
    inner = aggregate(segments, values.values, Tensor(targets), int(lengths.sum()))
    return RaggedTensor._of(inner, RowPartition.of_lengths(lengths, partition.dtype))


def _reduce(op: Callable, segments: Segments, rt: Any, axis: Any, keepdims: bool) -> Any:
    """Return a reduction; `op` reduces dense tensors, `segments` the rows of ragged ones."""
    if not isinstance(rt, RaggedTensor):
        return op(rt, axis, keepdims)
    rank = len(rt.shape)
    if axis is None:
        result = op(rt.flat_values, None, False)
        return ops.reshape(result, (1,) * rank) if keepdims else result
    result: Any = rt
    for each in reversed(normal_axes(axis, rank)):
        result = _reduce_axis(op, segments, result, each)
        if keepdims:
            result = expand_dims(result, each)
    return result


def _reduce_axis(op: Callable, segments: Segments, rt: Any, axis: int) -> Any:
    if not isinstance(rt, RaggedTensor):
        return op(rt, axis, False)
    if axis == 0:
        lengths = rt._partition.lengths
        ids = Tensor(within_rows(lengths))
        return aggregate(segments, rt.values, ids, int(lengths.max(initial=0)))
    if axis == 1:
        return aggregate(segments, rt.values, rt.value_rowids(), rt._partition.nrows)
    return rt.with_values(_reduce_axis(op, segments, rt.values, axis - 1))


def reduce_sum(input_tensor, axis=None, keepdims=False, name=None) -> Any:
    return _reduce(ops.reduce_sum, ops.unsorted_segment_sum, input_tensor, axis, keepdims)


def reduce_prod(input_tensor, axis=None, keepdims=False, name=None) -> Any:
    return _reduce(ops.reduce_prod, ops.unsorted_segment_prod, input_tensor, axis, keepdims)


def reduce_max(input_tensor, axis=None, keepdims=False, name=None) -> Any:
    return _reduce(ops.reduce_max, ops.unsorted_segment_max, input_tensor, axis, keepdims)


def reduce_min(input_tensor, axis=None, keepdims=False, name=None) -> Any:
    return _reduce(ops.reduce_min, ops.unsorted_segment_min, input_tensor, axis, keepdims)


def reduce_mean(input_tensor, axis=None, keepdims=False, name=None) -> Any:
    """Return means; those of empty rows are nan, those of integers float64."""
    if axis is None and input_tensor.dtype.is_floating:
        return _reduce(ops.reduce_mean, ops.unsorted_segment_mean, input_tensor, axis, keepdims)
    total = reduce_sum(input_tensor, axis, keepdims)
    ones = input_tensor.with_flat_values(ops.ones_like(input_tensor.flat_values))
    return ops.truediv(total, reduce_sum(ones, axis, keepdims))


def reduce_variance(input_tensor, axis=None, keepdims=False, name=None) -> Any:
    squares = reduce_mean(input_tensor * input_tensor, axis, keepdims)
    mean = reduce_mean(input_tensor, axis, keepdims)
    return ops.subtract(squares, ops.multiply(mean, mean))


def reduce_std(input_tensor, axis=None, keepdims=False, name=None) -> Any:
    return ops.sqrt(reduce_variance(input_tensor, axis, keepdims))


def reduce_logsumexp(input_tensor, axis=None, keepdims=False, name=None) -> Any:
    if axis is None:
        return _reduce(ops.reduce_logsumexp, ops.unsorted_segment_sum, input_tensor, None, keepdims)
    return ops.log(reduce_sum(ops.exp(input_tensor), axis, keepdims))


def _as_int32(rt: Any) -> Any:
    return rt.with_flat_values(ops.cast(rt.flat_values, int32))


def _as_bool(x: Any) -> Any:
    if isinstance(x, RaggedTensor):
        return x.with_flat_values(_as_bool(x.flat_values))
    return ops.cast(x, boolean)


def reduce_any(input_tensor, axis=None, keepdims=False, name=None) -> Any:
    return _as_bool(reduce_sum(_as_int32(input_tensor), axis, keepdims))


def reduce_all(input_tensor, axis=None, keepdims=False, name=None) -> Any:
    return _as_bool(reduce_prod(_as_int32(input_tensor), axis, keepdims))


def segment_function(segments: Segments) -> Callable:
    """Return `tf.math.unsorted_segment_*` for ragged data."""

    def unsorted_segment(data, segment_ids, num_segments, name=None) -> Any:
        count = count_of(num_segments, "num_segments")
        if isinstance(segment_ids, RaggedTensor):
            if not isinstance(data, RaggedTensor) or not data._partition.is_same_as(
                segment_ids._partition
            ):
                raise ValueError(
                    "unsorted_segment: data and ragged segment_ids must have the same row splits."
                )
            return unsorted_segment(data.values, segment_ids.values, num_segments)
        ids = ops.to_tensor(segment_ids)
        if isinstance(data, RaggedTensor):
            if not ids.dtype.is_integer or tuple(ids.shape) != (row_count(data),):
                raise ValueError(
                    f"unsorted_segment: segment_ids of shape {ids.shape} and dtype "
                    f"{ids.dtype.name} must have one id for each of the {row_count(data)} rows."
                )
            if ids.shape[0] and int(np.max(static_value(ids))) >= count:
                raise InvalidArgumentError(
                    f"unsorted_segment: segment ids must be less than num_segments, {count}; got "
                    f"{int(np.max(static_value(ids)))}."
                )
        return aggregate(segments, data, ids, count)

    return unsorted_segment


def softmax(logits, axis=None, name=None) -> Any:
    """Return the softmax along the last axis, which is ragged or inside of the ragged ones."""
    rank = len(logits.shape)
    (axis,) = normal_axes(-1 if axis is None else axis, rank)
    if axis != rank - 1:
        raise ValueError(
            f"softmax of a ragged tensor is along its last axis, {rank - 1}, not {axis}."
        )
    return _softmax(logits)


def _softmax(rt: Any) -> Any:
    if not isinstance(rt, RaggedTensor):
        return ops.softmax(rt, -1)
    if isinstance(rt.values, RaggedTensor) or rt.values.ndim > 1:
        return rt.with_values(_softmax(rt.values))
    ids, count = rt.value_rowids(), rt._partition.nrows
    largest = ops.stop_gradient(ops.unsorted_segment_max(rt.values, ids, count))
    powers = ops.exp(rt.values - ops.segment_rows(largest, ids))
    totals = ops.unsorted_segment_sum(powers, ids, count)
    return rt.with_values(powers / ops.segment_rows(totals, ids))


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None) -> Any:
    """Return running sums along an axis."""
    (axis,) = normal_axes(axis, len(x.shape))
    return _cumsum(x, axis, exclusive, reverse)


def _cumsum(x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    if not isinstance(x, RaggedTensor):
        return ops.cumsum(x, axis, exclusive, reverse)
    if axis > 1:
        return x.with_values(_cumsum(x.values, axis - 1, exclusive, reverse))
    if isinstance(x.values, RaggedTensor):
        raise ValueError("cumsum of a ragged tensor is along its innermost ragged axis, or inside.")
    from gradtape.api.ragged.conversion import to_tensor
    from gradtape.api.ragged.rows import take_rows

    lengths = x._partition.lengths
    in_rows = axis == 1 and reverse
    if in_rows:
        x = x[:, ::-1]
    # Down the columns, rows that are too short count as zeros.
    sums = ops.cumsum(to_tensor(x, None, None), axis, exclusive, reverse and not in_rows)
    positions = np.repeat(np.arange(len(lengths)) * sums.shape[1], lengths) + within_rows(lengths)
    flat = ops.reshape(sums, (-1, *sums.shape[2:]))
    result = x.with_values(take_rows(flat, positions))
    return result[:, ::-1] if in_rows else result
