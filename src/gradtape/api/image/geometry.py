"""`tf.image`: flips, turns, crops, pads and patches."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.random.draws import normal, uniform
from gradtape.core.convert import static_int, static_ints, static_value
from gradtape.core.tensor import Tensor


def checked_image(image, what: str = "image"):
    """Return a tensor of rank 3 or more whose last three sizes are positive."""
    image = ops.to_tensor(image)
    if len(image.shape) < 3:
        raise ValueError(f"'{what}' (shape {image.shape}) must be at least three-dimensional.")
    if 0 in image.shape[-3:]:
        raise ValueError(f"inner 3 dims of '{what}.shape' must be > 0: {image.shape}")
    return image


def one_or_many(image, what: str = "image") -> bool:
    """Return whether the rank is 4 (a batch); 3 is one image, and anything else an error."""
    rank = len(image.shape)
    if rank not in (3, 4):
        raise ValueError(f"'{what}' (shape {image.shape}) must have either 3 or 4 dimensions.")
    return rank == 4


def as_batch(image):
    """Return (the images as a batch, whether they were one already)."""
    image = checked_image(image)
    is_batch = one_or_many(image)
    return (image if is_batch else ops.expand_dims(image, 0)), is_batch


def require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


def integer(value) -> int:
    return static_int(value)


# --- flips and turns -----------------------------------------------------------------------------


def flip(image, axis: int):
    """Return the image mirrored along its height (axis -3) or width (axis -2)."""
    return ops.reverse(image, [len(image.shape) + axis])


@export("image.flip_left_right")
def flip_left_right(image) -> Tensor:
    """Flip the image left to right."""
    image = checked_image(image)
    one_or_many(image)
    return flip(image, -2)


@export("image.flip_up_down")
def flip_up_down(image) -> Tensor:
    """Flip the image upside down."""
    image = checked_image(image)
    one_or_many(image)
    return flip(image, -3)


@export("image.transpose")
def transpose(image, name=None) -> Tensor:
    """Transpose the height and width of the image."""
    image = checked_image(image)
    one_or_many(image)
    return ops.swapaxes(image, -3, -2)


@export("image.rot90")
def rot90(image, k=1, name=None) -> Tensor:
    """Rotate the image counter-clockwise by k right angles."""
    image = checked_image(image)
    one_or_many(image)
    turns = np.asarray(static_value(k))
    require(turns.ndim == 0, f"Shape {turns.shape} must have rank 0")
    match static_int(turns, "rot90: k") % 4:
        case 1:
            return ops.swapaxes(flip(image, -2), -3, -2)
        case 2:
            return flip(flip(image, -2), -3)
        case 3:
            return flip(ops.swapaxes(image, -3, -2), -2)
    return image


# --- crops and pads ------------------------------------------------------------------------------


@export("image.central_crop")
def central_crop(image, central_fraction) -> Tensor:
    """Return the middle part of an image, as much of its height and width as the fraction says."""
    image, fraction = ops.to_tensor(image), float(static_value(central_fraction))
    require(0.0 < fraction <= 1.0, "central_fraction must be within (0, 1]")
    if fraction == 1.0:
        return image
    image = checked_image(image)
    rank = len(image.shape)
    require(
        rank in (3, 4),
        f"`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {rank}.",
    )
    for axis in (rank - 3, rank - 2):
        size = image.shape[axis]
        start = int((size - size * fraction) / 2)
        image = ops.slice_along(image, axis, start, size - start)
    return image


@export("image.crop_to_bounding_box")
def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width) -> Tensor:
    """Return the part of an image that begins at an offset and has a given size."""
    images, is_batch = as_batch(image)
    top, left = integer(offset_height), integer(offset_width)
    height, width = integer(target_height), integer(target_width)
    require(left >= 0, "offset_width must be >= 0.")
    require(top >= 0, "offset_height must be >= 0.")
    require(width > 0, "target_width must be > 0.")
    require(height > 0, "target_height must be > 0.")
    require(images.shape[2] >= width + left, "width must be >= target + offset.")
    require(images.shape[1] >= height + top, "height must be >= target + offset.")
    images = ops.slice_along(images, 1, top, top + height)
    images = ops.slice_along(images, 2, left, left + width)
    return images if is_batch else ops.squeeze(images, 0)


@export("image.pad_to_bounding_box")
def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width) -> Tensor:
    """Return the image at an offset inside a larger one of zeros."""
    images, is_batch = as_batch(image)
    top, left = integer(offset_height), integer(offset_width)
    below = integer(target_height) - top - images.shape[1]
    right = integer(target_width) - left - images.shape[2]
    require(top >= 0, "offset_height must be >= 0")
    require(left >= 0, "offset_width must be >= 0")
    require(right >= 0, "width must be <= target - offset")
    require(below >= 0, "height must be <= target - offset")
    images = ops.pad(images, [(0, 0), (top, below), (left, right), (0, 0)])
    return images if is_batch else ops.squeeze(images, 0)


@export("image.resize_with_crop_or_pad")
def resize_with_crop_or_pad(image, target_height, target_width) -> Tensor:
    """Return the image cropped or padded about its middle to a size."""
    images, is_batch = as_batch(image)
    height, width = integer(target_height), integer(target_width)
    require(width > 0, "target_width must be > 0.")
    require(height > 0, "target_height must be > 0.")
    more_height, more_width = height - images.shape[1], width - images.shape[2]
    images = crop_to_bounding_box(
        images,
        max(-more_height // 2, 0),
        max(-more_width // 2, 0),
        min(height, images.shape[1]),
        min(width, images.shape[2]),
    )
    images = pad_to_bounding_box(
        images, max(more_height // 2, 0), max(more_width // 2, 0), height, width
    )
    return images if is_batch else ops.squeeze(images, 0)


# --- patches -------------------------------------------------------------------------------------


def _four(values, what: str, op: str) -> tuple[int, int]:
    sizes = static_ints(values)
    if len(sizes) != 4 or sizes[0] != 1 or sizes[3] != 1 or min(sizes) < 1:
        raise ops.InvalidArgumentError(
            f"{op}: {what} must be four positive numbers, 1 for the batch and the channels: "
            f"[1, height, width, 1]. Received: {sizes} [Op:{op}]"
        )
    return sizes[1], sizes[2]


@export("image.extract_patches")
def extract_patches(images, sizes, strides, rates, padding, name=None) -> Tensor:
    """Return the windows of images, the pixels of each one after another in the last axis."""
    op = "ExtractImagePatches"
    x = ops.to_tensor(images)
    if len(x.shape) != 4:
        raise ops.ShapeError(f"input must be 4-dimensional, got shape {x.shape} [Op:{op}]")
    window, steps = _four(sizes, "sizes", op), _four(strides, "strides", op)
    rates = _four(rates, "rates", op)
    kind = padding.upper() if isinstance(padding, str) else padding
    if kind not in ("SAME", "VALID"):
        raise ops.InvalidArgumentError(
            f"{op}: padding must be 'SAME' or 'VALID'. Received: {padding!r}"
        )
    pads, positions = [], []
    for size, k, step, rate in zip(x.shape[1:3], window, steps, rates, strict=True):
        reach = (k - 1) * rate + 1
        before = after = 0
        if kind == "SAME":
            count = -(-size // step)
            total = max((count - 1) * step + reach - size, 0)
            before, after = total // 2, total - total // 2
        else:
            count = max((size - reach) // step + 1, 0)
        pads.append((before, after))
        positions.append(np.arange(count)[:, None] * step + np.arange(k) * rate)
    x = ops.pad(x, [(0, 0), *pads, (0, 0)])
    # [batch, rows, row in window, width, channels], then the same for the columns.
    x = ops.gather(x, Tensor(positions[0]), 1)
    x = ops.gather(x, Tensor(positions[1]), 3)
    x = ops.swapaxes(x, 2, 3)
    batch, rows, columns, *inside = x.shape
    return ops.reshape(x, (batch, rows, columns, int(np.prod(inside))))


def _glimpse_start(offset, size: int, window: int, centered: bool, normalized: bool) -> int:
    """Return where a glimpse begins along one axis, in pixels."""
    start = np.float32(offset)
    if normalized:
        start = start * np.float32(size)
        if centered:
            start = start / np.float32(2) + np.float32(size) / np.float32(2)
            start = start - np.float32(window) / np.float32(2)
    elif centered:
        start = start + np.float32(size) / np.float32(2)
    return int(start)


@export("image.extract_glimpse")
def extract_glimpse(
    input, size, offsets, centered=True, normalized=True, noise="uniform", name=None
) -> Tensor:
    """Return a window of each image, at offsets of its own; noise where it lies outside.

    `noise` is "uniform" (between 0 and 1), "gaussian" (with the image's mean and deviation) or
    "zero".
    """
    op = "ExtractGlimpseV2"
    x = ops.to_tensor(input)
    if len(x.shape) != 4:
        raise ops.ShapeError(
            f"input must be a 4-D tensor (batch_size, height, width, num_channels), got shape "
            f"{x.shape} [Op:{op}]"
        )
    height, width = static_ints(size)
    starts = np.asarray(static_value(offsets), np.float32)
    if starts.shape != (x.shape[0], 2):
        raise ops.ShapeError(
            f"offsets must have shape [{x.shape[0]}, 2], one pair (y, x) for each image, got "
            f"{list(starts.shape)} [Op:{op}]"
        )
    if noise not in ("uniform", "gaussian", "zero"):
        raise ops.InvalidArgumentError(
            f"noise must be 'uniform', 'gaussian' or 'zero', got {noise!r} [Op:{op}]"
        )
    glimpses = [
        _glimpse(x[i], y, z, height, width, centered, normalized, noise)
        for i, (y, z) in enumerate(starts)
    ]
    if not glimpses:
        return ops.zeros((0, height, width, x.shape[3]), x.dtype)
    return ops.stack(glimpses)


def _glimpse(image, y, x, height: int, width: int, centered, normalized, noise: str):
    rows, columns, channels = image.shape
    top = _glimpse_start(y, rows, height, centered, normalized)
    left = _glimpse_start(x, columns, width, centered, normalized)
    first, last = max(top, 0), min(top + height, rows)
    start, stop = max(left, 0), min(left + width, columns)
    is_outside = first >= last or start >= stop
    if is_outside:
        inside = np.zeros((height, width, 1), bool)
        part = ops.zeros((height, width, channels), image.dtype)
    else:
        part = ops.take_slice(image, ((first, last, None), (start, stop, None), ops.WHOLE))
        around = [(first - top, top + height - last), (start - left, left + width - stop)]
        part = ops.pad(part, [*around, (0, 0)])
        inside = np.pad(np.ones((last - first, stop - start, 1), bool), [*around, (0, 0)])
    if inside.all() or noise == "zero":
        return part
    if noise == "uniform":
        filling = uniform((height, width, channels), dtype=image.dtype)
    else:
        mean = ops.reduce_mean(image, [0, 1])
        filling = normal((height, width, channels), dtype=image.dtype)
        filling = filling * ops.reduce_std(image, [0, 1]) + mean
    return ops.where(Tensor(inside), part, ops.stop_gradient(filling))
