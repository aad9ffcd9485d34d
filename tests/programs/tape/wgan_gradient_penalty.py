"""A Wasserstein GAN with gradient penalty: the norm of a gradient is part of the loss."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(13)
rng = np.random.default_rng(13)
angles = rng.integers(0, 8, 512) * np.pi / 4
ring = np.stack([np.cos(angles), np.sin(angles)], 1) + 0.05 * rng.normal(size=(512, 2))
real_data = tf.constant(ring, tf.float32)
BATCH, PENALTY = 64, 10.0


class Perceptron(tf.Module):
    def __init__(self, sizes, name):
        super().__init__(name=name)
        self.kernels, self.biases = [], []
        with self.name_scope:
            for n, m in zip(sizes, sizes[1:]):
                start = tf.random.normal([n, m], stddev=float(np.sqrt(2 / n)))
                self.kernels.append(tf.Variable(start, name="kernel"))
                self.biases.append(tf.Variable(tf.zeros([m]), name="bias"))

    def __call__(self, x):
        for w, b in zip(self.kernels[:-1], self.biases[:-1]):
            x = tf.nn.softplus(x @ w + b)
        return x @ self.kernels[-1] + self.biases[-1]


generator = Perceptron([4, 24, 2], "generator")
critic = Perceptron([2, 24, 24, 1], "critic")


def gradient_penalty(real, fake):
    epsilon = tf.random.uniform([BATCH, 1], 0.0, 1.0)
    mixed = epsilon * real + (1 - epsilon) * fake
    with tf.GradientTape() as tape:
        tape.watch(mixed)
        score = critic(mixed)
    gradients = tape.gradient(score, [mixed])[0]
    norm = tf.sqrt(tf.reduce_sum(tf.square(gradients), axis=1) + 1e-12)
    return tf.reduce_mean((norm - 1.0) ** 2)


def descend(tape, loss, module, rate):
    gradients = tape.gradient(loss, module.trainable_variables)
    for v, g in zip(module.trainable_variables, gradients):
        v.assign_sub(rate * g)


history = []
for step in range(5):
    for inner in range(2):
        begin = (2 * step + inner) * BATCH % 512
        real = real_data[begin : begin + BATCH]
        noise = tf.random.normal([BATCH, 4])
        with tf.GradientTape() as tape:
            fake = generator(noise)
            cost = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
            penalty = gradient_penalty(real, fake)
            critic_loss = cost + PENALTY * penalty
        descend(tape, critic_loss, critic, 0.01)
    with tf.GradientTape() as tape:
        generator_loss = -tf.reduce_mean(critic(generator(tf.random.normal([BATCH, 4]))))
    descend(tape, generator_loss, generator, 0.05)
    values = critic_loss, penalty, generator_loss
    history.append([value.numpy().item() for value in values])
names = [v.name for v in critic.trainable_variables[:2]]
print(json.dumps({"history": history, "names": names}))
