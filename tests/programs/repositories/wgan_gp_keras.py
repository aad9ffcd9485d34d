"""WGAN-GP as a keras.Model with a train_step of its own and two optimizers."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(1337)


def block(units, **kw):
    return layers.Dense(units, kernel_initializer=keras.initializers.HeNormal(seed=units), **kw)


discriminator = keras.Sequential(
    [keras.Input((2,)), block(16), layers.LeakyReLU(0.2), block(1, use_bias=False)]
)
generator = keras.Sequential([keras.Input((4,)), block(12, activation="relu"), block(2)])


class WGAN(keras.Model):
    def __init__(self, discriminator, generator, latent_dim, discriminator_extra_steps=2):
        super().__init__()
        self.discriminator = discriminator
        self.generator = generator
        self.latent_dim = latent_dim
        self.d_steps = discriminator_extra_steps
        self.gp_weight = 10.0

    def compile(self, d_optimizer, g_optimizer):
        super().compile()
        self.d_optimizer, self.g_optimizer = d_optimizer, g_optimizer

    def gradient_penalty(self, real, fake, seed):
        alpha = tf.random.stateless_uniform([tf.shape(real)[0], 1], seed)
        interpolated = real + alpha * (fake - real)
        with tf.GradientTape() as gp_tape:
            gp_tape.watch(interpolated)
            pred = self.discriminator(interpolated, training=True)
        grads = gp_tape.gradient(pred, [interpolated])[0]
        norm = tf.sqrt(tf.reduce_sum(tf.square(grads), axis=[1]))
        return tf.reduce_mean((norm - 1.0) ** 2)

    def train_step(self, real):
        n = tf.shape(real)[0]
        for i in range(self.d_steps):
            z = tf.random.stateless_normal([n, self.latent_dim], [i, 1])
            with tf.GradientTape() as tape:
                fake = self.generator(z, training=True)
                d_cost = tf.reduce_mean(self.discriminator(fake, training=True)) - tf.reduce_mean(
                    self.discriminator(real, training=True)
                )
                d_loss = d_cost + self.gp_weight * self.gradient_penalty(real, fake, [i, 2])
            d_vars = self.discriminator.trainable_variables
            self.d_optimizer.apply_gradients(zip(tape.gradient(d_loss, d_vars), d_vars))
        z = tf.random.stateless_normal([n, self.latent_dim], [7, 7])
        with tf.GradientTape() as tape:
            g_loss = -tf.reduce_mean(self.discriminator(self.generator(z, training=True)))
        g_vars = self.generator.trainable_variables
        self.g_optimizer.apply_gradients(zip(tape.gradient(g_loss, g_vars), g_vars))
        return {"d_loss": d_loss, "g_loss": g_loss}


angle = np.linspace(0, 6.28, 24)
real = np.stack([np.cos(angle), 2 * np.sin(angle)], 1).astype("float32")
wgan = WGAN(discriminator, generator, 4)
wgan.compile(*(keras.optimizers.SGD(5e-3) for _ in range(2)))
history = wgan.fit(real, batch_size=8, epochs=3, shuffle=False, verbose=0)
z = np.ones((1, 4), "float32")
print(
    json.dumps(
        {
            "d_loss": [float(v) for v in history.history["d_loss"]],
            "g_loss": [float(v) for v in history.history["g_loss"]],
            "sample": generator(z).numpy().tolist(),
        }
    )
)
