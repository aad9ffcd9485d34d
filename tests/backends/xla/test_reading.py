"""Values are read from devices: small ones by programs, which copy them to memory of the host."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs JAX")

import gradtape as tf
from gradtape.backends.xla.runtime import memory, repetition, transfer
from gradtape.backends.xla.runtime.deferral import QUEUE
from gradtape.core.native import fusion_is_on


@pytest.fixture(autouse=True)
def device_that_is_slow_to_read(monkeypatch):
    """Take XLA's device on the host for one that is read as GPUs are."""
    monkeypatch.setattr(memory, "_SLOW_TO_READ", {"cpu", "gpu"})
    with tf.device("/XLA:0"):
        QUEUE.forget()
        yield
        QUEUE.forget()


@pytest.fixture
def reads(monkeypatch):
    """The sizes that were read by programs of their own, from the first time on."""
    monkeypatch.setattr(transfer, "REPEATS", 0)
    seen = []
    read = transfer._Reader.read

    def counted(self, array):
        seen.append(array.nbytes)
        return read(self, array)

    monkeypatch.setattr(transfer._Reader, "read", counted)
    return seen


def test_a_form_has_a_program_once_it_was_read_often():
    transfer._reader.cache_clear()
    x = tf.constant([5.0, 6.0, 7.0])
    reader = transfer._reader(transfer.form_of(x._data.aval), x._data.sharding)
    for _ in range(transfer.REPEATS):
        x.numpy()
    assert reader._program is None
    np.testing.assert_array_equal(x.numpy(), [5, 6, 7])
    assert reader._program is not None
    np.testing.assert_array_equal(x.numpy(), [5, 6, 7])


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "bool", "complex128", "bfloat16"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (4, 5)])
def test_a_value_that_was_computed_before_is_read_by_a_program(reads, dtype, shape):
    numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape) % 5
    expected = numbers.astype(tf.as_dtype(dtype).as_numpy_dtype)
    x = tf.identity(tf.constant(expected))
    QUEUE.run()
    result = x.numpy()
    np.testing.assert_array_equal(result, expected)
    assert result.dtype == expected.dtype
    assert reads == [expected.nbytes]


def test_many_bytes_are_read_by_a_transfer(reads):
    x = tf.ones([2**12]) * 2.0
    np.testing.assert_array_equal(x.numpy(), np.full(2**12, 2, np.float32))
    assert reads == []


def squares(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x**2
    return y, tape.gradient(y, x)


READERS = {
    "float": float,
    "int": int,
    "bool": bool,
    "numpy": lambda x: x.numpy(),
    "asarray": np.asarray,
    "print": str,
}


@pytest.mark.skipif(not fusion_is_on(), reason="GRADTAPE_FUSE_FROM=0: no op is deferred")
@pytest.mark.parametrize("reader", READERS)
def test_a_program_of_repeated_ops_copies_what_is_read(reads, reader):
    read = READERS[reader]
    expected = read(tf.constant(6.0))
    x = tf.constant(3.0)
    for step in range(repetition.REPEATS + 4):
        reads.clear()
        y, slope = squares(x)
        assert read(slope) == expected
        if step > repetition.REPEATS:
            assert reads == []  # the program that computed it has put it there
            assert slope._data.copy is not None
        # It is on the device as well: other ops and other readers find it.
        assert float(slope + y) == 15.0
        assert slope.device.endswith("XLA:0")


@pytest.mark.skipif(not fusion_is_on(), reason="GRADTAPE_FUSE_FROM=0: no op is deferred")
def test_reading_another_value_of_the_same_ops_is_another_program(reads):
    x = tf.constant(3.0)
    for step in range(2 * repetition.REPEATS + 6):
        y, slope = squares(x)
        assert float(y if step % 2 else slope) == (9.0 if step % 2 else 6.0)
    assert reads == [4] * 2 * repetition.REPEATS  # of the steps that ran op by op


def test_what_is_read_cannot_be_written_to():
    x = tf.identity(tf.constant([1.0, 2.0]))
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(x)[0] = 5.0
    copy = x.numpy()
    copy[0] = 5.0
    np.testing.assert_array_equal(x.numpy(), [1, 2])


def test_variables_and_results_of_functions_are_read_by_programs(reads):
    v = tf.Variable(1.0)
    step = tf.function(lambda: v.assign_add(1.0) * 10.0, jit_compile=True)
    for i in range(1, 4):
        assert float(step()) == 10.0 * (i + 1)
        assert float(v) == i + 1.0
    assert reads == [4] * 6
