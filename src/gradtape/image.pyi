# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Sequence
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
    """Return the image with a number added to every channel.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        delta: what is added.

    Raises:
        ValueError if `image` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.image.adjust_brightness(tf.zeros((1, 1, 1)), 0.5).numpy().ravel()
        array([0.5], dtype=float32)
    """

def adjust_contrast(images: TensorLike, contrast_factor: TensorLike) -> Tensor:
    """Return images whose pixels differ more (or less) from the mean of their channel.

    Args:
        images: a batch of images, [batch, height, width, channels].
        contrast_factor: a factor for the distance to the mean.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `images` does not fit.

    Example:
        >>> tf.image.adjust_contrast(tf.constant([[[0.0], [1.0]]]), 2.0).numpy().ravel()
        array([-0.5,  1.5], dtype=float32)
    """

def adjust_gamma(image: TensorLike, gamma: TensorLike = 1, gain: TensorLike = 1) -> Tensor:
    """Return gain * image ** gamma.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        gamma: the exponent.
        gain: a factor.

    Raises:
        ValueError if `image` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def adjust_hue(image: TensorLike, delta: TensorLike, name: str | None = None) -> Tensor:
    """Return the image with its hues turned by a part of the circle.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        delta: what is added.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.FailedPreconditionError if the shape of `image` does not fit.
    """

def adjust_jpeg_quality(
    image: TensorLike,
    jpeg_quality: Any,
    dct_method: str = '',
    name: str | None = None,
) -> Tensor:
    """Compress the image as JPEG with a quality, and decode it.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        jpeg_quality: from 0 to 100.
        dct_method: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `image` does not fit.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def adjust_saturation(
    image: TensorLike,
    saturation_factor: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return the image with its saturation multiplied (at most 1 in the end).

    Args:
        image: an image, [height, width, channels], or a batch of images.
        saturation_factor: a factor for the saturation.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.FailedPreconditionError if the shape of `image` does not fit.
    """

def central_crop(image: TensorLike, central_fraction: Any) -> Tensor:
    """Return the middle part of an image, as much of its height and width as the fraction says.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        central_fraction: the part to keep, along both axes.

    Raises:
        ValueError if the shape of `image` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.image.central_crop(tf.zeros((4, 4, 1)), 0.5).shape
        TensorShape([2, 2, 1])
    """

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

    Args:
        boxes: boxes as [y1, x1, y2, x2], in parts of the height and width.
        scores: a score for each box.
        max_output_size_per_class: how many boxes of each class at most.
        max_total_size: how many boxes at most.
        iou_threshold: boxes that overlap more than this count as the same.
        score_threshold: boxes with smaller scores are left out.
        pad_per_class: whether to pad to the number of classes only.
        clip_boxes: whether to clip boxes to the image.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `boxes` or `scores` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `boxes` or `scores` does not fit, or the
            shapes of `boxes` and `scores` do not fit together.
    """

def convert_image_dtype(
    image: TensorLike,
    dtype: DTypeLike,
    saturate: bool = False,
    name: str | None = None,
) -> Tensor:
    """Convert an image to another dtype: floats are in [0, 1], integers use their whole range.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        dtype: the dtype of the result.
        saturate: whether values outside of the new range are clipped first.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        TypeError if `dtype` is not a known one.

    Example:
        >>> tf.image.convert_image_dtype(tf.constant([[[255]]], tf.uint8), tf.float32).numpy().ravel()
        array([1.], dtype=float32)
    """

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

    Args:
        image: an image, [height, width, channels], or a batch of images.
        boxes: boxes as [y1, x1, y2, x2], in parts of the height and width.
        box_indices: which image each box is of.
        crop_size: the height and width of the results.
        method: "bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian" or
            "mitchellcubic".
        extrapolation_value: the number for places outside.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `box_indices` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the dtypes of `image` and `boxes` differ, the shape of
            `image`, `boxes` or `box_indices` does not fit, the shapes of `image`, `boxes` and
            `box_indices` do not fit together, or `method` is not a known one.
        tf.errors.UnimplementedError if `image` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def crop_to_bounding_box(
    image: TensorLike,
    offset_height: IntLike,
    offset_width: IntLike,
    target_height: IntLike,
    target_width: IntLike,
) -> Tensor:
    """Return the part of an image that begins at an offset and has a given size.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        offset_height: how many rows above.
        offset_width: how many columns to the left.
        target_height: the new height.
        target_width: the new width.

    Raises:
        ValueError if the shape of `image` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.image.crop_to_bounding_box(tf.zeros((4, 4, 1)), 1, 1, 2, 3).shape
        TensorShape([2, 3, 1])
    """

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
    """Return the part [y, x, height, width] of the image in a JPEG file.

    Args:
        contents: the bytes of a file.
        crop_window: [y, x, height, width].
        channels: how many channels the result has; 0 means as many as the file.
        ratio: by what to divide the size: 1, 2, 4 or 8.
        fancy_upscaling: has no effect; there for compatibility.
        try_recover_truncated: whether a file that ends early is read as far as it goes.
        acceptable_fraction: has no effect; there for compatibility.
        dct_method: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `contents` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def decode_bmp(contents: TensorLike, channels: IntLike = 0, name: str | None = None) -> Tensor:
    """Return the image in a BMP file.

    Args:
        contents: the bytes of a file.
        channels: how many channels the result has; 0 means as many as the file.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the bytes are no BMP image.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def decode_gif(contents: TensorLike, name: str | None = None) -> Tensor:
    """Return the frames of a GIF file, [frames, height, width, 3].

    Args:
        contents: the bytes of a file.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the bytes are no image.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def decode_image(
    contents: TensorLike,
    channels: Any = None,
    dtype: DTypeLike = ...,
    name: str | None = None,
    expand_animations: bool = True,
) -> Tensor:
    """Return the image in a file of any kind known; an animation has four axes, if it is
    expanded.

    Args:
        contents: the bytes of a file.
        channels: how many channels the result has; 0 means as many as the file.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.
        expand_animations: whether all frames are read.

    Raises:
        tf.errors.InvalidArgumentError if `contents` has a dtype that it does not take.
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

    Args:
        contents: the bytes of a file.
        channels: how many channels the result has; 0 means as many as the file.
        ratio: by what to divide the size: 1, 2, 4 or 8.
        fancy_upscaling: has no effect; there for compatibility.
        try_recover_truncated: whether a file that ends early is read as far as it goes.
        acceptable_fraction: has no effect; there for compatibility.
        dct_method: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `contents` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def decode_png(
    contents: TensorLike,
    channels: IntLike = 0,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the image in a PNG file, of uint8 or uint16.

    Args:
        contents: the bytes of a file.
        channels: how many channels the result has; 0 means as many as the file.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `contents` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def decode_webp(
    contents: TensorLike,
    channels: IntLike = 0,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the frames of a WebP file, mostly one; those of an animation have four channels.

    Args:
        contents: the bytes of a file.
        channels: how many channels the result has; 0 means as many as the file.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the bytes are no WebP image.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def draw_bounding_boxes(
    images: TensorLike,
    boxes: TensorLike,
    colors: Any,
    name: str | None = None,
) -> Tensor:
    """Return images with the outlines of boxes [batch, boxes, 4] drawn on them.

    Args:
        images: a batch of images, [batch, height, width, channels].
        boxes: boxes as [y1, x1, y2, x2], in parts of the height and width.
        colors: the colors of the boxes.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `boxes` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `images` or `boxes` does not fit, or the
            shapes of `images` and `boxes` do not fit together.
    """

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
    """Return a JPEG file of an image [height, width, 1 or 3 channels] of uint8.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        format: which colors: "", "grayscale" or "rgb".
        quality: from 0 to 100.
        progressive: whether to write a progressive file.
        optimize_size: whether to take time for a smaller file.
        chroma_downsampling: whether colors have half the resolution.
        density_unit: "in" or "cm".
        x_density: points per unit.
        y_density: points per unit.
        xmp_metadata: XMP data to write into the file.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `image` has a dtype that it does not take, the shape of
            `image` does not fit, or `format` is not a known one.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def encode_png(image: TensorLike, compression: IntLike = -1, name: str | None = None) -> Tensor:
    """Encode images [..., height, width, 1 to 4 channels] of uint8 or uint16 as PNG files.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        compression: from 0 to 9, or -1; for files, "GZIP" or None.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `image` has a dtype that it does not take, or the shape of
            `image` does not fit.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.io.decode_png(tf.io.encode_png(tf.zeros((2, 3, 1), tf.uint8))).shape
        TensorShape([2, 3, 1])
    """

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

    Args:
        input: a tensor, or what converts to one.
        size: how many elements to take along each axis; -1 means all that are left.
        offsets: the centers.
        centered: whether (0, 0) is the center of the image.
        normalized: whether offsets are in parts of the image.
        noise: what is outside: "uniform", "gaussian" or "zero".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `offsets` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input` or `offsets` does not fit, the shapes
            of `input` and `offsets` do not fit together, or `noise` is not a known one.
    """

def extract_jpeg_shape(
    contents: TensorLike,
    output_type: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return [height, width, channels] of a JPEG file, without decoding it.

    Args:
        contents: the bytes of a file.
        output_type: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `contents` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def extract_patches(
    images: TensorLike,
    sizes: Any,
    strides: ShapeLike,
    rates: Any,
    padding: Any,
    name: str | None = None,
) -> Tensor:
    """Return the windows of images, the pixels of each one after another in the last axis.

    Args:
        images: a batch of images, [batch, height, width, channels].
        sizes: the size of a patch along each axis.
        strides: the step along each axis.
        rates: the distance of a patch's elements along each axis.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `images` does not fit, or `padding` is not a
            known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def flip_left_right(image: TensorLike) -> Tensor:
    """Flip the image left to right.

    Args:
        image: an image, [height, width, channels], or a batch of images.

    Returns:
        A tensor.

    Raises:
        ValueError if the shape of `image` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.image.flip_left_right(tf.reshape(tf.range(2), (1, 2, 1))).numpy().ravel()
        array([1, 0], dtype=int32)
    """

def flip_up_down(image: TensorLike) -> Tensor:
    """Flip the image upside down.

    Args:
        image: an image, [height, width, channels], or a batch of images.

    Returns:
        A tensor.

    Raises:
        ValueError if the shape of `image` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.image.flip_up_down(tf.reshape(tf.range(2), (2, 1, 1))).numpy().ravel()
        array([1, 0], dtype=int32)
    """

def grayscale_to_rgb(images: TensorLike, name: str | None = None) -> Tensor:
    """Repeat the one channel three times.

    Args:
        images: a batch of images, [batch, height, width, channels].
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if the shape of `images` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def hsv_to_rgb(images: TensorLike, name: str | None = None) -> Tensor:
    """Return the red, green and blue of images given by hue, saturation and value.

    Args:
        images: a batch of images, [batch, height, width, channels].
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `images` has a dtype that it does not take.
        tf.errors.FailedPreconditionError if the shape of `images` does not fit.
    """

def image_gradients(image: TensorLike) -> tuple[Tensor, Tensor]:
    """Return (dy, dx): the differences to the next row and to the next column, 0 at the last.

    Args:
        image: an image, [height, width, channels], or a batch of images.

    Raises:
        ValueError if the shape of `image` does not fit.
        tf.errors.InvalidArgumentError if `image` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def is_jpeg(contents: TensorLike, name: str | None = None) -> Tensor:
    """Return whether strings begin as JPEG files do.

    Args:
        contents: the bytes of a file.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `contents` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def non_max_suppression(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: IntLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the numbers of boxes in order of score, without those that overlap a better one.

    Args:
        boxes: boxes as [y1, x1, y2, x2], in parts of the height and width.
        scores: a score for each box.
        max_output_size: how many boxes at most.
        iou_threshold: boxes that overlap more than this count as the same.
        score_threshold: boxes with smaller scores are left out.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `boxes` or `scores` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `boxes` or `scores` does not fit, the shapes
            of `boxes` and `scores` do not fit together, or `max_output_size` is negative.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def non_max_suppression_overlaps(
    overlaps: TensorLike,
    scores: TensorLike,
    max_output_size: IntLike,
    overlap_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = ...,
    name: str | None = None,
) -> Tensor:
    """Select as `non_max_suppression`, for overlaps [boxes, boxes] that are given.

    Args:
        overlaps: how much each pair of boxes overlaps.
        scores: a score for each box.
        max_output_size: how many boxes at most.
        overlap_threshold: boxes that overlap more than this count as the same.
        score_threshold: boxes with smaller scores are left out.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        TypeError if `overlaps` or `scores` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `overlaps` or `scores` does not fit, the
            shapes of `overlaps` and `scores` do not fit together, or `max_output_size` is negative.

    Derivative: none; the result consists of integers, truth values or strings.
    """

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
    """Return (numbers of boxes, how many count), for one image or, padded with zeros, for many.

    Args:
        boxes: boxes as [y1, x1, y2, x2], in parts of the height and width.
        scores: a score for each box.
        max_output_size: how many boxes at most.
        iou_threshold: boxes that overlap more than this count as the same.
        score_threshold: boxes with smaller scores are left out.
        pad_to_max_output_size: whether to pad the result.
        name: a label, as in TensorFlow; it does not change the result.
        sorted_input: whether the boxes are sorted by their scores.
        canonicalized_coordinates: whether y1 ≤ y2 and x1 ≤ x2 for all boxes.
        tile_size: has no effect; there for compatibility.

    Raises:
        TypeError if `boxes` or `scores` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `boxes` or `scores` does not fit, the shapes
            of `boxes` and `scores` do not fit together, or `max_output_size` is negative.

    Derivative: none; the result consists of integers, truth values or strings.
    """

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

    Args:
        boxes: boxes as [y1, x1, y2, x2], in parts of the height and width.
        scores: a score for each box.
        max_output_size: how many boxes at most.
        iou_threshold: boxes that overlap more than this count as the same.
        score_threshold: boxes with smaller scores are left out.
        soft_nms_sigma: how fast scores fall with the overlap; 0 drops boxes instead.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `boxes` or `scores` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `boxes` or `scores` does not fit, the shapes
            of `boxes` and `scores` do not fit together, or `max_output_size` is negative.
    """

def pad_to_bounding_box(
    image: TensorLike,
    offset_height: IntLike,
    offset_width: IntLike,
    target_height: IntLike,
    target_width: IntLike,
) -> Tensor:
    """Return the image at an offset inside a larger one of zeros.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        offset_height: how many rows above.
        offset_width: how many columns to the left.
        target_height: the new height.
        target_width: the new width.

    Raises:
        ValueError if the shape of `image` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.image.pad_to_bounding_box(tf.zeros((2, 2, 1)), 1, 1, 4, 4).shape
        TensorShape([4, 4, 1])
    """

def per_image_standardization(image: TensorLike) -> Tensor:
    """Return each image with mean 0 and variance 1 (less, if it is uniform).

    Args:
        image: an image, [height, width, channels], or a batch of images.

    Raises:
        ValueError if the shape of `image` does not fit.
        tf.errors.UnimplementedError if `image` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def psnr(a: TensorLike, b: TensorLike, max_val: Any, name: str | None = None) -> Tensor:
    """Return the peak signal-to-noise ratio of two images, in decibels.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        max_val: the largest value that a pixel can have.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shape of `a` or `b` does not fit, or the shapes of `a` and `b` do not fit
            together.
        tf.errors.UnimplementedError if `a` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def random_brightness(image: TensorLike, max_delta: TensorLike, seed: Any = None) -> Tensor:
    """Return the image with a random number added to it.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        max_delta: the bound of what is drawn.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Raises:
        ValueError if `image` cannot be converted to a tensor.
    """

def random_contrast(image: TensorLike, lower: Any, upper: Any, seed: Any = None) -> Tensor:
    """Return the image with its contrast changed by a random factor.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        lower: the lower bound of the factor.
        upper: the upper bound of the factor.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `image` does not fit.
    """

def random_crop(
    value: TensorLike,
    size: ShapeLike,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return a block of a given size, at a random offset of the tensor.

    Args:
        value: a tensor, or what converts to one.
        size: how many elements to take along each axis; -1 means all that are left.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `value` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def random_flip_left_right(image: TensorLike, seed: Any = None) -> Tensor:
    """Flip each image left to right with probability 1/2.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Returns:
        A tensor.

    Raises:
        ValueError if the shape of `image` does not fit.
        tf.errors.UnimplementedError if `image` has a dtype that it does not take.
    """

def random_flip_up_down(image: TensorLike, seed: Any = None) -> Tensor:
    """Flip each image upside down with probability 1/2.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Returns:
        A tensor.

    Raises:
        ValueError if the shape of `image` does not fit.
        tf.errors.UnimplementedError if `image` has a dtype that it does not take.
    """

def random_hue(image: TensorLike, max_delta: TensorLike, seed: Any = None) -> Tensor:
    """Return the image with its hues turned by a random part of the circle.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        max_delta: the bound of what is drawn.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Raises:
        tf.errors.FailedPreconditionError if the shape of `image` does not fit.
    """

def random_jpeg_quality(
    image: TensorLike,
    min_jpeg_quality: Any,
    max_jpeg_quality: Any,
    seed: Any = None,
) -> Tensor:
    """Compress the image as JPEG with random quality, and decode it.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        min_jpeg_quality: the least quality.
        max_jpeg_quality: the greatest quality.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `image` does not fit.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def random_saturation(image: TensorLike, lower: Any, upper: Any, seed: Any = None) -> Tensor:
    """Return the image with its saturation changed by a random factor.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        lower: the lower bound of the factor.
        upper: the upper bound of the factor.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Raises:
        tf.errors.FailedPreconditionError if the shape of `image` does not fit.
    """

def resize(
    images: TensorLike,
    size: ShapeLike,
    method: str = 'bilinear',
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return images with a new height and width; float32, except for the method "nearest".

    Args:
        images: a batch of images, [batch, height, width, channels].
        size: the new height and width.
        method: "bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian" or
            "mitchellcubic".
        preserve_aspect_ratio: whether to keep the ratio of height and width.
        antialias: whether to smooth where the image gets smaller.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `images` has neither 3 nor 4 axes.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.image.resize(tf.ones((2, 2, 1)), (4, 4)).shape
        TensorShape([4, 4, 1])
    """

def resize_with_crop_or_pad(
    image: TensorLike,
    target_height: IntLike,
    target_width: IntLike,
) -> Tensor:
    """Return the image cropped or padded about its middle to a size.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        target_height: the new height.
        target_width: the new width.

    Raises:
        ValueError if the shape of `image` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def resize_with_pad(
    image: TensorLike,
    target_height: IntLike,
    target_width: IntLike,
    method: str = 'bilinear',
    antialias: bool = False,
) -> Tensor:
    """Return the image resized to fit a size, and padded with zeros to it: nothing is distorted.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        target_height: the new height.
        target_width: the new width.
        method: "bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian" or
            "mitchellcubic".
        antialias: whether to smooth where the image gets smaller.

    Raises:
        ValueError if the shape of `image` does not fit, or `method` is not a known one.
        tf.errors.UnimplementedError if `image` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def rgb_to_grayscale(images: TensorLike, name: str | None = None) -> Tensor:
    """Return the brightness of each pixel, as the one channel.

    Args:
        images: a batch of images, [batch, height, width, channels].
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `images` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.image.rgb_to_grayscale(tf.ones((1, 1, 3))).shape
        TensorShape([1, 1, 1])
    """

def rgb_to_hsv(images: TensorLike, name: str | None = None) -> Tensor:
    """Return the hue, saturation and value of images with channels between 0 and 1.

    Args:
        images: a batch of images, [batch, height, width, channels].
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.FailedPreconditionError if the shape of `images` does not fit.
        tf.errors.InvalidArgumentError if `images` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def rgb_to_yiq(images: TensorLike) -> Tensor:
    """Return the brightness (Y) and the color differences I and Q of images.

    Args:
        images: a batch of images, [batch, height, width, channels].

    Raises:
        TypeError if `images` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `images` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def rgb_to_yuv(images: TensorLike) -> Tensor:
    """Return the brightness (Y) and the color differences U and V of images.

    Args:
        images: a batch of images, [batch, height, width, channels].

    Raises:
        TypeError if `images` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `images` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def rot90(image: TensorLike, k: IntLike | Sequence[Any] = 1, name: str | None = None) -> Tensor:
    """Rotate the image counter-clockwise by k right angles.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        k: how many quarter turns, counterclockwise.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if the shape of `image` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.image.rot90(tf.reshape(tf.range(4), (2, 2, 1))).numpy().ravel()
        array([1, 3, 0, 2], dtype=int32)
    """

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

    Args:
        image_size: height, width and channels.
        bounding_boxes: boxes as [y1, x1, y2, x2], in parts of the height and width.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        min_object_covered: how much of a box must be inside.
        aspect_ratio_range: the bounds of width / height.
        area_range: the bounds of the area, as parts of the image.
        max_attempts: how often to try.
        use_image_if_no_bounding_boxes: whether the whole image is taken as the box if there is
            none.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `image_size` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `image_size` does not fit.
    """

def sobel_edges(image: TensorLike) -> Tensor:
    """Return [batch, height, width, channels, 2]: Sobel's measures of change downwards and
    rightwards.

    Args:
        image: an image, [height, width, channels], or a batch of images.

    Raises:
        TypeError if `image` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `image` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
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
    """Return the structural similarity of two images, at most 1; on request for every window.

    Args:
        img1: the one image, or batch.
        img2: the other one.
        max_val: the largest value that a pixel can have.
        filter_size: the size of the window.
        filter_sigma: the width of the window's bell curve.
        k1: a small constant.
        k2: a small constant.
        return_index_map: whether to return the index of each pixel.

    Raises:
        ValueError if the shape of `img1` or `img2` does not fit, or the shapes of `img1` and `img2`
            do not fit together.
        tf.errors.InvalidArgumentError if `filter_size` is negative.
        tf.errors.UnimplementedError if `img1` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

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

    Args:
        img1: the one image, or batch.
        img2: the other one.
        max_val: the largest value that a pixel can have.
        power_factors: the weight of each scale.
        filter_size: the size of the window.
        filter_sigma: the width of the window's bell curve.
        k1: a small constant.
        k2: a small constant.

    Raises:
        ValueError if the shape of `img1` or `img2` does not fit, or the shapes of `img1` and `img2`
            do not fit together.
        tf.errors.InvalidArgumentError if `filter_size` is negative.
        tf.errors.UnimplementedError if `img1` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def stateless_random_brightness(image: TensorLike, max_delta: TensorLike, seed: Any) -> Tensor:
    """Return the image with a random number added to it.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        max_delta: the bound of what is drawn.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Raises:
        ValueError if `image` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def stateless_random_contrast(image: TensorLike, lower: Any, upper: Any, seed: Any) -> Tensor:
    """Return the image with its contrast changed by a random factor.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        lower: the lower bound of the factor.
        upper: the upper bound of the factor.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `image` does not fit.
    """

def stateless_random_crop(
    value: TensorLike,
    size: ShapeLike,
    seed: Any,
    name: str | None = None,
) -> Tensor:
    """Return a block of a given size, at a random offset of the tensor.

    Args:
        value: a tensor, or what converts to one.
        size: how many elements to take along each axis; -1 means all that are left.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `value` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def stateless_random_flip_left_right(image: TensorLike, seed: Any) -> Tensor:
    """Flip each image left to right with probability 1/2.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Returns:
        A tensor.

    Raises:
        ValueError if the shape of `image` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def stateless_random_flip_up_down(image: TensorLike, seed: Any) -> Tensor:
    """Flip each image upside down with probability 1/2.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Returns:
        A tensor.

    Raises:
        ValueError if the shape of `image` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def stateless_random_hue(image: TensorLike, max_delta: TensorLike, seed: Any) -> Tensor:
    """Return the image with its hues turned by a random part of the circle.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        max_delta: the bound of what is drawn.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Raises:
        tf.errors.FailedPreconditionError if the shape of `image` does not fit.
    """

def stateless_random_jpeg_quality(
    image: TensorLike,
    min_jpeg_quality: Any,
    max_jpeg_quality: Any,
    seed: Any,
) -> Tensor:
    """Compress the image as JPEG with random quality, and decode it.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        min_jpeg_quality: the least quality.
        max_jpeg_quality: the greatest quality.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `image` does not fit.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def stateless_random_saturation(
    image: TensorLike,
    lower: Any,
    upper: Any,
    seed: Any = None,
) -> Tensor:
    """Return the image with its saturation changed by a random factor.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        lower: the lower bound of the factor.
        upper: the upper bound of the factor.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Raises:
        tf.errors.FailedPreconditionError if the shape of `image` does not fit.
    """

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

    Args:
        image_size: height, width and channels.
        bounding_boxes: boxes as [y1, x1, y2, x2], in parts of the height and width.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        min_object_covered: how much of a box must be inside.
        aspect_ratio_range: the bounds of width / height.
        area_range: the bounds of the area, as parts of the image.
        max_attempts: how often to try.
        use_image_if_no_bounding_boxes: whether the whole image is taken as the box if there is
            none.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `min_object_covered`, `aspect_ratio_range`, `area_range` or `max_attempts` has
            a type that it does not take.
        ValueError if `image_size`, `bounding_boxes` or `seed` has a type that it does not take.
    """

def total_variation(images: TensorLike, name: str | None = None) -> Tensor:
    """Return the sum of the absolute differences of neighboring pixels, for each image.

    Args:
        images: a batch of images, [batch, height, width, channels].
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shape of `images` does not fit.
        tf.errors.InvalidArgumentError if `images` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def transpose(image: TensorLike, name: str | None = None) -> Tensor:
    """Transpose the height and width of the image.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if the shape of `image` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def yiq_to_rgb(images: TensorLike) -> Tensor:
    """Return the red, green and blue of images given by Y, I and Q.

    Args:
        images: a batch of images, [batch, height, width, channels].

    Raises:
        TypeError if `images` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `images` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def yuv_to_rgb(images: TensorLike) -> Tensor:
    """Return the red, green and blue of images given by Y, U and V.

    Args:
        images: a batch of images, [batch, height, width, channels].

    Raises:
        TypeError if `images` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `images` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """
