"""Layer normalization: the native kernels beside NumPy's in double precision."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape import ops
from tests.backends.native.kernels import (
    Declined,
    native_kernel,
    needs_extension,
    numpy_kernel,
    threads,
)

SHAPES = [(1, 1), (3, 5), (130, 33), (2, 3, 64), (700, 257), (7,)]


def sample(shape):
    random = np.random.default_rng(0)
    x, g = random.normal(1, 2, shape), random.normal(size=shape)
    scale, offset = random.normal(size=(2, shape[-1]))
    return [a.astype(np.float32) for a in (x, scale, offset, g)]


@needs_extension
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_forward_and_back(shape):
    x, scale, offset, g = sample(shape)
    wide = [a.astype(np.float64) for a in (x, scale, offset, g)]
    y = native_kernel("layer_normalize")(x, scale, offset, epsilon=1e-3)
    exact = numpy_kernel("layer_normalize")(*wide[:3], epsilon=1e-3)
    np.testing.assert_allclose(y, exact, rtol=1e-5, atol=1e-5)
    results = []
    for number in (1, 2, 3):
        with threads(number):
            results.append(native_kernel("layer_normalize_grad")(x, scale, g, epsilon=1e-3))
    exact = numpy_kernel("layer_normalize_grad")(wide[0], wide[1], wide[3], epsilon=1e-3)
    for one, two, three, expected in zip(*results, exact, strict=True):
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(one, three)
        assert one.dtype == np.float32
        np.testing.assert_allclose(one, expected, rtol=1e-4, atol=3e-5)


@needs_extension
def test_what_is_left_to_numpy():
    x, scale, offset, _ = sample((4, 6))
    for arguments in (
        (x.T[:, :4].T[:, ::1].T, scale, offset),
        (x.astype(np.float64), scale.astype(np.float64), offset.astype(np.float64)),
        (x[:0], scale, offset),
    ):
        with pytest.raises(Declined):
            native_kernel("layer_normalize")(*arguments, epsilon=1e-3)


def test_it_is_what_moments_give():
    x, scale, offset, _ = map(tf.constant, sample((5, 8)))
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    expected = tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3)
    np.testing.assert_allclose(
        ops.layer_normalize(x, scale, offset, 1e-3), expected, rtol=1e-5, atol=1e-6
    )


def test_wrong_shapes_are_explained():
    x = tf.ones([2, 3])
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match=r"scale and offset must have the shape of the last axis of x. Received: "
        r"x.shape=\(2, 3\), scale.shape=\(2,\), offset.shape=\(3,\)",
    ):
        ops.layer_normalize(x, tf.ones([2]), tf.ones([3]), 1e-3)
