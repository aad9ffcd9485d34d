"""Custom gradients in functions that use a tape of their own, as samplers of GPflow do."""

import math

import pytest

import gradtape as tf


def _slope(use, wrap):
    """Return a function with the gradient of v²w by v, from a tape that can be used once."""
    v, w = tf.Variable(2.0), tf.Variable(3.0)

    @tf.custom_gradient
    def energy(x):
        v.assign(x)
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(v)
            y = v * v * w

        def gradient(upstream, variables=None):
            return upstream * getattr(tape, use)(y, v), [None] * len(variables)

        return y, wrap(gradient)

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = energy(x)
        return tape.gradient(y, x)

    return slope


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["plain", "function"])
@pytest.mark.parametrize("use", ["gradient", "jacobian"])
def test_a_tape_of_a_custom_gradient_is_used_in_a_function(use, wrap):
    slope = _slope(use, wrap)
    assert float(slope(tf.constant(1.5))) == 9.0
    traced = tf.function(slope)
    assert [float(traced(tf.constant(x))) for x in (1.5, 0.5)] == [9.0, 3.0]


def test_a_tape_can_still_be_used_only_once_in_a_function():
    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x) + tape.gradient(y, x)

    with pytest.raises(RuntimeError, match="can only be used to compute one set of gradients"):
        f(tf.constant(1.0))


def _derivative(f, order):
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = _derivative(f, order - 1)(x)
        return tape.gradient(y, x)

    return slope if order else f


def test_a_gradient_function_that_calls_its_function_is_traced_for_a_few_orders():
    calls = []

    @tf.custom_gradient
    def sine(x):
        calls.append(x)
        return tf.sin(x), lambda upstream: upstream * sine(x + math.pi / 2)

    traced, x = tf.function(sine), tf.constant(0.5, "float64")
    assert traced(x).numpy() == pytest.approx(math.sin(0.5))
    assert len(calls) == 5  # without an end, each call would trace another one
    for order in range(1, 5):
        expected = math.sin(0.5 + order * math.pi / 2)
        assert _derivative(traced, order)(x).numpy() == pytest.approx(expected)
    with pytest.raises(tf.errors.UnimplementedError, match=r"up to order 4\. Take .* outside"):
        _derivative(traced, 5)(x)
    assert _derivative(sine, 5)(x).numpy() == pytest.approx(math.cos(0.5))
