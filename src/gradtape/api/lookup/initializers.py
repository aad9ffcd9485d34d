"""What the tables of `tf.lookup` are filled with: tensors, and lines of files."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.io.files import path_of, translated
from gradtape.core.convert import static_int
from gradtape.core.dtypes import DType, as_dtype, int64, string
from gradtape.core.errors import InvalidArgumentError, OutOfRangeError


class KeyedValues:
    """Has keys of one dtype, and values of another: a table, or what it is filled with."""

    _key_dtype: DType
    _value_dtype: DType

    @property
    def key_dtype(self) -> DType:
        """The dtype of keys."""
        return self._key_dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of values."""
        return self._value_dtype


class TableInitializer(KeyedValues):
    """Gives a table its keys and values, once."""

    def __init__(self, key_dtype, value_dtype) -> None:
        self._key_dtype, self._value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the keys and the values."""
        raise NotImplementedError

    def initialize(self, table) -> None:
        """Fill a table; a subclass may leave it empty."""
        table._fill(*self.pairs())


@export("lookup.KeyValueTensorInitializer")
class KeyValueTensorInitializer(TableInitializer):
    """Keys and values from two tensors."""

    def __init__(self, keys, values, key_dtype=None, value_dtype=None, name=None) -> None:
        self._keys = ops.to_tensor(keys, None if key_dtype is None else as_dtype(key_dtype))
        self._values = ops.to_tensor(values, None if value_dtype is None else as_dtype(value_dtype))
        super().__init__(self._keys.dtype, self._values.dtype)

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the keys and the values."""
        return (
            np.asarray(self._keys.numpy(), self.key_dtype.dtype),
            np.asarray(self._values.numpy(), self.value_dtype.dtype),
        )


@export("lookup.TextFileIndex")
class TextFileIndex:
    """What of a line is meant, where no column is: the line itself, or its number."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


_WHOLE, _NUMBER = TextFileIndex.WHOLE_LINE, TextFileIndex.LINE_NUMBER


@export("lookup.TextFileInitializer")
class TextFileInitializer(TableInitializer):
    """Keys and values from the lines of a file: columns, whole lines, or the lines' numbers."""

    def __init__(
        self,
        filename,
        key_dtype,
        key_index,
        value_dtype,
        value_index,
        vocab_size=None,
        delimiter="\t",
        name=None,
        value_index_offset=0,
    ) -> None:
        super().__init__(key_dtype, value_dtype)
        for role, index, dtype in (
            ("key", key_index, self.key_dtype),
            ("value", value_index, self.value_dtype),
        ):
            _check_column(role, index, dtype)
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"`vocab_size` should be > 0, received: {vocab_size}")
        if isinstance(filename, str) and not filename:
            raise ValueError("`filename` argument required for table initializer.")
        self._path = path_of(filename)
        self._key_index, self._value_index = key_index, value_index
        self._vocab_size, self._delimiter = vocab_size, delimiter
        self._offset = static_int(value_index_offset)

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the keys and the values, read from the file."""
        delimiter = self._delimiter.encode()
        if len(delimiter) != 1:
            raise InvalidArgumentError("delimiter should be only 1 char")
        lines = self._lines()
        keys = self._column(lines, delimiter, self._key_index, self.key_dtype)
        values = self._column(lines, delimiter, self._value_index, self.value_dtype)
        return keys, values

    def _lines(self) -> list[bytes]:
        with translated(self._path), open(self._path, "rb") as file:
            lines = file.read().split(b"\n")
        if not lines[-1]:
            lines.pop()  # the end of the last line
        if not lines:
            raise OutOfRangeError(f"{self._path} has no lines to fill a table with")
        if self._vocab_size is not None:
            if len(lines) < self._vocab_size:
                raise InvalidArgumentError(
                    f"Invalid vocab_size in {self._path}: expected {self._vocab_size} but got "
                    f"{len(lines)}"
                )
            lines = lines[: self._vocab_size]
        if b"" in lines:
            raise InvalidArgumentError(
                f"Invalid content in {self._path}: empty line found at position {lines.index(b'')}."
            )
        return [line.removesuffix(b"\r") for line in lines]

    def _column(self, lines: list[bytes], delimiter: bytes, index: int, dtype: DType) -> np.ndarray:
        if index == _NUMBER:
            return np.arange(self._offset, self._offset + len(lines), dtype=np.int64)
        fields = [
            line if index == _WHOLE else self._field(number, line, line.split(delimiter), index)
            for number, line in enumerate(lines)
        ]
        if dtype is string:
            return np.fromiter(fields, object, len(fields))
        kind = int if dtype.is_integer else float
        numbers = []
        for number, field in enumerate(fields):
            try:
                numbers.append(kind(field))
            except ValueError:
                raise InvalidArgumentError(
                    f"Field {field.decode(errors='replace')} in line {number} is not a valid "
                    f"{dtype.name}."
                ) from None
        return np.array(numbers, dtype.dtype)

    def _field(self, number: int, line: bytes, fields: list[bytes], index: int) -> bytes:
        least = max(self._key_index, self._value_index) + 1
        if len(fields) < least:
            raise InvalidArgumentError(
                f"Invalid number of columns in {self._path} line {number} "
                f"({line.decode(errors='replace')}) : expected at least {least} got {len(fields)}"
            )
        return fields[index]


def _check_column(role: str, index: int, dtype: DType) -> None:
    if index < _WHOLE:
        raise ValueError(f"`{role}_index` should be >= -2, received: {index}.")
    if index == _NUMBER and dtype is not int64:
        raise ValueError(
            f"`{role}_dtype` must be int64 if `{role}_index` is {_NUMBER}, received: {dtype!r}"
        )
    if index == _WHOLE and dtype is not string and not dtype.is_integer:
        raise ValueError(
            f"`{role}_dtype` should be either integer or string for `{role}_index` {_WHOLE}, "
            f"received: {dtype!r}"
        )
