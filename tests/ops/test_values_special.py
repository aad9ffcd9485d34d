"""Values at poles and in half precision, as TensorFlow computes them."""

import numpy as np
import pytest

import gradtape as tf


def test_zeta_at_the_poles():
    x, q = [3.0, 2.0, 3.0, 2.5, 3.0, 2.0], [0.0, 0.0, -1.0, -0.5, 2.0, -1.0]
    expected = [np.nan, np.inf, np.nan, np.nan, 0.20205691, np.inf]
    np.testing.assert_allclose(tf.math.zeta(x, q), expected, rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_cross_entropies_are_summed_in_float32(dtype):
    """The sum of a thousand terms in bfloat16 would stand still at a quarter of it."""
    labels, logits = tf.ones(1000, dtype), tf.zeros(1000, dtype)
    loss = tf.nn.softmax_cross_entropy_with_logits(labels, logits)
    np.testing.assert_allclose(tf.cast(loss, tf.float32), 1000 * np.log(1000), rtol=4e-3)


def test_fake_quantization_is_differentiated_inside_of_a_map():
    x, ends = tf.constant([[-3.0, 0.3], [0.5, 7.0]]), (tf.constant(-1.0), tf.constant(3.0))
    gradients = []
    for run in (lambda f, x: f(x), tf.vectorized_map):
        with tf.GradientTape() as tape:
            tape.watch((x, ends))
            y = run(lambda r: tf.quantization.fake_quant_with_min_max_vars(r, *ends), x)
        gradients.append([g.numpy() for g in tape.gradient(y, [x, *ends])])
    for result in gradients:
        np.testing.assert_array_equal(result[0], [[0, 1], [1, 0]])
        assert result[1:] == [1, 1]
