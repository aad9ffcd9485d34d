"""Padding, and blocks of space moved to the batch or the channels: all composed of slices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.convert import static_int, static_value, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.ops.slicing import WHOLE

if TYPE_CHECKING:
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import Shape, TensorLike

__all__ = [
    "batch_to_space",
    "depth_to_space",
    "pad",
    "space_to_batch",
    "space_to_depth",
    "static_paddings",
]


def static_paddings(
    paddings: Sequence[Any], rank: int, op: str = "Pad"
) -> tuple[tuple[int, int], ...]:
    """Return a paddings argument as a pair of ints for each axis."""
    if type(paddings) in (list, tuple) and len(paddings) == rank and all(map(_is_plain, paddings)):
        return tuple([(a, b) for a, b in paddings])
    pairs = np.asarray(static_value(paddings))
    if pairs.size == 0 and rank == 0:
        return ()
    if pairs.shape != (rank, 2) or pairs.dtype.kind not in "iu":
        raise ShapeError(
            f"The paddings must be integers of shape [{rank}, 2], a pair for each axis, got "
            f"{paddings!r} of shape {list(pairs.shape)}. [Op:{op}]"
        )
    if pairs.size and pairs.min() < 0:
        raise ShapeError(f"Paddings must be non-negative: {pairs.tolist()}. [Op:{op}]")
    return tuple([(int(a), int(b)) for a, b in pairs])


def _is_plain(pair: Any) -> bool:
    """Return whether a pair has nothing to check or to convert: most have not."""
    if type(pair) not in (list, tuple) or len(pair) != 2:
        return False
    before, after = pair
    return type(before) is type(after) is int and before >= 0 and after >= 0


def pad(
    x: TensorLike, paddings: Sequence[Any], mode: str = "CONSTANT", constant_values: TensorLike = 0
) -> Tensor:
    """Pad x before and after it on each axis.

    The padding is a constant, or (REFLECT, SYMMETRIC) x mirrored at its edge, without or with the
    edge.
    """
    x = to_tensor(x)
    shape = tuple(x._data.shape)
    pairs = static_paddings(paddings, len(shape))
    kind = mode.upper() if isinstance(mode, str) else mode
    if kind == "CONSTANT":
        return _pad_constant(x, shape, pairs, constant_values)
    if kind not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(
            "Value of argument `mode` expected to be one of 'CONSTANT', 'REFLECT', or "
            f"'SYMMETRIC'. Received `mode` = {mode}"
        )
    for axis, pair in enumerate(pairs):
        x = _pad_mirrored(x, axis, pair, kind, shape)
    return x


def _pad_constant(x: Tensor, shape: Shape, pairs: tuple[Any, ...], value: Any) -> Tensor:
    whole = tuple([n + a + b for n, (a, b) in zip(shape, pairs, strict=True)])
    index = tuple([(a, a + n, None) for n, (a, _) in zip(shape, pairs, strict=True)])
    if not ops.is_tensor_like(value) and np.ndim(value) == 0 and value == 0:
        return ops.put_slice(x, whole, index)
    # The padding value has no gradient, as in TensorFlow.
    value = ops.stop_gradient(ops.operands("PadV2", x, value)[1])
    return ops.update_slice(ops.fill(whole, value), x, index)


def _pad_mirrored(x: Tensor, axis: int, pair: tuple[int, ...], mode: str, shape: Shape) -> Tensor:
    before, after = pair
    size, edge = shape[axis], 1 if mode == "REFLECT" else 0
    if max(pair) > size - edge:
        raise ShapeError(
            f"paddings must be no greater than the dimension size{' - 1' if edge else ''}: "
            f"{before}, {after} greater than {size - edge}, for axis {axis} of shape "
            f"{list(shape)} with mode {mode}. [Op:MirrorPad]"
        )
    parts = [x]
    if before:
        first = ops.slice_along(x, axis, edge, edge + before)
        parts.insert(0, ops.slice_along(first, axis, None, None, -1))
    if after:
        last = ops.slice_along(x, axis, size - edge - after, size - edge)
        parts.append(ops.slice_along(last, axis, None, None, -1))
    return ops.concat(parts, axis) if len(parts) > 1 else x


# --- blocks --------------------------------------------------------------------------------------


def space_to_batch(x: TensorLike, block_shape: list[int], paddings: list[Any]) -> Tensor:
    """Split x into blocks, and move the positions in a block to the batch axis."""
    x = to_tensor(x)
    blocks = ops.static_shape(block_shape, "SpaceToBatchND")
    count = len(blocks)
    pairs = static_paddings(paddings, count, "SpaceToBatchND")
    rank = len(x._data.shape)
    if rank < count + 1:
        raise ShapeError(
            f"input rank should be >= {count + 1} for {count} block sizes, got shape "
            f"{list(x._data.shape)}. [Op:SpaceToBatchND]"
        )
    x = pad(x, [(0, 0), *pairs, *[(0, 0)] * (rank - count - 1)])
    batch, *space = x._data.shape[: count + 1]
    rest = x._data.shape[count + 1 :]
    for n, b in zip(space, blocks, strict=True):
        if b < 1 or n % b:
            raise ShapeError(
                f"padded_shape {list(space)} is not divisible by block_shape {list(blocks)}. "
                "[Op:SpaceToBatchND]"
            )
    cells = [n // b for n, b in zip(space, blocks, strict=True)]
    apart = [size for pair in zip(cells, blocks, strict=True) for size in pair]
    x = ops.reshape(x, (batch, *apart, *rest))
    order = (
        *range(2, 2 * count + 1, 2),
        0,
        *range(1, 2 * count, 2),
        *range(2 * count + 1, 2 * count + 1 + len(rest)),
    )
    return ops.reshape(ops.transpose(x, order), (batch * math.prod(blocks), *cells, *rest))


def batch_to_space(x: TensorLike, block_shape: list[int], crops: list[Any]) -> Tensor:
    """Join blocks and crop the result: the inverse of `space_to_batch`."""
    x = to_tensor(x)
    blocks = ops.static_shape(block_shape, "BatchToSpaceND")
    count = len(blocks)
    pairs = static_paddings(crops, count, "BatchToSpaceND")
    if len(x._data.shape) < count + 1:
        raise ShapeError(
            f"input rank should be >= {count + 1} for {count} block sizes, got shape "
            f"{list(x._data.shape)}. [Op:BatchToSpaceND]"
        )
    batch, *cells = x._data.shape[: count + 1]
    rest = x._data.shape[count + 1 :]
    if min(blocks, default=1) < 1 or batch % math.prod(blocks):
        raise ShapeError(
            f"Input batch dimension ({batch}) is not divisible by product of block sizes "
            f"{list(blocks)}. [Op:BatchToSpaceND]"
        )
    x = ops.reshape(x, (*blocks, batch // math.prod(blocks), *cells, *rest))
    order = [count]
    for i in range(count):
        order += [count + 1 + i, i]
    order += range(2 * count + 1, 2 * count + 1 + len(rest))
    sizes = [n * b for n, b in zip(cells, blocks, strict=True)]
    x = ops.reshape(ops.transpose(x, order), (batch // math.prod(blocks), *sizes, *rest))
    index = [WHOLE]
    for n, (a, b) in zip(sizes, pairs, strict=True):
        if a + b > n:
            raise ShapeError(f"crops {[a, b]} exceed the size {n}. [Op:BatchToSpaceND]")
        index.append((a, n - b, None))
    return ops.take_slice(x, tuple(index))


def _channels_last(op: str, x: TensorLike, data_format: str) -> Tensor:
    x = to_tensor(x)
    if len(x._data.shape) != 4:
        raise ShapeError(f"{op}: input must have rank 4, got shape {list(x._data.shape)}.")
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError(f"{op}: data_format must be 'NHWC' or 'NCHW', got {data_format!r}.")
    return x if data_format == "NHWC" else ops.transpose(x, (0, 2, 3, 1))


def space_to_depth(x: Tensor, block_size: int, data_format: str = "NHWC") -> Tensor:
    """Move each square block of an image into the channels of one position."""
    x = _channels_last("SpaceToDepth", x, data_format)
    b = static_int(block_size, "SpaceToDepth: block_size")
    n, height, width, channels = x._data.shape
    if b < 2 or height % b or width % b:
        raise ShapeError(
            f"Image height {height} and width {width} should be divisible by block_size, which "
            f"must be at least 2: {b}. [Op:SpaceToDepth]"
        )
    x = ops.reshape(x, (n, height // b, b, width // b, b, channels))
    x = ops.transpose(x, (0, 1, 3, 2, 4, 5))
    x = ops.reshape(x, (n, height // b, width // b, b * b * channels))
    return x if data_format == "NHWC" else ops.transpose(x, (0, 3, 1, 2))


def depth_to_space(x: Tensor, block_size: int, data_format: str = "NHWC") -> Tensor:
    """Move channels into square blocks of an image: the inverse of `space_to_depth`."""
    x = _channels_last("DepthToSpace", x, data_format)
    b = static_int(block_size, "DepthToSpace: block_size")
    n, height, width, channels = x._data.shape
    if b < 2 or channels % (b * b):
        raise ShapeError(
            f"Input depth dimension {channels} should be divisible by the square of block_size, "
            f"which must be at least 2: {b}. [Op:DepthToSpace]"
        )
    x = ops.reshape(x, (n, height, width, b, b, channels // (b * b)))
    x = ops.transpose(x, (0, 1, 3, 2, 4, 5))
    x = ops.reshape(x, (n, height * b, width * b, channels // (b * b)))
    return x if data_format == "NHWC" else ops.transpose(x, (0, 3, 1, 2))
