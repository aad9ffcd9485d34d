"""Selecting elements by index, condition, diagonal or order, by NumPy's names."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.numpy_names.creation import below_diagonal
from gradtape.api.numpy_names.elementwise import is_truth
from gradtape.api.numpy_names.logic import truth
from gradtape.api.numpy_names.reductions import argsort
from gradtape.core.tensor import Tensor

__all__ = [
    "argpartition",
    "diag",
    "diagflat",
    "diagonal",
    "digitize",
    "nonzero",
    "searchsorted",
    "select",
    "take",
    "take_along_axis",
    "trace",
    "tril",
    "triu",
    "unravel_index",
    "where",
]


def _from_end(indices, size: int):
    """Return indices of which negative ones count from the end."""
    if indices.dtype.is_unsigned:
        return indices
    return ops.where(ops.less(indices, 0), ops.add(indices, size), indices)


def _as_indices(indices):
    indices = ops.to_tensor(indices)
    return indices if indices.dtype.is_integer else ops.cast(indices, "int32")


def take(x, indices, axis=None):
    """Return the slices of x along an axis at indices; elements of the flattened x, without an
    axis."""
    x, indices = ops.to_tensor(x), _as_indices(indices)
    if axis is None:
        x, axis = ops.reshape(x, (-1,)), 0
    axis = ops.normalize_axis("take", axis, x.ndim)
    return ops.gather(x, _from_end(indices, x.shape[axis]), axis)


def take_along_axis(x, indices, axis=None):
    """Return x at indices that differ along the other axes too."""
    x, indices = ops.to_tensor(x), _as_indices(indices)
    if axis is None:
        x, axis = ops.reshape(x, (-1,)), 0
        indices = ops.reshape(indices, (-1,))
    return ops.take_along_axis(x, indices, axis)


def where(condition, x1, x2):
    """Return x1 where the condition is not 0, else x2."""
    return ops.where(truth(condition), x1, x2)


def select(condlist, choicelist, default=0):
    """Return the choice whose condition is the first to hold, else the default."""
    if len(condlist) != len(choicelist) or not len(condlist):
        raise ValueError(
            f"select: {len(condlist)} conditions for {len(choicelist)} choices; there must be as "
            "many, and at least one."
        )
    result = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        result = where(condition, choice, result)
    return result


def nonzero(x):
    """Return, for each axis, the indices of the elements that are not 0."""
    x = ops.to_tensor(x)
    indices = ops.cast(ops.coordinates(x if x.ndim else ops.reshape(x, (1,))), "int32")
    return tuple(ops.unstack(indices, axis=1))


def unravel_index(indices, shape):
    """Convert flat row-major indices to coordinates, a tensor for each axis."""
    indices = _as_indices(indices)
    size = int(np.prod(shape))
    return tuple(ops.unstack(ops.unravel_index(_from_end(indices, size), shape), axis=0))


# --- diagonals ------------------------------------------------------------------------------------


def diagonal(x, offset=0, axis1=0, axis2=1):
    """Return the elements whose indices on two axes are equal (differ by `offset`), as a last
    axis."""
    x = ops.to_tensor(x)
    axes = [ops.normalize_axis("diagonal", a, x.ndim) for a in (axis1, axis2)]
    rest = [i for i in range(x.ndim) if i not in axes]
    x = ops.transpose(x, (*rest, *axes))
    *stack, rows, columns = x.shape
    if not -rows < offset < columns:
        return ops.zeros((*stack, 0), x.dtype)
    return ops.matrix_diag_part(x, offset)


def diag(x, k=0):
    """Return the matrix with a vector on its diagonal k, or the diagonal k of a matrix."""
    x = ops.to_tensor(x)
    if x.ndim == 1:
        return ops.matrix_diag(x, k)
    if x.ndim == 2:
        return diagonal(x, k)
    raise ValueError(f"diag: a vector or matrix is wanted, got shape {tuple(x.shape)}.")


def diagflat(x, k=0):
    """Return the matrix with all elements of x on its diagonal k."""
    return ops.matrix_diag(ops.reshape(x, (-1,)), k)


def trace(x, offset=0, axis1=0, axis2=1):
    """Return the sum of a diagonal."""
    return ops.reduce_sum(diagonal(x, offset, axis1, axis2), -1)


def _below(op: str, x, k, shift: int = 0) -> np.ndarray:
    """Return which elements of the last two axes lie on the diagonal k + shift or below."""
    if x.ndim < 2:
        raise ops.ShapeError(f"{op}: an array of two axes or more is wanted, got shape {x.shape}.")
    *_, rows, columns = x.shape
    return below_diagonal(op, rows, columns, k, shift)


def tril(x, k=0):
    """Return x with zeros above the diagonal k of its last two axes."""
    x = ops.to_tensor(x)
    return ops.where(Tensor(_below("tril", x, k)), x, ops.zeros((), x.dtype))


def triu(x, k=0):
    """Return x with zeros below the diagonal k of its last two axes."""
    x = ops.to_tensor(x)
    return ops.where(Tensor(_below("triu", x, k, -1)), ops.zeros((), x.dtype), x)


# --- search ---------------------------------------------------------------------------------------


def argpartition(x, kth, axis=-1):
    """Return indices that put the kth elements where they are in order, smaller ones before
    them."""
    # Complete order is one of the answers; NumPy leaves open which it gives.
    return argsort(x, axis)


def searchsorted(sorted_sequence, values, side="left"):
    """Return the indices (int32) at which values would be inserted into a sorted vector."""
    sequence, values = ops.operands("searchsorted", sorted_sequence, values)
    if is_truth(sequence):
        sequence, values = ops.cast(sequence, "uint8"), ops.cast(values, "uint8")
    positions = ops.searchsorted(sequence, ops.reshape(values, (-1,)), side)
    return ops.reshape(positions, values.shape)


def digitize(x, bins):
    """Return the bin of each value; the bounds may increase or decrease."""
    x, bins = ops.operands("digitize", x, bins)
    if bins.ndim != 1:
        raise ValueError(f"digitize: bins must be a vector, got shape {tuple(bins.shape)}.")
    rising = searchsorted(bins, x, "right")
    if bins.shape[0] < 2:
        return rising
    falling = bins.shape[0] - searchsorted(ops.reverse(bins, [0]), x, "left")
    return ops.where(ops.greater_equal(bins[-1], bins[0]), rising, falling)
