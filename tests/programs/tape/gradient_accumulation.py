"""Large batches in small pieces: accumulated gradients equal those of the whole batch."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(27)
x = tf.constant(rng.normal(size=(64, 6)), tf.float32)
y = tf.constant(np.sin(x.numpy().sum(1, keepdims=True)), tf.float32)
MICRO = 16


class Network(tf.Module):
    def __init__(self):
        super().__init__()
        init = np.random.default_rng(1)
        self.w1 = tf.Variable(init.normal(size=(6, 12)) * 0.4, dtype=tf.float32)
        self.w2 = tf.Variable(init.normal(size=(12, 1)) * 0.4, dtype=tf.float32)
        self.scale = tf.Variable(1.0)

    def __call__(self, x):
        return self.scale * (tf.math.softplus(x @ self.w1) @ self.w2)


def gradients_of(model, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.math.squared_difference(model(x), y))
    return loss, tape.gradient(loss, model.trainable_variables)


@tf.function
def accumulate(model, totals, x, y):
    loss, gradients = gradients_of(model, x, y)
    for total, gradient in zip(totals, gradients):
        total.assign_add(gradient)
    return loss


model = Network()
totals = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
averages = [tf.Variable(v) for v in model.trainable_variables]
counter = tf.Variable(0, dtype=tf.int32, trainable=False)
losses, differences, norms = [], [], []
for step in range(10):
    _, whole = gradients_of(model, x, y)
    parts = [
        accumulate(model, totals, x[i : i + MICRO], y[i : i + MICRO]) for i in range(0, 64, MICRO)
    ]
    mean = [t / len(parts) for t in totals]
    differences.append(max(float(tf.reduce_max(tf.abs(a - b))) for a, b in zip(whole, mean)) < 1e-5)
    clipped, norm = tf.clip_by_global_norm(mean, 0.5)
    for v, g, a, t in zip(model.trainable_variables, clipped, averages, totals):
        v.assign_sub(0.2 * g)
        a.assign(0.9 * a + 0.1 * v)  # an exponential moving average
        t.assign(tf.zeros_like(t))
    counter.assign_add(1)
    losses.append(tf.reduce_mean(parts).numpy().item())
    norms.append(norm.numpy().item())
print(
    json.dumps(
        {
            "steps": int(counter),
            "losses": losses,
            "norms": norms,
            "equal": all(differences),
            "averages": [tf.reduce_sum(a).numpy().item() for a in averages],
        }
    )
)
