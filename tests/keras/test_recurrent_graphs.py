"""Recurrent layers inside of functions: one op, whatever the number of steps, as eager code."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

keras = tf.keras
BATCH, STEPS, WIDTH = 3, 20, 4


class Pair(keras.layers.Layer):
    """A cell of two inputs, two states and two outputs."""

    state_size = (WIDTH, WIDTH)
    output_size = (WIDTH, WIDTH)

    def build(self, input_shape):
        self.w = self.add_weight(shape=(WIDTH, WIDTH), initializer="orthogonal")

    def call(self, inputs, states):
        a, b = inputs
        h, k = states
        h, k = keras.ops.tanh(a @ self.w + k), keras.ops.tanh(h + b)
        return (h, k), (h, k)


class Wrapped(keras.layers.Layer):
    """An RNN of `Pair`, whose two outputs are joined."""

    def __init__(self, **options):
        super().__init__()
        self.supports_masking = True
        self.cell = Pair()
        self.options = options

    def build(self, input_shape):
        self.cell.build(None)

    def call(self, x, mask=None):
        from keras_gradtape.src.rnn import rnn  # after tf.keras has set Keras up

        zeros = keras.ops.zeros((BATCH, WIDTH))
        _, outputs, states = rnn(self.cell, (x, 2 * x), (zeros, zeros), mask=mask, **self.options)
        return keras.ops.concatenate([*outputs, *[s[:, None] for s in states]], axis=1)


LAYERS = {
    "SimpleRNN": lambda: keras.layers.SimpleRNN(WIDTH),
    "all outputs": lambda: keras.layers.SimpleRNN(WIDTH, return_sequences=True),
    "backwards": lambda: keras.layers.SimpleRNN(WIDTH, return_sequences=True, go_backwards=True),
    "LSTM": lambda: keras.layers.LSTM(WIDTH, return_sequences=True, activation="relu"),
    "GRU": lambda: keras.layers.GRU(WIDTH, reset_after=False),
    "Bidirectional": lambda: keras.layers.Bidirectional(keras.layers.SimpleRNN(WIDTH)),
    "stacked cells": lambda: keras.layers.RNN(
        [keras.layers.SimpleRNNCell(WIDTH), keras.layers.LSTMCell(WIDTH)], return_sequences=True
    ),
    "bfloat16": lambda: keras.layers.LSTM(WIDTH, return_sequences=True, dtype="mixed_bfloat16"),
    "structures": Wrapped,
    "structures, last output": lambda: Wrapped(return_all_outputs=False),
    "structures, zeros": lambda: Wrapped(zero_output_for_mask=True),
}
MASKS = {
    "no mask": None,
    "mask": np.arange(STEPS) < np.array([[STEPS], [7], [12]]),
    "first steps": np.arange(STEPS) >= np.array([[0], [3], [STEPS]]),
}


def with_gradients(layer, x, mask):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer(x) if mask is None else layer(x, mask=mask)
        loss = tf.reduce_sum(tf.cast(y, tf.float32) ** 2)
    return [y, *tape.gradient(loss, [x, *layer.trainable_variables])]


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("name", LAYERS)
def test_as_eager_code(name, kind):
    keras.utils.set_random_seed(1)
    layer, mask = LAYERS[name](), MASKS[kind]
    x = tf.random.normal([BATCH, STEPS, WIDTH])
    mask = None if mask is None else tf.constant(mask)
    expected = with_gradients(layer, x, mask)
    result = tf.function(with_gradients, autograph=False)(layer, x, mask)
    assert len(expected) == 2 + len(layer.trainable_variables)
    for a, b in zip(result, expected, strict=True):
        # In 16 bits, sums over the steps are in another order.
        tolerance = 2e-2 if name == "bfloat16" else 1e-5
        np.testing.assert_allclose(
            tf.cast(a, tf.float32), tf.cast(b, tf.float32), rtol=tolerance, atol=tolerance
        )


@pytest.mark.parametrize("kind", MASKS)
def test_a_graph_does_not_grow_with_the_steps(kind):
    layer = keras.layers.SimpleRNN(WIDTH, return_sequences=True)

    def ops(steps: int) -> int:
        x = tf.zeros([BATCH, steps, WIDTH])
        mask = None if kind == "no mask" else tf.ones([BATCH, steps], tf.bool)
        return len(tf.graph.text(tf.function(with_gradients), layer, x, mask).splitlines())

    layer(tf.zeros([BATCH, STEPS, WIDTH]))
    assert ops(20) == ops(200)
    assert ops(200) < 200


def test_dropout_of_a_layer_is_the_same_at_every_step():
    layer = keras.layers.SimpleRNN(WIDTH, recurrent_dropout=0.5, dropout=0.5, seed=3)
    x = tf.random.normal([BATCH, STEPS, WIDTH])
    layer(x)
    again = keras.layers.SimpleRNN(WIDTH, recurrent_dropout=0.5, dropout=0.5, seed=3)
    again(x)
    again.set_weights(layer.get_weights())
    traced = tf.function(lambda x: again(x, training=True), autograph=False)
    for _ in range(3):
        np.testing.assert_allclose(traced(x), layer(x, training=True), rtol=1e-5, atol=1e-6)
