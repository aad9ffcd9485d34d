"""Functions compiled by XLA (on the CPU): the same values and derivatives as in eager code."""

from __future__ import annotations

import logging

import numpy as np
import pytest

pytest.importorskip("jax", reason="XLA is reached by way of JAX, an optional package")

import gradtape as tf
from gradtape.backends.xla.runtime.graph_program import Program
from tests.graph import test_control
from tests.graph.compared import check, is_traced

X = np.random.default_rng(1).normal(size=(4, 3))
W = np.random.default_rng(2).normal(size=(3, 5))


@pytest.fixture(autouse=True)
def on_the_host():
    """Also where a GPU is the default device."""
    with tf.device("/CPU:0"):
        yield


def backend_of(function) -> str:
    return next(iter(function._cache.entries.values())).routine.backend.name


def test_a_network_to_second_order():
    check(
        lambda x, w: tf.reduce_sum(tf.nn.softmax(tf.tanh(x @ w)) ** 2, 1),
        X,
        W,
        jit_compile=True,
        rtol=1e-7,
    )


@pytest.mark.parametrize("name", test_control.CASES)
def test_control_flow(name):
    """A derivative of a loop of unknown length runs op by op, the others are compiled."""
    function, *args = test_control.CASES[name]
    check(function, *args, jit_compile=True, rtol=1e-7)


@pytest.mark.parametrize("name", [name for name in test_control.CASES if "loop" in name])
def test_loops_on_a_device(name):
    function, *args = test_control.CASES[name]
    with tf.device("/XLA:0"):
        check(function, *args, rtol=1e-7)


def test_a_loop_of_unknown_length():
    f = tf.function(
        lambda x: tf.while_loop(lambda a: a < 100.0, lambda a: (a * 2.0,), [x])[0],
        jit_compile=True,
    )
    assert float(f(tf.constant(3.0))) == 192.0
    assert backend_of(f) == "xla"


def test_a_training_step_keeps_its_variables():
    w = tf.Variable(W)

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(x @ w)))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    x = tf.constant(X)
    compiled = tf.function(step, jit_compile=True)
    result = [float(compiled(x)) for _ in range(5)]
    after = w.numpy()
    w.assign(W)
    np.testing.assert_allclose(result, [float(step(x)) for _ in range(5)], rtol=1e-9)
    np.testing.assert_allclose(after, w.numpy(), rtol=1e-9)
    w.assign_add(w)  # eager code and the compiled step share the variable
    assert float(compiled(x)) > 0
    assert backend_of(compiled) == "xla"


def test_random_numbers_are_the_same():
    def drawn(**options):
        tf.random.set_seed(5)
        f = tf.function(lambda: tf.random.normal([4]), **options)
        return [f().numpy() for _ in range(2)]

    for a, b in zip(drawn(jit_compile=True), drawn(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)


def test_large_constants_are_not_part_of_the_program():
    table = tf.constant(np.random.default_rng(0).normal(size=(100, 100)))
    f = tf.function(lambda x: table @ x, jit_compile=True)
    x = tf.ones([100, 1], tf.float64)
    np.testing.assert_allclose(f(x), table @ x, rtol=1e-12)


def test_what_is_compiled_in_parts_says_so(caplog):
    @tf.function(jit_compile=True)
    def printing(x):
        tf.print(x, output_stream=lambda text: None)
        return x * 2.0

    assert float(printing(tf.constant(2.0))) == 4.0
    assert "printing is compiled in parts, between which the host works: it prints" in caplog.text
    assert is_traced(printing)


def test_what_cannot_be_compiled_says_so(caplog):
    @tf.function(jit_compile=True)
    def upper(words):
        return tf.strings.upper(words)

    assert upper(tf.constant("a")).numpy() == b"A"
    assert "is not compiled, and runs as a graph on NumPy: it computes with" in caplog.text
    assert is_traced(upper)


def test_compile_times_are_kept(caplog):
    from gradtape.backends.xla.runtime.graph_program import COMPILED

    caplog.set_level(logging.INFO, "gradtape")
    before = len(COMPILED)
    tf.function(lambda x: tf.sin(x) + 1.0, jit_compile=True)(tf.constant(1.0))
    assert len(COMPILED) == before + 1
    assert COMPILED[-1][1] > 0
    assert "compiled a graph of 2 ops in" in caplog.text


def test_on_a_device():
    with tf.device("/XLA:0"):
        v = tf.Variable(np.ones((3, 5)))
        x = tf.constant(X)

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(tf.tanh(x @ v)))
            v.assign_sub(0.1 * tape.gradient(loss, v))
            return loss

        result = [float(step(x)) for _ in range(4)]
        kept = v.read_value()
        step(x)
        assert np.isfinite(kept.numpy()).all()  # not written over while somebody holds it
    assert backend_of(step) == "xla device"
    assert result == sorted(result, reverse=True)
    assert v.device.endswith("XLA:0")


def test_variables_that_are_held_are_not_written_over():
    with tf.device("/XLA:0"):
        v, w = tf.Variable(np.ones(8)), tf.Variable(np.ones(8))

        @tf.function
        def step(x):
            v.assign_add(x)
            w.assign_sub(x)

        x = tf.ones([8], tf.float64)
        step(x)
        before = w._data.unsafe_buffer_pointer()
        kept = v.read_value()
        step(x)
        np.testing.assert_array_equal(kept, np.full(8, 2.0))
        np.testing.assert_array_equal(v, np.full(8, 3.0))
        np.testing.assert_array_equal(w, np.full(8, -1.0))
        assert w._data.unsafe_buffer_pointer() == before  # in its own memory
    assert list(_programs(step)[0]._ready) == [(True, False)]  # there is one program


def _programs(function) -> list:
    graphs = [e.routine.graph for e in function._cache.entries.values()]
    return [graph.executables["xla step"]._program for graph in graphs]


def test_each_variable_is_written_over_by_its_own_new_value():
    """Whatever the order in which a function reads and writes variables of one shape."""
    with tf.device("/XLA:0"):
        variables = [tf.Variable(np.full(8, float(i))) for i in range(4)]

        @tf.function
        def step(x):
            a, b, c, d = variables
            total = a + b * x + c + d
            for v in (c, a, d, b):
                v.assign(v * 2.0 + total)
            return total[0], tf.reduce_sum(total)

        x = tf.constant(2.0, tf.float64)
        step(x)
        before = [v._data.unsafe_buffer_pointer() for v in variables]
        step(x)
        assert [v._data.unsafe_buffer_pointer() for v in variables] == before


def test_a_first_call_that_fails_loses_nothing(monkeypatch):
    import jax

    compile_ = Program._compile

    def failing(self, *args):
        ready = compile_(self, *args)

        def call(*arrays):
            ready.call(*arrays)  # it takes the memory of the variables
            raise jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED: no memory for it")

        return ready._replace(call=call)

    with tf.device("/XLA:0"):
        v = tf.Variable(np.ones(8))
        step = tf.function(lambda x: v.assign_add(x))
        x = tf.ones([8], tf.float64)
        monkeypatch.setattr(Program, "_compile", failing)
        with pytest.raises(tf.errors.ResourceExhaustedError, match=r"memory with float64\[8\]"):
            step(x)
        np.testing.assert_array_equal(v, np.ones(8))
        monkeypatch.undo()
        np.testing.assert_array_equal(tf.function(lambda x: v.assign_add(x))(x), np.full(8, 2.0))


def test_a_value_that_is_gone_says_so():
    with tf.device("/XLA:0"):
        v = tf.Variable(np.ones(8))
        v._data.delete()
        with pytest.raises(tf.errors.InternalError, match=r"float64\[8\] is gone.*restore a check"):
            v.numpy()


def test_tensors_of_the_surroundings_on_a_device():
    with tf.device("/XLA:0"):
        outside = tf.constant(3.0)
        f = tf.function(lambda x: x * (outside * outside))
        with tf.GradientTape() as tape:
            tape.watch(outside)
            y = f(tf.constant(1.0))
        assert float(tape.gradient(y, outside)) == 6.0


def test_what_a_function_makes_from_nothing_is_on_the_device():
    with tf.device("/XLA:0"):
        made = tf.function(lambda: tf.random.normal([4]))()
    assert made.device.endswith("XLA:0")


def test_loops_that_are_written_out_are_pointed_at(caplog, monkeypatch):
    from gradtape.graph.passes import rolling

    monkeypatch.setattr(rolling, "LARGE", 8)

    @tf.function(jit_compile=True)
    def unrolled(x):
        for _ in range(10):  # too few to become a loop
            x = tf.sin(x)
        return x

    unrolled(tf.constant(1.0))
    assert "unrolled is a graph of 10 ops" in caplog.text
    assert "Write the loop with tf.scan" in caplog.text


def test_the_gradient_of_a_loop_of_open_sizes_and_unknown_length():
    """A program counts the iterations first, by the body that keeps nothing."""

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            (y,) = tf.while_loop(lambda s: tf.reduce_sum(s) < 99.0, lambda s: (s * s + x,), (x,))
        return tape.gradient(y, x)

    signature = [tf.TensorSpec([None], tf.float32)]
    compiled = tf.function(slope, jit_compile=True, input_signature=signature)
    for x in (tf.constant([1.5, 2.0]), tf.constant([2.5])):
        np.testing.assert_allclose(compiled(x), slope(x), rtol=1e-5)
