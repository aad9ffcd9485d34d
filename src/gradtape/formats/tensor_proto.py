"""TensorProto: a tensor with its dtype and shape, as a protocol buffer."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gradtape.backends.constants import MAX_AXES
from gradtape.core import dtypes
from gradtape.core.dtypes import DType, from_numpy
from gradtape.formats import protobuf
from gradtape.formats.errors import DecodeError

_DTYPE, _SHAPE, _CONTENT, _STRINGS = 1, 2, 4, 8
BY_NUMBER = {dtype.as_datatype_enum: dtype for dtype in dtypes.BY_NAME.values()}
# Fields with values of their own kind: where they stand, and as what they are packed.
_FLOATS, _DOUBLES = {5: "<f4", 9: "<c8"}, {6: "<f8", 12: "<c16"}
_INTEGERS = frozenset([7, 10, 11, 16, 17])
_HALVES = 13  # the bits of numbers of 16 bits, as integers
# A tensor may be written as one value for all; this much is made of it at most.
_MAX_BYTES = 1 << 31


def encode_tensor(array: np.ndarray) -> bytes:
    """Return a tensor with its dtype and shape."""
    number = from_numpy(array.dtype).as_datatype_enum
    start = protobuf.integer(_DTYPE, number) + protobuf.data(_SHAPE, encode_shape(array.shape))
    if array.dtype == object:
        return start + b"".join(protobuf.data(_STRINGS, item) for item in array.reshape(-1))
    if not array.size:
        return start
    raw = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    return start + protobuf.data(_CONTENT, raw)


def decode_tensor(message: bytes) -> tuple[DType, np.ndarray]:
    """Return the dtype and the array of a tensor."""
    number, shape, content = 0, [], None
    strings: list[bytes] = []
    values: list[np.ndarray] = []
    for field, wire, value, _ in protobuf.fields(message):
        if field == _DTYPE and wire == protobuf.VARINT:
            number = value
        elif field == _SHAPE and wire == protobuf.BYTES:
            shape += decode_shape(value)
        elif field == _CONTENT and wire == protobuf.BYTES:
            content = value
        elif field == _STRINGS and wire == protobuf.BYTES:
            strings.append(bytes(value))
        elif field in _FLOATS or field in _DOUBLES:
            values.append(_fixed(value, wire, (_FLOATS | _DOUBLES)[field], field in _FLOATS))
        elif field in _INTEGERS or field == _HALVES:
            values.append(_integers(value, wire))
    dtype = BY_NUMBER.get(number)
    if dtype is None:
        raise DecodeError(f"the tensor has the dtype number {number}, which is not known here")
    if len(shape) > MAX_AXES:
        raise DecodeError(f"the tensor has {len(shape)} axes")
    if content is not None and len(content):
        return dtype, _of_content(content, dtype, shape)
    return dtype, _of_values(values, strings, dtype, shape)


def encode_shape(shape: Sequence[int]) -> bytes:
    """Return the sizes of a tensor as a TensorShapeProto."""
    return b"".join(protobuf.data(2, protobuf.integer(1, size) if size else b"") for size in shape)


def decode_shape(view: memoryview) -> list[int]:
    """Return the sizes that a TensorShapeProto has."""
    sizes = []
    for field, wire, dimension, _ in protobuf.fields(view):
        if field == 3 and dimension:
            raise DecodeError("the tensor has no known rank")
        if field != 2 or wire != protobuf.BYTES:
            continue
        size = 0
        for inner, inner_wire, value, _ in protobuf.fields(dimension):
            if inner == 1 and inner_wire == protobuf.VARINT:
                size = value - (value >> 63 << 64)
        if size < 0:
            raise DecodeError(f"the tensor has an axis of size {size}")
        sizes.append(size)
    return sizes


def _fixed(value, wire: int, kind: str, single: bool) -> np.ndarray:
    if wire not in (protobuf.BYTES, protobuf.FIXED32 if single else protobuf.FIXED64):
        raise DecodeError(f"values of a tensor have the wire type {wire}")
    if len(value) % np.dtype(kind).itemsize:
        raise DecodeError(f"values of a tensor take {len(value)} bytes, no whole number of values")
    return np.frombuffer(value, kind)


def _integers(value, wire: int) -> np.ndarray:
    if wire == protobuf.BYTES:
        return protobuf.unpack_integers(value)
    if wire != protobuf.VARINT:
        raise DecodeError(f"values of a tensor have the wire type {wire}")
    return np.array([value], np.uint64).view(np.int64)


def _of_content(content: memoryview, dtype: DType, shape: list[int]) -> np.ndarray:
    kind = np.dtype(dtype.as_numpy_dtype)
    if dtype is dtypes.string or len(content) != math.prod(shape) * kind.itemsize:
        raise DecodeError(
            f"a tensor of {dtype.name} of shape {shape} does not take {len(content)} bytes"
        )
    return np.frombuffer(content, kind.newbyteorder("<")).astype(kind).reshape(shape)


def _of_values(values: list, strings: list[bytes], dtype: DType, shape: list[int]) -> np.ndarray:
    """Return the values in their shape; the last one stands for all that are not written."""
    kind = np.dtype(dtype.as_numpy_dtype)
    count = math.prod(shape)
    if dtype is dtypes.string:
        array = np.empty(len(strings), object)
        array[:] = strings
    else:
        array = np.concatenate(values) if values else np.empty(0, kind)
        is_bits = array.dtype == np.int64 and kind.itemsize == 2 and dtype.is_floating
        array = array.astype(np.uint16).view(kind) if is_bits else array.astype(kind)
    if len(array) > count:
        raise DecodeError(f"{len(array)} values do not fit a tensor of shape {shape}")
    if len(array) < count:
        if count * kind.itemsize > _MAX_BYTES:
            raise DecodeError(f"a tensor of shape {shape} is written with {len(array)} values")
        zero = b"" if dtype is dtypes.string else kind.type(0)
        whole = np.empty(count, kind)
        whole[: len(array)] = array
        whole[len(array) :] = array[-1] if len(array) else zero
        array = whole
    return array.reshape(shape)
