"""Slices and parts of variables at positions that are known only when a function runs."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf


@pytest.fixture(autouse=True)
def never_eagerly(caplog):
    yield
    assert "runs eagerly" not in caplog.text


def test_a_slice_is_traced_once_for_all_sizes():
    traces = []

    @tf.function
    def f(x, a, b):
        traces.append(1)
        return tf.reduce_sum(x[a:b]), tf.reduce_sum(x[::-1][b:a:-1]), x[a:]

    x = np.arange(1.0, 7.0, dtype=np.float32)
    for a, b in ((0, 2), (1, 3), (4, 9), (-2, 6), (3, 1), (0, 2)):
        given = tf.constant(x)
        with tf.GradientTape() as tape:
            tape.watch(given)
            one, other, rest = f(given, tf.constant(a), tf.constant(b))
        slope = np.zeros(6, np.float32)
        slope[a:b] = 1.0
        assert tape.gradient(one, given).numpy().tolist() == slope.tolist()
        assert float(one) == x[a:b].sum()
        assert float(other) == x[::-1][b:a:-1].sum()
        assert rest.numpy().tolist() == x[a:].tolist()
    assert f.experimental_get_tracing_count() == 1
    assert len(traces) == 1


def test_slices_of_a_loop_that_is_unrolled():
    @tf.function
    def f(x, n):
        total = 0.0
        for i in tf.range(n):
            total += tf.reduce_max(x[i : i + 2]) * tf.reduce_min(x[i:])
        return total

    x = np.array([3.0, 1.0, 4.0, 1.0, 5.0], np.float32)
    for n in (0, 2, 5, 2):
        wanted = sum(x[i : i + 2].max() * x[i:].min() for i in range(n))
        assert float(f(tf.constant(x), tf.constant(n))) == wanted


def test_slices_of_a_while_loop():
    @tf.function
    def f(x):
        total, i = 0.0, 0
        while tf.reduce_sum(x[i:]) > 5.0:
            total += tf.reduce_sum(x[:i])
            i += 1
        return total, i

    total, i = f(tf.constant([1.0, 2.0, 3.0, 4.0]))
    assert (float(total), int(i)) == (4.0, 3)


@pytest.mark.parametrize(
    "key",
    [
        lambda i: i,
        lambda i: (slice(None), i),
        lambda i: (i, Ellipsis, 2),
        lambda i: (Ellipsis, slice(1, 3), i),
        lambda i: (i, None, -i),
        lambda i: (slice(None, None, 2), i - 3),
        lambda i: (slice(i, i + 2), 1),
    ],
)
def test_a_part_of_a_variable_at_a_traced_position(key):
    start = np.arange(60.0, dtype=np.float32).reshape(3, 4, 5)
    variable = tf.Variable(start)

    @tf.function
    def f(i, value):
        variable[key(i)].assign(value)

    wanted = start.copy()
    shape = wanted[key(1)].shape
    value = 100.0 + np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    wanted[key(1)] = value
    f(tf.constant(1), tf.constant(value))
    assert variable.numpy().tolist() == wanted.tolist()
    f(tf.constant(1), tf.constant(7.0))
    wanted[key(1)] = 7.0
    assert variable.numpy().tolist() == wanted.tolist()
