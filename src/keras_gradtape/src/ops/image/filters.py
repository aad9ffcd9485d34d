"""Blurring, edges, and random elastic distortion."""

from __future__ import annotations

from typing import Any

import numpy as np
from keras.src.backend.config import standardize_data_format

from gradtape import ops
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.ops.image.colors import check_rank
from keras_gradtape.src.ops.image.sampling import (
    channels_last_batch,
    check_fill_mode,
    check_interpolation,
    sample_images,
)
from keras_gradtape.src.ops.nn.convolution import depthwise_conv
from keras_gradtape.src.random import normal

__all__ = ["elastic_transform", "gaussian_blur", "sobel_edges"]


def _filter(images, kernel, data_format) -> Any:
    """Convolve every channel of images with one kernel [height, width]."""
    channels = images.shape[-1 if data_format == "channels_last" else 1]
    kernel = ops.reshape(kernel, (*kernel.shape, 1, 1))
    kernel = ops.broadcast_to(kernel, (*kernel.shape[:2], channels, 1))
    return depthwise_conv(images, kernel, padding="same", data_format=data_format)


def _bell(size: int, sigma):
    """Return the weights of a normal distribution around the middle of so many points."""
    offsets = np.arange(size) - (size - 1) / 2
    offsets = convert_to_tensor(offsets, sigma.dtype)
    heights = ops.exp(-0.5 * ops.square(offsets / sigma))
    return heights / ops.reduce_sum(heights)


def gaussian_blur(images, kernel_size=(3, 3), sigma=(1.0, 1.0), data_format=None):
    """Blur images with a Gaussian kernel."""
    data_format = standardize_data_format(data_format)
    images = convert_to_tensor(images)
    check_rank(images)
    sigma = convert_to_tensor(sigma, images.dtype)
    wide, high = (_bell(int(n), sigma[i]) for i, n in enumerate(kernel_size))
    kernel = ops.expand_dims(high, 1) * ops.expand_dims(wide, 0)
    if images.ndim == 3:
        return ops.squeeze(_filter(ops.expand_dims(images, 0), kernel, data_format), 0)
    return _filter(images, kernel, data_format)


def sobel_edges(images, data_format=None):
    """Return the vertical and horizontal Sobel gradients of images, as a last axis."""
    data_format = standardize_data_format(data_format)
    images = convert_to_tensor(images)
    across = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    slopes = [
        _filter(images, convert_to_tensor(kernel, images.dtype), data_format)
        for kernel in (across.T, across)
    ]
    return ops.stack(slopes, -1)


def elastic_transform(
    images,
    alpha=20.0,
    sigma=5.0,
    interpolation="bilinear",
    fill_mode="reflect",
    fill_value=0.0,
    seed=None,
    data_format=None,
):
    """Distort images elastically: move their points by smooth random distances."""
    data_format = standardize_data_format(data_format)
    check_interpolation(interpolation)
    check_fill_mode(fill_mode)
    images = convert_to_tensor(images)
    check_rank(images)
    images, undo = channels_last_batch(images, data_format)
    batch, height, width, _ = images.shape
    alpha, sigma = convert_to_tensor(alpha, "float32"), convert_to_tensor(sigma, "float32")
    size = 6 * int(sigma) | 1
    noise = normal((batch, height, width), dtype="float32", seed=seed)
    # Both directions have the same noise, as in Keras's other backends.
    moves = gaussian_blur(
        ops.expand_dims(noise * sigma, -1), (size, size), (sigma, sigma), "channels_last"
    )
    moves = alpha * ops.squeeze(moves, -1)
    rows = ops.reshape(ops.arange(0, height, 1, "float32"), (height, 1)) + moves
    columns = ops.arange(0, width, 1, "float32") + moves
    return undo(sample_images(images, rows, columns, interpolation, fill_mode, fill_value))
