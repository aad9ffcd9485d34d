"""A physics-informed net for the heat equation: nested tapes for u_t and u_xx, then L-BFGS-like."""

import json

import numpy as np
import tensorflow as tf

DTYPE = "float64"
rng = np.random.default_rng(2)


class PINN:
    def __init__(self, layers):
        self.weights, self.biases = [], []
        for n, m in zip(layers[:-1], layers[1:]):
            std = np.sqrt(2 / (n + m))
            self.weights.append(tf.Variable(rng.normal(0, std, (n, m)), dtype=DTYPE))
            self.biases.append(tf.Variable(tf.zeros([1, m], dtype=DTYPE)))
        self.kappa = tf.Variable(0.5, dtype=DTYPE)
        self.variables = self.weights + self.biases + [self.kappa]

    def u(self, x, t):
        h = tf.concat([x, t], 1)
        for w, b in zip(self.weights[:-1], self.biases[:-1]):
            h = tf.tanh(tf.add(tf.matmul(h, w), b))
        return tf.matmul(h, self.weights[-1]) + self.biases[-1]

    @tf.function
    def residual(self, x, t):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape(persistent=True) as inner:
                inner.watch([x, t])
                u = self.u(x, t)
            u_x = inner.gradient(u, x)
            u_t = inner.gradient(u, t)
        u_xx = outer.gradient(u_x, x)
        return u_t - self.kappa * u_xx


pinn = PINN([2, 10, 10, 1])
x0 = rng.uniform(-1, 1, (20, 1))
u0 = np.sin(np.pi * x0)
xf, tfs = (tf.constant(rng.uniform(lo, 1, (30, 1))) for lo in (-1, 0))
m = [tf.zeros_like(v) for v in pinn.variables]
s = [tf.zeros_like(v) for v in pinn.variables]
losses = []
for k in range(1, 9):
    with tf.GradientTape() as tape:
        data_loss = tf.reduce_mean((pinn.u(tf.constant(x0), tf.zeros((20, 1), DTYPE)) - u0) ** 2)
        physics = tf.reduce_mean(pinn.residual(xf, tfs) ** 2)
        loss = data_loss + physics
    for i, (v, g) in enumerate(zip(pinn.variables, tape.gradient(loss, pinn.variables))):
        m[i] = 0.9 * m[i] + 0.1 * g
        s[i] = 0.99 * s[i] + 0.01 * g**2
        v.assign_sub(0.01 * (m[i] / (1 - 0.9**k)) / (tf.sqrt(s[i] / (1 - 0.99**k)) + 1e-8))
    losses.append([float(data_loss), float(physics)])
print(json.dumps({"losses": losses, "kappa": float(pinn.kappa)}))
