"""What tests of Keras show only on backends whose names they know."""

import ml_dtypes
import numpy as np
import pytest

import gradtape as tf


def test_gradients_of_divide_no_nan(keras):
    x, y = tf.Variable([1.0, 2.0]), tf.Variable([0.0, 2.0])
    with tf.GradientTape() as tape:
        z = tf.reduce_sum(keras.ops.divide_no_nan(x, y))
    by_x, by_y = tape.gradient(z, [x, y])
    np.testing.assert_allclose(by_x, [0.0, 0.5])
    np.testing.assert_allclose(by_y, [0.0, -0.5])


@pytest.mark.parametrize("workers", [1, 2])
def test_datasets_of_tensors(keras, workers):
    class Ones(keras.utils.PyDataset):
        @property
        def num_batches(self):
            return 4

        def __getitem__(self, index):
            with keras.device("cpu:0"):
                return keras.ops.ones((5, 4)), keras.ops.zeros((5, 3))

    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
    model.compile("sgd", "mse")
    history = model.fit(Ones(workers=workers), epochs=2, verbose=0, shuffle=False).history["loss"]
    assert history[1] < history[0]


@pytest.mark.parametrize("kind", ["dense", "einsum"])
def test_training_in_float8_keeps_its_scales(keras, kind):
    """The new scales and histories arrive as gradients, and overwrite the old."""
    layers, ops, quantizers = keras.layers, keras.ops, keras.quantizers
    if kind == "dense":
        layer = layers.Dense(32)
    else:
        layer = layers.EinsumDense("ab,bc->ac", output_shape=[32], bias_axes="c")
    layer.build((None, 16))
    layer.quantize("float8")
    optimizer = keras.optimizers.AdamW(0.1)
    optimizer.build(layer.trainable_variables)
    scales = {name: ops.ones(()) for name in ("inputs", "kernel", "outputs_grad")}
    histories = {name: ops.zeros((1024,)) for name in scales}
    largest = {
        name: float(ml_dtypes.finfo(dtype).max)
        for name, dtype in (
            ("inputs", "float8_e4m3fn"),
            ("kernel", "float8_e4m3fn"),
            ("outputs_grad", "float8_e5m2"),
        )
    }
    for seed in range(3):
        x = keras.random.normal((16, 16), seed=seed)
        upstream = keras.random.normal((16, 32), seed=seed + 10)
        values = {"inputs": x, "kernel": layer.kernel.value, "outputs_grad": upstream}
        for name, value in values.items():
            highest = ops.max(histories[name])
            scales[name] = quantizers.compute_float8_scale(highest, scales[name], largest[name])
            histories[name] = quantizers.compute_float8_amax_history(value, histories[name])
        with tf.GradientTape() as tape:
            loss = ops.sum(layer(x, training=True) * upstream)
        gradients = tape.gradient(loss, layer.trainable_variables)
        optimizer.apply(gradients, layer.trainable_variables)
        for name in values:
            history, scale = (
                getattr(layer, f"{name}_{what}") for what in ("amax_history", "scale")
            )
            np.testing.assert_allclose(history.numpy(), histories[name], rtol=1e-6)
            np.testing.assert_allclose(scale.numpy(), scales[name], rtol=1e-6)
