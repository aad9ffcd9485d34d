"""Gather and scatter."""

from __future__ import annotations

import math

import numpy as np

from gradtape.backends.errors import BadValues
from gradtape.backends.numpy.slicing import one_string

_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def _check_range(indices: np.ndarray, size: int) -> None:
    """Indices must lie in [0, size). Seen as unsigned, negative ones are too large as well."""
    if not indices.size:
        return
    bits = indices.view(_UNSIGNED[indices.dtype.itemsize])
    if (bits.max() if indices.ndim else bits[()]) < size:
        return
    place = np.argwhere((indices < 0) | (indices >= size))[0].tolist()
    where = f"[{','.join(map(str, place))}]" if place else ""
    raise BadValues(f"indices{where} = {indices[tuple(place)]} is not in [0, {size}) [Op:GatherV2]")


def gather(x, indices, axis, batch_dims):
    indices = np.asarray(indices)
    _check_range(indices, x.shape[axis])
    if not batch_dims:
        return one_string(x.take(indices, axis))
    # The tables of all batch entries (and outer places) as one, with indices to match.
    shape, count = x.shape, indices.shape[batch_dims:]
    tables = math.prod(shape[:batch_dims])
    places = math.prod(shape[batch_dims:axis])
    size, inner = shape[axis], shape[axis + 1 :]
    starts = np.arange(tables * places).reshape(tables, places, 1) * size
    spots = indices.reshape(tables, 1, math.prod(count)) + starts
    taken = x.reshape(tables * places * size, *inner).take(spots.reshape(-1), 0)
    return taken.reshape(*shape[:axis], *count, *inner)


def place_number(indices, sizes, op, ignore):
    """The row-major number of the place that each last axis gives; -1 for one to be ignored."""
    limits = np.array(sizes, np.int64)
    indices = indices.astype(np.int64, copy=False)
    wrong = ((indices < 0) | (indices >= limits)).any(-1)
    if not ignore and wrong.any():
        place = np.argwhere(wrong)[0].tolist()
        where = f"[{','.join(map(str, place))}]" if place else ""
        raise BadValues(
            f"indices{where} = {indices[tuple(place)].tolist()} does not index into shape "
            f"{list(sizes)} [Op:{op}]"
        )
    weights = np.append(np.cumprod(limits[:0:-1])[::-1], 1) if sizes else limits
    numbers = indices @ weights
    return np.where(wrong, np.int64(-1), numbers) if ignore else numbers


def set_rows(x, indices, updates):
    result = np.array(x)
    result[indices] = updates
    return result


def extreme_rows(x, indices, updates, largest):
    """The larger (or smaller) of each row and of all updates for it; index -1 is for none."""
    result = np.array(x)
    if indices.size and indices.min() < 0:
        updates, indices = updates[indices >= 0], indices[indices >= 0]
    (np.maximum if largest else np.minimum).at(result, indices, updates)
    return result


KERNELS = {
    "gather": gather,
    "place_number": place_number,
    "set_rows": set_rows,
    "extreme_rows": extreme_rows,
}
