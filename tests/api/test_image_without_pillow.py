"""What image files need of Pillow, and what they do without it."""

import sys

import numpy as np
import pytest

import gradtape as tf

IMAGE = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)


def test_importing_gradtape_does_not_import_pillow():
    import subprocess

    code = "import gradtape, sys; sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_pillow_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"Pillow.*gradtape\[image\]"):
        tf.io.encode_jpeg(IMAGE)


def test_png_is_written_and_deep_png_read_without_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    deep = IMAGE.astype(np.uint16) * 999
    again = tf.io.decode_png(tf.io.encode_png(deep), dtype=tf.uint16)
    np.testing.assert_array_equal(again.numpy(), deep)
