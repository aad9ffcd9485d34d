"""Truncated Newton: Hessian-vector products forward over reverse, solved by conjugate gradients."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(90)
x = tf.constant(rng.normal(size=(50, 6)))
y = tf.constant((x.numpy() @ rng.normal(size=6) + 0.5 * rng.normal(size=50) > 0).astype(float))
w = tf.Variable(tf.zeros([6], tf.float64))


def loss_function():
    logits = tf.linalg.matvec(x, w)
    fit = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    return fit + 0.01 * tf.nn.l2_loss(w)


def hessian_vector(vector):
    with tf.autodiff.ForwardAccumulator(w, vector) as accumulator:
        with tf.GradientTape() as tape:
            loss = loss_function()
        gradient = tape.gradient(loss, w)
    return accumulator.jvp(gradient)


def back_over_back(vector):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = loss_function()
        gradient = inner.gradient(loss, w)
        product = tf.reduce_sum(gradient * vector)
    return outer.gradient(product, w)


def conjugate_gradients(apply, b, steps):
    solution = tf.zeros_like(b)
    residual = direction = b
    for _ in range(steps):
        applied = apply(direction)
        squared = tf.tensordot(residual, residual, 1)
        rate = squared / tf.tensordot(direction, applied, 1)
        solution += rate * direction
        residual = residual - rate * applied
        direction = residual + tf.tensordot(residual, residual, 1) / squared * direction
    return solution


losses, norms = [], []
for _ in range(5):
    with tf.GradientTape() as tape:
        loss = loss_function()
    gradient = tape.gradient(loss, w)
    losses.append(loss.numpy().item())
    norms.append(tf.norm(gradient).numpy().item())
    w.assign_sub(conjugate_gradients(hessian_vector, gradient, 6))

probe = tf.constant(rng.normal(size=6))
difference = tf.reduce_max(tf.abs(hessian_vector(probe) - back_over_back(probe)))

# A directional derivative without a tape, and a Taylor coefficient from nested accumulators.
primal, ones = tf.constant([0.3, 0.7]), tf.ones([2])
with tf.autodiff.ForwardAccumulator(primal, ones) as outer:
    with tf.autodiff.ForwardAccumulator(primal, ones) as inner:
        value = tf.reduce_sum(tf.exp(primal) * tf.sin(primal))
    first = inner.jvp(value)
second = outer.jvp(first)
print(
    json.dumps(
        {
            "losses": losses,
            "norms": norms[:3],
            "product": hessian_vector(probe).numpy().tolist(),
            "same": bool(difference < 1e-12),
            "derivatives": [first.numpy().item(), second.numpy().item()],
        }
    )
)
