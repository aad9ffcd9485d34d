"""Barlow Twins and NT-Xent on the same pair of views; batch statistics through the tape."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(77)
data = rng.normal(size=(16, 12)).astype(np.float32)
w1 = tf.Variable(rng.normal(size=(12, 16)).astype(np.float32) / 4)
w2 = tf.Variable(rng.normal(size=(16, 6)).astype(np.float32) / 4)
gamma, beta = tf.Variable(tf.ones(16)), tf.Variable(tf.zeros(16))
params = [w1, gamma, beta, w2]


def project(x):
    h = x @ w1
    mean, variance = tf.nn.moments(h, [0])
    h = tf.nn.batch_normalization(h, mean, variance, beta, gamma, 1e-3)
    return tf.nn.relu(h) @ w2


def off_diagonal(c):
    return c - tf.linalg.diag(tf.linalg.diag_part(c))


def barlow(a, b, lambd=5e-3):
    def normalize(z):
        return (z - tf.reduce_mean(z, 0)) / tf.math.reduce_std(z, axis=0)

    c = tf.matmul(normalize(a), normalize(b), transpose_a=True) / a.shape[0]
    on = tf.reduce_sum((tf.linalg.diag_part(c) - 1) ** 2)
    return on + lambd * tf.reduce_sum(off_diagonal(c) ** 2)


def nt_xent(a, b, temperature=0.5):
    z = tf.math.l2_normalize(tf.concat([a, b], 0), axis=1)
    n = tf.shape(z)[0]
    logits = tf.matmul(z, z, transpose_b=True) / temperature
    logits = tf.linalg.set_diag(logits, tf.fill([n], -1e9))
    labels = tf.math.floormod(tf.range(n) + n // 2, n)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(loss)


log = []
for step in range(6):
    views = [data + 0.1 * rng.normal(size=data.shape).astype(np.float32) for _ in range(2)]
    with tf.GradientTape(persistent=True) as tape:
        a, b = project(views[0]), project(views[1])
        first, second = barlow(a, b), nt_xent(a, b)
        loss = first if step % 2 == 0 else second
    for p, g in zip(params, tape.gradient(loss, params)):
        p.assign_sub(0.05 * g)
    agreement = sum(
        float(tf.reduce_sum(x * y)) / float(tf.norm(x) * tf.norm(y))
        for x, y in zip(tape.gradient(first, params), tape.gradient(second, params))
    )
    del tape
    log.append([float(first), float(second), agreement])
print(json.dumps({"log": log}))
