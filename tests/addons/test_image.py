"""Images: beside TensorFlow's own op, scipy's filters, and formulas."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import ndimage

import gradtape as tf
import gradtape.addons as tfa

pytestmark = pytest.mark.keras
RECORD = json.loads((Path(__file__).parent / "transforms.json").read_text())
IMAGES = np.array(RECORD["images"], "float32").reshape(2, 5, 6, 1)


@pytest.mark.parametrize("case", RECORD["cases"], ids=lambda case: f"{case[1]}-{case[2]}")
def test_transforms_as_tensorflow(case):
    transform, interpolation, fill_mode, values = case
    result = tfa.image.transform(IMAGES, transform, interpolation, fill_mode, fill_value=7.0)
    np.testing.assert_allclose(result, np.reshape(values, IMAGES.shape), atol=2e-3)


def test_rotations_by_quarter_turns():
    square = IMAGES[:, :, :5]
    for turns in (1, 2, 3):
        result = tfa.image.rotate(square, turns * np.pi / 2)
        np.testing.assert_array_equal(result, np.rot90(square, turns, axes=(1, 2)))
    each = tfa.image.rotate(square, [np.pi / 2, np.pi], interpolation="bilinear")
    np.testing.assert_allclose(each[1], np.rot90(square[1], 2), atol=1e-3)
    assert tfa.image.rotate(square[0, :, :, 0], 0.3).shape == (5, 5)


def test_translations_and_composition():
    moved = tfa.image.translate(IMAGES, [2, -1])
    np.testing.assert_array_equal(moved[:, :4, 2:], IMAGES[:, 1:, :4])
    assert not np.any(moved[:, :, :2])
    there = tfa.image.translations_to_projective_transforms([2.0, 1.0])
    back = tfa.image.translations_to_projective_transforms([-2.0, -1.0])
    both = tfa.image.compose_transforms([there, back])
    np.testing.assert_allclose(both, [[1, 0, 0, 0, 1, 0, 0, 0]])


@pytest.mark.parametrize(("padding", "mode"), [("REFLECT", "mirror"), ("SYMMETRIC", "reflect")])
def test_filters_as_scipy(padding, mode):
    image = IMAGES[0, :, :, 0]
    result = tfa.image.gaussian_filter2d(image, (5, 5), 1.2, padding)
    expected = ndimage.gaussian_filter(image, 1.2, mode=mode, truncate=2 / 1.2)
    np.testing.assert_allclose(result, expected, rtol=1e-5)
    result = tfa.image.mean_filter2d(image, (3, 3), padding)
    np.testing.assert_allclose(result, ndimage.uniform_filter(image, 3, mode=mode), rtol=1e-5)
    result = tfa.image.median_filter2d(IMAGES, 3, padding)
    expected = ndimage.median_filter(image, 3, mode=mode)
    np.testing.assert_array_equal(result[0, :, :, 0], expected)


def test_interpolation_and_warps():
    points = np.array([[[1.5, 2.25], [-3.0, 1.0], [3.0, 9.0]]] * 2, "float32")
    result = tfa.image.interpolate_bilinear(IMAGES, points)
    inside = np.clip(points, 0, [4, 5])
    for i in range(2):
        expected = ndimage.map_coordinates(IMAGES[i, :, :, 0], inside[i].T, order=1)
        np.testing.assert_allclose(result[i, :, 0], expected, rtol=1e-5)
    swapped = tfa.image.interpolate_bilinear(IMAGES, points[..., ::-1], indexing="xy")
    np.testing.assert_allclose(swapped, result)
    flow = np.full((2, 5, 6, 2), [1.0, 0.0], "float32")
    warped = tfa.image.dense_image_warp(IMAGES, flow)
    np.testing.assert_allclose(warped[:, 1:], IMAGES[:, :-1])
    sampled = tfa.image.resampler(IMAGES, points[..., ::-1])
    np.testing.assert_allclose(sampled[:, 0], result[:, 0], rtol=1e-6)
    np.testing.assert_array_equal(sampled[:, 1:], np.zeros((2, 2, 1)))


def test_gradients_reach_the_flow():
    flow = tf.Variable(tf.fill((2, 5, 6, 2), 0.3))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tfa.image.dense_image_warp(tf.constant(IMAGES), flow))
    assert np.any(tape.gradient(loss, flow))


def test_cutout():
    result = tfa.image.cutout(IMAGES, (2, 4), (1, 3), 9)
    expected = IMAGES.copy()
    expected[:, 0:2, 1:5] = 9
    np.testing.assert_array_equal(result, expected)
    tf.random.set_seed(1)
    random = tfa.image.random_cutout(tf.ones((3, 8, 8, 1)), 4)
    assert all(0 < np.sum(image == 0) <= 16 for image in random.numpy())


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: tfa.image.rotate(tf.ones([3]), 1.0), TypeError, "rotate: images should have rank"),
        (lambda: tfa.image.transform(IMAGES, [1.0]), TypeError, r"shape \[8\]"),
        (lambda: tfa.image.cutout(IMAGES, (3, 2)), ValueError, "divisible by 2"),
        (lambda: tfa.image.cutout(IMAGES[0], 2), ValueError, r"\[batch, height, width, channels\]"),
        (lambda: tfa.image.gaussian_filter2d(IMAGES, sigma=-1), ValueError, "sigma"),
        (lambda: tfa.image.mean_filter2d(IMAGES, padding="X"), ValueError, "padding should be"),
        (lambda: tfa.image.mean_filter2d(IMAGES, (1, 2, 3)), ValueError, "filter_shape should be"),
        (lambda: tfa.image.interpolate_bilinear(IMAGES, [[1.0]]), ValueError, r"\[batch, N, 2\]"),
        (
            lambda: tfa.image.interpolate_bilinear(IMAGES, [[[1.0, 1.0]]], "zz"),
            ValueError,
            "'ij' or 'xy'",
        ),
        (
            lambda: tfa.image.interpolate_bilinear(IMAGES[:, :1], [[[1.0, 1.0]]]),
            ValueError,
            "at least 2 by 2",
        ),
    ],
)
def test_wrong_arguments(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_slope_at_a_grid_point_is_0():
    image = tf.constant(np.arange(20.0, dtype="f").reshape(1, 4, 5, 1))
    points = tf.constant([[[1.0, 2.0], [1.25, 2.0]]])
    with tf.GradientTape() as tape:
        tape.watch(points)
        y = tfa.image.interpolate_bilinear(image, points)
    np.testing.assert_array_equal(tape.gradient(y, points), [[[0, 0], [5, 0]]])


def test_transforms_load_keras_themselves():
    program = (
        "import gradtape.addons as tfa, numpy as np; "
        "print(tfa.image.rotate(np.ones((2, 2, 1), 'float32'), 0.0).shape)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert finished.stdout == "(2, 2, 1)\n", finished.stderr
