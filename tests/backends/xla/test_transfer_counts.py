"""`tf.debug_transfers()` counts what is copied between the host and a device, by line."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import gradtape as tf


@pytest.fixture(autouse=True)
def device():
    with tf.device("/XLA:0"):
        yield


def counted(transfers) -> tuple:
    to_device, to_host = transfers.to_device, transfers.to_host
    return to_device.count, to_device.bytes, to_host.count, to_host.bytes


def test_values_that_are_read_and_arrays_that_are_given():
    x = tf.constant(np.ones((4, 8), np.float32))
    array = np.arange(8, dtype=np.float32)
    with tf.debug_transfers() as transfers:
        y = x * array
        float(tf.reduce_sum(y))
        y.numpy()
    assert counted(transfers) == (1, 32, 2, 132)
    text = str(transfers)
    assert text.startswith("1 copies to devices (32 B), 2 to the host (132 B)")
    assert "y = x * array" in text
    assert "float(tf.reduce_sum(y))" in text
    assert all("test_transfer_counts.py:" in line for line in transfers.by_line)
    float(tf.reduce_sum(y))
    assert counted(transfers) == (1, 32, 2, 132)  # the block has ended


def test_a_loop_on_the_device_copies_nothing():
    v, x = tf.Variable(np.ones(3, np.float32)), tf.constant(np.float32([1, 2, 3]))

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((v * x - 0.25) ** 2)
        v.assign_sub(0.125 * tape.gradient(loss, v))
        return loss

    compiled = tf.function(step)
    for each in (step, compiled):
        for _ in range(3):
            each()
        with tf.debug_transfers() as transfers:
            for _ in range(20):
                loss = each()
        assert counted(transfers) == (0, 0, 0, 0)
        with tf.debug_transfers() as transfers:
            float(loss)
        assert counted(transfers) == (0, 0, 1, 4)


def test_a_function_that_is_given_arrays():
    with tf.device("/CPU:0"):
        given = tf.constant(np.ones(5, np.float32))
    v = tf.Variable(np.zeros(5, np.float32))

    @tf.function
    def add(x):
        v.assign_add(x)

    add(given)
    with tf.debug_transfers() as transfers:
        add(given)
    assert counted(transfers) == (1, 20, 0, 0)
