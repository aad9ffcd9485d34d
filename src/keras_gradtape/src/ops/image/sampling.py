"""Values of images between their points, and the transforms made of them."""

from __future__ import annotations

import itertools
import math

from keras.src.backend.config import standardize_data_format

from gradtape import ops
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.ops.image.colors import check_rank
from keras_gradtape.src.promotion import inexact

__all__ = [
    "affine_transform", "compute_homography_matrix", "map_coordinates", "perspective_transform",
]  # fmt: skip

_ORDERS = {"nearest": 0, "bilinear": 1}
_FILL_MODES = {"constant", "nearest", "wrap", "mirror", "reflect"}


def check_interpolation(interpolation) -> None:
    """Raise unless it is a way to interpolate."""
    if interpolation not in _ORDERS:
        raise ValueError(
            f"Invalid value for argument `interpolation`. Expected of one {set(_ORDERS)}. "
            f"Received: interpolation={interpolation}"
        )


def check_fill_mode(fill_mode) -> None:
    """Raise unless it is a way to go on beyond the edge."""
    if fill_mode not in _FILL_MODES:
        raise ValueError(
            f"Invalid value for argument `fill_mode`. Expected of one {_FILL_MODES}. "
            f"Received: fill_mode={fill_mode}"
        )


# --- interpolation --------------------------------------------------------------------------------


def _mirrored(index, size: int):
    """Places beyond the edge as those that a mirror at the last point shows."""
    last = size - 1
    if not last:
        return ops.zeros_like(index)
    return ops.abs(ops.floormod(index + last, 2 * last) - last)


def _inside(index, size: int, fill_mode: str):
    """Where in a row of that size a place lies, if it does not end at its edges."""
    if fill_mode in ("constant", "nearest"):
        return ops.clip(index, 0, size - 1)
    if fill_mode == "wrap":
        return ops.floormod(index, size)
    if fill_mode == "mirror":
        return _mirrored(index, size)
    return ops.floordiv(_mirrored(2 * index + 1, 2 * size + 1) - 1, 2)


def _neighbours(place, order: int):
    """The points next to each place of one axis, and their weights."""
    if order == 0:
        # Halves are rounded away from 0.
        nearest = ops.sign(place) * ops.floor(ops.abs(place) + 0.5)
        return [(ops.cast(nearest, "int32"), None)]
    below = ops.floor(place)
    weight = place - below
    below = ops.cast(below, "int32")
    return [(below, 1 - weight), (below + 1, weight)]


def _interpolate(look_up, sizes, places, order: int, fill_mode: str, fill_value, spread):
    """The sum over all neighbours of the values that `look_up` finds at flat indices.

    `spread` shapes what belongs to a place so that it broadcasts against the values there.
    """
    total = None
    for corner in itertools.product(*(_neighbours(p, order) for p in places)):
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


def _computable(x):
    """x in a dtype to interpolate in."""
    x = inexact(x)
    return ops.cast(x, "float32") if x.dtype.size < 4 else x


def _as_before(y, dtype):
    """A result in the dtype of the image; rounded, if that is of integers."""
    return ops.cast(ops.round(y) if dtype.is_integer else y, dtype)


def sample_images(images, rows, columns, interpolation: str, fill_mode: str, fill_value):
    """Images [batch, height, width, channels] at places [batch, …] between their points."""
    batch, height, width, channels = images.shape
    table = ops.reshape(_computable(images), (batch, height * width, channels))
    found = _interpolate(
        lambda index: ops.gather(table, index, 1, 1),
        (height, width),
        (rows, columns),
        _ORDERS[interpolation],
        fill_mode,
        fill_value,
        lambda x: ops.expand_dims(x, -1),
    )
    return _as_before(found, images.dtype)


def map_coordinates(inputs, coordinates, order, fill_mode="constant", fill_value=0.0):
    """The values of a tensor of any rank at places between its points."""
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
    table = ops.reshape(_computable(inputs), (math.prod(inputs.shape),))
    found = _interpolate(
        lambda index: ops.segment_rows(table, index),
        tuple(inputs.shape),
        ops.unstack(ops.reshape(_computable(coordinates), (inputs.ndim, -1))),
        order,
        fill_mode,
        fill_value,
        lambda x: x,
    )
    return _as_before(ops.reshape(found, shape), inputs.dtype)


# --- transforms of images -------------------------------------------------------------------------


def _transformed(images, data_format, places, dtype, interpolation, fill_mode, fill_value):
    """Images at the places that a function of (rows, columns) gives, in a dtype."""
    is_single = images.ndim == 3
    if is_single:
        images = ops.expand_dims(images, 0)
    if data_format == "channels_first":
        images = ops.moveaxis(images, 1, -1)
    batch, height, width, _ = images.shape
    rows = ops.reshape(ops.arange(0, height, 1, dtype), (height, 1))
    rows, columns = places(rows, ops.arange(0, width, 1, dtype))
    rows, columns = (ops.broadcast_to(p, (batch, height, width)) for p in (rows, columns))
    images = sample_images(images, rows, columns, interpolation, fill_mode, fill_value)
    if data_format == "channels_first":
        images = ops.moveaxis(images, -1, 1)
    return ops.squeeze(images, 0) if is_single else images


def _column(x, i: int):
    """Entry i of each row, shaped to meet an image."""
    return ops.reshape(x[:, i], (-1, 1, 1))


def affine_transform(
    images,
    transform,
    interpolation="bilinear",
    fill_mode="constant",
    fill_value=0,
    data_format=None,
):
    """Images moved by (a0 x + a1 y + a2, b0 x + b1 y + b2): where each point is looked up."""
    data_format = standardize_data_format(data_format)
    check_interpolation(interpolation)
    check_fill_mode(fill_mode)
    images, transform = convert_to_tensor(images), _computable(transform)
    check_rank(images)
    if transform.ndim not in (1, 2):
        raise ValueError(
            "Invalid transform rank: expected rank 1 (single transform) or rank 2 (batch of "
            f"transforms). Received input with shape: transform.shape={tuple(transform.shape)}"
        )
    transform = ops.reshape(transform, (-1, 8))

    def places(y, x):
        a0, a1, a2, b0, b1, b2 = (_column(transform, i) for i in range(6))
        return b0 * x + b1 * y + b2, a0 * x + a1 * y + a2

    return _transformed(
        images, data_format, places, transform.dtype, interpolation, fill_mode, fill_value
    )


def perspective_transform(
    images,
    start_points,
    end_points,
    interpolation="bilinear",
    fill_value=0,
    data_format=None,
):
    """Images seen so that four points come to lie at four others."""
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

    def places(y, x):
        a0, a1, a2, b0, b1, b2, c0, c1 = (_column(transform, i) for i in range(8))
        distance = c0 * x + c1 * y + 1
        return (b0 * x + b1 * y + b2) / distance, (a0 * x + a1 * y + a2) / distance

    return _transformed(
        images, data_format, places, transform.dtype, interpolation, "constant", fill_value
    )


def compute_homography_matrix(start_points, end_points):
    """The eight numbers of the transform that looks up start points at end points."""
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
