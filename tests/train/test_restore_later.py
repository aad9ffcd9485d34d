"""Restoring into objects that are made later, while a function is traced."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

X = np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32)
Y = X.sum(1, keepdims=True)


class Scaled(tf.Module):
    v = None

    def __call__(self, x):
        if self.v is None:
            self.v = tf.Variable(0.0)
        return self.v * x


def test_a_variable_of_a_module(tmp_path):
    saved = Scaled()
    saved(1.0)
    saved.v.assign(42.0)
    path = tf.train.Checkpoint(net=saved).save(str(tmp_path / "c"))
    restored = Scaled()
    status = tf.train.Checkpoint(net=restored).restore(path)
    assert float(tf.function(lambda x: restored(x))(tf.constant(2.0))) == 84.0
    status.assert_consumed()


@pytest.mark.parametrize("is_built", [False, True])
def test_training_goes_on_where_it_was(tmp_path, is_built):
    """Weights, if the model is not built yet, and the moments of Adam are made in the step."""

    def made():
        tf.random.set_seed(1)
        first = [tf.keras.Input((4,))] if is_built else []
        model = tf.keras.Sequential([*first, tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.Adam(0.05)

        @tf.function
        def step():
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(X) - Y) ** 2)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
            return loss

        return step, tf.train.Checkpoint(model=model, optimizer=optimizer)

    step, checkpoint = made()
    for _ in range(5):
        step()
    path = checkpoint.save(str(tmp_path / "c"))
    undisturbed = [float(step()) for _ in range(4)]
    step, checkpoint = made()
    status = checkpoint.restore(path)
    assert [float(step()) for _ in range(4)] == undisturbed
    status.assert_consumed()
