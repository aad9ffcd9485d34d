"""Images to PNG and JPEG files: `tf.io.encode_*`."""

from __future__ import annotations

import io

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.image.color import convert_image_dtype
from gradtape.api.io.image_decoding import decode_jpeg
from gradtape.api.io.pillow import import_pillow
from gradtape.core.convert import static_int, static_value
from gradtape.core.dtypes import uint8, uint16
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor
from gradtape.formats import png


def _string(contents: bytes) -> Tensor:
    return Tensor(np.array(contents, object))


@export("io.encode_png", "image.encode_png")
def encode_png(image, compression=-1, name=None) -> Tensor:
    """Encode images [..., height, width, 1 to 4 channels] of uint8 or uint16 as PNG files."""
    op = "EncodePng"
    x = ops.to_tensor(image)
    if x.dtype not in (uint8, uint16):
        raise ops.DTypeError(
            f"image must be of dtype uint8 or uint16, got {x.dtype.name}. Convert it with "
            f"tf.image.convert_image_dtype. [Op:{op}]"
        )
    if len(x.shape) < 3:
        raise ops.ShapeError(f"image must be at least rank 3, got shape {x.shape} [Op:{op}]")
    if x.shape[-1] not in (1, 2, 3, 4):
        raise ops.ShapeError(f"image must have 1, 2, 3, or 4 channels, got {x.shape[-1]} [Op:{op}]")
    if 0 in x.shape[-3:]:
        raise ops.ShapeError(f"image cannot be empty, got shape {x.shape} [Op:{op}]")
    level = static_int(compression)
    if not -1 <= level <= 9:
        raise InvalidArgumentError(f"compression should be in [-1,9], got {level} [Op:{op}]")
    data = np.asarray(x._data)
    files = np.empty(data.shape[:-3], object)
    for index in np.ndindex(*files.shape):
        files[index] = png.encode_png(data[index], level)
    return Tensor(files)


@export("io.encode_jpeg", "image.encode_jpeg")
def encode_jpeg(
    image,
    format="",
    quality=95,
    progressive=False,
    optimize_size=False,
    chroma_downsampling=True,
    density_unit="in",
    x_density=300,
    y_density=300,
    xmp_metadata="",
    name=None,
) -> Tensor:
    """Return a JPEG file of an image [height, width, 1 or 3 channels] of uint8."""
    op = "EncodeJpeg"
    x = ops.to_tensor(image)
    if x.dtype is not uint8:
        raise ops.DTypeError(
            f"image must be of dtype uint8, got {x.dtype.name}. Convert it with "
            f"tf.image.convert_image_dtype. [Op:{op}]"
        )
    if len(x.shape) != 3:
        raise ops.ShapeError(f"image must be 3-dimensional, got shape {x.shape} [Op:{op}]")
    channels = {"": x.shape[-1], "grayscale": 1, "rgb": 3}.get(format)
    if channels is None:
        raise InvalidArgumentError(
            f"format must be '', 'grayscale' or 'rgb', got {format!r} [Op:{op}]"
        )
    if channels not in (1, 3) or channels != x.shape[-1]:
        raise ops.ShapeError(
            f"format {format!r} expects {'1 or 3' if not format else channels} channels, got shape "
            f"{x.shape} [Op:{op}]"
        )
    if 0 in x.shape:
        raise ops.ShapeError(f"image cannot be empty, got shape {x.shape} [Op:{op}]")
    level = static_int(quality)
    if not 0 <= level <= 100:
        raise InvalidArgumentError(f"quality must be in [0,100], got {level} [Op:{op}]")
    data = np.asarray(x._data)
    picture = import_pillow().fromarray(data[:, :, 0] if channels == 1 else data)
    per_inch = 2.54 if density_unit == "cm" else 1
    options = {"xmp": bytes(static_value(xmp_metadata).encode())} if xmp_metadata else {}
    buffer = io.BytesIO()
    picture.save(
        buffer,
        "JPEG",
        quality=max(level, 1),  # the same file, but 0 has another meaning there
        progressive=bool(progressive),
        optimize=bool(optimize_size),
        subsampling=2 if chroma_downsampling else 0,
        dpi=(round(x_density * per_inch), round(y_density * per_inch)),
        **options,
    )
    return _string(buffer.getvalue())


@export("image.adjust_jpeg_quality")
def adjust_jpeg_quality(image, jpeg_quality, dct_method="", name=None) -> Tensor:
    """Compress the image as JPEG with a quality, and decode it."""
    image = ops.to_tensor(image)
    small = convert_image_dtype(image, uint8, saturate=True)
    again = decode_jpeg(encode_jpeg(small, quality=jpeg_quality), image.shape[-1])
    return convert_image_dtype(again, image.dtype, saturate=True)
