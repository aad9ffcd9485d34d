"""Wasserstein GAN with clipped weights on a line of points; RMSProp as in the paper."""

import json

import numpy as np
import tensorflow as tf

tf.compat.v1.set_random_seed(99)
v1 = tf.compat.v1
rng = np.random.RandomState(99)


def xavier(n, m):
    bound = np.sqrt(6.0 / (n + m))
    return tf.Variable(rng.uniform(-bound, bound, (n, m)).astype(np.float32))


theta_G = [xavier(2, 8), tf.Variable(tf.zeros([8])), xavier(8, 2), tf.Variable(tf.zeros([2]))]
theta_D = [xavier(2, 8), tf.Variable(tf.zeros([8])), xavier(8, 1), tf.Variable(tf.zeros([1]))]


def G(z):
    h = tf.nn.relu(tf.matmul(z, theta_G[0]) + theta_G[1])
    return tf.matmul(h, theta_G[2]) + theta_G[3]


def D(x):
    h = tf.nn.leaky_relu(tf.matmul(x, theta_D[0]) + theta_D[1], alpha=0.2)
    return tf.matmul(h, theta_D[2]) + theta_D[3]


D_solver = v1.train.RMSPropOptimizer(learning_rate=5e-3)
G_solver = v1.train.RMSPropOptimizer(learning_rate=5e-3)
log = []
for it in range(5):
    for _ in range(3):
        t = rng.rand(16, 1)
        X_mb = np.hstack([t, 2 * t + 1]).astype(np.float32)
        z = v1.random_uniform([16, 2], -1.0, 1.0)
        with tf.GradientTape() as tape:
            D_loss = tf.reduce_mean(D(G(z))) - tf.reduce_mean(D(X_mb))
        D_solver.apply_gradients(zip(tape.gradient(D_loss, theta_D), theta_D))
        clip_D = [p.assign(tf.clip_by_value(p, -0.1, 0.1)) for p in theta_D]
    with tf.GradientTape() as tape:
        G_loss = -tf.reduce_mean(D(G(v1.random_uniform([16, 2], -1.0, 1.0))))
    G_solver.apply_gradients(zip(tape.gradient(G_loss, theta_G), theta_G))
    log.append([float(D_loss), float(G_loss)])
largest = max(float(tf.reduce_max(tf.abs(p))) for p in theta_D)
print(json.dumps({"log": log, "largest": largest, "sample": G(tf.ones([1, 2])).numpy().tolist()}))
