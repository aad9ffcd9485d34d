"""`tf.io.decode_csv`: lines of values that are separated by commas."""

from __future__ import annotations

import csv

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.convert import static_ints
from gradtape.core.dtypes import DType, as_dtype, float32, float64, int32, int64, string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor

_KINDS = {int32: int, int64: int, float32: float, float64: float}


class Column:
    """What a column holds: its dtype, and what a field that is left empty means."""

    def __init__(self, default) -> None:
        self.default = None  # None: the field must be there
        if isinstance(default, (DType, type, np.dtype)):
            self.dtype = as_dtype(default)
        else:
            tensor = ops.to_tensor(default)
            self.dtype = tensor.dtype
            if tensor._data.size > 1:
                raise InvalidArgumentError(
                    "decode_csv: a default is one value, or none where the field is required; got "
                    f"shape {tuple(tensor.shape)} [Op:DecodeCSV]"
                )
            if tensor._data.size:
                self.default = np.asarray(tensor._data).reshape(-1)[0]
        if self.dtype is not string and self.dtype not in _KINDS:
            raise InvalidArgumentError(
                f"decode_csv: columns are of {', '.join(d.name for d in _KINDS)} or string, got "
                f"{self.dtype.name} [Op:DecodeCSV]"
            )

    def value(self, text: str, na_value: str, field: int, record: int):
        """Return the value of a field."""
        if text in ("", na_value):
            if self.default is None:
                raise InvalidArgumentError(
                    f"Field {field} is required but missing in record {record}! [Op:DecodeCSV]"
                )
            return self.default
        if self.dtype is string:
            return text.encode(errors="surrogateescape")
        try:
            return self.dtype.dtype.type(_KINDS[self.dtype](text))
        except (ValueError, OverflowError):
            raise InvalidArgumentError(
                f"Field {field} in record {record} is not a valid {self.dtype.name}: {text} "
                "[Op:DecodeCSV]"
            ) from None

    def tensor(self, values: list, shape: tuple[int, ...]) -> Tensor:
        if self.dtype is not string:
            return Tensor(np.array(values, self.dtype.dtype).reshape(shape)[()])
        array = np.empty(len(values), object)
        array[:] = values
        return Tensor(array.reshape(shape))


def check_delimiter(delimiter: str) -> None:
    """Raise an error unless the delimiter is one character."""
    if len(delimiter) != 1:
        raise InvalidArgumentError(
            f"field_delim should be only 1 char, got {delimiter!r} [Op:DecodeCSV]"
        )


def split_record(record: str, delimiter: str, quoted: bool) -> list[str]:
    """Return the fields of one record; raise an error at stray quotes and line breaks."""
    if not record:
        return []
    if not any(c in record for c in '"\r\n'):
        return record.split(delimiter)
    fields = []
    start = 0  # of the next field; one past the end after the last
    while start <= len(record):
        if quoted and record.startswith('"', start):
            field, end = _quoted_field(record, start + 1, delimiter)
        else:
            end = record.find(delimiter, start)
            end = len(record) if end < 0 else end
            field = record[start:end]
            if any(c in field for c in ('"\r\n' if quoted else "\r\n")):
                raise InvalidArgumentError(
                    f"Unquoted fields cannot have quotes/CRLFs inside: {field!r} [Op:DecodeCSV]"
                )
        fields.append(field)
        start = end + 1
    return fields


def _quoted_field(record: str, start: int, delimiter: str) -> tuple[str, int]:
    """Return the field whose opening quote is before `start`, and where it ends."""
    at = start
    while (at := record.find('"', at)) >= 0:
        after = record[at + 1 : at + 2]
        if after in ("", delimiter):
            return record[start:at].replace('""', '"'), at + 1
        if after != '"':
            raise InvalidArgumentError(
                "Quote inside a string has to be escaped by another quote: "
                f"{record[start - 1 :]!r} [Op:DecodeCSV]"
            )
        at += 2
    raise InvalidArgumentError(
        "Quoted field has to end with quote followed by delim or end: "
        f"{record[start - 1 :]!r} [Op:DecodeCSV]"
    )


def csv_reader(lines, delimiter: str, quoted: bool):
    """Return the fields of each record of some lines, of which a quoted field may hold several."""
    check_delimiter(delimiter)
    quoting = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    return csv.reader(lines, delimiter=delimiter, quoting=quoting)


def select_fields(fields: list[str], columns: int, selected, record: int) -> list[str]:
    """Return the fields that are wanted of a record, which must have them."""
    if selected is None:
        if len(fields) != columns:
            raise InvalidArgumentError(
                f"Expect {columns} fields but have {len(fields)} in record {record} [Op:DecodeCSV]"
            )
        return fields
    if max(selected, default=-1) >= len(fields):
        raise InvalidArgumentError(
            f"Expect {columns} selected fields but have only {len(fields)} in record {record} "
            "[Op:DecodeCSV]"
        )
    return [fields[column] for column in selected]


@export("io.decode_csv")
def decode_csv(
    records,
    record_defaults,
    field_delim=",",
    use_quote_delim=True,
    na_value="",
    select_cols=None,
    name=None,
) -> list[Tensor]:
    """Return a tensor for each column of lines of text; `record_defaults` says what the columns
    hold."""
    if any(isinstance(default, DType) for default in record_defaults):
        raise ValueError(
            "decode_csv: record_defaults holds values; for a required field give an empty tensor, "
            "such as tf.constant([], tf.float32)."
        )
    columns = [Column(default) for default in record_defaults]
    if select_cols is not None:
        select_cols = static_ints(select_cols, "decode_csv: 'select_cols'")
        if len(select_cols) != len(columns) or select_cols != sorted(set(select_cols)):
            raise ValueError(
                "decode_csv: select_cols must increase, with one index for each of "
                "record_defaults; "
                f"got {select_cols} for {len(columns)} columns."
            )
    texts = ops.to_tensor(records, None if ops.is_tensor_like(records) else string)
    if texts.dtype is not string:
        raise TypeError(f"decode_csv: records must be strings, got a tensor of {texts.dtype.name}.")
    check_delimiter(field_delim)
    # Fields of strings may be any bytes, which surrogates keep.
    lines = [line.decode(errors="surrogateescape") for line in np.asarray(texts._data).reshape(-1)]
    rows = []
    for number, line in enumerate(lines):
        fields = split_record(line, field_delim, use_quote_delim)
        wanted = select_fields(fields, len(columns), select_cols, number)
        rows.append(
            [
                c.value(text, na_value, i, number)
                for i, (c, text) in enumerate(zip(columns, wanted, strict=True))
            ]
        )
    shape = tuple(texts.shape)
    return [column.tensor([row[i] for row in rows], shape) for i, column in enumerate(columns)]
