"""`tf.train.ExponentialMovingAverage` inside functions."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf


@pytest.mark.filterwarnings("error")
def test_averages_made_in_a_function_start_before_it():
    weight, count = tf.Variable([1.0, 2.0]), tf.Variable(0, dtype=tf.int64)
    double = tf.Variable([3.0, 5.0], dtype=tf.float64)
    constant = tf.train.ExponentialMovingAverage(tf.constant(0.7))
    growing = tf.train.ExponentialMovingAverage(0.9, num_updates=count)

    @tf.function
    def step(x):
        weight.assign_sub(x)
        double.assign_sub(tf.cast(x, tf.float64))
        count.assign_add(1)
        constant.apply([weight])
        growing.apply([weight, double])

    for _ in range(4):
        step(tf.constant([0.1, 0.3]))
    # As TensorFlow 2.21 computes them.
    np.testing.assert_allclose(constant.average(weight), [0.77731, 1.33193], rtol=1e-5)
    np.testing.assert_allclose(growing.average(weight), [0.64995, 0.94985], rtol=1e-5)
    np.testing.assert_allclose(growing.average(double), [2.64995, 3.94985], rtol=1e-5)


def test_averages_are_those_of_variables():
    with pytest.raises(TypeError, match="does not support non-Variable tensors: got <tf"):
        tf.train.ExponentialMovingAverage(0.9).apply([tf.constant(1.0)])
