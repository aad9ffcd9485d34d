"""Reductions of rows that share a segment id."""

from __future__ import annotations

import numpy as np

from gradtape.backends.errors import BadValues
from gradtape.backends.precision import in_float32

# Up to this many numbers, adding them one by one costs less than sorting.
_FEW_NUMBERS = 2048
# Up to this many columns, a weighted histogram per column is the fastest sum.
_FEW_COLUMNS = 32
# Segments with more rows than this are reduced one by one, the others all at once, row by row.
_MANY_ROWS = 24


def _check(op: str, ids, num: int) -> None:
    if ids.size and ids.max() >= num:
        position = int(np.argmax(ids >= num))
        raise BadValues(
            f"{op}: segment_ids[{position}] = {ids[position]} is out of range [0, {num}), the "
            f"segments that num_segments asks for. [Op:{op}]"
        )


def _without_dropped(x, ids):
    if ids.size and ids.min() < 0:
        kept = ids >= 0
        return x[kept], ids[kept]
    return x, ids


def _reduce(ufunc: np.ufunc, x, ids, result):
    """Reduce rows into those of `result`, which holds the values of segments without rows."""
    if (ids[1:] < ids[:-1]).any():
        # NumPy uses a radix sort for 16-bit integers, which takes a tenth of the time.
        short = ids.astype(np.uint16) if len(result) <= 2**16 else ids
        order = np.argsort(short, kind="stable")
        ids = ids[order]
    else:
        order = None
    is_first = np.ones(len(ids), bool)
    np.not_equal(ids[1:], ids[:-1], is_first[1:])
    starts = np.flatnonzero(is_first)
    counts = np.diff(starts, append=len(ids))
    is_long = counts > _MANY_ROWS
    for start, count in zip(starts[is_long], counts[is_long], strict=True):
        part = slice(start, start + count)
        rows = x[part] if order is None else x[order[part]]
        ufunc.reduce(rows, 0, result.dtype, result[ids[start], ...])
    # Rows of the same rank within their segments belong to different segments.
    starts, counts = starts[~is_long], counts[~is_long]
    positions = starts
    result[ids[positions]] = x[positions if order is None else order[positions]]
    rank = 1
    while (more := counts > rank).any():
        starts, counts = starts[more], counts[more]
        positions = starts + rank
        rows = x[positions if order is None else order[positions]]
        segments = ids[starts]
        result[segments] = ufunc(result[segments], rows)
        rank += 1
    return result


@in_float32
def segment_sum(x, ids, num):
    _check("UnsortedSegmentSum", ids, num)
    dtype = x.dtype
    x, ids = _without_dropped(x, ids)
    shape = (num, *x.shape[1:])
    if not x.size:
        return np.zeros(shape, dtype)
    columns = x.size // len(ids)
    # float64 sums of such integers are exact.
    is_small_integer = dtype.kind in "iu" and dtype.itemsize <= 4 and len(ids) < 2**20
    if columns <= _FEW_COLUMNS and (dtype.kind == "f" or is_small_integer):
        x = x.reshape(len(ids), columns).astype(np.float64, copy=False)
        result = np.empty((num, columns), np.int64 if is_small_integer else dtype)
        for column in range(columns):
            result[:, column] = np.bincount(ids, x[:, column], num)
        return result.reshape(shape).astype(dtype, copy=False)
    result = np.zeros(shape, dtype)
    if x.size <= _FEW_NUMBERS:
        np.add.at(result, ids, x)
    else:
        _reduce(np.add, x, ids, result)
    return result


@in_float32
def segment_prod(x, ids, num):
    _check("UnsortedSegmentProd", ids, num)
    return _segments(np.multiply, x, ids, num, 1)


@in_float32
def segment_max(x, ids, num, empty):
    _check("UnsortedSegmentMax", ids, num)
    return _segments(np.maximum, x, ids, num, empty)


@in_float32
def segment_min(x, ids, num, empty):
    _check("UnsortedSegmentMin", ids, num)
    return _segments(np.minimum, x, ids, num, empty)


def _segments(ufunc: np.ufunc, x, ids, num, empty):
    x, ids = _without_dropped(x, ids)
    result = np.full((num, *x.shape[1:]), empty, x.dtype)
    if x.size:
        _reduce(ufunc, x, ids, result)
    return result


def segment_rows(x, ids):
    if not ids.size or ids.min() >= 0:
        return np.take(x, ids, 0)
    kept = ids >= 0
    result = np.zeros((len(ids), *x.shape[1:]), x.dtype)
    result[kept] = x[ids[kept]]
    return result


KERNELS = {
    "segment_sum": segment_sum,
    "segment_prod": segment_prod,
    "segment_max": segment_max,
    "segment_min": segment_min,
    "segment_rows": segment_rows,
}
