"""Training in one thread, while others evaluate, serve and save the same model."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from tests.racing import in_threads, interrupt, race, switching_often

keras = tf.keras
SHAPE = (300, 300)


@pytest.mark.parametrize("shape", [(3,), SHAPE], ids=str)
@pytest.mark.parametrize("name", ["SGD", "Adam", "RMSprop", "Adagrad", "Adamax"])
def test_steps_of_an_optimizer_are_seen_whole(name, shape):
    v, gradient = tf.Variable(tf.zeros(shape)), tf.ones(shape)
    optimizer = getattr(keras.optimizers, name)(1.0)
    optimizer.build([v])
    count = race(lambda: optimizer.apply_gradients([(gradient, v)]), v.numpy, 2, rounds=10)
    assert int(optimizer.iterations) == count
    if name == "SGD":
        np.testing.assert_array_equal(v, np.full(shape, -float(count)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["SGD", "Adam"])
def test_an_interrupt_leaves_whole_updates(name, dtype):
    """The state of an optimizer belongs to the value: one is not changed without the other."""
    v, gradient = tf.Variable(tf.zeros(SHAPE, dtype)), tf.ones(SHAPE, dtype)
    options = {"momentum": 0.5} if name == "SGD" else {}
    optimizer = getattr(keras.optimizers, name)(1.0, **options)
    optimizer.build([v])
    state = [x for x in optimizer.variables if tuple(x.shape) == SHAPE]

    def check():
        for x in (v, *state):
            array = np.asarray(x)
            np.testing.assert_array_equal(array, np.full(SHAPE, array[0, 0]))

    interrupt(lambda: optimizer.apply_gradients([(gradient, v)]), check, 30)


def model_of_equal_weights():
    """A model whose weights stay equal to each other while it is trained."""
    layers = [keras.layers.Input((64,))]
    layers += [keras.layers.Dense(64, kernel_initializer="ones", use_bias=False)]
    model = keras.Sequential(layers)
    model.compile("sgd", "mse")
    return model


@pytest.mark.parametrize("eagerly", [False, True])
def test_a_model_is_used_and_saved_while_it_is_trained(eagerly, tmp_path):
    model = model_of_equal_weights()
    model.run_eagerly = eagerly
    x, y = np.full((8, 64), 0.01, np.float32), np.zeros((8, 64), np.float32)
    checkpoint = tf.train.Checkpoint(model=model)
    finished = []

    def train():
        try:
            for _ in range(40):
                model.train_on_batch(x, y)
        finally:
            finished.append(True)

    def is_whole(array):
        np.testing.assert_allclose(array, np.full(array.shape, array.flat[0]), rtol=1e-6)

    def serve():
        is_whole(np.asarray(model(x)))
        is_whole(model.get_weights()[0])

    def save():
        model.save_weights(tmp_path / "model.weights.h5")
        checkpoint.save(str(tmp_path / "checkpoint"))

    def until_finished(function):
        function()  # once at least: training may end before this thread gets its turn
        while not finished:
            function()

    with switching_often():
        in_threads(train, lambda: until_finished(serve), lambda: until_finished(save))
    assert int(model.optimizer.iterations) == 40
    other = model_of_equal_weights()
    other.load_weights(tmp_path / "model.weights.h5")
    is_whole(other.get_weights()[0])


@pytest.mark.parametrize(
    "make",
    [tf.Module, lambda: keras.layers.Dense(2), lambda: keras.optimizers.Adam(), dict],
    ids=["module", "layer", "optimizer", "dictionary"],
)
@pytest.mark.parametrize("format", ["safetensors", "tensorflow"])
def test_a_checkpoint_is_saved_while_attributes_are_set(make, format, tmp_path):
    thing, root = make(), tf.Module()
    root.thing = thing
    for at in range(100):
        _set(thing, f"first{at}", tf.Variable(0.0))
    checkpoint = tf.train.Checkpoint(root=root)
    options = tf.train.CheckpointOptions(format=format)
    finished = []

    def grow():
        try:
            for at in range(300):
                _set(thing, f"other{at}", at)
        finally:
            finished.append(True)

    def save():
        checkpoint.write(str(tmp_path / "checkpoint"), options)
        while not finished:
            checkpoint.write(str(tmp_path / "checkpoint"), options)

    with switching_often():
        in_threads(grow, save)


def _set(thing, name, value):
    if isinstance(thing, dict):
        thing[name] = value
    else:
        setattr(thing, name, value)
