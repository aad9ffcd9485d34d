"""Deferred ops on a device when errors, interrupts and other threads come in between."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs JAX")

import jax

import gradtape as tf
from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.runtime import device_step, repetition, variable
from gradtape.backends.xla.runtime.deferral import QUEUE
from gradtape.backends.xla.runtime.deferred_array import DeferrableOp, DeferredArray, TypedOp
from gradtape.backends.xla.runtime.tensor import EAGER
from gradtape.core.native import fusion_is_on
from tests.backends.xla.deferral_stress import race
from tests.racing import in_threads, interrupt_at_line

pytestmark = pytest.mark.skipif(
    not fusion_is_on(), reason="GRADTAPE_FUSE_FROM=0: no op is deferred"
)


@pytest.fixture(autouse=True)
def device():
    with tf.device("/XLA:0"):
        QUEUE.forget()
        yield
        QUEUE.forget()


def is_waiting(x) -> bool:
    return type(x._data) is DeferredArray and x._data.is_waiting


# --- errors and interrupts -----------------------------------------------------------------------


def test_updates_of_threads_add_up():
    v = tf.Variable(np.zeros(64, np.float32))
    torn = []

    def work():
        for _ in range(60):
            v.assign_add(tf.ones([64]))
            value = v.numpy()
            if value.min() != value.max():
                torn.append(value)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not torn
    np.testing.assert_array_equal(v.numpy(), np.full(64, 240))


def test_an_op_that_fails_fails_alone():
    x = tf.constant([1.0, 2.0])
    good, bad = tf.sin(x) * 2.0, tf.cos(x) * 3.0
    call = bad._data.call
    failing = DeferrableOp(1, call.typed.op.kernel, lambda arrays: 1 / 0)
    call.typed = TypedOp(failing, call.typed.forms)
    later = good + 1.0
    np.testing.assert_allclose(later.numpy(), np.sin([1.0, 2.0]) * 2 + 1, rtol=1e-6)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            bad.numpy()
    np.testing.assert_allclose(good.numpy(), np.sin([1.0, 2.0]) * 2, rtol=1e-6)


def test_a_program_that_xla_declines_runs_op_by_op(at_once, runs, monkeypatch):
    def declined(*leaves):
        raise NotImplementedError("XLA")

    monkeypatch.setattr(repetition, "_compiled", lambda key, arguments: declined)
    x = tf.constant([1.0, 2.0])
    for _ in range(2):
        np.testing.assert_array_equal((x * 2.0 + 1.0).numpy(), [3, 5])
    assert runs == [2, 2]


def test_an_error_of_a_waiting_op_is_raised_by_every_reader_of_it_in_the_user_s_terms(monkeypatch):
    x = tf.constant([1.0, 2.0])
    y = tf.cos(x)
    z = y * 2.0

    def fail(*arrays):
        raise jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED: out of memory")

    for op in EAGER._ops.values():
        if op.prim.name == "cos":
            monkeypatch.setattr(op, "program", fail)
    for each in (y, z, y):
        with pytest.raises(tf.errors.ResourceExhaustedError, match=r"cos: the device is out of"):
            each.numpy()
    monkeypatch.undo()
    np.testing.assert_allclose(z.numpy(), 2 * np.cos([1.0, 2.0]), rtol=1e-6)


def test_a_program_without_memory_for_all_runs_op_by_op(at_once, runs, monkeypatch):
    def exhausted(*arguments):
        raise tf.errors.ResourceExhaustedError(None, None, "deferred ops")

    x = tf.constant([1.0, 2.0])
    monkeypatch.setattr(repetition, "_check_memory", exhausted)
    np.testing.assert_array_equal((x * 2.0 + 1.0).numpy(), [3, 5])
    monkeypatch.undo()
    assert runs == [2]
    np.testing.assert_array_equal((x * 2.0 + 1.0).numpy(), [3, 5])


def _interrupted_at_every_line(make: Callable, step: Callable, check: Callable) -> None:
    lines = interrupt_at_line(lambda: step(*make()), None)
    assert lines > 100
    for line in range(1, lines + 1):
        state = make()
        interrupt_at_line(functools.partial(step, *state), line)
        in_threads(functools.partial(check, *state), timeout=60)


@pytest.mark.parametrize("repeats", [16, 0])
def test_an_interrupt_at_any_line_leaves_every_value_readable(repeats, monkeypatch):
    monkeypatch.setattr(repetition, "REPEATS", repeats)

    def make():
        v = tf.Variable([1.0, 1.0])
        return v, v * 3.0, v + 1.0, []

    def step(v, waiting, other, made):
        made.append(waiting * other)
        v.assign_add(made[0])
        made.append(v * 1.0)
        v.assign_add(made[1])
        made.append(v.numpy())

    def check(v, waiting, other, made):
        with tf.device("/XLA:0"):
            assert v.numpy().tolist() in ([1, 1], [7, 7], [14, 14])
            assert (v + 1.0).numpy().tolist() in ([2, 2], [8, 8], [15, 15])
            assert waiting.numpy().tolist() == [3, 3]
            assert other.numpy().tolist() == [2, 2]
            for x, value in zip(made, (6, 7, 14), strict=False):
                assert np.array(x).tolist() == [value, value]

    step(*make())
    _interrupted_at_every_line(make, step, check)


def test_a_value_that_is_read_while_jax_traces_is_a_value(at_once):
    x = tf.constant([1.0, 2.0])
    waiting, used = x * 2.0, x + 1.0
    result = []

    @jax.jit
    def program(a):  # as a signal handler or destructor would, in the midst of it
        result.append(waiting.numpy())
        later = used * 3.0
        result.append(later)
        return a + waiting._data.array()

    array = xla.exactly(program, x._data)
    np.testing.assert_array_equal(array, [3, 6])
    np.testing.assert_array_equal(result[0], [2, 4])
    np.testing.assert_array_equal(result[1].numpy(), [6, 9])
    assert not isinstance(waiting._data.array(), jax.core.Tracer)


def test_no_op_on_a_tracer_waits():
    result = []

    @jax.jit
    def program(a):
        result.append(QUEUE.add(DeferrableOp(1, jax.numpy.sin, None), [a]))
        return a

    program(np.ones(2, np.float32))
    assert result == [None]


@pytest.mark.parametrize("is_held", [True, False])
@pytest.mark.parametrize("way", ["function", "rows"])
def test_what_a_signal_handler_assigns_in_a_step_is_not_overwritten(way, is_held, monkeypatch):
    v = tf.Variable(np.zeros((4, 2), np.float32))
    step = tf.function(lambda: v.assign_add(tf.ones([4, 2])))
    rows = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]))
    run = step if way == "function" else functools.partial(v.scatter_add, rows)
    for _ in range(3):  # from the second on it writes over the variable's memory
        run()
    settle, held = device_step.settle, []

    def interrupted(variables):
        settle(variables)
        if not held:
            held.append(v * 0.0 + 5.0)
            v.assign(held[0])
            if not is_held:
                held[0] = None
                v.numpy()  # and it does not wait any more

    monkeypatch.setattr(device_step, "settle", interrupted)
    monkeypatch.setattr(variable, "settle", interrupted)
    run()
    np.testing.assert_array_equal(v.numpy()[0], [6, 6])
    if is_held:
        np.testing.assert_array_equal(held[0].numpy(), np.full((4, 2), 5.0))


# --- threads -------------------------------------------------------------------------------------


def in_a_thread(function: Callable):
    result = []

    def work():
        with tf.device("/XLA:0"):
            result.append(function())

    in_threads(work, timeout=120)
    return result[0]


def test_what_another_thread_has_queued_can_be_read_and_used(at_once):
    x = tf.constant([1.0, 2.0])
    waiting = in_a_thread(lambda: tf.sin(x) * 2.0)
    assert is_waiting(waiting)
    assert not len(QUEUE)
    y = waiting + 1.0
    QUEUE.run()
    assert not is_waiting(y)
    np.testing.assert_allclose(y.numpy(), 2 * np.sin([1.0, 2.0]) + 1, rtol=1e-6)
    own = x * 5.0
    np.testing.assert_array_equal(in_a_thread(own.numpy), [5, 10])
    np.testing.assert_array_equal(in_a_thread(lambda: (own + 1.0).numpy()), [6, 11])


def test_a_thread_has_a_queue_of_its_own(runs):
    x = tf.constant([1.0, 2.0])
    mine = x * 2.0 + 1.0
    np.testing.assert_array_equal(in_a_thread(lambda: (x * 3.0 - 1.0).numpy()), [2, 5])
    assert is_waiting(mine)
    assert runs == [2]


@pytest.mark.parametrize("rounds", [25, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("repeats", [16, 0])
def test_threads_that_share_waiting_values(repeats, rounds, monkeypatch):
    monkeypatch.setattr(repetition, "REPEATS", repeats)
    race(rounds)


def test_datasets_in_threads_use_waiting_values(at_once):
    scale = tf.constant([2.0]) * 1.5
    numbers = tf.data.Dataset.range(8).map(lambda i: tf.cast(i, tf.float32) * scale, 4).prefetch(2)
    assert [float(x[0]) for x in numbers] == [3.0 * i for i in range(8)]
