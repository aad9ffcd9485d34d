"""Transactions of variables with XLA: on the host (`jit_compile`) and on a device."""

from __future__ import annotations

import _thread
import threading
import types
import weakref

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import gradtape as tf
from gradtape.backends.xla import require
from gradtape.backends.xla.runtime import device_step as xla_device
from gradtape.backends.xla.runtime import graph_program as xla
from gradtape.core.native import extension
from tests.racing import (
    eagerly,
    in_a_function,
    in_nested_functions,
    in_threads,
    interrupt,
    race,
    under_a_tape,
)

DEVICES = {"host": "/CPU:0", "device": "/XLA:0"}


def while_held(v, one):
    def add():
        kept = v.read_value()
        v.assign_add(one)
        kept.numpy()

    return add


def by_an_op(v, one):
    ones = np.ones(v.shape, np.float32)
    return lambda: v.assign_add(ones)


def compiled(v, one):
    return tf.function(lambda: v.assign_add(one * 1.0), jit_compile=True)


def with_an_argument_of_the_host(v, one):
    add = tf.function(lambda x: v.assign_add(one * x))
    number = tf.constant(1.0)
    return lambda: add(number)


def op_by_op(v, one):
    @tf.function
    def add(x):
        tf.debugging.assert_positive(x)
        v.assign_add(x)

    return lambda: add(one)


WAYS = [("host", compiled)] + [
    ("device", way)
    for way in (
        eagerly,
        while_held,
        by_an_op,
        in_a_function,
        in_nested_functions,
        compiled,
        with_an_argument_of_the_host,
        op_by_op,
        under_a_tape,
    )
]


def made(device, shape=(300, 300)):
    with tf.device(DEVICES[device]):
        return tf.Variable(tf.zeros(shape)), tf.ones(shape)


@pytest.mark.parametrize("shape", [(3,), (300, 300)], ids=str)
@pytest.mark.parametrize(("device", "way"), WAYS)
def test_no_update_is_lost_and_none_is_seen_half_done(device, way, shape):
    v, one = made(device, shape)
    count = race(way(v, one), v.numpy, rounds=10)
    np.testing.assert_array_equal(v, np.full(shape, count))


def test_functions_read_while_others_write():
    v, one = made("device")
    step, read = tf.function(lambda: v.assign_add(one)), tf.function(lambda: v * 1.0)
    step()
    count = race(step, lambda: read().numpy(), rounds=20)
    np.testing.assert_array_equal(v, np.full(v.shape, count + 1.0))


def test_variables_on_the_host_and_on_a_device_change_together():
    (a, one), (b, _) = made("device", (3,)), made("host", (3,))

    @tf.function
    def step():
        a.assign_add(one)
        b.assign_add(one)

    count = race(step, lambda: (a.numpy(), b.numpy())[0], rounds=10)
    np.testing.assert_array_equal(a, np.full(3, count))
    np.testing.assert_array_equal(b, np.full(3, count))


# --- signals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [40, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("shape", [(3,), (300, 300)], ids=str)
@pytest.mark.parametrize(("device", "jit"), [("host", True), ("device", None)])
def test_an_interrupt_leaves_whole_steps_of_functions(device, jit, shape, rounds):
    (a, one), (b, _) = made(device, shape), made(device, shape)
    only_written, _ = made(device, shape)

    @tf.function(jit_compile=jit)
    def step():
        a.assign_add(one)
        b.assign_add(one * 1.0)
        only_written.assign(a + 0.0)
        return tf.reduce_sum(a)

    def check():
        np.testing.assert_array_equal(a, np.full(shape, a.numpy().flat[0]))
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(a, only_written)

    step()
    interrupt(step, check, rounds)
    in_threads(step)
    check()


@pytest.mark.parametrize("rounds", [40, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("way", [eagerly, while_held, by_an_op])
def test_an_interrupt_leaves_whole_updates(way, rounds):
    v, one = made("device")

    def check():
        np.testing.assert_array_equal(v, np.full(v.shape, v.numpy()[0, 0]))

    step = way(v, one)
    step()
    interrupt(step, check, rounds)
    in_threads(step)


# --- exceptions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt, ValueError])
@pytest.mark.parametrize(
    ("module", "stage"),
    [(xla_device, "read_all"), (xla, "run_over"), (xla, "in_c"), (xla_device, "write_all")],
)
def test_a_step_that_fails_changes_nothing(module, stage, error, monkeypatch):
    (a, one), (b, _) = made("device", (3,)), made("device", (3,))

    @tf.function
    def step():
        a.assign_add(one)
        b.assign_add(one)

    def fail(*_, **__):
        raise error

    step()
    if stage == "write_all" or extension is None:
        kept = a.read_value(), b.read_value()  # so that the step runs on copies
        monkeypatch.setattr(xla_device, "_ATTEMPTS", 0)
    with monkeypatch.context() as patched:
        patched.setattr(module, stage, fail)
        if stage in ("run_over", "in_c") and extension is None:
            pytest.skip("without the extension, programs get copies")
        with pytest.raises(error):
            step()
    np.testing.assert_array_equal(a, np.ones(3))
    np.testing.assert_array_equal(b, np.ones(3))
    kept = None  # noqa: F841
    in_threads(step)
    np.testing.assert_array_equal(a, np.full(3, 2.0))
    np.testing.assert_array_equal(b, np.full(3, 2.0))


@pytest.mark.skipif(extension is None, reason="without the extension, programs get copies")
def test_steps_go_on_in_the_same_memory_after_readers_are_gone():
    v, one = made("device", (8,))
    step = tf.function(lambda: v.assign_add(one))
    step()
    step()
    before = v._data.unsafe_buffer_pointer()
    step()
    assert v._data.unsafe_buffer_pointer() == before
    thread = threading.Thread(target=v.numpy)
    thread.start()
    thread.join()
    step()
    assert v._data.unsafe_buffer_pointer() == before


@pytest.mark.skipif(extension is None, reason="without the extension, programs get copies")
def test_a_variable_that_is_only_written_does_not_make_others_be_copied():
    (v, one), (last, _) = made("device", (8,)), made("device", (8,))

    @tf.function
    def step():
        v.assign_add(one)
        last.assign(one)

    step()
    step()
    before = v._data.unsafe_buffer_pointer()
    step()
    assert v._data.unsafe_buffer_pointer() == before


def test_a_thread_that_has_not_ended_refers_to_nothing(monkeypatch):
    may_end = threading.Event()

    class Lock:
        def __init__(self) -> None:
            self._lock = threading.Lock()
            self.acquire = self._lock.acquire

        def release(self) -> None:
            self._lock.release()
            may_end.wait(60)

    class Value:
        pass

    monkeypatch.setattr(
        require,
        "_thread",
        types.SimpleNamespace(allocate_lock=Lock, start_new_thread=_thread.start_new_thread),
    )
    given, made = Value(), [Value()]
    try:
        result = require.in_thread(lambda x: made.pop(), given)
        given, result = weakref.ref(given), weakref.ref(result)
        assert (given(), result()) == (None, None)
    finally:
        may_end.set()
