"""Values that Keras's training and the replicas of a strategy have written.

Gradients are whole numbers and the learning rate is 1, so that training is exact.
"""

from __future__ import annotations

import functools

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
        def __init__(self):
            super().__init__()
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
