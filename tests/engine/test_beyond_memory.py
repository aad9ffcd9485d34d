"""Variables are updated in place, but only where nobody can see it."""

import _thread

import numpy as np
import pytest

from gradtape.core.native import extension


def address(variable):
    return variable._data.__array_interface__["data"][0]


@pytest.mark.on_host("looks at the address of NumPy's array")
def test_update_of_an_array_that_nobody_else_holds_is_in_place(tf):
    if extension is None and _thread._count():
        pytest.skip("without the extension, nothing is written into while other threads live")
    v = tf.Variable(np.ones(1000))
    before = address(v)
    v.assign_sub(np.full(1000, 0.25))
    v.assign_add(np.full(1000, 0.5))
    assert address(v) == before
    np.testing.assert_array_equal(v.numpy(), np.full(1000, 1.25))


def test_update_leaves_values_that_were_read_alone(tf):
    v = tf.Variable(np.ones(3))
    readings = [
        tf.identity(v),
        tf.reshape(v, (3, 1)),
        v[1:],
        tf.convert_to_tensor(v),
        np.asarray(v),
        np.asarray(v)[::2],
        tf.transpose(tf.reshape(v, (1, 3))),
    ]
    v.assign_add(np.ones(3))
    for reading in readings:
        np.testing.assert_array_equal(np.asarray(reading), np.ones(np.shape(reading)))


def test_update_leaves_what_a_tape_keeps_alone(tf):
    v = tf.Variable(np.full(3, 2.0))
    with tf.GradientTape() as tape:
        y = v * v
        v.assign_add(np.ones(3))
    np.testing.assert_array_equal(tape.gradient(y, v).numpy(), np.full(3, 4.0))
    np.testing.assert_array_equal(v.numpy(), np.full(3, 3.0))


def test_assigned_tensor_is_not_written_to(tf):
    v = tf.Variable(np.zeros(3))
    value = tf.constant(np.ones(3))
    v.assign(value)
    v.assign_add(np.ones(3))
    np.testing.assert_array_equal(value.numpy(), np.ones(3))
