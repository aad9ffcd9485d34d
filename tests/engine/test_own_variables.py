"""Subclasses of tf.Variable that keep their value in their own way, as Sonnet's TensorVariable."""

import numpy as np
import pytest

import gradtape as tf


class Held(tf.Variable):
    def __init__(self, value):
        self.held = tf.constant(value)

    shape = property(lambda self: self.held.shape)
    dtype = property(lambda self: self.held.dtype)


@pytest.fixture(autouse=True)
def conversion():
    tf.register_tensor_conversion_function(
        Held, lambda value, dtype=None, name=None, as_ref=None: value.held
    )


# What TensorFlow 2.21 computes with the same class.
COMPUTED = {
    "matmul": (lambda v: tf.matmul(v, [[1.0], [2.0]]), [[5.0]]),
    "ones_like": (tf.ones_like, [[1.0, 1.0]]),
    "cast": (lambda v: tf.cast(v, tf.int32), [[1, 2]]),
    "stack": (lambda v: tf.stack([v, v]), [[[1.0, 2.0]], [[1.0, 2.0]]]),
    "sum": (lambda v: tf.constant([[1.0, 1.0]]) + v, [[2.0, 3.0]]),
    "reduce_sum": (tf.reduce_sum, 3.0),
}


@pytest.mark.parametrize("name", COMPUTED)
def test_it_is_read_by_its_conversion(name):
    function, expected = COMPUTED[name]
    assert function(Held([[1.0, 2.0]])).numpy().tolist() == expected


def test_gradients_flow_to_what_it_holds():
    v = Held([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(v.held)
        y = tf.reduce_sum(tf.multiply(v, v))
    np.testing.assert_array_equal(tape.gradient(y, v.held), [2.0, 4.0])


def test_other_variables_are_read_as_ever():
    assert (tf.Variable([1.0]) + 1).numpy().tolist() == [2.0]


def test_references_have_an_order():
    references = [tf.constant(float(i)).ref() for i in range(5)]
    assert sorted(references) == sorted(references, key=hash)
    with pytest.raises(TypeError, match="not supported"):
        references[0] < 3  # noqa: B015 (raises)
