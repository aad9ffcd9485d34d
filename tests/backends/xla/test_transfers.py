"""What crosses between the host and a device: no more elements than needed, with all their bits."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import jax

import gradtape as tf
from gradtape.backends.xla.runtime import tensor as device_tensor

SIZE = 100_000


@pytest.fixture
def copied(monkeypatch):
    """The sizes of the host's arrays that are copied or given to programs."""
    sizes = []
    put, beside = jax.device_put, device_tensor._beside

    def seen(data):
        if isinstance(data, (np.ndarray, np.generic)):
            sizes.append(data.size)
        return data

    monkeypatch.setattr(
        jax, "device_put", lambda x, *args, **options: put(seen(x), *args, **options)
    )
    monkeypatch.setattr(device_tensor, "_beside", lambda data, inputs: seen(beside(data, inputs)))
    with tf.device("/XLA:0"):
        yield sizes


def test_an_array_is_copied_once(copied):
    x = tf.constant(np.arange(SIZE, dtype="float32"))
    tf.reduce_sum(x * x + x)
    assert [n for n in copied if n > 1] == [SIZE]


def test_a_gradient_copies_no_array(copied):
    x = tf.Variable(np.linspace(-2, 2, SIZE, dtype="float32"))
    copied.clear()
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.tanh(x) * x)
    gradient = tape.gradient(y, x)
    assert all(n == 1 for n in copied)
    value = x.numpy()
    np.testing.assert_allclose(gradient, np.tanh(value) + value / np.cosh(value) ** 2, rtol=1e-4)


@pytest.mark.parametrize("make", [tf.zeros, tf.ones, lambda shape: tf.fill(shape, 2.5)])
def test_new_tensors_are_filled_on_the_device(copied, make):
    made = make([SIZE, 2])
    assert all(n == 1 for n in copied)
    with tf.device("/CPU:0"):
        np.testing.assert_array_equal(made, make([SIZE, 2]))


def test_a_repeated_number_is_copied_once(copied):
    x = tf.zeros([SIZE, 2])
    with tf.device("/CPU:0"):
        repeated = tf.broadcast_to(tf.constant(2.5), [SIZE, 2])
    copied.clear()
    np.testing.assert_array_equal(x + repeated, np.full([SIZE, 2], np.float32(2.5)))
    with tf.device("/XLA:0"):
        np.testing.assert_array_equal(tf.identity(repeated), repeated)
    assert all(n == 1 for n in copied)


def test_a_view_with_repeated_rows_is_copied_whole(copied):
    rows = np.broadcast_to(np.arange(3, dtype="float32"), (4, 3))
    np.testing.assert_array_equal(tf.constant(rows) + 1.0, rows + 1)


@pytest.mark.parametrize(
    "options", [{}, {"axis": -1}, {"minlength": 9}, {"maxlength": 4}, {"binary_output": True}]
)
def test_counts_of_a_sparse_tensor_are_those_of_the_host(options):
    """Computed on the host, in 64 bits, whatever device has the values."""

    def counts():
        numbers = tf.constant([3, 1, 3, 6, 6], tf.int64)
        sp = tf.SparseTensor([[0, 0], [0, 1], [1, 1], [2, 0], [2, 2]], numbers, [4, 3])
        return tf.sparse.bincount(sp, **options)

    on_host = counts()
    with tf.device("/XLA:0"):
        result = counts()
    for part in ("indices", "values", "dense_shape"):
        np.testing.assert_array_equal(getattr(result, part), getattr(on_host, part))


def test_ids_of_a_sparse_tensor_beyond_32_bits():
    with tf.device("/XLA:0"):
        ids = tf.SparseTensor([[0, 0]], tf.constant([2**32 + 1], tf.int64), [1, 1])
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.sparse.to_indicator(ids, 3)
