"""Image files through Pillow, an optional extra that the first use imports."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.convert import static_int
from gradtape.core.errors import InvalidArgumentError
from gradtape.formats import png
from gradtape.formats.errors import BadFile

truncation_lock = threading.Lock()  # to read truncated files is a switch for the whole of Pillow


def import_pillow():
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(
            "Reading and writing image files needs Pillow. Install it with "
            'pip install "gradtape[image]".'
        ) from None
    return Image


def file_contents(op: str, contents) -> bytes:
    """Return the bytes of a file, from a scalar string tensor."""
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
    data: Any = value[()]
    if not data:
        raise InvalidArgumentError(f"Input is empty. [Op:{op}]")
    return data


def file_kind(contents: bytes) -> str | None:
    if contents.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if contents.startswith(png.PNG_SIGNATURE[:4]):
        return "PNG"
    if contents.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if contents.startswith(b"BM"):
        return "BMP"
    if contents.startswith(b"RIFF") and contents[8:12] == b"WEBP":
        return "WebP"
    return None


@contextlib.contextmanager
def decoding_errors(op: str, kind: str):
    """Raise errors of Pillow and of the decoders here as InvalidArgumentError."""
    try:
        yield
    except BadFile as error:
        raise InvalidArgumentError(f"{error} [Op:{op}]") from None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise InvalidArgumentError(
            f"Invalid {kind} data: the file is damaged or incomplete ({error}). [Op:{op}]"
        ) from None
    except import_pillow().DecompressionBombError as error:
        raise InvalidArgumentError(
            f"Invalid {kind} data: {error} If it is trusted, raise PIL.Image.MAX_IMAGE_PIXELS."
            f" [Op:{op}]"
        ) from None


def checked_channels(op: str, value, allowed: tuple) -> int:
    channels = 0 if value is None else static_int(value)
    if channels not in allowed:
        shown = ", ".join(map(str, allowed[:-1])) + f" or {allowed[-1]}"
        raise InvalidArgumentError(f"`channels` must be {shown} but got {channels} [Op:{op}]")
    return channels


MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}


def pixels_of(image, channels: int) -> np.ndarray:
    """Return the pixels of a Pillow image, with so many channels (0: as it has them)."""
    mode = MODES.get(channels)
    if mode is None:
        has_alpha = "transparency" in image.info or image.mode in ("LA", "PA", "RGBA")
        if image.mode in ("1", "L", "LA"):
            mode = "LA" if has_alpha else "L"
        else:
            mode = "RGBA" if has_alpha else "RGB"
    if mode in ("L", "RGB") and image.mode in ("LA", "RGBA", "PA"):
        # The colors under the transparent parts stay as they are.
        image = image.convert("LA" if image.mode == "LA" else "RGBA")
        image = image.getchannel("L") if image.mode == "LA" else image.convert("RGB")
    if image.mode != mode:
        image = image.convert(mode)
    array = np.asarray(image)
    return array if array.ndim == 3 else array[:, :, None]
