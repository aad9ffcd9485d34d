"""Tensors of another library, as TensorFlow's own: converted, never passed through."""

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.tensor import Tensor


class ForeignType:
    """A dtype that says which NumPy type it stands for."""

    as_numpy_dtype = np.float32


class Foreign:
    """A tensor that, asked for one, gives itself, if the dtype is its own."""

    def __init__(self, values):
        self.values = np.asarray(values, np.float32)
        self.shape = self.values.shape
        self.dtype = ForeignType()

    def __tf_tensor__(self, dtype=None, name=None):
        if dtype is not None and not dtype.is_compatible_with(self.dtype):
            raise ValueError("another dtype was asked for")
        return self

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)


@pytest.mark.parametrize(
    "convert",
    [
        tf.convert_to_tensor,
        tf.constant,
        lambda x: tf.convert_to_tensor(x, tf.float32),
        lambda x: tf.zeros([2]) + x,
        lambda x: tf.reduce_sum(tf.stack([x, x]), axis=0) / 2,
        lambda x: tf.Variable(x).read_value(),
    ],
)
def test_a_foreign_tensor_becomes_one_of_ours(convert):
    result = convert(Foreign([1.0, 2.0]))
    assert type(result) is Tensor
    assert result.dtype == tf.float32
    assert result.numpy().tolist() == [1.0, 2.0]


def test_a_dtype_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="another dtype"):
        tf.convert_to_tensor(Foreign([1.0]), tf.int32)


def test_what_gives_a_variable_is_read():
    class Holder:
        def __init__(self):
            self.variable = tf.Variable([3.0])

        def __tf_tensor__(self, dtype=None, name=None):
            return self.variable

    holder = Holder()
    with tf.GradientTape() as tape:
        y = tf.convert_to_tensor(holder) * 2.0
    assert type(tf.convert_to_tensor(holder)) is Tensor
    assert tape.gradient(y, holder.variable).numpy().tolist() == [2.0]
