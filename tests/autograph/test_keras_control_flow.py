"""Control flow on tensors in a model's own code: layers, steps, and whole models in `fit`."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

import gradtape as tf

keras = tf.keras
X = np.random.default_rng(0).normal(size=(48, 3)).astype(np.float32)
Y = X.sum(1, keepdims=True)
needs_jax = pytest.mark.skipif(find_spec("jax") is None, reason="XLA is reached by way of JAX")
COMPILED = [False, pytest.param(True, marks=needs_jax)]


@pytest.fixture(autouse=True)
def never_eagerly(caplog):
    yield
    assert "runs eagerly" not in caplog.text


class Flip(keras.layers.Layer):
    """Decides, repeats and returns early by the values of tensors."""

    calls = 0

    def call(self, x):
        type(self).calls += 1
        if tf.reduce_mean(x) < 0.0:
            x = -x
        while tf.reduce_max(x) > 2.0:
            x = x * 0.5
        return x


class Clipped(keras.Model):
    """A model with a step of its own."""

    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)
        self.flip = Flip()
        self.steps = 0

    def call(self, x):
        y = self.dense(self.flip(x))
        for _ in tf.range(2):
            y = y + 0.1
        return y

    def train_step(self, data):
        self.steps += 1
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        if tf.linalg.global_norm(gradients) > 1.0:
            gradients = [g * 0.5 for g in gradients]
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        return {"error": loss}


def sequential():
    return keras.Sequential([Flip(), keras.layers.Dense(1)])


def functional():
    given = keras.Input((3,))
    return keras.Model(given, keras.layers.Dense(1)(Flip()(given)))


def fitted(make, jit_compile, run_eagerly):
    keras.utils.set_random_seed(0)
    model = make()
    model.compile("sgd", "mse", jit_compile=jit_compile, run_eagerly=run_eagerly)
    history = model.fit(X, Y, batch_size=16, epochs=2, verbose=0, shuffle=False).history
    return model, history, model.predict(X, batch_size=16, verbose=0)


@pytest.mark.parametrize("jit_compile", COMPILED)
@pytest.mark.parametrize("make", [Clipped, sequential, functional])
def test_fit_and_predict_as_eagerly(make, jit_compile):
    _, history, predicted = fitted(make, jit_compile, False)
    _, expected, wanted = fitted(make, False, True)
    for name, values in expected.items():
        np.testing.assert_allclose(history[name], values, rtol=1e-5)
    # Sums of numbers up to 1, some of which are nearly 0.
    np.testing.assert_allclose(predicted, wanted, rtol=1e-5, atol=1e-7)


def test_a_step_is_traced_once():
    model, _, _ = fitted(Clipped, False, False)
    assert model.steps == 2  # the first batch, and the trace


def test_a_layer_in_a_function_runs_its_python_once_for_all_calls():
    layer = Flip()
    f = tf.function(lambda x: layer(x))
    Flip.calls = 0
    for values, expected in (([1.0, 8.0], [0.25, 2.0]), ([-1.0, 0.0], [1.0, 0.0])):
        assert f(tf.constant(values)).numpy().tolist() == expected
    assert Flip.calls == 1
    assert "call" not in vars(layer)


def test_a_layer_is_as_it_was_after_an_error():
    class Wrong(keras.layers.Layer):
        def call(self, x):
            if tf.reduce_sum(x) > 0.0:
                x = -x
            raise KeyError("in the layer")

    layer = Wrong()
    with pytest.raises(KeyError, match="in the layer"):
        tf.function(lambda x: layer(x))(tf.constant([1.0]))
    assert "call" not in vars(layer)


def test_a_function_without_autograph_leaves_layers_alone(caplog):
    layer = Flip()
    f = tf.function(lambda x: layer(x), autograph=False)
    assert f(tf.constant([-1.0])).numpy().tolist() == [1.0]
    assert "runs eagerly" in caplog.text
    caplog.clear()


def test_an_error_that_depends_on_a_tensor_is_left_to_python(caplog):
    class Checked(keras.layers.Layer):
        def call(self, x):
            if tf.reduce_max(x) > 100.0:
                raise ValueError("too large")
            return x

    layer = Checked()
    f = tf.function(lambda x: layer(x))
    assert f(tf.constant([1.0])).numpy().tolist() == [1.0]
    with pytest.raises(ValueError, match="too large"):
        f(tf.constant([101.0]))
    assert "runs eagerly" in caplog.text
    caplog.clear()
