"""Model-agnostic meta-learning of sine waves: gradients through an inner gradient step."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
INNER_RATE, META_RATE = 0.05, 0.02
shapes = [(1, 20), (20,), (20, 20), (20,), (20, 1), (1,)]
start = [rng.normal(size=s) / np.sqrt(s[0]) if len(s) == 2 else np.zeros(s) for s in shapes]
meta = [tf.Variable(value, dtype=tf.float32) for value in start]


def forward(weights, x):
    w1, b1, w2, b2, w3, b3 = weights
    x = tf.nn.tanh(x @ w1 + b1)
    x = tf.nn.tanh(x @ w2 + b2)
    return x @ w3 + b3


def mse(weights, x, y):
    return tf.reduce_mean((forward(weights, x) - y) ** 2)


def sample_task():
    amplitude, phase = rng.uniform(0.5, 2.0), rng.uniform(0, np.pi)
    x = rng.uniform(-3, 3, (2, 10, 1))
    y = amplitude * np.sin(x + phase)
    return [tf.constant(v, tf.float32) for v in (x[0], y[0], x[1], y[1])]


def adapt(weights, x, y, steps):
    for _ in range(steps):
        with tf.GradientTape() as tape:
            tape.watch(weights)
            loss = mse(weights, x, y)
        gradients = tape.gradient(loss, weights)
        weights = [w - INNER_RATE * g for w, g in zip(weights, gradients)]
    return weights


history = []
for iteration in range(6):
    with tf.GradientTape() as outer:
        losses = []
        for _ in range(3):
            x_support, y_support, x_query, y_query = sample_task()
            fast = adapt([tf.convert_to_tensor(w) for w in meta], x_support, y_support, steps=2)
            losses.append(mse(fast, x_query, y_query))
        meta_loss = tf.add_n(losses) / len(losses)
    gradients = outer.gradient(meta_loss, meta)
    for w, g in zip(meta, gradients):
        w.assign_sub(META_RATE * g)
    history.append([meta_loss.numpy().item(), tf.linalg.global_norm(gradients).numpy().item()])

x_support, y_support, x_query, y_query = sample_task()
before = mse(meta, x_query, y_query)
after = mse(adapt(list(meta), x_support, y_support, steps=5), x_query, y_query)
print(
    json.dumps({"history": history, "before": before.numpy().item(), "after": after.numpy().item()})
)
