"""The message that a TensorProto is: what `tf.make_tensor_proto` returns."""

from __future__ import annotations

import math
from array import array

import numpy as np

from gradtape.core.dtypes import DType
from gradtape.formats import protobuf
from gradtape.formats.message_fields import (
    FloatsField,
    IntegersField,
    NumberField,
    TextField,
    escaped,
    floats,
    integers,
    message,
    messages,
    number,
    strings,
    text,
)
from gradtape.formats.messages import Message
from gradtape.formats.repeated import Doubles, Floats, Integers, Messages, Strings, Unsigned
from gradtape.formats.tensor_proto import BY_NUMBER

_NAMES = {"float16": "HALF", "float32": "FLOAT", "float64": "DOUBLE"}


class _KindField(NumberField):
    """The number of a dtype, shown by its name."""

    kind = "enum"

    def lines(self, value):
        dtype = BY_NUMBER.get(value)
        if dtype is None:
            return [f"{self.name}: {value}"]
        return [f"{self.name}: DT_{_NAMES.get(dtype.name, dtype.name.upper())}"]


class _ContentField(TextField):
    """One piece of bytes; an empty one is not written."""

    kind = "bytes"
    default = b""
    decoded = bytes

    def __set__(self, message, value) -> None:
        if not isinstance(value, bytes):
            raise TypeError(f"bad argument type for built-in operation: {type(value).__name__}")
        message._put(self, value)

    def lines(self, value):
        return [f'{self.name}: "{escaped(value)}"']


class _DoublesField(FloatsField):
    kind = "double"

    def encode(self, value, deterministic):
        return protobuf.data(self.number, value.numpy().astype("<f8", copy=False).tobytes())

    def decode(self, message, wire, value):
        if wire not in (protobuf.BYTES, protobuf.FIXED64) or len(value) % 8:
            return False
        self.__get__(message).take(np.frombuffer(value, "<f8"))
        return True

    def lines(self, value):
        return [f"{self.name}: {_shortest(x)}" for x in value]


def _shortest(x: float) -> str:
    short = f"{x:.15g}"
    return short if float(short) == x or x != x else f"{x:.17g}"


class _TruthsField(IntegersField):
    kind = "bool"

    def lines(self, value):
        return [f"{self.name}: {'true' if each else 'false'}" for each in value]


class _UnsignedField(IntegersField):
    kind = "uint64"

    def encode(self, value, deterministic):
        signed = array("q")
        signed.frombytes(value._items.tobytes())
        return protobuf.data(self.number, protobuf.packed_integers(signed))

    def decode(self, message, wire, value):
        if wire == protobuf.VARINT:
            self.__get__(message).append(value)
            return True
        return super().decode(message, wire, value)


class _TruthField(NumberField):
    kind = "bool"

    def lines(self, value):
        return [f"{self.name}: {'true' if value else 'false'}"]


class Dimension(
    Message,
    name="tensorflow.TensorShapeProto.Dim",
    fields=[number("size", 1), text("name", 2)],
):
    """The size of an axis."""

    __slots__ = ()
    size: int
    name: str


class TensorShapeProto(
    Message,
    name="tensorflow.TensorShapeProto",
    fields=[messages("dim", 2, Dimension), _TruthField("unknown_rank", 3, bool)],
):
    """The sizes of a tensor."""

    __slots__ = ()
    dim: Messages
    unknown_rank: bool


class TensorProto(
    Message,
    name="tensorflow.TensorProto",
    fields=[
        _KindField("dtype", 1, int),
        message("tensor_shape", 2, TensorShapeProto),
        number("version_number", 3),
        _ContentField("tensor_content", 4, bytes),
        floats("float_val", 5),
        _DoublesField("double_val", 6, Doubles),
        integers("int_val", 7),
        strings("string_val", 8),
        floats("scomplex_val", 9),
        integers("int64_val", 10),
        _TruthsField("bool_val", 11, Integers),
        _DoublesField("dcomplex_val", 12, Doubles),
        integers("half_val", 13),
        integers("uint32_val", 16),
        _UnsignedField("uint64_val", 17, Unsigned),
    ],
):
    """A tensor: its dtype by number, its shape, and its values as bytes or one by one."""

    __slots__ = ()
    dtype: int
    tensor_shape: TensorShapeProto
    tensor_content: bytes
    float_val: Floats
    double_val: Doubles
    int_val: Integers
    string_val: Strings
    scomplex_val: Floats
    int64_val: Integers
    bool_val: Integers
    dcomplex_val: Doubles
    half_val: Integers
    uint32_val: Integers
    uint64_val: Unsigned


# The field of the values of a dtype, where they are written one by one.
_FIELDS = {
    "float32": "float_val",
    "float64": "double_val",
    "string": "string_val",
    "complex64": "scomplex_val",
    "complex128": "dcomplex_val",
    "int64": "int64_val",
    "bool": "bool_val",
    "float16": "half_val",
    "bfloat16": "half_val",
    "uint32": "uint32_val",
    "uint64": "uint64_val",
}
# Dtypes of which TensorFlow writes several values as bytes.
_AS_BYTES = frozenset(
    {"float16", "float32", "float64", "int8", "int16", "int32", "int64"}
    | {"bfloat16", "uint8", "uint32", "uint64"}
)


def tensor_message(values: np.ndarray, dtype: DType, shape: tuple[int, ...]) -> TensorProto:
    """Return a message of values: as many as the shape has; the last stands for any more."""
    made = TensorProto(dtype=dtype.as_datatype_enum)
    made.tensor_shape.CopyFrom(TensorShapeProto(dim=[Dimension(size=n) for n in shape]))
    if dtype.name in _AS_BYTES and values.size == math.prod(shape) > 1:
        made.tensor_content = values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()
        return made
    flat = values.reshape(-1)
    if dtype.name in ("complex64", "complex128"):
        flat = flat.view(np.float32 if dtype.name == "complex64" else np.float64)
    elif dtype.name in ("float16", "bfloat16"):
        flat = flat.view(np.uint16)
    elif dtype.name == "bool":
        flat = flat.astype(np.int64)
    if flat.size:
        getattr(made, _FIELDS.get(dtype.name, "int_val")).extend(flat.tolist())
    return made
