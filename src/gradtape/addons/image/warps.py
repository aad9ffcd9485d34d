"""Images at positions between their points: warps by a flow, and resampling."""

from __future__ import annotations

from typing import Any

import gradtape

tf: Any = gradtape


def interpolate_bilinear(grid, query_points, indexing: str = "ij", name=None):
    """Return the values of images [batch, height, width, channels] at points [batch, N, 2],
    (row, column) for "ij" and (x, y) for "xy"; those outside are moved to the border."""
    if indexing not in ("ij", "xy"):
        raise ValueError(f"Indexing mode must be 'ij' or 'xy', got {indexing!r}.")
    grid, points = tf.convert_to_tensor(grid), tf.convert_to_tensor(query_points)
    if grid.shape.rank != 4 or points.shape.rank != 3 or points.shape[-1] != 2:
        raise ValueError(
            "interpolate_bilinear: the grid should have shape [batch, height, width, channels] and "
            f"the points [batch, N, 2], got {grid.shape} and {points.shape}."
        )
    batch, height, width, channels = grid.shape
    if height < 2 or width < 2:
        raise ValueError(
            f"interpolate_bilinear: the grid must be at least 2 by 2, got {height} by {width}."
        )
    axes = (0, 1) if indexing == "ij" else (1, 0)
    below, share = [], []
    for axis, size in zip(axes, (height, width), strict=True):
        position = points[..., axis]
        low = tf.clip_by_value(tf.floor(position), 0, size - 2)
        below.append(tf.cast(low, tf.int32))
        # At a grid point the derivative is the constant's, 0, as it is in tensorflow_addons.
        inside = tf.minimum(tf.maximum(0.0, tf.cast(position - low, grid.dtype)), 1.0)
        share.append(inside[..., None])
    table = tf.reshape(grid, (batch, height * width, channels))

    def look_up(dy, dx):
        index = (below[0] + dy) * width + below[1] + dx
        return tf.gather(table, index, axis=1, batch_dims=1)

    top = look_up(0, 0) + share[1] * (look_up(0, 1) - look_up(0, 0))
    bottom = look_up(1, 0) + share[1] * (look_up(1, 1) - look_up(1, 0))
    return top + share[0] * (bottom - top)


def dense_image_warp(image, flow, name=None):
    """Warp images by a flow [batch, height, width, 2]: the output at (i, j) is the input at
    (i, j) - flow[i, j]."""
    image, flow = tf.convert_to_tensor(image), tf.convert_to_tensor(flow)
    batch, height, width, channels = image.shape
    columns, rows = tf.meshgrid(tf.range(width), tf.range(height))
    grid = tf.cast(tf.stack([rows, columns], axis=2), flow.dtype)
    points = tf.reshape(grid[None] - flow, (batch, height * width, 2))
    return tf.reshape(interpolate_bilinear(image, points), (batch, height, width, channels))


def resampler(data, warp, name=None):
    """Return images [batch, height, width, channels] at points (x, y) of a tensor [batch, …, 2];
    what lies outside is 0."""
    data, warp = tf.convert_to_tensor(data), tf.convert_to_tensor(warp)
    from keras_gradtape.src.ops.image.sampling import sample_images

    return sample_images(data, warp[..., 1], warp[..., 0], "bilinear", "constant", 0)
