"""Image files: written and read again. JPEG is decoded with the accurate method, as always here."""

from __future__ import annotations

import base64

from ..case import CaseList
from ..inputs import array, integers

case = CaseList()

ACCURATE = {"dct_method": "INTEGER_ACCURATE"}
SMOOTH = array([[[y * 40, x * 28, (y + x) * 18] for x in range(9)] for y in range(6)], "uint8")
DEEP = array([[[y * 9000, x * 7000] for x in range(4)] for y in range(3)], "uint16")
# Two frames of 2 by 3 pixels, red and blue; and a lossless WebP and a BMP of 2 by 2.
GIF = base64.b64decode(
    "R0lGODdhAwACAIEAAP8AAAAAAAAAAAAAACwAAAAAAwACAAAIBgABCBwYEAAh+QQBAAABACwAAAAAAwACAIEAAP8AAAAAAAAA"
    "AAAIBgABCBwYEAA7"
)
WEBP = base64.b64decode("UklGRigAAABXRUJQVlA4TBsAAAAvAUAAAB9wCp7hOQrP/AfeHcgGKFOFWUT/YwcA")
BMP = (
    b"BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00\x02\x00\x00\x00\x02\x00"
    b"\x00\x00\x01\x00\x18\x00\x00\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    b"\x00\x00\x00\x00\x00\x00\x00\x00\x01\x02\x03\x04\x05\x06\x00\x00\x07\x08\x09\x0a\x0b\x0c"
    b"\x00\x00"
)


def image_case(name, function, **inputs):
    case(name, function, needs="PIL", exact=True, **inputs)


for position in ("io", "image"):

    def module(tf, position=position):
        return getattr(tf, position)

    for channels in (0, 1, 3, 4):
        image_case(
            f"{position}.png_channels_{channels}",
            lambda tf, x, module=module, channels=channels: module(tf).decode_png(
                module(tf).encode_png(x), channels=channels
            ),
            x=SMOOTH,
        )
        image_case(
            f"{position}.decode_image_channels_{channels}",
            lambda tf, x, module=module, channels=channels: module(tf).decode_image(
                module(tf).encode_png(x), channels=channels
            ),
            x=SMOOTH,
        )
    for channels in (0, 1, 3):
        image_case(
            f"{position}.jpeg_channels_{channels}",
            lambda tf, x, module=module, channels=channels: module(tf).decode_jpeg(
                module(tf).encode_jpeg(x), channels=channels, **ACCURATE
            ),
            x=SMOOTH,
        )
    image_case(
        f"{position}.decode_and_crop_jpeg",
        lambda tf, x, module=module: module(tf).decode_and_crop_jpeg(
            module(tf).encode_jpeg(x, chroma_downsampling=False), [1, 2, 3, 4], **ACCURATE
        ),
        x=SMOOTH,
    )
    image_case(
        f"{position}.extract_jpeg_shape",
        lambda tf, x, module=module: module(tf).extract_jpeg_shape(module(tf).encode_jpeg(x)),
        x=SMOOTH,
    )
    image_case(
        f"{position}.is_jpeg",
        lambda tf, x, module=module: [
            module(tf).is_jpeg(module(tf).encode_jpeg(x)),
            module(tf).is_jpeg(module(tf).encode_png(x)),
        ],
        x=SMOOTH,
    )
    image_case(f"{position}.decode_gif", lambda tf, module=module: module(tf).decode_gif(GIF))
    image_case(f"{position}.decode_webp", lambda tf, module=module: module(tf).decode_webp(WEBP))
    image_case(f"{position}.decode_bmp", lambda tf, module=module: module(tf).decode_bmp(BMP))
image_case(
    "png_deep",
    lambda tf, x: tf.io.decode_png(tf.io.encode_png(x), dtype=tf.uint16),
    x=DEEP,
)
image_case("decode_gif_image", lambda tf: tf.io.decode_image(GIF))
image_case("decode_first_frame", lambda tf: tf.io.decode_image(GIF, expand_animations=False))
image_case(
    "decode_as_floats",
    lambda tf, x: tf.io.decode_image(tf.io.encode_png(x), dtype=tf.float32),
    x=SMOOTH,
)
for quality in (30, 90):
    image_case(
        f"adjust_jpeg_quality_{quality}",
        lambda tf, x, quality=quality: tf.image.adjust_jpeg_quality(x, quality, **ACCURATE),
        x=SMOOTH,
    )
# Gray of one shade, which every method of decoding makes the same of.
FLAT = array([[[12, 12, 12]] * 8] * 8, "uint8")


def seeded(tf, x):
    tf.random.set_seed(4)
    return tf.image.random_jpeg_quality(x, 40, 60)


image_case("random_jpeg_quality", seeded, x=FLAT)
image_case(
    "stateless_random_jpeg_quality",
    lambda tf, x: tf.image.stateless_random_jpeg_quality(x, 40, 60, seed=[1, 2]),
    x=FLAT,
)
image_case(
    "encode_png_size",
    lambda tf, x: tf.io.decode_png(tf.io.encode_png(x, compression=9)),
    x=integers(5, 7, 3, high=256, dtype="uint8"),
)
