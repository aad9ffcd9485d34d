"""Tensors with values that branches and loops use, and that a tape watches."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

WEIGHTS, X = tf.constant([1.0, 2.0]), tf.constant([5.0, 6.0])


def in_a_branch(x):
    return tf.cond(x[0] > 0, lambda: tf.reduce_sum(WEIGHTS * x), lambda: 0.0)


def in_a_branch_of_a_branch(x):
    return tf.cond(x[1] > 0, lambda: in_a_branch(x), lambda: 0.0)


def in_a_loop(x):
    def body(s):
        return (s + s * WEIGHTS,)

    return tf.reduce_sum(tf.while_loop(lambda s: tf.reduce_sum(s) < 99.0, body, (x,))[0])


# As TensorFlow 2.21 computes them.
SLOPES = [(in_a_branch, [5, 6]), (in_a_branch_of_a_branch, [5, 6]), (in_a_loop, [60, 162])]


@pytest.mark.parametrize(("function", "slope"), SLOPES)
def test_a_tape_around_the_function_sees_them(function, slope):
    with tf.GradientTape() as tape:
        tape.watch(WEIGHTS)
        y = tf.function(function)(X)
    assert tape.gradient(y, WEIGHTS).numpy().tolist() == slope


@pytest.mark.parametrize(("function", "slope"), SLOPES)
def test_a_tape_in_the_function_sees_them(function, slope):
    @tf.function
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(WEIGHTS)
            y = function(x)
        return tape.gradient(y, WEIGHTS)

    assert gradient(X).numpy().tolist() == slope


def test_an_accumulator_sees_them():
    with tf.autodiff.ForwardAccumulator(WEIGHTS, tf.ones(2)) as forward:
        y = tf.function(in_a_branch)(X)
    assert forward.jvp(y) == 11.0


def in_a_scan(x):
    return tf.reduce_sum(tf.foldl(lambda s, e: s + e * WEIGHTS, x, initializer=tf.zeros(2)))


def in_a_branch_of_a_loop(x):
    def body(s):
        return (tf.cond(s[0] > 20.0, lambda: s * 2.0, lambda: s * WEIGHTS + WEIGHTS),)

    return tf.reduce_sum(tf.while_loop(lambda s: tf.reduce_sum(s) < 99.0, body, (x,))[0])


def in_both(x):
    return in_a_branch(x) * tf.reduce_sum(WEIGHTS * WEIGHTS) + in_a_loop(x)


@pytest.mark.parametrize(
    "function",
    [in_a_branch, in_a_branch_of_a_branch, in_a_loop, in_a_scan, in_a_branch_of_a_loop, in_both],
)
def test_a_function_that_was_traced_before_sees_them(function):
    traced = tf.function(function)
    traced(X)
    results = []
    for called in (function, traced):
        with tf.GradientTape() as outer, tf.GradientTape() as tape:
            outer.watch(WEIGHTS)
            tape.watch(WEIGHTS)
            value = called(X)
            slope = tape.gradient(value, WEIGHTS)
        curvature = outer.gradient(slope, WEIGHTS, unconnected_gradients="zero")
        results.append([value.numpy(), slope.numpy(), curvature.numpy()])
    for eager, of_graph in zip(*results, strict=True):
        np.testing.assert_allclose(of_graph, eager, rtol=1e-6)


def in_a_limited_loop(x):
    def body(s):
        return (s + tf.sin(s * WEIGHTS) + s * WEIGHTS,)

    return tf.reduce_sum(
        tf.while_loop(lambda s: tf.reduce_sum(s) < 99.0, body, (x,), maximum_iterations=9)[0]
    )


def in_a_loop_of_a_branch(x):
    return tf.cond(x[0] > 0, lambda: in_a_loop(x), lambda: 0.0) * tf.reduce_sum(tf.sin(WEIGHTS))


INSIDE = [in_a_branch, in_a_scan, in_a_loop, in_a_limited_loop, in_a_loop_of_a_branch, in_both]


@pytest.mark.parametrize("size", [2, None])
@pytest.mark.parametrize("function", [*INSIDE, in_a_branch_of_a_loop])
def test_a_function_with_a_gradient_in_it_that_was_traced_before_sees_them(function, size):
    """Loops on a tape keep what their gradients need, which depends on the constants, too."""

    def slopes(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return y, tape.gradient(y, x)

    traced = tf.function(slopes, input_signature=[tf.TensorSpec([size], tf.float32)])
    traced(X)
    results = []
    for called in (slopes, traced):
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(WEIGHTS)
            value, slope = called(X)
        results.append([outer.gradient(y, WEIGHTS).numpy() for y in (value, slope)])
    for eager, of_graph in zip(*results, strict=True):
        np.testing.assert_allclose(of_graph, eager, rtol=1e-6)


def by_an_accumulator(function):
    with tf.autodiff.ForwardAccumulator(WEIGHTS, tf.constant([1.0, -2.0])) as forward:
        y = function(X)
    return forward.jvp(y)


def around_a_vmap(function):
    with tf.GradientTape() as tape:
        tape.watch(WEIGHTS)
        y = tf.reduce_sum(tf.vectorized_map(function, tf.stack([X, 0.5 * X])))
    return tape.gradient(y, WEIGHTS)


def by_a_tape_in_another_function(function):
    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(WEIGHTS)
            y = function(x)
        return tape.gradient(y, WEIGHTS)

    return slope(X)


@pytest.mark.parametrize("function", INSIDE)
@pytest.mark.parametrize(
    "derivative", [by_an_accumulator, around_a_vmap, by_a_tape_in_another_function]
)
def test_all_listeners_see_those_of_a_function_that_was_traced_before(function, derivative):
    traced = tf.function(function)
    traced(X)
    np.testing.assert_allclose(derivative(traced), derivative(function), rtol=1e-6)
