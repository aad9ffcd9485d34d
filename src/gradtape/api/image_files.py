"""Images from and to PNG, JPEG, GIF, BMP and WebP files: `tf.io.decode_*` and `tf.io.encode_*`.

What compresses and decompresses is Pillow, an optional extra, imported by the first use.
"""

from __future__ import annotations

import contextlib
import io
import threading
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api import image_png
from gradtape.api.export import export
from gradtape.api.image_color import convert_image_dtype
from gradtape.api.image_png import PNG_SIGNATURE, BadFile
from gradtape.core.convert import static_value
from gradtape.core.dtypes import as_dtype, float32, int32, uint8, uint16
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor

_recovering = threading.Lock()  # to read truncated files is a switch for the whole of Pillow


def _pillow():
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(
            "Reading and writing image files needs Pillow. Install it with "
            "`pip install gradtape[image]`."
        ) from None
    return Image


def _contents(op: str, contents) -> bytes:
    """The bytes of a file, from a scalar string tensor."""
    value = np.asarray(ops.to_tensor(contents)._data)
    if value.dtype != object:
        raise ops.DTypeError(
            f"{op}: contents must be a string (the bytes of a file), got dtype {value.dtype.name} "
            f"[Op:{op}]"
        )
    if value.ndim:
        raise ops.ShapeError(
            f"`contents` must be scalar but got shape {list(value.shape)}: decode files one by one "
            f"[Op:{op}]"
        )
    found: Any = value[()]
    if not found:
        raise InvalidArgumentError(f"Input is empty. [Op:{op}]")
    return found


def _kind(contents: bytes) -> str | None:
    if contents.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if contents.startswith(PNG_SIGNATURE[:4]):
        return "PNG"
    if contents.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if contents.startswith(b"BM"):
        return "BMP"
    if contents.startswith(b"RIFF") and contents[8:12] == b"WEBP":
        return "WebP"
    return None


@contextlib.contextmanager
def _explained(op: str, kind: str):
    """What Pillow and the decoders here complain of, in TensorFlow's class."""
    try:
        yield
    except BadFile as error:
        raise InvalidArgumentError(f"{error} [Op:{op}]") from None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise InvalidArgumentError(
            f"Invalid {kind} data: the file is damaged or incomplete ({error}). [Op:{op}]"
        ) from None


def _channels(op: str, value, allowed: tuple) -> int:
    channels = 0 if value is None else int(static_value(value))
    if channels not in allowed:
        shown = ", ".join(map(str, allowed[:-1])) + f" or {allowed[-1]}"
        raise InvalidArgumentError(f"`channels` must be {shown} but got {channels} [Op:{op}]")
    return channels


_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}


def _pixels(image, channels: int) -> np.ndarray:
    """The pixels of a Pillow image, with so many channels (0: as it has them)."""
    mode = _MODES.get(channels)
    if mode is None:
        has_alpha = "transparency" in image.info or image.mode in ("LA", "PA", "RGBA")
        if image.mode in ("1", "L", "LA"):
            mode = "LA" if has_alpha else "L"
        else:
            mode = "RGBA" if has_alpha else "RGB"
    if mode in ("L", "RGB") and image.mode in ("LA", "RGBA", "PA"):
        # The colours under the transparent parts stay as they are.
        image = image.convert("LA" if image.mode == "LA" else "RGBA")
        image = image.getchannel("L") if image.mode == "LA" else image.convert("RGB")
    if image.mode != mode:
        image = image.convert(mode)
    array = np.asarray(image)
    return array if array.ndim == 3 else array[:, :, None]


# --- decoding ------------------------------------------------------------------------------------


def _png(op: str, contents: bytes, channels: int, dtype) -> np.ndarray:
    with _explained(op, "PNG"):
        _, _, bits, *_ = image_png.png_header(contents)
        if bits != 16:
            image_png.png_data(contents)  # Pillow overlooks some kinds of damage
            image = _pillow().open(io.BytesIO(contents))
            image.load()
            pixels = _with_channels(_pixels(image, 0), channels)
            return pixels.astype(np.uint16) * 257 if dtype is uint16 else pixels
        pixels = _with_channels(image_png.decode_deep_png(contents), channels)
    return pixels if dtype is uint16 else (pixels >> 8).astype(np.uint8)


# Red, green and blue in gray, in parts of 32768: libpng's numbers, which are rounded down.
_GRAY = np.array([9797, 19234, 3737], np.int64)


def _with_channels(pixels: np.ndarray, channels: int) -> np.ndarray:
    """The pixels of a PNG file as gray (1), RGB (3) or RGBA (4)."""
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
    with _explained(op, "JPEG"):
        image = _pillow().open(io.BytesIO(contents))
        if ratio > 1 or (channels == 1 and image.mode != "L"):
            # The decoder itself shrinks images, and gives the brightness without the colours.
            width, height = image.size
            size = (max(width // ratio, 1), max(height // ratio, 1))
            image.draft("L" if channels == 1 else None, size)
        if recover:
            from PIL import ImageFile

            with _recovering:
                before, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, True
                try:
                    image.load()
                finally:
                    ImageFile.LOAD_TRUNCATED_IMAGES = before
        else:
            image.load()
        return _pixels(image, channels or (1 if image.mode == "L" else 3))


def _frames(op: str, contents: bytes, first_only: bool, channels: int = 3) -> np.ndarray:
    """All frames of an animation, [frames, height, width, channels]."""
    with _explained(op, "GIF"):
        from PIL import ImageSequence

        image = _pillow().open(io.BytesIO(contents))
        frames = []
        for frame in ImageSequence.Iterator(image):
            frames.append(_pixels(frame.convert(_MODES[channels]), channels))
            if first_only:
                break
    return np.stack(frames)


def _decoded(op: str, contents: bytes, channels: int, dtype, expand: bool) -> np.ndarray:
    """The pixels of a file of any kind; those of an animation have four axes."""
    match _kind(contents):
        case "PNG":
            return _png(op, contents, channels, dtype)
        case "JPEG":
            return _jpeg(op, contents, channels)
        case "GIF":
            _channels(op, channels, (0, 1, 3))
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
    with _explained(op, "BMP"):
        pixels = image_png.decode_bmp(contents)
    if channels and channels != pixels.shape[-1]:
        raise InvalidArgumentError(
            f"channels attribute {channels} does not match bits per pixel from file "
            f"{8 * pixels.shape[-1]} [Op:{op}]"
        )
    return pixels


def _webp(op: str, contents: bytes, channels: int) -> np.ndarray:
    with _explained(op, "WebP"):
        image = _pillow().open(io.BytesIO(contents))
        if getattr(image, "n_frames", 1) > 1:
            return _frames(op, contents, False, 4)
        image.load()
        return _pixels(image, channels)[None]


def _still(op: str, contents, channels, dtype=uint8) -> Tensor:
    """One image, of a file of any kind that has one."""
    contents = _contents(op, contents)
    channels = _channels(op, channels, (0, 1, 3, 4))
    if _kind(contents) == "BMP":
        raise InvalidArgumentError(
            f"Trying to decode BMP format using a wrong op. Use `decode_bmp` or `decode_image` "
            f"instead. Op used: {op} [Op:{op}]"
        )
    pixels = _decoded(op, contents, channels, dtype, expand=True)
    if pixels.ndim == 4:
        if len(pixels) != 1:
            raise InvalidArgumentError(
                f"Got {len(pixels)} frames, but animated gifs can only be decoded by "
                f"tf.io.decode_gif or tf.io.decode_image [Op:{op}]"
            )
        pixels = pixels[0]
    return Tensor(pixels)


@export("io.decode_png", "image.decode_png")
def decode_png(contents, channels=0, dtype=uint8, name=None):
    """The image in a PNG file, of uint8 or uint16."""
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
):
    """The image in a JPEG file, on request shrunk by a ratio of 2, 4 or 8.

    The decoder is TensorFlow's with dct_method="INTEGER_ACCURATE", whatever method is asked for;
    TensorFlow's default is a faster one whose values differ by a few units.
    """
    op = "DecodeJpeg"
    data = _contents(op, contents)
    if _kind(data) != "JPEG":
        return _still(op, contents, channels)
    channels = _channels(op, channels, (0, 1, 3, 4))
    return Tensor(_jpeg(op, data, channels, int(ratio), bool(try_recover_truncated)))


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
):
    """The part [y, x, height, width] of the image in a JPEG file."""
    image = decode_jpeg(contents, channels, ratio, try_recover_truncated=try_recover_truncated)
    window = [int(n) for n in np.ravel(static_value(crop_window))]
    y, x, height, width = window
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
def decode_gif(contents, name=None):
    """The frames of a GIF file, [frames, height, width, 3]."""
    op = "DecodeGif"
    data = _contents(op, contents)
    if _kind(data) == "GIF":
        return Tensor(_frames(op, data, False))
    return ops.expand_dims(_still(op, contents, 3), 0)


@export("io.decode_bmp", "image.decode_bmp")
def decode_bmp(contents, channels=0, name=None):
    """The image in a BMP file."""
    op = "DecodeBmp"
    data = _contents(op, contents)
    kind = _kind(data)
    if kind != "BMP":
        raise InvalidArgumentError(
            f"Trying to decode {kind or 'an unknown'} format using DecodeBmp op. Use "
            f"`decode_image` instead. [Op:{op}]"
        )
    return Tensor(_bmp(op, data, _channels(op, channels, (0, 1, 3, 4))))


@export("io.decode_webp", "image.decode_webp")
def decode_webp(contents, channels=0, dtype=uint8, name=None):
    """The frames of a WebP file, mostly one; those of an animation have four channels."""
    op = "DecodeWebP"
    return Tensor(_webp(op, _contents(op, contents), _channels(op, channels, (0, 3, 4))))


@export("io.decode_image", "image.decode_image")
def decode_image(contents, channels=None, dtype=uint8, name=None, expand_animations=True):
    """The image in a file of any kind known; an animation has four axes, if it is expanded."""
    op, dtype = "DecodeImage", as_dtype(dtype)
    data = _contents(op, contents)
    channels = _channels(op, channels, (0, 1, 3, 4))
    wide = dtype is not uint8
    pixels = _decoded(op, data, channels, uint16 if wide else uint8, bool(expand_animations))
    if dtype is uint16 and pixels.dtype == np.uint8:
        return Tensor(pixels.astype(np.uint16) * 256)
    if dtype is float32:
        most = np.float32(np.iinfo(pixels.dtype).max)
        return Tensor(pixels.astype(np.float32) / most)
    if wide and pixels.dtype == np.uint8:
        pixels = pixels.astype(np.uint16) * 256
    return convert_image_dtype(Tensor(pixels), dtype)


@export("io.is_jpeg", "image.is_jpeg")
def is_jpeg(contents, name=None):
    """Whether strings begin as JPEG files do."""
    values = np.asarray(ops.to_tensor(contents)._data)
    found = [bytes(v).startswith(b"\xff\xd8\xff") for v in values.reshape(-1)]
    return Tensor(np.array(found, bool).reshape(values.shape)[()])


@export("io.extract_jpeg_shape", "image.extract_jpeg_shape")
def extract_jpeg_shape(contents, output_type=int32, name=None):
    """[height, width, channels] of a JPEG file, without decoding it."""
    op = "ExtractJpegShape"
    data = _contents(op, contents)
    if _kind(data) != "JPEG":
        raise InvalidArgumentError(f"Invalid JPEG data: {len(data)} bytes [Op:{op}]")
    with _explained(op, "JPEG"):
        image = _pillow().open(io.BytesIO(data))
    width, height = image.size
    return Tensor(np.array([height, width, len(image.getbands())], as_dtype(output_type).dtype))


# --- encoding ------------------------------------------------------------------------------------


def _string(contents: bytes) -> Tensor:
    return Tensor(np.array(contents, object))


@export("io.encode_png", "image.encode_png")
def encode_png(image, compression=-1, name=None):
    """PNG files of images [..., height, width, 1 to 4 channels] of uint8 or uint16."""
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
    level = int(static_value(compression))
    if not -1 <= level <= 9:
        raise InvalidArgumentError(f"compression should be in [-1,9], got {level} [Op:{op}]")
    data = np.asarray(x._data)
    files = np.empty(data.shape[:-3], object)
    for place in np.ndindex(*files.shape):
        files[place] = image_png.encode_png(data[place], level)
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
):
    """A JPEG file of an image [height, width, 1 or 3 channels] of uint8."""
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
    level = int(static_value(quality))
    if not 0 <= level <= 100:
        raise InvalidArgumentError(f"quality must be in [0,100], got {level} [Op:{op}]")
    data = np.asarray(x._data)
    picture = _pillow().fromarray(data[:, :, 0] if channels == 1 else data)
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
def adjust_jpeg_quality(image, jpeg_quality, dct_method="", name=None):
    """The image as it is after a JPEG file of a quality."""
    image = ops.to_tensor(image)
    small = convert_image_dtype(image, uint8, saturate=True)
    again = decode_jpeg(encode_jpeg(small, quality=jpeg_quality), image.shape[-1])
    return convert_image_dtype(again, image.dtype, saturate=True)
