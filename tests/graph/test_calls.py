"""Calls of traced functions under tapes, accumulators and vmaps; effects and random numbers."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import gradtape as tf
from tests.graph.compared import check, is_traced

X = np.random.default_rng(1).normal(size=(4, 3))


def network(x, w):
    return tf.reduce_sum(tf.nn.softmax(tf.tanh(x @ w)) ** 2, 1)


W = np.random.default_rng(2).normal(size=(3, 5))


def test_derivatives_to_second_order():
    check(network, X, W)


def test_derivatives_to_third_order():
    f = tf.function(lambda x: tf.sin(x) * x)

    def third(function, x):
        with tf.GradientTape() as a:
            a.watch(x)
            with tf.GradientTape() as b:
                b.watch(x)
                with tf.GradientTape() as c:
                    c.watch(x)
                    y = function(x)
                first = c.gradient(y, x)
            second = b.gradient(first, x)
        return float(a.gradient(second, x))

    x = tf.constant(0.7, tf.float64)
    assert third(f, x) == pytest.approx(third(f.python_function, x), rel=1e-12)


def test_gradients_of_variables_outside():
    v, frozen = tf.Variable(3.0), tf.Variable(2.0, trainable=False)
    f = tf.function(lambda x: x * v * v * frozen)
    with tf.GradientTape() as tape:
        y = f(tf.constant(2.0))
    assert float(tape.gradient(y, v)) == 24.0
    assert tape.watched_variables() == (v,)


def test_a_persistent_tape_gives_several_gradients():
    f = tf.function(lambda x: (x * x, tf.sin(x), tf.cast(x, tf.int32)))
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        square, sine, number = f(x)
    assert float(tape.gradient(square, x)) == 4.0
    assert float(tape.gradient(sine, x)) == pytest.approx(np.cos(2.0), rel=1e-6)
    assert number.dtype is tf.int32


def test_sparse_gradients_stay_sparse():
    table = tf.Variable(np.ones((5, 2), np.float32))

    @tf.function
    def looked_up(ids):
        return tf.gather(table, ids) * 2.0

    with tf.GradientTape() as tape:
        y = looked_up(tf.constant([1, 1, 3]))
    outside = tape.gradient(y, table)

    @tf.function
    def inside(ids):
        with tf.GradientTape() as tape:
            y = tf.gather(table, ids) * 2.0
        return tape.gradient(y, table)

    expected = [[0, 0], [4, 4], [0, 0], [2, 2], [0, 0]]
    for result in (outside, inside(tf.constant([1, 1, 3]))):
        assert isinstance(result, tf.IndexedSlices)
        assert tf.convert_to_tensor(result).numpy().tolist() == expected


@tf.custom_gradient
def stretched(x):
    e = tf.exp(x)

    def grad(upstream):
        return upstream * e * 10.0

    return tf.sin(x) * e, grad


def test_custom_gradients():
    check(stretched, X)
    check(lambda x: stretched(stretched(x) * 0.1), X)
    check(tf.recompute_grad(lambda x: tf.sin(x) * x), X)
    check(tf.grad_pass_through(tf.round), X)
    check(lambda x: tf.stop_gradient(x) * x, X)


def test_custom_gradients_with_variables():
    v = tf.Variable(np.float64(2.0))

    @tf.custom_gradient
    def scaled(x):
        def grad(upstream, variables=None):
            return upstream * 7.0, [tf.reduce_sum(upstream) * 11.0 for _ in variables]

        return x * v, grad

    f = tf.function(scaled)
    with tf.GradientTape() as tape:
        y = f(tf.constant(3.0, tf.float64))
    assert float(tape.gradient(y, v)) == 11.0


def test_forward_mode_and_jacobians():
    x, w = tf.constant(X), tf.constant(W)
    f = tf.function(network)

    def both(function):
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            y = function(x, w)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            z = function(x, w)
        return accumulator.jvp(y), tape.jacobian(z, x), tape.batch_jacobian(z[:, None], x)

    inside = tf.function(lambda: both(network))
    for result in (both(f), inside()):
        for a, b in zip(result, both(network), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12)
    assert is_traced(inside)


def test_hessians_inside():
    def hessian(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.sin(x) * x[::-1])
        return tape.hessian(y, x)

    x = tf.constant(X[0])
    result = tf.function(lambda x: tf.hessians(tf.reduce_sum(tf.sin(x) * x[::-1]), x)[0])(x)
    np.testing.assert_allclose(result, hessian(x), rtol=1e-12)


def test_vmap_of_a_call_and_inside():
    f = tf.function(lambda row: tf.reduce_sum(tf.sin(row)) * row)
    expected = np.stack([np.sin(row).sum() * row for row in X])
    np.testing.assert_allclose(tf.vectorized_map(f, X), expected)
    inside = tf.function(lambda x: tf.vectorized_map(f.python_function, x))
    np.testing.assert_allclose(inside(tf.constant(X)), expected)
    assert is_traced(inside)


# --- effects -------------------------------------------------------------------------------------


def test_printing_happens_on_each_call():
    lines = []

    @tf.function
    def f(x):
        tf.print("x is", x, output_stream=lines.append)
        return x * 2.0

    x = tf.constant(1.0)
    f(x)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
    tape.gradient(y, x)
    assert lines == ["x is 1", "x is 1"]
    assert is_traced(f)


def test_assertions_are_checked_on_each_call():
    @tf.function
    def f(x):
        tf.debugging.assert_positive(x, "no")
        tf.debugging.assert_less(x, 10.0)
        tf.Assert(x > 0, [x])
        return tf.debugging.check_numerics(x, "bad") + 1.0

    assert float(f(tf.constant(2.0))) == 3.0
    for wrong in (-1.0, 11.0, np.nan):
        with pytest.raises(tf.errors.InvalidArgumentError):
            f(tf.constant(wrong))
    assert is_traced(f)


def test_summaries_are_written_on_each_call(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path))
    step = tf.Variable(0, dtype=tf.int64)

    @tf.function
    def f(x):
        with writer.as_default():
            tf.summary.scalar("x", x, step=step)
        step.assign_add(1)
        return x

    f(tf.constant(1.0))
    f(tf.constant(2.0))
    writer.close()
    data = b"".join(path.read_bytes() for path in tmp_path.rglob("*"))
    assert data.count(b"scalars") >= 2
    assert is_traced(f)


def test_a_timestamp_is_of_the_call():
    f = tf.function(lambda: tf.timestamp())
    assert float(f()) < float(f())


# --- random numbers ------------------------------------------------------------------------------

# TensorFlow 2.21, after tf.random.set_seed(7).
FIRST, SECOND, THIRD = 0.7537285, 0.58760154, 0.39710164
OTHER = 0.46037483


def drawn(function, calls: int) -> list:
    tf.random.set_seed(7)
    return [[float(y) for y in tf.nest.flatten(function())] for _ in range(calls)]


def test_draws_follow_the_graph():
    f = tf.function(lambda: (tf.random.uniform([]), tf.random.uniform([])))
    result = drawn(f, 2)
    np.testing.assert_allclose(result[0], [FIRST, OTHER], rtol=1e-6)
    np.testing.assert_allclose(result[1][0], SECOND, rtol=1e-6)
    again = [float(y) for y in f()]
    assert again not in result
    tf.random.set_seed(8)  # starts anew, with the seed of the trace
    assert [float(y) for y in f()] == result[0]


def test_draws_of_functions_in_functions_and_of_eager_ones():
    inner = tf.function(lambda: tf.random.uniform([]))
    result = drawn(tf.function(lambda: (inner(), inner(), tf.random.uniform([]))), 2)
    np.testing.assert_allclose(result, [[FIRST] * 3, [SECOND] * 3], rtol=1e-6)
    eager = tf.function(lambda: tf.random.uniform([]) * float(tf.random.uniform([]) < 2))
    np.testing.assert_allclose(drawn(eager, 2), [[FIRST], [SECOND]], rtol=1e-6)


def test_a_branch_that_does_not_run_draws_nothing():
    f = tf.function(
        lambda x: tf.cond(x > 0, lambda: tf.random.uniform([]), lambda: tf.random.normal([]))
    )
    tf.random.set_seed(7)
    result = [float(f(tf.constant(v))) for v in (1.0, 1.0, -1.0, 1.0)]
    np.testing.assert_allclose(result, [FIRST, SECOND, 0.3536911, THIRD], rtol=1e-6)


def test_a_generator_moves_on_with_each_call():
    generator = tf.random.Generator.from_seed(1)
    f = tf.function(lambda: generator.normal([2]))
    result = [f().numpy().tolist() for _ in range(2)]
    generator.reset_from_seed(1)
    assert result == [generator.normal([2]).numpy().tolist() for _ in range(2)]
    assert is_traced(f)


def test_recomputed_dropout_makes_the_same_choices():
    f = tf.function(tf.recompute_grad(lambda x: tf.nn.dropout(x, 0.5) * x))
    x = tf.ones(100)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    gradient = tape.gradient(y, x).numpy()
    assert ((gradient == 0) == (y.numpy() == 0)).all()


def test_no_warnings_of_numpy_come_out_of_a_call():
    """The code that is generated for a graph belongs to gradtape, whose warnings are filtered."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"gradtape\.")
        y = tf.function(lambda x: x * x * 0.0)(tf.constant([np.inf], tf.float16))
    np.testing.assert_array_equal(y, [np.nan])
    assert caught == []
