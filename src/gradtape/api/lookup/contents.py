"""The keys and values of a table, on the host."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gradtape.core.dtypes import DType, int32, int64, string
from gradtape.core.errors import FailedPreconditionError, InvalidArgumentError, NotFoundError

_KEY_DTYPES = (string, int32, int64)


class Contents:
    """A dictionary from keys to values, which takes and returns arrays.

    A key is a number or a string, or a row of `key_shape`; a value is an array of `value_shape`.
    """

    def __init__(
        self,
        key_dtype: DType,
        value_dtype: DType,
        key_shape: tuple[int, ...] = (),
        value_shape: tuple[int, ...] = (),
    ) -> None:
        if key_dtype not in _KEY_DTYPES:
            listed = ", ".join(dtype.name for dtype in _KEY_DTYPES)
            raise NotFoundError(f"Keys of a table are of {listed}, not of {key_dtype.name}.")
        self.key_dtype, self.value_dtype = key_dtype, value_dtype
        self.key_shape, self.value_shape = key_shape, value_shape
        self.rows: dict[Any, Any] = {}

    def outer_shape(self, keys: Any) -> tuple[int, ...]:
        """Return the shape of keys without the axes of one key."""
        shape = tuple(keys.shape)
        cut = len(shape) - len(self.key_shape)
        if cut < 0 or shape[cut:] != self.key_shape:
            raise InvalidArgumentError(
                f"Expected keys of shape [..., {', '.join(map(str, self.key_shape))}], got "
                f"{list(shape)}."
            )
        return shape[:cut]

    def as_keys(self, array: np.ndarray) -> list:
        """Return the keys in an array as Python's objects."""
        flat = array.ravel().tolist()
        if not self.key_shape:
            return flat
        width = int(np.prod(self.key_shape, dtype=np.int64))
        return [tuple(flat[i : i + width]) for i in range(0, len(flat), width)]

    def find(self, keys: np.ndarray, default: np.ndarray) -> np.ndarray:
        """Return the values of keys; where there is none, the default (or that of its position)."""
        outer = self.outer_shape(keys)
        get = self.rows.get
        wanted = self.as_keys(keys)
        if default.shape == self.value_shape:
            other = default.tolist()
            values = [get(key, other) for key in wanted]
        else:
            expected = (*outer, *self.value_shape)
            if default.shape != expected:
                raise InvalidArgumentError(
                    f"Expected shape {list(expected)} for default values, got {list(default.shape)}"
                )
            others = default.reshape((len(wanted), *self.value_shape)).tolist()
            values = [get(key, other) for key, other in zip(wanted, others, strict=True)]
        return self._pack(values, outer)

    def _pack(self, values: list, outer: tuple[int, ...]) -> np.ndarray:
        return np.array(values, self.value_dtype.dtype).reshape((*outer, *self.value_shape))

    def _pairs(self, keys: np.ndarray, values: np.ndarray) -> Iterable[tuple[Any, Any]]:
        expected = (*self.outer_shape(keys), *self.value_shape)
        if values.shape != expected:
            raise InvalidArgumentError(
                f"Expected shape {list(expected)} for value, got {list(values.shape)}"
            )
        names = self.as_keys(keys)
        return zip(names, values.reshape((len(names), *self.value_shape)).tolist(), strict=True)

    def insert(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Give keys values; the last one counts."""
        self.rows.update(self._pairs(keys, values))

    def fill(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Give keys values; a key that has two different ones is an error."""
        for key, value in self._pairs(keys, values):
            if self.rows.setdefault(key, value) != value:
                shown = key.decode(errors="replace") if isinstance(key, bytes) else key
                raise FailedPreconditionError(
                    f"HashTable has different value for same key. Key {shown} has "
                    f"{self.rows[key]} and trying to add value {value}"
                )

    def remove(self, keys: np.ndarray) -> None:
        """Forget keys; those that are not there are no error."""
        for key in self.as_keys(keys):
            self.rows.pop(key, None)

    def exported(self) -> tuple[np.ndarray, np.ndarray]:
        """Return all keys and all values."""
        rows = dict(self.rows)
        keys = np.array(list(rows), self.key_dtype.dtype).reshape((len(rows), *self.key_shape))
        return keys, self._pack(list(rows.values()), (len(rows),))

    def replace(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Forget everything, and give keys values."""
        self.rows = dict(self._pairs(keys, values))
