"""A mixture of Gaussians: by expectation and maximization, then by gradients."""

import json
import math

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
data = np.concatenate(
    [
        rng.normal(size=(40, 2)) * [0.5, 1.0] + [2.0, 0.0],
        rng.normal(size=(30, 2)) @ [[1.0, 0.6], [0.0, 0.5]] + [-1.0, 1.0],
    ]
)
x = tf.constant(data)
COUNT, SIZE = 2, 2


def log_densities(x, means, scales):
    """log N(x; mean, L Lᵀ) of each point for each component: [points, components]."""
    operator = tf.linalg.LinearOperatorLowerTriangular(scales)
    distance = x[:, tf.newaxis, :] - means
    white = operator.solvevec(distance)
    return (
        -0.5 * tf.reduce_sum(white**2, -1)
        - operator.log_abs_determinant()
        - 0.5 * SIZE * math.log(2.0 * math.pi)
    )


def step(weights, means, covariances):
    joint = tf.math.log(weights) + log_densities(x, means, tf.linalg.cholesky(covariances))
    evidence = tf.reduce_logsumexp(joint, axis=1, keepdims=True)
    shares = tf.exp(joint - evidence)
    counts = tf.reduce_sum(shares, 0)
    means = tf.einsum("nk,nd->kd", shares, x) / counts[:, None]
    centered = x[:, None, :] - means
    covariances = tf.einsum("nk,nkd,nke->kde", shares, centered, centered) / counts[:, None, None]
    return counts / tf.reduce_sum(counts), means, covariances, tf.reduce_mean(evidence)


weights = tf.constant([0.5, 0.5], tf.float64)
means = tf.constant([[1.0, 0.0], [0.0, 1.0]], tf.float64)
covariances = tf.eye(SIZE, batch_shape=[COUNT], dtype=tf.float64)
likelihoods = []
for _ in range(8):
    weights, means, covariances, likelihood = step(weights, means, covariances)
    likelihoods.append(likelihood.numpy().item())

# The same iteration as a loop of TensorFlow's, until the likelihood stands still.
steps, *_ = tf.while_loop(
    lambda i, w, m, c, before, now: tf.logical_and(i < 50, now - before > 1e-3),
    lambda i, w, m, c, before, now: (i + 1, *step(w, m, c)[:3], now, step(w, m, c)[3]),
    (
        0,
        tf.constant([0.5, 0.5], tf.float64),
        tf.constant([[1.0, 0.0], [0.0, 1.0]], tf.float64),
        tf.eye(SIZE, batch_shape=[COUNT], dtype=tf.float64),
        tf.constant(-1e9, tf.float64),
        tf.constant(-1e8, tf.float64),
    ),
)

# By gradients, with parameters that may take any value.
logits = tf.Variable(tf.zeros([COUNT], tf.float64))
centers = tf.Variable([[1.0, 0.0], [0.0, 1.0]], dtype=tf.float64)
raw = tf.Variable(tf.zeros([COUNT, SIZE, SIZE], tf.float64))
variables = [logits, centers, raw]
losses = []
for _ in range(5):
    with tf.GradientTape() as tape:
        scales = tf.linalg.set_diag(
            tf.linalg.band_part(raw, -1, 0), tf.nn.softplus(tf.linalg.diag_part(raw)) + 0.1
        )
        joint = tf.nn.log_softmax(logits) + log_densities(x, centers, scales)
        loss = -tf.reduce_mean(tf.reduce_logsumexp(joint, axis=1))
    gradients = tape.gradient(loss, variables)
    losses.append(loss.numpy().item())
    for variable, gradient in zip(variables, gradients):
        variable.assign_sub(0.3 * gradient)
print(
    json.dumps(
        {
            "likelihoods": likelihoods,
            "weights": weights.numpy().tolist(),
            "means": means.numpy().tolist(),
            "covariances": covariances.numpy().tolist(),
            "steps": int(steps),
            "losses": losses,
            "norms": [tf.norm(g).numpy().item() for g in gradients],
        }
    )
)
