"""What the functions share: work on each string of a tensor, dense or ragged."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.api.strings.arguments import packed, text_tensor
from gradtape.api.strings.splitting import parts_in_rows
from gradtape.core.dtypes import DType, string


def change_each(change: Callable[[bytes], bytes], input: Any, op: str) -> Any:
    """Return strings, each of them changed."""
    if isinstance(input, RaggedTensor):
        return input.with_flat_values(change_each(change, input.flat_values, op))
    tensor = text_tensor(input, op)

    def compute(texts: np.ndarray) -> np.ndarray:
        return packed(map(change, texts.ravel().tolist()), texts.shape)

    return ops.host_call(compute, [tensor], string, tensor.shape)


def split_each(
    split: Callable[[bytes], Sequence[list]], input: Any, op: str, kinds: Sequence[DType]
) -> list[Any]:
    """Return the parts of each string, with one more axis, which is ragged."""
    if isinstance(input, RaggedTensor):
        parts = split_each(split, input.flat_values, op, kinds)
        return [input.with_flat_values(part) for part in parts]
    return parts_in_rows(input, op, split, kinds)


def join_rows(join: Callable[[list], bytes], input: Any) -> Any:
    """Return the string that a function makes of each innermost row."""
    if not isinstance(input, RaggedTensor):
        tensor = ops.to_tensor(input)
        if tensor.ndim == 1:
            return ops.reshape(join_rows(join, ops.expand_dims(tensor, 0)), ())
        input = RaggedTensor.from_tensor(tensor, ragged_rank=tensor.ndim - 1)
    if input.ragged_rank > 1:
        return input.with_values(join_rows(join, input.values))

    def compute(values: np.ndarray, splits: np.ndarray) -> np.ndarray:
        items, ends = values.tolist(), splits.tolist()
        rows = [join(items[i:j]) for i, j in itertools.pairwise(ends)]
        return packed(rows, len(rows))

    splits = input.row_splits
    return ops.host_call(compute, [input.values, splits], string, (splits.shape[0] - 1,))


def two_axes(items: Any, what: str) -> RaggedTensor:
    """Return a tensor [batch, (items)] as a ragged one."""
    rows = items if isinstance(items, RaggedTensor) else ops.to_tensor(items)
    if len(rows.shape) != 2:
        raise ValueError(f"{what} has shape {list(rows.shape)}; it must be [batch, (items)].")
    return rows if isinstance(rows, RaggedTensor) else RaggedTensor.from_tensor(rows)


def last_axis(axis: Any, what: str) -> None:
    """Raise an error for an axis other than that of the items of [batch, (items)]."""
    if axis not in (-1, 1):
        raise NotImplementedError(
            f"{what}: axis is {axis!r}; gradtape works along the last axis of tensors "
            "[batch, (items)]: give axis=1."
        )
