"""Row partitions: how the values of a ragged dimension are divided into rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.brief import brief
from gradtape.core.convert import is_tensor_like, static_int, static_value
from gradtape.core.dtypes import DType, int32, int64
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


class RowPartition:
    """Row i has the values from row_splits[i] to row_splits[i + 1].

    `uniform` is the length of all rows where that is part of the type, else None. In a function
    that is being traced, the splits may have no value: `splits` then ends the trace, the other
    methods do not.
    """

    __slots__ = ("row_splits", "uniform")

    def __init__(self, row_splits: Tensor, uniform: int | None = None) -> None:
        self.row_splits = row_splits
        self.uniform = uniform

    @classmethod
    def of_lengths(cls, lengths: Any, dtype: DType, uniform: int | None = None) -> RowPartition:
        """Return the partition of rows with these lengths, an array."""
        splits = np.zeros(len(lengths) + 1, dtype.as_numpy_dtype)
        np.cumsum(lengths, out=splits[1:])
        return cls(Tensor(splits), uniform)

    @classmethod
    def of_uniform(cls, nrows: int, length: int, dtype: DType) -> RowPartition:
        """Return the partition of rows that all have one length."""
        return cls(Tensor((np.arange(nrows + 1) * length).astype(dtype.as_numpy_dtype)), length)

    @property
    def nrows(self) -> int:
        return self.row_splits.shape[0] - 1

    @property
    def dtype(self) -> DType:
        return self.row_splits.dtype

    @property
    def splits(self) -> np.ndarray:
        """The row splits as an array of int64."""
        return np.asarray(static_value(self.row_splits), np.int64)

    @property
    def lengths(self) -> np.ndarray:
        """The lengths of the rows as an array."""
        return np.diff(self.splits)

    def row_lengths(self) -> Tensor:
        return self.row_splits[1:] - self.row_splits[:-1]

    def value_rowids(self, nvals: int) -> Tensor:
        """Return the row of each of `nvals` values."""
        positions = numbers(nvals, self.dtype)
        return ops.searchsorted(self.row_splits[1:], positions, "right", self.dtype)

    def cast(self, dtype: DType) -> RowPartition:
        return RowPartition(ops.cast(self.row_splits, dtype), self.uniform)

    def is_same_as(self, other: RowPartition) -> bool:
        """Return whether both divide the same number of values into the same rows."""
        if self.row_splits is other.row_splits:
            return True
        if self.nrows != other.nrows:
            return False
        if self.uniform is not None and self.uniform == other.uniform:
            return True
        return np.array_equal(self.splits, other.splits)


def numbers(count: int, dtype: DType) -> Tensor:
    """Return 0, 1, …, count - 1."""
    return Tensor(np.arange(count, dtype=dtype.as_numpy_dtype))


def count_of(value: Any, name: str) -> int:
    """Return a number of rows or values that a program gives."""
    number = static_int(value)
    if number >= 2**62:
        raise ValueError(f"{name} must be a 64-bit integer, got {number}")
    return number


def within_rows(lengths: np.ndarray) -> np.ndarray:
    """Return 0, 1, … for the values of each row, for rows of these lengths."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)


# --- partitions from what a program gives ---------------------------------------------------------


def _invalid(maker: str, problem: str) -> Exception:
    return InvalidArgumentError(
        f"Arguments to {maker} do not form a valid RaggedTensor: {problem}."
    )


def integers(value: Any, name: str, dtype: DType | None = None) -> Tensor:
    """Return a row-partitioning tensor: a vector of int32 or int64."""
    if not is_tensor_like(value) and not isinstance(value, np.ndarray):
        try:
            value = ops.to_tensor(value, dtype or int64)
        except TypeError:
            value = ops.to_tensor(value)  # its dtype is refused below
    tensor = ops.to_tensor(value)
    if tensor.dtype not in (int32, int64):
        raise ValueError(
            f"{name} must have dtype int32 or int64, got {tensor.dtype.name}. Use tf.cast."
        )
    tensor.shape.assert_has_rank(1)
    return tensor if dtype is None or tensor.dtype is dtype else ops.cast(tensor, dtype)


def _array(tensor: Tensor) -> np.ndarray:
    return np.asarray(tensor.numpy(), np.int64)


def _check_increasing(maker: str, name: str, array: np.ndarray) -> None:
    if (np.diff(array) < 0).any():
        raise _invalid(maker, f"{name} must never decrease, got {brief(array.tolist())}")


def from_row_splits(row_splits: Any, validate: bool, dtype: DType | None = None) -> RowPartition:
    splits = integers(row_splits, "row_splits", dtype)
    if splits.shape[0] == 0:
        raise ValueError("row_splits tensor may not be empty: it begins with 0.")
    if validate and splits._has_value:
        array = _array(splits)
        if array[0] != 0:
            raise _invalid("from_row_splits", f"row_splits[0] must be zero, not {array[0]}")
        _check_increasing("from_row_splits", "row_splits", array)
    return RowPartition(splits)


def from_row_lengths(lengths: Any, validate: bool, dtype: DType | None = None) -> RowPartition:
    tensor = integers(lengths, "row_lengths", dtype)
    if validate and tensor._has_value and (_array(tensor) < 0).any():
        raise _invalid("from_row_lengths", f"row_lengths has negative ones: {brief(tensor)}")
    zero = Tensor(np.zeros(1, tensor.dtype.as_numpy_dtype))
    return RowPartition(ops.concat([zero, ops.cumsum(tensor, 0)], 0))


def from_row_starts(starts: Any, nvals: int, validate: bool) -> RowPartition:
    tensor = integers(starts, "row_starts")
    if validate and tensor._has_value and tensor.shape[0]:
        array = _array(tensor)
        if array[0] != 0:
            raise _invalid("from_row_starts", f"row_starts[0] must be zero, not {array[0]}")
        _check_increasing("from_row_starts", "row_starts", np.append(array, nvals))
    last = Tensor(np.array([nvals], tensor.dtype.as_numpy_dtype))
    return RowPartition(ops.concat([tensor, last], 0))


def from_row_limits(limits: Any, validate: bool) -> RowPartition:
    tensor = integers(limits, "row_limits")
    if validate and tensor._has_value:
        _check_increasing("from_row_limits", "row_limits", np.append(0, _array(tensor)))
    zero = Tensor(np.zeros(1, tensor.dtype.as_numpy_dtype))
    return RowPartition(ops.concat([zero, tensor], 0))


def from_value_rowids(rowids: Any, nrows: Any, nvals: int, validate: bool) -> RowPartition:
    tensor = integers(rowids, "value_rowids")
    if tensor.shape[0] != nvals:
        raise ValueError(
            f"Shapes ({nvals},) and ({tensor.shape[0]},) are incompatible: from_value_rowids needs "
            "one row for each value."
        )
    if nrows is None:
        array = _array(tensor)
        count = int(array[-1]) + 1 if len(array) else 0
    else:
        count = count_of(nrows, "nrows")
        if count < 0:
            raise ValueError(f"Expected nrows >= 0; got {count}")
    if tensor._has_value:
        array = _array(tensor)
        if nrows is not None and len(array) and array[-1] >= count:
            raise ValueError(
                f"Expected nrows >= value_rowids[-1] + 1; got nrows={count}, "
                f"value_rowids[-1]={array[-1]}"
            )
        if validate:
            _check_increasing("from_value_rowids", "value_rowids", np.append(0, array))
    rows = numbers(count + 1, tensor.dtype)
    return RowPartition(ops.searchsorted(tensor, rows, "left", tensor.dtype))


def from_uniform_row_length(length: Any, nrows: Any, nvals: int, dtype: DType) -> RowPartition:
    size = count_of(length, "uniform_row_length")
    if size < 0:
        raise ValueError(f"uniform_row_length must be greater than or equal to 0, got {size}")
    if nrows is None:
        count = nvals // size if size else 0
    else:
        count = count_of(nrows, "nrows")
        if count < 0:
            raise ValueError(f"nrows must be greater than or equal to 0, got {count}")
    if count * size != nvals:
        raise ValueError(f"uniform_row_length={size} times nrows={count} must equal nvals={nvals}")
    return RowPartition.of_uniform(count, size, dtype)
