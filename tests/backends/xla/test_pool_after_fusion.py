"""The gradient of max pooling where XLA computes the pooled values anew, rounded differently."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import gradtape as tf


def test_every_window_has_its_maximum_somewhere():
    draw = np.random.default_rng(0)
    x = tf.constant(draw.standard_normal((16, 8, 8, 2)))
    kernel = tf.constant(draw.standard_normal((3, 3, 2, 8)))
    scale, shift = (tf.constant(draw.standard_normal(8)) for _ in range(2))
    weights = tf.constant(draw.standard_normal((16, 3, 3, 8)))

    def gradients(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.nn.conv2d(x, kernel, 1, "VALID")
            mean, variance = tf.nn.moments(y, [0, 1, 2])
            y = tf.nn.relu(tf.nn.batch_normalization(y, mean, variance, shift, scale, 1e-3))
            total = tf.reduce_sum(weights * tf.nn.max_pool2d(y, 2, 2, "VALID"))
        return tape.gradient(total, x)

    compiled = tf.function(gradients, jit_compile=True)
    np.testing.assert_allclose(compiled(x), gradients(x), rtol=1e-9, atol=1e-9)
