"""Convolutions: plain, depthwise, separable and transposed."""

from __future__ import annotations

import math

from keras.src.backend.common.backend_utils import (
    check_conv_input_channels,
    check_conv_transpose_input_channels,
    compute_conv_transpose_output_shape,
)
from keras.src.backend.config import standardize_data_format

from gradtape import ops
from gradtape.api.nn import convolution
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.promotion import common

__all__ = ["conv", "conv_transpose", "depthwise_conv", "separable_conv"]

LAYOUTS = {
    "channels_last": {1: "NWC", 2: "NHWC", 3: "NDHWC"},
    "channels_first": {1: "NCW", 2: "NCHW", 3: "NCDHW"},
}


def _padding(padding):
    return padding.upper() if isinstance(padding, str) else padding


def conv(inputs, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    """Compute a convolution in as many dimensions as the kernel has; groups follow from its
    channels."""
    data_format = standardize_data_format(data_format)
    kernel = convert_to_tensor(kernel)
    inputs = convert_to_tensor(inputs, kernel.dtype)
    channels = inputs.shape[-1] if data_format == "channels_last" else inputs.shape[1]
    depth = kernel.shape[-2]
    if channels % depth:
        raise ValueError(
            "The number of input channels must be evenly divisible by kernel's in_channels. "
            f"Received input channels {channels} and kernel in_channels {depth}. "
        )
    return _convolve(inputs, kernel, strides, padding, data_format, dilation_rate)


def _convolve(inputs, kernel, strides, padding, data_format, dilation_rate):
    layout = LAYOUTS[data_format][kernel.ndim - 2]
    result = None
    try:
        result = convolution.convolution(
            inputs, kernel, strides, _padding(padding), layout, dilation_rate
        )
        is_empty = not math.prod(result.shape) and math.prod(inputs.shape)
    except ops.ShapeError as error:
        if "Negative dimension size" not in str(error):
            raise
        is_empty = True
    if is_empty:
        raise ValueError(
            "The convolution operation resulted in an empty output. This can happen if the input "
            "is too small for the given kernel size, strides, dilation rate, and padding mode. "
            "Please check the input shape and convolution parameters."
        )
    return result


def depthwise_conv(inputs, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    """Compute a convolution of each channel with kernels of its own."""
    data_format = standardize_data_format(data_format)
    inputs, kernel = common(inputs, kernel)
    check_conv_input_channels(inputs, kernel, data_format)
    *window, channels, multiplier = kernel.shape
    kernel = ops.reshape(kernel, (*window, 1, channels * multiplier))
    return _convolve(inputs, kernel, strides, padding, data_format, dilation_rate)


def separable_conv(
    inputs,
    depthwise_kernel,
    pointwise_kernel,
    strides=1,
    padding="valid",
    data_format=None,
    dilation_rate=1,
):
    """Return a depthwise convolution, then one that mixes the channels."""
    data_format = standardize_data_format(data_format)
    mixed = depthwise_conv(inputs, depthwise_kernel, strides, padding, data_format, dilation_rate)
    return conv(mixed, pointwise_kernel, data_format=data_format)


def conv_transpose(
    inputs,
    kernel,
    strides=1,
    padding="valid",
    output_padding=None,
    data_format=None,
    dilation_rate=1,
):
    """Return the transpose of a convolution: kernel [*window, out, in]."""
    data_format = standardize_data_format(data_format)
    inputs, kernel = common(inputs, kernel)
    check_conv_transpose_input_channels(inputs, kernel, data_format)
    rank = kernel.ndim - 2
    shape = compute_conv_transpose_output_shape(
        tuple(inputs.shape),
        tuple(kernel.shape[:-2]),
        kernel.shape[-2],
        strides,
        padding,
        output_padding,
        data_format,
        dilation_rate,
    )
    return convolution.conv_transpose(
        inputs,
        kernel,
        shape,
        strides,
        _padding(padding),
        LAYOUTS[data_format][rank],
        dilation_rate,
    )
