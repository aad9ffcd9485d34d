"""Pooling by TensorFlow's names."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.nn.windows import (
    LAYOUTS,
    explicit_pads,
    is_channels_first,
    per_axis,
    to_first,
    to_last,
)
from gradtape.core.convert import static_ints, static_value
from gradtape.core.dtypes import as_dtype, int64
from gradtape.core.tensor import Tensor


def _pool(x, ksize, strides, padding, data_format, dilations, rank: int, op: str, reduce):
    x = ops.to_tensor(x)
    first = is_channels_first(data_format, rank, op)
    if len(x.shape) != rank + 2:
        raise ops.ShapeError(
            f"{op}: input must have rank {rank + 2} (batch, {rank} spatial axes, channels), got "
            f"shape {x.shape}"
        )
    window = per_axis(ksize, rank, first, "ksize", op)
    strides = per_axis(strides, rank, first, "strides", op)
    dilations = per_axis(dilations, rank, first, "dilations", op)
    if first:
        x = to_last(x)
    pads = explicit_pads(padding, x.shape[1:-1], window, strides, dilations, first, op)
    if not isinstance(padding, str):
        _check_padding(op, padding, pads, window, dilations, first)
    y = reduce(x, window, strides, pads, dilations)
    return to_first(y) if first else y


def _check_padding(op: str, padding, pads, window, dilations, channels_first: bool) -> None:
    """Raise for padding that pooling cannot take: a window would have no element of the input."""
    given = [tuple(static_ints(pair)) for pair in static_value(padding)]
    if len(given) > len(pads) and (any(given[0]) or any(given[1 if channels_first else -1])):
        raise ops.InvalidArgumentError(
            f"{op}: Nonzero explicit padding in the batch or depth dimensions is not supported. "
            f"Received: {given}"
        )
    for pair, size, dilation in zip(pads, window, dilations, strict=True):
        if max(pair) > (size - 1) * dilation:
            raise ops.InvalidArgumentError(
                f"{op}: padding needs to be smaller than the window size {list(window)}. "
                f"Received: {given}"
            )


def _average(x, *geometry):
    """Return the mean of the elements of each window that lie inside the input, as TensorFlow."""
    total = ops.window_sum(x, *geometry)
    ones = ops.ones((1, *x.shape[1:-1], 1), x.dtype)
    return total / ops.window_sum(ones, *geometry)


def _rank_of(x, op: str) -> int:
    rank = ops.to_tensor(x).ndim - 2
    if rank not in LAYOUTS:
        raise ValueError(f"{op}: Input tensor must be of rank 3, 4 or 5 but was {rank + 2}.")
    return rank


def _define_pools(kind: str, reduce, what: str):
    """Define pooling of any rank, by the rank of its input, and that of one rank each."""

    def any_rank(input, ksize, strides, padding, data_format=None, name=None) -> Tensor:
        rank = _rank_of(input, f"{kind}Pool")
        op = f"{kind}Pool"
        return _pool(input, ksize, strides, padding, data_format, None, rank, op, reduce)

    def of_rank(rank: int):
        def pool(input, ksize, strides, padding, data_format=LAYOUTS[rank][0], name=None) -> Tensor:
            op = f"{kind}Pool{rank}D"
            return _pool(input, ksize, strides, padding, data_format, None, rank, op, reduce)

        return pool

    for suffix, function in {"": any_rank, **{f"{n}d": of_rank(n) for n in (1, 2, 3)}}.items():
        function.__name__ = function.__qualname__ = f"{kind.lower()}_pool{suffix}"
        function.__doc__ = f"Return {what} of every window."
        export(f"nn.{function.__name__}")(function)
    return any_rank


max_pool = _define_pools("Max", ops.max_pool, "the largest element")
avg_pool = _define_pools("Avg", _average, "the mean")


@export("nn.pool")
def pool(
    input,
    window_shape,
    pooling_type,
    strides=None,
    padding="VALID",
    data_format=None,
    dilations=None,
    name=None,
) -> Tensor:
    """Compute average or maximum pooling ("AVG", "MAX"), with windows that may be dilated."""
    if pooling_type not in ("AVG", "MAX"):
        raise ValueError(f"pooling_type must be 'AVG' or 'MAX'. Received: {pooling_type!r}")
    rank = len(np.atleast_1d(static_value(window_shape)))
    reduce = _average if pooling_type == "AVG" else ops.max_pool
    return _pool(
        input, window_shape, strides, padding, data_format, dilations, rank, "Pool", reduce
    )


@export("nn.max_pool_with_argmax")
def max_pool_with_argmax(
    input,
    ksize,
    strides,
    padding,
    data_format="NHWC",
    output_dtype=int64,
    include_batch_in_index=False,
    name=None,
) -> tuple[Tensor, Tensor]:
    """Return the largest elements, and where they are in each image (or the whole batch),
    flattened."""
    results = []

    def reduce(x, *geometry):
        y = ops.max_pool(x, *geometry)
        index = ops.max_pool_argmax(x, y, *geometry)
        if include_batch_in_index:
            images = np.arange(x.shape[0], dtype=np.int64) * math.prod(x.shape[1:])
            index = index + images.reshape(-1, *(1,) * (len(x.shape) - 1))
        results.append(ops.cast(index, as_dtype(output_dtype)))
        return y

    y = _pool(input, ksize, strides, padding, data_format, None, 2, "MaxPoolWithArgmax", reduce)
    return y, results[0]
