"""Transactions of the variables of a strategy."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from tests.racing import in_threads, interrupt, race


def made(strategy, shape):
    with strategy.scope():
        return tf.Variable(tf.zeros(shape), aggregation=tf.VariableAggregation.MEAN)


@pytest.mark.parametrize("shape", [(3,), (300, 300)], ids=str)
def test_updates_of_functions(strategy, shape):
    v = made(strategy, shape)

    @tf.function
    def step():
        strategy.run(lambda: v.assign_add(tf.ones(shape)))

    step()
    count = race(step, v.numpy, writers=3, rounds=8)
    np.testing.assert_array_equal(v.numpy(), np.full(shape, count + 1.0))


def test_updates_between_replicas(strategy):
    v = made(strategy, (300, 300))
    count = race(lambda: v.assign_add(tf.ones((300, 300))), v.numpy, writers=3, rounds=8)
    np.testing.assert_array_equal(v.numpy(), np.full((300, 300), float(count)))


@pytest.mark.parametrize("rounds", [20, pytest.param(300, marks=pytest.mark.slow)])
def test_an_interrupt_leaves_whole_steps(strategy, rounds):
    a, b = made(strategy, (3,)), made(strategy, (3,))

    @tf.function
    def step():
        def replica():
            a.assign_add(tf.ones((3,)))
            b.assign_add(tf.ones((3,)))

        strategy.run(replica)

    def check():
        np.testing.assert_array_equal(a.numpy(), np.full(3, a.numpy()[0]))
        np.testing.assert_array_equal(a.numpy(), b.numpy())

    step()
    interrupt(step, check, rounds)
    in_threads(step)
    check()
