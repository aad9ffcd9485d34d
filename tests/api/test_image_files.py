"""Image files: what the real TensorFlow wrote and read is written and read alike."""

import base64
import io
import json
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf

Image = pytest.importorskip("PIL.Image", reason="Pillow is the optional extra `image`")

_DATA = json.loads(Path(__file__).with_name("image_files.json").read_text(encoding="utf-8"))
FILES = {name: base64.b64decode(text) for name, text in _DATA["files"].items()}
PIXELS = {name: np.array(values) for name, values in _DATA["pixels"].items()}
IMAGE = PIXELS["image"].astype(np.uint8)
DEEP = PIXELS["deep"].astype(np.uint16)


def same(result, name: str, dtype="uint8") -> None:
    assert result.dtype.name == dtype
    np.testing.assert_array_equal(result.numpy(), PIXELS[name])


def gif(*frames) -> bytes:
    buffer = io.BytesIO()
    first, *others = [Image.fromarray(frame) for frame in frames]
    first.save(buffer, "GIF", save_all=True, append_images=others)
    return buffer.getvalue()


RED = np.full((4, 5, 3), (255, 0, 0), np.uint8)
BLUE = np.full((4, 5, 3), (0, 0, 255), np.uint8)


def test_jpeg_files_are_tensorflows_to_the_byte():
    assert tf.io.encode_jpeg(IMAGE).numpy() == FILES["jpeg"]
    small = tf.io.encode_jpeg(
        IMAGE, quality=20, chroma_downsampling=False, progressive=True, optimize_size=True
    )
    assert tf.image.decode_jpeg(small).shape == (6, 9, 3)
    same(tf.io.decode_jpeg(tf.io.encode_jpeg(IMAGE[:, :, :1]), channels=3), "jpeg_gray_as_rgb")


def test_jpeg_is_decoded_with_tensorflows_accurate_method():
    same(tf.io.decode_jpeg(FILES["jpeg"]), "jpeg")
    same(tf.image.decode_jpeg(FILES["jpeg"], channels=1), "jpeg_as_gray")
    same(tf.io.decode_jpeg(FILES["jpeg"], ratio=2), "jpeg_half")
    same(tf.io.decode_jpeg(FILES["jpeg_gray"], channels=3), "jpeg_gray_as_rgb")
    assert tf.io.decode_jpeg(FILES["jpeg_gray"]).shape == (6, 9, 1)
    window = tf.io.decode_and_crop_jpeg(FILES["jpeg"], [1, 2, 3, 4])
    np.testing.assert_array_equal(window.numpy(), PIXELS["jpeg"][1:4, 2:6])


def test_jpeg_header():
    assert tf.io.extract_jpeg_shape(FILES["jpeg"]).numpy().tolist() == [6, 9, 3]
    assert tf.image.extract_jpeg_shape(FILES["jpeg_gray"], tf.int64).dtype == tf.int64
    result = tf.io.is_jpeg([FILES["jpeg"], FILES["png"]])
    assert result.numpy().tolist() == [True, False]
    assert bool(tf.io.is_jpeg(FILES["jpeg"]))


def test_png_is_decoded_as_tensorflow_does():
    same(tf.io.decode_png(FILES["png"]), "image")
    same(tf.image.decode_png(FILES["png"], channels=1), "png_as_gray")
    same(tf.io.decode_png(FILES["png"], channels=4, dtype=tf.uint16), "png_as_rgba_deep", "uint16")
    same(tf.io.decode_png(FILES["png_deep"], dtype=tf.uint16), "deep", "uint16")
    same(tf.io.decode_png(FILES["png_deep"], 1, tf.uint16), "png_deep_as_gray", "uint16")
    same(tf.io.decode_png(FILES["png_deep"], channels=4), "png_deep_as_rgba")


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_png_round_trip(channels, dtype):
    image = np.random.default_rng(channels).integers(
        0, np.iinfo(dtype).max, (7, 9, channels), dtype
    )
    again = tf.io.decode_png(tf.io.encode_png(image), dtype=tf.as_dtype(dtype))
    np.testing.assert_array_equal(again.numpy(), image)


def test_png_filters_of_other_writers():
    # Pillow chooses among all five filters; 16 bits are unfiltered here.
    noise = np.random.default_rng(0).integers(0, 65536, (20, 31), np.uint16)
    smooth = (np.add.outer(np.arange(20), np.arange(31)) * 997).astype(np.uint16)
    for image in (noise, smooth):
        buffer = io.BytesIO()
        Image.fromarray(image).save(buffer, "PNG", optimize=True)
        again = tf.io.decode_png(buffer.getvalue(), dtype=tf.uint16)
        np.testing.assert_array_equal(again.numpy()[:, :, 0], image)


def test_png_of_a_batch_is_a_vector_of_files():
    files = tf.io.encode_png(np.stack([IMAGE, IMAGE]), compression=9)
    assert files.shape == (2,)
    assert files.dtype == tf.string
    same(tf.io.decode_png(files[1]), "image")


def test_palettes_and_transparency():
    buffer = io.BytesIO()
    Image.fromarray(RED).convert("P").save(buffer, "PNG")
    np.testing.assert_array_equal(tf.io.decode_png(buffer.getvalue()).numpy(), RED)
    gray = np.full((2, 2, 2), (90, 0), np.uint8)
    np.testing.assert_array_equal(
        tf.io.decode_png(tf.io.encode_png(gray), channels=3).numpy(), np.full((2, 2, 3), 90)
    )


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_bmp(channels):
    same(tf.io.decode_bmp(FILES[f"bmp_{channels}"]), f"bmp_{channels}")
    same(tf.io.decode_image(FILES[f"bmp_{channels}"]), f"bmp_{channels}")


def test_gif():
    frames = tf.io.decode_gif(gif(RED, BLUE))
    assert frames.shape == (2, 4, 5, 3)
    np.testing.assert_array_equal(frames.numpy(), np.stack([RED, BLUE]))
    assert tf.io.decode_image(gif(RED, BLUE)).shape == (2, 4, 5, 3)
    assert tf.io.decode_image(gif(RED, BLUE), expand_animations=False).shape == (4, 5, 3)
    assert tf.io.decode_png(gif(RED)).shape == (4, 5, 3)
    assert tf.io.decode_gif(FILES["png"]).shape == (1, 6, 9, 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="2 frames"):
        tf.io.decode_png(gif(RED, BLUE))


def test_decode_image_in_other_dtypes():
    floats = tf.io.decode_image(FILES["png"], dtype=tf.float32)
    np.testing.assert_allclose(floats.numpy(), IMAGE / np.float32(255), rtol=1e-6)
    deep = tf.io.decode_image(FILES["jpeg"], dtype=tf.uint16)
    np.testing.assert_array_equal(deep.numpy(), PIXELS["jpeg"] * 256)
    whole = tf.io.decode_image(FILES["png"], dtype=tf.int32)
    np.testing.assert_array_equal(whole.numpy(), IMAGE.astype(np.int64) * 257 * 32768)
    same(tf.io.decode_image(FILES["png"], channels=1), "png_as_gray")


def test_webp():
    buffer = io.BytesIO()
    Image.fromarray(IMAGE).save(buffer, "WEBP", lossless=True)
    same(tf.io.decode_webp(buffer.getvalue())[0], "image")
    assert tf.io.decode_image(buffer.getvalue()).shape == (1, 6, 9, 3)
    same(tf.io.decode_image(buffer.getvalue(), expand_animations=False), "image")


def test_adjust_jpeg_quality():
    same(tf.image.adjust_jpeg_quality(IMAGE, 30), "adjusted")
    floats = tf.image.adjust_jpeg_quality(IMAGE.astype(np.float32) / 255, 30)
    np.testing.assert_allclose(floats.numpy(), PIXELS["adjusted"] / 255, atol=1e-6)
    image = tf.image.stateless_random_jpeg_quality(IMAGE, 20, 90, seed=(1, 2))
    quality = int(tf.random.stateless_uniform([], (1, 2), 20, 90, tf.int32))
    np.testing.assert_array_equal(image, tf.image.adjust_jpeg_quality(IMAGE, quality))
    tf.random.set_seed(3)
    first = tf.image.random_jpeg_quality(IMAGE, 20, 90)
    tf.random.set_seed(3)
    np.testing.assert_array_equal(first, tf.image.random_jpeg_quality(IMAGE, 20, 90))


# --- damaged files and wrong arguments -----------------------------------------------------------


@pytest.mark.parametrize("name", ["jpeg", "jpeg_gray", "png", "png_deep", "bmp_3"])
def test_no_truncated_file_gives_an_image(name):
    whole = FILES[name]
    for length in range(0, len(whole) - 4, max(len(whole) // 40, 1)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.io.decode_image(whole[:length])


def test_a_damaged_chunk_is_found():
    for name in ("png", "png_deep"):
        damaged = bytearray(FILES[name])
        damaged[-20] ^= 255
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"damaged|Invalid"):
            tf.io.decode_png(bytes(damaged))


def test_truncated_jpeg_on_request():
    noise = np.random.default_rng(0).integers(0, 256, (40, 40, 3), np.uint8)
    part = tf.io.encode_jpeg(noise).numpy()[:1500]
    with pytest.raises(tf.errors.InvalidArgumentError, match="incomplete"):
        tf.io.decode_jpeg(part)
    assert tf.io.decode_jpeg(part, try_recover_truncated=True).shape == (40, 40, 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="incomplete"):
        tf.io.decode_jpeg(part)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: tf.io.decode_image(b"hello"), "Unknown image file format"),
        (lambda: tf.io.decode_png(b""), "empty"),
        (lambda: tf.io.decode_png(FILES["png"], channels=2), "`channels` must be 0, 1, 3 or 4"),
        (lambda: tf.io.decode_png(FILES["png"], dtype=tf.float32), "uint8 or uint16"),
        (lambda: tf.io.decode_png([FILES["png"]]), "must be scalar"),
        (lambda: tf.io.decode_png(3), "must be a string"),
        (lambda: tf.io.decode_bmp(FILES["png"]), "PNG format using DecodeBmp"),
        (lambda: tf.io.decode_jpeg(FILES["jpeg"], channels=4), "4 channels"),
        (lambda: tf.io.decode_jpeg(FILES["jpeg"], ratio=3), "ratio must be 1, 2, 4, or 8"),
        (lambda: tf.io.decode_and_crop_jpeg(FILES["jpeg"], [0, 0, 7, 2]), "crop window"),
        (lambda: tf.io.extract_jpeg_shape(FILES["png"]), "Invalid JPEG"),
        (lambda: tf.io.encode_png(tf.zeros([2, 2, 3])), "uint8 or uint16"),
        (lambda: tf.io.encode_png(tf.zeros([2, 2, 5], tf.uint8)), "1, 2, 3, or 4 channels"),
        (lambda: tf.io.encode_png(tf.zeros([0, 2, 3], tf.uint8)), "empty"),
        (lambda: tf.io.encode_png(tf.zeros([2, 3], tf.uint8)), "at least rank 3"),
        (lambda: tf.io.encode_png(IMAGE, compression=12), "compression"),
        (lambda: tf.io.encode_jpeg(np.stack([IMAGE])), "3-dimensional"),
        (lambda: tf.io.encode_jpeg(tf.zeros([2, 2, 3])), "uint8"),
        (lambda: tf.io.encode_jpeg(IMAGE, quality=101), "quality"),
        (lambda: tf.io.encode_jpeg(IMAGE, format="grayscale"), "channels"),
        (lambda: tf.io.encode_jpeg(IMAGE, format="cmyk"), "format"),
    ],
)
def test_wrong_arguments(call, text):
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        call()
