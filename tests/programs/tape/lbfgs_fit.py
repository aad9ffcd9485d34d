"""L-BFGS with the two-loop recursion and backtracking, fitting a damped oscillation."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
t = tf.constant(np.linspace(0, 4, 60), tf.float64)
truth = np.array([1.5, 0.6, 4.0, 0.3])


def curve(p):
    return p[0] * tf.exp(-p[1] * t) * tf.cos(p[2] * t + p[3])


data = curve(tf.constant(truth)) + tf.constant(0.02 * rng.normal(size=60))


def value_and_gradient(p):
    with tf.GradientTape() as tape:
        tape.watch(p)
        loss = tf.reduce_sum(tf.square(curve(p) - data))
    return loss, tape.gradient(loss, p)


def two_loop(gradient, history):
    q, alphas = gradient, []
    for s, y in reversed(history):
        alpha = tf.tensordot(s, q, 1) / tf.tensordot(y, s, 1)
        alphas.append(alpha)
        q = q - alpha * y
    if history:
        s, y = history[-1]
        q = q * tf.tensordot(s, y, 1) / tf.tensordot(y, y, 1)
    for (s, y), alpha in zip(history, reversed(alphas)):
        beta = tf.tensordot(y, q, 1) / tf.tensordot(y, s, 1)
        q = q + s * (alpha - beta)
    return q


position = tf.constant([1.0, 0.4, 3.8, 0.1], tf.float64)
loss, gradient = value_and_gradient(position)
history, losses = [], []
for _ in range(18):
    direction = -two_loop(gradient, history)
    slope = tf.tensordot(direction, gradient, 1)
    step = 1.0 if history else 0.01
    while True:
        candidate = position + step * direction
        new_loss, new_gradient = value_and_gradient(candidate)
        if new_loss <= loss + 1e-4 * step * slope or step < 1e-8:
            break
        step *= 0.5
    s, y = candidate - position, new_gradient - gradient
    if tf.tensordot(s, y, 1) > 1e-12:
        history = [*history[-4:], (s, y)]
    position, loss, gradient = candidate, new_loss, new_gradient
    losses.append(loss.numpy().item())
    if tf.norm(gradient) < 1e-7:
        break

with tf.GradientTape() as outer:
    outer.watch(position)
    with tf.GradientTape() as inner:
        inner.watch(position)
        loss = tf.reduce_sum(tf.square(curve(position) - data))
    first = inner.gradient(loss, position)
hessian = outer.jacobian(first, position)
errors = tf.sqrt(tf.linalg.diag_part(tf.linalg.inv(hessian)) * 2 * loss / 56.0)
print(
    json.dumps(
        {
            "losses": losses[:8],
            "parameters": position.numpy().round(9).tolist(),
            "standard_errors": errors.numpy().tolist(),
            "eigenvalues": tf.linalg.eigvalsh(hessian).numpy().tolist(),
        }
    )
)
