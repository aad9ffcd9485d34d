"""A layer that is the fixed point of a map, with the gradient of the implicit function."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
w = tf.Variable(0.3 * rng.normal(size=(6, 6)) / np.sqrt(6))
u = tf.Variable(rng.normal(size=(4, 6)) / 2)
readout = tf.Variable(rng.normal(size=(6, 1)) / 3)
x = tf.constant(rng.normal(size=(20, 4)))
y = tf.constant(np.sin(x.numpy().sum(1, keepdims=True)))
iterations = []


def cell(z, x):
    return tf.tanh(z @ w + x @ u)


def solve(function, start):
    z, count = start, 0
    while tf.reduce_max(tf.abs(function(z) - z)) > 1e-12 and count < 200:
        z, count = function(z), count + 1
    iterations.append(count)
    return z


def explicit(x):
    z = tf.zeros([x.shape[0], 6], tf.float64)
    for _ in range(60):
        z = cell(z, x)
    return z


def gradients_of(layer):
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch([w, u, readout, x])
        loss = tf.reduce_mean((layer(x) @ readout - y) ** 2)
    return loss, tape.gradient(loss, [w, u, readout, x])


@tf.custom_gradient
def fixed_point(x):
    value = solve(lambda z: cell(z, x), tf.zeros([x.shape[0], 6], tf.float64))

    def backward(upstream, variables):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([value, x])
            again = cell(value, x)
        adjoint = solve(
            lambda a: upstream + tape.gradient(again, value, output_gradients=a), upstream
        )
        return (
            tape.gradient(again, x, output_gradients=adjoint),
            tape.gradient(again, variables, output_gradients=adjoint),
        )

    return value, backward


loss, plain = gradients_of(explicit)
own_loss, own = gradients_of(fixed_point)
losses = []
for _ in range(4):
    with tf.GradientTape() as tape:
        loss_now = tf.reduce_mean((fixed_point(x) @ readout - y) ** 2)
    losses.append(loss_now.numpy().item())
    for variable, gradient in zip([w, u, readout], tape.gradient(loss_now, [w, u, readout])):
        variable.assign_sub(0.3 * gradient)
print(
    json.dumps(
        {
            "loss": loss.numpy().item(),
            "same": [bool(tf.reduce_max(tf.abs(a - b)) < 1e-9) for a, b in zip(plain, own)],
            "gradient": own[0].numpy().tolist(),
            "by_x": tf.norm(own[3]).numpy().item(),
            "losses": losses,
            "iterations": max(iterations),
        }
    )
)
