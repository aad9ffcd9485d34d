"""A program that loads local models with tensorflow_hub, and trains one of them in a Keras model.

    gradtape run tests/companions/hub.py FOLDER

Nothing is fetched; what is wrong ends the program.
"""

import sys

import numpy as np
import tensorflow as tf
import tensorflow_hub as hub


class Scaled(tf.train.Checkpoint):
    """A model with the attributes that hub.KerasLayer reads."""

    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        self.variables = [self.w]
        self.trainable_variables = [self.w]
        self.regularization_losses = []

    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def __call__(self, x):
        return x @ self.w


def main(folder):
    tf.saved_model.save(Scaled(), folder)
    x = np.array([[1.0, 1.0]], np.float32)
    loaded = hub.load(folder)
    with tf.GradientTape() as tape:
        y = loaded(tf.constant(x))
    np.testing.assert_array_equal(y, [[4.0, 6.0]])
    np.testing.assert_array_equal(tape.gradient(y, loaded.w), np.ones([2, 2]))

    frozen = hub.KerasLayer(folder)
    assert frozen.trainable_variables == []
    np.testing.assert_array_equal(frozen(x), [[4.0, 6.0]])
    signature = hub.KerasLayer(folder, signature="serving_default", output_key="output_0")
    np.testing.assert_array_equal(signature(x), [[4.0, 6.0]])

    tf.keras.utils.set_random_seed(0)
    layer = hub.KerasLayer(folder, trainable=True)
    model = tf.keras.Sequential([tf.keras.layers.Input((2,)), layer, tf.keras.layers.Dense(1)])
    assert len(model.trainable_variables) == 3
    model.compile("sgd", "mse")
    data = np.random.default_rng(0).normal(size=(32, 2)).astype(np.float32)
    losses = model.fit(data, data.sum(1, keepdims=True), epochs=3, verbose=0).history["loss"]
    assert losses[2] < losses[0] / 2
    assert not np.array_equal(layer.trainable_variables[0], [[1.0, 2.0], [3.0, 4.0]])


if __name__ == "__main__":
    main(sys.argv[1])
