"""Indexing tensors: slices, masks, new axes, tensors as indices, and their gradients."""

import numpy as np
import pytest


@pytest.fixture
def array():
    return np.arange(24.0, dtype=np.float32).reshape(2, 3, 4)


INDICES = [
    0,
    -1,
    slice(0, 1),
    ...,
    (..., 0),
    (slice(None), 1),
    (0, 1, 2),
    None,
    (slice(None), None, 0),
    slice(None, None, -1),
    (slice(None), slice(None, None, 2)),
    (slice(1, None), slice(None, 2), -1),
    (0, ..., slice(None, None, -1)),
    (slice(None), slice(5, None)),
    slice(5, 2, -1),
    (..., None, 1),
    (None, ..., None),
    np.int64(1),
    np.array(1),
]


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_values_and_gradients(tf, array, index):
    x = tf.constant(array)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[index]
    np.testing.assert_array_equal(y.numpy(), array[index])
    expected = np.zeros_like(array)
    expected[index] = 1.0
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), expected)


def test_tensors_as_indices(tf, array):
    x = tf.constant(array)
    np.testing.assert_array_equal(x[tf.constant(1)].numpy(), array[1])
    np.testing.assert_array_equal(x[tf.constant(1), tf.constant(2)].numpy(), array[1, 2])
    np.testing.assert_array_equal(x[tf.constant(0) : tf.constant(1)].numpy(), array[0:1])
    np.testing.assert_array_equal(x[tf.Variable(1)].numpy(), array[1])
    np.testing.assert_array_equal(x[tf.newaxis].numpy(), array[None])


def test_boolean_masks(tf, array):
    x = tf.constant(array)
    np.testing.assert_array_equal(x[x > 5.0].numpy(), array[array > 5.0])
    np.testing.assert_array_equal(x[x[..., 0] > 5.0].numpy(), array[array[..., 0] > 5.0])
    mask = np.array([True, False])
    np.testing.assert_array_equal(x[mask].numpy(), array[mask])
    np.testing.assert_array_equal(x[tf.constant(mask)].numpy(), array[mask])


def test_gradient_of_a_boolean_mask(tf):
    x = tf.Variable([1.0, 5.0, 2.0, 7.0])
    with tf.GradientTape() as tape:
        y = x[x > 1.5] ** 2
    gradient = tf.convert_to_tensor(tape.gradient(y, x))
    np.testing.assert_array_equal(gradient.numpy(), [0.0, 10.0, 4.0, 14.0])


def test_scalar(tf):
    x = tf.constant(1.0)
    assert x[...].shape == ()
    assert x[None].shape == (1,)
    with pytest.raises(tf.errors.InvalidArgumentError):
        x[0]


def test_list_is_a_tuple_of_indices(tf, array):
    np.testing.assert_array_equal(tf.constant(array)[[0, 1]].numpy(), array[0, 1])


@pytest.mark.parametrize(
    "index",
    [5, -3, (0, 0, 0, 0), (..., ...), slice(None, None, 0)],
    ids=["too large", "too small", "too many", "two ellipses", "step 0"],
)
def test_invalid_arguments(tf, array, index):
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.constant(array)[index]


@pytest.mark.parametrize("index", ["x", 1.5, {}, slice(0, "a"), (0, [1])], ids=str)
def test_things_that_are_no_indices(tf, array, index):
    with pytest.raises(TypeError, match="valid indices"):
        tf.constant(array)[index]


def test_tensors_that_are_no_indices(tf, array):
    x = tf.constant(array)
    for index in (tf.constant(1.0), tf.constant([0, 1]), np.array([0, 1])):
        with pytest.raises(TypeError, match="valid indices"):
            x[index]


def test_gradients_of_overlapping_slices_are_summed(tf):
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x[:2] * x[1:]) + x[1]
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [2.0, 5.0, 2.0])


def test_second_derivative_through_an_index(tf):
    x = tf.Variable([2.0, 3.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x[0] ** 3 * x[1]
        by_first = inner.gradient(y, x)[0]
    np.testing.assert_array_equal(outer.gradient(by_first, x).numpy(), [36.0, 12.0])
