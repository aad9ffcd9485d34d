"""`tf.image`: random changes of images, with TensorFlow's numbers for equal seeds."""

from __future__ import annotations

import secrets
from typing import NamedTuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.image.color import (
    adjust_brightness,
    adjust_contrast,
    adjust_hue,
    adjust_saturation,
)
from gradtape.api.image.geometry import (
    checked_image,
    flip,
    one_or_many,
    require,
)
from gradtape.api.io.image_encoding import adjust_jpeg_quality
from gradtape.api.random.draws import uniform
from gradtape.api.random.stateless import stateless_uniform
from gradtape.core.convert import static_int, static_value
from gradtape.core.dtypes import int32
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor
from gradtape.prng.seeds import state_generator
from gradtape.prng.words import Words


def _stateful(seed):
    return lambda shape, low, high, **options: uniform(shape, low, high, seed=seed, **options)


def _stateless(seed):
    return lambda shape, low, high, **options: stateless_uniform(shape, seed, low, high, **options)


# --- flips ---------------------------------------------------------------------------------------


def _maybe_flip(image, axis: int, draw):
    image = checked_image(image)
    if not one_or_many(image):
        return flip(image, axis) if bool(draw([], 0, 1.0) < 0.5) else image
    drawn = ops.reshape(draw([image.shape[0]], 0, 1.0), (-1, 1, 1, 1))
    flips = ops.cast(ops.round(drawn), image.dtype)
    return flips * flip(image, axis) + (1 - flips) * image


@export("image.random_flip_left_right")
def random_flip_left_right(image, seed=None) -> Tensor:
    """Flip each image left to right with probability 1/2."""
    return _maybe_flip(image, -2, _stateful(seed))


@export("image.random_flip_up_down")
def random_flip_up_down(image, seed=None) -> Tensor:
    """Flip each image upside down with probability 1/2."""
    return _maybe_flip(image, -3, _stateful(seed))


@export("image.stateless_random_flip_left_right")
def stateless_random_flip_left_right(image, seed) -> Tensor:
    """Flip each image left to right with probability 1/2."""
    return _maybe_flip(image, -2, _stateless(seed))


@export("image.stateless_random_flip_up_down")
def stateless_random_flip_up_down(image, seed) -> Tensor:
    """Flip each image upside down with probability 1/2."""
    return _maybe_flip(image, -3, _stateless(seed))


# --- colors -------------------------------------------------------------------------------------


def _check_delta(max_delta, maximum: float | None = None) -> None:
    require(maximum is None or max_delta <= maximum, f"max_delta must be <= {maximum}.")
    require(max_delta >= 0, "max_delta must be non-negative.")


def _check_range(lower, upper) -> None:
    require(upper > lower, "upper must be > lower.")
    require(lower >= 0, "lower must be non-negative.")


def _adjust_by_delta(adjust, image, max_delta, draw, most=None):
    _check_delta(max_delta, most)
    return adjust(image, draw([], -max_delta, max_delta))


def _adjust_by_factor(adjust, image, lower, upper, draw):
    _check_range(lower, upper)
    return adjust(image, draw([], lower, upper))


@export("image.random_brightness")
def random_brightness(image, max_delta, seed=None) -> Tensor:
    """Return the image with a random number added to it."""
    return _adjust_by_delta(adjust_brightness, image, max_delta, _stateful(seed))


@export("image.stateless_random_brightness")
def stateless_random_brightness(image, max_delta, seed) -> Tensor:
    """Return the image with a random number added to it."""
    return _adjust_by_delta(adjust_brightness, image, max_delta, _stateless(seed))


@export("image.random_contrast")
def random_contrast(image, lower, upper, seed=None) -> Tensor:
    """Return the image with its contrast changed by a random factor."""
    return _adjust_by_factor(adjust_contrast, image, lower, upper, _stateful(seed))


@export("image.stateless_random_contrast")
def stateless_random_contrast(image, lower, upper, seed) -> Tensor:
    """Return the image with its contrast changed by a random factor."""
    return _adjust_by_factor(adjust_contrast, image, lower, upper, _stateless(seed))


@export("image.random_hue")
def random_hue(image, max_delta, seed=None) -> Tensor:
    """Return the image with its hues turned by a random part of the circle."""
    return _adjust_by_delta(adjust_hue, image, max_delta, _stateful(seed), 0.5)


@export("image.stateless_random_hue")
def stateless_random_hue(image, max_delta, seed) -> Tensor:
    """Return the image with its hues turned by a random part of the circle."""
    return _adjust_by_delta(adjust_hue, image, max_delta, _stateless(seed), 0.5)


@export("image.random_saturation")
def random_saturation(image, lower, upper, seed=None) -> Tensor:
    """Return the image with its saturation changed by a random factor."""
    return _adjust_by_factor(adjust_saturation, image, lower, upper, _stateful(seed))


@export("image.stateless_random_saturation")
def stateless_random_saturation(image, lower, upper, seed=None) -> Tensor:
    """Return the image with its saturation changed by a random factor."""
    return _adjust_by_factor(adjust_saturation, image, lower, upper, _stateless(seed))


def _check_quality(low, high) -> None:
    require(0 <= low <= 100 and 0 <= high <= 100, "jpeg encoding range must be between 0 and 100.")
    require(low < high, "`min_jpeg_quality` must be less than `max_jpeg_quality`.")


@export("image.random_jpeg_quality")
def random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed=None) -> Tensor:
    """Compress the image as JPEG with random quality, and decode it."""
    _check_quality(min_jpeg_quality, max_jpeg_quality)
    quality = _stateful(seed)([], min_jpeg_quality, max_jpeg_quality, dtype=int32)
    return adjust_jpeg_quality(image, quality)


@export("image.stateless_random_jpeg_quality")
def stateless_random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed) -> Tensor:
    """Compress the image as JPEG with random quality, and decode it."""
    _check_quality(min_jpeg_quality, max_jpeg_quality)
    quality = _stateless(seed)([], min_jpeg_quality, max_jpeg_quality, dtype=int32)
    return adjust_jpeg_quality(image, quality)


# --- crops ---------------------------------------------------------------------------------------


def _crop(value, size, draw):
    value, sizes = ops.to_tensor(value), ops.static_shape(size)
    shape = tuple(value.shape)
    if len(sizes) != len(shape) or any(not -1 <= m <= n for n, m in zip(shape, sizes, strict=True)):
        raise InvalidArgumentError(f"Need value.shape >= size, got {list(shape)} and {list(sizes)}")
    drawn = draw([len(shape)], 0, int32.max, dtype=int32)
    starts = drawn.numpy() % (np.array(shape, np.int32) - np.array(sizes, np.int32) + 1)
    return ops.block(value, starts.tolist(), list(sizes))


@export("image.random_crop")
def random_crop(value, size, seed=None, name=None) -> Tensor:
    """Return a block of a given size, at a random offset of the tensor."""
    return _crop(value, size, _stateful(seed))


@export("image.stateless_random_crop")
def stateless_random_crop(value, size, seed, name=None) -> Tensor:
    """Return a block of a given size, at a random offset of the tensor."""
    return _crop(value, size, _stateless(seed))


# --- boxes ---------------------------------------------------------------------------------------


def _round(value: np.float32) -> int:
    return int(np.rint(value))


def _random_crop_box(width: int, height: int, areas, ratio: np.float32, words: Words):
    """Return (left, top, right, bottom) of a box with an aspect ratio and an area in a range, or
    None."""
    low, high = np.float32(areas[0]), np.float32(areas[1])
    if high <= 0 or ratio <= 0 or low > high:
        return None
    min_area = low * np.float32(width) * np.float32(height)
    max_area = high * np.float32(width) * np.float32(height)
    tall, tallest = _round(np.sqrt(min_area / ratio)), _round(np.sqrt(max_area / ratio))
    if _round(np.float32(tallest) * ratio) > width:
        tallest = int((width + 0.5 - float(np.float32(0.0000001))) / float(ratio))
        if _round(np.float32(tallest) * ratio) > width:
            tallest -= 1
    tallest = min(tallest, height)
    tall = min(tall, tallest)
    if tall < tallest:
        tall += words.below(tallest - tall + 1)
    wide = _round(np.float32(tall) * ratio)
    # Rounding may have left the range of areas by a little: try one row more, then one less.
    if np.float32(wide * tall) < min_area:
        tall += 1
        wide = _round(np.float32(tall) * ratio)
    if np.float32(wide * tall) > max_area:
        tall -= 1
        wide = _round(np.float32(tall) * ratio)
    area = np.float32(wide * tall)
    if area < min_area or area > max_area or not 0 < wide <= width or not 0 < tall <= height:
        return None
    top = words.below(height - tall) if tall < height else 0
    left = words.below(width - wide) if wide < width else 0
    return left, top, left + wide, top + tall


def _area(box) -> int:
    left, top, right, bottom = box
    return max(right - left, 0) * max(bottom - top, 0)


def _covers_enough(crop, boxes, covered: float) -> bool:
    if _area(crop) < 1:
        return False
    for box in boxes:
        if _area(box) >= 1:
            shared = (*map(max, crop[:2], box[:2]), *map(min, crop[2:], box[2:]))
            if np.float32(_area(shared)) / np.float32(_area(box)) >= np.float32(covered):
                return True
    return False


class SampleDistortedBoundingBoxV2(NamedTuple):
    """What `sample_distorted_bounding_box` gives: arguments of `tf.slice`, and the box."""

    begin: Tensor
    size: Tensor
    bboxes: Tensor


class StatelessSampleDistortedBoundingBox(NamedTuple):
    """What `stateless_sample_distorted_bounding_box` gives: as its sibling."""

    begin: Tensor
    size: Tensor
    bboxes: Tensor


def _given_boxes(op: str, bounding_boxes, width: int, height: int, whole_image_if_none: bool):
    boxes = np.asarray(ops.to_tensor(bounding_boxes)._data, np.float32)
    if boxes.ndim != 3 or boxes.shape[-1] != 4:
        raise ops.ShapeError(
            "bounding boxes must have shape [batch, number, 4] (y_min, x_min, y_max, x_max), got "
            f"{list(boxes.shape)} [Op:{op}]"
        )
    boxes = boxes.reshape(-1, 4)
    if not len(boxes):
        if not whole_image_if_none:
            raise InvalidArgumentError(
                "No bounding boxes provided as input. One must enable "
                f"use_image_if_no_bounding_boxes to sample from the whole image. [Op:{op}]"
            )
        return [(0, 0, width, height)]
    if (boxes < 0).any() or (boxes > 1).any():
        raise InvalidArgumentError(
            f"All bounding box coordinates must be in [0.0, 1.0], got {boxes.tolist()} [Op:{op}]"
        )
    if (boxes[:, :2] >= boxes[:, 2:]).any():
        raise InvalidArgumentError(
            f"Bounding boxes must have y_min < y_max and x_min < x_max, got {boxes.tolist()} "
            f"[Op:{op}]"
        )
    pixels = boxes * np.array([height, width, height, width], np.float32)
    return [(left, top, right, bottom) for top, left, bottom, right in pixels.astype(int).tolist()]


def _pair(value, default: tuple[float, float]) -> tuple[float, float]:
    low, high = default if value is None else (float(v) for v in static_value(value))
    return low, high


def _ranges(ratios, areas) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ranges of aspect ratios and of areas (1 is the image's), or TensorFlow's."""
    return _pair(ratios, (0.75, 1.33)), _pair(areas, (0.05, 1.0))


def _sample(op, words_of, image_size, boxes, covered, ranges, attempts, whole_image):
    size = ops.to_tensor(image_size)
    if tuple(size.shape) != (3,):
        raise ops.ShapeError(
            f"image_size must contain 3 elements (height, width, channels), got shape {size.shape} "
            f"[Op:{op}]"
        )
    height, width = (int(n) for n in size.numpy()[:2])
    if height <= 0 or width <= 0:
        raise InvalidArgumentError(
            f"image height and width must be positive, got {[height, width]} [Op:{op}]"
        )
    covered = float(static_value(covered))
    if not 0 <= covered <= 1:
        raise InvalidArgumentError(f"min_object_covered must be in [0, 1], got {covered} [Op:{op}]")
    (low, high), areas = ranges
    if not 0 < low <= high or not 0 < areas[0] <= areas[1]:
        raise InvalidArgumentError(
            f"aspect_ratio_range {[low, high]} and area_range {list(areas)} must be positive and "
            f"in order [Op:{op}]"
        )
    attempts = 100 if attempts is None else static_int(attempts)
    given = _given_boxes(op, boxes, width, height, bool(whole_image))
    words = words_of(attempts)
    low, high = np.float32(low), np.float32(high)
    crop = (0, 0, width, height)
    for _ in range(attempts):
        ratio = words.unit() * (high - low) + low
        box = _random_crop_box(width, height, areas, ratio, words)
        if box is not None and _covers_enough(box, given, covered):
            crop = box
            break
    left, top, right, bottom = crop
    dtype = size.dtype.as_numpy_dtype
    corners = np.array([top, left, bottom, right], np.float32)
    return (
        Tensor(np.array([top, left, 0], dtype)),
        Tensor(np.array([bottom - top, right - left, -1], dtype)),
        Tensor((corners / np.array([height, width] * 2, np.float32)).reshape(1, 1, 4)),
    )


@export("image.sample_distorted_bounding_box")
def sample_distorted_bounding_box(
    image_size,
    bounding_boxes,
    seed=0,
    min_object_covered=0.1,
    aspect_ratio_range=None,
    area_range=None,
    max_attempts=None,
    use_image_if_no_bounding_boxes=None,
    name=None,
) -> SampleDistortedBoundingBoxV2:
    """Return a random part of an image that holds enough of one of some boxes.

    A seed of 0 makes it irreproducible, whatever the global seed is.
    """
    op = "SampleDistortedBoundingBoxV2"
    ranges = _ranges(aspect_ratio_range, area_range)

    def words_of(attempts: int) -> Words:
        if not seed:
            return Words(secrets.randbits(64), secrets.randbits(128))
        state = ops.stateful_state((op, ranges, attempts), static_value(seed), attempts)
        return Words(*state_generator(state._data))

    return SampleDistortedBoundingBoxV2(
        *_sample(
            op,
            words_of,
            image_size,
            bounding_boxes,
            min_object_covered,
            ranges,
            max_attempts,
            use_image_if_no_bounding_boxes,
        )
    )


@export("image.stateless_sample_distorted_bounding_box")
def stateless_sample_distorted_bounding_box(
    image_size,
    bounding_boxes,
    seed,
    min_object_covered=0.1,
    aspect_ratio_range=None,
    area_range=None,
    max_attempts=None,
    use_image_if_no_bounding_boxes=None,
    name=None,
) -> StatelessSampleDistortedBoundingBox:
    """Return a random part of an image that holds enough of one of some boxes, decided by the
    seed."""
    return StatelessSampleDistortedBoundingBox(
        *_sample(
            "StatelessSampleDistortedBoundingBox",
            lambda attempts: Words(*state_generator(ops.seed_state(seed)._data)),
            image_size,
            bounding_boxes,
            min_object_covered,
            _ranges(aspect_ratio_range, area_range),
            max_attempts,
            use_image_if_no_bounding_boxes,
        )
    )
