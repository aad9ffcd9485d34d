"""Requests beyond what memory or NumPy can hold, and programs that make NumPy strict."""

import numpy as np
import pytest

import gradtape as tf


def test_too_large_to_make():
    with pytest.raises(tf.errors.ResourceExhaustedError, match=r"out of memory .*10000000"):
        tf.zeros((10**7, 10**7))


def test_result_too_large():
    column = tf.ones((10**7, 1))  # the square has more bytes than there are addresses
    with pytest.raises(tf.errors.ResourceExhaustedError, match="multiply: out of memory"):
        column * tf.reshape(column, (1, -1))


def test_more_axes_than_numpy_has():
    with pytest.raises(ValueError, match="Reshape: the result would have 71 axes") as caught:
        tf.reshape(tf.ones(6), [1] * 70 + [6])
    assert isinstance(caught.value, tf.errors.InvalidArgumentError)


@pytest.mark.parametrize(
    ("op", "value", "expected"),
    [(tf.math.log, 0.0, -np.inf), (tf.exp, 1000.0, np.inf), (lambda x: x / x, 0.0, np.nan)],
    ids=["log of 0", "overflow", "0 / 0"],
)
@pytest.mark.parametrize("shape", [(), (2,)])
def test_strict_numpy_does_not_change_tensors(op, value, expected, shape):
    x = tf.Variable(tf.fill(shape, value))
    with np.errstate(all="raise"):
        with tf.GradientTape() as tape:
            y = op(x)
        tape.gradient(y, x)
    np.testing.assert_array_equal(y.numpy(), np.full(shape, expected, np.float32))


@pytest.mark.filterwarnings("error")
def test_warnings_as_errors_do_not_change_tensors():
    assert np.isinf((1.0 / tf.constant([0.0])).numpy())[0]
    assert np.isinf((tf.constant(1.0) / tf.constant(0.0)).numpy())
