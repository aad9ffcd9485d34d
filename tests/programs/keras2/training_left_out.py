"""A critic and a generator whose call has `training` without a default, called with and without."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(5)


def start(*shape):
    return tf.constant_initializer(rng.randn(*shape) * 0.4)


class Generator(tf.keras.Model):
    def __init__(self):
        super(Generator, self).__init__()
        self.dense = tf.keras.layers.Dense(6, kernel_initializer=start(3, 6))
        self.norm = tf.keras.layers.BatchNormalization(momentum=0.5)
        self.out = tf.keras.layers.Dense(2, kernel_initializer=start(6, 2))

    def call(self, z, training):
        x = tf.nn.relu(self.norm(self.dense(z), training=training))
        return self.out(x)


class Block(tf.keras.layers.Layer):
    def __init__(self, units, kernel):
        super(Block, self).__init__()
        self.dense = tf.keras.layers.Dense(units, kernel_initializer=kernel)

    def call(self, x, training):
        y = self.dense(x)
        return 2.0 * y if training else y


class Critic(tf.keras.Model):
    def __init__(self):
        super(Critic, self).__init__()
        self.first = Block(4, start(2, 4))
        self.last = Block(1, start(4, 1))

    def call(self, x, training):
        return self.last(tf.nn.tanh(self.first(x)))  # both get what this call got


generator, critic = Generator(), Critic()
noise = tf.constant(rng.randn(8, 3).astype("float32"))
real = tf.constant(rng.randn(8, 2).astype("float32"))
first = critic(generator(noise))
optimizer = tf.keras.optimizers.SGD(0.05)
losses = []
for _ in range(4):
    with tf.GradientTape() as tape:
        fake = generator(noise, training=True)
        loss = tf.reduce_mean(critic(fake, training=True)) - tf.reduce_mean(critic(real))
    gradients = tape.gradient(loss, generator.trainable_variables)
    optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
    losses.append(float(loss))

print(
    json.dumps(
        {
            "first": first.numpy().tolist(),
            "losses": losses,
            "inference": generator(noise).numpy().tolist(),
            "mean": generator.norm.moving_mean.numpy().tolist(),
        }
    )
)
