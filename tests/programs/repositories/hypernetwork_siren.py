"""SIREN with weights from a hypernetwork; the image's gradient is fitted, so slopes of slopes."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(55)
side = np.linspace(-1, 1, 6)
coords = tf.constant(np.stack(np.meshgrid(side, side), -1).reshape(-1, 2), tf.float32)
target = tf.stack([2 * coords[:, 0], -tf.sin(coords[:, 1])], 1)
shapes = [(2, 8), (8,), (8, 8), (8,), (8, 1), (1,)]
total = sum(int(np.prod(s)) for s in shapes)
code = tf.Variable(rng.normal(size=(1, 4)), dtype=tf.float32)
hyper = tf.Variable(rng.uniform(-0.3, 0.3, (4, total)), dtype=tf.float32)


def siren(x, flat):
    weights, at = [], 0
    for s in shapes:
        n = int(np.prod(s))
        weights.append(tf.reshape(flat[at : at + n], s))
        at += n
    h = tf.sin(3.0 * (x @ weights[0] + weights[1]))
    h = tf.sin(h @ weights[2] + weights[3])
    return h @ weights[4] + weights[5]


def loss_fn():
    flat = tf.squeeze(code @ hyper, 0)
    with tf.GradientTape() as inner:
        inner.watch(coords)
        out = siren(coords, flat)
    slope = inner.gradient(out, coords)
    return tf.reduce_mean(tf.reduce_sum((slope - target) ** 2, -1)) + 1e-3 * tf.nn.l2_loss(code)


log = []
for _ in range(8):
    with tf.GradientTape() as tape:
        loss = loss_fn()
    g_code, g_hyper = tape.gradient(loss, [code, hyper])
    code.assign_sub(0.002 * g_code)
    hyper.assign_sub(0.002 * g_hyper)
    log.append(float(loss))
with tf.GradientTape() as tape:
    tape.watch(coords)
    y = siren(coords[:3], tf.squeeze(code @ hyper, 0))
print(json.dumps({"log": log, "y": y.numpy().ravel().tolist(), "code": code.numpy().tolist()}))
