"""`tf.image`: dtypes and colors of images, and how to adjust them."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.image.geometry import checked_image, require
from gradtape.api.math.elementwise import saturate_cast
from gradtape.core.convert import static_value
from gradtape.core.dtypes import as_dtype, float16, float32
from gradtape.core.errors import FailedPreconditionError
from gradtape.core.tensor import Tensor

# --- dtypes --------------------------------------------------------------------------------------


@export("image.convert_image_dtype")
def convert_image_dtype(image, dtype, saturate=False, name=None) -> Tensor:
    """Convert an image to another dtype: floats are in [0, 1], integers use their whole range."""
    image, dtype = ops.to_tensor(image), as_dtype(dtype)
    for what, kind in (("dtype", dtype), ("image dtype", image.dtype)):
        if not kind.is_floating and not kind.is_integer:
            raise AttributeError(f"{what} must be either floating point or integer")
    if dtype is image.dtype:
        return ops.identity(image)
    cast = saturate_cast if saturate else ops.cast
    if image.dtype.is_integer and dtype.is_integer:
        max_value, new_max = image.dtype.max, dtype.max
        if max_value > new_max:
            return cast(ops.floordiv(image, (max_value + 1) // (new_max + 1)), dtype)
        return cast(image, dtype) * ((new_max + 1) // (max_value + 1))
    if image.dtype.is_floating and dtype.is_floating:
        return ops.cast(image, dtype)
    if image.dtype.is_integer:
        return ops.cast(image, dtype) * (1.0 / image.dtype.max)
    # The half makes up for the cast, which cuts off.
    return cast(image * (dtype.max + 0.5), dtype)


def _as_float(image):
    """Return (the image as floats, its own dtype)."""
    image = ops.to_tensor(image)
    if image.dtype in (float16, float32):
        return image, image.dtype
    return convert_image_dtype(image, float32), image.dtype


# --- color spaces -------------------------------------------------------------------------------


def _colors(op: str, images):
    images = ops.to_tensor(images)
    if not len(images.shape) or images.shape[-1] != 3:
        raise FailedPreconditionError(
            f"input must have 3 channels: the last axis holds red, green and blue; got shape "
            f"{images.shape} [Op:{op}]"
        )
    return images


def _mix(images, matrix):
    images = ops.to_tensor(images)
    kernel = ops.to_tensor(matrix, images.dtype)
    return ops.tensordot(images, kernel, [[len(images.shape) - 1], [0]])


def _export_mixture(name: str, doc: str, matrix: list) -> None:
    def convert(images) -> Tensor:
        return _mix(images, matrix)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = doc
    export(f"image.{name}")(convert)


_export_mixture(
    "rgb_to_yiq",
    "Return the brightness (Y) and the color differences I and Q of images.",
    [
        [0.299, 0.59590059, 0.2115],
        [0.587, -0.27455667, -0.52273617],
        [0.114, -0.32134392, 0.31119955],
    ],
)
_export_mixture(
    "yiq_to_rgb",
    "Return the red, green and blue of images given by Y, I and Q.",
    [
        [1, 1, 1],
        [0.95598634, -0.27201283, -1.10674021],
        [0.6208248, -0.64720424, 1.70423049],
    ],
)
_export_mixture(
    "rgb_to_yuv",
    "Return the brightness (Y) and the color differences U and V of images.",
    [
        [0.299, -0.14714119, 0.61497538],
        [0.587, -0.28886916, -0.51496512],
        [0.114, 0.43601035, -0.10001026],
    ],
)
_export_mixture(
    "yuv_to_rgb",
    "Return the red, green and blue of images given by Y, U and V.",
    [[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]],
)


@export("image.rgb_to_grayscale")
def rgb_to_grayscale(images, name=None) -> Tensor:
    """Return the brightness of each pixel, as the one channel."""
    images = ops.to_tensor(images)
    floats = convert_image_dtype(images, float32)
    weights = Tensor(np.array([0.2989, 0.5870, 0.1140], np.float32))
    gray = ops.tensordot(floats, weights, [[len(floats.shape) - 1], [0]])
    return convert_image_dtype(ops.expand_dims(gray, -1), images.dtype)


@export("image.grayscale_to_rgb")
def grayscale_to_rgb(images, name=None) -> Tensor:
    """Repeat the one channel three times."""
    images = ops.to_tensor(images)
    rank = len(images.shape)
    require(
        rank >= 2, f"A grayscale image (shape {images.shape}) must be at least two-dimensional."
    )
    require(images.shape[-1] == 1, "Last dimension of a grayscale image should be size 1.")
    return ops.tile(images, [1] * (rank - 1) + [3])


def _hue_and_range(images):
    """Return (hue as a part of the circle, least channel, greatest channel), each without channels.

    Of equal channels, the first is the greatest and the last is the least: so TensorFlow has the
    gradient. Where all are equal, the hue is 0 and has none.
    """
    r, g, b = (images[..., i] for i in range(3))
    red_greatest = ops.logical_and(r >= g, r >= b)
    green_greatest = ops.logical_and(g > r, g >= b)
    blue_least = ops.logical_and(b <= r, b <= g)
    green_least = ops.logical_and(g <= r, g < b)
    greatest = ops.where(red_greatest, r, ops.where(green_greatest, g, b))
    least = ops.where(blue_least, b, ops.where(green_least, g, r))
    span = 6 * (greatest - least)
    hue = ops.where(
        red_greatest,
        ops.divide_no_nan(g - b, span),
        ops.where(
            green_greatest,
            ops.divide_no_nan(b - r, span) + 2 / 6,
            ops.divide_no_nan(r - g, span) + 4 / 6,
        ),
    )
    return ops.where(hue < 0, hue + 1, hue), least, greatest


def _hue_shape(hue):
    """Return how much of each channel a pure color of this hue has: [..., 3]."""
    angle = 6 * hue
    one = [ops.abs(angle - 3) - 1, 2 - ops.abs(angle - 2), 2 - ops.abs(angle - 4)]
    return ops.clip(ops.stack(one, -1), 0.0, 1.0)


@export("image.rgb_to_hsv")
def rgb_to_hsv(images, name=None) -> Tensor:
    """Return the hue, saturation and value of images with channels between 0 and 1."""
    images = _colors("RGBToHSV", images)
    hue, least, value = _hue_and_range(images)
    # A channel that is 0 has no gradient of the saturation, as in TensorFlow; nor has black.
    least = ops.where(least > 0, least, ops.stop_gradient(least))
    share = ops.divide_no_nan(value - least, value)
    saturation = ops.where(value > 0, share, ops.zeros_like(share))
    return ops.stack([hue, saturation, value], -1)


@export("image.hsv_to_rgb")
def hsv_to_rgb(images, name=None) -> Tensor:
    """Return the red, green and blue of images given by hue, saturation and value."""
    images = _colors("HSVToRGB", images)
    hue, saturation, value = images[..., 0], images[..., 1:2], images[..., 2:]
    return ((1 - saturation) + saturation * _hue_shape(hue)) * value


# --- adjustments ---------------------------------------------------------------------------------


@export("image.adjust_brightness")
def adjust_brightness(image, delta) -> Tensor:
    """Return the image with a number added to every channel."""
    x, dtype = _as_float(image)
    delta = ops.cast(delta, x.dtype)
    return convert_image_dtype(x + delta, dtype, saturate=True)


@export("image.adjust_contrast")
def adjust_contrast(images, contrast_factor) -> Tensor:
    """Return images whose pixels differ more (or less) from the mean of their channel."""
    x, dtype = _as_float(images)
    if len(x.shape) < 3:
        raise ops.ShapeError(
            f"input must be at least 3-D, got shape {x.shape} [Op:AdjustContrastv2]"
        )
    factor = ops.cast(contrast_factor, x.dtype)
    if len(factor.shape):
        raise ops.ShapeError(
            f"contrast_factor must be scalar, got shape {factor.shape}. One for each image: "
            "tf.map_fn. [Op:AdjustContrastv2]"
        )
    mean = ops.reduce_mean(x, [-3, -2], keepdims=True)
    return convert_image_dtype((x - mean) * factor + mean, dtype, saturate=True)


@export("image.adjust_gamma")
def adjust_gamma(image, gamma=1, gain=1) -> Tensor:
    """Return gain * image ** gamma."""
    x, dtype = _as_float(image)
    require(bool(gamma >= 0), "Gamma should be a non-negative real number.")
    return convert_image_dtype(gain * x**gamma, dtype, saturate=True)


@export("image.adjust_hue")
def adjust_hue(image, delta, name=None) -> Tensor:
    """Return the image with its hues turned by a part of the circle."""
    angle = float(static_value(delta))
    require(-1 <= angle <= 1, "delta must be in the interval [-1, 1]")
    x, dtype = _as_float(image)
    hue, least, greatest = _hue_and_range(_colors("AdjustHue", x))
    hue = ops.floormod(hue + ops.cast(delta, x.dtype), 1.0)
    least, span = ops.expand_dims(least, -1), ops.expand_dims(greatest - least, -1)
    return convert_image_dtype(least + span * _hue_shape(hue), dtype)


@export("image.adjust_saturation")
def adjust_saturation(image, saturation_factor, name=None) -> Tensor:
    """Return the image with its saturation multiplied (at most 1 in the end)."""
    x, dtype = _as_float(image)
    hsv = rgb_to_hsv(_colors("AdjustSaturation", x))
    factor = ops.cast(saturation_factor, x.dtype)
    saturation = ops.clip(hsv[..., 1] * factor, 0.0, 1.0)
    hsv = ops.stack([hsv[..., 0], saturation, hsv[..., 2]], -1)
    return convert_image_dtype(hsv_to_rgb(hsv), dtype)


@export("image.per_image_standardization")
def per_image_standardization(image) -> Tensor:
    """Return each image with mean 0 and variance 1 (less, if it is uniform)."""
    x = ops.cast(checked_image(image), float32)
    axes = [-1, -2, -3]
    mean = ops.reduce_mean(x, axes, keepdims=True)
    deviation = ops.reduce_std(x, axes, keepdims=True)
    least = np.float32(1) / np.sqrt(np.float32(np.prod(x.shape[-3:])))
    return (x - mean) / ops.maximum(deviation, least)
