"""Restoring into objects that are made later, while a function is traced."""

from __future__ import annotations

import copy

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


class Growing(tf.Module):
    """Puts its variables into a list, a nested list and a dictionary when it is first called."""

    def __init__(self):
        super().__init__()
        self.weights = []
        self.by_name = {"nested": [[]]}

    def __call__(self, x):
        if not self.weights:
            for i in range(3):
                self.weights.append(tf.Variable(float(i)))
            self.by_name["bias"] = tf.Variable(0.0)
            self.by_name["nested"][0] += [tf.Variable(1.0), tf.Variable(1.0)]
        w = self.weights
        first, second = self.by_name["nested"][0]
        return (x * w[0] + w[1]) * w[2] * first + second + self.by_name["bias"]


def filled(module):
    module(1.0)
    for i, variable in enumerate(module.trainable_variables):
        variable.assign(i + 2.0)
    return module


def results(module, is_traced):
    call = tf.function(lambda x: module(x)) if is_traced else module
    return float(call(tf.constant(3.0)))


@pytest.mark.parametrize("is_traced", [False, True])
def test_variables_in_containers_have_their_values_at_once(tmp_path, is_traced):
    saved = filled(Growing())
    path = tf.train.Checkpoint(net=saved).save(str(tmp_path / "c"))
    restored = Growing()
    weights = restored.weights
    status = tf.train.Checkpoint(net=restored).restore(path)
    assert results(restored, is_traced) == results(saved, False)
    status.assert_consumed()
    assert restored.weights is weights
    assert len(weights) == 3
    assert type(restored.by_name) is dict
    assert type(restored.by_name["nested"][0]) is list


def test_a_container_is_the_programs_own_by_another_name_too(tmp_path):
    path = tf.train.Checkpoint(net=filled(Growing())).save(str(tmp_path / "c"))
    restored = Growing()
    own = restored.weights
    checkpoint = tf.train.Checkpoint(net=restored)
    checkpoint.restore(path)
    watched = restored.weights
    watched.append(tf.Variable(0.0))
    own.append(tf.Variable(0.0))  # nothing reports this one
    watched.extend(tf.Variable(0.0) for _ in range(1))
    assert [id(each) for each in own] == [id(each) for each in watched]
    assert [float(each) for each in own] == [5.0, 6.0, 7.0]
    assert type(copy.deepcopy(restored.weights)) is list


def test_a_value_that_does_not_fit_is_an_error_where_it_is_appended(tmp_path):
    path = tf.train.Checkpoint(net=filled(Growing())).save(str(tmp_path / "c"))
    restored = Growing()
    tf.train.Checkpoint(net=restored).restore(path)
    with pytest.raises(ValueError, match=r"incompatible tensor with shape \(\)"):
        restored.weights.append(tf.Variable([1.0, 2.0]))
