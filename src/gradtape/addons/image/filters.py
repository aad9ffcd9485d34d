"""Filters of images: Gaussian, mean and median of a neighborhood."""

from __future__ import annotations

from typing import Any

import gradtape
from gradtape.addons.image.batches import as_batch

tf: Any = gradtape


def _pair(value, name: str) -> tuple:
    pair = (value, value) if isinstance(value, (int, float)) else tuple(value)
    if len(pair) != 2:
        raise ValueError(f"{name} should be a number or two of them, got {value!r}.")
    return pair


def _padded(image, size: tuple[int, int], mode: str, constant_values):
    if mode.upper() not in ("REFLECT", "CONSTANT", "SYMMETRIC"):
        raise ValueError(f"padding should be 'REFLECT', 'CONSTANT' or 'SYMMETRIC', got {mode!r}.")
    edges = [((n - 1) // 2, n - 1 - (n - 1) // 2) for n in size]
    return tf.pad(image, [(0, 0), *edges, (0, 0)], mode.upper(), constant_values)


def gaussian_filter2d(
    image, filter_shape=(3, 3), sigma=1.0, padding="REFLECT", constant_values=0, name=None
):
    """Convolve each channel with a Gaussian: weights exp(-x² / 2σ²), which sum to one."""
    sigma, size = _pair(sigma, "sigma"), _pair(filter_shape, "filter_shape")
    if any(s < 0 for s in sigma):
        raise ValueError(f"sigma should be greater than or equal to 0, got {sigma}.")
    image, undo = as_batch(image, "gaussian_filter2d")
    before = image.dtype
    x = image if before.is_floating else tf.cast(image, tf.float32)
    x = _padded(x, size, padding, tf.cast(constant_values, x.dtype))
    channels = x.shape[-1]
    for axis in (0, 1):
        n = size[axis]
        offsets = tf.cast(tf.range(-n // 2 + 1, n // 2 + 1), x.dtype)
        weights = tf.nn.softmax(-tf.square(offsets) / (2.0 * sigma[axis] ** 2))
        shape = [1, 1, 1, 1]
        shape[axis] = n
        kernel = tf.tile(tf.reshape(weights, shape), [1, 1, channels, 1])
        x = tf.nn.depthwise_conv2d(x, kernel, [1, 1, 1, 1], "VALID")
    return undo(tf.cast(x, before))


def _patches(image, filter_shape, padding, constant_values, name):
    """Return the neighborhood of each point on a new axis, and how to undo the batch."""
    size = _pair(filter_shape, "filter_shape")
    image, undo = as_batch(image, name)
    height, width = image.shape[1:3]
    x = _padded(image, size, padding, tf.cast(constant_values, image.dtype))
    shifted = [x[:, i : i + height, j : j + width] for i in range(size[0]) for j in range(size[1])]
    return tf.stack(shifted, axis=-1), undo


def mean_filter2d(image, filter_shape=(3, 3), padding="REFLECT", constant_values=0, name=None):
    """Replace each point by the mean of its neighborhood."""
    x, undo = _patches(image, filter_shape, padding, constant_values, "mean_filter2d")
    mean = tf.reduce_mean(x if x.dtype.is_floating else tf.cast(x, tf.float32), axis=-1)
    return undo(tf.cast(mean, x.dtype))


def median_filter2d(image, filter_shape=(3, 3), padding="REFLECT", constant_values=0, name=None):
    """Replace each point by the median of its neighborhood; of an even number, the mean of both in
    the middle."""
    x, undo = _patches(image, filter_shape, padding, constant_values, "median_filter2d")
    ordered, count = tf.sort(x, axis=-1), x.shape[-1]
    upper = ordered[..., count // 2]
    if count % 2:
        return undo(upper)
    return undo(tf.cast((ordered[..., count // 2 - 1] + upper) / 2, x.dtype))
