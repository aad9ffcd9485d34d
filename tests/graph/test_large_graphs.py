"""Python loops that are written out in a graph: pointed at, and not compiled for minutes."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape.backends.xla.runtime import choose
from gradtape.graph.control.repetition import find_repetition
from gradtape.graph.passes import rolling


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


@pytest.fixture
def small_is_large(monkeypatch):
    pytest.importorskip("jax", reason="XLA is reached by way of JAX, an optional package")
    monkeypatch.setattr(rolling, "LARGE", 50)
    monkeypatch.setattr(choose, "_TOO_LARGE_GRAPH", 100)


def test_what_would_take_minutes_is_not_compiled(caplog, small_is_large):
    def grow(x):
        for _ in range(20):
            y = tf.tanh(tf.sin(x[:1]) * 0.5 + tf.cos(x[:1]))
            x = tf.concat([x, y], 0)  # another shape each time
        return x

    x = tf.ones((1, 2))
    np.testing.assert_array_equal(tf.function(grow, jit_compile=True)(x), tf.function(grow)(x))
    assert (
        "grow is not compiled, and runs as a graph on NumPy: XLA would take minutes for its "
        in (caplog.text)
    )
    assert "is written out in it 20 times. Write the loop with tf.scan, tf.foldl" in caplog.text


def test_what_repeats_is_compiled_as_a_loop(caplog, small_is_large):
    step = recurrence(40, jit_compile=True)
    x = tf.ones((1, 2))
    np.testing.assert_allclose(step(x), recurrence(40)(x), rtol=1e-5)
    assert "written out" not in caplog.text
    assert "not compiled" not in caplog.text
    routine = next(iter(step._cache.entries.values())).routine
    assert routine.backend.name == "xla"
    assert len(rolling.roll_large(routine.graph).nodes) < 50 < len(routine.graph.nodes)


def test_a_compiled_loop_updates_variables(small_is_large):
    """What is compiled may write over its variables; a tape around the call sees every op."""

    def training(jit_compile):
        w = tf.Variable([[0.5, -0.3], [0.2, 0.1]])

        @tf.function(jit_compile=jit_compile)
        def step(x):
            with tf.GradientTape() as tape:
                h = x
                for _ in range(30):
                    h = tf.tanh(h @ w) + 0.1 * h
                loss = tf.reduce_sum(h**2)
            w.assign_sub(0.1 * tape.gradient(loss, w))
            return loss

        x = tf.constant([[1.0, 2.0]])
        losses = [float(step(x)) for _ in range(3)]
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = step(x)
        return [*losses, *tape.gradient(loss, x).numpy().ravel(), *w.numpy().ravel()]

    np.testing.assert_allclose(training(True), training(False), rtol=1e-4)
