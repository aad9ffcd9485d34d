"""A critic with SpectralNormalization and gelu; sparsemax attention over its features."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa

rng = np.random.RandomState(15)
x = rng.randn(20, 6).astype("float32")
inputs = tf.keras.Input((6,))
h = tfa.layers.SpectralNormalization(tf.keras.layers.Dense(8), power_iterations=30)(inputs)
h = tf.keras.layers.Activation(tfa.activations.gelu)(h)
scores = tf.keras.layers.Dense(8)(h)
attention = tf.keras.layers.Lambda(tfa.activations.sparsemax)(scores)
h = tf.keras.layers.Multiply()([h, attention])
outputs = tf.keras.layers.Dense(1)(h)
critic = tf.keras.Model(inputs, outputs)

kernels = [v for v in critic.trainable_variables if len(v.shape) == 2]
for v in kernels:
    v.assign(rng.normal(0, 0.7, v.shape))
optimizer = tf.keras.optimizers.SGD(0.1)
losses = []
for _ in range(4):
    with tf.GradientTape() as tape:
        values = critic(x, training=True)
        loss = tf.reduce_mean(values[:10]) - tf.reduce_mean(values[10:])
    gradients = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
    losses.append(float(loss))
weights = tfa.activations.sparsemax(tf.constant([[0.1, 1.2, 0.9], [3.0, 0.2, -1.0]]))
shrunk = [
    tfa.activations.hardshrink(x[0]).numpy().tolist(),
    tfa.activations.softshrink(x[0]).numpy().tolist(),
    tfa.activations.tanhshrink(x[0]).numpy().tolist(),
    tfa.activations.snake(x[0], 2.0).numpy().tolist(),
]
print(json.dumps({"losses": losses, "weights": weights.numpy().tolist(), "shrunk": shrunk}))
