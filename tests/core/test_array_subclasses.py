"""Arrays of NumPy's subclasses become plain ones: their operators and masks stay outside."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

VALUES = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
ARRAYS = {
    "matrix": lambda: np.matrix(VALUES),
    "masked": lambda: np.ma.masked_array(VALUES, VALUES > 2),
    "recarray": lambda: VALUES.view(np.recarray),
}
TAKEN = {
    "constant": tf.constant,
    "with a dtype": lambda x: tf.constant(x, tf.float32),
    "cast": lambda x: tf.cast(tf.constant(x, tf.float64), tf.float32),
    "Variable": lambda x: tf.Variable(x) + 0.0,
    "assigned": lambda x: tf.Variable(tf.zeros([2, 2])).assign(x) + 0.0,
    "argument of a function": lambda x: tf.function(lambda y: y + 0.0)(x),
    "numpy_function": lambda x: tf.numpy_function(lambda: x, [], tf.float32),
    "dataset": lambda x: next(iter(tf.data.Dataset.from_tensors(x))),
    "slices": lambda x: next(iter(tf.data.Dataset.from_tensor_slices(x).batch(2))),
    "list": lambda x: tf.stack([x, x])[0],
    "operator": lambda x: tf.zeros([2, 2]) + x,
    "keras": lambda x: tf.keras.ops.convert_to_tensor(x),
    "layer": lambda x: tf.keras.layers.Identity()(x),
}


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("take", TAKEN)
@pytest.mark.parametrize("kind", ARRAYS)
def test_operators_are_tensorflows(kind, take):
    x = TAKEN[take](ARRAYS[kind]())
    assert type(x.numpy()) is np.ndarray
    np.testing.assert_array_equal(x * x, VALUES * VALUES)
    assert tuple(tf.reduce_sum(x, 0).shape) == (2,)
    np.testing.assert_array_equal(tf.constant(VALUES) * ARRAYS[kind](), VALUES * VALUES)


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("kind", ARRAYS)
def test_keras_trains_on_them(kind):
    x, y = ARRAYS[kind](), VALUES[:, :1]
    losses = []
    for data in (x, VALUES):
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
        model.compile("sgd", "mse")
        losses.append(model.fit(data, y, epochs=2, verbose=0, shuffle=False).history["loss"])
    assert losses[0] == losses[1]


def test_a_shape_of_text_is_refused():
    with pytest.raises(TypeError, match="A shape is made of integers, got b'ab'"):
        tf.TensorShape(b"ab")
