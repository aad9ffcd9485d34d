"""Gather and scatter."""

from __future__ import annotations

import math

import numpy as np

from gradtape.backends.constants import MAX_AXES
from gradtape.backends.errors import BadValues
from gradtape.backends.numpy.slicing import one_string

_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def _check_range(indices: np.ndarray, size: int) -> None:
    """Raise unless all indices are in [0, size).

    As unsigned, negative ones are too large as well.
    """
    if not indices.size:
        return
    bits = indices.view(_UNSIGNED[indices.dtype.itemsize])
    if (bits.max() if indices.ndim else bits[()]) < size:
        return
    position = np.argwhere((indices < 0) | (indices >= size))[0].tolist()
    where = f"[{','.join(map(str, position))}]" if position else ""
    bad = indices[tuple(position)]
    raise BadValues(f"indices{where} = {bad} is not in [0, {size}) [Op:GatherV2]")


def _take(x, indices, axis: int):
    # NumPy's `take` first copies all of an array that is transposed, say: for one step of a path,
    # the whole path.
    if x.flags.c_contiguous or 2 * indices.size > x.shape[axis]:
        return x.take(indices, axis)
    part = x[(slice(None),) * axis + (indices,)]
    is_view = isinstance(part, np.ndarray) and part.base is not None  # a single text is no array
    return part.copy() if is_view else part


def gather(x, indices, axis, batch_dims):
    indices = np.asarray(indices)
    _check_range(indices, x.shape[axis])
    if not batch_dims:
        if x.ndim + indices.ndim - 1 > MAX_AXES:  # here NumPy 2.4 crashes
            raise ValueError(f"the result would have more than {MAX_AXES} axes")
        return one_string(_take(x, indices, axis))
    # The tables of all batch entries (and outer index) as one, with indices to match.
    shape, count = x.shape, indices.shape[batch_dims:]
    tables = math.prod(shape[:batch_dims])
    outer_count = math.prod(shape[batch_dims:axis])
    size, inner = shape[axis], shape[axis + 1 :]
    starts = np.arange(tables * outer_count).reshape(tables, outer_count, 1) * size
    # As int64: the sum of int64 and uint64 is a float in NumPy.
    spots = indices.reshape(tables, 1, math.prod(count)).astype(np.int64, copy=False) + starts
    taken = x.reshape(tables * outer_count * size, *inner).take(spots.reshape(-1), 0)
    return taken.reshape(*shape[:axis], *count, *inner)


def ravel_index(indices, shape, op, ignore):
    """Return the flat index of each position (coordinates as last axis); -1 for an ignored one."""
    sizes = shape[: indices.shape[-1]]
    indices = indices.astype(np.int64, copy=False)
    wrong = indices.view(np.uint64) >= np.array(sizes, np.uint64)  # so are negative ones, unsigned
    if not ignore and wrong.any():
        position = np.argwhere(wrong.any(-1))[0].tolist()
        where = f"[{','.join(map(str, position))}]" if position else ""
        raise BadValues(
            f"indices{where} = {indices[tuple(position)].tolist()} does not index into shape "
            f"{list(shape)} [Op:{op}]"
        )
    weights = np.array([math.prod(sizes[axis + 1 :]) for axis in range(len(sizes))], np.int64)
    numbers = indices @ weights
    return np.where(wrong.any(-1), np.int64(-1), numbers) if ignore else numbers


KERNELS = {
    "gather": gather,
    "ravel_index": ravel_index,
}
