"""Python functions that a tf.function calls, and the variables that they reach."""

from __future__ import annotations

import functools

import pytest

import gradtape as tf
from gradtape.engine.references import refers_to_variables


class Counter(tf.Module):
    def __init__(self):
        super().__init__()
        self.value = tf.Variable(0.0)

    def count(self, x):
        self.value.assign_add(1.0)
        return x + self.value


@pytest.mark.parametrize("kind", ["a method", "a lambda", "a function of a function", "partial"])
def test_a_python_function_sees_and_changes_the_variables_of_a_step(kind):
    counter = Counter()

    def inner(x):
        return counter.count(x)

    function = {
        "a method": counter.count,
        "a lambda": lambda x: counter.count(x),
        "a function of a function": lambda x: inner(x),
        "partial": functools.partial(lambda c, x: c.count(x), counter),
    }[kind]

    @tf.function
    def step(x):
        counter.value.assign(10.0)
        y = tf.py_function(function, [x], tf.float32)
        return y + counter.value

    for _ in range(3):
        assert float(step(tf.constant(1.0))) == 23.0  # (1 + 11) + 11, as eager code
    assert float(counter.value) == 11.0


def test_what_a_function_refers_to():
    v, scale = tf.Variable(1.0), 2.0
    layers = {"dense": [tf.Variable(3.0)]}
    assert refers_to_variables(lambda x: x * v)
    assert refers_to_variables(lambda x: [y * v for y in x])
    assert refers_to_variables(lambda x: layers["dense"])
    assert refers_to_variables(tf.keras.layers.Dense(2).call)
    assert refers_to_variables(functools.partial(lambda x, w: x * w, w=v))
    assert not refers_to_variables(lambda x: tf.sin(x) * scale)
    assert not refers_to_variables(len)
