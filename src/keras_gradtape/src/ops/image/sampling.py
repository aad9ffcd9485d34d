"""Values of images between their points, and the transforms made of them."""

from __future__ import annotations

import itertools
import math
from typing import Any

from keras.src.backend.config import standardize_data_format

from gradtape import ops
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.ops.image.colors import check_rank
from keras_gradtape.src.promotion import float32_or_more

__all__ = [
    "affine_transform",
    "compute_homography_matrix",
    "map_coordinates",
    "perspective_transform",
]

_ORDERS = {"nearest": 0, "bilinear": 1}
_FILL_MODES = {"constant", "nearest", "wrap", "mirror", "reflect"}


def check_interpolation(interpolation) -> None:
    """Raise unless it is the name of an interpolation."""
    if interpolation not in _ORDERS:
        raise ValueError(
            f"Invalid value for argument `interpolation`. Expected of one {set(_ORDERS)}. "
            f"Received: interpolation={interpolation}"
        )


def check_fill_mode(fill_mode) -> None:
    """Raise unless it is the name of a fill mode."""
    if fill_mode not in _FILL_MODES:
        raise ValueError(
            f"Invalid value for argument `fill_mode`. Expected of one {_FILL_MODES}. "
            f"Received: fill_mode={fill_mode}"
        )


# --- interpolation --------------------------------------------------------------------------------


def _mirror(index, size: int):
    """Reflect positions beyond the edge at the last point."""
    last = size - 1
    if not last:
        return ops.zeros_like(index)
    return ops.abs(ops.floormod(index + last, 2 * last) - last)


def _inside(index, size: int, fill_mode: str):
    """Return the positions inside a row of that size that positions outside stand for."""
    if fill_mode in ("constant", "nearest"):
        return ops.clip(index, 0, size - 1)
    if fill_mode == "wrap":
        return ops.floormod(index, size)
    if fill_mode == "mirror":
        return _mirror(index, size)
    return ops.floordiv(_mirror(2 * index + 1, 2 * size + 1) - 1, 2)


def _neighbors(position, order: int):
    """Return the points next to each position on one axis, and their weights."""
    if order == 0:
        # Halves are rounded away from 0.
        nearest = ops.sign(position) * ops.floor(ops.abs(position) + 0.5)
        return [(ops.cast(nearest, "int32"), None)]
    below = ops.floor(position)
    weight = position - below
    below = ops.cast(below, "int32")
    return [(below, 1 - weight), (below + 1, weight)]


def _interpolate(look_up, sizes, coordinates, order: int, fill_mode: str, fill_value, spread):
    """Return the sum over all neighbors of the values that `look_up` finds at flat indices.

    `spread` shapes what belongs to a position so that it broadcasts against the values there.
    """
    total = None
    for corner in itertools.product(*(_neighbors(p, order) for p in coordinates)):
        flat, weight, is_inside = 0, None, None
        for (index, share), size in zip(corner, sizes, strict=True):
            if fill_mode == "constant":
                here = ops.logical_and(ops.greater_equal(index, 0), ops.less(index, size))
                is_inside = here if is_inside is None else ops.logical_and(is_inside, here)
            flat = flat * size + _inside(index, size, fill_mode)
            if share is not None:
                weight = share if weight is None else weight * share
        value = look_up(flat)
        if is_inside is not None:
            value = ops.where(spread(is_inside), value, fill_value)
        if weight is not None:
            value = value * spread(ops.cast(weight, value.dtype))
        total = value if total is None else total + value
    return total


def _as_before(y, dtype):
    """Return a result in the dtype of the image; rounded, if that is of integers."""
    return ops.cast(ops.round(y) if dtype.is_integer else y, dtype)


def sample_images(images, rows, columns, interpolation: str, fill_mode: str, fill_value):
    """Return images [batch, height, width, channels] at positions [batch, …] between their
    points."""
    batch, height, width, channels = images.shape
    table = ops.reshape(float32_or_more(images), (batch, height * width, channels))
    result = _interpolate(
        lambda index: ops.gather(table, index, 1, 1),
        (height, width),
        (rows, columns),
        _ORDERS[interpolation],
        fill_mode,
        fill_value,
        lambda x: ops.expand_dims(x, -1),
    )
    return _as_before(result, images.dtype)


def map_coordinates(inputs, coordinates, order, fill_mode="constant", fill_value=0.0):
    """Return the values of a tensor of any rank at positions between its points."""
    inputs, coordinates = convert_to_tensor(inputs), convert_to_tensor(coordinates)
    if coordinates.shape[0] != inputs.ndim:
        raise ValueError(
            "First dim of `coordinates` must be the same as the rank of `inputs`. Received inputs "
            f"with shape: {tuple(inputs.shape)} and coordinate leading dim of "
            f"{coordinates.shape[0]}"
        )
    if coordinates.ndim < 2:
        raise ValueError(
            "Invalid coordinates rank: expected at least rank 2. Received input with shape: "
            f"{tuple(coordinates.shape)}"
        )
    if fill_mode not in _FILL_MODES:
        raise ValueError(
            f"Invalid value for argument `fill_mode`. Expected one of {_FILL_MODES}. Received: "
            f"fill_mode={fill_mode}"
        )
    if order not in (0, 1):
        raise ValueError(
            f"Invalid value for argument `order`. Expected one of {[0, 1]}. Received: order={order}"
        )
    shape = tuple(coordinates.shape[1:])
    table = ops.reshape(float32_or_more(inputs), (math.prod(inputs.shape),))
    result: Any = _interpolate(
        lambda index: ops.segment_rows(table, index),
        tuple(inputs.shape),
        ops.unstack(ops.reshape(float32_or_more(coordinates), (inputs.ndim, -1))),
        order,
        fill_mode,
        fill_value,
        lambda x: x,
    )
    return _as_before(ops.reshape(result, shape), inputs.dtype)


# --- transforms of images -------------------------------------------------------------------------


def channels_last_batch(images, data_format):
    """Return images as a batch with channels last, and the inverse function."""
    is_single, is_first = images.ndim == 3, data_format == "channels_first"
    if is_single:
        images = ops.expand_dims(images, 0)
    if is_first:
        images = ops.moveaxis(images, 1, -1)

    def undo(images):
        if is_first:
            images = ops.moveaxis(images, -1, 1)
        return ops.squeeze(images, 0) if is_single else images

    return images, undo


def _transform(images, data_format, coordinates, dtype, interpolation, fill_mode, fill_value):
    """Return images sampled where a function of (rows, columns) says, in a dtype."""
    images, undo = channels_last_batch(images, data_format)
    batch, height, width, _ = images.shape
    rows = ops.reshape(ops.arange(0, height, 1, dtype), (height, 1))
    rows, columns = coordinates(rows, ops.arange(0, width, 1, dtype))
    rows, columns = (ops.broadcast_to(p, (batch, height, width)) for p in (rows, columns))
    return undo(sample_images(images, rows, columns, interpolation, fill_mode, fill_value))


def _column(x, i: int):
    """Return entry i of each row, shaped to broadcast against an image."""
    return ops.reshape(x[:, i], (-1, 1, 1))


def affine_transform(
    images,
    transform,
    interpolation="bilinear",
    fill_mode="constant",
    fill_value=0,
    data_format=None,
):
    """Apply an affine transform: each output point reads (a0 x + a1 y + a2, b0 x + b1 y + b2)."""
    data_format = standardize_data_format(data_format)
    check_interpolation(interpolation)
    check_fill_mode(fill_mode)
    images, transform = convert_to_tensor(images), float32_or_more(transform)
    check_rank(images)
    if transform.ndim not in (1, 2):
        raise ValueError(
            "Invalid transform rank: expected rank 1 (single transform) or rank 2 (batch of "
            f"transforms). Received input with shape: transform.shape={tuple(transform.shape)}"
        )
    transform = ops.reshape(transform, (-1, 8))

    def coordinates(y, x):
        a0, a1, a2, b0, b1, b2 = (_column(transform, i) for i in range(6))
        return b0 * x + b1 * y + b2, a0 * x + a1 * y + a2

    return _transform(
        images, data_format, coordinates, transform.dtype, interpolation, fill_mode, fill_value
    )


def perspective_transform(
    images,
    start_points,
    end_points,
    interpolation="bilinear",
    fill_value=0,
    data_format=None,
):
    """Apply the perspective transform that maps four points to four others."""
    data_format = standardize_data_format(data_format)
    check_interpolation(interpolation)
    images = convert_to_tensor(images)
    start_points = convert_to_tensor(start_points, "float32")
    end_points = convert_to_tensor(end_points, "float32")
    check_rank(images)
    for name, points in (("start_points", start_points), ("end_points", end_points)):
        if tuple(points.shape[-2:]) != (4, 2) or points.ndim not in (2, 3):
            raise ValueError(
                f"Invalid {name} shape: expected (4,2) for a single image or (N,4,2) for a batch. "
                f"Received shape: {tuple(points.shape)}"
            )
    if tuple(start_points.shape) != tuple(end_points.shape):
        raise ValueError(
            "start_points and end_points must have the same shape. Received start_points.shape="
            f"{tuple(start_points.shape)}, end_points.shape={tuple(end_points.shape)}"
        )
    transform = compute_homography_matrix(
        ops.reshape(start_points, (-1, 4, 2)), ops.reshape(end_points, (-1, 4, 2))
    )

    def coordinates(y, x):
        a0, a1, a2, b0, b1, b2, c0, c1 = (_column(transform, i) for i in range(8))
        distance = c0 * x + c1 * y + 1
        return (b0 * x + b1 * y + b2) / distance, (a0 * x + a1 * y + a2) / distance

    return _transform(
        images, data_format, coordinates, transform.dtype, interpolation, "constant", fill_value
    )


def compute_homography_matrix(start_points, end_points):
    """Return the eight coefficients of the transform from end points to start points."""
    start_points = convert_to_tensor(start_points)
    end_points = convert_to_tensor(end_points, start_points.dtype)
    from_x, from_y = ops.unstack(start_points, axis=-1)
    to_x, to_y = ops.unstack(end_points, axis=-1)
    ones, zeros = ops.ones_like(to_x), ops.zeros_like(to_x)
    for_x = [to_x, to_y, ones, zeros, zeros, zeros, -from_x * to_x, -from_x * to_y]
    for_y = [zeros, zeros, zeros, to_x, to_y, ones, -from_y * to_x, -from_y * to_y]
    matrix = ops.concat([ops.stack(for_x, -1), ops.stack(for_y, -1)], -2)
    wanted = ops.expand_dims(ops.concat([from_x, from_y], -1), -1)
    return ops.squeeze(ops.solve(matrix, wanted), -1)
