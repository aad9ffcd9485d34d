"""Natural gradient descent: the empirical Fisher matrix from a Jacobian, solved by Cholesky."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
x = tf.constant(rng.normal(size=(40, 3)), tf.float64)
labels = tf.constant(np.argmax(x.numpy() + rng.gumbel(size=(40, 3)), 1))
theta = tf.Variable(tf.zeros([3, 3], tf.float64))


def log_likelihoods(theta):
    log_probs = tf.nn.log_softmax(x @ theta)
    return tf.gather(log_probs, labels, batch_dims=1)


def fisher_direction(damping):
    with tf.GradientTape(persistent=True) as tape:
        each = log_likelihoods(theta)
        loss = -tf.reduce_mean(each)
    jacobian = tf.reshape(tape.jacobian(each, theta), [40, 9])
    gradient = tf.reshape(tape.gradient(loss, theta), [9, 1])
    fisher = tf.matmul(jacobian, jacobian, transpose_a=True) / 40.0
    identity = tf.eye(9, dtype=tf.float64)
    factor = tf.linalg.cholesky(fisher + damping * identity)
    direction = tf.linalg.cholesky_solve(factor, gradient)
    kl = 0.5 * tf.squeeze(tf.transpose(direction) @ fisher @ direction)
    return loss, tf.reshape(direction, [3, 3]), kl, tf.linalg.logdet(fisher + identity)


natural, kls, logdets = [], [], []
for _ in range(8):
    loss, direction, kl, logdet = fisher_direction(1e-3)
    theta.assign_sub(0.5 * direction)
    natural.append(loss.numpy().item())
    kls.append(kl.numpy().item())
    logdets.append(logdet.numpy().item())
reached = theta.numpy()

theta.assign(tf.zeros_like(theta))
plain = []
for _ in range(8):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(log_likelihoods(theta))
    theta.assign_sub(0.5 * tape.gradient(loss, theta))
    plain.append(loss.numpy().item())
print(
    json.dumps(
        {
            "natural": natural,
            "plain": plain,
            "kl": kls,
            "logdet": logdets,
            "theta": reached.tolist(),
        }
    )
)
