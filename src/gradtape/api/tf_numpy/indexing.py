"""`x[key]` by NumPy's rules: arrays of indices, among slices and numbers."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.api.tf_numpy.promotion import asarray, promote

_WRONG = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean "
    "arrays are valid indices, got "
)


def getitem(x, key):
    """Index x by a key; arrays of indices have NumPy's meaning."""
    x = ops.to_tensor(x)
    if _is_mask(key):
        return ops.boolean_mask(x, key)
    entries = _without_ellipsis(_entries(key), x.ndim)
    basic, picked = [], []  # what slicing does first, and the arrays with the axes they index
    axis = 0
    for entry in entries:
        index = entry if entry is None or isinstance(entry, slice) else _index(entry)
        if isinstance(index, ops.Tensor):
            picked.append((axis, index))
            index = slice(None)
        basic.append(index)
        axis += not isinstance(index, int)
    sliced = ops.getitem(x, tuple(basic)) if basic else x
    return _gather_at(sliced, picked) if picked else sliced


def _is_mask(key) -> bool:
    if isinstance(key, (bool, np.bool_)):
        return True
    return hasattr(key, "dtype") and key.dtype == np.bool_ and hasattr(key, "shape")


def _entries(key) -> tuple:
    """Return the entries of a key. A list of numbers is one array of indices."""
    if isinstance(key, tuple):
        return key
    if isinstance(key, list) and any(_is_entry(item) for item in key):
        return tuple(key)
    return (key,)


def _is_entry(item) -> bool:
    if item is None or item is Ellipsis or isinstance(item, (list, tuple, slice)):
        return True
    return getattr(item, "ndim", 0) > 0


def _without_ellipsis(entries: tuple, rank: int) -> list:
    ellipses = [i for i, entry in enumerate(entries) if entry is Ellipsis]
    if not ellipses:
        return list(entries)
    if len(ellipses) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    taken = sum(entry is not None and entry is not Ellipsis for entry in entries)
    whole = [slice(None)] * (rank - taken)
    return [*entries[: ellipses[0]], *whole, *entries[ellipses[0] + 1 :]]


def _index(entry):
    """Return an integer, or a tensor of indices."""
    if isinstance(entry, (int, np.integer)):
        return int(entry)
    x = asarray(entry)
    if x.dtype.is_bool:
        if x.ndim != 1:
            raise NotImplementedError(f"a mask among other indices must be a vector, got {entry!r}")
        return ops.reshape(ops.coordinates(x), (-1,))
    if not x.dtype.is_integer:
        raise IndexError(f"{_WRONG}{entry!r}")
    return x if x.ndim else int(x)


def _gather_at(x, picked: list):
    axes = [axis for axis, _ in picked]
    sizes = [x.shape[axis] for axis in axes]
    first = axes[0]
    if axes != list(range(first, first + len(axes))):
        # Axes that are apart go to the front, and so does what is picked.
        rest = [axis for axis in range(x.ndim) if axis not in axes]
        x, first = ops.transpose(x, [*axes, *rest]), 0
    # The indexed axes as one, with flat row-major indices.
    flat_index = 0
    indices = promote(*(index for _, index in picked))
    for index, size in zip(indices, sizes, strict=True):
        flat_index = flat_index * size + ops.where(ops.less(index, 0), index + size, index)
    shape = tuple(x.shape)
    flat = (*shape[:first], math.prod(sizes), *shape[first + len(axes) :])
    return ops.gather(ops.reshape(x, flat), flat_index, first)
