# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.image.random import SampleDistortedBoundingBoxV2
from gradtape.api.image.random import StatelessSampleDistortedBoundingBox
from gradtape.api.image.resize import ResizeMethod as ResizeMethod
from gradtape.api.image.suppression import CombinedNonMaxSuppression
from gradtape.core.tensor import Tensor
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from typing import Any

def adjust_brightness(image: TensorLike, delta: TensorLike) -> Tensor:
    """Return the image with a number added to every channel."""

def adjust_contrast(images: TensorLike, contrast_factor: TensorLike) -> Tensor:
    """Return images whose pixels differ more (or less) from the mean of their channel."""

def adjust_gamma(image: TensorLike, gamma: TensorLike = 1, gain: TensorLike = 1) -> Tensor:
    """Return gain * image ** gamma."""

def adjust_hue(image: TensorLike, delta: TensorLike, name: str | None = None) -> Tensor:
    """Return the image with its hues turned by a part of the circle."""

def adjust_jpeg_quality(
    image: TensorLike,
    jpeg_quality: Any,
    dct_method: str = '',
    name: str | None = None,
) -> Tensor:
    """Compress the image as JPEG with a quality, and decode it."""

def adjust_saturation(
    image: TensorLike,
    saturation_factor: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return the image with its saturation multiplied (at most 1 in the end)."""

def central_crop(image: TensorLike, central_fraction: Any) -> Tensor:
    """Return the middle part of an image, as much of its height and width as the fraction says."""

def combined_non_max_suppression(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = ...,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: str | None = None,
) -> CombinedNonMaxSuppression:
    """Return the best boxes of all classes, suppressed class by class, for each image of a
    batch.
    """

def convert_image_dtype(
    image: TensorLike,
    dtype: DTypeLike,
    saturate: bool = False,
    name: str | None = None,
) -> Tensor:
    """Convert an image to another dtype: floats are in [0, 1], integers use their whole range."""

def crop_and_resize(
    image: TensorLike,
    boxes: TensorLike,
    box_indices: TensorLike,
    crop_size: Any,
    method: str = 'bilinear',
    extrapolation_value: TensorLike = 0.0,
    name: str | None = None,
) -> Tensor:
    """Return the parts of images inside boxes, resized; differentiable by the images and the
    boxes.
    """

def crop_to_bounding_box(
    image: TensorLike,
    offset_height: IntLike,
    offset_width: IntLike,
    target_height: IntLike,
    target_width: IntLike,
) -> Tensor:
    """Return the part of an image that begins at an offset and has a given size."""

def decode_and_crop_jpeg(
    contents: TensorLike,
    crop_window: Any,
    channels: IntLike = 0,
    ratio: IntLike = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: IntLike = 1,
    dct_method: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the part [y, x, height, width] of the image in a JPEG file."""

def decode_bmp(contents: TensorLike, channels: IntLike = 0, name: str | None = None) -> Tensor:
    """Return the image in a BMP file."""

def decode_gif(contents: TensorLike, name: str | None = None) -> Tensor:
    """Return the frames of a GIF file, [frames, height, width, 3]."""

def decode_image(
    contents: TensorLike,
    channels: Any = None,
    dtype: DTypeLike = ...,
    name: str | None = None,
    expand_animations: bool = True,
) -> Tensor:
    """Return the image in a file of any kind known; an animation has four axes, if it is
    expanded.
    """

def decode_jpeg(
    contents: TensorLike,
    channels: IntLike = 0,
    ratio: IntLike = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: IntLike = 1,
    dct_method: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the image in a JPEG file, on request shrunk by a ratio of 2, 4 or 8.

    The decoder is TensorFlow's with dct_method="INTEGER_ACCURATE", whatever method is asked for;
    TensorFlow's default is a faster one whose values differ by a few units.
    """

def decode_png(
    contents: TensorLike,
    channels: IntLike = 0,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the image in a PNG file, of uint8 or uint16."""

def decode_webp(
    contents: TensorLike,
    channels: IntLike = 0,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the frames of a WebP file, mostly one; those of an animation have four channels."""

def draw_bounding_boxes(
    images: TensorLike,
    boxes: TensorLike,
    colors: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return images with the outlines of boxes [batch, boxes, 4] drawn on them."""

def encode_jpeg(
    image: TensorLike,
    format: str = '',
    quality: IntLike = 95,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: str = 'in',
    x_density: IntLike = 300,
    y_density: IntLike = 300,
    xmp_metadata: str = '',
    name: str | None = None,
) -> Tensor:
    """Return a JPEG file of an image [height, width, 1 or 3 channels] of uint8."""

def encode_png(image: TensorLike, compression: IntLike = -1, name: str | None = None) -> Tensor:
    """Encode images [..., height, width, 1 to 4 channels] of uint8 or uint16 as PNG files."""

def extract_glimpse(
    input: TensorLike,
    size: ShapeLike,
    offsets: TensorLike,
    centered: bool = True,
    normalized: bool = True,
    noise: str = 'uniform',
    name: str | None = None,
) -> Tensor:
    """Return a window of each image, at offsets of its own; noise where it lies outside.

    `noise` is "uniform" (between 0 and 1), "gaussian" (with the image's mean and deviation) or
    "zero".
    """

def extract_jpeg_shape(
    contents: TensorLike,
    output_type: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return [height, width, channels] of a JPEG file, without decoding it."""

def extract_patches(
    images: TensorLike,
    sizes: Any,
    strides: ShapeLike,
    rates: Any,
    padding: Any,
    name: str | None = None,
) -> Tensor:
    """Return the windows of images, the pixels of each one after another in the last axis."""

def flip_left_right(image: TensorLike) -> Tensor:
    """Flip the image left to right."""

def flip_up_down(image: TensorLike) -> Tensor:
    """Flip the image upside down."""

def grayscale_to_rgb(images: TensorLike, name: str | None = None) -> Tensor:
    """Repeat the one channel three times."""

def hsv_to_rgb(images: TensorLike, name: str | None = None) -> Tensor:
    """Return the red, green and blue of images given by hue, saturation and value."""

def image_gradients(image: TensorLike) -> tuple[Tensor, Tensor]:
    """Return (dy, dx): the differences to the next row and to the next column, 0 at the last."""

def is_jpeg(contents: TensorLike, name: str | None = None) -> Tensor:
    """Return whether strings begin as JPEG files do."""

def non_max_suppression(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: IntLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the numbers of boxes in order of score, without those that overlap a better one."""

def non_max_suppression_overlaps(
    overlaps: TensorLike,
    scores: TensorLike,
    max_output_size: IntLike,
    overlap_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = ...,
    name: str | None = None,
) -> Tensor:
    """Select as `non_max_suppression`, for overlaps [boxes, boxes] that are given."""

def non_max_suppression_padded(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: IntLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = ...,
    pad_to_max_output_size: bool = False,
    name: str | None = None,
    sorted_input: bool = False,
    canonicalized_coordinates: bool = False,
    tile_size: IntLike = 512,
) -> tuple[Tensor, Tensor]:
    """Return (numbers of boxes, how many count), for one image or, padded with zeros, for many."""

def non_max_suppression_with_scores(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: IntLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = ...,
    soft_nms_sigma: TensorLike = 0.0,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return (numbers of boxes, their scores); with a sigma, overlapping boxes are lowered in
    score.
    """

def pad_to_bounding_box(
    image: TensorLike,
    offset_height: IntLike,
    offset_width: IntLike,
    target_height: IntLike,
    target_width: IntLike,
) -> Tensor:
    """Return the image at an offset inside a larger one of zeros."""

def per_image_standardization(image: TensorLike) -> Tensor:
    """Return each image with mean 0 and variance 1 (less, if it is uniform)."""

def psnr(a: TensorLike, b: TensorLike, max_val: Any, name: str | None = None) -> Tensor:
    """Return the peak signal-to-noise ratio of two images, in decibels."""

def random_brightness(image: TensorLike, max_delta: TensorLike, seed: Any = None) -> Tensor:
    """Return the image with a random number added to it."""

def random_contrast(image: TensorLike, lower: Any, upper: Any, seed: Any = None) -> Tensor:
    """Return the image with its contrast changed by a random factor."""

def random_crop(
    value: TensorLike,
    size: ShapeLike,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return a block of a given size, at a random offset of the tensor."""

def random_flip_left_right(image: TensorLike, seed: Any = None) -> Tensor:
    """Flip each image left to right with probability 1/2."""

def random_flip_up_down(image: TensorLike, seed: Any = None) -> Tensor:
    """Flip each image upside down with probability 1/2."""

def random_hue(image: TensorLike, max_delta: TensorLike, seed: Any = None) -> Tensor:
    """Return the image with its hues turned by a random part of the circle."""

def random_jpeg_quality(
    image: TensorLike,
    min_jpeg_quality: Any,
    max_jpeg_quality: Any,
    seed: Any = None,
) -> Tensor:
    """Compress the image as JPEG with random quality, and decode it."""

def random_saturation(image: TensorLike, lower: Any, upper: Any, seed: Any = None) -> Tensor:
    """Return the image with its saturation changed by a random factor."""

def resize(
    images: TensorLike,
    size: ShapeLike,
    method: str = 'bilinear',
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return images with a new height and width; float32, except for the method "nearest"."""

def resize_with_crop_or_pad(
    image: TensorLike,
    target_height: IntLike,
    target_width: IntLike,
) -> Tensor:
    """Return the image cropped or padded about its middle to a size."""

def resize_with_pad(
    image: TensorLike,
    target_height: IntLike,
    target_width: IntLike,
    method: str = 'bilinear',
    antialias: bool = False,
) -> Tensor:
    """Return the image resized to fit a size, and padded with zeros to it: nothing is distorted."""

def rgb_to_grayscale(images: TensorLike, name: str | None = None) -> Tensor:
    """Return the brightness of each pixel, as the one channel."""

def rgb_to_hsv(images: TensorLike, name: str | None = None) -> Tensor:
    """Return the hue, saturation and value of images with channels between 0 and 1."""

def rgb_to_yiq(images: TensorLike) -> Tensor:
    """Return the brightness (Y) and the color differences I and Q of images."""

def rgb_to_yuv(images: TensorLike) -> Tensor:
    """Return the brightness (Y) and the color differences U and V of images."""

def rot90(image: TensorLike, k: IntLike = 1, name: str | None = None) -> Tensor:
    """Rotate the image counter-clockwise by k right angles."""

def sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: TensorLike,
    seed: IntLike = 0,
    min_object_covered: TensorLike = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: Any = None,
    use_image_if_no_bounding_boxes: Any = None,
    name: str | None = None,
) -> SampleDistortedBoundingBoxV2:
    """Return a random part of an image that holds enough of one of some boxes.

    A seed of 0 makes it irreproducible, whatever the global seed is.
    """

def sobel_edges(image: TensorLike) -> Tensor:
    """Return [batch, height, width, channels, 2]: Sobel's measures of change downwards and
    rightwards.
    """

def ssim(
    img1: TensorLike,
    img2: TensorLike,
    max_val: Any,
    filter_size: IntLike = 11,
    filter_sigma: TensorLike = 1.5,
    k1: TensorLike = 0.01,
    k2: TensorLike = 0.03,
    return_index_map: bool = False,
) -> Tensor:
    """Return the structural similarity of two images, at most 1; on request for every window."""

def ssim_multiscale(
    img1: TensorLike,
    img2: TensorLike,
    max_val: Any,
    power_factors: Any = ...,
    filter_size: IntLike = 11,
    filter_sigma: TensorLike = 1.5,
    k1: TensorLike = 0.01,
    k2: TensorLike = 0.03,
) -> Tensor:
    """Return the structural similarity of two images, weighted over scales, each half the one
    before.
    """

def stateless_random_brightness(image: TensorLike, max_delta: TensorLike, seed: Any) -> Tensor:
    """Return the image with a random number added to it."""

def stateless_random_contrast(image: TensorLike, lower: Any, upper: Any, seed: Any) -> Tensor:
    """Return the image with its contrast changed by a random factor."""

def stateless_random_crop(
    value: TensorLike,
    size: ShapeLike,
    seed: Any,
    name: str | None = None,
) -> Tensor:
    """Return a block of a given size, at a random offset of the tensor."""

def stateless_random_flip_left_right(image: TensorLike, seed: Any) -> Tensor:
    """Flip each image left to right with probability 1/2."""

def stateless_random_flip_up_down(image: TensorLike, seed: Any) -> Tensor:
    """Flip each image upside down with probability 1/2."""

def stateless_random_hue(image: TensorLike, max_delta: TensorLike, seed: Any) -> Tensor:
    """Return the image with its hues turned by a random part of the circle."""

def stateless_random_jpeg_quality(
    image: TensorLike,
    min_jpeg_quality: Any,
    max_jpeg_quality: Any,
    seed: Any,
) -> Tensor:
    """Compress the image as JPEG with random quality, and decode it."""

def stateless_random_saturation(
    image: TensorLike,
    lower: Any,
    upper: Any,
    seed: Any = None,
) -> Tensor:
    """Return the image with its saturation changed by a random factor."""

def stateless_sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: TensorLike,
    seed: Any,
    min_object_covered: TensorLike = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: Any = None,
    use_image_if_no_bounding_boxes: Any = None,
    name: str | None = None,
) -> StatelessSampleDistortedBoundingBox:
    """Return a random part of an image that holds enough of one of some boxes, decided by the
    seed.
    """

def total_variation(images: TensorLike, name: str | None = None) -> Tensor:
    """Return the sum of the absolute differences of neighboring pixels, for each image."""

def transpose(image: TensorLike, name: str | None = None) -> Tensor:
    """Transpose the height and width of the image."""

def yiq_to_rgb(images: TensorLike) -> Tensor:
    """Return the red, green and blue of images given by Y, I and Q."""

def yuv_to_rgb(images: TensorLike) -> Tensor:
    """Return the red, green and blue of images given by Y, U and V."""
