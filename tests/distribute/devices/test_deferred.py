"""Deferred values meet a mesh: new variables, assignments, arguments of replicas."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.native import extension, is_deferred
from tests.fusing import fusing_from

NUMBERS = np.arange(1.0, 9.0, dtype=np.float32)


@pytest.fixture(autouse=True)
def everything_is_deferred():
    with fusing_from(2):
        yield


def deferred(values=NUMBERS):
    x = tf.constant(values) * 2.0 - tf.constant(values)
    assert extension is None or is_deferred(x._data)
    return x


def check(result, wanted):
    np.testing.assert_allclose(np.asarray(result), wanted, rtol=1e-6)


def test_new_variables(strategy):
    with strategy.scope():
        check(tf.Variable(deferred()), NUMBERS)
        on_read = tf.Variable(
            deferred(),
            synchronization=tf.VariableSynchronization.ON_READ,
            aggregation=tf.VariableAggregation.MEAN,
        )
    check(on_read.read_value(), NUMBERS)
    on_read.assign(deferred() * 2.0)
    check(on_read.read_value(), NUMBERS * 2)


def test_assignments(strategy):
    with strategy.scope():
        v = tf.Variable(tf.zeros([8]))
    v.assign(deferred())
    check(v, NUMBERS)
    v.assign_add(deferred() * 2.0)
    check(v, NUMBERS * 3)
    v.assign_sub(deferred())
    check(v, NUMBERS * 2)
    v[2:4].assign(deferred(np.zeros(2, np.float32)))
    check(v[:4], [2, 4, 0, 0])


def test_kernel_of_a_layer(strategy):
    with strategy.scope():
        layer = tf.keras.layers.Dense(2)
        layer.build((None, 4))
    layer.kernel.assign(deferred(np.ones((4, 2), np.float32)))
    check(layer.kernel, np.ones((4, 2)))


def test_arguments_of_replicas(strategy):
    with strategy.scope():
        v = tf.Variable(tf.zeros([8]), aggregation=tf.VariableAggregation.MEAN)

    def step(x):
        v.assign_add(x)
        return tf.reduce_sum(x)

    result = strategy.run(step, (deferred(),))
    assert [float(x) for x in strategy.experimental_local_results(result)] == [36.0] * 8
    inside = tf.function(lambda x: strategy.run(step, (x,)))
    inside(deferred())
    check(v, NUMBERS * 2)


def test_argument_beside_a_mirrored_variable(strategy):
    with strategy.scope():
        v = tf.Variable(NUMBERS)
    check(tf.function(lambda x: x * v)(deferred()), NUMBERS**2)
    with tf.GradientTape() as tape:
        y = tf.function(lambda x: x * v)(deferred()) * deferred()
    check(tape.gradient(y, v), NUMBERS**2)


def test_deferred_batches(strategy):
    data = tf.data.Dataset.from_tensor_slices(NUMBERS).batch(8).map(lambda x: x * 2.0)
    for batch in strategy.experimental_distribute_dataset(data):
        result = strategy.run(lambda x: x + 1.0, (batch,))
        check(tf.concat(strategy.experimental_local_results(result), 0), NUMBERS * 2 + 1)
