"""Keras layers and `tf.data`: those that learn from a dataset, and those that run in one."""

import numpy as np
import pytest

import gradtape as tf

X = np.random.default_rng(0).normal(3, 2, (20, 4)).astype("float32")


@pytest.mark.parametrize("batch", [None, 5, 6])
def test_normalization_adapts_to_a_dataset(keras, batch):
    dataset = tf.data.Dataset.from_tensor_slices(X)
    layer = keras.layers.Normalization()
    layer.adapt(dataset if batch is None else dataset.batch(batch))
    np.testing.assert_allclose(np.ravel(layer.mean), X.mean(0), rtol=1e-5)
    np.testing.assert_allclose(np.ravel(layer.variance), X.var(0), rtol=1e-5)
    np.testing.assert_allclose(layer(X), (X - X.mean(0)) / X.std(0), rtol=1e-4, atol=1e-5)


def test_normalization_adapts_to_the_inputs_of_pairs(keras):
    dataset = tf.data.Dataset.from_tensor_slices((X, X[:, :1])).batch(5)
    layer = keras.layers.Normalization()
    layer.adapt(dataset.map(lambda x, y: x))
    model = keras.Sequential([keras.Input((4,)), layer, keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    losses = model.fit(dataset, epochs=3, shuffle=False, verbose=0).history["loss"]
    assert losses[-1] < losses[0]


def test_discretization_adapts_to_a_dataset(keras):
    layers = [keras.layers.Discretization(num_bins=4) for _ in "ab"]
    layers[0].adapt(X)
    layers[1].adapt(tf.data.Dataset.from_tensor_slices(X).batch(20))
    np.testing.assert_allclose(layers[1].bin_boundaries, layers[0].bin_boundaries)


def test_layers_run_in_a_pipeline(keras):
    dataset = tf.data.Dataset.from_tensor_slices(X).batch(5).map(keras.layers.Rescaling(2.0))
    np.testing.assert_allclose(np.concatenate(list(dataset.as_numpy_iterator())), 2 * X)
