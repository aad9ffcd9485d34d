"""Colour spaces."""

from __future__ import annotations

import ml_dtypes
from keras.src.backend.config import standardize_data_format

from gradtape import ops
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.promotion import inexact

__all__ = ["check_rank", "hsv_to_rgb", "rgb_to_grayscale", "rgb_to_hsv"]


def check_rank(images) -> None:
    """Raise unless it is one image or a batch of them."""
    if len(images.shape) not in (3, 4):
        raise ValueError(
            "Invalid images rank: expected rank 3 (single image) or rank 4 (batch of images). "
            f"Received input with shape: images.shape={tuple(images.shape)}"
        )


def _channels(images, data_format):
    images = convert_to_tensor(images)
    check_rank(images)
    return images, -1 if standardize_data_format(data_format) == "channels_last" else -3


def rgb_to_grayscale(images, data_format=None):
    """The brightness of colours, as one channel."""
    images, axis = _channels(images, data_format)
    if images.shape[axis] not in (1, 3):
        raise ValueError(
            "Invalid channel size: expected 3 (RGB) or 1 (Grayscale). Received input with shape: "
            f"images.shape={tuple(images.shape)}"
        )
    if images.shape[axis] == 1:
        return images
    x = inexact(images)
    weights = convert_to_tensor([0.2989, 0.5870, 0.1140], x.dtype)
    gray = ops.tensordot(x, weights, [[x.ndim + axis], [0]])
    return ops.cast(ops.expand_dims(gray, axis), images.dtype)


def _float_planes(images, data_format):
    images, axis = _channels(images, data_format)
    if not images.dtype.is_floating:
        raise ValueError(
            "Invalid images dtype: expected float dtype. Received: "
            f"images.dtype={images.dtype.name}"
        )
    return images, axis


def rgb_to_hsv(images, data_format=None):
    """Red, green and blue as hue, saturation and value."""
    images, axis = _float_planes(images, data_format)
    smallest = float(ml_dtypes.finfo(images.dtype.as_numpy_dtype).eps)
    images = ops.where(ops.less(ops.abs(images), smallest), 0, images)
    red, green, blue = ops.unstack(images, axis=axis)
    value = ops.maximum(ops.maximum(red, green), blue)
    spread = value - ops.minimum(ops.minimum(red, green), blue)
    is_colored = ops.greater(spread, 0)
    is_lit = ops.greater(value, 0)
    saturation = ops.where(is_lit, spread / ops.where(is_lit, value, 1), 0)
    # The hue counts sixths of a turn from the largest of the three colours.
    step = 1 / (6 * ops.where(is_colored, spread, 1))
    hue = ops.where(
        ops.equal(value, green),
        step * (blue - red) + 2 / 6,
        step * (red - green) + 4 / 6,
    )
    hue = ops.where(ops.equal(value, red), step * (green - blue), hue)
    turn = ops.cast(ops.less(hue, 0), hue.dtype)
    hue = ops.where(is_colored, hue, 0) + turn
    return ops.stack([hue, saturation, value], axis)


def hsv_to_rgb(images, data_format=None):
    """Hue, saturation and value as red, green and blue."""
    images, axis = _float_planes(images, data_format)
    hue, saturation, value = ops.unstack(images, axis=axis)
    sixths = ops.floormod(hue, 1) * 6
    red = ops.clip(ops.abs(sixths - 3) - 1, 0, 1)
    green = ops.clip(2 - ops.abs(sixths - 2), 0, 1)
    blue = ops.clip(2 - ops.abs(sixths - 4), 0, 1)
    planes = [value * ((1 - saturation) + saturation * color) for color in (red, green, blue)]
    return ops.stack(planes, axis)
