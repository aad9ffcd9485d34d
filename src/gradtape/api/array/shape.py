"""`tf.reshape`, `tf.transpose`, `tf.shape` and the other functions of shapes."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.backends.broadcasting import broadcast_shapes
from gradtape.core.convert import is_tensor_like
from gradtape.core.dtypes import as_dtype, int32
from gradtape.core.errors import DTypeError, InvalidArgumentError
from gradtape.core.shape import TensorShape
from gradtape.core.size import is_open
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices


@export("reshape")
def reshape(tensor, shape, name=None) -> Tensor:
    """Reshape a tensor; one size may be -1."""
    return ops.reshape(tensor, shape)


@export("transpose")
def transpose(a, perm=None, conjugate=False, name="transpose") -> Tensor:
    """Transpose a tensor: reverse its axes, or permute them by `perm`."""
    moved = ops.transpose(a, perm)
    return ops.conj(moved) if conjugate else moved


@export("expand_dims")
def expand_dims(input, axis, name=None) -> Tensor:
    """Insert an axis of size 1."""
    return ops.expand_dims(input, axis)


@export("squeeze")
def squeeze(input, axis=None, name=None) -> Tensor:
    """Remove the axes of size 1, or those given."""
    return ops.squeeze(input, axis)


@export("broadcast_to")
def broadcast_to(input, shape, name=None) -> Tensor:
    """Broadcast a tensor to a shape."""
    return ops.broadcast_to(input, shape)


@export("broadcast_static_shape")
def broadcast_static_shape(shape_x, shape_y) -> TensorShape:
    """Return the shape that two known shapes broadcast to."""
    x, y = TensorShape(shape_x), TensorShape(shape_y)
    if x.rank is None or y.rank is None:
        return TensorShape(None)
    longer = max(len(x), len(y))
    padded = [[1] * (longer - len(s)) + s.as_list() for s in (x, y)]
    result = []
    for a, b in zip(*padded, strict=True):
        if a is not None and b is not None and a != b and 1 not in (a, b):
            raise ValueError(
                "Incompatible shapes for broadcasting. Two shapes are compatible if for each "
                "dimension pair they are either equal or one of them is 1. "
                f"Received: {x} and {y}."
            )
        if a is None or b is None:
            known = b if a is None else a
            result.append(known if known is not None and known > 1 else None)
        else:
            result.append(b if a == 1 else a)
    return TensorShape(result)


@export("broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x, shape_y) -> Tensor:
    """Return the shape, as a tensor, that two shapes broadcast to."""
    shapes = [s if is_tensor_like(s) else ops.static_shape(s) for s in (shape_x, shape_y)]
    x, y = (ops.to_tensor(s, int32) if isinstance(s, tuple) else ops.to_tensor(s) for s in shapes)
    x, y = ops.operands("BroadcastArgs", x, y)
    try:
        shape = broadcast_shapes(ops.static_shape(x), ops.static_shape(y))
    except ValueError:
        raise InvalidArgumentError(
            f"Incompatible shapes: {x.numpy().tolist()} vs. {y.numpy().tolist()} [Op:BroadcastArgs]"
        ) from None
    return Tensor(np.array(shape, x.dtype.as_numpy_dtype))


def _sizes(value) -> tuple[int, ...]:
    """Return the shape of a tensor, or of the one that a sparse tensor stands for."""
    if isinstance(value, SparseTensor):
        return tuple(value.dense_shape._host_data().tolist())
    return ops.to_tensor(value)._data.shape


@export("shape")
def shape(input, out_type=None, name=None) -> Tensor:
    """Return the shape, as a tensor of integers."""
    dtype = int32 if out_type is None else as_dtype(out_type)
    sizes = _sizes(input)
    return ops.to_tensor(sizes, dtype) if is_open(sizes) else Tensor(np.array(sizes, dtype.dtype))


@export("shape_n")
def shape_n(input, out_type=int32, name=None) -> list[Tensor]:
    """Return the shapes of several tensors."""
    return [shape(x, out_type) for x in input]


@export("size")
def size(input, out_type=None, name=None) -> Tensor:
    """Return the number of elements, as a tensor."""
    dtype = int32 if out_type is None else as_dtype(out_type)
    if not (dtype.is_integer or dtype.is_floating):
        raise DTypeError(f"size: out_type must be int32 or int64, got {dtype.name}. [Op:Size]")
    count = math.prod(_sizes(input))
    return ops.to_tensor(count, dtype) if is_open(count) else Tensor(dtype.as_numpy_dtype(count))


@export("rank")
def rank(input, name=None) -> Tensor:
    """Return the number of axes, as a tensor."""
    return Tensor(np.int32(len(_sizes(input))))


@export("ensure_shape")
def ensure_shape(x, shape, name=None) -> Tensor:
    """Check that a tensor's shape is compatible with the given one, and return the tensor."""
    x, wanted = ops.to_tensor(x), TensorShape(shape)
    if not wanted.is_compatible_with(x.shape):
        shown = ",".join("?" if n is None else str(n) for n in wanted)
        raise InvalidArgumentError(
            f"Shape of tensor input {list(x.shape)} is not compatible with expected shape "
            f"[{shown}]. [Op:EnsureShape]"
        )
    return ops.identity(x)


@export("identity")
def identity(input, name=None):
    """Return a tensor with the same value (a new one to tapes); of IndexedSlices, IndexedSlices."""
    if isinstance(input, IndexedSlices):
        return IndexedSlices(ops.identity(input.values), input.indices, input.dense_shape)
    return ops.identity(input)


@export("identity_n")
def identity_n(input, name=None) -> list[Tensor]:
    """Return tensors with the same values."""
    return [ops.identity(x) for x in input]


@export("guarantee_const")
def guarantee_const(input, name=None) -> Tensor:
    """Return the tensor itself: the guarantee is not used."""
    return ops.identity(input)
