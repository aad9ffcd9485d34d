# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.image.resize_v1 import ResizeMethod as ResizeMethod
from gradtape.core.tensor import Tensor
from gradtape.core.typing import IntLike
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike

def resize(
    images: TensorLike,
    size: ShapeLike,
    method: int | str = 0,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return images with a new height and width, as TensorFlow 1 resized them; images that have
    this size already are returned as they are.

    Args:
        images: a batch of images, [batch, height, width, channels].
        size: the new height and width.
        method: "bilinear", "nearest", "bicubic" or "area", or its number in
            `tf.compat.v1.image.ResizeMethod`.
        align_corners: whether the first and the last pixels of both images are at the same
            positions.
        preserve_aspect_ratio: whether to keep the ratio of height and width.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shape of `images` does not fit.
    """

def resize_area(
    images: TensorLike,
    size: ShapeLike,
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Tensor:
    """Return a batch of images resized by the method 'area', as TensorFlow 1 did.

    Args:
        images: a batch of images, [batch, height, width, channels].
        size: the new height and width.
        align_corners: whether the first and the last pixels of both images are at the same
            positions.
        name: a label, as in TensorFlow; it does not change the result.
        half_pixel_centers: whether the corners of both images are, as in `tf.image.resize`.

    Raises:
        ValueError if the shape of `images` does not fit.
        tf.errors.UnimplementedError if `images` has a dtype that it does not take.
    """

def resize_bicubic(
    images: TensorLike,
    size: ShapeLike,
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Tensor:
    """Return a batch of images resized by the method 'bicubic', as TensorFlow 1 did.

    Args:
        images: a batch of images, [batch, height, width, channels].
        size: the new height and width.
        align_corners: whether the first and the last pixels of both images are at the same
            positions.
        name: a label, as in TensorFlow; it does not change the result.
        half_pixel_centers: whether the corners of both images are, as in `tf.image.resize`.

    Raises:
        ValueError if the shape of `images` does not fit.
        tf.errors.UnimplementedError if `images` has a dtype that it does not take.
    """

def resize_bilinear(
    images: TensorLike,
    size: ShapeLike,
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Tensor:
    """Return a batch of images resized by the method 'bilinear', as TensorFlow 1 did.

    Args:
        images: a batch of images, [batch, height, width, channels].
        size: the new height and width.
        align_corners: whether the first and the last pixels of both images are at the same
            positions.
        name: a label, as in TensorFlow; it does not change the result.
        half_pixel_centers: whether the corners of both images are, as in `tf.image.resize`.

    Raises:
        ValueError if the shape of `images` does not fit.
        tf.errors.UnimplementedError if `images` has a dtype that it does not take.
    """

def resize_image_with_pad(
    image: TensorLike,
    target_height: IntLike,
    target_width: IntLike,
    method: int | str = 0,
    align_corners: bool = False,
) -> Tensor:
    """Return the image resized to fit a size, and padded with zeros to it: nothing is distorted.

    Args:
        image: an image, [height, width, channels], or a batch of images.
        target_height: the new height.
        target_width: the new width.
        method: "bilinear", "nearest", "bicubic" or "area", or its number in
            `tf.compat.v1.image.ResizeMethod`.
        align_corners: whether the first and the last pixels of both images are at the same
            positions.

    Raises:
        ValueError if the shape of `image` does not fit.
    """

def resize_nearest_neighbor(
    images: TensorLike,
    size: ShapeLike,
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Tensor:
    """Return a batch of images resized by the method 'nearest', as TensorFlow 1 did.

    Args:
        images: a batch of images, [batch, height, width, channels].
        size: the new height and width.
        align_corners: whether the first and the last pixels of both images are at the same
            positions.
        name: a label, as in TensorFlow; it does not change the result.
        half_pixel_centers: whether the corners of both images are, as in `tf.image.resize`.

    Raises:
        ValueError if the shape of `images` does not fit.
    """

resize_images = resize
