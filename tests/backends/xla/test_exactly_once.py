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
    # To have asked for XLA, and not to get it, is worth one notice; it has no numbers in it.
    assert caplog.text.count("runs eagerly") == decides
    if decides:
        assert "train_step runs eagerly" in caplog.text
        assert f"{__file__}:" in caplog.text
    assert "array(" not in caplog.text


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
