"""Resizing, and scaling with translation, which takes each axis by a matrix of weights."""

from __future__ import annotations

import math

import numpy as np
from keras.src.backend.config import standardize_data_format

from gradtape import ops
from gradtape.api.image import resize as image_resize
from gradtape.core.tensor import Tensor
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.ops.image.colors import check_rank
from keras_gradtape.src.promotion import float32_or_more

__all__ = ["resize", "scale_and_translate"]

# --- weights by distance --------------------------------------------------------------------------


def _triangle(x):
    return ops.maximum(1 - x, 0)


def _cubic(x):
    """Return Keys's cubic kernel, with the parameter -0.5."""
    near = ((1.5 * x - 2.5) * x) * x + 1
    far = ((-0.5 * x + 2.5) * x - 4) * x + 2
    return ops.where(ops.less(x, 1), near, ops.where(ops.less(x, 2), far, ops.zeros_like(x)))


def _lanczos(radius: float):
    def weight(x):
        top = radius * ops.sin(math.pi * x) * ops.sin(math.pi * x / radius)
        is_far = ops.greater(x, 1e-3)
        bottom = ops.where(is_far, math.pi**2 * x * x, 1)
        height = ops.where(is_far, top / bottom, 1)
        return ops.where(ops.greater(x, radius), ops.zeros_like(x), height)

    return weight


_KERNELS = {
    "linear": _triangle,
    "bilinear": _triangle,
    "trilinear": _triangle,
    "cubic": _cubic,
    "bicubic": _cubic,
    "tricubic": _cubic,
    "lanczos3": _lanczos(3.0),
    "lanczos5": _lanczos(5.0),
}
_INTERPOLATIONS = ("bilinear", "nearest", "lanczos3", "lanczos5", "bicubic")


def _weights(size: int, wanted: int, scale, translation, kernel, antialias: bool):
    """Return the weight of each of `size` points for each of `wanted` points, [size, wanted]."""
    inverse = 1 / scale
    spread = ops.maximum(inverse, 1) if antialias else 1.0
    dtype = scale.dtype.as_numpy_dtype
    points = Tensor(np.arange(wanted).astype(dtype) + dtype(0.5))
    centers = points * inverse - translation * inverse - 0.5
    sources = Tensor(np.arange(size).astype(dtype).reshape(size, 1))
    weights = kernel(ops.abs(centers - sources) / spread)
    total = ops.reduce_sum(weights, 0, keepdims=True)
    least = 1000 * float(np.finfo(np.float32).eps)
    weights = ops.where(
        ops.greater(ops.abs(total), least),
        weights / ops.where(ops.not_equal(total, 0), total, 1),
        ops.zeros_like(weights),
    )
    inside = ops.logical_and(ops.greater_equal(centers, -0.5), ops.less_equal(centers, size - 0.5))
    return ops.where(inside, weights, ops.zeros_like(weights))


def _weighted(x, axis: int, weights):
    moved = ops.tensordot(x, ops.cast(weights, x.dtype), [[axis], [0]])
    return ops.moveaxis(moved, -1, axis)


def scale_and_translate(
    images, output_shape, scale, translation, spatial_dims, method, antialias=True
):
    """Scale and translate images along some axes, into a given shape."""
    if method not in _KERNELS:
        raise ValueError(
            f"Invalid value for argument `method`. Expected of one {set(_KERNELS)}. Received: "
            f"method={method}"
        )
    images = convert_to_tensor(images)
    x = float32_or_more(images)
    scale, translation = float32_or_more(scale), float32_or_more(translation)
    for i, axis in enumerate(ops.static_shape(spatial_dims)):
        axis = ops.normalize_axis("scale_and_translate", axis, x.ndim)
        weights = _weights(
            x.shape[axis], output_shape[axis], scale[i], translation[i], _KERNELS[method], antialias
        )
        x = _weighted(x, axis, weights)
    return ops.cast(x, images.dtype) if images.dtype.is_floating else x


# --- resizing -------------------------------------------------------------------------------------


def _crop(x, axes, sizes):
    """Return the largest part around the middle that has the ratio of the wanted sizes."""
    (height, width), (wanted_height, wanted_width) = (x.shape[a] for a in axes), sizes
    rows = max(min(height, int(float(width * wanted_height) / wanted_width)), 1)
    columns = max(min(width, int(float(height * wanted_width) / wanted_height)), 1)
    for axis, size, kept in ((axes[0], height, rows), (axes[1], width, columns)):
        start = int(float(size - kept) / 2)
        x = ops.slice_along(x, axis, start, start + kept)
    return x


def _pad(x, axes, sizes, fill_value):
    """Return the image in the middle of a larger one that has the ratio of the wanted sizes."""
    (height, width), (wanted_height, wanted_width) = (x.shape[a] for a in axes), sizes
    rows = max(height, int(float(width * wanted_height) / wanted_width))
    columns = max(width, int(float(height * wanted_width) / wanted_height))
    above, before = int(float(rows - height) / 2), int(float(columns - width) / 2)
    pairs = [(0, 0)] * x.ndim
    if above > 0:
        pairs[axes[0]] = (above, above)
    elif before > 0:
        pairs[axes[1]] = (before, before)
    return ops.pad(x, pairs, constant_values=convert_to_tensor(fill_value, x.dtype))


def resize(
    images,
    size,
    interpolation="bilinear",
    antialias=False,
    crop_to_aspect_ratio=False,
    pad_to_aspect_ratio=False,
    fill_mode="constant",
    fill_value=0.0,
    data_format=None,
):
    """Resize images."""
    data_format = standardize_data_format(data_format)
    if interpolation not in _INTERPOLATIONS:
        raise ValueError(
            f"Invalid value for argument `interpolation`. Expected of one {_INTERPOLATIONS}. "
            f"Received: interpolation={interpolation}"
        )
    if fill_mode != "constant":
        raise ValueError(
            "Invalid value for argument `fill_mode`. Only `'constant'` is supported. Received: "
            f"fill_mode={fill_mode}"
        )
    if pad_to_aspect_ratio and crop_to_aspect_ratio:
        raise ValueError(
            "Only one of `pad_to_aspect_ratio` & `crop_to_aspect_ratio` can be `True`."
        )
    if len(size) != 2:
        raise ValueError(
            "Argument `size` must be a tuple of two elements (height, width). Received: "
            f"size={size}"
        )
    images = convert_to_tensor(images)
    check_rank(images)
    last = images.ndim - (2 if data_format == "channels_last" else 1)
    axes, sizes = (last - 1, last), ops.static_shape(size)
    if crop_to_aspect_ratio:
        images = _crop(images, axes, sizes)
    elif pad_to_aspect_ratio:
        images = _pad(images, axes, sizes, fill_value)
    x = images if data_format == "channels_last" else ops.moveaxis(images, -3, -1)
    x = image_resize.resize(x, sizes, interpolation, antialias=antialias)
    x = x if data_format == "channels_last" else ops.moveaxis(x, -1, -3)
    return ops.cast(x, images.dtype) if images.dtype.is_floating else x
