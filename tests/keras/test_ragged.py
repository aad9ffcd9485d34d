"""Ragged tensors given to Keras are padded, as with every backend that has none of its own."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

ROWS = [[1, 2, 3], [4], [5, 6]]


@pytest.fixture
def model():
    tf.keras.utils.set_random_seed(3)
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Embedding(10, 4, mask_zero=True),
            layers.GlobalAveragePooling1D(),
            layers.Dense(1),
        ]
    )
    model.compile("sgd", "mse")
    return model


def test_models_take_ragged_tensors(model):
    rt = tf.ragged.constant(ROWS)
    expected = model(rt.to_tensor()).numpy()
    np.testing.assert_allclose(model(rt).numpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(model.predict(rt, verbose=0), expected, rtol=1e-6)
    batches = tf.data.Dataset.from_tensor_slices(rt).batch(2)
    np.testing.assert_allclose(model.predict(batches, verbose=0), expected, rtol=1e-5)


def test_fit_on_ragged_batches(model):
    rt = tf.ragged.constant(ROWS)
    pairs = tf.data.Dataset.from_tensor_slices((rt, [[1.0], [2.0], [3.0]])).batch(3)
    first = model.fit(pairs, epochs=1, shuffle=False, verbose=0).history["loss"][0]
    last = model.fit(pairs, epochs=20, shuffle=False, verbose=0).history["loss"][-1]
    assert last < first
    model.fit(rt, np.ones((3, 1)), batch_size=2, verbose=0)


def test_functions_of_keras_pad():
    rt = tf.ragged.constant(ROWS)
    assert tf.keras.ops.convert_to_tensor(rt).shape == (3, 3)
    assert tf.keras.ops.sum(rt) == 21
    with pytest.raises(ValueError, match="`ragged=True` is not supported"):
        tf.keras.ops.convert_to_tensor([1], ragged=True)
