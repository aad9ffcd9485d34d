"""A normalizing flow with affine coupling layers (RealNVP), trained by maximum likelihood."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(77)
rng = np.random.default_rng(77)
angle = rng.uniform(0, np.pi, 128)
moons = np.stack([np.cos(angle), np.sin(angle)], 1) + 0.08 * rng.normal(size=(128, 2))
data = tf.constant((moons - moons.mean(0)) / moons.std(0), tf.float32)


class Coupling(tf.Module):
    def __init__(self, mask, units=16):
        super().__init__()
        self.mask = tf.constant(mask, tf.float32)
        self.w1 = tf.Variable(tf.random.normal([2, units], stddev=0.5))
        self.b1 = tf.Variable(tf.zeros([units]))
        self.ws = tf.Variable(tf.random.normal([units, 2], stddev=0.1))
        self.wt = tf.Variable(tf.random.normal([units, 2], stddev=0.1))

    def scale_and_shift(self, x):
        hidden = tf.nn.relu(x * self.mask @ self.w1 + self.b1)
        free = 1.0 - self.mask
        return tf.tanh(hidden @ self.ws) * free, hidden @ self.wt * free

    def forward(self, x):
        s, t = self.scale_and_shift(x)
        return x * tf.exp(s) + t, tf.reduce_sum(s, axis=1)

    def inverse(self, y):
        s, t = self.scale_and_shift(y)
        return (y - t) * tf.exp(-s)


class Flow(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Coupling([i % 2, 1 - i % 2]) for i in range(4)]

    def log_prob(self, x):
        total = tf.zeros([x.shape[0]])
        for layer in self.layers:
            x, log_det = layer.forward(x)
            total += log_det
        return total - 0.5 * tf.reduce_sum(x**2, axis=1) - np.log(2 * np.pi)

    def sample(self, z):
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


flow = Flow()
losses = []
for _ in range(15):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(flow.log_prob(data))
    gradients = tape.gradient(loss, flow.trainable_variables)
    for v, g in zip(flow.trainable_variables, gradients):
        v.assign_sub(0.05 * g)
    losses.append(loss.numpy().item())

# The log-determinant against the true Jacobian, and the inverse against the data.
points = data[:4]
with tf.GradientTape() as tape:
    tape.watch(points)
    mapped, log_det = flow.layers[0].forward(points)
jacobian = tape.batch_jacobian(mapped, points)
log_abs = tf.math.log(tf.abs(tf.linalg.det(jacobian)))
x = data
for layer in flow.layers:
    x, _ = layer.forward(x)
back = tf.reduce_max(tf.abs(flow.sample(x) - data))
print(
    json.dumps(
        {
            "losses": losses,
            "log_det": log_det.numpy().tolist(),
            "exact": bool(tf.reduce_max(tf.abs(log_abs - log_det)) < 1e-5),
            "invertible": bool(back < 1e-4),
            "samples": flow.sample(tf.constant([[0.0, 0.0], [1.0, -1.0]])).numpy().tolist(),
        }
    )
)
