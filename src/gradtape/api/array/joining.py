"""`tf.concat` to `tf.reverse_sequence`: joining, splitting, repeating and reordering."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


@export("concat")
def concat(values, axis, name="concat") -> Tensor:
    """Concatenate tensors along an existing axis."""
    return ops.concat(values, axis)


@export("stack")
def stack(values, axis=0, name="stack") -> Tensor:
    """Stack tensors of one shape along a new axis."""
    return ops.stack(values, axis)


@export("parallel_stack")
def parallel_stack(values, name="parallel_stack") -> Tensor:
    """Stack tensors of one shape along a new first axis."""
    return ops.stack(values, 0)


@export("unstack")
def unstack(value, num=None, axis=0, name="unstack") -> list[Tensor]:
    """Unstack a tensor along an axis into a list of tensors."""
    return list(ops.unstack(value, num, axis))


@export("split")
def split(value, num_or_size_splits, axis=0, num=None, name="split") -> list[Tensor]:
    """Split a tensor along an axis into equal parts, or parts of given sizes."""
    parts = list(ops.split(value, num_or_size_splits, axis))
    if num is not None and num != len(parts):
        raise InvalidArgumentError(
            f"split: num is {num}, but num_or_size_splits names {len(parts)} parts. [Op:SplitV]"
        )
    return parts


@export("tile")
def tile(input, multiples, name=None) -> Tensor:
    """Repeat a tensor as a block, a given number of times along each axis."""
    return ops.tile(input, multiples)


@export("repeat")
def repeat(input, repeats, axis=None, name=None) -> Tensor:
    """Repeat each element. A scalar counts as a vector."""
    if axis is not None and ops.to_tensor(input).shape.rank == 0:
        input = ops.expand_dims(input, 0)
    return ops.repeat(input, repeats, axis)


@export("reverse")
def reverse(tensor, axis, name=None) -> Tensor:
    """Reverse a tensor along some axes."""
    if np.ndim(ops.static_value(axis)) != 1:
        raise InvalidArgumentError(
            f"reverse: axis must be a list of axes ('dims' must be 1-dimension), got {axis!r} "
            "[Op:ReverseV2]"
        )
    return ops.reverse(tensor, axis)


@export("roll")
def roll(input, shift, axis, name=None) -> Tensor:
    """Shift the elements of a tensor along axes; those beyond the end wrap around."""
    return ops.roll(input, shift, axis)


@export("reverse_sequence")
def reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None) -> Tensor:
    """Reverse the first `seq_lengths[i]` elements along `seq_axis`, for each i of `batch_axis`."""
    if seq_axis is None:
        raise TypeError("reverse_sequence: seq_axis must be given: an int, not None.")
    return ops.reverse_sequence(input, seq_lengths, seq_axis, batch_axis or 0)
