"""`tf.image`: differences between pixels and between images."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.image.color import convert_image_dtype
from gradtape.api.nn.convolution import depthwise_conv2d
from gradtape.api.nn.pooling import avg_pool
from gradtape.backends.broadcasting import broadcast_shapes
from gradtape.core.convert import static_int, static_value
from gradtape.core.dtypes import float32
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor

# --- one image -----------------------------------------------------------------------------------


def _steps(images, axis: int):
    """Return the differences of neighbors along an axis."""
    return ops.slice_along(images, axis, 1) - ops.slice_along(images, axis, None, -1)


@export("image.total_variation")
def total_variation(images, name=None) -> Tensor:
    """Return the sum of the absolute differences of neighboring pixels, for each image."""
    images = ops.to_tensor(images)
    rank = len(images.shape)
    if rank not in (3, 4):
        raise ValueError("'images' must be either 3 or 4-dimensional.")
    axes = None if rank == 3 else [1, 2, 3]
    return ops.reduce_sum(ops.abs(_steps(images, rank - 3)), axes) + ops.reduce_sum(
        ops.abs(_steps(images, rank - 2)), axes
    )


@export("image.image_gradients")
def image_gradients(image) -> tuple[Tensor, Tensor]:
    """Return (dy, dx): the differences to the next row and to the next column, 0 at the last."""
    image = ops.to_tensor(image)
    if len(image.shape) != 4:
        raise ValueError(
            f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {image.shape}."
        )
    down, right = [(0, 0)] * 4, [(0, 0)] * 4
    down[1] = right[2] = (0, 1)
    return ops.pad(_steps(image, 1), down), ops.pad(_steps(image, 2), right)


_SOBEL = np.array(
    [[[-1, -2, -1], [0, 0, 0], [1, 2, 1]], [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]], np.float32
)


@export("image.sobel_edges")
def sobel_edges(image) -> Tensor:
    """Return [batch, height, width, channels, 2]: Sobel's measures of change downwards and
    rightwards."""
    image = ops.to_tensor(image)
    channels = image.shape[-1]
    kernels = np.tile(np.moveaxis(_SOBEL, 0, -1)[:, :, None], (1, 1, channels, 1))
    padded = ops.pad(image, [(0, 0), (1, 1), (1, 1), (0, 0)], "REFLECT")
    edges = depthwise_conv2d(padded, ops.to_tensor(kernels, image.dtype), [1, 1, 1, 1], "VALID")
    return ops.reshape(edges, (*image.shape, 2))


# --- two images ----------------------------------------------------------------------------------


def _comparable(a, b, max_val):
    """Return both images and the greatest value, as float32."""
    a = ops.to_tensor(a)
    b = ops.to_tensor(b)
    for image in (a, b):
        if len(image.shape) < 3:
            raise ValueError(f"Shape {image.shape} must have rank at least 3")
    if a.shape[-3:] != b.shape[-3:]:
        raise ValueError(f"Shapes {a.shape[-3:]} and {b.shape[-3:]} are incompatible")
    try:
        broadcast_shapes(tuple(a.shape[:-3]), tuple(b.shape[:-3]))
    except ValueError:
        raise ValueError(f"Two images are not compatible: {a.shape} and {b.shape}") from None
    largest = convert_image_dtype(ops.cast(max_val, a.dtype), float32)
    return convert_image_dtype(a, float32), convert_image_dtype(b, float32), largest


@export("image.psnr")
def psnr(a, b, max_val, name=None) -> Tensor:
    """Return the peak signal-to-noise ratio of two images, in decibels."""
    a, b, largest = _comparable(a, b, max_val)
    error = ops.reduce_mean(ops.squared_difference(a, b), [-3, -2, -1])
    decibels = np.float32(10 / np.log(10))
    return 20 * ops.log(largest) / np.log(np.float32(10)) - decibels * ops.log(error)


def _gaussian_weights(size: int, sigma: float) -> np.ndarray:
    """Return the weights along one axis of a window; those of the window are their products."""
    squares = np.square(np.arange(size, dtype=np.float32) - np.float32(size - 1) / 2)
    with np.errstate(all="ignore"):  # a width of 0 gives nan
        weights = np.exp(squares * (np.float32(-0.5) / np.square(np.float32(sigma))))
        return weights / weights.sum()


def _structure(x, y, largest, size: int, sigma: float, k1: float, k2: float):
    """Return (luminance * contrast-structure, contrast-structure), for every window and channel."""
    for image in (x, y):
        if min(image.shape[-3:-1]) < size:
            raise InvalidArgumentError(
                f"ssim: images of shape {list(image.shape)} are smaller than the filter, whose "
                f"size is {size}. Pass a smaller filter_size."
            )
    weights = np.tile(_gaussian_weights(size, sigma)[:, None, None], (1, x.shape[-1], 1))
    along_height, along_width = Tensor(weights[:, None]), Tensor(weights[None])

    def mean(z):
        flat = ops.reshape(z, (math.prod(z.shape[:-3]), *z.shape[-3:]))
        result = depthwise_conv2d(flat, along_height, [1, 1, 1, 1], "VALID")
        result = depthwise_conv2d(result, along_width, [1, 1, 1, 1], "VALID")
        return ops.reshape(result, (*z.shape[:-3], *result.shape[1:]))

    c1, c2 = (k1 * largest) ** 2, (k2 * largest) ** 2
    mean_x, mean_y = mean(x), mean(y)
    product = mean_x * mean_y * 2.0
    squares = ops.square(mean_x) + ops.square(mean_y)
    luminance = (product + c1) / (squares + c1)
    joint = mean(x * y) * 2.0
    spread = mean(ops.square(x) + ops.square(y))
    contrast = (joint - product + c2) / (spread - squares + c2)
    return luminance * contrast, contrast


@export("image.ssim")
def ssim(
    img1,
    img2,
    max_val,
    filter_size=11,
    filter_sigma=1.5,
    k1=0.01,
    k2=0.03,
    return_index_map=False,
) -> Tensor:
    """Return the structural similarity of two images, at most 1; on request for every window."""
    x, y, largest = _comparable(img1, img2, max_val)
    size, sigma = static_int(filter_size), float(static_value(filter_sigma))
    index, _ = _structure(x, y, largest, size, sigma, k1, k2)
    if not return_index_map:
        index = ops.reduce_mean(index, [-3, -2])
    return ops.reduce_mean(index, [-1])


def _halve(x):
    """Return images at half their size, an odd row or column at the end counting twice."""
    flat = ops.reshape(x, (math.prod(x.shape[:-3]), *x.shape[-3:]))
    odd = [(0, flat.shape[1] % 2), (0, flat.shape[2] % 2)]
    if odd != [(0, 0), (0, 0)]:
        flat = ops.pad(flat, [(0, 0), *odd, (0, 0)], "SYMMETRIC")
    small = avg_pool(flat, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    return ops.reshape(small, (*x.shape[:-3], *small.shape[1:]))


@export("image.ssim_multiscale")
def ssim_multiscale(
    img1,
    img2,
    max_val,
    power_factors=(0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
    filter_size=11,
    filter_sigma=1.5,
    k1=0.01,
    k2=0.03,
) -> Tensor:
    """Return the structural similarity of two images, weighted over scales, each half the one
    before."""
    x, y, largest = _comparable(img1, img2, max_val)
    size, sigma = static_int(filter_size), float(static_value(filter_sigma))
    factors = []
    index = contrast = None
    for scale in range(len(power_factors)):
        if scale:
            x, y = _halve(x), _halve(y)
            factors.append(ops.relu(ops.reduce_mean(contrast, [-3, -2])))
        index, contrast = _structure(x, y, largest, size, sigma, k1, k2)
    factors.append(ops.relu(ops.reduce_mean(index, [-3, -2])))
    stacked = ops.stack(factors, -1)
    powers = ops.pow(stacked, ops.to_tensor(list(power_factors), stacked.dtype))
    return ops.reduce_mean(ops.reduce_prod(powers, [-1]), [-1])
