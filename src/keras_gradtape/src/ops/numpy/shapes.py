"""Reshaping, joining, splitting, repeating, padding."""

from __future__ import annotations

from keras.src.backend.common.backend_utils import vectorize_impl

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.engine.vmap import vmap
from keras_gradtape.src import sparse
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.promotion import adapt, adapted_pair, all_common

__all__ = [
    "append",
    "array_split",
    "broadcast_to",
    "concatenate",
    "copy",
    "dsplit",
    "dstack",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "hsplit",
    "hstack",
    "moveaxis",
    "ndim",
    "pad",
    "ravel",
    "repeat",
    "reshape",
    "roll",
    "rot90",
    "size",
    "split",
    "squeeze",
    "stack",
    "swapaxes",
    "tile",
    "transpose",
    "vectorize",
    "view",
    "vsplit",
    "vstack",
]

broadcast_to = adapt(names.broadcast_to)
expand_dims = adapt(names.expand_dims, sparse=sparse.expand_dims)
flip = adapt(names.flip)
fliplr = adapt(names.fliplr)
flipud = adapt(names.flipud)
moveaxis = adapt(names.moveaxis)
ravel = adapt(names.ravel)
repeat = adapt(names.repeat)
reshape = adapt(names.reshape, sparse=sparse.reshape)
roll = adapt(names.roll)
squeeze = adapt(names.squeeze, sparse=sparse.squeeze)
swapaxes = adapt(names.swapaxes)
tile = adapt(names.tile)
transpose = adapt(names.transpose, sparse=sparse.transpose)


def rot90(array, k=1, axes=(0, 1)):
    """Rotate k times by a right angle in the plane of two axes."""
    return names.rot90(convert_to_tensor(array), k, axes)


@sparse.sparse_first(sparse.on_values)
def copy(x):
    """Return the same tensor: it is a value, which nothing changes."""
    return ops.identity(convert_to_tensor(x))


def ndim(x):
    """Return the number of axes."""
    return len(x.shape) if hasattr(x, "shape") else len(convert_to_tensor(x).shape)


def size(x):
    """Return the number of elements."""
    shape = x.shape if hasattr(x, "shape") else convert_to_tensor(x).shape
    count = 1
    for n in shape:
        count *= n
    return count


def view(x, dtype=None):
    """Return the bits of x read as another dtype; the last axis grows or shrinks where sizes
    differ."""
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
    result = ops.bitcast(x, wanted)
    if x.dtype.size == wanted.size:
        return result
    return ops.reshape(result, (*x.shape[:-1], -1))


# --- joining and parting --------------------------------------------------------------------------


def concatenate(xs, axis=0):
    """Concatenate tensors along an axis; the result is sparse if all are."""
    count = sum(type(x) is SparseTensor for x in xs)
    if count == len(xs):
        return sparse.concatenate(xs, axis)
    if count:
        xs = [sparse.dense(x) for x in xs]
    return names.concatenate(all_common(xs), axis)


def stack(x, axis=0):
    """Stack tensors along a new axis."""
    return names.stack(all_common(x), axis)


def hstack(xs):
    """Concatenate tensors along the second axis, or the only one."""
    return names.hstack(all_common(xs))


def vstack(xs):
    """Concatenate tensors along the first axis, vectors as rows."""
    return names.vstack(all_common(xs))


def dstack(xs):
    """Concatenate tensors along the third axis."""
    return names.dstack(all_common(xs))


append = adapted_pair(names.append)
array_split = adapt(names.array_split)
dsplit = adapt(names.dsplit)
hsplit = adapt(names.hsplit)
split = adapt(names.split)
vsplit = adapt(names.vsplit)


def pad(x, pad_width, mode="constant", constant_values=None):
    """Pad x."""
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
    """Return a function of single elements (or of small arrays, by its signature) made one of
    arrays."""
    return vectorize_impl(pyfunc, vmap, excluded=excluded, signature=signature)
