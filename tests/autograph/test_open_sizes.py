"""Loops over open sizes: one trace for all lengths, with the values of eager code."""

import numpy as np
import pytest

import gradtape as tf


def last(x):
    state = tf.zeros([tf.shape(x)[0]])
    for t in tf.range(tf.shape(x)[1]):
        state = tf.tanh(state + x[:, t])
    return state


def over_rows(x):
    total = tf.zeros([tf.shape(x)[1]])
    for row in x:
        total = 0.5 * total + row
    return total


def written(x):
    state = tf.zeros([tf.shape(x)[0]])
    array = tf.TensorArray(tf.float32, tf.shape(x)[1])
    for t in tf.range(tf.shape(x)[1]):
        state = tf.tanh(state + x[:, t])
        array = array.write(t, state)
    return tf.transpose(array.stack()) * x


def unstacked(x):
    array = tf.TensorArray(tf.float32, tf.shape(x)[0]).unstack(x)
    total = tf.zeros([tf.shape(x)[1]])
    for i in tf.range(tf.shape(x)[0]):
        total += array.read(i) * tf.cast(i, tf.float32)
    return total


def until(x):
    total, i = 0.0, 0
    while i < tf.shape(x)[0]:
        total += tf.reduce_sum(x[i])
        i += 1
    return total


def chosen(x):
    if tf.shape(x)[0] > 3:
        return tf.reduce_sum(x)
    return tf.reduce_sum(x) * tf.cast(tf.size(x), tf.float32)


@pytest.mark.parametrize("plain", [last, over_rows, written, unstacked, until, chosen])
def test_one_trace_for_all_lengths(plain):
    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = plain(x)
        return y, tape.gradient(y, x)

    function = tf.function(step, input_signature=[tf.TensorSpec([None, None])])
    for shape in [(3, 5), (7, 4), (2, 40), (1, 6), (6, 1), (4, 70), (3, 5), (3, 5), (3, 5)]:
        x = tf.constant(np.random.RandomState(shape[1]).randn(*shape), "float32")
        for made, wanted in zip(function(x), step(x), strict=True):
            np.testing.assert_allclose(made, wanted, rtol=1e-4, atol=1e-5)
    assert function._cache.count == 1
