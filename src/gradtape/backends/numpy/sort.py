"""Sorting, the largest elements, and search in sorted sequences."""

from __future__ import annotations

import numpy as np

# Up to this k, finding the largest one after the other is fastest.
_FEW = 3
# Rows up to this length are sorted whole.
_SHORT = 64


def _sortable(x):
    """Cast dtypes that are not NumPy's own, for which it has no fast sort, to float32."""
    return x.astype(np.float32) if x.dtype.kind == "V" else x


def _argsort(x, axis, descending):
    if not descending:
        return np.argsort(x, axis, kind="stable")
    # Reversed, so that the sort is stable.
    indices = np.argsort(np.flip(x, axis), axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(indices, axis)


def argsort(x, axis, descending):
    return _argsort(_sortable(x), axis, descending).astype(np.int32)


def sort(x, axis, descending):
    result = np.sort(_sortable(x), axis).astype(x.dtype, copy=False)
    return np.flip(result, axis) if descending else result


def top_k_indices(x, k, dtype):
    size = x.shape[-1]
    x = _sortable(x)
    if not k or not x.size:
        return np.zeros((*x.shape[:-1], k), dtype)
    if k == 1:
        return np.argmax(x, -1)[..., None].astype(dtype)
    rows = x.reshape(-1, size)
    if size <= _SHORT or 4 * k > size or (x.dtype.kind == "f" and np.isnan(x).any()):
        indices = _argsort(rows, -1, True)[:, :k]
    elif k <= _FEW and x.dtype.kind == "f":
        indices = _one_by_one(rows, k)
    else:
        indices = _selected(rows, k)
    return indices.reshape(*x.shape[:-1], k).astype(dtype)


def _one_by_one(rows, k):
    left, each = rows.copy(), np.arange(len(rows))
    indices = np.empty((len(rows), k), np.intp)
    for i in range(k):
        indices[:, i] = np.argmax(left, 1)
        if np.isneginf(rows[each, indices[:, i]]).any():
            return _selected(rows, k)  # those found are marked with -inf, which is taken here
        left[each, indices[:, i]] = -np.inf
    return indices


def _selected(rows, k):
    """Return the sorted indices of the k largest: all above the k-th, and the first equal to it."""
    least = np.partition(rows, rows.shape[1] - k, 1)[:, rows.shape[1] - k, None]
    chosen, level = rows > least, rows == least
    missing = k - np.count_nonzero(chosen, 1, keepdims=True)
    chosen |= level & (np.cumsum(level, 1) <= missing)
    indices = np.nonzero(chosen)[1].reshape(len(rows), k)
    values = np.take_along_axis(rows, indices, 1)
    return np.take_along_axis(indices, _argsort(values, 1, True), 1)


def searchsorted(sequence, values, side, dtype):
    result = np.empty(values.shape, dtype)
    sequence, values = _sortable(sequence), _sortable(values)
    for row in np.ndindex(values.shape[:-1]):
        result[row] = np.searchsorted(sequence[row], values[row], side)
    return result


def isotonic_segments(x):
    """Return the blocks of decreasing isotonic regression (pooled violators), numbered from 0."""
    result = np.empty(x.shape, np.int32)
    for row in np.ndindex(x.shape[:-1]):
        blocks: list[tuple[float, int]] = []  # (total, count)
        for value in x[row].astype(np.float64):
            total, count = value, 1
            while blocks and blocks[-1][0] * count < total * blocks[-1][1]:
                before, many = blocks.pop()
                total, count = total + before, count + many
            blocks.append((total, count))
        result[row] = np.repeat(np.arange(len(blocks)), [count for _, count in blocks])
    return result


KERNELS = {
    "isotonic_segments": isotonic_segments,
    "argsort": argsort,
    "sort": sort,
    "top_k_indices": top_k_indices,
    "searchsorted": searchsorted,
}
