"""Conditions and loops whose course depends on values, in a traced function."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from tests.graph.compared import check, is_traced

RNG = np.random.default_rng(0)
HALF = np.float64(0.5)
ROWS, MATRIX = RNG.normal(size=(20, 3)), RNG.normal(size=(3, 3)) / 2


def cell(w):
    return lambda h, e: tf.tanh(tf.linalg.matvec(w, h) + e)


CASES = {
    "cond": (
        lambda x, y: tf.cond(x > 0, lambda: x * x * y, lambda: tf.sin(x) * y),
        HALF,
        HALF / 2,
    ),
    "cond not": (
        lambda x, y: tf.cond(x > 0, lambda: x * x * y, lambda: tf.sin(x)),
        -HALF,
        HALF / 2,
    ),
    "cond of structures": (
        lambda x: tf.cond(x > 0, lambda: {"a": (x, x * x)}, lambda: {"a": (x * x, x)})["a"],
        HALF,
    ),
    "cond in cond": (
        lambda x: tf.cond(
            x > 0, lambda: tf.cond(x > 1, lambda: x**3, lambda: x**2), lambda: tf.exp(x)
        ),
        np.float64(0.5),
    ),
    "switch": (
        lambda x: tf.switch_case(
            tf.cast(x, tf.int32), [lambda: x * x, lambda: tf.sin(x), lambda: x**3]
        ),
        np.float64(1.5),
    ),
    "switch to the default": (
        lambda x: tf.switch_case(
            tf.cast(x, tf.int32), {0: lambda: x * x, 3: lambda: tf.sin(x)}, lambda: x**3
        ),
        np.float64(1.5),
    ),
    "loop of unknown length": (
        lambda x: tf.while_loop(
            lambda i, a: tf.abs(a) < 100.0, lambda i, a: (i + 1, a * a * x), [tf.constant(0), x]
        )[1],
        np.float64(2.5),
    ),
    "loop that is written out": (
        lambda x: tf.while_loop(
            lambda i, a: i < 5, lambda i, a: (i + 1, tf.sin(a * x)), [tf.constant(0), x]
        )[1],
        np.float64(2.5),
    ),
    "long loop": (
        lambda x: tf.while_loop(
            lambda i, a: i < 100, lambda i, a: (i + 1, tf.sin(a + x)), [tf.constant(0), x]
        )[1],
        np.float64(0.5),
    ),
    "loop with a bound": (
        lambda x: tf.while_loop(lambda a: a < 1e9, lambda a: (a * x,), [x], maximum_iterations=3)[
            0
        ],
        np.float64(2.5),
    ),
    "scan": (lambda x, w: tf.scan(cell(w), x, tf.zeros(3, tf.float64)), ROWS, MATRIX),
    "scan from the first row": (lambda x, w: tf.scan(cell(w), x), ROWS, MATRIX),
    "scan from the last": (lambda x, w: tf.scan(cell(w), x, reverse=True), ROWS, MATRIX),
    "map": (lambda x, w: tf.map_fn(lambda e: tf.tanh(tf.linalg.matvec(w, e)), x), ROWS, MATRIX),
    "foldl": (lambda x, w: tf.foldl(cell(w), x), ROWS, MATRIX),
    "foldr": (lambda x, w: tf.foldr(cell(w), x), ROWS, MATRIX),
    "scan with a counter": (
        lambda x: tf.scan(
            lambda state, e: (state[0] + 1, state[1] * tf.cos(e) + tf.cast(state[0], tf.float64)),
            x,
            (tf.constant(0), tf.constant(1.0, tf.float64)),
        )[1],
        ROWS[:, 0],
    ),
    "scan with something that is the same in all rounds": (
        lambda x, w: tf.scan(lambda h, e: tf.tanh(tf.linalg.matvec(tf.exp(w), h) * e), x),
        ROWS,
        MATRIX,
    ),
    "the last state of several": (
        lambda x, w: tf.foldl(
            lambda state, e: (tf.tanh(tf.linalg.matvec(w, state[0])) + e, state[1] + state[0]),
            x,
            (tf.zeros(3, tf.float64), tf.zeros(3, tf.float64)),
        )[0],
        ROWS,
        MATRIX,
    ),
    "scan over rows of numbers": (
        lambda x: tf.scan(
            lambda h, e: h * x[0] + tf.gather(x, e),
            tf.range(20) % 3,
            tf.constant(0.5, tf.float64),
        ),
        ROWS[0],
    ),
    "scan in a cond": (
        lambda x, w: tf.cond(tf.reduce_sum(x) < 1e9, lambda: tf.scan(cell(w), x)[-1], lambda: x[0]),
        ROWS,
        MATRIX,
    ),
    "cond in a scan": (
        lambda x: tf.scan(lambda h, e: tf.cond(e > 0, lambda: h * e, lambda: tf.sin(h + e)), x),
        ROWS[:, 0],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_values_and_derivatives(name):
    function, *args = CASES[name]
    check(function, *args)


@pytest.mark.parametrize("name", CASES)
def test_forward_mode(name):
    function, *args = CASES[name]
    xs = [tf.constant(a) for a in args]
    directions = [tf.ones_like(x) for x in xs]

    def moved(f):
        with tf.autodiff.ForwardAccumulator(xs, directions) as accumulator:
            y = f(*xs)
        return tf.nest.flatten(accumulator.jvp(y))

    for result, expected in zip(moved(tf.function(function)), moved(function), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-9)


@pytest.mark.parametrize("name", CASES)
def test_batches(name):
    function, *args = CASES[name]
    stacks = [tf.stack([tf.constant(a), tf.constant(a) * 0.9]) for a in args]
    traced = tf.function(function)
    result = tf.nest.flatten(tf.vectorized_map(lambda xs: traced(*xs), stacks))
    for row in range(2):
        expected = tf.nest.flatten(function(*[stack[row] for stack in stacks]))
        for a, b in zip(result, expected, strict=True):
            np.testing.assert_allclose(a[row], b, rtol=1e-9)


def test_only_the_branch_taken_runs():
    lines = []

    @tf.function
    def f(x):
        def shout():
            tf.print("yes", output_stream=lines.append)
            return x

        return tf.cond(x > 0, shout, lambda: -x)

    assert [float(f(tf.constant(v))) for v in (1.0, -1.0, 2.0)] == [1.0, 1.0, 2.0]
    assert lines == ["yes", "yes"]
    assert is_traced(f)


def test_variables_in_branches_and_loops():
    v = tf.Variable(1.0)

    @tf.function
    def branch(x):
        tf.cond(x > 0, lambda: v.assign_add(x), lambda: v)
        return v + 1.0

    assert [float(branch(tf.constant(a))) for a in (2.0, -2.0)] == [4.0, 4.0]

    @tf.function
    def loop(n):
        tf.while_loop(lambda i: i < n, lambda i: (v.assign_add(1.0), i + 1)[1], [tf.constant(0)])
        return v.read_value()

    assert float(loop(tf.constant(3))) == float(v) == 6.0
    assert is_traced(branch)
    assert is_traced(loop)


def test_gradients_of_variables_through_branches_and_scans():
    v = tf.Variable(2.0)

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            y = tf.cond(x > 0, lambda: v * v * x, lambda: v)
            z = tf.reduce_sum(tf.scan(lambda h, e: h * v + e, tf.range(20.0) * x))
        return tape.gradient(y, v), z

    assert float(f(tf.constant(3.0))[0]) == 12.0
    assert float(f(tf.constant(-3.0))[0]) == 1.0


def test_draws_in_a_loop_over_rows_are_written_out():
    @tf.function
    def f(x):
        return tf.map_fn(lambda e: e + tf.random.uniform([], seed=3), x)

    result = f(tf.zeros(20)).numpy()
    assert len(set(result.tolist())) == 20


def test_branches_that_do_not_fit_run_eagerly(caplog):
    f = tf.function(lambda x: tf.cond(x > 0, lambda: tf.ones(2), lambda: tf.ones(3)))
    assert f(tf.constant(1.0)).shape == (2,)
    assert "branches of a condition give different results, [float32[2]] and [float32[3]]" in (
        caplog.text
    )


def test_loops_in_loops_of_constants_are_not_unrolled_into_many_ops():
    calls = []

    @tf.function
    def total():  # everything is known while tracing
        def inner(i, x):
            calls.append(1)
            for _ in range(20):
                x = tf.sin(x) + 1.0
            return i + 1, x

        def outer(i, x):
            return i + 1, tf.while_loop(lambda j, _: j < 30, inner, [0, x])[1]

        return tf.while_loop(lambda i, _: i < 60, outer, [0, tf.constant(0.5)])[1]

    expected = 0.5
    for _ in range(60 * 30 * 20):
        expected = np.sin(expected) + 1.0
    np.testing.assert_allclose(total(), expected, rtol=1e-6)
    assert len(calls) <= 200  # of 1,800 iterations
