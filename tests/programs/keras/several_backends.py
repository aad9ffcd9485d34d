"""A program for several backends of Keras 3: its branch for TensorFlow has the gradient step."""

import json
import os

os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import numpy as np

rng = np.random.RandomState(9)


class Autoencoder(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.layers.Dense(3, activation="tanh")
        self.decoder = keras.layers.Dense(6)
        self.tracker = keras.metrics.Mean(name="reconstruction")

    def call(self, x):
        return self.decoder(self.encoder(x))

    def train_step(self, *args):
        if keras.backend.backend() == "jax":
            return self.step_of_jax(*args)
        if keras.config.backend() == "tensorflow":
            return self.step_of_tensorflow(*args)
        raise RuntimeError(f"no step for {keras.backend.backend()}")

    def step_of_tensorflow(self, x):
        import tensorflow as tf

        with tf.GradientTape() as tape:
            loss = keras.ops.mean(keras.ops.square(self(x, training=True) - x))
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply(gradients, self.trainable_weights)
        self.tracker.update_state(loss)
        return {"reconstruction": self.tracker.result()}


if keras.backend.backend() == "tensorflow":
    import tensorflow as tf

    def compiled(function):
        return tf.function(function)

else:
    compiled = None

x = rng.randn(64, 6).astype("float32")
model = Autoencoder()
model(x[:1])
model.set_weights([rng.uniform(-0.6, 0.6, w.shape) for w in model.get_weights()])
model.compile(keras.optimizers.SGD(0.1, momentum=0.5))
history = model.fit(x, epochs=4, batch_size=16, shuffle=False, verbose=0)
codes = compiled(model.encoder)(x[:2])
results = {
    "reconstruction": history.history["reconstruction"],
    "codes": keras.ops.convert_to_numpy(codes).tolist(),
}
print(json.dumps(results))
