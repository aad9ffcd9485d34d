"""A physics-informed network for Burgers' equation: second derivatives inside the loss."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
NU = 0.01 / np.pi
sizes = [2, 16, 16, 1]
parameters = []
for inputs, outputs in zip(sizes, sizes[1:]):
    scale = np.sqrt(2 / (inputs + outputs))
    parameters.append(tf.Variable(rng.normal(size=(inputs, outputs)) * scale, dtype=tf.float32))
    parameters.append(tf.Variable(tf.zeros([outputs])))


def network(t, x):
    z = tf.concat([t, x], axis=1)
    for w, b in zip(parameters[:-2:2], parameters[1:-2:2]):
        z = tf.tanh(z @ w + b)
    return z @ parameters[-2] + parameters[-1]


def residual(t, x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([t, x])
        u = network(t, x)
        u_x = tape.gradient(u, x)
    u_t = tape.gradient(u, t)
    u_xx = tape.gradient(u_x, x)
    del tape
    return u_t + u * u_x - NU * u_xx


def column(values):
    return tf.constant(values.reshape(-1, 1), tf.float32)


x_start = rng.uniform(-1, 1, 24)
t_wall, side = rng.uniform(0, 1, 16), rng.choice([-1.0, 1.0], 16)
t_data = column(np.concatenate([np.zeros(24), t_wall]))
x_data = column(np.concatenate([x_start, side]))
u_data = column(np.concatenate([-np.sin(np.pi * x_start), np.zeros(16)]))
t_inside, x_inside = column(rng.uniform(0, 1, 64)), column(rng.uniform(-1, 1, 64))


def loss_function():
    physics = tf.reduce_mean(tf.square(residual(t_inside, x_inside)))
    data = tf.reduce_mean(tf.square(u_data - network(t_data, x_data)))
    return data + physics, physics


moments = [[tf.Variable(tf.zeros_like(p)) for p in parameters] for _ in range(2)]
history = []
for step in range(1, 16):
    with tf.GradientTape() as tape:
        loss, physics = loss_function()
    gradients = tape.gradient(loss, parameters)
    for p, g, m, v in zip(parameters, gradients, *moments):
        m.assign(0.9 * m + 0.1 * g)
        v.assign(0.999 * v + 0.001 * g**2)
        m_hat, v_hat = m / (1 - 0.9**step), v / (1 - 0.999**step)
        p.assign_sub(0.01 * m_hat / (tf.sqrt(v_hat) + 1e-3))
    history.append([loss.numpy().item(), physics.numpy().item()])
u = network(column(np.full(5, 0.5)), column(np.linspace(-0.8, 0.8, 5)))
print(json.dumps({"history": history, "u": u.numpy().ravel().tolist()}))
