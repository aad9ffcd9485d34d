"""Gradients and assignments in functions: none flows through an assignment, as in eager code."""

from __future__ import annotations

import pytest

import gradtape as tf


def in_a_branch(x, assign):
    tf.cond(x > 0.0, assign, lambda: None)


def in_a_loop(x, assign):
    def body(i):
        assign()
        return (i + 1,)

    tf.while_loop(lambda i: i < tf.cast(x, tf.int32), body, (tf.constant(0),), maximum_iterations=1)


def in_line(x, assign):
    assign()


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("where", [in_line, in_a_branch, in_a_loop])
@pytest.mark.parametrize("how", ["assign", "assign_add", "assign_sub"])
def test_reading_after_an_assignment_is_reading_the_variable(how, where, order):
    v, x = tf.Variable(2.0), tf.constant(3.0)

    def f(x):
        before = v * 10.0
        where(x, lambda: getattr(v, how)(x))
        return before + v * v * v

    def gradients(f):
        v.assign(2.0)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            first = tape.gradient(y, [v, x])
        second = outer.gradient(first[0], v)
        of_x = 0.0 if first[1] is None else float(first[1])  # cond and loops have zeros for None
        return float(y), float(first[0] if order == 1 else second), of_x

    assert gradients(tf.function(f)) == gradients(f)


def test_a_tape_in_a_function_sees_what_branches_and_loops_read():
    v, w = tf.Variable(2.0), tf.Variable(1.5)

    def body(i, y):
        def add():
            v.assign(v + w)
            return y + v * w

        return i + 1, tf.cond(i > 0, add, lambda: y * v) * v

    def gradients(n):
        v.assign(2.0)
        with tf.GradientTape() as outer:
            before = v * 1.0
            with tf.GradientTape() as tape:
                _, y = tf.while_loop(lambda i, y: i < n, body, (tf.constant(0), before))
            first = tape.gradient(y, [v, w])
        return [y, *first, *outer.gradient(first[0], [v, w])]

    for function in (gradients, tf.function(gradients)):
        actual = [float(x) for x in function(tf.constant(3))]
        assert actual == [269.375, 293.875, 86.25, 365.0, 57.25]  # TensorFlow 2.21's


def test_the_argument_of_an_assignment_is_not_connected():
    v, x = tf.Variable(2.0), tf.constant(3.0)

    @tf.function
    def f(x):
        v.assign_add(x)
        return v * v

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert tape.gradient(y, x) is None


def test_several_variables_go_round_a_loop():
    v, w = tf.Variable(1.0), tf.Variable([1.0, 2.0])

    @tf.function
    def f(n):
        def body(i):
            v.assign_add(1.0)
            w.assign(w * v)
            return (i + 1,)

        tf.while_loop(lambda i: i < n, body, (tf.constant(0),))
        return tf.reduce_sum(w) * v

    with tf.GradientTape() as tape:
        y = f(tf.constant(3))
    assert float(y) == 72.0 * 4.0
    assert (v.numpy(), w.numpy().tolist()) == (4.0, [24.0, 48.0])
    assert [g.numpy().tolist() for g in tape.gradient(y, [v, w])] == [72.0, [4.0, 4.0]]
