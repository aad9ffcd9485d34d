"""Variables of a strategy: copies of them, and updates between replicas."""

from __future__ import annotations

import copy

import pytest

import gradtape as tf


def test_a_copy_of_a_variable_is_mirrored_wherever_it_is_made(strategy):
    with strategy.scope():
        mean = tf.VariableAggregation.MEAN
        v = tf.Variable([1.0, 2.0], aggregation=mean, constraint=tf.math.abs, shape=[None])
    copied = copy.deepcopy(v)
    assert type(copied) is type(v)
    assert (copied.aggregation, copied.constraint) == (mean, tf.math.abs)
    assert copied.shape.as_list() == v.shape.as_list() == [None]
    assert copied.distribute_strategy is v.distribute_strategy is strategy
    v.assign_add([1.0, 1.0])
    assert copied.numpy().tolist() == [1.0, 2.0]


def test_a_variable_of_a_declared_shape_is_added_to(strategy):
    with strategy.scope():
        v = tf.Variable([1.0, 2.0], shape=[None])
    v.assign_add([1.0, 1.0])
    v.assign_sub([0.0, 2.0])
    assert v.numpy().tolist() == [2.0, 1.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"added value of shape \(3,\)"):
        v.assign_add([1.0, 1.0, 1.0])


def test_a_tape_tells_which_update_broke_the_path(strategy):
    with strategy.scope():
        total = tf.Variable(0.0, trainable=False)
    x = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        total.assign_add(x * 2.0)
        loss = total + 1.0
    assert "written into a variable by .assign_add()" in str(tape.explain(loss, x))
