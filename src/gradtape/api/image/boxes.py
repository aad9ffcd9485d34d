"""`tf.image`: cropping to boxes, and drawing them.

Boxes are [y_min, x_min, y_max, x_max], as fractions of the image.
"""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.convert import static_ints, static_value
from gradtape.core.errors import InvalidArgumentError, OutOfRangeError
from gradtape.core.tensor import Tensor


def _sample_points(low, high, size: int, count: int):
    """Return where `count` samples of boxes lie along an axis of a size, in pixels: [boxes,
    count]."""
    low, high = ops.expand_dims(low, 1), ops.expand_dims(high, 1)
    last = np.float32(size - 1)
    if count == 1:
        return (low + high) * np.float32(0.5) * last
    step = (high - low) * last / np.float32(count - 1)
    return low * last + Tensor(np.arange(count, dtype=np.float32)) * step


def _sample_boxes(image, boxes, indices, crop: list[int], extrapolation: float, is_nearest: bool):
    """Return samples of images on the grids of boxes: [boxes, *crop, channels]."""
    batch, height, width, channels = image.shape
    y = _sample_points(boxes[:, 0], boxes[:, 2], height, crop[0])
    x = _sample_points(boxes[:, 1], boxes[:, 3], width, crop[1])
    inside_y = ops.logical_and(y >= 0, y <= np.float32(height - 1))
    inside_x = ops.logical_and(x >= 0, x <= np.float32(width - 1))
    pixels = ops.reshape(image, (batch * height * width, channels))
    first = ops.reshape(ops.cast(indices, "int64"), (-1, 1, 1)) * height

    def at(rows, columns):
        rows = ops.cast(ops.clip(rows, 0.0, float(height - 1)), "int64")
        columns = ops.cast(ops.clip(columns, 0.0, float(width - 1)), "int64")
        positions = (first + ops.expand_dims(rows, 2)) * width + ops.expand_dims(columns, 1)
        return ops.gather(pixels, positions)

    if is_nearest:
        # Halves are rounded up: positions are never negative where they count.
        result = at(ops.floor(y + 0.5), ops.floor(x + 0.5))
    else:
        top, left = ops.floor(y), ops.floor(x)
        bottom, right = ops.ceil(y), ops.ceil(x)
        down = ops.expand_dims(ops.expand_dims(y - top, 2), 3)
        across = ops.expand_dims(ops.expand_dims(x - left, 1), 3)
        upper = at(top, left) * (1 - across) + at(top, right) * across
        lower = at(bottom, left) * (1 - across) + at(bottom, right) * across
        result = upper + (lower - upper) * down
    inside = ops.logical_and(ops.expand_dims(inside_y, 2), ops.expand_dims(inside_x, 1))
    return ops.where(ops.expand_dims(inside, 3), result, ops.to_tensor(np.float32(extrapolation)))


@export("image.crop_and_resize")
def crop_and_resize(
    image, boxes, box_indices, crop_size, method="bilinear", extrapolation_value=0.0, name=None
) -> Tensor:
    """Return the parts of images inside boxes, resized; differentiable by the images and the
    boxes."""
    op = "CropAndResize"
    image, boxes = ops.to_tensor(image), ops.to_tensor(boxes)
    indices = ops.to_tensor(box_indices)
    if len(image.shape) != 4:
        raise ops.ShapeError(f"input image must be 4-D, got shape {image.shape} [Op:{op}]")
    if len(boxes.shape) != 2 or boxes.shape[1] != 4:
        raise ops.ShapeError(f"boxes must have shape [boxes, 4], got {boxes.shape} [Op:{op}]")
    if tuple(indices.shape) != (boxes.shape[0],):
        raise ops.ShapeError(
            f"box_indices must name the image of each of the {boxes.shape[0]} boxes, got shape "
            f"{indices.shape} [Op:{op}]"
        )
    crop = static_ints(crop_size)
    if len(crop) != 2 or min(crop) < 1:
        raise InvalidArgumentError(f"crop dimensions must be positive, got {crop} [Op:{op}]")
    if method not in ("bilinear", "nearest"):
        raise InvalidArgumentError(
            f"method must be 'bilinear' or 'nearest', got {method!r} [Op:{op}]"
        )
    images = image.shape[0]
    if (
        type(indices) is Tensor
        and ((indices._host_data() < 0) | (indices._host_data() >= images)).any()
    ):
        raise OutOfRangeError(
            f"box_index has values outside [0, batch_size): there are {images} images [Op:{op}]"
        )
    image, value = ops.cast(image, "float32"), float(static_value(extrapolation_value))
    if method == "bilinear":
        return _sample_boxes(image, boxes, indices, crop, value, False)
    # By the boxes, nearest samples have the derivative of bilinear ones, as in TensorFlow.
    result = _sample_boxes(image, ops.stop_gradient(boxes), indices, crop, value, True)
    smooth = _sample_boxes(ops.stop_gradient(image), boxes, indices, crop, value, False)
    return result + (smooth - ops.stop_gradient(smooth))


_COLORS = np.array(
    [
        [1, 1, 0, 1],
        [0, 0, 1, 1],
        [1, 0, 0, 1],
        [0, 1, 0, 1],
        [0.5, 0, 0.5, 1],
        [0.5, 0.5, 0, 1],
        [0.5, 0, 0, 1],
        [0, 0, 0.5, 1],
        [0, 1, 1, 1],
        [1, 0, 1, 1],
    ],
    np.float32,
)


@export("image.draw_bounding_boxes")
def draw_bounding_boxes(images, boxes, colors, name=None) -> Tensor:
    """Return images with the outlines of boxes [batch, boxes, 4] drawn on them."""
    op = "DrawBoundingBoxesV2"
    x = ops.to_tensor(images)
    positions = np.asarray(ops.to_tensor(boxes)._data, np.float32)
    if len(x.shape) != 4 or x.shape[-1] not in (1, 3, 4):
        raise ops.ShapeError(
            "The rank of the images should be 4, with 1 (GRY), 3 (RGB) or 4 (RGBA) channels, got "
            f"shape {x.shape} [Op:{op}]"
        )
    if positions.ndim != 3 or positions.shape[0] != x.shape[0] or positions.shape[2] != 4:
        raise ops.ShapeError(
            f"boxes must have shape [{x.shape[0]}, boxes, 4], got {list(positions.shape)} [Op:{op}]"
        )
    _, height, width, depth = x.shape
    palette = _COLORS if colors is None else np.asarray(static_value(colors), np.float32)
    if not palette.size:
        palette = _COLORS
    if palette.ndim != 2 or (depth > 1 and palette.shape[1] < depth):
        raise ops.ShapeError(
            f"colors must have shape [colors, {depth}], got {list(palette.shape)} [Op:{op}]"
        )
    if depth == 1:
        palette = np.ones((len(palette), 1), np.float32)
    drawn = np.array(x._data)
    scale = np.array([height - 1, width - 1] * 2, np.float32)
    for image, corners in zip(drawn, np.trunc(positions * scale).astype(int), strict=True):
        for i, (top, left, bottom, right) in enumerate(corners):
            if top > bottom or left > right:
                continue
            color = palette[i % len(palette)][:depth].astype(drawn.dtype)
            rows = slice(max(top, 0), max(min(bottom, height - 1) + 1, 0))
            columns = slice(max(left, 0), max(min(right, width - 1) + 1, 0))
            for row in (top, bottom):
                if 0 <= row < height:
                    image[row, columns] = color
            for column in (left, right):
                if 0 <= column < width:
                    image[rows, column] = color
    return Tensor(drawn)
