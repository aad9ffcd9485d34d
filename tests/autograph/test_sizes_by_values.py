"""Sizes that depend on values are open in what follows: one trace serves all of them."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

import gradtape as tf

needs_jax = pytest.mark.skipif(find_spec("jax") is None, reason="XLA is reached by way of JAX")
COMPILED = [None, pytest.param(True, marks=needs_jax)]
VECTORS = [
    [1.0, -2.0, 3.0, 4.0],
    [1.0, 2.0, -3.0, -4.0],
    [-1.0, 5.0, -3.0, -4.0],
    [2.0, 2.0, 3.0, 1.0],
]


@pytest.fixture(autouse=True)
def never_eagerly(caplog):
    yield
    assert "runs eagerly" not in caplog.text


def by_a_mask(x):
    return tf.boolean_mask(x, x > 0.0) * 2.0


def by_coordinates(x):
    return tf.gather_nd(x, tf.where(x > 0.0)) ** 2


def by_distinct_values(x):
    values, index = tf.unique(x)
    return tf.gather(values * 3.0, index)


def by_a_number(x):
    return tf.reshape(tf.tile(x, [tf.cast(x[0] * x[0], tf.int32) + 1]), [-1, 4]) + 1.0


def by_repetition(x):
    return tf.repeat(x, tf.cast(tf.abs(x), tf.int32))


def by_parts(x):
    low, high = tf.dynamic_partition(x, tf.cast(x > 0.0, tf.int32), 2)
    return tf.concat([high, low * 0.5], 0)


def by_a_slice(x):
    return tf.exp(x[: tf.argmax(x)])


def in_a_loop(x):
    total = 0.0
    for i in tf.range(3):
        total += tf.reduce_sum(tf.boolean_mask(x, x > tf.cast(i, tf.float32)) ** 2)
    return total


def in_a_branch(x):
    y = tf.reduce_sum(x)
    if x[0] > 0.0:
        y = tf.reduce_sum(tf.boolean_mask(x, x > 1.0))
    return y * x[1]


FUNCTIONS = [
    by_a_mask,
    by_coordinates,
    by_distinct_values,
    by_a_number,
    by_repetition,
    by_parts,
    by_a_slice,
    in_a_loop,
    in_a_branch,
]
TRACES = {in_a_branch: 2}  # one for each branch


def with_gradient(function, values):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return y.numpy(), tf.convert_to_tensor(tape.gradient(y, x)).numpy()


@pytest.mark.parametrize("jit_compile", COMPILED)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_one_trace_for_all_sizes(function, jit_compile):
    traces = []

    def counted(x):
        traces.append(1)
        return function(x)

    traced = tf.function(counted, jit_compile=jit_compile)
    for values in VECTORS:
        for result, expected in zip(
            with_gradient(traced, values), with_gradient(function, values), strict=True
        ):
            np.testing.assert_allclose(result, expected, rtol=1e-6)
    assert len(traces) == TRACES.get(function, 1)


def test_a_decision_about_a_size_costs_another_trace():
    traces = []

    @tf.function
    def f(x):
        traces.append(1)
        y = tf.boolean_mask(x, x > 0.0)
        return tf.reduce_sum(y) if y.shape[0] > 2 else tf.reduce_prod(y)

    for values, expected in (
        ([1.0, 2.0, 3.0, 4.0], 10.0),
        ([1.0, 2.0, 3.0, -4.0], 6.0),
        ([-1.0, 2.0, 3.0, -4.0], 6.0),
        ([-1.0, 2.0, -3.0, -4.0], 2.0),
    ):
        assert float(f(tf.constant(values))) == expected
    assert len(traces) == 2


def test_effects_before_a_size_happen_once_for_each_call(capsys):
    v = tf.Variable(0.0)

    @tf.function
    def f(x):
        tf.print("called")
        v.assign_add(1.0)
        y = tf.boolean_mask(x, x > 0.0)
        if y.shape[0] > 2:
            y = y * 2.0
        return tf.reduce_sum(y) * v

    for number, (values, expected) in enumerate(zip(VECTORS, (16.0, 3.0, 5.0, 16.0), strict=True)):
        assert float(f(tf.constant(values))) == expected * (number + 1)
    assert capsys.readouterr().err == "called\n" * 4


def test_random_numbers_of_a_size_that_depends_on_values():
    def f(n):
        return tf.random.normal([n], seed=3), tf.random.uniform([2], seed=4)

    tf.random.set_seed(1)
    traced = tf.function(f)
    result = [traced(tf.constant(n)) for n in (3, 5, 2)]
    tf.random.set_seed(1)
    one_by_one = tf.function(f)
    wanted = [one_by_one(n) for n in (3, 5, 2)]
    assert [x.shape for x, _ in result] == [(3,), (5,), (2,)]
    np.testing.assert_array_equal(result[0][0], wanted[0][0])
    np.testing.assert_array_equal(result[0][1], wanted[0][1])


def test_a_dataset_of_an_argument_has_the_values_of_each_call():
    traces = []

    @tf.function
    def f(x, y):
        traces.append(1)
        total = 0.0
        data = tf.data.Dataset.from_tensor_slices({"a": x, "b": y}).map(lambda e: e["a"] * e["b"])
        for v in data.shuffle(4, seed=0).batch(2):
            total += tf.reduce_sum(v)
        return total

    for values in VECTORS:
        x = tf.constant(values)
        assert float(f(x, x + 1.0)) == float(tf.reduce_sum(x * (x + 1.0)))
    assert len(traces) == 1


def test_a_loop_of_python_over_a_size_that_depends_on_values_is_converted():
    traces = []

    @tf.function
    def f(x):
        traces.append(1)
        rows = [v * 2.0 for v in tf.unstack(x)]
        total = rows[0] * 0.0
        for v in tf.boolean_mask(x, x > 0.0):
            total += v
        return total

    for values in VECTORS:
        assert float(f(tf.constant(values))) == sum(v for v in values if v > 0.0)
    assert len(traces) == 1
