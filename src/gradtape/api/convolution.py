"""Convolution and pooling by TensorFlow's names, with paddings and layouts in all their forms."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.convert import static_value
from gradtape.core.dtypes import as_dtype, int64

_LAYOUTS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def _is_channels_first(data_format, rank: int, op: str) -> bool:
    if data_format is None:
        return False
    last, first = _LAYOUTS[rank]
    if data_format == last:
        return False
    if data_format == first:
        return True
    raise ValueError(f"{op}: data_format must be {last!r} or {first!r}. Received: {data_format!r}")


def _to_last(x):
    return ops.moveaxis(x, 1, -1)


def _to_first(x):
    return ops.moveaxis(x, -1, 1)


def _per_axis(value, rank: int, channels_first: bool, what: str, op: str) -> tuple[int, ...]:
    """Strides and the like for the spatial axes: from one number, one for each, or all axes."""
    value = static_value(value)
    if value is None:
        return (1,) * rank
    sizes = [int(v) for v in np.atleast_1d(value)]
    if len(sizes) == 1:
        return tuple(sizes * rank)
    if len(sizes) == rank:
        return tuple(sizes)
    if len(sizes) == rank + 2:
        outer = [sizes[0], sizes[1] if channels_first else sizes[-1]]
        if outer != [1, 1]:
            raise ops.InvalidArgumentError(
                f"{op}: {what} in the batch and channel dimensions must be 1. Received: {sizes}"
            )
        return tuple(sizes[2:] if channels_first else sizes[1:-1])
    raise ValueError(
        f"{op}: `{what}` should be of length 1, {rank} or {rank + 2}. Received: {what}={sizes} of "
        f"length {len(sizes)}"
    )


def _pads(padding, space, window, strides, dilations, channels_first: bool, op: str) -> tuple:
    """SAME, VALID or explicit padding, as a pair of counts for each spatial axis."""
    rank = len(space)
    if isinstance(padding, str):
        kind = padding.upper()
        if kind == "VALID":
            return ((0, 0),) * rank
        if kind == "SAME":
            pairs = []
            for n, k, s, d in zip(space, window, strides, dilations, strict=True):
                total = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
                pairs.append((total // 2, total - total // 2))
            return tuple(pairs)
        raise ops.ShapeError(
            f"{op}: padding must be 'VALID', 'SAME' or explicit. Received: {padding!r}"
        )
    pairs = [tuple(int(p) for p in pair) for pair in static_value(padding)]
    if len(pairs) == rank + 2:
        pairs = pairs[2:] if channels_first else pairs[1:-1]
    if len(pairs) != rank or any(len(pair) != 2 for pair in pairs):
        raise ValueError(
            f"{op}: explicit padding is a list of [before, after] for every axis of the input. "
            f"Received: {padding}"
        )
    return tuple(pairs)


def _convolve(x, filters, strides, padding, data_format, dilations, rank: int, op: str):
    x, w = ops.operands(op, x, filters)
    first = _is_channels_first(data_format, rank, op)
    if len(w.shape) != rank + 2:
        raise ops.ShapeError(
            f"{op}: filters must have rank {rank + 2} ([*window, in_channels, out_channels]), got "
            f"shape {w.shape}"
        )
    if len(x.shape) < rank + 2:
        raise ops.ShapeError(
            f"{op}: input must have rank {rank + 2} or more (batch, {rank} spatial, channels), got "
            f"shape {x.shape}"
        )
    batch = tuple(x.shape[: -rank - 1])
    if len(batch) > 1:
        x = ops.reshape(x, (math.prod(batch), *x.shape[-rank - 1 :]))
    if first:
        x = _to_last(x)
    strides = _per_axis(strides, rank, first, "strides", op)
    dilations = _per_axis(dilations, rank, first, "dilations", op)
    if min(strides) < 1 or min(dilations) < 1:
        raise ops.InvalidArgumentError(
            f"{op}: strides and dilations must be positive. Received: {strides} and {dilations}"
        )
    window = tuple(w.shape[:rank])
    pads = _pads(padding, x.shape[1:-1], window, strides, dilations, first, op)
    depth = w.shape[-2]
    if depth == 0 or x.shape[-1] % depth:
        raise ops.ShapeError(
            f"{op}: input depth must be evenly divisible by filter depth: {x.shape[-1]} vs {depth} "
            f"(input shape {x.shape}, filter shape {w.shape})"
        )
    y = ops.conv(x, w, strides, pads, dilations, x.shape[-1] // depth)
    if first:
        y = _to_first(y)
    return ops.reshape(y, (*batch, *y.shape[1:])) if len(batch) > 1 else y


@export("nn.conv1d")
def conv1d(input, filters, stride, padding, data_format="NWC", dilations=None, name=None):
    """1-D convolution: input [..., width, channels], filters [width, in, out]."""
    return _convolve(input, filters, stride, padding, data_format, dilations, 1, "Conv1D")


@export("nn.conv2d")
def conv2d(input, filters, strides, padding, data_format="NHWC", dilations=None, name=None):
    """2-D convolution: input [..., height, width, channels], filters [height, width, in, out]."""
    return _convolve(input, filters, strides, padding, data_format, dilations, 2, "Conv2D")


@export("nn.conv3d")
def conv3d(input, filters, strides, padding, data_format="NDHWC", dilations=None, name=None):
    """3-D convolution: input [..., depth, height, width, channels]."""
    return _convolve(input, filters, strides, padding, data_format, dilations, 3, "Conv3D")


@export("nn.convolution")
def convolution(
    input, filters, strides=None, padding="VALID", data_format=None, dilations=None, name=None
):
    """Convolution in as many dimensions as the filters have."""
    filters = ops.to_tensor(filters)
    rank = filters.ndim - 2
    if rank not in _LAYOUTS:
        raise ValueError(
            f"`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims={rank} (filters of "
            f"shape {filters.shape})."
        )
    return _convolve(input, filters, strides, padding, data_format, dilations, rank, "Convolution")


@export("nn.atrous_conv2d")
def atrous_conv2d(value, filters, rate, padding, name=None):
    """2-D convolution with holes: dilated by `rate`."""
    return conv2d(value, filters, 1, padding, dilations=rate)


# --- transposed ----------------------------------------------------------------------------------


def _transposed(g, filters, output_shape, strides, padding, data_format, dilations, rank, op):
    g, w = ops.operands(op, g, filters)
    first = _is_channels_first(data_format, rank, op)
    if len(w.shape) != rank + 2 or len(g.shape) != rank + 2:
        raise ops.ShapeError(
            f"{op}: input and filters must have rank {rank + 2}, got shapes {g.shape} and {w.shape}"
        )
    strides = _per_axis(strides, rank, first, "strides", op)
    dilations = _per_axis(dilations, rank, first, "dilations", op)
    shape = [int(n) for n in np.atleast_1d(static_value(output_shape))]
    if len(shape) == rank:
        shape = [g.shape[0], *shape, w.shape[-2]]
    elif first:
        shape = [shape[0], *shape[2:], shape[1]]
    if first:
        g = _to_last(g)
    window = tuple(w.shape[:rank])
    pads = _pads(padding, shape[1:-1], window, strides, dilations, first, op)
    groups = shape[-1] // max(w.shape[-2], 1)
    expected = ops.conv_output_shape(tuple(shape), tuple(w.shape), strides, pads, dilations, groups)
    if tuple(g.shape) != expected:
        raise ops.ShapeError(
            f"{op}: output_shape {shape} does not fit: a convolution from it with filters of shape "
            f"{list(w.shape)} has shape {list(expected)}, the input has {list(g.shape)}"
        )
    y = ops.conv_input(g, w, tuple(shape), strides, pads, dilations, groups)
    return _to_first(y) if first else y


def _define_transpose(rank: int):
    def transpose(
        input,
        filters,
        output_shape,
        strides,
        padding="SAME",
        data_format=_LAYOUTS[rank][0],
        dilations=None,
        name=None,
    ):
        return _transposed(
            input, filters, output_shape, strides, padding, data_format, dilations, rank, op
        )

    op = f"Conv{rank}DTranspose"
    transpose.__name__ = transpose.__qualname__ = f"conv{rank}d_transpose"
    transpose.__doc__ = f"The transpose of conv{rank}d; filters [*window, out, in]."
    return export(f"nn.conv{rank}d_transpose")(transpose)


conv1d_transpose, conv2d_transpose, conv3d_transpose = map(_define_transpose, (1, 2, 3))


@export("nn.conv_transpose")
def conv_transpose(
    input,
    filters,
    output_shape,
    strides,
    padding="SAME",
    data_format=None,
    dilations=None,
    name=None,
):
    """The transpose of `convolution`."""
    rank = ops.to_tensor(filters).ndim - 2
    if rank not in _LAYOUTS:
        raise ValueError(f"conv_transpose: filters must have rank 3, 4 or 5, got {rank + 2}")
    return _transposed(
        input, filters, output_shape, strides, padding, data_format, dilations, rank,
        "ConvTranspose",
    )  # fmt: skip


@export("nn.atrous_conv2d_transpose")
def atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name=None):
    """The transpose of atrous_conv2d."""
    return _transposed(
        value, filters, output_shape, 1, padding, "NHWC", rate, 2, "AtrousConv2DTranspose"
    )


# --- depthwise -----------------------------------------------------------------------------------


def _depthwise_filter(w, channels: int, op: str):
    """[height, width, channels, multiplier] as the filter of a convolution with groups."""
    if len(w.shape) != 4 or w.shape[2] != channels:
        raise ops.ShapeError(
            f"{op}: filter must be [height, width, {channels}, multiplier] for an input with "
            f"{channels} channels, got shape {w.shape}"
        )
    return ops.reshape(w, (w.shape[0], w.shape[1], 1, w.shape[2] * w.shape[3]))


@export("nn.depthwise_conv2d")
def depthwise_conv2d(input, filter, strides, padding, data_format=None, dilations=None, name=None):
    """2-D convolution of each channel with filters of its own."""
    op = "DepthwiseConv2dNative"
    x, w = ops.operands(op, input, filter)
    first = _is_channels_first(data_format, 2, op)
    w = _depthwise_filter(w, x.shape[1 if first else -1], op)
    return _convolve(x, w, strides, padding, data_format, dilations, 2, op)


def _depthwise_geometry(x_shape, w_shape, strides, padding, data_format, dilations, op):
    first = _is_channels_first(data_format, 2, op)
    shape = [int(n) for n in static_value(x_shape)]
    shape = [shape[0], *shape[2:], shape[1]] if first else shape
    strides = _per_axis(strides, 2, first, "strides", op)
    dilations = _per_axis(dilations, 2, first, "dilations", op)
    window = tuple(int(n) for n in w_shape[:2])
    pads = _pads(padding, shape[1:-1], window, strides, dilations, first, op)
    return first, tuple(shape), strides, pads, dilations


@export("nn.depthwise_conv2d_backprop_input")
def depthwise_conv2d_backprop_input(
    input_sizes,
    filter,
    out_backprop,
    strides,
    padding,
    data_format="NHWC",
    dilations=(1, 1, 1, 1),
    name=None,
):
    """The cotangent of the input of depthwise_conv2d."""
    op = "DepthwiseConv2dNativeBackpropInput"
    g, w = ops.operands(op, out_backprop, filter)
    first, shape, strides, pads, dilations = _depthwise_geometry(
        input_sizes, w.shape, strides, padding, data_format, dilations, op
    )
    w = _depthwise_filter(w, shape[-1], op)
    g = _to_last(g) if first else g
    y = ops.conv_input(g, w, shape, strides, pads, dilations, shape[-1])
    return _to_first(y) if first else y


@export("nn.depthwise_conv2d_backprop_filter")
def depthwise_conv2d_backprop_filter(
    input,
    filter_sizes,
    out_backprop,
    strides,
    padding,
    data_format="NHWC",
    dilations=(1, 1, 1, 1),
    name=None,
):
    """The cotangent of the filter of depthwise_conv2d."""
    op = "DepthwiseConv2dNativeBackpropFilter"
    x, g = ops.operands(op, input, out_backprop)
    height, width, channels, multiplier = (int(n) for n in static_value(filter_sizes))
    first, _, strides, pads, dilations = _depthwise_geometry(
        x.shape, (height, width), strides, padding, data_format, dilations, op
    )
    if first:
        x, g = _to_last(x), _to_last(g)
    flat = (height, width, 1, channels * multiplier)
    w = ops.conv_filter(x, g, flat, strides, pads, dilations, channels)
    return ops.reshape(w, (height, width, channels, multiplier))


@export("nn.separable_conv2d")
def separable_conv2d(
    input,
    depthwise_filter,
    pointwise_filter,
    strides,
    padding,
    data_format=None,
    dilations=None,
    name=None,
):
    """A depthwise convolution, then one over channels alone."""
    y = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return conv2d(y, pointwise_filter, 1, "VALID", data_format or "NHWC")


# --- pooling -------------------------------------------------------------------------------------


def _pooled(x, ksize, strides, padding, data_format, dilations, rank: int, op: str, reduce):
    x = ops.to_tensor(x)
    first = _is_channels_first(data_format, rank, op)
    if len(x.shape) != rank + 2:
        raise ops.ShapeError(
            f"{op}: input must have rank {rank + 2} (batch, {rank} spatial axes, channels), got "
            f"shape {x.shape}"
        )
    window = _per_axis(ksize, rank, first, "ksize", op)
    strides = _per_axis(strides, rank, first, "strides", op)
    dilations = _per_axis(dilations, rank, first, "dilations", op)
    if min(window) < 1 or min(strides) < 1:
        raise ops.InvalidArgumentError(
            f"{op}: ksize and strides must be positive. Received: {window} and {strides}"
        )
    if first:
        x = _to_last(x)
    pads = _pads(padding, x.shape[1:-1], window, strides, dilations, first, op)
    y = reduce(x, window, strides, pads, dilations)
    return _to_first(y) if first else y


def _average(x, *geometry):
    """The mean of the elements of each window that lie inside the input, as TensorFlow."""
    total = ops.window_sum(x, *geometry)
    ones = ops.ones((1, *x.shape[1:-1], 1), x.dtype)
    return total / ops.window_sum(ones, *geometry)


def _rank_of(x, op: str) -> int:
    rank = ops.to_tensor(x).ndim - 2
    if rank not in _LAYOUTS:
        raise ValueError(f"{op}: Input tensor must be of rank 3, 4 or 5 but was {rank + 2}.")
    return rank


def _define_pools(kind: str, reduce, what: str):
    """The pooling of any rank, by the rank of its input, and those of one rank each."""

    def any_rank(input, ksize, strides, padding, data_format=None, name=None):
        rank = _rank_of(input, f"{kind}Pool")
        op = f"{kind}Pool"
        return _pooled(input, ksize, strides, padding, data_format, None, rank, op, reduce)

    def of_rank(rank: int):
        def pool(input, ksize, strides, padding, data_format=_LAYOUTS[rank][0], name=None):
            op = f"{kind}Pool{rank}D"
            return _pooled(input, ksize, strides, padding, data_format, None, rank, op, reduce)

        return pool

    for suffix, function in {"": any_rank, **{f"{n}d": of_rank(n) for n in (1, 2, 3)}}.items():
        function.__name__ = function.__qualname__ = f"{kind.lower()}_pool{suffix}"
        function.__doc__ = f"{what} of every window."
        export(f"nn.{function.__name__}")(function)
    return any_rank


max_pool = _define_pools("Max", ops.max_pool, "The largest element")
avg_pool = _define_pools("Avg", _average, "The mean")


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
):
    """Pooling of either kind ("AVG" or "MAX"), with windows that may have holes."""
    if pooling_type not in ("AVG", "MAX"):
        raise ValueError(f"pooling_type must be 'AVG' or 'MAX'. Received: {pooling_type!r}")
    rank = len(np.atleast_1d(static_value(window_shape)))
    reduce = _average if pooling_type == "AVG" else ops.max_pool
    return _pooled(
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
):
    """The largest elements, and where they are in each image (or the whole batch), flattened."""
    found = []

    def reduce(x, *geometry):
        y = ops.max_pool(x, *geometry)
        index = ops.max_pool_argmax(x, y, *geometry)
        if include_batch_in_index:
            images = np.arange(x.shape[0], dtype=np.int64) * math.prod(x.shape[1:])
            index = index + images.reshape(-1, *(1,) * (len(x.shape) - 1))
        found.append(ops.cast(index, as_dtype(output_dtype)))
        return y

    y = _pooled(input, ksize, strides, padding, data_format, None, 2, "MaxPoolWithArgmax", reduce)
    return y, found[0]
