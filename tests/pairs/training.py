"""Values that Keras's training and the replicas of a strategy have written.

Gradients are whole numbers and the learning rate is 1, so that training is exact.
"""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Callable

import numpy as np

import gradtape as tf
from gradtape.distribute import Mesh, shard

ONES = np.ones((8, 1), np.float32)  # an example for each of eight replicas


def total(true, predicted):
    """A loss whose gradient is 1 for one replica and for eight: Keras takes it as it is."""
    return tf.reduce_mean(predicted) / tf.distribute.get_strategy().num_replicas_in_sync


def trained(array: np.ndarray, how: str, **options):
    """Return a model with a weight that one step of training, by the method `how`, made `array`."""
    keras = tf.keras

    class Weight(keras.layers.Layer):
        def __init__(self, **config):
            super().__init__(**config)
            self.w = self.add_weight(shape=array.shape, initializer="zeros")

        def call(self, x):
            return tf.reduce_sum(self.w) * x

    layer = Weight()
    layer.w.assign(array + 1.0)
    model = keras.Sequential([layer])
    model.compile(keras.optimizers.SGD(1.0), loss=total, **options)
    train(model, how)
    return model


def train(model, how: str) -> None:
    quiet = {"verbose": 0} if how == "fit" else {}
    getattr(model, how)(ONES, ONES, **quiet)


def _saved_weights(model) -> int:
    """A step between writing the weights to a file and reading them is as if it had not been."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.weights.h5")
        model.save_weights(path)
        train(model, "train_on_batch")
        model.load_weights(path)
    return 0


def _saved_model(model) -> int:
    """A model that is read from a file has the weights, and none of the memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.keras")
        model.save(path)
        custom = {"Weight": type(model.layers[0]), "total": total}
        again = tf.keras.models.load_model(path, custom_objects=custom)
    before = model.get_weights()[0]
    train(again, "train_on_batch")
    np.testing.assert_array_equal(model.get_weights()[0], before)
    np.testing.assert_array_equal(again.get_weights()[0], before - 1)
    return 0


def _checkpoint(model) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(model=model).save(os.path.join(folder, "c"))
        train(model, "fit")
        tf.train.Checkpoint(model=model).restore(path)
    return 0


def _set_weights(model) -> int:
    """The arrays that the program gave and got remain its own."""
    arrays = model.get_weights()
    model.set_weights(arrays)
    arrays[0][...] = -99.0
    return 0


def _evaluate(model) -> int:
    model.evaluate(ONES, ONES, verbose=0)
    model.predict(ONES, verbose=0)
    model.test_on_batch(ONES, ONES)
    return 0


def _steps(how: str) -> Callable:
    def run(model) -> int:
        train(model, how)
        return 1

    return run


# What may be done with a model: how many steps of training its weights have then gone on.
MODEL_USES: dict[str, Callable[..., int]] = {
    "fit": _steps("fit"),
    "train_on_batch": _steps("train_on_batch"),
    "weights in a file": _saved_weights,
    "model in a file": _saved_model,
    "checkpoint": _checkpoint,
    "get_weights and set_weights": _set_weights,
    "evaluate and predict": _evaluate,
}


def weight(model) -> tf.Variable:
    """Return the variable of the model's weight; its attribute `model` leads back."""
    variable = model.layers[0].w._value
    variable.model = model
    return variable


@functools.cache
def strategy() -> tf.distribute.Strategy:
    return tf.distribute.MirroredStrategy()


def mirrored(array) -> tf.Variable:
    """Return a variable with a copy on each device, updated as one."""
    with strategy().scope():
        return tf.Variable(array, aggregation=tf.VariableAggregation.MEAN)


@functools.cache
def mesh() -> Mesh:
    return Mesh({"rows": 2, "columns": 4})


def in_parts(array) -> tf.Tensor:
    """Return a tensor of which each device has a part."""
    return shard(array, mesh(), ("rows", "columns"))


def on_each_device(array) -> tf.Tensor:
    """Return a tensor of which each device has the whole, as one array."""
    return shard(array, mesh())


def written_by_replicas(array: np.ndarray) -> tf.Variable:
    """Each replica adds a value of its own: the mean of all is added."""
    v = mirrored(tf.zeros_like(array))
    count = strategy().num_replicas_in_sync

    @tf.function
    def step(x):
        def replica():
            number = tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, x.dtype)
            v.assign_add(x + number - (count - 1) / 2)

        strategy().run(replica)

    step(tf.constant(array))
    return v
