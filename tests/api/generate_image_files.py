"""Writes image_files.json: image files and their pixels, as the real TensorFlow has them.

Run with an environment that has TensorFlow 2.21; gradtape is not needed:

    python tests/api/generate_image_files.py
"""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path

import numpy as np
import tensorflow as tf


def text(contents) -> str:
    contents = contents.numpy() if hasattr(contents, "numpy") else contents
    return base64.b64encode(contents).decode()


def bmp(image: np.ndarray) -> bytes:
    """A BMP file, from the bottom to the top and with blue first, as most are."""
    height, width, channels = image.shape
    line = (width * channels + 3) // 4 * 4
    pixels = np.concatenate([image[..., 2::-1], image[..., 3:]], -1) if channels > 1 else image
    rows = b"".join(row.tobytes().ljust(line, b"\0") for row in pixels[::-1])
    sizes = struct.pack(
        "<IiiHHIIiiII", 40, width, height, 1, 8 * channels, 0, len(rows), 0, 0, 0, 0
    )
    return b"BM" + struct.pack("<IHHI", 54 + len(rows), 0, 0, 54) + sizes + rows


y, x = np.mgrid[:6, :9]
image = np.stack([y * 40, x * 28, (y + x) * 18], -1).astype(np.uint8)
deep = image.astype(np.uint16) * 251 + 7
accurate = {"dct_method": "INTEGER_ACCURATE"}
jpeg, png, deep_png = tf.io.encode_jpeg(image), tf.io.encode_png(image), tf.io.encode_png(deep)
files = {
    "jpeg": jpeg,
    "jpeg_small": tf.io.encode_jpeg(
        image, quality=20, chroma_downsampling=False, progressive=True, optimize_size=True
    ),
    "jpeg_gray": tf.io.encode_jpeg(image[:, :, :1], density_unit="cm", x_density=100, y_density=90),
    "png": png,
    "png_deep": deep_png,
}
pixels = {
    "image": image,
    "deep": deep,
    "jpeg": tf.io.decode_jpeg(jpeg, **accurate),
    "jpeg_as_gray": tf.io.decode_jpeg(jpeg, channels=1, **accurate),
    "jpeg_half": tf.io.decode_jpeg(jpeg, ratio=2, **accurate),
    "jpeg_gray_as_rgb": tf.io.decode_jpeg(files["jpeg_gray"], channels=3, **accurate),
    "png_as_gray": tf.io.decode_png(png, channels=1),
    "png_as_rgba_deep": tf.io.decode_png(png, channels=4, dtype=tf.uint16),
    "png_deep_as_gray": tf.io.decode_png(deep_png, channels=1, dtype=tf.uint16),
    "png_deep_as_rgba": tf.io.decode_png(deep_png, channels=4),
    "adjusted": tf.image.adjust_jpeg_quality(image, 30, **accurate),
}
for channels in (1, 3, 4):
    part = np.resize(image, (2, 3, channels))
    files[f"bmp_{channels}"] = bmp(part)
    pixels[f"bmp_{channels}"] = tf.io.decode_bmp(files[f"bmp_{channels}"])
result = {
    "files": {name: text(contents) for name, contents in files.items()},
    "pixels": {name: np.asarray(values).tolist() for name, values in pixels.items()},
}
Path(__file__).with_name("image_files.json").write_text(json.dumps(result) + "\n")
