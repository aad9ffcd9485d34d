"""Reptile: a few steps of SGD on a task, then the weights move a part of the way."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
theta = [
    tf.Variable(rng.normal(size=s) * 0.4, dtype=tf.float32) for s in ((1, 16), (16,), (16, 1), (1,))
]


def predict(w, x):
    return tf.nn.tanh(x @ w[0] + w[1]) @ w[2] + w[3]


@tf.function
def inner_step(x, y, w, rate):
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tf.reduce_mean(tf.square(predict(w, x) - y))
    grads = tape.gradient(loss, w)
    return [a - rate * g for a, g in zip(w, grads)], loss


history = []
for outer in range(5):
    amplitude, phase = rng.uniform(0.5, 2), rng.uniform(0, np.pi)
    x = tf.constant(rng.uniform(-3, 3, (12, 1)), tf.float32)
    y = tf.constant(amplitude, tf.float32) * tf.sin(x + np.float32(phase))
    w = [tf.identity(v) for v in theta]
    losses = []
    for _ in range(4):
        w, loss = inner_step(x, y, w, tf.constant(0.05))
        losses.append(float(loss))
    for v, new in zip(theta, w):
        v.assign_add(0.5 * (new - v))
    history.append(losses)
distance = tf.linalg.global_norm([v - n for v, n in zip(theta, w)])
print(json.dumps({"history": history, "distance": float(distance)}))
