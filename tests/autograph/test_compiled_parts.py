"""Functions that XLA compiles in parts, because the host has to do something in between."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import gradtape as tf
from tests.graph.compared import is_traced

pytest.importorskip("jax", reason="XLA is reached by way of JAX, an optional package")
WHERE = ["host", "device"]


@pytest.fixture(params=WHERE)
def chosen_device(request):
    """Where tensors are: functions with `jit_compile` on the host, or on a device."""
    if request.param == "host":
        yield
        return
    with tf.device("/XLA:0"):
        yield


def backend_of(function):
    return next(iter(function._cache.entries.values())).routine.backend.name


def compiled(function):
    return tf.function(function, jit_compile=True)


def parts_of(function):
    """How many programs a function is compiled to."""
    from gradtape.backends.xla.runtime.parts import split
    from gradtape.graph.passes import optimize_for_execution

    (entry,) = [entry for _, entry in function._cache.entries.items()]
    return sum(part.is_compiled for part in split(optimize_for_execution(entry.routine.graph)))


# --- Python functions ----------------------------------------------------------------------------


@pytest.mark.usefixtures("chosen_device")
def test_numpy_function_between_two_programs():
    calls = []

    def total(x):
        calls.append(1)
        return np.float64(x.sum())

    @compiled
    def f(x):
        y = tf.sin(x) * 2.0
        return tf.exp(y) * tf.numpy_function(total, [y], tf.float64)

    x = np.array([1.0, 2.0])
    expected = np.exp(2.0 * np.sin(x)) * np.sum(2.0 * np.sin(x))
    for _ in range(3):
        np.testing.assert_allclose(f(tf.constant(x)), expected, rtol=1e-12)
    assert len(calls) == 3
    assert backend_of(f).startswith("xla")
    assert is_traced(f)


@pytest.mark.usefixtures("chosen_device")
def test_a_variable_is_updated_by_a_step_that_calls_a_metric():
    v = tf.Variable([1.0, 2.0])
    seen = []

    def metric(loss):
        seen.append(float(loss))
        return loss

    @compiled
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(v * x))
        v.assign_sub(0.1 * tape.gradient(loss, v))
        return tf.numpy_function(metric, [loss], tf.float32)

    losses = [float(step(tf.constant([1.0, 0.5]))) for _ in range(3)]
    assert losses == seen
    weights, expected = np.array([1.0, 2.0]), []
    for _ in range(3):
        expected.append(np.sum((weights * [1.0, 0.5]) ** 2))
        weights = weights - 0.2 * weights * [1.0, 0.25]
    np.testing.assert_allclose(losses, expected, rtol=1e-5)
    np.testing.assert_allclose(v, weights, rtol=1e-5)


@pytest.mark.usefixtures("chosen_device")
def test_py_function_has_its_gradient_inside_and_outside():
    @compiled
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.py_function(lambda a: a**3, [tf.sin(x)], tf.float32)) * 2.0
        return y, tape.gradient(y, x)

    x = tf.constant([0.5, 1.0])
    slope = 6.0 * np.sin(x.numpy()) ** 2 * np.cos(x.numpy())
    for _ in range(2):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y, inside = f(x)
        np.testing.assert_allclose(inside, slope, rtol=1e-5)
        np.testing.assert_allclose(tape.gradient(y, x), slope, rtol=1e-5)


@pytest.mark.usefixtures("chosen_device")
def test_an_environment_in_a_loop_is_called_by_the_program():
    visited = []

    class Walk:
        def step(self, action):
            self.position += int(action)
            visited.append(self.position)
            return np.int64(self.position), np.bool_(self.position >= 5)

    walk = Walk()

    @compiled
    def episode(action):
        total = tf.constant(0, tf.int64)
        for _ in tf.range(100):
            position, done = tf.numpy_function(walk.step, [action], [tf.int64, tf.bool])
            total += position * 3_000_000_000
            if done:
                break
        return total

    for action in (1, 2, 5):
        walk.position = 0
        visited.clear()
        result = int(episode(tf.constant(action)))
        assert visited == list(range(action, 5 + action, action))
        assert result == sum(visited) * 3_000_000_000  # more than 32 bits
    assert episode.experimental_get_tracing_count() == 1
    assert backend_of(episode).startswith("xla")


@pytest.mark.usefixtures("chosen_device")
def test_what_a_function_in_a_loop_raises_is_raised(caplog, capfd):
    def check(i):
        if i == 3:
            raise KeyError("three")
        return np.float32(i)

    @compiled
    def f(n):
        total = 0.0
        for i in tf.range(n):
            total += tf.numpy_function(check, [i], tf.float32)
        return total

    assert float(f(tf.constant(3))) == 3.0
    for _ in range(2):
        with pytest.raises(KeyError, match="three"):
            f(tf.constant(8))
    assert float(f(tf.constant(2))) == 1.0
    assert "callback failed" not in caplog.text + capfd.readouterr().err


# --- effects -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("chosen_device")
def test_prints_keep_their_order():
    lines = []

    @compiled
    def f(x, n):
        tf.print("before", output_stream=lines.append)
        for i in tf.range(n):
            tf.print("i", i, output_stream=lines.append)
            if i > 0:
                tf.print("again", output_stream=lines.append)
        tf.print("after", output_stream=lines.append)
        return tf.exp(x)

    assert float(f(tf.constant(0.0), tf.constant(2))) == 1.0
    assert [line.strip() for line in lines] == ["before", "i 0", "i 1", "again", "after"]
    assert parts_of(f) == 2  # the loop comes after a print


def test_prints_do_not_cut_what_is_computed():
    @compiled
    def f(x):
        for _ in range(5):
            x = tf.sin(x)
            tf.print(x, output_stream=lambda text: None)
        return x

    assert float(f(tf.constant(0.0))) == 0.0
    assert parts_of(f) == 1


@pytest.mark.usefixtures("chosen_device")
def test_a_check_that_fails_leaves_variables_as_they_were():
    v = tf.Variable(1.0)

    @compiled
    def f(x):
        v.assign_add(x)
        tf.debugging.assert_less(v, 3.0)
        return v * 1.0

    assert float(f(tf.constant(1.0))) == 2.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(5.0))
    assert float(v) == 2.0


def test_text_beside_numbers():
    @compiled
    def f(words, x):
        return tf.strings.upper(words), tf.exp(x) + tf.cast(tf.size(words), tf.float32)

    words, y = f(tf.constant(["a", "b"]), tf.constant(0.0))
    assert (words.numpy().tolist(), float(y)) == ([b"A", b"B"], 3.0)
    assert backend_of(f) == "xla"


def test_threads_call_one_program():
    @compiled
    def f(n):
        total = 0
        for i in tf.range(n):
            total += tf.numpy_function(lambda k: k, [i], tf.int32)
        return total

    f(tf.constant(2))
    result = {}

    def run(n):
        result[n] = [int(f(tf.constant(n))) for _ in range(5)]

    threads = [threading.Thread(target=run, args=(n,)) for n in (3, 5, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert result == {n: [n * (n - 1) // 2] * 5 for n in (3, 5, 8)}


# --- loops of unknown length ---------------------------------------------------------------------


@pytest.mark.usefixtures("chosen_device")
def test_gradients_of_loops_of_unknown_length_are_compiled(caplog):
    """A program counts the iterations, and the next has room for a power of two of them."""
    from gradtape.backends.xla.runtime.graph_program import COMPILED

    def step(x, n, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = x
            for _ in tf.range(n):
                y = tf.tanh(y * w) + 0.1
                if tf.reduce_sum(y) > 100.0:
                    break
            count = 0
            while tf.reduce_sum(y) > 0.5:
                y = y * 0.7
                count += 1
            loss = tf.reduce_sum(y**2)
        return loss, tape.gradient(loss, [x, w]), count

    traced, program = tf.function(step), compiled(step)
    x, w = tf.constant([0.5, 0.7]), tf.constant([1.1, 0.9])
    before = len(COMPILED)
    for n in (0, 1, 3, 4, 5, 8, 3):
        with tf.device("/CPU:0"):
            given = [tf.constant(a.numpy()) for a in (x, tf.constant(n), w)]
            wanted = traced(*given)
        result = program(x, tf.constant(n), w)
        for a, b in zip(tf.nest.flatten(result), tf.nest.flatten(wanted), strict=True):
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=2e-5)
    assert program.experimental_get_tracing_count() == 1
    assert len(COMPILED) - before <= 1 + 4  # it counts; then 1, 2, 4 and 8 of the first loop
    assert "host" not in caplog.text


@pytest.mark.usefixtures("chosen_device")
def test_a_loop_with_a_break_over_known_rows_has_a_limit(caplog):
    @compiled
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(50):
                y = tf.sin(y) * x
                if y < 0.5:
                    break
        return y, tape.gradient(y, x)

    y, slope = f(tf.constant(0.9))
    assert (float(y), float(slope)) == pytest.approx((0.4956478, 1.7289652), rel=1e-5)
    assert parts_of(f) == 1
    assert "host" not in caplog.text
