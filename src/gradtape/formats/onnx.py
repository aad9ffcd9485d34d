"""ONNX files: the messages of a model, written with the project's own protocol buffers.

A writer takes a dozen fields of six messages. The `onnx` package would bring protobuf's runtime
along, and copy every weight twice. Tests check the files with `onnx.checker` and onnxruntime.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gradtape.core.dtypes import from_numpy
from gradtape.formats import protobuf

# The opsets that are written, each with the version of the file format that goes with it.
FORMATS = {17: 8, 18: 8, 19: 9, 20: 9, 21: 10}
# A message of protocol buffers has less than this; larger weights are in a file of their own.
MAX_BYTES = 2**31 - 2**24

_DTYPES = {
    "float32": 1,
    "uint8": 2,
    "int8": 3,
    "uint16": 4,
    "int16": 5,
    "int32": 6,
    "int64": 7,
    "string": 8,
    "bool": 9,
    "float16": 10,
    "float64": 11,
    "uint32": 12,
    "uint64": 13,
    "complex64": 14,
    "complex128": 15,
    "bfloat16": 16,
}
_FLOAT, _INT, _STRING, _TENSOR, _GRAPH, _FLOATS, _INTS, _STRINGS = 1, 2, 3, 4, 5, 6, 7, 8


def data_type(dtype: np.dtype) -> int:
    """Return the number that a dtype has in ONNX."""
    name = from_numpy(dtype).name
    if name not in _DTYPES:
        raise NotImplementedError(f"ONNX has no tensors of dtype {name}.")
    return _DTYPES[name]


class GraphMessage(bytes):
    """An encoded graph, as an attribute of a node has it."""


class External(NamedTuple):
    """Where a tensor lies in a file beside the model."""

    location: str
    offset: int


def tensor(name: str, array: np.ndarray, external: External | None = None) -> bytes:
    """Return a TensorProto with the values, or with the place where they are."""
    head = b"".join(protobuf.integer(1, size) for size in array.shape)
    head += protobuf.integer(2, data_type(array.dtype)) + protobuf.data(8, name)
    if external is not None:
        entries = {"location": external.location, "offset": str(external.offset)}
        entries["length"] = str(array.nbytes)
        for key, value in entries.items():
            entry = protobuf.data(1, key) + protobuf.data(2, value)
            head += protobuf.data(13, entry)
        return head + protobuf.integer(14, 1)
    if array.dtype == object:
        return head + b"".join(protobuf.data(6, item) for item in array.reshape(-1))
    return head + protobuf.data(9, raw(array))


def raw(array: np.ndarray) -> bytes:
    """Return the bytes of an array, as a file has them."""
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def attribute(name: str, value: Any) -> bytes:
    """Return an AttributeProto, of the kind that the value has."""
    head = protobuf.data(1, name)
    if isinstance(value, GraphMessage):
        return head + protobuf.integer(20, _GRAPH) + protobuf.data(6, value)
    if isinstance(value, np.ndarray):
        return head + protobuf.integer(20, _TENSOR) + protobuf.data(5, tensor("", value))
    if isinstance(value, (str, bytes)):
        return head + protobuf.integer(20, _STRING) + protobuf.data(4, value)
    if isinstance(value, float):
        return head + protobuf.integer(20, _FLOAT) + protobuf.single(2, value)
    if isinstance(value, int):
        return head + protobuf.integer(20, _INT) + protobuf.integer(3, value)
    values = list(value)
    if values and isinstance(values[0], str):
        items = b"".join(protobuf.data(9, each) for each in values)
        return head + protobuf.integer(20, _STRINGS) + items
    if values and isinstance(values[0], float):
        items = b"".join(protobuf.single(7, each) for each in values)
        return head + protobuf.integer(20, _FLOATS) + items
    items = b"".join(protobuf.integer(8, int(each)) for each in values)
    return head + protobuf.integer(20, _INTS) + items


def node(
    op: str, inputs: Sequence[str], outputs: Sequence[str], name: str, attributes: dict
) -> bytes:
    """Return a NodeProto."""
    parts = [protobuf.data(1, each) for each in inputs]
    parts += [protobuf.data(2, each) for each in outputs]
    parts += [protobuf.data(3, name), protobuf.data(4, op)]
    parts += [protobuf.data(5, attribute(key, value)) for key, value in attributes.items()]
    return b"".join(parts)


def value_info(name: str, dtype: np.dtype, shape: Iterable[int | str] | None) -> bytes:
    """Return a ValueInfoProto: a tensor's name, dtype and sizes (None: of unknown rank)."""
    kind = protobuf.integer(1, data_type(dtype))
    if shape is not None:
        sizes = [
            protobuf.data(1, protobuf.data(2, n) if isinstance(n, str) else protobuf.integer(1, n))
            for n in shape
        ]
        kind += protobuf.data(2, b"".join(sizes))
    return protobuf.data(1, name) + protobuf.data(2, protobuf.data(1, kind))


def graph(
    name: str,
    nodes: Iterable[bytes],
    initializers: Iterable[bytes],
    inputs: Iterable[bytes],
    outputs: Iterable[bytes],
) -> GraphMessage:
    """Return a GraphProto."""
    parts = [protobuf.data(1, each) for each in nodes]
    parts.append(protobuf.data(2, name))
    parts += [protobuf.data(5, each) for each in initializers]
    parts += [protobuf.data(11, each) for each in inputs]
    parts += [protobuf.data(12, each) for each in outputs]
    return GraphMessage(b"".join(parts))


def model(message: GraphMessage, opset: int, producer: str, version: str) -> bytes:
    """Return a ModelProto."""
    return b"".join(
        [
            protobuf.integer(1, FORMATS[opset]),
            protobuf.data(2, producer),
            protobuf.data(3, version),
            protobuf.data(7, message),
            protobuf.data(8, protobuf.data(1, "") + protobuf.integer(2, opset)),
        ]
    )
