"""`fit` with traced steps: the same history as with eager ones."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape.backends.xla.runtime import choose

pytestmark = pytest.mark.keras
keras = pytest.importorskip("gradtape.keras", reason="Keras is an optional package")

X = np.random.default_rng(0).normal(size=(100, 6)).astype(np.float32)
Y = (X.sum(1) > 0).astype(np.int64)


@pytest.fixture(autouse=True)
def imported():
    dense()  # what the first model of a process imports draws from Python's random numbers


def model(*layers, seed=3):
    keras.utils.set_random_seed(seed)
    return keras.Sequential([keras.layers.Input((6,)), *layers])


def history(build, eagerly: bool, optimizer="adam", epochs=3) -> dict:
    network = build()
    network.compile(
        optimizer() if callable(optimizer) else optimizer,
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
        run_eagerly=eagerly,
    )
    result = network.fit(
        X, Y, batch_size=8, epochs=epochs, verbose=0, validation_data=(X[:24], Y[:24])
    )
    return {**result.history, "predicted": network.predict(X, batch_size=8, verbose=0)}


def dense():
    layers = keras.layers
    return model(
        layers.Dense(16, activation="relu"),
        layers.Dropout(0.3),
        layers.BatchNormalization(),
        layers.Dense(2, kernel_regularizer="l2", activity_regularizer="l2"),
    )


def recurrent():
    layers = keras.layers
    return model(layers.Reshape((3, 2)), layers.LSTM(5), layers.Dense(2))


OPTIMIZERS = {
    "adam": "adam",
    "sgd": lambda: keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
    "accumulated": lambda: keras.optimizers.SGD(0.1, gradient_accumulation_steps=2),
    "averaged": lambda: keras.optimizers.Adam(use_ema=True, ema_overwrite_frequency=3),
    "scaled": lambda: keras.optimizers.LossScaleOptimizer(
        keras.optimizers.Adam(), initial_scale=16.0, dynamic_growth_steps=3
    ),
    "scheduled": lambda: keras.optimizers.Adam(
        keras.optimizers.schedules.ExponentialDecay(0.01, 5, 0.9)
    ),
}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("build", [dense, recurrent])
def test_the_same_history(build, optimizer, caplog):
    traced = history(build, False, OPTIMIZERS[optimizer])
    eager = history(build, True, OPTIMIZERS[optimizer])
    assert traced.keys() == eager.keys()
    for name, values in eager.items():
        np.testing.assert_allclose(traced[name], values, rtol=2e-4, atol=1e-5, err_msg=name)
    assert "eagerly" not in caplog.text


def test_a_step_that_needs_values_stays_eager(caplog):
    class Noisy(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(1)
            self.seen = []

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            logs = super().train_step(data)
            self.seen.append(float(logs["loss"]))
            return logs

    network = Noisy()
    network.compile("sgd", "mse")
    network.fit(X, Y.astype(np.float32), batch_size=10, epochs=2, verbose=0)
    assert len([v for v in network.seen if np.isfinite(v)]) == 20
    assert caplog.text.count("runs eagerly") == 1
    assert "test_keras_steps.py" in caplog.text


def test_losses_of_layers_have_values_after_traced_steps():
    network = dense()
    network.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    network.fit(X, Y, batch_size=10, epochs=2, verbose=0)
    assert all(np.isfinite(tf.convert_to_tensor(loss).numpy()) for loss in network.losses)


def test_functions_inside_of_what_is_computed_again():
    """Their seeds and counts are those of the first run, although their graphs are there."""
    layer = keras.layers.Dropout(0.5, seed=3)
    drop = tf.function(lambda x: layer(x, training=True))
    x = tf.Variable(tf.ones(64))
    for _ in range(2):
        with tf.GradientTape() as tape:
            y = keras.remat(drop)(x)
        slope = tape.gradient(y, x).numpy()
        np.testing.assert_array_equal(slope, y.numpy())


class Rounded(keras.layers.Layer):
    """A layer that computes in Python."""

    def call(self, x):
        def computed(values):
            return np.round(np.asarray(values), 1)

        y = tf.py_function(computed, [x], tf.float32)
        return x + tf.stop_gradient(tf.reshape(y, x.shape) - x)


def fitted(build, x, eagerly: bool, **options) -> list:
    network = build()
    network.compile(
        "sgd",
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        run_eagerly=eagerly,
        **options,
    )
    data = (x,) if isinstance(x, tf.data.Dataset) else (x, Y, 10)
    return network.fit(*data, epochs=2, verbose=0, shuffle=False).history["loss"]


def test_a_layer_of_python_code_is_called_from_the_graph(caplog):
    def build():
        return model(keras.layers.Dense(4), Rounded(), keras.layers.Dense(2))

    eager = fitted(build, X, True)
    assert not caplog.text
    np.testing.assert_allclose(fitted(build, X, False), eager, rtol=1e-5)
    assert not caplog.text


class Length(keras.layers.Layer):
    """The number of letters of words."""

    def call(self, x):
        return tf.cast(tf.strings.length(x), tf.float32)


def test_a_layer_of_strings_is_part_of_the_graph(caplog):
    words = np.array(["red", "green", "blue", "gray"])[np.arange(100) % 4].reshape(100, 1)
    batches = tf.data.Dataset.from_tensor_slices((words, Y)).batch(10)

    def build():
        keras.utils.set_random_seed(3)
        inputs = keras.layers.Input((1,), dtype="string")
        return keras.Sequential([inputs, Length(), keras.layers.Dense(2)])

    eager = fitted(build, batches, True)
    np.testing.assert_allclose(fitted(build, batches, False), eager, rtol=1e-5)
    assert not caplog.text


def test_asking_for_xla_where_the_step_prints(caplog, monkeypatch):
    pytest.importorskip("jax", reason="XLA is reached by way of JAX, an optional package")
    monkeypatch.setattr(choose, "_warned", set())  # once in a process

    class Printing(keras.layers.Layer):
        def call(self, x):
            tf.print("x", output_stream=lambda text: None)
            return x

    def build():
        return model(keras.layers.Dense(4), Printing(), keras.layers.Dense(2))

    eager = fitted(build, X, True)
    np.testing.assert_allclose(fitted(build, X, False, jit_compile=True), eager, rtol=1e-5)
    assert "train_step is compiled in parts, between which the host works: it" in caplog.text


def test_xla_gives_the_same_history():
    pytest.importorskip("jax", reason="XLA is reached by way of JAX, an optional package")
    eager = fitted(dense, X, True)
    np.testing.assert_allclose(fitted(dense, X, False, jit_compile=True), eager, rtol=1e-5)


def test_rows_that_no_trace_can_hold_run_eagerly_and_say_so(caplog):
    sparse = tf.sparse.from_dense(np.where(X > 0, X, 0))

    def build():
        return model(keras.layers.Dense(2))

    eager = fitted(build, sparse, True)
    assert not caplog.text
    np.testing.assert_allclose(fitted(build, sparse, False), eager, rtol=1e-5)
    assert caplog.text.count("train_step runs eagerly: a batch has a SparseTensor in it") == 1
