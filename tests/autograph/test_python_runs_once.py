"""How often the Python code of a loop runs while it is traced: once, as in TensorFlow."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import gradtape as tf

RUNS: list = []


def assigns(x, v):
    for _ in tf.range(5):
        RUNS.append(1)
        v.assign_add(x)
    return v.read_value()


def assigns_in_a_while_loop(x, v):
    while v < 4.0:
        RUNS.append(1)
        v.assign_add(x)
        x = x + v * 0.0
    return x


def assigns_in_nested_loops(x, v):
    kept = v.read_value()  # the value before the loop
    for _ in tf.range(3):
        for _ in tf.range(2):
            RUNS.append(1)
            x = x + kept + 1.0
            v.assign_add(x)
    return x + v


def prints(x, v):
    for _ in tf.range(3):
        RUNS.append(1)
        tf.print("", end="", output_stream=sys.stderr)
    return x


def draws(x, v):
    for _ in tf.range(4):
        RUNS.append(1)
        x = x + tf.random.normal([], seed=1)
    return x


def draws_in_nested_loops(x, v):
    for _ in tf.range(3):
        for _ in tf.range(2):
            RUNS.append(1)
            x = x + tf.random.normal([2], seed=1)[1]
    return x


def draws_and_assigns(x, v):
    for _ in tf.range(4):
        RUNS.append(1)
        x = x + tf.random.normal([], seed=1)
        v.assign(x)
    return v * 2.0


def until_a_constant(x, v):
    i = tf.constant(0)
    while i < 4:
        RUNS.append(1)
        x = x * 2.0
        i += 1
    return x


def over_constant_rows(x, v):
    for row in tf.ones([4, 2]):
        RUNS.append(1)
        tf.debugging.assert_greater(row, 0.0)
        x = x + row[0]
    return x


FUNCTIONS = [
    assigns,
    assigns_in_a_while_loop,
    assigns_in_nested_loops,
    prints,
    draws,
    draws_in_nested_loops,
    draws_and_assigns,
    until_a_constant,
    over_constant_rows,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_loop_runs_its_python_once(function, caplog):
    def results(called, v):
        tf.random.set_seed(5)
        result = []
        for _ in range(2):
            x = tf.constant(1.0)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = called(x, v)
            slope = tape.gradient(y, x)
            result.append((float(y), 0.0 if slope is None else float(slope), float(v)))
        return result

    tf.random.set_seed(5)
    v = tf.Variable(0.0)
    RUNS.clear()
    result = results(tf.function(function), v)
    assert len(RUNS) == 1
    assert "runs eagerly" not in caplog.text
    if "draws" not in function.__name__:  # eager ops have other seeds
        np.testing.assert_allclose(result, results(function, tf.Variable(0.0)), rtol=1e-6)


def test_random_numbers_of_a_loop_are_those_of_its_iterations():
    @tf.function
    def looped():
        total = tf.zeros([4])
        for i in tf.range(4):
            total += tf.one_hot(i, 4) * tf.random.normal([], seed=1)
        return total

    tf.random.set_seed(0)
    result = [*looped().numpy(), *looped().numpy()]
    tf.random.set_seed(0)
    draw = tf.function(lambda: tf.random.normal([], seed=1))
    np.testing.assert_allclose(result, [float(draw()) for _ in range(8)], rtol=1e-6)


def test_ops_of_a_loop_recorded_again_are_located_in_its_body():
    v = tf.Variable(0.0)

    @tf.function
    def f(x):
        for _ in tf.range(3):
            v.assign_add(tf.exp(x))  # this line
        return x

    f(tf.constant(1.0))
    (entry,) = [entry for _, entry in f._cache.entries.items()]
    loops = [node for node in entry.routine.graph.nodes if node.graphs]
    (node,) = [n for loop in loops for n in loop.params["body"].nodes if n.prim.name == "exp"]
    code, _ = node.location
    assert code.co_filename == __file__
