"""Images and sounds that promise what is not there give an error, and no memory for the promise."""

import tracemalloc
import zlib

import pytest

import gradtape as tf
from tests.hostile import media

IMAGES, SOUNDS = list(media.images()), list(media.sounds())
MAX = 64 << 20  # bytes that a file of a hundred bytes may make a reader ask for


def refused(read, data, name):
    tracemalloc.start()
    try:
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError)) as caught:
            read(data)
        assert str(caught.value), name
        assert tracemalloc.get_traced_memory()[1] < MAX, name
    finally:
        tracemalloc.stop()


def test_there_are_many():
    assert len(IMAGES) + len(SOUNDS) >= 100
    assert len({name for name, _ in IMAGES}) == len(IMAGES)


@pytest.mark.parametrize(("name", "data"), IMAGES, ids=[name for name, _ in IMAGES])
def test_images(name, data):
    refused(tf.io.decode_image, data, name)


@pytest.mark.parametrize(("name", "data"), SOUNDS, ids=[name for name, _ in SOUNDS])
def test_sounds(name, data):
    refused(tf.audio.decode_wav, data, name)


def test_pixels_that_the_image_does_not_have_are_not_unpacked():
    """As in TensorFlow, the image is read; the hundred megabytes behind it are not."""
    data = media.png(pixels=zlib.compress(bytes(100 << 20)))
    tracemalloc.start()
    try:
        assert tf.io.decode_image(data).numpy().tolist() == [[[0] * 3] * 2] * 2
        assert tracemalloc.get_traced_memory()[1] < 2 << 20
    finally:
        tracemalloc.stop()
