"""Compile, fit, evaluate and predict with a sequential model."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(812)
rng = np.random.default_rng(812)
x = rng.normal(size=(96, 7)).astype("float32")
y = (x @ rng.normal(size=(7, 1)) + 0.1 * rng.normal(size=(96, 1))).astype("float32")

model = tf.keras.Sequential(
    [
        keras.Input(shape=(7,)),
        layers.Dense(16, activation="relu"),
        layers.Dense(8, activation="tanh", kernel_regularizer=keras.regularizers.l2(1e-3)),
        layers.Dense(1),
    ]
)
model.compile(
    optimizer=tf.keras.optimizers.Adam(learning_rate=0.01),
    loss="mse",
    metrics=["mae"],
)
start = model.predict(x[:3], verbose=0)
history = model.fit(x[:64], y[:64], batch_size=16, epochs=4, shuffle=False, verbose=0)
loss, mae = model.evaluate(x[64:], y[64:], verbose=0)
end = model.predict(x[:3], verbose=0)
print(
    json.dumps(
        {
            "parameters": model.count_params(),
            "start": start.ravel().tolist(),
            "loss": history.history["loss"],
            "mae": history.history["mae"],
            "evaluated": [float(loss), float(mae)],
            "end": end.ravel().tolist(),
        }
    )
)
