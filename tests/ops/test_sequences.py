"""Attention and recurrent layers: what their ops say about arguments that do not fit."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape import ops


def zeros(*shape: int):
    return tf.zeros(shape)


@pytest.mark.parametrize(
    "shapes",
    [
        [(2, 3, 4), (2, 3, 4), (2, 3, 4)],
        [(2, 3, 1, 4), (1, 3, 1, 4), (1, 3, 1, 4)],
        [(2, 3, 1, 4), (2, 3, 2, 4), (2, 3, 2, 4)],
        [(2, 3, 1, 4), (2, 3, 1, 5), (2, 3, 1, 4)],
        [(2, 3, 1, 4), (2, 3, 1, 4), (2, 4, 1, 4)],
    ],
)
def test_attention_of_shapes_that_do_not_fit(shapes):
    with pytest.raises(ops.ShapeError, match=r"keys as deep as queries .*Op:Attention") as error:
        ops.attention(*[zeros(*shape) for shape in shapes])
    assert str([list(shape) for shape in shapes]) in str(error.value)


def test_a_bias_that_does_not_broadcast():
    q = zeros(2, 3, 1, 4)
    with pytest.raises(ops.ShapeError, match=r"\[1, 1, 1, 5\] does not broadcast.*\[2, 1, 3, 3\]"):
        ops.attention(q, q, q, zeros(5))


def test_attention_of_integers():
    q = np.zeros((2, 3, 1, 4), np.int32)
    with pytest.raises(ops.DTypeError, match=r"Attention does not take a tensor of dtype int32"):
        ops.attention(q, q, q)


def test_what_a_query_attends_to():
    """With one key that fits far better than the others, its value is the result."""
    q = tf.constant([[[[100.0]]]])
    k, v = tf.constant([[[[0.0]], [[1.0]], [[0.5]]]]), tf.constant([[[[1.0]], [[2.0]], [[3.0]]]])
    assert ops.attention(q, k, v, scale=1.0).numpy().item() == 2
    assert ops.attention(q, k, v, causal=True).numpy().item() == 1
    low = tf.constant([0.0, -2e38, 0.0])
    assert ops.attention(q, k, v, low, scale=1.0).numpy().item() == 3


def test_lstm_of_shapes_that_do_not_fit():
    x, h, w, u, b = zeros(2, 3, 4), zeros(2, 5), zeros(4, 20), zeros(5, 20), zeros(20)
    with pytest.raises(ops.ShapeError, match=r"LSTM: x must be \[batch, steps, inputs\]"):
        ops.lstm(zeros(2, 4), h, h, w, u, b)
    with pytest.raises(ops.ShapeError, match=r"LSTM: u has the shape \[5, 15\].*must be \[5, 20\]"):
        ops.lstm(x, h, h, w, zeros(5, 15), b)
    with pytest.raises(ops.ShapeError, match=r"LSTM: c has the shape \[2, 4\].*must be \[2, 5\]"):
        ops.lstm(x, h, zeros(2, 4), w, u, b)


def test_gru_of_shapes_that_do_not_fit():
    with pytest.raises(ops.ShapeError, match=r"GRU: b has the shape \[15\].*must be \[2, 15\]"):
        ops.gru(zeros(2, 3, 4), zeros(2, 5), zeros(4, 15), zeros(5, 15), zeros(15))


@pytest.mark.parametrize("op", [ops.lstm, ops.gru])
def test_second_derivatives_through_a_function(op):
    gates, biases = (4, ()) if op is ops.lstm else (3, (2,))
    random = np.random.default_rng(0)
    x, h, u, b = (
        tf.constant(random.standard_normal(shape))
        for shape in ((2, 3, 4), (2, 5), (5, gates * 5), (*biases, gates * 5))
    )
    w = tf.constant(random.standard_normal((4, gates * 5)))
    states = (h, h) if op is ops.lstm else (h,)

    def slope(w):
        with tf.GradientTape() as tape:
            tape.watch(w)
            actual = op(x, *states, w, u, b)
            y = tf.reduce_sum(actual[0] if op is ops.lstm else actual)
        return tape.gradient(y, w)

    def double(function):
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.reduce_sum(tf.square(function(w)))
        return tape.gradient(y, w)

    function = tf.function(slope)
    function(w)
    expected = double(slope)
    assert np.abs(expected).max() > 0.1
    np.testing.assert_allclose(double(function), expected, rtol=1e-10)
