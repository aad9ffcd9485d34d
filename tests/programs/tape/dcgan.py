"""A small DCGAN: transposed convolutions, batch normalization, two tapes, two optimizers."""

import json

import numpy as np
import tensorflow as tf

BATCH, NOISE = 8, 12
tf.random.set_seed(3)
rng = np.random.default_rng(3)
grid = np.stack(np.meshgrid(np.linspace(-1, 1, 16), np.linspace(-1, 1, 16)), -1)
centers = rng.uniform(-0.5, 0.5, (32, 1, 1, 2))
images = np.exp(-8 * np.sum((grid[None] - centers) ** 2, -1))[..., None] * 2 - 1
images = tf.constant(images, tf.float32)


class Layers(tf.Module):
    def weight(self, *shape):
        return tf.Variable(tf.random.normal(shape, stddev=0.05))

    def trained(self, grads, rate, memory):
        for i, (v, g) in enumerate(zip(self.trainable_variables, grads)):
            m = memory.setdefault(i, tf.Variable(tf.zeros_like(v)))
            m.assign(0.5 * m + 0.5 * g)
            v.assign_sub(rate * m)


def batch_norm(x, gamma, beta):
    mean, variance = tf.nn.moments(x, axes=[0, 1, 2])
    return tf.nn.batch_normalization(x, mean, variance, beta, gamma, 1e-3)


class Generator(Layers):
    def __init__(self):
        super().__init__(name="generator")
        self.project = self.weight(NOISE, 4 * 4 * 16)
        self.up1 = self.weight(5, 5, 8, 16)
        self.gamma, self.beta = tf.Variable(tf.ones([8])), tf.Variable(tf.zeros([8]))
        self.up2 = self.weight(5, 5, 1, 8)

    def __call__(self, noise):
        x = tf.nn.leaky_relu(tf.reshape(noise @ self.project, [-1, 4, 4, 16]), alpha=0.3)
        x = tf.nn.conv2d_transpose(x, self.up1, [x.shape[0], 8, 8, 8], strides=2, padding="SAME")
        x = tf.nn.leaky_relu(batch_norm(x, self.gamma, self.beta), alpha=0.3)
        x = tf.nn.conv2d_transpose(x, self.up2, [x.shape[0], 16, 16, 1], strides=2, padding="SAME")
        return tf.nn.tanh(x)


class Discriminator(Layers):
    def __init__(self):
        super().__init__(name="discriminator")
        self.down1 = self.weight(5, 5, 1, 8)
        self.down2 = self.weight(5, 5, 8, 16)
        self.judge = self.weight(4 * 4 * 16, 1)

    def __call__(self, x):
        x = tf.nn.leaky_relu(tf.nn.conv2d(x, self.down1, strides=2, padding="SAME"), alpha=0.3)
        x = tf.nn.leaky_relu(tf.nn.conv2d(x, self.down2, strides=2, padding="SAME"), alpha=0.3)
        return tf.reshape(x, [x.shape[0], -1]) @ self.judge


def cross_entropy(labels, logits):
    losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(losses)


def discriminator_loss(real_output, fake_output):
    real_loss = cross_entropy(tf.ones_like(real_output), real_output)
    fake_loss = cross_entropy(tf.zeros_like(fake_output), fake_output)
    return real_loss + fake_loss


def generator_loss(fake_output):
    return cross_entropy(tf.ones_like(fake_output), fake_output)


generator, discriminator = Generator(), Discriminator()
memories = {}, {}
history = []
for step in range(6):
    batch = images[step * 4 % 32 : step * 4 % 32 + BATCH]
    noise = tf.random.normal([BATCH, NOISE])
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        generated = generator(noise)
        real_output, fake_output = discriminator(batch), discriminator(generated)
        gen_loss = generator_loss(fake_output)
        disc_loss = discriminator_loss(real_output, fake_output)
    gen_grads = gen_tape.gradient(gen_loss, generator.trainable_variables)
    disc_grads = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator.trained(gen_grads, 0.2, memories[0])
    discriminator.trained(disc_grads, 0.2, memories[1])
    history.append([gen_loss.numpy().item(), disc_loss.numpy().item()])

sample = generator(tf.ones([1, NOISE]))
print(json.dumps({"history": history, "sample": sample[0, ::5, ::5, 0].numpy().tolist()}))
