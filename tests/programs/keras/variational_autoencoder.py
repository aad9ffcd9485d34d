"""The variational autoencoder of the Keras guide: a sampling layer, add_loss, a manual loop."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(99)
rng = np.random.default_rng(99)
data = (rng.random((64, 18)) < rng.random((1, 18))).astype("float32")


class Sampling(layers.Layer):
    """Uses (z_mean, z_log_var) to sample z."""

    def call(self, inputs):
        z_mean, z_log_var = inputs
        batch = tf.shape(z_mean)[0]
        dim = tf.shape(z_mean)[1]
        epsilon = tf.random.normal(shape=(batch, dim))
        return z_mean + tf.exp(0.5 * z_log_var) * epsilon


class Encoder(layers.Layer):
    def __init__(self, latent_dim=3, intermediate_dim=12, name="encoder", **kwargs):
        super().__init__(name=name, **kwargs)
        self.dense_proj = layers.Dense(intermediate_dim, activation="relu")
        self.dense_mean = layers.Dense(latent_dim)
        self.dense_log_var = layers.Dense(latent_dim)
        self.sampling = Sampling()

    def call(self, inputs):
        x = self.dense_proj(inputs)
        z_mean, z_log_var = self.dense_mean(x), self.dense_log_var(x)
        return z_mean, z_log_var, self.sampling((z_mean, z_log_var))


class VariationalAutoEncoder(keras.Model):
    def __init__(self, original_dim, name="autoencoder", **kwargs):
        super().__init__(name=name, **kwargs)
        self.encoder = Encoder()
        self.dense_proj = layers.Dense(12, activation="relu")
        self.dense_output = layers.Dense(original_dim, activation="sigmoid")

    def call(self, inputs):
        z_mean, z_log_var, z = self.encoder(inputs)
        reconstructed = self.dense_output(self.dense_proj(z))
        kl_loss = -0.5 * tf.reduce_mean(z_log_var - tf.square(z_mean) - tf.exp(z_log_var) + 1)
        self.add_loss(kl_loss)
        return reconstructed


vae = VariationalAutoEncoder(18)
optimizer = keras.optimizers.Adam(learning_rate=5e-3)
bce = keras.losses.BinaryCrossentropy()
loss_metric = keras.metrics.Mean()
dataset = tf.data.Dataset.from_tensor_slices(data).batch(16)
tf.random.set_seed(12)
losses, extra = [], []
for epoch in range(2):
    for x_batch in dataset:
        with tf.GradientTape() as tape:
            reconstructed = vae(x_batch)
            loss = bce(x_batch, reconstructed)
            extra.append(float(sum(vae.losses)))
            loss += sum(vae.losses)
        grads = tape.gradient(loss, vae.trainable_weights)
        optimizer.apply_gradients(zip(grads, vae.trainable_weights))
        loss_metric(loss)
        losses.append(float(loss))
print(json.dumps({"losses": losses, "kl": extra, "mean": float(loss_metric.result())}))
