"""Rows of dense and ragged tensors, picked and divided by arrays of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.ragged.partition import RowPartition, within_rows
from gradtape.api.ragged.tensor import RaggedTensor, row_count
from gradtape.api.sparse.tensor import take_values


def take_rows(value: Any, rows: np.ndarray) -> Any:
    """Return the rows of a dense or ragged tensor at these numbers."""
    if not isinstance(value, RaggedTensor):
        return value if _is_all(rows, row_count(value)) else take_values(value, rows)
    partition = value._partition
    splits, lengths = partition.splits, partition.lengths[rows]
    inner = np.repeat(splits[rows], lengths) + within_rows(lengths)
    return RaggedTensor._of(
        take_rows(value.values, inner),
        RowPartition.of_lengths(lengths, partition.dtype, partition.uniform),
    )


def _is_all(rows: np.ndarray, count: int) -> bool:
    return len(rows) == count and bool((rows == np.arange(count)).all())


def slice_rows(value: Any, start: int, stop: int) -> Any:
    """Return the rows from start to stop."""
    if not isinstance(value, RaggedTensor):
        return value[start:stop]
    partition = value._partition
    splits = partition.splits[start : stop + 1]
    inner = slice_rows(value.values, int(splits[0]), int(splits[-1]))
    return RaggedTensor._of(
        inner, RowPartition.of_lengths(np.diff(splits), partition.dtype, partition.uniform)
    )


def dense_as_ragged(x: Any, ragged_rank: int, dtype: Any, uniform: bool = True) -> Any:
    """Return a dense tensor with `ragged_rank` row partitions, uniform ones or not."""
    sizes = tuple(x.shape)
    count = int(np.prod(sizes[: ragged_rank + 1], dtype=np.int64))
    result: Any = ops.reshape(x, (count, *sizes[ragged_rank + 1 :]))
    for axis in range(ragged_rank, 0, -1):
        count = int(np.prod(sizes[:axis], dtype=np.int64))
        partition = RowPartition.of_uniform(count, sizes[axis], dtype)
        if not uniform:
            partition = RowPartition(partition.row_splits)
        result = RaggedTensor._of(result, partition)
    return result


def common_splits_dtype(values: list) -> Any:
    """Return the dtype of the row splits of several ragged tensors, which must have one."""
    dtypes = {value._partition.dtype for value in values if isinstance(value, RaggedTensor)}
    if len(dtypes) > 1:
        raise ValueError(
            "Input RaggedTensors have mismatched row_splits dtypes; use "
            "RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes."
        )
    return dtypes.pop()
