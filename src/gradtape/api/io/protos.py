"""`tf.io.decode_proto` and `tf.io.encode_proto`: fields of protocol buffers as tensors."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.dtypes import DType, as_dtype, int32, string
from gradtape.core.errors import DataLossError, InvalidArgumentError
from gradtape.core.state import only_outside_of_functions
from gradtape.core.tensor import Tensor
from gradtape.formats import protobuf
from gradtape.formats.descriptors import FieldType, MessageType, Pool, local_pool
from gradtape.formats.errors import DecodeError
from gradtape.formats.text_format import encode_text, tagged

DecodeProtoV2 = namedtuple("DecodeProtoV2", "sizes values")

_INT32S, _UINT32S = ("int32", "int64"), ("uint32", "uint64")
# Which dtypes the values of a kind of field can have.
_DTYPES = {
    "double": ("float64",),
    "float": ("float32", "float64"),
    "bool": ("bool",),
    "enum": ("int32",),
    **dict.fromkeys(("int64", "sfixed64", "sint64"), ("int64",)),
    **dict.fromkeys(("uint64", "fixed64"), ("uint64",)),
    **dict.fromkeys(("int32", "sfixed32", "sint32"), _INT32S),
    **dict.fromkeys(("uint32", "fixed32"), _UINT32S),
    **dict.fromkeys(("string", "bytes", "message", "group"), ("string",)),
}


@export("io.decode_proto")
def decode_proto(
    bytes,
    message_type,
    field_names,
    output_types,
    descriptor_source="local://",
    message_format="binary",
    sanitize=False,
    name=None,
):
    """Return fields of serialized messages as tensors, with how many values each has.

    `descriptor_source` says what the messages look like: `bytes://` and a serialized
    FileDescriptorSet, the path of a file with one (`protoc --descriptor_set_out` writes it), or
    `local://` for the messages of `tf.train`. The result has `sizes` of shape
    [..., number of fields] and `values`, one tensor of shape [..., largest size] for each field;
    what is not there has the field's default.
    """
    only_outside_of_functions("tf.io.decode_proto reads the bytes of strings")
    op = "DecodeProtoV2"
    pool, message = _described(descriptor_source, message_type, op)
    names, kinds = list(field_names), [as_dtype(kind) for kind in output_types]
    if len(names) != len(kinds):
        raise InvalidArgumentError(
            f"field_names and output_types attributes must have the same length, got {len(names)} "
            f"and {len(kinds)} [Op:{op}]"
        )
    if message_format not in ("binary", "text"):
        raise InvalidArgumentError(
            f"format must be one of binary or text, got {message_format!r} [Op:{op}]"
        )
    fields = [_field(message, each, op) for each in names]
    for field, kind in zip(fields, kinds, strict=True):
        if kind.name not in _DTYPES[field.kind.name]:
            raise InvalidArgumentError(
                f"Unexpected output type for {message.name}.{field.name}: {field.kind.shown} to "
                f"{kind.name}. It can be {' or '.join(_DTYPES[field.kind.name])} [Op:{op}]"
            )
    given = ops.to_tensor(bytes, string)
    array = np.asarray(given._data)
    if not array.size:
        raise InvalidArgumentError(f"Bufs argument must contain at least one value [Op:{op}]")
    wanted: dict[int, int] = {}  # of equal names the first one counts
    for index, field in enumerate(fields):
        wanted.setdefault(field.number, index)
    rows = []
    for content in array.reshape(-1).tolist():
        if message_format == "text":
            content = _of_text(content, message, pool)
        elif sanitize:
            _check(content, message, pool)
        rows.append(_extracted(content, fields, wanted))
    sizes = np.array([[len(part) for part in row] for row in rows], np.int32)
    sizes = sizes.reshape((*array.shape, len(fields)))
    values = [
        _column([row[index] for row in rows], field, kind, array.shape)
        for index, (field, kind) in enumerate(zip(fields, kinds, strict=True))
    ]
    return DecodeProtoV2(Tensor(sizes), values)


def _described(source: Any, message_type: Any, op: str) -> tuple[Pool, MessageType]:
    source = source.encode() if isinstance(source, str) else source
    if not isinstance(source, bytes):
        raise TypeError(f"{op}: descriptor_source must be a string, got {source!r}")
    message_type = message_type.decode() if isinstance(message_type, bytes) else message_type
    try:
        pool = local_pool() if source in (b"", b"local://") else Pool.of_bytes(_content(source))
    except (DecodeError, OSError) as error:
        raise InvalidArgumentError(
            "Source does not represent serialized file descriptor set proto. Give bytes:// and "
            f"its bytes, or the path of a file that protoc has written: {error} [Op:{op}]"
        ) from None
    message = pool.messages.get(message_type)
    if message is None:
        known = ", ".join(sorted(pool.messages)[:8]) or "none"
        raise InvalidArgumentError(
            f"No descriptor found for message type {message_type}. There are: {known} [Op:{op}]"
        )
    return pool, message


def _content(source: bytes) -> bytes:
    if source.startswith(b"bytes://"):
        return source[len(b"bytes://") :]
    with open(source.removeprefix(b"file://"), "rb") as file:
        return file.read()


def _field(message: MessageType, name: Any, op: str) -> FieldType:
    name = name.decode() if isinstance(name, bytes) else name
    field = message.fields.get(name)
    if field is None:
        raise InvalidArgumentError(
            f"Unknown field: {name} in message type {message.name}. It has: "
            f"{', '.join(message.fields)} [Op:{op}]"
        )
    return field


def _of_text(text: bytes, message: MessageType, pool: Pool) -> bytes:
    try:
        return encode_text(text, message, pool)
    except DecodeError as error:
        raise DataLossError(f"Unable to parse text protobuf: {error} [Op:DecodeProtoV2]") from None


def _check(content: bytes, message: MessageType, pool: Pool) -> None:
    try:
        _check_message(memoryview(content), message, pool, 0)
    except (DecodeError, UnicodeDecodeError) as error:
        raise DataLossError(
            f"Unable to parse binary protobuf: {error} [Op:DecodeProtoV2]"
        ) from None


def _check_message(view: memoryview, message: MessageType, pool: Pool, depth: int) -> None:
    if depth > 100:
        raise DecodeError("messages are nested more than 100 deep")
    for number, wire, value, _ in protobuf.fields(view):
        field = message.by_number.get(number)
        if field is None or wire != protobuf.BYTES:
            continue
        if field.kind.name == "message" and field.type_name in pool.messages:
            _check_message(value, pool.messages[field.type_name], pool, depth + 1)
        elif field.kind.name == "string" and message.is_proto3:
            bytes(value).decode()


def _extracted(content: bytes, fields: list[FieldType], wanted: dict[int, int]) -> list[list]:
    """Return the values of each field of one message."""
    extracted: list[list] = [[] for _ in fields]
    try:
        for number, wire, value, whole in protobuf.fields(content):
            index = wanted.get(number)
            if index is None:
                continue
            field, values = fields[index], extracted[index]
            if wire == field.kind.wire:
                if wire == protobuf.GROUP:  # TensorFlow gives it with its tags
                    value = whole
                if not field.is_repeated:
                    values.clear()
                values.append(field.kind.read(value))
            elif wire == protobuf.BYTES and field.kind.is_packable:
                packed = _unpacked(field, value)
                if field.is_repeated:
                    values += packed
                elif packed:
                    values[:] = [field.default]
    except DecodeError as error:
        raise DataLossError(f"Failed reading a field: {error} [Op:DecodeProtoV2]") from None
    return extracted


def _unpacked(field: FieldType, view: memoryview) -> list:
    read = field.kind.read
    if field.kind.wire == protobuf.VARINT:
        return [read(int(x)) for x in protobuf.unpack_integers(view).view(np.uint64)]
    size = 8 if field.kind.wire == protobuf.FIXED64 else 4
    if len(view) % size:
        raise DecodeError(f"Illegal data length for packed fixed-size type: {len(view)}")
    return [read(view[at : at + size]) for at in range(0, len(view), size)]


def _column(rows: list[list], field: FieldType, kind: DType, outer: tuple[int, ...]) -> Tensor:
    width = max([1, *map(len, rows)])
    values = np.empty((len(rows), width), kind.as_numpy_dtype)
    values[...] = field.default
    for row, extracted in zip(values, rows, strict=True):
        row[: len(extracted)] = extracted
    return Tensor(values.reshape((*outer, width)))


@export("io.encode_proto")
def encode_proto(
    sizes, values, field_names, message_type, descriptor_source="local://", name=None
) -> Tensor:
    """Return serialized messages of tensors with the values of their fields.

    `sizes` of shape [..., number of fields] says how many of a field's values are written;
    `descriptor_source` is as in `tf.io.decode_proto`.
    """
    only_outside_of_functions("tf.io.encode_proto writes the bytes of strings")
    op = "EncodeProto"
    _, message = _described(descriptor_source, message_type, op)
    fields = [_field(message, each, op) for each in field_names]
    columns = [ops.to_tensor(value) for value in values]
    if not fields or len(fields) != len(columns):
        raise InvalidArgumentError(
            f"field_names and values must have the same length, of at least 1; got {len(fields)} "
            f"and {len(columns)} [Op:{op}]"
        )
    counts = np.asarray(ops.to_tensor(sizes, int32)._data)
    for field, column in zip(fields, columns, strict=True):
        _check_column(field, column, counts, len(fields), op)
    outer = counts.shape[:-1]
    flat = counts.reshape(-1, len(fields))
    arrays = [np.asarray(x._data).reshape(len(flat), x.shape[-1]) for x in columns]
    order = sorted(range(len(fields)), key=lambda index: fields[index].number)
    result = np.empty(len(flat), object)
    for row, row_sizes in enumerate(flat):
        parts = []
        for index in order:
            count, given = int(row_sizes[index]), arrays[index][row]
            if count > len(given):
                raise InvalidArgumentError(
                    f"Size to write must not be larger than value tensor; but saw: {count} > "
                    f"{len(given)} at message {row} field {index} [Op:{op}]"
                )
            parts.append(_written(fields[index], given[: max(count, 0)].tolist()))
        result[row] = b"".join(parts)
    return Tensor(result.reshape(outer))


def _check_column(field: FieldType, column: Tensor, counts: np.ndarray, fields: int, op: str):
    if column.dtype.name not in _DTYPES[field.kind.name]:
        raise InvalidArgumentError(
            f"Incompatible type for field {field.name}.  Saw dtype: {column.dtype.name} but field "
            f"type is: {field.kind.name} [Op:{op}]"
        )
    if len(column.shape) < 2:
        raise InvalidArgumentError(
            f"Invalid shape for field {field.name}.  Saw shape {list(column.shape)} but it should "
            f"be at least a matrix. [Op:{op}]"
        )
    expected = (*column.shape[:-1], fields)
    if counts.shape != expected:
        raise InvalidArgumentError(
            f"sizes should be batch_size + [len(field_names)].  Saw: {list(counts.shape)} but "
            f"expected: {list(expected)} [Op:{op}]"
        )


def _written(field: FieldType, values: list) -> bytes:
    if field.is_packed:
        content = b"".join(map(field.kind.write, values))
        return protobuf.data(field.number, content) if values else b""
    return b"".join(tagged(field, field.kind.write(value)) for value in values)
