"""A convolutional variational autoencoder with the tutorial's Monte Carlo lower bound."""

import json

import numpy as np
import tensorflow as tf

LATENT = 2
tf.random.set_seed(11)
rng = np.random.default_rng(11)
position = rng.integers(1, 6, size=(48, 2))
images = np.zeros((48, 8, 8, 1), np.float32)
for image, (row, column) in zip(images, position):
    image[row - 1 : row + 2, column - 1 : column + 2] = 1.0


class CVAE(tf.Module):
    def __init__(self, latent_dim):
        super().__init__()
        self.latent_dim = latent_dim
        self.conv1 = tf.Variable(tf.random.truncated_normal([3, 3, 1, 6], stddev=0.3))
        self.conv2 = tf.Variable(tf.random.truncated_normal([3, 3, 6, 12], stddev=0.2))
        self.head = tf.Variable(tf.random.truncated_normal([48, 2 * latent_dim], stddev=0.2))
        self.dense = tf.Variable(tf.random.truncated_normal([latent_dim, 48], stddev=0.5))
        self.deconv1 = tf.Variable(tf.random.truncated_normal([3, 3, 6, 12], stddev=0.2))
        self.deconv2 = tf.Variable(tf.random.truncated_normal([3, 3, 1, 6], stddev=0.3))

    def encode(self, x):
        x = tf.nn.relu(tf.nn.conv2d(x, self.conv1, 2, "SAME"))
        x = tf.nn.relu(tf.nn.conv2d(x, self.conv2, 2, "SAME"))
        mean, logvar = tf.split(tf.reshape(x, [-1, 48]) @ self.head, num_or_size_splits=2, axis=1)
        return mean, logvar

    def reparameterize(self, mean, logvar):
        eps = tf.random.normal(shape=mean.shape)
        return eps * tf.exp(logvar * 0.5) + mean

    def decode(self, z, apply_sigmoid=False):
        x = tf.reshape(tf.nn.relu(z @ self.dense), [-1, 2, 2, 12])
        x = tf.nn.relu(tf.nn.conv2d_transpose(x, self.deconv1, [z.shape[0], 4, 4, 6], 2))
        logits = tf.nn.conv2d_transpose(x, self.deconv2, [z.shape[0], 8, 8, 1], 2)
        return tf.sigmoid(logits) if apply_sigmoid else logits


def log_normal_pdf(sample, mean, logvar, raxis=1):
    log2pi = tf.math.log(2.0 * np.pi)
    return tf.reduce_sum(
        -0.5 * ((sample - mean) ** 2.0 * tf.exp(-logvar) + logvar + log2pi), axis=raxis
    )


def compute_loss(model, x):
    mean, logvar = model.encode(x)
    z = model.reparameterize(mean, logvar)
    x_logit = model.decode(z)
    cross_ent = tf.nn.sigmoid_cross_entropy_with_logits(logits=x_logit, labels=x)
    logpx_z = -tf.reduce_sum(cross_ent, axis=[1, 2, 3])
    logpz = log_normal_pdf(z, 0.0, 0.0)
    logqz_x = log_normal_pdf(z, mean, logvar)
    return -tf.reduce_mean(logpx_z + logpz - logqz_x)


@tf.function
def train_step(model, x, moments, rate):
    with tf.GradientTape() as tape:
        loss = compute_loss(model, x)
    gradients = tape.gradient(loss, model.trainable_variables)
    for v, m, g in zip(model.trainable_variables, moments, gradients):
        m.assign(0.9 * m + 0.1 * g)
        v.assign_sub(rate * m)
    return loss


model = CVAE(LATENT)
moments = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
losses = []
for step in range(12):
    batch = tf.constant(images[step % 3 * 16 : step % 3 * 16 + 16])
    losses.append(train_step(model, batch, moments, tf.constant(0.05)).numpy().item())
picture = model.decode(tf.constant([[0.5, -0.5]]), apply_sigmoid=True)
print(json.dumps({"losses": losses, "picture": picture[0, ::3, ::3, 0].numpy().tolist()}))
