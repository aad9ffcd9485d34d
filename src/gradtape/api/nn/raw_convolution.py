"""Convolutions under the names of their kernels: `tf.conv` and the gradients of `conv2d`."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.nn import convolution
from gradtape.core.tensor import Tensor
from gradtape.engine.tape import GradientTape


def _padding(padding, explicit_paddings):
    if padding != "EXPLICIT":
        return padding
    numbers = ops.static_ints(explicit_paddings, "conv: 'explicit_paddings'")
    return [numbers[i : i + 2] for i in range(0, len(numbers), 2)]


@export("conv")
def conv(
    input,
    filter,
    strides,
    padding,
    explicit_paddings=[],  # noqa: B006 (TensorFlow's default, never changed)
    data_format="CHANNELS_LAST",
    dilations=[],  # noqa: B006
    batch_dims=1,
    groups=1,
    name=None,
) -> Tensor:
    """Compute a convolution in two or three dimensions; the first `batch_dims` axes are the
    batch."""
    x, kernel = ops.operands("conv", input, filter)
    spatial = x.ndim - batch_dims - 1
    if spatial not in (1, 2, 3) or batch_dims < 0 or kernel.ndim != spatial + 2:
        raise ops.ShapeError(
            f"conv: input of shape {x.shape} and filter of shape {kernel.shape} do not fit "
            f"batch_dims={batch_dims}: input has those axes, one to three more of space, and one "
            "of channels; filter has those of space and two more"
        )
    if data_format not in ("CHANNELS_LAST", "CHANNELS_FIRST"):
        raise ops.InvalidArgumentError(f"conv: unknown data_format {data_format!r}")
    if x.shape[-1 if data_format == "CHANNELS_LAST" else batch_dims] != kernel.shape[-2] * groups:
        raise ops.ShapeError(
            f"conv: input of shape {x.shape} does not have {groups} groups of {kernel.shape[-2]} "
            "channels, as the filter has"
        )
    last = data_format == "CHANNELS_LAST"
    letters = {1: "NWC", 2: "NHWC", 3: "NDHWC"}[spatial]
    format_ = letters if last else f"NC{letters[1:-1]}"
    batch = tuple(x.shape[:batch_dims])
    flat = ops.reshape(x, (-1, *x.shape[batch_dims:]))

    def spatial_only(values):
        values = ops.static_ints(values, "conv")
        if len(values) <= spatial:
            return values or None
        return values[1:-1] if last else values[2:]

    explicit: Any = _padding(padding, explicit_paddings)
    result = convolution.convolution(
        flat,
        kernel,
        strides=spatial_only(strides),
        padding=explicit,
        data_format=format_,
        dilations=spatial_only(dilations),
    )
    return ops.reshape(result, (*batch, *result.shape[1:]))


def _pulled_back(input, filter, out_backprop, wanted: int, options: tuple):
    """Return the gradient of conv2d by its input (0) or filter (1), given that of its result."""
    strides, padding, explicit_paddings, data_format, dilations = options
    x, kernel = ops.operands("conv2d", input, filter)
    sources = [ops.identity(x), ops.identity(kernel)]
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(sources[wanted])
        y = convolution.conv2d(
            sources[0],
            sources[1],
            strides,
            _padding(padding, explicit_paddings),
            data_format,
            dilations,
        )
    return tape.gradient(y, sources[wanted], output_gradients=out_backprop)


@export("conv2d_backprop_input_v2")
def conv2d_backprop_input_v2(
    input,
    filter,
    out_backprop,
    strides,
    padding,
    use_cudnn_on_gpu=True,
    explicit_paddings=[],  # noqa: B006
    data_format="NHWC",
    dilations=[1, 1, 1, 1],  # noqa: B006
    name=None,
) -> Tensor:
    """Return the gradient of a two-dimensional convolution by its input."""
    options = (strides, padding, explicit_paddings, data_format, dilations)
    return _pulled_back(input, filter, out_backprop, 0, options)


@export("conv2d_backprop_filter_v2")
def conv2d_backprop_filter_v2(
    input,
    filter,
    out_backprop,
    strides,
    padding,
    use_cudnn_on_gpu=True,
    explicit_paddings=[],  # noqa: B006
    data_format="NHWC",
    dilations=[1, 1, 1, 1],  # noqa: B006
    name=None,
) -> Tensor:
    """Return the gradient of a two-dimensional convolution by its filter."""
    options = (strides, padding, explicit_paddings, data_format, dilations)
    return _pulled_back(input, filter, out_backprop, 1, options)
