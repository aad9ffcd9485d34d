"""Reshaping, joining, parting, repeating, padding."""

from __future__ import annotations

from keras.src.backend.common.backend_utils import vectorize_impl

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.sparse_tensor import SparseTensor
from gradtape.engine.vmap import vmap
from keras_gradtape.src import sparse
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.promotion import adapted, adapted_pair, all_common

__all__ = [
    "append", "array_split", "broadcast_to", "concatenate", "copy", "dsplit", "dstack",
    "expand_dims", "flip", "fliplr", "flipud", "hsplit", "hstack", "moveaxis", "ndim", "pad",
    "ravel", "repeat", "reshape", "roll", "rot90", "size", "split", "squeeze", "stack",
    "swapaxes", "tile", "transpose", "vectorize", "view", "vsplit", "vstack",
]  # fmt: skip

broadcast_to = adapted(names.broadcast_to)
expand_dims = adapted(names.expand_dims, sparse=sparse.expand_dims)
flip = adapted(names.flip)
fliplr = adapted(names.fliplr)
flipud = adapted(names.flipud)
moveaxis = adapted(names.moveaxis)
ravel = adapted(names.ravel)
repeat = adapted(names.repeat)
reshape = adapted(names.reshape, sparse=sparse.reshape)
roll = adapted(names.roll)
squeeze = adapted(names.squeeze, sparse=sparse.squeeze)
swapaxes = adapted(names.swapaxes)
tile = adapted(names.tile)
transpose = adapted(names.transpose, sparse=sparse.transpose)


def rot90(array, k=1, axes=(0, 1)):
    """Rotated k times by a right angle in the plane of two axes."""
    return names.rot90(convert_to_tensor(array), k, axes)


@sparse.sparse_first(sparse.on_values)
def copy(x):
    """The same tensor: it is a value, which nothing changes."""
    return ops.identity(convert_to_tensor(x))


def ndim(x):
    """The number of axes."""
    return len(x.shape) if hasattr(x, "shape") else len(convert_to_tensor(x).shape)


def size(x):
    """The number of elements."""
    shape = x.shape if hasattr(x, "shape") else convert_to_tensor(x).shape
    count = 1
    for n in shape:
        count *= n
    return count


def view(x, dtype=None):
    """The bits of x read as another dtype; the last axis grows or shrinks where sizes differ."""
    x = convert_to_tensor(x)
    if dtype is None:
        return x
    wanted = convert_to_tensor(0, dtype).dtype
    if wanted is x.dtype:
        return x
    if names.is_truth(x):
        x = ops.cast(x, "uint8")
    if wanted.is_bool:
        return ops.cast(view(x, "uint8"), "bool")
    if not x.ndim and x.dtype.size != wanted.size:
        raise ValueError(
            f"view: a scalar of {x.dtype.name} cannot be read as {wanted.name}, which has another "
            "size."
        )
    if x.dtype.size < wanted.size:
        ratio = wanted.size // x.dtype.size
        if x.shape[-1] % ratio:
            raise ValueError(
                f"view: the last axis of shape {tuple(x.shape)} cannot be read as {wanted.name}: "
                f"{ratio} elements of {x.dtype.name} make one."
            )
        return ops.bitcast(ops.reshape(x, (*x.shape[:-1], -1, ratio)), wanted)
    found = ops.bitcast(x, wanted)
    if x.dtype.size == wanted.size:
        return found
    return ops.reshape(found, (*x.shape[:-1], -1))


# --- joining and parting --------------------------------------------------------------------------


def concatenate(xs, axis=0):
    """Tensors end to end along an axis: a sparse one if all are."""
    count = sum(type(x) is SparseTensor for x in xs)
    if count == len(xs):
        return sparse.concatenate(xs, axis)
    if count:
        xs = [sparse.dense(x) for x in xs]
    return names.concatenate(all_common(xs), axis)


def stack(x, axis=0):
    """Tensors along a new axis."""
    return names.stack(all_common(x), axis)


def hstack(xs):
    """Tensors side by side."""
    return names.hstack(all_common(xs))


def vstack(xs):
    """Tensors one below the other."""
    return names.vstack(all_common(xs))


def dstack(xs):
    """Tensors one behind the other."""
    return names.dstack(all_common(xs))


append = adapted_pair(names.append)
array_split = adapted(names.array_split)
dsplit = adapted(names.dsplit)
hsplit = adapted(names.hsplit)
split = adapted(names.split)
vsplit = adapted(names.vsplit)


def pad(x, pad_width, mode="constant", constant_values=None):
    """x with further elements around it."""
    if constant_values is not None and mode != "constant":
        raise ValueError(
            "Argument `constant_values` can only be provided when `mode == 'constant'`. "
            f"Received: mode={mode}"
        )
    x = convert_to_tensor(x)
    if constant_values is not None:
        constant_values = convert_to_tensor(constant_values, x.dtype)
    if isinstance(pad_width, (list, tuple)) and len(pad_width) == 1:
        (pad_width,) = pad_width
    return names.pad(x, pad_width, mode, constant_values)


# --- functions of parts ---------------------------------------------------------------------------


def vectorize(pyfunc, *, excluded=None, signature=None):
    """A function of single elements (or of small arrays, by its signature) made one of arrays."""
    return vectorize_impl(pyfunc, vmap, excluded=excluded, signature=signature)
