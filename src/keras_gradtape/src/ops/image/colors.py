"""Color spaces."""

from __future__ import annotations

import ml_dtypes
from keras.src.backend.config import standardize_data_format

from gradtape import ops
from gradtape.api.image import color as image_color
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
    """Convert colors to one channel of brightness."""
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


def _convert(compute, images, axis: int):
    """Return a function of images with channels last, for channels anywhere."""
    if axis == -1:
        return compute(images)
    return ops.moveaxis(compute(ops.moveaxis(images, axis, -1)), -1, axis)


def _check_float(images) -> None:
    if not images.dtype.is_floating:
        raise ValueError(
            "Invalid images dtype: expected float dtype. Received: "
            f"images.dtype={images.dtype.name}"
        )


def rgb_to_hsv(images, data_format=None):
    """Convert red, green and blue to hue, saturation and value."""
    images, axis = _channels(images, data_format)
    _check_float(images)
    smallest = float(ml_dtypes.finfo(images.dtype.as_numpy_dtype).eps)
    images = ops.where(ops.less(ops.abs(images), smallest), 0, images)
    return _convert(image_color.rgb_to_hsv, images, axis)


def hsv_to_rgb(images, data_format=None):
    """Convert hue, saturation and value to red, green and blue."""
    images, axis = _channels(images, data_format)
    _check_float(images)

    def compute(images):
        hue = ops.floormod(images[..., :1], 1)  # a full turn leads back to the same hue
        return image_color.hsv_to_rgb(ops.concat([hue, images[..., 1:]], -1))

    return _convert(compute, images, axis)
