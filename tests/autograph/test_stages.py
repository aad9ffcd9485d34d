"""Functions in which a shape depends on values: they are traced in stages, and compute once."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf


@pytest.fixture(autouse=True)
def never_eagerly(caplog):
    yield
    assert "runs eagerly" not in caplog.text


def counted(calls):
    """A function that returns as many numbers as it is asked for."""

    def numbers(n):
        calls.append(int(n))
        return np.arange(n, dtype=np.float32)

    return numbers


# --- Python functions ----------------------------------------------------------------------------


def test_numpy_function_is_called_once_for_each_call():
    calls, traces = [], []

    @tf.function
    def f(x, n):
        traces.append(1)
        y = tf.numpy_function(counted(calls), [n], tf.float32)
        return tf.reduce_sum(y) * x

    x = tf.constant(2.0)
    for n in (3, 4, 3, 4):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(n))
        assert float(y) == n * (n - 1)
        assert float(tape.gradient(y, x)) == n * (n - 1) / 2
    assert calls == [3, 4, 3, 4]
    assert len(traces) == 2  # one for each number of results
    assert f.experimental_get_tracing_count() == 1


def test_numpy_function_as_a_decorator():
    @tf.numpy_function(Tout=[tf.float32, tf.int32])
    def split(x):
        return np.floor(x), x.astype(np.int32)

    @tf.function
    def f(x):
        a, b = split(x)
        return a + 1.0, b * 2

    a, b = f(tf.constant([1.5, 2.5]))
    assert (a.numpy().tolist(), b.numpy().tolist()) == ([2.0, 3.0], [2, 4])


def test_py_function_has_its_gradient_and_runs_once():
    calls = []

    def cube(x):
        calls.append(1)
        return x**3

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.py_function(cube, [x], tf.float32)
        return y, tape.gradient(y, x)

    for _ in range(2):
        y, slope = f(tf.constant(2.0))
        assert (float(y), float(slope)) == (8.0, 12.0)
    assert len(calls) == 2


def test_py_function_in_forward_mode_is_an_error():
    @tf.function
    def f(x):
        return tf.py_function(lambda a: a * a, [x], tf.float32)

    x = tf.constant(2.0)
    f(x)
    with (
        pytest.raises(NotImplementedError, match="forward mode does not reach into it"),
        tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)),
    ):
        f(x)


def test_what_a_python_function_returns_in_a_loop_is_seen_in_its_first_iteration():
    calls = []

    def double(i):
        calls.append(int(i))
        return np.float32(2 * i)

    @tf.function
    def f(n):
        total = 0.0
        for i in tf.range(n):
            total += tf.numpy_function(double, [i], tf.float32)
        return total

    for n in (0, 2, 3, 4):
        assert float(f(tf.constant(n))) == n * (n - 1)
    assert calls == [0, 1, 0, 1, 2, 0, 1, 2, 3]
    assert f.experimental_get_tracing_count() == 1


def test_what_a_python_function_returns_in_an_inner_loop_and_branch():
    calls = []

    def double(i):
        calls.append(int(i))
        return np.float32(2 * i)

    @tf.function
    def f(n):
        total = 0.0
        for i in tf.range(n):
            for j in tf.range(i):
                if j > 1:
                    total += tf.numpy_function(double, [j], tf.float32)
        return total

    for n in (1, 5, 4):
        assert float(f(tf.constant(n))) == sum(2 * j for i in range(n) for j in range(2, i))
    assert calls == [2, 2, 3, 2]


def test_what_a_python_function_returns_in_a_loop_over_a_dataset():
    @tf.function
    def f(data):
        total = 0.0
        for x in data:
            total += tf.numpy_function(np.sqrt, [x], tf.float32)
        return total

    numbers = np.array([1.0, 4.0, 9.0], np.float32)
    for count in (0, 3, 2):
        data = tf.data.Dataset.from_tensor_slices(numbers).take(count)
        assert float(f(data)) == sum(range(1, count + 1))


def test_what_a_python_function_returns_in_conditions_and_loops_of_ops():
    @tf.function
    def f(x, n):
        def body(i, y):
            return i + 1, y + tf.numpy_function(lambda a: a * np.float32(2.0), [y], tf.float32)

        y = tf.while_loop(lambda i, y: i < n, body, (0, x))[1]
        return tf.cond(y > 5.0, lambda: tf.numpy_function(np.sqrt, [y], tf.float32), lambda: y)

    for n, expected in ((0, 1.0), (1, 3.0), (2, 3.0), (0, 1.0)):
        assert float(f(tf.constant(1.0), tf.constant(n))) == expected


def test_a_loop_that_changes_shapes_is_traced_for_each_length():
    @tf.function
    def f(x, n):
        while tf.size(x) < n:
            x = tf.concat([x, 2.0 * x], 0)
        return tf.reduce_sum(x)

    x = tf.constant([1.0])
    for n, expected in ((1, 1.0), (4, 9.0), (2, 3.0), (4, 9.0)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(n))
        assert (float(y), float(tape.gradient(y, x)[0])) == (expected, expected)
    assert f.experimental_get_tracing_count() == 1


def test_control_flow_that_the_source_does_not_show():
    class Box:
        @property
        def size(self):
            return self.x * 2.0

    box, runs = Box(), []

    @tf.function
    def f(x):
        runs.append(1)
        box.x = x
        if box.size > 2.0:
            x = -x
        return x

    assert [float(f(tf.constant(x))) for x in (3.0, 0.5, 2.0)] == [-3.0, 0.5, -2.0]
    assert len(runs) == 2  # the first trace has met it


def test_another_shape_in_a_loop_is_an_error():
    @tf.function
    def f(n):
        total = 0.0
        for i in tf.range(n):
            total += tf.reduce_sum(tf.numpy_function(counted([]), [i + 1], tf.float32))
        return total

    f(tf.constant(1))
    assert float(f(tf.constant(1))) == 0.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="must always have the same shapes"):
        f(tf.constant(2))


def test_an_error_of_a_python_function_is_raised_once():
    calls = []

    def fail(x):
        calls.append(1)
        raise KeyError("missing")

    @tf.function
    def f(x):
        return tf.numpy_function(fail, [x], tf.float32)

    with pytest.raises(KeyError, match="missing"):
        f(tf.constant(1.0))
    assert len(calls) == 1


# --- variables -----------------------------------------------------------------------------------


def test_variables_are_written_once_all_stages_have_run():
    v = tf.Variable(1.0)
    seen = []

    @tf.function
    def f(n):
        v.assign_add(1.0)
        y = tf.numpy_function(counted(seen), [n], tf.float32)
        v.assign_add(tf.reduce_sum(y))
        tf.debugging.assert_less(v, 10.0)
        return v * 1.0

    assert float(f(tf.constant(3))) == 5.0
    assert float(f(tf.constant(3))) == 9.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(3))
    assert float(v) == 9.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(5))  # a shape that is new
    assert float(v) == 9.0


def test_random_numbers_differ_between_calls():
    @tf.function
    def f(n):
        return tf.numpy_function(counted([]), [n], tf.float32) + tf.random.uniform(())

    result = [float(f(tf.constant(1))[0]) for _ in range(4)]
    assert len(set(result)) == 4


def test_random_numbers_differ_between_iterations():
    @tf.function
    def f(n):
        smallest, largest = 2.0, -1.0
        for _ in tf.range(n):
            x = tf.random.uniform(())
            smallest, largest = tf.minimum(smallest, x), tf.maximum(largest, x)
        return smallest, largest

    smallest, largest = f(tf.constant(50))
    assert float(smallest) < 0.4 < 0.6 < float(largest)


def test_a_program_that_changes_while_it_is_traced_is_an_error():
    traces = []

    @tf.function
    def f(x, n):
        traces.append(1)
        if len(traces) > 1:
            x = tf.exp(x)
        return tf.reduce_sum(tf.numpy_function(counted([]), [n], tf.float32)) * x

    f(tf.constant(1.0), tf.constant(2))
    with pytest.raises(RuntimeError, match="must be the same each time"):
        f(tf.constant(1.0), tf.constant(3))


# --- effects -------------------------------------------------------------------------------------


def test_a_loop_that_only_prints_is_kept(capsys):
    @tf.function
    def f(n):
        for i in tf.range(n):
            tf.print("i", i)
        return n

    f(tf.constant(2))
    assert capsys.readouterr().err == "i 0\ni 1\n"


def test_a_long_loop_of_known_length_acts_once_in_each_iteration():
    v, lines = tf.Variable(0.0), []

    @tf.function
    def f(x):
        def body(i, y):
            v.assign_add(1.0)
            tf.print(i, output_stream=lines.append)
            return i + 1, y * x

        return tf.while_loop(lambda i, y: i < 100, body, (0, x))[0]

    assert int(f(tf.constant(1.0))) == 100
    assert (float(v), len(lines)) == (100.0, 100)


# --- arrays --------------------------------------------------------------------------------------


def test_an_array_grows_with_a_loop_of_unknown_length():
    traces = []

    @tf.function
    def f(n):
        traces.append(1)
        array = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        i = 0
        while i < n:
            array = array.write(i, i * i)
            i += 1
        return array.stack()

    for n in (3, 100, 300, 100):
        np.testing.assert_array_equal(f(tf.constant(n)), np.arange(n) ** 2)
    assert len(traces) == 3
    assert f.experimental_get_tracing_count() == 1


def test_an_array_is_written_to_after_a_loop():
    @tf.function
    def f(x):
        array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in tf.range(40):
            if x > 5.0:
                break
            x = x + 1.0
            array = array.write(i, x)
        array = array.write(array.size(), -1.0)
        return array.stack()

    assert f(tf.constant(3.5)).numpy().tolist() == [4.5, 5.5, -1.0]


# --- datasets ------------------------------------------------------------------------------------


def test_an_iterator_goes_on_where_a_loop_has_left_it():
    iterator = iter(tf.data.Dataset.range(10))

    @tf.function
    def f(n):
        total = tf.constant(0, tf.int64)
        for x in iterator:
            total += x
            if total > n:
                break
        return total

    assert int(f(tf.constant(5, tf.int64))) == 6  # 0 1 2 3
    assert int(next(iterator)) == 4
    assert int(f(tf.constant(100, tf.int64))) == 5 + 6 + 7 + 8 + 9


def test_a_dataset_that_is_an_argument():
    traces = []

    @tf.function
    def f(data, x):
        traces.append(1)
        for batch in data:
            x += tf.reduce_sum(batch)
        return x

    data = tf.data.Dataset.range(10).map(lambda i: tf.cast(i, tf.float32)).batch(4)
    for _ in range(3):
        assert float(f(data, tf.constant(1.0))) == 46.0
    assert len(traces) == 1


# --- tf.gradients --------------------------------------------------------------------------------


def test_gradients_of_a_function_that_takes_gradients():
    @tf.function
    def cube(x):
        return x * x * x

    @tf.function
    def slope(x):
        return tf.gradients(cube(x), x)[0]

    @tf.function
    def second(x):
        return tf.gradients(slope(x), x)[0]

    x = tf.constant(2.0)
    assert (float(slope(x)), float(second(x))) == (12.0, 12.0)
