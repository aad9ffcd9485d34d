"""A model with its own train_step: gradients by hand, metrics that fit reports, test_step too."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(77)
rng = np.random.default_rng(77)
x = rng.random((64, 10)).astype("float32")
y = (x.sum(axis=1, keepdims=True) > 5).astype("float32")

loss_tracker = keras.metrics.Mean(name="loss")
mae_metric = keras.metrics.MeanAbsoluteError(name="mae")
squared_error = keras.losses.MeanSquaredError()


class CustomModel(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = squared_error(y, y_pred)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        loss_tracker.update_state(loss)
        mae_metric.update_state(y, y_pred)
        return {"loss": loss_tracker.result(), "mae": mae_metric.result()}

    def test_step(self, data):
        x, y = data
        y_pred = self(x, training=False)
        mae_metric.update_state(y, y_pred)
        return {"mae": mae_metric.result()}

    @property
    def metrics(self):
        return [loss_tracker, mae_metric]


class Scale(keras.layers.Layer):
    """A layer of one's own, with a weight and a loss."""

    def build(self, input_shape):
        self.gain = self.add_weight(shape=(input_shape[-1],), initializer="ones", name="gain")

    def call(self, inputs):
        self.add_loss(1e-3 * tf.reduce_sum(tf.square(self.gain)))
        return inputs * self.gain


inputs = keras.Input(shape=(10,))
hidden = Scale()(keras.layers.Dense(12, activation="gelu")(inputs))
outputs = keras.layers.Dense(1, activation="sigmoid")(hidden)
model = CustomModel(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(0.02))
history = model.fit(x, y, epochs=5, batch_size=16, shuffle=False, verbose=0)
evaluated = model.evaluate(x, y, verbose=0, return_dict=True)
print(
    json.dumps(
        {
            "loss": history.history["loss"],
            "mae": history.history["mae"],
            "evaluated": {k: float(v) for k, v in evaluated.items() if k == "mae"},
            "losses": len(model.losses),
            "weights": [w.shape[0] for w in model.trainable_variables],
        }
    )
)
