"""Every batch of `fit` is applied exactly once by compiled steps, on the host and on a device."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import gradtape as tf
from gradtape.graph.routine import Routine

# Not by importing it: gradtape decides which backend Keras starts with.
pytestmark = [
    pytest.mark.keras,
    pytest.mark.skipif(find_spec("keras") is None, reason="Keras is not installed"),
    pytest.mark.filterwarnings("ignore:Your input ran out of data"),
]
X = np.linspace(-1, 1, 128, dtype="f").reshape(16, 8)
Y = X[:, :1]
SIZES = (16, 8, 16, 8, 5, 16)
MODES = {
    "eager": ("/CPU:0", {"run_eagerly": True}),
    "compiled": ("/CPU:0", {"jit_compile": True}),
    "on a device": ("/XLA:0", {}),
}


def made(mode: str, decides: bool = False):
    keras = tf.keras
    device, options = MODES[mode]

    class Extra(keras.layers.Layer):
        def call(self, x):
            if x.shape[0] == 16:
                self.add_loss(0.1 * tf.reduce_mean(x**2))
            if decides:
                assert tf.reduce_all(x < 10.0)
            return x

    with tf.device(device):
        keras.utils.set_random_seed(0)
        model = keras.Sequential(
            [
                keras.layers.Input((8,)),
                keras.layers.Dense(4, "tanh"),
                Extra(),
                keras.layers.Dense(1),
            ]
        )
        model.compile(keras.optimizers.SGD(0.1), "mse", metrics=["mae"], **options)
    return model, device


def fitted(mode: str, decides: bool = False):
    model, device = made(mode, decides)
    with tf.device(device):
        model.fit(((X[:n], Y[:n]) for n in SIZES), verbose=0, shuffle=False)
    return model


@pytest.fixture(scope="module")
def eager():
    return fitted("eager")


@pytest.mark.parametrize("mode", ["compiled", "on a device"])
@pytest.mark.parametrize("decides", [False, True])
def test_as_many_updates_as_batches(mode, decides, eager, caplog):
    model = fitted(mode, decides)
    assert int(model.optimizer.iterations) == len(SIZES)
    for a, b in zip(model.get_weights(), eager.get_weights(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    assert "runs eagerly" not in caplog.text  # an assert on a tensor is an op of the step


@pytest.mark.parametrize("mode", ["compiled", "on a device"])
def test_an_error_of_a_compiled_step_is_the_programs(mode, monkeypatch, caplog):
    """It does not lead to another run of the step."""
    model, device = made(mode)
    with tf.device(device):
        model.train_on_batch(X, Y)
        before = model.get_weights()

        def failing(routine, tensors):
            raise TypeError(f"not a type of JAX: {X!r}")

        with monkeypatch.context() as patch:
            patch.setattr(Routine, "__call__", failing)
            with pytest.raises(TypeError, match="not a type of JAX"):
                model.train_on_batch(X, Y)
        for a, b in zip(model.get_weights(), before, strict=True):
            np.testing.assert_array_equal(a, b)
        assert int(model.optimizer.iterations) == 1
        model.train_on_batch(X, Y)
        assert int(model.optimizer.iterations) == 2
    assert not caplog.text


# --- graphs inside of ops: their derivatives would run them again --------------------------------


def _noted(x, calls):
    def note(array):
        calls.append(array)
        return array * np.float32(1)

    return tf.ensure_shape(tf.numpy_function(note, [x], tf.float32), [])


GRAPHS = {
    "branch": (
        lambda x, v, calls: tf.cond(x > 0.0, lambda: _noted(x, calls) * v * x, lambda: x * 1.0),
        (3.0, 1, 9.0),
    ),
    "scan": (
        lambda x, v, calls: tf.reduce_sum(
            tf.map_fn(lambda y: _noted(y, calls) * v * y, tf.stack([x, 2.0 * x]))
        ),
        (1.0, 2, 5.0),
    ),
    "loop": (
        lambda x, v, calls: tf.while_loop(
            lambda i, y: i < 3, lambda i, y: (i + 1, y * v + _noted(y, calls)), (0, x)
        )[1],
        (1.0, 3, 19.0),
    ),
}


@pytest.mark.parametrize("device", ["/CPU:0", "/XLA:0"])
@pytest.mark.parametrize("name", GRAPHS)
def test_a_function_in_a_graph_is_called_once_whatever_is_differentiated(name, device):
    body, (start, count, expected) = GRAPHS[name]
    with tf.device(device):
        v, x, calls = tf.Variable(2.0), tf.constant(start), []
        function = tf.function(lambda x: body(x, v, calls))
        for _ in range(2):
            with tf.GradientTape() as tape:
                y = function(x)
            assert tape.gradient(y, v).numpy() == expected
            assert len(calls) == count
            calls.clear()
        with tf.autodiff.ForwardAccumulator(v, tf.constant(1.0)) as accumulator:
            y = function(x)
        assert accumulator.jvp(y).numpy() == expected
        assert len(calls) == count


@pytest.mark.parametrize("device", ["/CPU:0", "/XLA:0"])
def test_the_gradient_of_a_loop_over_a_dataset(device):
    """Its elements are gone when the gradient is asked for."""
    with tf.device(device):
        v = tf.Variable(2.0)
        dataset = tf.data.Dataset.from_tensor_slices(np.arange(6, dtype=np.float32)).batch(2)

        @tf.function
        def function():
            total = 0.0
            for batch in dataset:
                total += tf.reduce_sum(batch * v)
            return total

        for _ in range(2):
            with tf.GradientTape() as tape:
                y = function()
            assert (y.numpy(), tape.gradient(y, v).numpy()) == (30, 15)
