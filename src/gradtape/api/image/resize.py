"""`tf.image.resize`: each axis resampled by a table of weights, for all methods."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.image.geometry import (
    as_batch,
    integer,
    pad_to_bounding_box,
    require,
)
from gradtape.core.convert import static_value
from gradtape.core.tensor import Tensor

_FLOAT = np.float32
# With up to so many weights to a pixel, picking the pixels costs less than a matrix product.
_FEW_WEIGHTS = 4


@export("image.ResizeMethod")
class ResizeMethod:
    """The methods of `tf.image.resize`."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


# --- tables of weights ---------------------------------------------------------------------------
# (pixels, weights), each [new size, weights to a pixel]: pixel i of the new axis is the sum of
# weights[i, k] * old[pixels[i, k]]. All is computed in float32, in TensorFlow's steps.


# The grid says which points of the old and the new image are the same: where a pixel's middle is
# half a pixel from its corner, as in TensorFlow 2, the corners of the image; where it is at its
# corner, as in TensorFlow 1, the first pixels, or ("aligned") the first and the last ones.
MIDDLES, CORNERS, ALIGNED = "middles", "corners", "aligned"


def _scale(size: int, new: int, grid: str):
    if grid == ALIGNED and new > 1:
        return _FLOAT(size - 1) / _FLOAT(new - 1)
    return _FLOAT(size) / _FLOAT(new)


def _centers(size: int, new: int, grid: str) -> np.ndarray:
    """Return where the new pixels lie among the old ones."""
    half = _FLOAT(0.5 if grid == MIDDLES else 0)
    return (np.arange(new, dtype=_FLOAT) + half) * _scale(size, new, grid) - half


def _bilinear(size: int, new: int, grid: str):
    centers = _centers(size, new, grid)
    below = np.floor(centers)
    share = centers - below
    pixels = np.stack([np.maximum(below, 0), np.minimum(np.ceil(centers), size - 1)], 1)
    return pixels.astype(np.int64), np.stack([1 - share, share], 1)


def _nearest(size: int, new: int, grid: str):
    half = _FLOAT(0.5)
    if grid == MIDDLES:
        positions = (np.arange(new, dtype=_FLOAT) + half) * _scale(size, new, grid)
    else:
        positions = _centers(size, new, grid) + (half if grid == ALIGNED else _FLOAT(0))
    pixels = np.clip(np.floor(positions), 0, size - 1).astype(np.int64)
    return pixels[:, None], np.ones((new, 1), _FLOAT)


# Cubic weights are looked up at multiples of this, which leaves its mark on the values.
_CUBIC_STEPS = 1024


def _bicubic(size: int, new: int, grid: str):
    centers = _centers(size, new, grid)
    below = np.floor(centers)
    step = np.rint((centers - below) * _FLOAT(_CUBIC_STEPS)).astype(np.int64)
    distances = np.stack(
        [step + _CUBIC_STEPS, step, _CUBIC_STEPS - step, 2 * _CUBIC_STEPS - step], 1
    )
    sharpness = -0.5 if grid == MIDDLES else -0.75
    weights = _keys_cubic((distances / _CUBIC_STEPS).astype(_FLOAT), sharpness).astype(_FLOAT)
    pixels = below.astype(np.int64)[:, None] + np.arange(-1, 3)
    inside = np.clip(pixels, 0, size - 1)
    if grid != MIDDLES:
        return inside, weights
    return inside, _normalize(np.where(inside == pixels, weights, _FLOAT(0)))


def _area(size: int, new: int, grid: str):
    scale = _scale(size, new, grid)
    if scale == 0:  # A line of one pixel on an aligned grid: no new pixel covers anything of it.
        return np.zeros((new, 1), np.int64), np.ones((new, 1), _FLOAT)
    start = np.arange(new, dtype=_FLOAT) * scale
    stop = np.arange(1, new + 1, dtype=_FLOAT) * scale
    first = np.floor(start).astype(np.int64)
    count = int((np.ceil(stop).astype(np.int64) - first).max())
    pixels = first[:, None] + np.arange(count)
    covered = np.minimum(pixels + 1, stop[:, None]) - np.maximum(pixels, start[:, None])
    weights = np.maximum(covered, 0).astype(_FLOAT) / scale
    return np.clip(pixels, 0, size - 1), weights


def _normalize(weights: np.ndarray) -> np.ndarray:
    total = weights.sum(1, keepdims=True, dtype=_FLOAT)
    usable = np.abs(total) >= 1000 * np.finfo(_FLOAT).tiny
    return np.where(usable, weights / np.where(usable, total, 1), weights)


# --- kernels: functions of the distance, and how far they reach ----------------------------------


def _lanczos(radius: int):
    def kernel(x):
        safe = np.where(x <= 1e-3, 1.0, x)
        wave = radius * np.sin(np.pi * safe) * np.sin(np.pi * safe / radius)
        return np.where(x > radius, 0, np.where(x <= 1e-3, 1, wave / (np.pi * safe) ** 2))

    return kernel, float(radius)


def _gaussian(x):
    return np.where(x >= 1.5, 0, np.exp(-x * x / (2 * 0.5 * 0.5)))


def _triangle(x):
    return np.maximum(1 - x, 0)


def _keys_cubic(x, a=-0.5):
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    near = (((a + 2) * x - (a + 3)) * x) * x + 1.0
    return np.where(x >= 2, 0, np.where(x >= 1, far, near))


def _mitchell_cubic(x):
    far = (((-7 / 18) * x + 2) * x - 10 / 3) * x + 16 / 9
    near = (((7 / 6) * x - 2) * x) * x + 8 / 9
    return np.where(x >= 2, 0, np.where(x >= 1, far, near))


_KERNELS = {
    "bilinear": (_triangle, 1.0),
    "bicubic": (_keys_cubic, 2.0),
    "lanczos3": _lanczos(3),
    "lanczos5": _lanczos(5),
    "gaussian": (_gaussian, 1.5),
    "mitchellcubic": (_mitchell_cubic, 2.0),
}


def _by_kernel(method: str, size: int, new: int, antialias: bool):
    """Return weights from a kernel, which is widened when the image shrinks, to avoid aliasing."""
    kernel, radius = _KERNELS[method]
    inverse = _FLOAT(1) / (_FLOAT(new) / _FLOAT(size))
    stretch = max(inverse, _FLOAT(1)) if antialias else _FLOAT(1)
    centers = (np.arange(new, dtype=_FLOAT) + _FLOAT(0.5)) * inverse
    reach = _FLOAT(radius) * stretch
    first = np.clip(np.ceil(centers - reach - _FLOAT(0.5)), 0, size - 1).astype(np.int64)
    last = np.clip(np.floor(centers + reach - _FLOAT(0.5)), 0, size - 1).astype(np.int64)
    pixels = first[:, None] + np.arange(int((last - first).max()) + 1)
    distance = np.abs((pixels + _FLOAT(0.5) - centers[:, None]) / stretch).astype(_FLOAT)
    weights = np.where(pixels <= last[:, None], kernel(distance), 0).astype(_FLOAT)
    return np.clip(pixels, 0, size - 1), _normalize(weights)


@functools.lru_cache(maxsize=64)
def _table(method: str, size: int, new: int, antialias: bool, grid: str):
    if method == "nearest":
        return _nearest(size, new, grid)
    if method == "area":
        return _area(size, new, CORNERS if grid == MIDDLES else grid)
    if method == "bilinear" and not antialias:
        return _bilinear(size, new, grid)
    if method == "bicubic" and not antialias:
        return _bicubic(size, new, grid)
    return _by_kernel(method, size, new, antialias)


# --- resampling ----------------------------------------------------------------------------------


def _resample(x, axis: int, method: str, new: int, antialias: bool, grid: str):
    """Return images [batch, height, width, channels] with axis 1 or 2 resampled to a new size."""
    size = x.shape[axis]
    pixels, weights = _table(method, size, new, antialias, grid)
    if method == "nearest":
        return ops.gather(x, Tensor(pixels[:, 0].copy()), axis)
    count = weights.shape[1]
    if count <= _FEW_WEIGHTS:
        shape, channels = (1, new, 1, 1), x.shape[3]
        if axis == 2:  # for each channel, if known: to broadcast over three numbers is slow
            weights = np.repeat(weights, channels if isinstance(channels, int) else 1, 0)
            shape = (1, 1, new, -1)
        # The kernels take arrays whose elements lie next to each other.
        pixels, weights = np.ascontiguousarray(pixels.T), np.ascontiguousarray(weights.T)
        terms = (
            ops.gather(x, Tensor(pixels[k]), axis) * Tensor(weights[k].reshape(shape))
            for k in range(count)
        )
        return functools.reduce(ops.add, terms)
    matrix = np.zeros((new, size), _FLOAT)
    np.add.at(matrix, (np.arange(new)[:, None], pixels), weights)
    moved = ops.moveaxis(x, axis, -1)
    rows = ops.reshape(moved, (math.prod(moved.shape[:-1]), size))
    product = ops.matmul(rows, Tensor(matrix), transpose_b=True)
    return ops.moveaxis(ops.reshape(product, (*moved.shape[:-1], new)), -1, axis)


def new_size(images, size, preserve_aspect_ratio: bool) -> tuple[int, int]:
    try:
        wanted = np.asarray(static_value(size))
        if wanted.dtype.kind not in "iu":
            raise TypeError
    except (TypeError, ValueError):
        raise ValueError("'size' must be a 1-D int32 Tensor") from None
    require(
        wanted.shape == (2,), "'size' must be a 1-D Tensor of 2 elements: new_height, new_width"
    )
    height, width = (int(n) for n in wanted)
    if preserve_aspect_ratio:
        sizes = np.array(images.shape[1:3], _FLOAT)
        scale = (np.array([height, width], _FLOAT) / sizes).min()
        height, width = (int(n) for n in np.rint(scale * sizes))
    if height <= 0 or width <= 0:
        raise ops.ShapeError(
            f"output dimensions must be positive, got size {[height, width]} [Op:Resize]"
        )
    return height, width


@export("image.resize")
def resize(
    images, size, method="bilinear", preserve_aspect_ratio=False, antialias=False, name=None
) -> Tensor:
    """Return images with a new height and width; float32, except for the method "nearest"."""
    return resize_on_grid(images, size, method, preserve_aspect_ratio, antialias, MIDDLES)


def resize_on_grid(
    images, size, method: str, preserve_aspect_ratio: bool, antialias: bool, grid: str
) -> Tensor:
    """Return resized images; the grid says which points of both images are the same."""
    images = ops.to_tensor(images)
    rank = len(images.shape)
    require(rank in (3, 4), "'images' must have either 3 or 4 dimensions.")
    x = images if rank == 4 else ops.expand_dims(images, 0)
    height, width = new_size(x, size, preserve_aspect_ratio)
    if method not in ("nearest", "area", *_KERNELS):
        raise ValueError(f"Resize method is not implemented: {method}")
    if 0 in x.shape[1:3]:
        raise ops.ShapeError(f"resize: input image must be of non-zero size, got {images.shape}")
    if method != "nearest":
        x = ops.cast(x, "float32")
    # The axis that shrinks most comes first: the other one has less to do then. Of equal ones the
    # height comes last: whole rows are faster.
    steps = [(2, width), (1, height)]
    steps.sort(key=lambda step: step[1] / x.shape[step[0]])
    for axis, new in steps:
        if new != x.shape[axis] or method == "gaussian" or method == "mitchellcubic":
            x = _resample(x, axis, method, new, bool(antialias), grid)
    return x if rank == 4 else ops.squeeze(x, 0)


@export("image.resize_with_pad")
def resize_with_pad(
    image, target_height, target_width, method="bilinear", antialias=False
) -> Tensor:
    """Return the image resized to fit a size, and padded with zeros to it: nothing is distorted."""

    def resized(images, sizes) -> Tensor:
        return resize(images, sizes, method, antialias=antialias)

    return fitted_with_pad(image, target_height, target_width, resized)


def fitted_with_pad(image, target_height, target_width, resized: Callable[..., Tensor]) -> Tensor:
    """Return the image resized to fit a size by a function of images and sizes, and padded."""
    images, is_batch = as_batch(image)
    height, width = integer(target_height), integer(target_width)
    require(width > 0, "target_width must be > 0.")
    require(height > 0, "target_height must be > 0.")
    sizes, targets = np.array(images.shape[1:3], _FLOAT), np.array([height, width], _FLOAT)
    fitted = sizes / (sizes / targets).max()
    before = np.maximum(np.floor((targets - fitted) / _FLOAT(2)), 0).astype(int)
    inner = resized(images, np.floor(fitted).astype(np.int32))
    padded = pad_to_bounding_box(inner, int(before[0]), int(before[1]), height, width)
    return padded if is_batch else ops.squeeze(padded, 0)
