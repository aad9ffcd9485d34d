"""Ops that repeat become loops, with the same values (graph/passes/rolling.py)."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape.graph.execute import numpy_executable
from gradtape.graph.graph import Graph
from gradtape.graph.passes import optimize_for_execution
from gradtape.graph.passes.rolling import roll
from gradtape.graph.routine import trace_routine

RANDOM = np.random.default_rng(0)
STEPS, BATCH, FEATURES, UNITS = 20, 3, 4, 5


def numbers(*shape: int, dtype=np.float32) -> np.ndarray:
    return (RANDOM.standard_normal(shape) * 0.5).astype(dtype)


X = numbers(STEPS, BATCH, FEATURES)
BY_BATCH = numbers(BATCH, STEPS, FEATURES)
KERNEL, BIAS = numbers(FEATURES + UNITS, 4 * UNITS), numbers(4 * UNITS)
SECOND = numbers(2 * UNITS, 4 * UNITS)


def cell(x, h, c, kernel, bias):
    i, f, g, o = tf.split(tf.concat([x, h], 1) @ kernel + bias, 4, 1)
    c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
    return tf.sigmoid(o) * tf.tanh(c), c


def zeros():
    return tf.zeros((BATCH, UNITS))


def lstm(x, kernel, bias):
    h = c = zeros()
    for t in range(STEPS):
        h, c = cell(x[t], h, c, kernel, bias)
    return tf.reduce_mean(h**2) + tf.reduce_sum(c)


def lstm_by_batch(x, kernel, bias):
    h = c = zeros()
    for t in range(STEPS):
        h, c = cell(x[:, t], h, c, kernel, bias)
    return tf.reduce_mean(h**2)


def stacked(x, kernel, bias, second):
    """Two layers, whose ops are the same but for what they read."""
    h = c = h2 = c2 = zeros()
    outputs = []
    for t in range(STEPS):
        h, c = cell(x[t], h, c, kernel, bias)
        h2, c2 = cell(h, h2, c2, second, bias)
        outputs.append(h2)
    return tf.reduce_sum(tf.stack(outputs, 1) ** 2)


def backward_in_time(x, kernel, bias):
    h = c = zeros()
    for t in reversed(range(STEPS)):
        h, c = cell(x[t], h, c, kernel, bias)
    return tf.reduce_sum(h * c)


def leapfrog(x, v):
    """Each step needs the two before it."""
    before, now = x, x + 0.1 * v
    for _ in range(40):
        before, now = now, 2.0 * now - before - 0.01 * tf.sin(now)
    return tf.reduce_sum(now * before)


def counted(x):
    """A constant of its own in each iteration."""
    for i in range(40):
        x = tf.tanh(x * (0.5 + 0.01 * i)) + 0.1 * tf.sin(x)
    return tf.reduce_sum(x)


def collected(x):
    values = []
    for _ in range(30):
        x = tf.sin(x) * 1.1 + 0.3 * tf.cos(x)
        values.append(tf.reduce_sum(x))
    return values[7] * values[29] + tf.reduce_sum(tf.stack(values[3:22]))


def newton(x):
    """Numbers, without axes."""
    y = x
    for _ in range(32):
        y = y - (y * y * y - x) / (3.0 * y * y + 1.0)
    return y


def chained(x):
    """The value that the last iteration makes is needed for the gradient, too."""
    for _ in range(30):
        x = tf.sin(x) * 1.01 + 0.1
    return tf.sin(x)


# Functions and their arguments; which arguments have gradients; the ops that are left at most.
CASES = {
    "lstm": (lstm, (X, KERNEL, BIAS), (1, 2), 100),
    "lstm, by batch": (lstm_by_batch, (BY_BATCH, KERNEL, BIAS), (1, 2), 100),
    "two layers": (stacked, (X, KERNEL, BIAS, SECOND), (1, 2, 3), 200),
    "backward in time": (backward_in_time, (X, KERNEL, BIAS), (1, 2), 100),
    "two steps before": (leapfrog, (numbers(6), numbers(6)), (0, 1), 100),
    "constants": (counted, (numbers(6),), (0,), 100),
    "collected": (collected, (numbers(6),), (0,), 200),
    "numbers": (newton, (numbers()[()] + np.float32(2),), (0,), 100),
    "chained": (chained, (numbers(6),), (0,), 12),
    "rows": (lstm, (X, KERNEL, BIAS), (0, 1, 2), 150),
    "rows, by batch": (lstm_by_batch, (BY_BATCH, KERNEL, BIAS), (0, 1, 2), 150),
    "rows, backward in time": (backward_in_time, (X, KERNEL, BIAS), (0,), 150),
}


def inner_scans(graph: Graph) -> list:
    return [node for node in graph.nodes if node.prim.name == "scan"]


def graph_of(function, arguments) -> Graph:
    """Return the optimized graph of a function of arrays."""
    specs = [tf.constant(x)._spec() for x in arguments]
    routine, _ = trace_routine(lambda xs: (tf.nest.flatten(function(*xs)), None), specs)
    return optimize_for_execution(routine.graph)


def with_gradients(function, sources):
    def both(*arguments):
        with tf.GradientTape() as tape:
            tape.watch([arguments[i] for i in sources])
            value = function(*arguments)
        return value, tape.gradient(
            value, [arguments[i] for i in sources], unconnected_gradients="zero"
        )

    return both


def same_results(before: Graph, after: Graph, arguments) -> None:
    after.check()
    given = [tf.constant(x)._data for x in arguments]
    expected, actual = numpy_executable(before)(*given), numpy_executable(after)(*given)
    for a, b in zip(actual, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("case", CASES)
def test_a_recurrence_and_its_gradient_become_loops(case):
    function, arguments, sources, most = CASES[case]
    graph = graph_of(with_gradients(function, sources), arguments)
    rolled = roll(graph)
    assert len(rolled.nodes) <= most < len(graph.nodes)
    assert inner_scans(rolled)
    same_results(graph, rolled, arguments)


def test_what_does_not_repeat_is_left():
    def layers(x):
        for i in range(30):
            x = tf.reduce_sum(x[None] * numbers(3 + i, 1), 1)  # another shape each time
        return x

    graph = graph_of(layers, [numbers(4)])
    assert roll(graph) is graph


def test_large_values_of_each_iteration_are_not_copied_together():
    kernels = [tf.constant(numbers(300, 300)) for _ in range(20)]

    def layers(x):
        for kernel in kernels:
            x = tf.tanh(x @ kernel) * 0.5 + tf.sin(x) * 0.1
        return x

    graph = graph_of(layers, [numbers(2, 300)])
    assert roll(graph) is graph


def test_effects_stay_where_they_are(capfd):
    def printing(x):
        for i in range(20):
            x = tf.sin(x) * 1.5 + 0.25 * tf.cos(x) - 0.125
            tf.print("step", i)
        return x

    graph = graph_of(printing, [numbers(4)])
    same_results(graph, roll(graph), [numbers(4)])
    assert capfd.readouterr().err.count("step") == 40


def test_an_operand_from_three_iterations_before_is_no_loop():
    def delayed(a, b, c):
        for _ in range(30):
            a, b, c = b, c, tf.sin(c) * 0.5 + 0.25 * tf.cos(a) - 0.125 * tf.tanh(b)
        return c

    arguments = [numbers(4) for _ in range(3)]
    graph = graph_of(delayed, arguments)
    same_results(graph, roll(graph), arguments)


def slopes_of_each_step(x, w):
    """The sum of them begins with a value that the first step makes."""
    total = None
    for t in range(24):
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.reduce_sum(tf.sin(w[t]) * x)
        scaled, slope = w * x, tape.gradient(y, w)
        total = scaled + slope if total is None else total + slope
        x = tf.tanh(tf.reduce_mean(scaled, 0))
    return total, x


def sum_read_at_the_end(x, w):
    """The last step reads a sum where the others read a value that was there before."""
    total, others = tf.zeros_like(w), [tf.sin(w * (1.0 + 0.1 * t)) for t in range(24)]
    for t in range(24):
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.reduce_sum(tf.sin(w[t]) * x)
        total += tape.gradient(y, w)
        x = tf.tanh(x + tf.reduce_sum(total if t == 23 else others[t], 0))
    return total, x


def row_of_a_sum_at_the_end(x, w):
    """The same where the steps read a row of it."""
    total, others = tf.zeros_like(w), [tf.sin(w * (1.0 + 0.1 * t)) for t in range(24)]
    h = x
    for t in range(24):
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.reduce_sum(tf.sin(w[t]) * x)
        total += tape.gradient(y, w)
        h = tf.tanh(h + (total if t == 23 else others[t])[t])
        x = tf.tanh(x + tf.sin(x))
    return total, x, h


@pytest.mark.parametrize(
    "function", [slopes_of_each_step, sum_read_at_the_end, row_of_a_sum_at_the_end]
)
def test_a_sum_is_made_behind_the_loop_only_where_nothing_in_it_needs_it(function):
    arguments = [numbers(4), numbers(24, 4)]
    graph = graph_of(function, arguments)
    same_results(graph, roll(graph), arguments)


NOT_ROLLED = {12, 13}


@pytest.mark.parametrize("seed", range(30))
def test_random_recurrences(seed):
    random = np.random.default_rng(seed)
    ops = [tf.sin, tf.tanh, tf.sigmoid, lambda x: x * 0.7, lambda x: x + 0.1, tf.square]
    pairs = [lambda x, y: x * y, lambda x, y: 0.5 * (x + y), tf.minimum, lambda x, y: x - y]
    # (op, which earlier values of this iteration or state it takes), the same in each iteration.
    recipe = [(random.integers(10), random.integers(1 << 16, size=2)) for _ in range(8)]
    count, times = int(random.integers(1, 4)), int(random.integers(16, 24))
    of_rows, of_numbers = random.random() < 0.5, random.random() < 0.5
    is_collected = random.random() < 0.5

    def recurrence(x, *state):
        state, collected = list(state), []
        for t in range(times):
            values = [*state, x[t]] if of_rows else list(state)
            if of_numbers:
                values.append(values[0] * (0.01 * t))
            for op, which in recipe:
                a, b = (values[i % len(values)] for i in which)
                values.append(ops[op](a) if op < len(ops) else pairs[op - len(ops)](a, b))
            state = [*state[1:], tf.tanh(values[-1])]
            if is_collected:
                collected.append(values[-2])
        return tf.add_n([tf.reduce_sum(value) for value in (*state, *collected)])

    arguments = [numbers(24, 3), *[numbers(3) for _ in range(count)]]
    graph = graph_of(with_gradients(recurrence, range(count + 1)), arguments)
    rolled = roll(graph)
    # Of some nothing repeats often enough: what is computed of x alone is one op for all rows, say.
    assert inner_scans(rolled) or seed in NOT_ROLLED
    same_results(graph, rolled, arguments)
