"""Datasets of CSV files."""

from __future__ import annotations

import io
import itertools
from collections import OrderedDict
from collections.abc import Iterator

import numpy as np

from gradtape import ops
from gradtape.api.io.csv import Column, csv_reader, select_fields
from gradtape.api.io.files import glob as matching_files
from gradtape.api.specs import TensorSpec
from gradtape.core.convert import static_ints
from gradtape.core.dtypes import float32, float64, int32, int64, string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor
from gradtape.data.dataset import Dataset
from gradtape.data.files.source import names_node, open_translated
from gradtape.data.nodes import UNKNOWN, UnaryNode, chained, drop_first, resumed


def _rows(filename: str, compression: str, reading) -> Iterator[list[str]]:
    """Return the fields of each line of a file; `reading` says how a line is divided."""
    with open_translated(filename, compression) as file:
        # Fields of strings may be any bytes, which surrogates keep.
        text = io.StringIO(file.read().decode(errors="surrogateescape"), newline="")
    return csv_reader(text, *reading)


def _records(filename: str, compression: str, reading, header: bool) -> Iterator[list[str]]:
    """Return the fields of each record: of the lines after the header that are not empty."""
    rows = _rows(filename, compression, reading)
    if header:
        next(rows, None)
    return filter(None, rows)


class CsvRows(UnaryNode):
    """The records of CSV files, a tuple of values for each."""

    name = "CsvDatasetV2"

    def __init__(self, filenames, columns, selected, compression, header, reading, na_value):
        super().__init__(filenames)
        self.columns, self.selected = columns, selected
        self.compression, self.header = compression, header
        self.reading, self.na_value = reading, na_value

    def stream(self, skip=0, rows=False):
        return drop_first(resumed(chained(map(self._elements_in, self.source.stream()))), skip)

    def _elements_in(self, name: Tensor) -> Iterator[tuple[Tensor, ...]]:
        filename = name._host_data().item().decode()
        records = _records(filename, self.compression, self.reading, self.header)
        return itertools.starmap(self._element, enumerate(records))

    def _element(self, number: int, fields: list[str]) -> tuple[Tensor, ...]:
        wanted = select_fields(fields, len(self.columns), self.selected, number)
        pairs = enumerate(zip(self.columns, wanted, strict=True))
        return tuple(
            [
                column.tensor([column.value(text, self.na_value, i, number)], ())
                for i, (column, text) in pairs
            ]
        )

    def cardinality(self):
        return UNKNOWN

    def spec(self):
        return tuple(TensorSpec((), column.dtype) for column in self.columns)


class CsvDataset(Dataset):
    """The records of CSV files; `record_defaults` says what the columns hold."""

    def __init__(
        self,
        filenames,
        record_defaults,
        compression_type=None,
        buffer_size=None,
        header=False,
        field_delim=",",
        use_quote_delim=True,
        na_value="",
        select_cols=None,
        exclude_cols=None,
    ) -> None:
        if select_cols is not None and exclude_cols is not None:
            raise InvalidArgumentError("select_cols and exclude_cols cannot both be given.")
        names = names_node(filenames)
        columns = [Column(default) for default in record_defaults]
        selected = None if select_cols is None else static_ints(select_cols, "select_cols")
        if exclude_cols is not None:
            left_out = set(static_ints(exclude_cols, "exclude_cols"))
            indices = (i for i in itertools.count() if i not in left_out)
            selected = list(itertools.islice(indices, len(columns)))
        reading = (field_delim, bool(use_quote_delim))
        compression = compression_type or ""
        super().__init__(
            CsvRows(names, columns, selected, compression, bool(header), reading, na_value)
        )


# --- columns by name ------------------------------------------------------------------------------

_TYPES = (int32, int64, float32, float64, string)


def _fits(text: str, dtype) -> bool:
    if dtype is string:
        return True
    try:
        if dtype in (int32, int64):
            return dtype.min <= int(text) <= dtype.max
        number = float(text)
    except ValueError:
        return False
    return dtype is float64 or abs(number) <= dtype.max or not np.isfinite(number)


def _infer_dtypes(
    files, count: int, reading, na_value: str, header: bool, indices, compression, limit
):
    """Return the dtype of each column: the first that all fields of the first records fit."""
    types = [-1] * count
    rows = 0
    for filename in files:
        for fields in _records(filename, compression, reading, header):
            for i, column in enumerate(indices):
                field = fields[column]
                if field not in ("", na_value):
                    start = max(types[i], 0)
                    types[i] = next(t for t in range(start, 5) if _fits(field, _TYPES[t]))
            rows += 1
            if limit is not None and rows >= limit:
                return types
    return types


def make_csv_dataset(
    file_pattern,
    batch_size,
    column_names=None,
    column_defaults=None,
    label_name=None,
    select_columns=None,
    field_delim=",",
    use_quote_delim=True,
    na_value="",
    header=True,
    num_epochs=None,
    shuffle=True,
    shuffle_buffer_size=10000,
    shuffle_seed=None,
    prefetch_buffer_size=None,
    num_parallel_reads=None,
    sloppy=False,
    num_rows_for_inference=100,
    compression_type=None,
    ignore_errors=False,
    encoding="utf-8",
) -> Dataset:
    """Return batches of CSV files: a dictionary of columns, and the column of labels if there is
    one."""
    patterns = [file_pattern] if isinstance(file_pattern, str) else list(file_pattern)
    files = sorted(name for pattern in patterns for name in matching_files(pattern))
    if not files:
        raise ValueError(f"No files match `file_pattern` {file_pattern!r}.")
    compression = compression_type or ""
    names_of_files = Dataset.from_tensor_slices(files)
    if shuffle:
        names_of_files = names_of_files.shuffle(len(files), shuffle_seed)
    reading = (field_delim, bool(use_quote_delim))
    if column_names is None:
        if not header:
            raise ValueError("Expected `column_names` or `header` arguments. Neither is given.")
        column_names = next(_rows(files[0], compression, reading))
    column_names = list(column_names)
    if len(set(column_names)) != len(column_names):
        raise ValueError(f"Cannot have duplicate column names, got {column_names}.")
    indices = list(range(len(column_names)))
    if select_columns is not None:
        indices = sorted(
            each if isinstance(each, int) else column_names.index(each) for each in select_columns
        )
        column_names = [column_names[column] for column in indices]
    if column_defaults is None:
        types = _infer_dtypes(
            files,
            len(indices),
            reading,
            na_value,
            header,
            indices,
            compression,
            num_rows_for_inference,
        )
        column_defaults = [
            ops.to_tensor([""]) if t in (-1, 4) else ops.to_tensor([0], _TYPES[t]) for t in types
        ]
    if label_name is not None and label_name not in column_names:
        raise ValueError(f"`label_name` provided must be one of the columns, got {label_name!r}.")

    def records(filename):
        return CsvDataset(
            filename,
            column_defaults,
            compression,
            header=header,
            field_delim=field_delim,
            use_quote_delim=use_quote_delim,
            na_value=na_value,
            select_cols=None if select_columns is None else indices,
        )

    def by_name(*columns):
        features = OrderedDict(zip(column_names, columns, strict=True))
        if label_name is None:
            return features
        label = features.pop(label_name)
        return features, label

    dataset = names_of_files.flat_map(records)
    if ignore_errors:
        dataset = dataset.ignore_errors()
    if num_epochs != 1 and shuffle:
        from gradtape.data.experimental_names import shuffle_and_repeat

        dataset = dataset.apply(shuffle_and_repeat(shuffle_buffer_size, num_epochs, shuffle_seed))
    elif shuffle:
        dataset = dataset.shuffle(shuffle_buffer_size, shuffle_seed)
    elif num_epochs != 1:
        dataset = dataset.repeat(num_epochs)
    dataset = dataset.batch(batch_size, drop_remainder=num_epochs is None).map(by_name)
    return dataset.prefetch(1 if prefetch_buffer_size is None else prefetch_buffer_size)
