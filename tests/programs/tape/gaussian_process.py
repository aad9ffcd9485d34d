"""Gaussian process regression: hyperparameters by the marginal likelihood, then a posterior."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(19)
x = tf.constant(np.sort(rng.uniform(-3, 3, 25))[:, None])
y = tf.constant(np.sin(2 * x.numpy()[:, 0]) + 0.3 * x.numpy()[:, 0] + 0.1 * rng.normal(size=25))
log_amplitude = tf.Variable(0.0, dtype=tf.float64)
log_length = tf.Variable(0.5, dtype=tf.float64)
log_noise = tf.Variable(-1.0, dtype=tf.float64)
parameters = [log_amplitude, log_length, log_noise]


def squared_distances(a, b):
    return tf.reduce_sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1)


def kernel(a, b):
    scaled = squared_distances(a, b) / tf.exp(2 * log_length)
    return tf.exp(2 * log_amplitude) * tf.exp(-0.5 * scaled)


def noisy_kernel():
    n = tf.shape(x)[0]
    return kernel(x, x) + tf.exp(2 * log_noise) * tf.eye(n, dtype=tf.float64)


def negative_log_likelihood():
    factor = tf.linalg.cholesky(noisy_kernel())
    alpha = tf.linalg.triangular_solve(factor, y[:, None])
    quadratic = tf.reduce_sum(alpha**2)
    log_det = 2 * tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))
    return 0.5 * (quadratic + log_det + 25 * tf.math.log(tf.constant(2 * np.pi, tf.float64)))


@tf.function
def train(rate):
    with tf.GradientTape() as tape:
        loss = negative_log_likelihood()
    gradients = tape.gradient(loss, parameters)
    for p, g in zip(parameters, gradients):
        p.assign_sub(rate * tf.clip_by_value(g, -5, 5))
    return loss, gradients


losses = []
for _ in range(25):
    loss, gradients = train(tf.constant(0.02, tf.float64))
    losses.append(loss.numpy().item())

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        loss = negative_log_likelihood()
    first = tf.stack(inner.gradient(loss, parameters))
curvature = tf.stack(outer.jacobian(first, parameters), axis=-1)

grid = tf.constant(np.linspace(-3, 3, 7)[:, None])
factor = tf.linalg.cholesky(noisy_kernel())
cross = kernel(grid, x)
mean = tf.linalg.matvec(cross, tf.linalg.cholesky_solve(factor, y[:, None])[:, 0])
half = tf.linalg.triangular_solve(factor, tf.transpose(cross), lower=True)
variance = tf.linalg.diag_part(kernel(grid, grid)) - tf.reduce_sum(half**2, axis=0)
print(
    json.dumps(
        {
            "losses": losses[::4],
            "parameters": [p.numpy().item() for p in parameters],
            "gradients": [g.numpy().item() for g in gradients],
            "curvature": curvature.numpy().tolist(),
            "mean": mean.numpy().tolist(),
            "deviation": tf.sqrt(variance).numpy().tolist(),
        }
    )
)
