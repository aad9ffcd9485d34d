"""Keras layers, optimizers and `fit` on a device: the same training as on the host."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import gradtape as tf

# Not by importing it: gradtape decides which backend Keras starts with.
pytestmark = [
    pytest.mark.keras,
    pytest.mark.skipif(find_spec("keras") is None, reason="Keras is not installed"),
]


def history(device: str) -> tuple[dict, str]:
    keras = tf.keras
    random = np.random.default_rng(0)
    images = random.standard_normal((32, 8, 8, 1)).astype("float32")
    labels = random.integers(0, 3, 32)
    with tf.device(device):
        keras.utils.set_random_seed(1)
        model = keras.Sequential(
            [
                keras.layers.Input((8, 8, 1)),
                keras.layers.Conv2D(4, 3, activation="relu"),
                keras.layers.BatchNormalization(),
                keras.layers.MaxPooling2D(),
                keras.layers.Dropout(0.2),
                keras.layers.Flatten(),
                keras.layers.Dense(3),
            ]
        )
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(keras.optimizers.Adam(1e-2), loss, metrics=["accuracy"])
        fitted = model.fit(images, labels, 16, epochs=3, verbose=0, shuffle=False)
        return fitted.history, model.weights[0]._gradtape_variable.device


def test_fit_on_a_device_gives_the_history_of_the_host():
    want, host = history("/CPU:0")
    got, device = history("/XLA:0")
    assert host.endswith("CPU:0")
    assert device.endswith("XLA:0")
    np.testing.assert_allclose(got["loss"], want["loss"], rtol=1e-4)
    assert got["accuracy"] == want["accuracy"]


def test_a_built_model_is_compiled_from_its_first_batch():
    keras = tf.keras
    calls = []

    class Counting(keras.layers.Layer):
        def call(self, x):
            calls.append(not tf.executing_eagerly())
            return x

    x = np.random.default_rng(0).standard_normal((12, 3)).astype("float32")
    model = keras.Sequential([keras.layers.Input((3,)), Counting(), keras.layers.Dense(1)])
    model.compile(keras.optimizers.Adam(), "mse", metrics=["mae"], jit_compile=True)
    calls.clear()
    model.fit(x, x[:, :1], batch_size=4, epochs=2, verbose=0)
    assert calls
    assert all(calls)
    assert model.evaluate(x, x[:, :1], verbose=0) == model.evaluate(x, x[:, :1], verbose=0)


@pytest.mark.parametrize("epochs", [3, 6])
def test_eager_training_is_that_of_the_host(epochs):
    """With 4 steps an epoch, ops are compiled as one program in the fifth."""
    keras = tf.keras
    x = np.linspace(-1, 1, 64, dtype=np.float32).reshape(32, 2)
    weights = []
    for device in ("/XLA:0", "/CPU:0"):
        with tf.device(device):
            keras.utils.set_random_seed(0)
            model = keras.Sequential(
                [keras.layers.Dense(4, "tanh"), keras.layers.Dropout(0.1), keras.layers.Dense(1)]
            )
            model.compile("adam", "mse", metrics=["mae"], run_eagerly=True)
            model.fit(x, x[:, :1] ** 2, epochs=epochs, batch_size=8, verbose=0, shuffle=False)
            weights.append(model.get_weights())
            assert int(model.optimizer.iterations) == 4 * epochs
    for a, b in zip(*weights, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
