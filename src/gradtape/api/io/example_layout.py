"""Columns of Examples as tensors: of a batch, or of a single Example without that axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape.api.io.features import Column
from gradtape.api.io.ragged_features import with_rows
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.dtypes import DType
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor
from gradtape.formats.example_columns import NAMES


def _within(counts: np.ndarray) -> np.ndarray:
    """Return 0, 1, … for each group of so many values, one group after the other."""
    starts = np.cumsum(counts) - counts
    return np.arange(int(counts.sum())) - np.repeat(starts, counts)


def _longest(counts: np.ndarray) -> int:
    return int(counts.max()) if len(counts) else 0


def _tensor(values: np.ndarray, shape: tuple[int, ...]) -> Tensor:
    array: Any = values.reshape(shape)
    # A number of rank 0 is a NumPy scalar, a string an array.
    return Tensor(array if shape or array.dtype == object else array[()])


def _sparse(columns: list[np.ndarray], values: np.ndarray, shape: list[int]) -> SparseTensor:
    indices = np.stack(columns, axis=1) if columns[0].size else np.empty((0, len(columns)))
    return SparseTensor(
        Tensor(indices.astype(np.int64, copy=False)),
        Tensor(values),
        Tensor(np.array(shape, np.int64)),
    )


def _padded(values: np.ndarray, counts: np.ndarray, padding) -> np.ndarray:
    """Return rows of so many values, filled up to the longest."""
    rows = np.full((len(counts), _longest(counts)), padding, values.dtype)
    rows[np.arange(rows.shape[1]) < counts[:, None]] = values
    return rows


class Layout:
    """Serialized Examples, and what their features become."""

    def __init__(self, array: np.ndarray, names: list[str]) -> None:
        self.serialized: list[bytes] = array.reshape(-1).tolist()
        self._names = names

    def where(self, index: int, key: str | None = None) -> str:
        """Return how a message about an Example begins."""
        name = self._names[index] if index < len(self._names) else "<unknown>"
        return f"Name: {name}, " + ("" if key is None else f"Key: {key}, Index: {index}.  ")

    def feature(self, column: Column, values: np.ndarray, counts: np.ndarray) -> Any:
        """Return a feature of all Examples."""
        raise NotImplementedError

    def sequence(self, column: Column, values, counts, rows) -> Any:
        """Return a sequence of all Examples."""
        raise NotImplementedError

    def ragged_feature(self, rows: Any, counts: np.ndarray, dtype: DType) -> Any:
        """Return the rows of a feature, of which each Example has so many."""
        raise NotImplementedError

    def ragged_sequence(
        self, rows: Any, counts: np.ndarray, steps: np.ndarray, dtype: DType
    ) -> Any:
        """Return the rows of a sequence, of which each step has so many."""
        raise NotImplementedError

    def lengths(self, rows: np.ndarray) -> Tensor:
        """Return how many steps there are."""
        raise NotImplementedError

    def _check_size(self, column: Column, counts: np.ndarray, example_of=None) -> None:
        """Check that all have the values of one entry."""
        wrong = np.flatnonzero(counts != column.size)
        if len(wrong):
            index = int(wrong[0] if example_of is None else example_of[wrong[0]])
            raise InvalidArgumentError(
                f"{self.where(index, column.key)}Number of {NAMES[column.kind]} values != "
                f"expected.  values size: {max(int(counts[wrong[0]]), 0)} but output shape: "
                f"{list(column.shape or ())}"
            )

    def _check_whole(self, column: Column, counts: np.ndarray) -> np.ndarray:
        """Return numbers of values, none for missing ones: each of whole entries."""
        counts = np.maximum(counts, 0)
        size = column.size
        wrong = np.flatnonzero(counts % size if size else counts)
        if len(wrong):
            raise InvalidArgumentError(
                f"{self.where(int(wrong[0]), column.key)}Number of {NAMES[column.kind]} values is "
                f"not a multiple of stride length. Saw {int(counts[wrong[0]])} values but output "
                f"shape is: {list(column.shape or ())}"
            )
        return counts

    def _missing(self, index: int, column: Column) -> Exception:
        return InvalidArgumentError(
            f"{self.where(index)}Feature: {column.key} (data type: {NAMES[column.kind]}) is "
            "required but could not be found."
        )

    def _check_lists(self, column: Column, rows: np.ndarray) -> None:
        missing = np.flatnonzero(rows < 0)
        if len(missing) and not column.allow_missing and column.shape is not None:
            raise InvalidArgumentError(
                f"{self.where(int(missing[0]))}Feature list '{column.key}' is required but could "
                "not be found. Set allow_missing if it may be empty."
            )


class Batch(Layout):
    """Examples along the first axis."""

    def feature(self, column, values, counts):
        count, shape = len(counts), column.shape
        if shape is None:
            counts = np.maximum(counts, 0)
            rows = np.repeat(np.arange(count), counts)
            return _sparse([rows, _within(counts)], values, [count, _longest(counts)])
        if column.is_sequence:
            counts = self._check_whole(column, counts)
            padded = _padded(values, counts, column.default[0])
            steps = padded.shape[1] // column.size if column.size else 0
            return Tensor(padded.reshape(count, steps, *shape))
        if (counts == column.size).all():
            return Tensor(values.reshape(count, *shape))
        present = counts >= 0
        if not present.all() and column.default is None:
            raise self._missing(int(np.argmin(present)), column)
        self._check_size(column, counts[present], np.flatnonzero(present))
        result = np.empty((count, column.size), values.dtype)
        result[present] = values.reshape(-1, column.size)
        result[~present] = column.default
        return Tensor(result.reshape(count, *shape))

    def sequence(self, column, values, counts, rows):
        self._check_lists(column, rows)
        rows = np.maximum(rows, 0)
        example_of = np.repeat(np.arange(len(rows)), rows)
        if column.shape is None:
            counts = np.maximum(counts, 0)
            indices = [np.repeat(example_of, counts), np.repeat(_within(rows), counts)]
            shape = [len(rows), _longest(rows), _longest(counts)]
            return _sparse([*indices, _within(counts)], values, shape)
        self._check_size(column, counts, example_of)
        padded = _padded(values, rows * column.size, column.default[0])
        return Tensor(padded.reshape(len(rows), _longest(rows), *column.shape))

    def ragged_feature(self, rows, counts, dtype):
        return with_rows(rows, counts, dtype)

    def ragged_sequence(self, rows, counts, steps, dtype):
        return with_rows(with_rows(rows, counts, dtype), np.maximum(steps, 0), dtype)

    def lengths(self, rows):
        return Tensor(np.maximum(rows, 0))


class Single(Layout):
    """One Example."""

    def feature(self, column, values, counts):
        count, shape = int(counts[0]), column.shape
        if shape is None:
            return _sparse([np.arange(len(values))], values, [len(values)])
        if column.is_sequence:
            self._check_whole(column, counts)
            steps = len(values) // column.size if column.size else 0
            return Tensor(values.reshape(steps, *shape))
        if count < 0:
            if column.default is None:
                raise self._missing(0, column)
            return _tensor(column.default, shape)
        if count != column.size:
            self._check_size(column, counts)
        return _tensor(values, shape)

    def sequence(self, column, values, counts, rows):
        self._check_lists(column, rows)
        steps = max(int(rows[0]), 0)
        if column.shape is None:
            counts = np.maximum(counts, 0)
            indices = [np.repeat(np.arange(steps), counts), _within(counts)]
            return _sparse(indices, values, [steps, _longest(counts)])
        self._check_size(column, counts, np.zeros(len(counts), np.int64))
        return Tensor(values.reshape(steps, *column.shape))

    def ragged_feature(self, rows, counts, dtype):
        return rows

    def ragged_sequence(self, rows, counts, steps, dtype):
        return with_rows(rows, counts, dtype)

    def lengths(self, rows):
        return Tensor(np.int64(max(int(rows[0]), 0)))
