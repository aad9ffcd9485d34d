"""`tf.io.serialize_tensor` and its relatives: tensors as strings of bytes."""

from __future__ import annotations

import base64

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.sparse.tensor import SparseTensor, as_sparse
from gradtape.core.convert import static_int
from gradtape.core.dtypes import as_dtype, int64, string
from gradtape.core.errors import InvalidArgumentError, ShapeError
from gradtape.core.state import only_outside_of_functions
from gradtape.core.tensor import Tensor
from gradtape.formats.errors import DecodeError
from gradtape.formats.tensor_proto import decode_tensor, encode_tensor


def _strings(values: list[bytes], shape: tuple[int, ...]) -> Tensor:
    array = np.empty(len(values), object)
    array[:] = values
    return Tensor(array.reshape(shape))


def _bytes_of(tensor) -> bytes:
    return encode_tensor(np.asarray(tensor.numpy(), tensor.dtype.as_numpy_dtype))


def _value_of(data: bytes, dtype) -> np.ndarray:
    try:
        stored, array = decode_tensor(data)
    except DecodeError as error:
        start = base64.b64encode(data[:60]).decode()
        raise InvalidArgumentError(
            f"Could not parse `serialized` as TensorProto, base64: {start}: {error} "
            "[Op:ParseTensor]"
        ) from None
    if stored is not dtype:
        raise InvalidArgumentError(
            f"Type mismatch between parsed tensor ({stored.name}) and dtype ({dtype.name}) "
            "[Op:ParseTensor]"
        )
    return array


@export("io.serialize_tensor")
def serialize_tensor(tensor, name=None) -> Tensor:
    """Return a tensor as a string: a serialized TensorProto."""
    only_outside_of_functions("tf.io.serialize_tensor writes the bytes of a tensor")
    return _strings([_bytes_of(ops.to_tensor(tensor))], ())


@export("io.parse_tensor")
def parse_tensor(serialized, out_type, name=None) -> Tensor:
    """Return the tensor of dtype `out_type` that a string holds."""
    only_outside_of_functions("tf.io.parse_tensor reads the bytes of a string")
    array = np.asarray(ops.to_tensor(serialized, string)._data)
    if array.ndim:
        raise ShapeError(f"Expected `serialized` to be a scalar, got shape: {list(array.shape)}")
    value = _value_of(array.item(), as_dtype(out_type))
    return Tensor(value if value.ndim or value.dtype == object else value[()])


# --- sparse tensors ------------------------------------------------------------------------------


def _check_out_type(out_type, op: str) -> None:
    if as_dtype(out_type) is not string:
        raise InvalidArgumentError(f"{op}: out_type must be tf.string, got {out_type}.")


@export("io.serialize_sparse")
def serialize_sparse(sp_input, out_type=string, name=None) -> Tensor:
    """Return the three parts of a sparse tensor as strings."""
    only_outside_of_functions("tf.io.serialize_sparse writes the bytes of a tensor")
    _check_out_type(out_type, "serialize_sparse")
    sp = as_sparse(sp_input)
    return _strings([_bytes_of(part) for part in (sp.indices, sp.values, sp.dense_shape)], (3,))


@export("io.serialize_many_sparse")
def serialize_many_sparse(sp_input, out_type=string, name=None) -> Tensor:
    """Return the three parts of each row of a sparse tensor as strings [rows, 3]."""
    only_outside_of_functions("tf.io.serialize_many_sparse writes the bytes of a tensor")
    _check_out_type(out_type, "serialize_many_sparse")
    sp = as_sparse(sp_input)
    sizes = sp.dense_shape._host_data()
    if len(sizes) < 2:
        raise ShapeError("Rank of input SparseTensor should be > 1, but saw rank: 1")
    indices, values = np.asarray(sp.indices._data), np.asarray(sp.values._data)
    rows = []
    for row in range(int(sizes[0])):
        kept = indices[:, 0] == row
        parts = (indices[kept, 1:], values[kept], np.asarray(sizes[1:]))
        rows += [encode_tensor(part) for part in parts]
    return _strings(rows, (int(sizes[0]), 3))


@export("io.deserialize_many_sparse")
def deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None) -> SparseTensor:
    """Return a sparse tensor whose rows are those of strings [rows, 3]."""
    only_outside_of_functions("tf.io.deserialize_many_sparse reads the bytes of strings")
    array = np.asarray(ops.to_tensor(serialized_sparse, string)._data)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ShapeError(
            f"Serialized sparse should have shape [rows, 3], got shape {list(array.shape)}"
        )
    kind = as_dtype(dtype)
    parts = [
        (_value_of(a, int64), _value_of(b, kind), _value_of(c, int64)) for a, b, c in array.tolist()
    ]
    wanted = (
        None if rank is None else static_int(rank, "deserialize_many_sparse: rank") - 1
    )  # of a row
    for number, (indices, values, shape) in enumerate(parts):
        sizes = (indices.shape, values.shape, shape.shape)
        fits = indices.ndim == 2 and sizes == ((len(values), len(shape)), (len(values),), sizes[2])
        if not fits or wanted not in (None, len(shape)) or len(shape) != len(parts[0][2]):
            raise InvalidArgumentError(
                f"deserialize_many_sparse: row {number} has indices of shape {indices.shape}, "
                f"values of shape {values.shape} and a dense shape of {len(shape)} axes"
            )
    rank = wanted or (len(parts[0][2]) if parts else 0)
    rows = np.repeat(np.arange(len(parts)), [len(values) for _, values, _ in parts])
    indices = np.concatenate([np.empty((0, rank), np.int64), *(p[0] for p in parts)])
    values = np.concatenate([np.empty(0, kind.as_numpy_dtype), *(p[1] for p in parts)])
    largest = np.max([np.zeros(rank, np.int64), *(p[2] for p in parts)], axis=0)
    return SparseTensor(
        np.concatenate([rows[:, None], indices], axis=1), Tensor(values), [len(parts), *largest]
    )
