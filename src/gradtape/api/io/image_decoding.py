"""Images from PNG, JPEG, GIF, BMP and WebP files: `tf.io.decode_*`."""

from __future__ import annotations

import io

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.image.color import convert_image_dtype
from gradtape.api.io.pillow import (
    MODES,
    checked_channels,
    decoding_errors,
    file_contents,
    file_kind,
    import_pillow,
    pixels_of,
    truncation_lock,
)
from gradtape.core.convert import static_int, static_ints
from gradtape.core.dtypes import as_dtype, float32, int32, uint8, uint16
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor
from gradtape.formats import bmp, png


def _png(op: str, contents: bytes, channels: int, dtype) -> np.ndarray:
    with decoding_errors(op, "PNG"):
        _, _, bits, *_ = png.png_header(contents)
        if bits != 16:
            png.png_data(contents)  # Pillow overlooks some kinds of damage
            image = import_pillow().open(io.BytesIO(contents))
            image.load()
            pixels = _with_channels(pixels_of(image, 0), channels)
            return pixels.astype(np.uint16) * 257 if dtype is uint16 else pixels
        pixels = _with_channels(png.decode_deep_png(contents), channels)
    return pixels if dtype is uint16 else (pixels >> 8).astype(np.uint8)


# Red, green and blue in gray, in parts of 32768: libpng's numbers, which are rounded down.
_GRAY = np.array([9797, 19234, 3737], np.int64)


def _with_channels(pixels: np.ndarray, channels: int) -> np.ndarray:
    """Return the pixels of a PNG file as gray (1), RGB (3) or RGBA (4)."""
    own = pixels.shape[-1]
    if channels in (0, own):
        return pixels
    colors = own - (own % 2 == 0)
    color, alpha = pixels[..., :colors], pixels[..., colors:]
    if channels == 1 and colors == 3:
        half = 16384 if pixels.dtype == np.uint16 else 0
        color = ((color @ _GRAY + half) >> 15)[..., None].astype(pixels.dtype)
    elif channels > 2 and colors == 1:
        color = np.repeat(color, 3, -1)
    if channels < 4:
        return color
    if colors == own:
        alpha = np.full_like(color[..., :1], np.iinfo(pixels.dtype).max)
    return np.concatenate([color, alpha], -1)


def _jpeg(op: str, contents: bytes, channels: int, ratio: int = 1, recover: bool = False):
    if ratio not in (1, 2, 4, 8):
        raise InvalidArgumentError(f"ratio must be 1, 2, 4, or 8, got {ratio} [Op:{op}]")
    if channels == 4:
        raise InvalidArgumentError(f"JPEG does not support 4 channels [Op:{op}]")
    with decoding_errors(op, "JPEG"):
        image = import_pillow().open(io.BytesIO(contents))
        if ratio > 1 or (channels == 1 and image.mode != "L"):
            # The decoder itself shrinks images, and gives the brightness without the colors.
            width, height = image.size
            size = (max(width // ratio, 1), max(height // ratio, 1))
            image.draft("L" if channels == 1 else None, size)
        if recover:
            from PIL import ImageFile

            with truncation_lock:
                before, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, True
                try:
                    image.load()
                finally:
                    ImageFile.LOAD_TRUNCATED_IMAGES = before
        else:
            image.load()
        return pixels_of(image, channels or (1 if image.mode == "L" else 3))


def _frames(op: str, contents: bytes, first_only: bool, channels: int = 3) -> np.ndarray:
    """Return all frames of an animation, [frames, height, width, channels]."""
    with decoding_errors(op, "GIF"):
        from PIL import ImageSequence

        image = import_pillow().open(io.BytesIO(contents))
        frames = []
        for frame in ImageSequence.Iterator(image):
            frames.append(pixels_of(frame.convert(MODES[channels]), channels))
            if first_only:
                break
    return np.stack(frames)


def _decode_any(op: str, contents: bytes, channels: int, dtype, expand: bool) -> np.ndarray:
    """Return the pixels of a file of any kind; those of an animation have four axes."""
    match file_kind(contents):
        case "PNG":
            return _png(op, contents, channels, dtype)
        case "JPEG":
            return _jpeg(op, contents, channels)
        case "GIF":
            checked_channels(op, channels, (0, 1, 3))
            frames = _frames(op, contents, not expand, channels or 3)
            return frames if expand else frames[0]
        case "BMP":
            return _bmp(op, contents, channels)
        case "WebP":
            frames = _webp(op, contents, channels)
            return frames if expand else frames[0]
    raise InvalidArgumentError(
        f"Unknown image file format. One of JPEG, PNG, GIF, BMP, WebP required. [Op:{op}]"
    )


def _bmp(op: str, contents: bytes, channels: int) -> np.ndarray:
    with decoding_errors(op, "BMP"):
        pixels = bmp.decode_bmp(contents)
    if channels and channels != pixels.shape[-1]:
        raise InvalidArgumentError(
            f"channels attribute {channels} does not match bits per pixel from file "
            f"{8 * pixels.shape[-1]} [Op:{op}]"
        )
    return pixels


def _webp(op: str, contents: bytes, channels: int) -> np.ndarray:
    with decoding_errors(op, "WebP"):
        image = import_pillow().open(io.BytesIO(contents))
        if getattr(image, "n_frames", 1) > 1:
            return _frames(op, contents, False, 4)
        image.load()
        return pixels_of(image, channels)[None]


def _still(op: str, contents, channels, dtype=uint8) -> Tensor:
    """Return one image, of a file of any kind that has one."""
    contents = file_contents(op, contents)
    channels = checked_channels(op, channels, (0, 1, 3, 4))
    if file_kind(contents) == "BMP":
        raise InvalidArgumentError(
            f"Trying to decode BMP format using a wrong op. Use `decode_bmp` or `decode_image` "
            f"instead. Op used: {op} [Op:{op}]"
        )
    pixels = _decode_any(op, contents, channels, dtype, expand=True)
    if pixels.ndim == 4:
        if len(pixels) != 1:
            raise InvalidArgumentError(
                f"Got {len(pixels)} frames, but animated gifs can only be decoded by "
                f"tf.io.decode_gif or tf.io.decode_image [Op:{op}]"
            )
        pixels = pixels[0]
    return Tensor(pixels)


@export("io.decode_png", "image.decode_png")
def decode_png(contents, channels=0, dtype=uint8, name=None) -> Tensor:
    """Return the image in a PNG file, of uint8 or uint16."""
    dtype = as_dtype(dtype)
    if dtype not in (uint8, uint16):
        raise InvalidArgumentError(
            f"decode_png: dtype must be uint8 or uint16, got {dtype.name} [Op:DecodePng]"
        )
    return _still("DecodePng", contents, channels, dtype)


@export("io.decode_jpeg", "image.decode_jpeg")
def decode_jpeg(
    contents,
    channels=0,
    ratio=1,
    fancy_upscaling=True,
    try_recover_truncated=False,
    acceptable_fraction=1,
    dct_method="",
    name=None,
) -> Tensor:
    """Return the image in a JPEG file, on request shrunk by a ratio of 2, 4 or 8.

    The decoder is TensorFlow's with dct_method="INTEGER_ACCURATE", whatever method is asked for;
    TensorFlow's default is a faster one whose values differ by a few units.
    """
    op = "DecodeJpeg"
    data = file_contents(op, contents)
    if file_kind(data) != "JPEG":
        return _still(op, contents, channels)
    channels = checked_channels(op, channels, (0, 1, 3, 4))
    return Tensor(
        _jpeg(op, data, channels, static_int(ratio, f"{op}: ratio"), bool(try_recover_truncated))
    )


@export("io.decode_and_crop_jpeg", "image.decode_and_crop_jpeg")
def decode_and_crop_jpeg(
    contents,
    crop_window,
    channels=0,
    ratio=1,
    fancy_upscaling=True,
    try_recover_truncated=False,
    acceptable_fraction=1,
    dct_method="",
    name=None,
) -> Tensor:
    """Return the part [y, x, height, width] of the image in a JPEG file."""
    image = decode_jpeg(contents, channels, ratio, try_recover_truncated=try_recover_truncated)
    y, x, height, width = window = static_ints(crop_window)
    if min(y, x) < 0 or min(height, width) < 1:
        fits = False
    else:
        fits = y + height <= image.shape[0] and x + width <= image.shape[1]
    if not fits:
        raise InvalidArgumentError(
            f"Invalid JPEG data or crop window: {window} in an image of shape {image.shape} "
            "[Op:DecodeAndCropJpeg]"
        )
    return image[y : y + height, x : x + width]


@export("io.decode_gif", "image.decode_gif")
def decode_gif(contents, name=None) -> Tensor:
    """Return the frames of a GIF file, [frames, height, width, 3]."""
    op = "DecodeGif"
    data = file_contents(op, contents)
    if file_kind(data) == "GIF":
        return Tensor(_frames(op, data, False))
    return ops.expand_dims(_still(op, contents, 3), 0)


@export("io.decode_bmp", "image.decode_bmp")
def decode_bmp(contents, channels=0, name=None) -> Tensor:
    """Return the image in a BMP file."""
    op = "DecodeBmp"
    data = file_contents(op, contents)
    kind = file_kind(data)
    if kind != "BMP":
        raise InvalidArgumentError(
            f"Trying to decode {kind or 'an unknown'} format using DecodeBmp op. Use "
            f"`decode_image` instead. [Op:{op}]"
        )
    return Tensor(_bmp(op, data, checked_channels(op, channels, (0, 1, 3, 4))))


@export("io.decode_webp", "image.decode_webp")
def decode_webp(contents, channels=0, dtype=uint8, name=None) -> Tensor:
    """Return the frames of a WebP file, mostly one; those of an animation have four channels."""
    op = "DecodeWebP"
    return Tensor(_webp(op, file_contents(op, contents), checked_channels(op, channels, (0, 3, 4))))


@export("io.decode_image", "image.decode_image")
def decode_image(contents, channels=None, dtype=uint8, name=None, expand_animations=True) -> Tensor:
    """Return the image in a file of any kind known; an animation has four axes, if it is
    expanded."""
    op, dtype = "DecodeImage", as_dtype(dtype)
    data = file_contents(op, contents)
    channels = checked_channels(op, channels, (0, 1, 3, 4))
    wide = dtype is not uint8
    pixels = _decode_any(op, data, channels, uint16 if wide else uint8, bool(expand_animations))
    if dtype is uint16 and pixels.dtype == np.uint8:
        return Tensor(pixels.astype(np.uint16) * 256)
    if dtype is float32:
        max_value = np.float32(np.iinfo(pixels.dtype).max)
        return Tensor(pixels.astype(np.float32) / max_value)
    if wide and pixels.dtype == np.uint8:
        pixels = pixels.astype(np.uint16) * 256
    return convert_image_dtype(Tensor(pixels), dtype)


@export("io.is_jpeg", "image.is_jpeg")
def is_jpeg(contents, name=None) -> Tensor:
    """Return whether strings begin as JPEG files do."""
    values = np.asarray(ops.to_tensor(contents)._data)
    if values.dtype != object:
        raise ops.DTypeError(f"is_jpeg: contents must be strings, got dtype {values.dtype.name}")
    results = [bytes(v).startswith(b"\xff\xd8\xff") for v in values.reshape(-1)]
    return Tensor(np.array(results, bool).reshape(values.shape)[()])


@export("io.extract_jpeg_shape", "image.extract_jpeg_shape")
def extract_jpeg_shape(contents, output_type=int32, name=None) -> Tensor:
    """Return [height, width, channels] of a JPEG file, without decoding it."""
    op = "ExtractJpegShape"
    data = file_contents(op, contents)
    if file_kind(data) != "JPEG":
        raise InvalidArgumentError(f"Invalid JPEG data: {len(data)} bytes [Op:{op}]")
    with decoding_errors(op, "JPEG"):
        image = import_pillow().open(io.BytesIO(data))
    width, height = image.size
    return Tensor(np.array([height, width, len(image.getbands())], as_dtype(output_type).dtype))
