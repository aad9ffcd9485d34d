"""Shapes of outputs without arithmetic."""

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.primitive import PRIMITIVES


@pytest.fixture
def spec(keras):
    from keras.src import backend

    return backend.compute_output_spec


@pytest.fixture
def no_arithmetic(monkeypatch):
    """Kernels of the expensive ops fail."""

    def fail(*args, **params):
        raise AssertionError("a kernel was run")

    for name in ("matmul", "conv", "conv_input", "conv_filter", "max_pool", "softmax", "tanh"):
        monkeypatch.setattr(PRIMITIVES[name], "kernel", fail)


def test_convolutional_network(keras, spec, no_arithmetic):
    layers = keras.layers
    network = [
        layers.Conv2D(8, 3, strides=2, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.BatchNormalization(),
        layers.Conv2DTranspose(4, 3),
        layers.Flatten(),
        layers.Dense(5, activation="softmax"),
    ]

    def run(x):
        for layer in network:
            x = layer(x)
        return x

    result = spec(run, keras.KerasTensor((None, 32, 32, 3)))
    assert result.shape == (None, 5)
    assert result.dtype == "float32"
    assert network[0].kernel.shape == (3, 3, 3, 8)


def test_unknown_sizes_stay_unknown(keras, spec):
    def run(x, y):
        return {"sum": tf.reduce_sum(x, axis=0), "product": tf.matmul(x, y), "none": None, "n": 3}

    result = spec(run, keras.KerasTensor((None, 4)), y=keras.KerasTensor((4, None)))
    assert result["sum"].shape == (4,)
    assert result["product"].shape == (None, None)
    assert result["none"] is None
    assert result["n"] == 3


def test_recurrent_layers_with_unknown_time(keras, spec, no_arithmetic):
    layer = keras.layers.LSTM(3, return_sequences=True)
    assert spec(layer, keras.KerasTensor((None, None, 2))).shape == (None, None, 3)


def test_a_function_that_needs_values_gets_some(keras, spec):
    def run(x):
        return tf.concat([x, x], 0) if float(tf.reduce_sum(x)) > 1 else tf.transpose(x)

    assert spec(run, keras.KerasTensor((None, 4))).shape == (4, None)


def test_numpy_on_symbolic_values_gets_real_ones(keras, spec):
    def run(x):
        return tf.constant(np.asarray(x).sum(1))

    assert spec(run, keras.KerasTensor((None, 4))).shape == (None,)


def test_errors_of_the_program_are_its_own(keras, spec):
    with pytest.raises(ValueError, match="MatMul"):
        spec(lambda x: tf.matmul(x, x), keras.KerasTensor((None, 4)))


def test_variables_do_not_change(keras, spec):
    layer = keras.layers.BatchNormalization()
    layer.build((None, 3))
    before = layer.moving_mean.numpy()
    spec(lambda x: layer(x, training=True), keras.KerasTensor((None, 3)))
    np.testing.assert_array_equal(layer.moving_mean.numpy(), before)


def test_tapes_see_nothing(keras, spec):
    variable = keras.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        spec(lambda x: x * variable, keras.KerasTensor((None, 2)))
    assert tape.watched_variables() == ()


def test_a_tensor_kept_from_a_symbolic_call_is_an_error(keras, spec):
    kept = []
    spec(lambda x: kept.append(x * 2.0) or x, keras.KerasTensor((2,)))
    with pytest.raises(RuntimeError, match="do not store tensors on layers"):
        kept[0].numpy()


def test_gradients_inside_a_symbolic_call(keras, spec):
    def run(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x**2)
        return tape.gradient(y, x)

    assert spec(run, keras.KerasTensor((None, 3))).shape == (None, 3)


def test_noise_is_not_drawn(keras, spec, monkeypatch):
    layers = [keras.layers.Dropout(0.5), keras.layers.GaussianNoise(1.0)]
    for layer in layers:
        layer.build((None, 3))

    def fail(*args, **params):
        raise AssertionError("numbers were drawn")

    for name in ("random_numbers", "random_integers"):
        monkeypatch.setattr(PRIMITIVES[name], "kernel", fail)

    def run(x):
        for layer in layers:
            x = layer(x, training=True)
        return x + keras.random.normal(keras.ops.shape(x))

    assert spec(run, keras.KerasTensor((None, 3))).shape == (None, 3)


def test_draws_of_the_program_go_on_as_if_there_were_none_here(keras):
    class Noisy(keras.layers.Layer):
        def call(self, x):
            return x + tf.random.normal(tf.shape(x))

    tf.random.set_seed(3)
    expected = tf.random.normal((4,))
    tf.random.set_seed(3)
    Noisy()(keras.Input((3,)))
    np.testing.assert_array_equal(tf.random.normal((4,)), expected)
