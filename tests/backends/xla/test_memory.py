"""A device without memory left: the error is the op's own, at once, and the program goes on."""

from __future__ import annotations

import functools
import gc

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import jax

import gradtape as tf
from gradtape.backends.xla.runtime import deferral, deferred_array, repetition, transfer
from gradtape.backends.xla.runtime import graph_program as programs
from gradtape.backends.xla.runtime import memory as device_memory
from gradtape.backends.xla.runtime import op_program as device_program
from gradtape.backends.xla.runtime.tensor import EAGER

LIMIT = 1_000_000


@pytest.fixture
def small_device(monkeypatch):
    """A device with room for a million bytes, where a kilobyte is large."""

    gc.collect()
    all_arrays, others = jax.live_arrays, jax.live_arrays()  # what other tests have left
    known = {id(x) for x in others}

    def live_arrays(platform):
        return [x for x in all_arrays(platform) if id(x) not in known]

    def has_room(size: int, where) -> bool:
        return sum(x.nbytes for x in live_arrays("cpu")) + size <= LIMIT

    monkeypatch.setattr(jax, "live_arrays", live_arrays)
    for module in (deferral, deferred_array, device_program, programs, repetition, transfer):
        monkeypatch.setattr(module, "LARGE", 1024)
    monkeypatch.setattr(device_memory, "has_room", has_room)
    monkeypatch.setattr(device_memory, "_limit", lambda where: LIMIT)
    EAGER.forget()
    with tf.device("/XLA:0"):
        yield
    EAGER.forget()


def test_an_eager_loop(small_device):
    x, made = tf.ones([25_000]), []
    with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
        made.extend(x + float(i) for i in range(20))
    text = str(caught.value)
    assert "add: the device is out of memory with float32[25000], float32[]." in text
    assert "It needs 97.7 KiB, of 976.6 KiB." in text
    assert "the largest: float32[25000], 97.7 KiB; float32[25000], 97.7 KiB; " in text
    assert "The program can go on." in text
    assert 5 < len(made) < 10
    np.testing.assert_array_equal(made[-1][:2], np.full(2, len(made)))
    made.clear()
    assert float((x + 1.0)[0]) == 2.0


def test_new_shapes_are_asked_for_as_well(small_device):
    assert float(tf.reduce_sum(tf.sin(tf.zeros([500])))) == 0
    assert float(tf.reduce_sum(tf.sin(tf.zeros([600])))) == 0
    x = tf.zeros([130_000])
    with pytest.raises(tf.errors.ResourceExhaustedError, match=r"sin: .* float32\[130000\]"):
        tf.sin(x)


def test_what_a_dropped_circle_holds_is_let_go_of(small_device):
    class Holder:
        def __init__(self) -> None:
            self.me, self.x = self, tf.ones([120_000])

    for _ in range(4):
        Holder()
    assert float((tf.ones([60_000]) + 1.0)[0]) == 2.0


@pytest.mark.parametrize("make", [tf.ones_like, lambda x: tf.constant(x.numpy())])
def test_new_tensors(small_device, make):
    x = tf.ones([130_000])
    with pytest.raises(tf.errors.ResourceExhaustedError, match="out of memory"):
        make(x)
    assert float(x[0]) == 1.0


def test_a_compiled_function_asks_before_it_takes_its_variables(small_device):
    v = tf.Variable(np.ones(8, np.float32))

    @tf.function
    def step(x):
        v.assign_add(x[:8])
        return tf.sort(x), tf.sin(x)

    with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
        step(tf.ones([90_000]))
    assert "a compiled tf.function: the device is out of memory" in str(caught.value)
    np.testing.assert_array_equal(v, np.ones(8))
    step(tf.ones([100]))
    np.testing.assert_array_equal(v, np.full(8, 2))


def test_it_says_what_a_tape_keeps_and_what_would_help(small_device):
    x = tf.ones([100, 300])

    def exp_of(x):
        return functools.reduce(lambda y, _: tf.exp(y), range(20), x)  # all are kept

    with tf.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            exp_of(x)
    text = str(caught.value)
    assert "exp: the device is out of memory" in text
    assert "Tapes keep " in text
    assert "test_memory.py:" in text
    assert "tf.recompute_grad around what these lines compute saves up to " in text
    assert "half the batch about " in text


def test_it_says_what_a_compiled_function_holds(small_device):
    @tf.function
    def f(x):
        y = tf.matmul(x, x, transpose_b=True)
        return tf.reduce_sum(tf.sort(y) * y)

    with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
        f(tf.ones([400, 4]))
    text = str(caught.value)
    assert "At its fullest it holds up to 1.8 MiB between its ops, most of it for " in text
    assert "test_memory.py:" in text
    assert "the largest value is float32[400, 400], of " in text
    assert "tf.recompute_grad" in text


def test_what_a_tape_keeps_on_a_device():
    with tf.device("/XLA:0"):
        x = tf.ones([100])
        with tf.GradientTape() as tape:
            tape.watch(x)
            tf.reduce_sum(tf.exp(x))
            waiting = len(deferral.QUEUE)
            memory = tape.memory()
        assert memory.device_bytes == memory.total_bytes == 400
        assert "400 B of it on a device," in str(memory)
        assert len(deferral.QUEUE) == waiting  # nothing was computed
    with tf.device("/CPU:0"), tf.GradientTape() as tape:
        x = tf.ones([100])
        tape.watch(x)
        tf.reduce_sum(tf.exp(x))
    assert "device" not in str(tape.memory())


def test_a_failure_that_shows_up_later(monkeypatch):
    """XLA ran out of memory behind our back: the value that is asked for says so."""
    error = jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED: Out of memory allocating 1 byte.")

    class Failed:
        shape, dtype, nbytes, sharding = (3,), np.dtype("float32"), 12, None

        def is_deleted(self) -> bool:
            return False

        def block_until_ready(self):
            raise error

    with tf.device("/XLA:0"):
        held = tf.ones([123])
        x = tf.ones([3])
        x._data = Failed()
        for ask in (x.numpy, lambda: np.asarray(x), lambda: repr(x), lambda: str(x)):
            with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
                ask()
            assert "an op before this one: the device is out of memory" in str(caught.value)
            assert "tensors are on devices" in str(caught.value)
        assert float(held[0]) == 1


def test_numbers_are_put_on_a_device_once():
    with tf.device("/XLA:0"):
        x = tf.ones([2])
        x + 0.123
        before = transfer._numbers.cache_info()
        x + 0.123
        tf.constant(0.123)
        after = transfer._numbers.cache_info()
        assert after.misses == before.misses
        v, w = tf.Variable(0.5), tf.Variable(0.5)
        v.assign_add(1.0)
        assert (float(v), float(w), float(tf.constant(0.5))) == (1.5, 0.5, 0.5)
