"""Convolution by TensorFlow's names."""

from __future__ import annotations

import math

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
from gradtape.core.convert import static_ints
from gradtape.core.tensor import Tensor


def _convolve(x, filters, strides, padding, data_format, dilations, rank: int, op: str):
    x, w = ops.operands(op, x, filters)
    first = is_channels_first(data_format, rank, op)
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
    if 0 in w.shape:
        raise ops.ShapeError(
            f"{op}: filters must not have zero elements, got shape {w.shape}. [Op:{op}]"
        )
    batch = tuple(x.shape[: -rank - 1])
    if len(batch) > 1:
        x = ops.reshape(x, (math.prod(batch), *x.shape[-rank - 1 :]))
    if first:
        x = to_last(x)
    strides = per_axis(strides, rank, first, "strides", op)
    dilations = per_axis(dilations, rank, first, "dilations", op)
    window = tuple(w.shape[:rank])
    pads = explicit_pads(padding, x.shape[1:-1], window, strides, dilations, first, op)
    depth = w.shape[-2]
    if x.shape[-1] % depth:
        raise ops.ShapeError(
            f"{op}: input depth must be evenly divisible by filter depth: {x.shape[-1]} vs {depth} "
            f"(input shape {x.shape}, filter shape {w.shape})"
        )
    y = ops.conv(x, w, strides, pads, dilations, x.shape[-1] // depth)
    if first:
        y = to_first(y)
    return ops.reshape(y, (*batch, *y.shape[1:])) if len(batch) > 1 else y


@export("nn.conv1d")
def conv1d(input, filters, stride, padding, data_format="NWC", dilations=None, name=None) -> Tensor:
    """Compute a 1-D convolution: input [..., width, channels], filters [width, in, out]."""
    return _convolve(input, filters, stride, padding, data_format, dilations, 1, "Conv1D")


@export("nn.conv2d")
def conv2d(
    input, filters, strides, padding, data_format="NHWC", dilations=None, name=None
) -> Tensor:
    """Compute a 2-D convolution: input [..., height, width, channels], filters [height, width, in,
    out]."""
    return _convolve(input, filters, strides, padding, data_format, dilations, 2, "Conv2D")


@export("nn.conv3d")
def conv3d(
    input, filters, strides, padding, data_format="NDHWC", dilations=None, name=None
) -> Tensor:
    """Compute a 3-D convolution: input [..., depth, height, width, channels]."""
    return _convolve(input, filters, strides, padding, data_format, dilations, 3, "Conv3D")


@export("nn.convolution")
def convolution(
    input, filters, strides=None, padding="VALID", data_format=None, dilations=None, name=None
) -> Tensor:
    """Compute a convolution in as many dimensions as the filters have."""
    filters = ops.to_tensor(filters)
    rank = filters.ndim - 2
    if rank not in LAYOUTS:
        raise ValueError(
            f"`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims={rank} (filters of "
            f"shape {filters.shape})."
        )
    return _convolve(input, filters, strides, padding, data_format, dilations, rank, "Convolution")


@export("nn.atrous_conv2d")
def atrous_conv2d(value, filters, rate, padding, name=None) -> Tensor:
    """Compute a 2-D convolution dilated by `rate`."""
    return conv2d(value, filters, 1, padding, dilations=rate)


# --- transposed ----------------------------------------------------------------------------------


def _check_cotangent(op: str, g, x_shape, w_shape, *options) -> None:
    """Raise unless g has the shape of the result of a convolution of these shapes."""
    expected = ops.conv_output_shape(tuple(x_shape), tuple(w_shape), *options)
    if tuple(g.shape) != expected:
        raise ops.ShapeError(
            f"{op}: a convolution of an input of shape {list(x_shape)} with filters of shape "
            f"{list(w_shape)} has shape {list(expected)}, which is not {list(g.shape)}"
        )


def _transpose_convolution(
    g, filters, output_shape, strides, padding, data_format, dilations, rank, op
):
    g, w = ops.operands(op, g, filters)
    first = is_channels_first(data_format, rank, op)
    if len(w.shape) != rank + 2 or len(g.shape) != rank + 2:
        raise ops.ShapeError(
            f"{op}: input and filters must have rank {rank + 2}, got shapes {g.shape} and {w.shape}"
        )
    strides = per_axis(strides, rank, first, "strides", op)
    dilations = per_axis(dilations, rank, first, "dilations", op)
    shape = static_ints(output_shape)
    if len(shape) not in (rank, rank + 2):
        raise ops.ShapeError(
            f"{op}: output_shape must have {rank} or {rank + 2} sizes. Received: {shape}"
        )
    if len(shape) == rank:
        shape = [g.shape[0], *shape, w.shape[-2]]
    elif first:
        shape = [shape[0], *shape[2:], shape[1]]
    if first:
        g = to_last(g)
    window = tuple(w.shape[:rank])
    pads = explicit_pads(padding, shape[1:-1], window, strides, dilations, first, op)
    groups = shape[-1] // max(w.shape[-2], 1)
    _check_cotangent(op, g, shape, w.shape, strides, pads, dilations, groups)
    y = ops.conv_input(g, w, tuple(shape), strides, pads, dilations, groups)
    return to_first(y) if first else y


def _define_transpose(rank: int):
    def transpose(
        input,
        filters,
        output_shape,
        strides,
        padding="SAME",
        data_format=LAYOUTS[rank][0],
        dilations=None,
        name=None,
    ) -> Tensor:
        return _transpose_convolution(
            input, filters, output_shape, strides, padding, data_format, dilations, rank, op
        )

    op = f"Conv{rank}DTranspose"
    transpose.__name__ = transpose.__qualname__ = f"conv{rank}d_transpose"
    transpose.__doc__ = f"Compute the transpose of conv{rank}d; filters [*window, out, in]."
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
) -> Tensor:
    """Return the transpose of `convolution`."""
    rank = ops.to_tensor(filters).ndim - 2
    if rank not in LAYOUTS:
        raise ValueError(f"conv_transpose: filters must have rank 3, 4 or 5, got {rank + 2}")
    return _transpose_convolution(
        input,
        filters,
        output_shape,
        strides,
        padding,
        data_format,
        dilations,
        rank,
        "ConvTranspose",
    )


@export("nn.atrous_conv2d_transpose")
def atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name=None) -> Tensor:
    """Return the transpose of atrous_conv2d."""
    return _transpose_convolution(
        value, filters, output_shape, 1, padding, "NHWC", rate, 2, "AtrousConv2DTranspose"
    )


# --- depthwise -----------------------------------------------------------------------------------


def _depthwise_filter(w, channels: int, op: str):
    """Return [height, width, channels, multiplier] as the filter of a convolution with groups."""
    if len(w.shape) != 4 or w.shape[2] != channels:
        raise ops.ShapeError(
            f"{op}: filter must be [height, width, {channels}, multiplier] for an input with "
            f"{channels} channels, got shape {w.shape}"
        )
    return ops.reshape(w, (w.shape[0], w.shape[1], 1, w.shape[2] * w.shape[3]))


@export("nn.depthwise_conv2d")
def depthwise_conv2d(
    input, filter, strides, padding, data_format=None, dilations=None, name=None
) -> Tensor:
    """Compute a 2-D convolution of each channel with filters of its own."""
    op = "DepthwiseConv2dNative"
    x, w = ops.operands(op, input, filter)
    first = is_channels_first(data_format, 2, op)
    w = _depthwise_filter(w, x.shape[1 if first else -1], op)
    return _convolve(x, w, strides, padding, data_format, dilations, 2, op)


def _depthwise_geometry(x_shape, w_shape, strides, padding, data_format, dilations, op):
    first = is_channels_first(data_format, 2, op)
    shape = static_ints(x_shape)
    if len(shape) != 4:
        raise ops.ShapeError(f"{op}: the input must have rank 4, got shape {shape}")
    shape = [shape[0], *shape[2:], shape[1]] if first else shape
    strides = per_axis(strides, 2, first, "strides", op)
    dilations = per_axis(dilations, 2, first, "dilations", op)
    window = tuple(static_ints(w_shape[:2], op))
    pads = explicit_pads(padding, shape[1:-1], window, strides, dilations, first, op)
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
) -> Tensor:
    """Return the cotangent of the input of depthwise_conv2d."""
    op = "DepthwiseConv2dNativeBackpropInput"
    g, w = ops.operands(op, out_backprop, filter)
    first, shape, strides, pads, dilations = _depthwise_geometry(
        input_sizes, w.shape, strides, padding, data_format, dilations, op
    )
    w = _depthwise_filter(w, shape[-1], op)
    g = to_last(g) if first else g
    _check_cotangent(op, g, shape, w.shape, strides, pads, dilations, shape[-1])
    y = ops.conv_input(g, w, shape, strides, pads, dilations, shape[-1])
    return to_first(y) if first else y


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
) -> Tensor:
    """Return the cotangent of the filter of depthwise_conv2d."""
    op = "DepthwiseConv2dNativeBackpropFilter"
    x, g = ops.operands(op, input, out_backprop)
    height, width, channels, multiplier = static_ints(filter_sizes)
    first, _, strides, pads, dilations = _depthwise_geometry(
        x.shape, (height, width), strides, padding, data_format, dilations, op
    )
    if first:
        x, g = to_last(x), to_last(g)
    flat = (height, width, 1, channels * multiplier)
    _check_cotangent(op, g, x.shape, flat, strides, pads, dilations, channels)
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
) -> Tensor:
    """Return a depthwise convolution, then one over channels alone."""
    y = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return conv2d(y, pointwise_filter, 1, "VALID", data_format or "NHWC")
