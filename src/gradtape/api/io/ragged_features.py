"""`tf.io.RaggedFeature`: features whose values other features divide into rows.

Partitions are those of one Example, or of one step of a sequence: a *group* of values here.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.core.brief import brief
from gradtape.core.dtypes import DType, as_dtype, float32, int32, int64, string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor

# Row ids say how many rows there are: this many are made of them at most.
_MAX_ROWS = 1 << 28


class RowSplits(NamedTuple):
    """A feature that holds where rows begin, and where the last one ends."""

    key: str


class RowLengths(NamedTuple):
    """A feature that holds how long rows are."""

    key: str


class RowStarts(NamedTuple):
    """A feature that holds where rows begin."""

    key: str


class RowLimits(NamedTuple):
    """A feature that holds where rows end."""

    key: str


class ValueRowIds(NamedTuple):
    """A feature that holds the row of each value."""

    key: str


class UniformRowLength(NamedTuple):
    """Rows that all have one length."""

    length: int


_BY_KEY = (RowSplits, RowLengths, RowStarts, RowLimits, ValueRowIds)


@export("io.RaggedFeature")
class RaggedFeature(
    namedtuple(
        "RaggedFeature", ["dtype", "value_key", "partitions", "row_splits_dtype", "validate"]
    )
):
    """A feature with any number of values, as a RaggedTensor; `partitions` divide it further.

    The outermost partition comes first. The rows of a batch are one more dimension around them.
    """

    __slots__ = ()
    RowSplits, RowLengths, RowStarts = RowSplits, RowLengths, RowStarts
    RowLimits, ValueRowIds, UniformRowLength = RowLimits, ValueRowIds, UniformRowLength

    def __new__(
        cls, dtype, value_key=None, partitions=(), row_splits_dtype=int32, validate=False
    ) -> RaggedFeature:
        dtype, row_splits_dtype = as_dtype(dtype), as_dtype(row_splits_dtype)
        if dtype not in (int64, float32, string):
            raise ValueError(f"Argument `dtype` must be int64, float32, or bytes; got {dtype!r}")
        if row_splits_dtype not in (int32, int64):
            raise ValueError(
                f"Argument `row_splits_dtype` must be int32 or int64; got {row_splits_dtype!r}"
            )
        if not isinstance(partitions, (list, tuple)) or isinstance(partitions, _BY_KEY):
            raise TypeError(f"Argument `partitions` must be a list or tuple, got {partitions!r}.")
        for partition in partitions:
            if not isinstance(partition, (*_BY_KEY, UniformRowLength)):
                raise TypeError(
                    "Argument `partitions` must hold partitions of tf.io.RaggedFeature, such as "
                    f"tf.io.RaggedFeature.RowLengths('lengths'); got {brief(partition)}."
                )
        return super().__new__(
            cls, dtype, value_key, tuple(partitions), row_splits_dtype, bool(validate)
        )


def partition_keys(feature: RaggedFeature) -> list[str]:
    """Return the names of the features that hold partitions."""
    return [each.key for each in feature.partitions if isinstance(each, _BY_KEY)]


def divided(
    feature: RaggedFeature, values: np.ndarray, counts: np.ndarray, column: Callable | None
) -> tuple[Any, np.ndarray]:
    """Return the values of all groups divided into rows, and how many rows each group has.

    `counts` says how many values each group has, and `column` gives (values, counts) of another
    feature; it is None where nothing is known yet, and then rows have one value each.
    """
    counts = np.maximum(counts, 0)
    if column is None:
        whole = math.prod(p.length for p in feature.partitions if isinstance(p, UniformRowLength))
        values, counts = np.repeat(values, whole), counts * whole
    rows, dtype = Tensor(values), feature.row_splits_dtype
    for partition in reversed(feature.partitions):
        if isinstance(partition, UniformRowLength):
            rows = _uniform_rows(rows, partition.length, dtype)
            counts = counts // partition.length
            continue
        if column is None:
            lengths = np.ones(int(counts.sum()), np.int64)
        else:
            numbers, groups = column(partition.key)
            lengths, counts = _row_lengths(partition, numbers, np.maximum(groups, 0), counts)
        rows = with_rows(rows, lengths, dtype, feature.validate)
    return rows, counts


def with_rows(values: Any, lengths: np.ndarray, dtype: DType, validate: bool = False) -> Any:
    """Return values divided into rows of given lengths."""
    splits = np.concatenate([[0], np.cumsum(lengths)]).astype(dtype.as_numpy_dtype)
    return RaggedTensor.from_row_splits(values, Tensor(splits), validate=validate)


def _uniform_rows(rows: Any, length: int, dtype: DType) -> Any:
    if not isinstance(length, int) or length < 1:
        raise InvalidArgumentError(
            f"RaggedFeature: UniformRowLength must be a positive integer, got {brief(length)}"
        )
    if isinstance(rows, RaggedTensor):
        return RaggedTensor.from_uniform_row_length(rows, ops.to_tensor(length, dtype))
    return ops.reshape(rows, [-1, length, *rows.shape[1:]])


def _row_lengths(
    partition, numbers: np.ndarray, groups: np.ndarray, counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the lengths of all rows, and how many rows each group has.

    Group i has `counts[i]` values, and `groups[i]` of the `numbers` that say how to divide them.
    """
    ends = np.cumsum(groups)
    starts = (ends - groups)[groups > 0]  # where the numbers of a group begin
    lasts = (ends - 1)[groups > 0]
    if isinstance(partition, RowLengths):
        lengths, rows = numbers, groups
    elif isinstance(partition, RowSplits):
        between = np.ones(max(len(numbers) - 1, 0), bool)
        between[lasts[:-1]] = False  # not from one group's last number to the next one's first
        lengths, rows = np.diff(numbers)[between], np.maximum(groups - 1, 0)
    elif isinstance(partition, RowStarts):
        nexts = np.append(numbers[1:], 0)
        nexts[lasts] = counts[groups > 0]
        lengths, rows = nexts - numbers, groups
    elif isinstance(partition, RowLimits):
        before = np.append(0, numbers[:-1])[: len(numbers)]
        before[starts] = 0
        lengths, rows = numbers - before, groups
    else:
        return _rows_of_ids(numbers, groups, lasts)
    if len(lengths) and lengths.min() < 0:
        raise InvalidArgumentError(
            f"RaggedFeature: {partition} gives a row of {int(lengths.min())} values; the feature "
            f"{partition.key!r} holds {brief(numbers.tolist())}"
        )
    return lengths, rows


def _rows_of_ids(ids: np.ndarray, groups: np.ndarray, lasts: np.ndarray):
    rows = np.zeros(len(groups), np.int64)
    rows[groups > 0] = ids[lasts] + 1
    group_of = np.repeat(np.arange(len(groups)), groups)
    if len(ids) and (ids.min() < 0 or (ids >= rows[group_of]).any()):
        raise InvalidArgumentError(
            "RaggedFeature: ValueRowIds must begin at 0 or above and never decrease, got "
            f"{brief(ids.tolist())}"
        )
    if len(rows) and rows.max() > _MAX_ROWS // len(rows):
        raise InvalidArgumentError(f"RaggedFeature: ValueRowIds ask for {int(rows.max())} rows")
    offsets = np.cumsum(rows) - rows
    return np.bincount(ids + offsets[group_of], minlength=int(rows.sum())), rows
