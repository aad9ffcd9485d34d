"""A mixture density network for a multivalued function: log-sum-exp, softplus, Gaussian terms."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(66)
y = tf.constant(rng.uniform(-1, 1, (80, 1)), tf.float32)
x = y + 0.3 * tf.sin(2 * np.pi * y) + tf.constant(0.05 * rng.normal(size=(80, 1)), tf.float32)
COMPONENTS = 3


class Network(tf.Module):
    def __init__(self):
        super().__init__()
        self.hidden = tf.Variable(rng.normal(size=(1, 20)), dtype=tf.float32)
        self.bias = tf.Variable(tf.linspace(-1.0, 1.0, 20))
        self.out = tf.Variable(rng.normal(size=(20, 3 * COMPONENTS)) * 0.3, dtype=tf.float32)

    def __call__(self, x):
        features = tf.tanh(x @ self.hidden + self.bias) @ self.out
        logits, means, scales = tf.split(features, [COMPONENTS] * 3, axis=1)
        return tf.nn.log_softmax(logits), means, tf.math.softplus(scales) + 0.05


def negative_log_likelihood(model, x, y):
    log_weights, means, scales = model(x)
    z = (y - means) / scales
    log_densities = -0.5 * z**2 - tf.math.log(scales) - 0.5 * tf.math.log(2 * np.pi)
    return -tf.reduce_mean(tf.reduce_logsumexp(log_weights + log_densities, axis=1))


model = Network()
squares = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
losses = []
for _ in range(15):
    with tf.GradientTape() as tape:
        loss = negative_log_likelihood(model, x, y)
    gradients = tape.gradient(loss, model.trainable_variables)
    for v, s, g in zip(model.trainable_variables, squares, gradients):
        s.assign(0.9 * s + 0.1 * tf.square(g))
        v.assign_sub(0.02 * g * tf.math.rsqrt(s + 1e-4))
    losses.append(loss.numpy().item())

# A gamma and a Poisson regression: the special functions and their derivatives.
log_rate = tf.Variable([0.2, -0.3, 0.5])
shape = tf.Variable([1.5, 0.7, 3.0])
counts = tf.constant([2.0, 0.0, 5.0])
with tf.GradientTape(persistent=True) as tape:
    poisson = tf.reduce_sum(tf.nn.log_poisson_loss(counts, log_rate, compute_full_loss=False))
    gamma = tf.reduce_sum(tf.math.lgamma(shape) - shape * log_rate + tf.math.digamma(shape))
    beta = tf.reduce_sum(tf.math.lbeta(tf.stack([shape, tf.exp(log_rate)], axis=1)))
    normal = tf.reduce_sum(tf.math.erf(shape) * tf.math.igamma(shape, tf.exp(log_rate)))
print(
    json.dumps(
        {
            "losses": losses,
            "poisson": tape.gradient(poisson, log_rate).numpy().tolist(),
            "gamma": tape.gradient(gamma, shape).numpy().tolist(),
            "beta": tape.gradient(beta, [shape, log_rate])[1].numpy().tolist(),
            "normal": tape.gradient(normal, shape).numpy().tolist(),
        }
    )
)
