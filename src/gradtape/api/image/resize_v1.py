"""`tf.compat.v1.image`'s resizing: pixels are where their first corners are, not their middles."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.image.geometry import require
from gradtape.api.image.resize import (
    ALIGNED,
    CORNERS,
    MIDDLES,
    fitted_with_pad,
    new_size,
    resize_on_grid,
)
from gradtape.core.tensor import Tensor

_METHODS = ("bilinear", "nearest", "bicubic", "area")
_WORDS = dict(enumerate(_METHODS))


@export("compat.v1.image.ResizeMethod")
class ResizeMethod:
    """The methods of `tf.compat.v1.image.resize`."""

    BILINEAR, NEAREST_NEIGHBOR, BICUBIC, AREA = range(4)


def _grid(align_corners, half_pixel_centers=False) -> str:
    if align_corners and half_pixel_centers:
        raise ops.InvalidArgumentError(
            "If half_pixel_centers is True, align_corners must be False. [Op:Resize]"
        )
    return ALIGNED if align_corners else MIDDLES if half_pixel_centers else CORNERS


@export("compat.v1.image.resize", "compat.v1.image.resize_images")
def resize(
    images,
    size,
    method: int | str = ResizeMethod.BILINEAR,
    align_corners=False,
    preserve_aspect_ratio=False,
    name=None,
) -> Tensor:
    """Return images with a new height and width, as TensorFlow 1 resized them; images that have
    this size already are returned as they are."""
    images = ops.to_tensor(images)
    rank = len(images.shape)
    require(rank in (3, 4), "'images' must have either 3 or 4 dimensions.")
    word = method if isinstance(method, str) else _WORDS.get(method)
    if word not in _METHODS:
        raise ValueError(f"Resize method is not implemented: {method}")
    batch = images if rank == 4 else ops.expand_dims(images, 0)
    sizes = new_size(batch, size, bool(preserve_aspect_ratio))
    if sizes == tuple(batch.shape[1:3]):
        return images
    return resize_on_grid(images, sizes, word, False, False, _grid(align_corners))


@export("compat.v1.image.resize_image_with_pad")
def resize_image_with_pad(
    image,
    target_height,
    target_width,
    method: int | str = ResizeMethod.BILINEAR,
    align_corners=False,
) -> Tensor:
    """Return the image resized to fit a size, and padded with zeros to it: nothing is distorted."""

    def resized(images, sizes) -> Tensor:
        return resize(images, sizes, method, align_corners)

    return fitted_with_pad(image, target_height, target_width, resized)


def _export_op(name: str, method: str) -> None:
    def op(images, size, align_corners=False, name=None, half_pixel_centers=False) -> Tensor:
        images = ops.to_tensor(images)
        require(len(images.shape) == 4, "'images' must be a batch, of 4 dimensions.")
        grid = _grid(align_corners, half_pixel_centers)
        made = resize_on_grid(images, size, method, False, False, grid)
        return made if method == "nearest" else ops.cast(made, "float32")

    op.__name__ = op.__qualname__ = name
    op.__doc__ = f"Return a batch of images resized by the method {method!r}, as TensorFlow 1 did."
    export(f"compat.v1.image.{name}")(op)


_export_op("resize_bilinear", "bilinear")
_export_op("resize_nearest_neighbor", "nearest")
_export_op("resize_bicubic", "bicubic")
_export_op("resize_area", "area")
