"""`tf.gradients` inside of loops and branches of a function."""

from __future__ import annotations

import pytest

import gradtape as tf


def test_gradients_inside_of_loops_and_branches():
    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            y = x**3
            if y > 0.5:  # noqa: SIM108 (the statement is meant)
                x = x - 0.1 * tf.gradients(y * x, x)[0]
            else:
                x = x - 0.1 * tf.gradients(y, x)[0]
        return x

    wanted = 1.0
    for _ in range(3):
        wanted -= 0.1 * (4 * wanted**3 if wanted**3 > 0.5 else 3 * wanted**2)
    assert float(f(tf.constant(1.0), tf.constant(3))) == pytest.approx(wanted)


def test_gradients_inside_of_a_branch_by_what_is_outside():
    v = tf.Variable(3.0)

    @tf.function
    def f(x):
        y = x**2 * v
        if x > 0.0:
            z = y * x
            first = tf.gradients(z, [x, v, y])
            second = tf.gradients(z, x, stop_gradients=[y])
            third = tf.gradients(y, x)
        else:
            first, second, third = [x, x, x], [x], [x]
        return first, second, third

    result = [[float(g) for g in each] for each in f(tf.constant(2.0))]
    assert result == [[36.0, 8.0, 2.0], [12.0], [12.0]]
