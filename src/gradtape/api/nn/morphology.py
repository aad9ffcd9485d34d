"""`tf.nn.dilation2d`, `erosion2d`, fractional pooling, and patches of volumes."""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.brief import brief
from gradtape.core.convert import static_ints
from gradtape.core.tensor import Tensor
from gradtape.prng.words import Words

# --- windows -------------------------------------------------------------------------------------


def _padding(size: int, window: int, stride: int, kind: str, op: str) -> tuple[int, int, int]:
    """Return (before, after, how many windows) along one axis."""
    kind = kind.upper() if isinstance(kind, str) else kind
    if kind == "SAME":
        count = -(-size // stride)
        missing = max((count - 1) * stride + window - size, 0)
        return missing // 2, missing - missing // 2, count
    if kind != "VALID":
        raise ValueError(f"{op}: padding is 'SAME' or 'VALID', not {brief(kind)}")
    if size < window:
        raise ops.ShapeError(f"{op}: a window of size {window} does not fit into an axis of {size}")
    return 0, 0, (size - window) // stride + 1


def _maximum(parts: list):
    """Return the elementwise maximum; of equal ones, the first takes the gradient."""
    best = parts[0]
    for part in parts[1:]:
        best = ops.where(part > best, part, best)
    return best


# --- dilation and erosion ------------------------------------------------------------------------


def _four(value, what: str, op: str) -> list[int]:
    numbers = static_ints(value)
    if len(numbers) != 4 or numbers[0] != 1 or numbers[3] != 1:
        raise ops.ShapeError(
            f"{op}: {what} must be [1, height, width, 1], got {numbers}: there is none over the "
            "batch or the channels"
        )
    return numbers[1:3]


@export("nn.dilation2d")
def dilation2d(input, filters, strides, padding, data_format, dilations, name=None) -> Tensor:
    """Return the largest of input + filter in each window, channel by channel."""
    if data_format != "NHWC":
        raise ValueError(
            "`data_format` values other  than 'NHWC' are not supported. Received: "
            f"data_format={data_format}"
        )
    x, kernel = ops.operands("dilation2d", input, filters)
    if x.ndim != 4 or kernel.ndim != 3 or x.shape[3] != kernel.shape[2]:
        raise ops.ShapeError(
            "dilation2d: input is [batch, height, width, channels] and filters is [height, width, "
            f"channels], got shapes {x.shape} and {kernel.shape}"
        )
    steps, rates = (
        _four(strides, "strides", "dilation2d"),
        _four(dilations, "dilations", "dilation2d"),
    )
    rows, columns = kernel.shape[:2]
    extents = [(n - 1) * rate + 1 for n, rate in zip((rows, columns), rates, strict=True)]
    pads = [_padding(x.shape[i + 1], extents[i], steps[i], padding, "dilation2d") for i in (0, 1)]
    lowest: Any = float(x.dtype.min) if x.dtype.is_floating else int(x.dtype.min)
    padded = ops.pad(x, [(0, 0), pads[0][:2], pads[1][:2], (0, 0)], constant_values=lowest)
    parts = [
        _window(padded, i * rates[0], j * rates[1], steps, pads) + kernel[i, j]
        for i in range(rows)
        for j in range(columns)
    ]
    if not parts:  # an empty filter: nothing is larger
        shape = (x.shape[0], pads[0][2], pads[1][2], x.shape[3])
        return ops.fill(shape, ops.to_tensor(lowest, x.dtype))
    return _maximum(parts)


def _window(padded, top: int, left: int, steps: list[int], pads: list):
    """Return one element of each window, for all windows."""
    bottom = top + (pads[0][2] - 1) * steps[0] + 1
    right = left + (pads[1][2] - 1) * steps[1] + 1
    return padded[:, top : bottom : steps[0], left : right : steps[1]]


@export("nn.erosion2d")
def erosion2d(value, filters, strides, padding, data_format, dilations, name=None) -> Tensor:
    """Return the smallest of input - filter (turned around) in each window, channel by channel."""
    x, kernel = ops.operands("erosion2d", value, filters)
    turned = ops.reverse(kernel, (0, 1))
    return -dilation2d(-x, turned, strides, padding, data_format, dilations)


# --- fractional pooling --------------------------------------------------------------------------


class FractionalMaxPool(NamedTuple):
    """The result, and where the windows of rows and columns begin."""

    output: Tensor
    row_pooling_sequence: Tensor
    col_pooling_sequence: Tensor


class FractionalAvgPool(NamedTuple):
    """The result, and where the windows of rows and columns begin."""

    output: Tensor
    row_pooling_sequence: Tensor
    col_pooling_sequence: Tensor


def _lengths(size: int, count: int, words: Words, pseudo_random: bool) -> list[int]:
    """Return the sizes of `count` windows that fill an axis."""
    if pseudo_random:
        alpha, k = size / count, size // count
        limit = min((k + 2) / alpha - 1, (size + 1 - k) / alpha - (count - 1))
        high, low = words.take(2)
        u = ((high & 0xFFFFF) * 2.0**32 + low) / 2.0**52 * limit
        edges = [1, *(math.ceil(alpha * (i + u)) for i in range(1, count)), size + 1]
        return [b - a for a, b in itertools.pairwise(edges)]
    lengths = [size // count + (i < size % count) for i in range(count)]
    for i, word in enumerate(words.take(count)[: count - 1]):
        other = i + word % (count - i)
        lengths[i], lengths[other] = lengths[other], lengths[i]
    return lengths


def _sequences(shape, ratio, pseudo_random: bool, seed, op: str) -> list[np.ndarray]:
    if isinstance(ratio, (int, float)):
        ratio = [1.0, ratio, ratio, 1.0]
    ratio = [float(r) for r in ratio]
    if any(r < 1.0 for r in ratio):
        raise ValueError(
            f"`pooling_ratio` elements should be >= 1.0. Received: pooling_ratio={ratio}"
        )
    if len(ratio) != 4 or ratio[0] != 1.0 or ratio[3] != 1.0:
        raise ValueError(
            "`pooling_ratio` should have first and last elements with value 1.0, and two between "
            "them. Received: "
            f"pooling_ratio={ratio}"
        )
    if len(shape) != 4 or any(n < r for n, r in zip(shape[1:3], ratio[1:3], strict=True)):
        raise ops.ShapeError(
            f"{op}: value must be [batch, rows, columns, channels] with at least {ratio[1]:g} rows "
            f"and {ratio[2]:g} columns, got shape {list(shape)}"
        )
    if seed == 0:
        key, counter = ops.SEEDS.draw(op, None, 0)
    else:
        key, second = ops.SEEDS.op_seeds(seed) or (0, 0)
        counter = second << 64
    words = Words(key, counter)
    sequences = []
    for size, r in zip(shape[1:3], ratio[1:3], strict=True):
        lengths = _lengths(size, int(size / r), words, pseudo_random)
        sequences.append(np.cumsum([0, *lengths]).astype(np.int64))
    return sequences


def _members(sequence: np.ndarray, overlapping: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return (indices of each window's elements, which of them count), both [windows, longest]."""
    starts = sequence[:-1]
    ends = np.minimum(sequence[1:] + overlapping, sequence[-1])
    offsets = np.arange(int((ends - starts).max()))
    counts = starts[:, None] + offsets < ends[:, None]
    # Positions beyond a short window repeat its first element.
    return np.where(counts, starts[:, None] + offsets, starts[:, None]), counts


def _parts(value, sequences: list, overlapping: bool):
    """Yield (a tensor with one element of each window, which windows have it), for all elements."""
    rows, has_row = _members(sequences[0], overlapping)
    columns, has_column = _members(sequences[1], overlapping)
    for i in range(rows.shape[1]):
        line = ops.gather(value, Tensor(rows[:, i].copy()), 1)
        for j in range(columns.shape[1]):
            part = ops.gather(line, Tensor(columns[:, j].copy()), 2)
            yield part, has_row[:, i, None] & has_column[None, :, j]


@export("nn.fractional_max_pool")
def fractional_max_pool(
    value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None
) -> FractionalMaxPool:
    """Compute max pooling over windows whose sizes vary at random: any ratio above 1 is possible.

    With a seed, the windows are those of TensorFlow, and the same on every call.
    """
    value = ops.to_tensor(value)
    sequences = _sequences(value.shape, pooling_ratio, pseudo_random, seed, "fractional_max_pool")
    output = _maximum([part for part, _ in _parts(value, sequences, bool(overlapping))])
    return FractionalMaxPool(output, Tensor(sequences[0]), Tensor(sequences[1]))


@export("nn.fractional_avg_pool")
def fractional_avg_pool(
    value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None
) -> FractionalAvgPool:
    """Compute average pooling over windows whose sizes vary at random.

    With a seed, the windows are those of TensorFlow, and the same on every call.
    """
    value = ops.to_tensor(value)
    sequences = _sequences(value.shape, pooling_ratio, pseudo_random, seed, "fractional_avg_pool")
    total, count = None, 0
    for part, counts in _parts(value, sequences, bool(overlapping)):
        weight = counts[None, :, :, None].astype(value.dtype.as_numpy_dtype)
        part = part * Tensor(weight)
        total, count = (part if total is None else total + part), count + weight
    return FractionalAvgPool(total / Tensor(count), Tensor(sequences[0]), Tensor(sequences[1]))


# --- volumes -------------------------------------------------------------------------------------


@export("extract_volume_patches")
def extract_volume_patches(input, ksizes, strides, padding, name=None) -> Tensor:
    """Return the patches of volumes [batch, depth, height, width, channels], laid out in the
    channels."""
    x, op = ops.to_tensor(input), "extract_volume_patches"
    sizes, steps = static_ints(ksizes), static_ints(strides)
    for what, numbers in (("ksizes", sizes), ("strides", steps)):
        if len(numbers) != 5 or numbers[0] != 1 or numbers[4] != 1:
            raise ops.ShapeError(
                f"{op}: {what} must be [1, depth, height, width, 1], got {numbers}"
            )
    if x.ndim != 5:
        raise ops.ShapeError(f"{op}: input must have rank 5, got shape {x.shape}")
    pads = [_padding(x.shape[i], sizes[i], steps[i], padding, op) for i in (1, 2, 3)]
    x = ops.pad(x, [(0, 0), *[p[:2] for p in pads], (0, 0)])

    def along(start: int, axis: int) -> slice:
        return slice(start, start + (pads[axis][2] - 1) * steps[axis + 1] + 1, steps[axis + 1])

    patches = [
        x[:, along(a, 0), along(b, 1), along(c, 2)]
        for a in range(sizes[1])
        for b in range(sizes[2])
        for c in range(sizes[3])
    ]
    return ops.concat(patches, -1)


@export("nn.with_space_to_batch")
def with_space_to_batch(
    input, dilation_rate, padding, op, filter_shape=None, spatial_dims=None, data_format=None
) -> Tensor:
    """Return a convolution-like op made to skip: the skipped positions are moved to the batch and
    back.

    `op(input, num_spatial_dims, padding)` is applied with padding "VALID".
    """
    from gradtape.api.array.blocks import (
        batch_to_space,
        required_space_to_batch_paddings,
        space_to_batch,
    )

    x = ops.to_tensor(input)
    rates = static_ints(dilation_rate)
    if any(rate < 1 for rate in rates):
        raise ValueError(f"dilation_rate must be positive, got {rates}")
    first = 2 if str(data_format).startswith("NC") else 1
    dims = list(range(first, first + len(rates)))
    if spatial_dims is not None:
        dims = _spatial_dims(spatial_dims, len(rates))
    if dims and x.ndim <= dims[-1]:
        raise ops.ShapeError(
            f"with_space_to_batch: input must have rank {dims[-1] + 1} at least for the spatial "
            f"dimensions {dims}, got shape {list(x.shape)}"
        )
    if all(rate == 1 for rate in rates):
        return op(x, len(rates), padding)
    base = [[0, 0]] * len(rates)
    if str(padding).upper() == "SAME":
        if filter_shape is None:
            raise ValueError("filter_shape must be specified for SAME padding")
        extents = [
            (n - 1) * rate for n, rate in zip(static_ints(filter_shape), rates, strict=False)
        ]
        base = [[extent // 2, extent - extent // 2] for extent in extents]
    elif str(padding).upper() != "VALID":
        raise ValueError(f"padding must be 'SAME' or 'VALID', not {padding!r}")
    # Blocks cover the axes from the first spatial one on, with 1 for those that are not dilated.
    blocks = [1] * dims[-1]
    for axis, rate in zip(dims, rates, strict=True):
        blocks[axis - 1] = rate
    every_base = [[0, 0]] * dims[-1]
    for axis, pads in zip(dims, base, strict=True):
        every_base[axis - 1] = pads
    paddings, crops = required_space_to_batch_paddings(
        x.shape[1 : dims[-1] + 1], blocks, every_base
    )
    moved = space_to_batch(x, blocks, paddings)
    return batch_to_space(op(moved, len(rates), "VALID"), blocks, crops)


def _spatial_dims(spatial_dims: Any, count: int) -> list[int]:
    """Return axes as a list, if they are as many as wanted, positive and in order."""
    dims = static_ints(spatial_dims)
    if dims != sorted({*dims}) or any(axis < 1 for axis in dims):
        raise ValueError(
            "with_space_to_batch: spatial_dims must be a monotonically increasing sequence of "
            f"positive integers, got {dims}"
        )
    if len(dims) != count:
        raise ValueError(
            f"with_space_to_batch: spatial_dims {dims} and dilation_rate must have the same "
            f"length, got {len(dims)} and {count}"
        )
    return dims
