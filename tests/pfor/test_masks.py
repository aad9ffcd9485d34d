"""What is computed for examples that go another way, or are done, is not seen: not in gradients."""

import numpy as np
import pytest

import gradtape as tf
from tests.graph.compared import is_traced
from tests.pfor.derivatives import MODES, arguments, assert_same, looped, vectorized

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


@program
def logarithm_of_what_is_positive(tf, x, k, w):
    y = x - 0.35
    return tf.cond(y[0] > 0.0, lambda: tf.math.log(y[0] * w), lambda: y * w)


@program
def root_at_zero(tf, x, k, w):
    y = tf.nn.relu(x[0] - 0.35)  # the slope of the root is infinite at zero
    return tf.cond(y > 0.0, lambda: tf.sqrt(y) * w, lambda: x * w)


@program
def quotient(tf, x, k, w):
    n = tf.cast(k, x.dtype)
    return tf.cond(k > 0, lambda: x * w / n + w / (x[0] * n), lambda: x * w)


@program
def branch_that_none_takes(tf, x, k, w):
    return tf.cond(k > 9, lambda: tf.math.log(-x) * w / 0.0, lambda: x * w)


@program
def branches_that_none_takes(tf, x, k, w):
    branches = {0: lambda: x * w, 7: lambda: tf.math.log(-x * w), 8: lambda: w / (x - x)}
    return tf.switch_case(k, branches, default=lambda: x * x * w)


@program
def index_out_of_range(tf, x, k, w):
    return tf.cond(k < 2, lambda: x[k + 3] * w, lambda: tf.gather(x * w, [k - 2]) * w)


@program
def roots_until_negative(tf, x, k, w):
    # One more iteration would be the root of a negative number.
    def body(y):
        return (tf.sqrt(y) * w[1] - 0.9,)

    return tf.while_loop(lambda y: tf.reduce_min(y) > 0.0, body, (x + 0.2,))[0]


@program
def logarithms_of_captured(tf, x, k, w):
    # x[0] * 4 - j is negative in iterations after the last.
    limit = tf.cast(tf.math.floor(x[0] * 4.0), tf.int32)

    def body(j, total):
        return j + 1, total + tf.math.log(x[0] * 4.0 - tf.cast(j, x.dtype)) * w

    return tf.while_loop(lambda j, total: j < limit, body, (0, x))[1]


@program
def powers_that_overflow(tf, x, k, w):
    # The examples that are done early would overflow in the iterations of the others.
    def body(j, y):
        return j + 1, y**9 * w

    steps = tf.where(k > 2, 6, k)
    start = tf.where(k > 2, x, x * 10.0)
    y = tf.while_loop(lambda j, y: j < steps, body, (0, start))[1]
    # The tests take sines of it: those of numbers such as 1e76 would depend on the last digit.
    return tf.where(k > 2, y, tf.math.log1p(tf.abs(y)))


@program
def no_iterations(tf, x, k, w):
    return tf.while_loop(lambda y: y[0] > 9.0, lambda y: (tf.math.log(-y) * w,), (x * w,))[0]


@program
def loop_in_a_branch(tf, x, k, w):
    def loop():
        return tf.while_loop(
            lambda j, y: j < k, lambda j, y: (j + 1, tf.math.log(y * 9.0) * w), (0, x + 1.0)
        )[1]

    return tf.cond(k > 1, loop, lambda: tf.sqrt(x) * w)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_a_loop_over_examples(name, traced, mode):
    expected = MODES[mode](PROGRAMS[name], looped)(*arguments())
    assert all(np.isfinite(y).all() for y in tf.nest.flatten(expected))
    function = MODES[mode](PROGRAMS[name], vectorized)
    function = tf.function(function) if traced else function
    assert_same(function(*arguments()), expected)
    assert not traced or is_traced(function)


def test_an_example_that_is_infinite_stays_so():
    x = tf.constant([0.0, 1.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.vectorized_map(lambda x: tf.cond(x < 2.0, lambda: tf.sqrt(x), lambda: x * x), x)
    np.testing.assert_array_equal(tape.gradient(y, x), [np.inf, 0.5, 8.0])
