"""A Kalman filter whose noise is learned through the filter: scan, Cholesky, triangular solves."""

import json
import math

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
A = tf.constant([[1.0, 0.1], [0.0, 0.95]], tf.float64)
C = tf.constant([[1.0, 0.0]], tf.float64)
state, observations = np.array([0.0, 1.0]), []
for _ in range(25):
    state = A.numpy() @ state + 0.1 * rng.normal(size=2)
    observations.append(state[:1] + 0.3 * rng.normal(size=1))
observations = tf.constant(np.array(observations))

log_q = tf.Variable(np.log([0.5, 0.5]))
log_r = tf.Variable(np.log([1.0]))


@tf.function
def log_likelihood(ys):
    Q, R = tf.linalg.diag(tf.exp(log_q)), tf.linalg.diag(tf.exp(log_r))

    def step(carry, y):
        mean, cov, _ = carry
        mean = tf.linalg.matvec(A, mean)
        cov = A @ cov @ tf.transpose(A) + Q
        residual = y - tf.linalg.matvec(C, mean)
        S = C @ cov @ tf.transpose(C) + R
        L = tf.linalg.cholesky(S)
        gain = tf.transpose(tf.linalg.cholesky_solve(L, C @ cov))
        white = tf.linalg.triangular_solve(L, residual[:, None])
        ll = -0.5 * tf.reduce_sum(white**2) - tf.reduce_sum(tf.math.log(tf.linalg.diag_part(L)))
        ll -= 0.5 * math.log(2 * math.pi)
        mean = mean + tf.linalg.matvec(gain, residual)
        cov = (tf.eye(2, dtype=tf.float64) - gain @ C) @ cov
        return mean, cov, ll

    start = (tf.zeros(2, tf.float64), tf.eye(2, dtype=tf.float64), tf.zeros([], tf.float64))
    means, covs, lls = tf.scan(step, ys, initializer=start)
    return tf.reduce_sum(lls), means, covs


log = []
for _ in range(6):
    with tf.GradientTape() as tape:
        ll, means, covs = log_likelihood(observations)
    gq, gr = tape.gradient(ll, [log_q, log_r])
    log_q.assign_add(0.05 * gq)
    log_r.assign_add(0.05 * gr)
    log.append(float(ll))
print(
    json.dumps(
        {
            "log": log,
            "noise": [*np.exp(log_q.numpy()).tolist(), *np.exp(log_r.numpy()).tolist()],
            "last": means[-1].numpy().tolist(),
            "trace": float(tf.linalg.trace(covs[-1])),
        }
    )
)
