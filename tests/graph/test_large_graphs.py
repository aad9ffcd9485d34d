"""Python loops that are written out in a graph: pointed at, and not compiled for minutes."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape.backends.xla.runtime import choose
from gradtape.graph.control.repetition import find_repetition


def recurrence(rounds: int, **options):
    w = tf.Variable(np.full((2, 2), 0.1, np.float32))

    @tf.function(**options)
    def step(x):
        with tf.GradientTape() as tape:
            h = tf.zeros((1, 2))
            for _ in range(rounds):
                h = tf.tanh(h @ w + x)
            loss = tf.reduce_sum(h)
        return tape.gradient(loss, w)

    return step


def graph_of(function):
    return next(iter(function._cache.entries.values())).routine.graph


def test_the_line_of_the_loop_is_found():
    step = recurrence(20)
    step(tf.ones((1, 2)))
    result = find_repetition(graph_of(step))
    assert result is not None
    line = step.python_function.__code__.co_firstlineno + 5
    assert (result.line, result.times) == (f"test_large_graphs.py:{line}", 20)


def test_a_large_graph_without_a_loop_is_not_blamed():
    @tf.function
    def f(x):
        y = tf.sin(x) * 2.0
        z = tf.exp(y) - tf.cos(x)
        return tf.tanh(z) / y

    f(tf.ones(3))
    assert find_repetition(graph_of(f)) is None
    scanned = tf.function(lambda x: tf.scan(lambda h, e: tf.tanh(h + e), x))
    scanned(tf.ones(100))
    assert find_repetition(graph_of(scanned)) is None


def test_what_would_take_minutes_is_not_compiled(caplog, monkeypatch):
    pytest.importorskip("jax", reason="XLA is reached by way of JAX, an optional package")
    monkeypatch.setattr(choose, "_LARGE_GRAPH", 50)
    monkeypatch.setattr(choose, "_TOO_LARGE_GRAPH", 100)
    step = recurrence(20, jit_compile=True)
    x = tf.ones((1, 2))
    np.testing.assert_array_equal(step(x), recurrence(20)(x))
    assert (
        "step is not compiled, and runs as a graph on NumPy: XLA would take minutes for its "
        in (caplog.text)
    )
    assert "is written out in it 20 times. Write the loop with tf.scan, tf.foldl" in caplog.text
