"""Ways in which a tensor or a variable comes to hold a value: each returns one that equals `array`.

Arrays hold small whole numbers, so that every way computes the same value exactly.
"""

from __future__ import annotations

import copy
import os
import pickle
import tempfile

import numpy as np

import gradtape as tf
from tests.pairs import training

TENSORS: dict = {}
VARIABLES: dict = {}
# On several devices: tests/distribute/devices/test_pairs.py
MIRRORED: dict = {}
SHARDED: dict = {}
NEEDS_JAX = {
    "by a compiled function",
    "written by a compiled function",
    "trained by fit, compiled",
}


def tensor(name: str):
    return lambda make: TENSORS.setdefault(name, make)


def variable(name: str):
    return lambda make: VARIABLES.setdefault(name, make)


def mirrored(name: str):
    return lambda make: MIRRORED.setdefault(name, make)


def sharded(name: str):
    return lambda make: SHARDED.setdefault(name, make)


def twice_minus(x, array):
    """`x`, by two ops that are deferred where arrays are large."""
    return x * 2.0 - tf.constant(array)


@tensor("constant")
def _constant(array):
    return tf.constant(array)


@tensor("view of an array that changes later")
def _from_view(array):
    base = np.repeat(array, 2, axis=0)
    x = tf.convert_to_tensor(base[::2])
    base[:] = -99.0
    return x


@tensor("op")
def _op(array):
    return tf.add(tf.constant(array - 1.0), 1.0)


@tensor("deferred")
def _deferred(array):
    return twice_minus(tf.constant(array), array)


@tensor("deferred, of which another op has a part")
def _shared(array):
    x = twice_minus(tf.constant(array), array)
    x.other = x * 3.0  # keeps the chain alive beside x
    return x


@tensor("by a function")
def _function(array):
    return tf.function(lambda x: twice_minus(x, array))(tf.constant(array))


@tensor("by a compiled function")
def _compiled(array):
    return tf.function(lambda x: twice_minus(x, array), jit_compile=True)(tf.constant(array))


@tensor("element of a dataset")
def _dataset(array):
    dataset = tf.data.Dataset.from_tensor_slices(np.stack([array, array + 1.0]))
    return next(iter(dataset.map(lambda x: x * 1.0)))


@tensor("row")
def _row(array):
    return tf.stack([tf.constant(array), tf.constant(array + 5.0)])[0]


@tensor("transposed view")
def _transposed(array):
    return tf.transpose(tf.constant(np.ascontiguousarray(array.T)))


@tensor("gradient")
def _gradient(array):
    x = tf.zeros_like(array)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * tf.constant(array))
    return tape.gradient(y, x)


@tensor("tangent")
def _tangent(array):
    x = tf.zeros_like(array)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(array)) as accumulator:
        y = x * 1.0
    return accumulator.jvp(y)


@tensor("by numpy_function")
def _numpy_function(array):
    return tf.numpy_function(lambda x: x + 1.0, [tf.constant(array - 1.0)], tf.float32)


@tensor("unpickled")
def _unpickled(array):
    return pickle.loads(pickle.dumps(tf.constant(array)))


@tensor("weight, read before it was trained further")
def _weight(array):
    model = training.trained(array, "fit")
    value = tf.convert_to_tensor(model.layers[0].w)
    training.train(model, "fit")
    training.train(model, "train_on_batch")
    return value


@tensor("output of a model")
def _predicted(array):
    layer = tf.keras.layers.Dense(array.shape[1], "linear", kernel_initializer="identity")
    return tf.keras.Sequential([layer])(array)


@variable("initial value")
def _initial(array):
    return tf.Variable(array)


@variable("deferred initial value")
def _deferred_initial(array):
    return tf.Variable(twice_minus(tf.constant(array), array))


@variable("assigned")
def _assigned(array):
    v = tf.Variable(tf.zeros_like(array))
    v.assign(array)
    return v


@variable("assigned a deferred value")
def _assigned_deferred(array):
    v = tf.Variable(tf.zeros_like(array))
    v.assign(twice_minus(tf.constant(array), array))
    return v


@variable("added in place")
def _added(array):
    v = tf.Variable(tf.zeros_like(array))
    v.assign_add(twice_minus(tf.constant(array), array))
    return v


@variable("while a reader holds the old value")
def _held(array):
    v = tf.Variable(tf.zeros_like(array))
    v.held = v.read_value()
    v.assign_add(array)
    return v


@variable("rows updated")
def _rows(array):
    v = tf.Variable(array - 1.0)
    v.scatter_add(tf.IndexedSlices(tf.ones_like(array), tf.range(array.shape[0])))
    return v


@variable("slices assigned")
def _slices(array):
    v = tf.Variable(tf.zeros_like(array))
    v[0].assign(array[0])
    v[1:].assign(array[1:])
    return v


@variable("written by a function")
def _by_function(array):
    v = tf.Variable(tf.zeros_like(array))
    tf.function(lambda x: v.assign(v + twice_minus(x, array)))(tf.constant(array))
    return v


@variable("written by a compiled function")
def _by_compiled(array):
    v = tf.Variable(tf.zeros_like(array))
    step = tf.function(lambda x: v.assign_add(x), jit_compile=True)
    step(tf.constant(array - 1.0))
    step(tf.ones_like(array))
    return v


@variable("restored")
def _restored(array):
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(v=tf.Variable(array)).save(os.path.join(folder, "c"))
        v = tf.Variable(tf.zeros_like(array))
        tf.train.Checkpoint(v=v).restore(path)
    return v


@variable("copied")
def _copied(array):
    original = tf.Variable(array)
    v = copy.deepcopy(original)
    original.assign_add(tf.ones_like(array))
    return v


@variable("moved by an optimizer")
def _optimizer(array):
    v = tf.Variable(array + 1.0)
    tf.keras.optimizers.SGD(1.0).apply_gradients([(tf.ones_like(array), v)])
    return v


@variable("trained by fit")
def _fitted(array):
    return training.weight(training.trained(array, "fit"))


@variable("trained by fit, compiled")
def _fitted_compiled(array):
    return training.weight(training.trained(array, "fit", jit_compile=True))


@variable("trained by fit, eagerly")
def _fitted_eagerly(array):
    return training.weight(training.trained(array, "fit", run_eagerly=True))


@variable("trained by train_on_batch")
def _trained_on_batch(array):
    return training.weight(training.trained(array, "train_on_batch"))


@mirrored("mirrored")
def _mirrored(array):
    return training.mirrored(array)


@mirrored("mirrored, assigned a deferred value")
def _mirrored_assigned(array):
    v = training.mirrored(tf.zeros_like(array))
    v.assign(twice_minus(tf.constant(array), array))
    return v


@mirrored("mirrored, written by replicas")
def _mirrored_written(array):
    return training.written_by_replicas(array)


@mirrored("mirrored, trained by fit")
def _mirrored_fitted(array):
    with training.strategy().scope():
        return training.weight(training.trained(array, "fit"))


@mirrored("mirrored, trained by train_on_batch")
def _mirrored_trained_on_batch(array):
    with training.strategy().scope():
        return training.weight(training.trained(array, "train_on_batch"))


@sharded("in parts")
def _in_parts(array):
    return tf.Variable(training.in_parts(array))


@sharded("the whole on each device")
def _on_each(array):
    return tf.Variable(training.on_each_device(array))


@sharded("in parts, written by a function")
def _in_parts_by_function(array):
    v = tf.Variable(training.in_parts(np.zeros_like(array)))
    step = tf.function(lambda x: v.assign_add(x))
    step(training.in_parts(array - 1.0))
    step(training.in_parts(np.ones_like(array)))
    return v
