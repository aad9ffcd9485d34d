"""`rt[…]`: integers, slices, `...` and None, for uniform and ragged dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.ragged.partition import RowPartition, within_rows
from gradtape.api.ragged.rows import slice_rows, take_rows
from gradtape.api.ragged.tensor import RaggedTensor, row_count
from gradtape.core.brief import brief
from gradtape.core.convert import is_tensor_like, static_value
from gradtape.core.dtypes import int32, int64
from gradtape.core.errors import InvalidArgumentError

_WHOLE = slice(None)


def getitem(rt: RaggedTensor, key: Any) -> Any:
    """Return a part of a ragged tensor."""
    keys = [_checked(each) for each in (key if isinstance(key, tuple) else (key,))]
    return _select(rt, _without_ellipsis(rt, keys))


def _checked(key: Any) -> Any:
    """Return a key with plain integers for tensors."""
    if key is None or key is Ellipsis:
        return key
    if isinstance(key, slice):
        return slice(*[None if part is None else _integer(part) for part in _parts(key)])
    if isinstance(key, (bool, np.bool_)):
        raise ValueError("mask cannot be scalar.")
    return _integer(key)


def _parts(key: slice) -> tuple:
    return key.start, key.stop, key.step


def _integer(value: Any) -> int:
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return int(value)
    if is_tensor_like(value) and not isinstance(value, RaggedTensor):
        tensor = ops.to_tensor(value)
        if not tensor.ndim and tensor.dtype in (int32, int64):
            return int(static_value(tensor))
    raise TypeError(
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
        f"tf.int32/tf.int64 tensors are valid indices, got {brief(value)}. Use "
        "tf.ragged.boolean_mask for a mask, tf.gather for several rows."
    )


def _without_ellipsis(rt: RaggedTensor, keys: list) -> list:
    count = sum(key is Ellipsis for key in keys)
    if not count:
        return keys
    if count > 1:
        raise ValueError("Multiple ellipses (`...`) are not allowed.")
    where = next(i for i, key in enumerate(keys) if key is Ellipsis)
    used = sum(key is not None and key is not Ellipsis for key in keys)
    return [*keys[:where], *[_WHOLE] * (len(rt.shape) - used), *keys[where + 1 :]]


def _select(x: Any, keys: list) -> Any:
    """Return the part of a dense or ragged tensor that keys from its first dimension on name."""
    if not keys:
        return x
    if not isinstance(x, RaggedTensor):
        return x[tuple(keys)]
    key, rest = keys[0], keys[1:]
    if key is None:
        inner = _select(x, rest)
        if not isinstance(inner, RaggedTensor):
            return ops.expand_dims(inner, 0)
        return RaggedTensor._of(
            inner, RowPartition.of_uniform(1, row_count(inner), x._partition.dtype)
        )
    if isinstance(key, slice):
        return _select_inner(_sliced(x, key), rest)
    return _select(_row(x, key), rest)


def _row(x: RaggedTensor, index: int) -> Any:
    nrows, row_splits = x._partition.nrows, x._partition.row_splits
    if index >= nrows:
        raise IndexError(f"Row key {index} out of bounds: the ragged tensor has {nrows} rows.")
    if index < -nrows:
        raise InvalidArgumentError(
            f"slice index {index + nrows} of dimension 0 out of bounds: the ragged tensor has "
            f"{nrows} rows. [Op:StridedSlice]"
        )
    index %= nrows
    if not row_splits._has_value and not isinstance(x.values, RaggedTensor):
        return x.values[row_splits[index] : row_splits[index + 1]]
    splits = x._partition.splits
    return slice_rows(x.values, int(splits[index]), int(splits[index + 1]))


def _sliced(x: RaggedTensor, key: slice) -> RaggedTensor:
    if key == _WHOLE:
        return x
    _check_step(key)
    start, stop, step = key.indices(x._partition.nrows)
    if step == 1:
        return slice_rows(x, start, max(start, stop))
    return take_rows(x, np.arange(start, stop, step))


def _check_step(key: slice) -> None:
    if key.step == 0:
        raise InvalidArgumentError(
            "Requires delta != 0: the step of a slice is 0. [Op:RaggedRange]"
        )


def _select_inner(x: Any, keys: list) -> Any:
    """Return x with keys applied to its dimensions from the second on."""
    if not keys:
        return x
    if not isinstance(x, RaggedTensor):
        return x[(_WHOLE, *keys)]
    key, rest = keys[0], keys[1:]
    partition = x._partition
    if key is None:
        inner = _select_inner(x, rest)
        return RaggedTensor._of(inner, RowPartition.of_uniform(partition.nrows, 1, partition.dtype))
    if isinstance(key, slice):
        x = x if key == _WHOLE else _slice_each_row(x, key)
        return RaggedTensor._of(_select_inner(x.values, rest), x._partition)
    if partition.uniform is None:
        raise ValueError(
            "Cannot index into an inner ragged dimension: rows may be too short. Use a slice, or "
            "tf.gather with batch_dims."
        )
    if not -partition.uniform <= key < partition.uniform:
        raise InvalidArgumentError(
            f"Index out of bounds when indexing into a ragged tensor: {key} in a dimension of size "
            f"{partition.uniform}."
        )
    rows = np.arange(partition.nrows) * partition.uniform + key % partition.uniform
    return _select_inner(take_rows(x.values, rows), rest)


def _slice_each_row(x: RaggedTensor, key: slice) -> RaggedTensor:
    _check_step(key)
    partition = x._partition
    sizes = partition.lengths
    step = 1 if key.step is None else key.step
    # As slice.indices does for one length, here for all rows at once.
    low, high = (0, sizes) if step > 0 else (-1, sizes - 1)

    def bound(value: int | None, default: Any) -> Any:
        if value is None:
            return np.broadcast_to(default, sizes.shape)
        return np.clip(value + sizes if value < 0 else value, low, high)

    start = bound(key.start, low if step > 0 else high)
    stop = bound(key.stop, high if step > 0 else low)
    counts = np.maximum(-((start - stop) // step), 0)
    positions = np.repeat(partition.splits[:-1] + start, counts) + within_rows(counts) * step
    uniform = partition.uniform
    if uniform is not None:
        uniform = len(range(*key.indices(uniform)))
    return RaggedTensor._of(
        take_rows(x.values, positions), RowPartition.of_lengths(counts, partition.dtype, uniform)
    )
