"""Denoising diffusion on points of a circle: cosine betas, predicted noise, ancestral sampling."""

import json
import math

import numpy as np
import tensorflow as tf

T = 20
tf.random.set_seed(3)
steps = np.arange(T + 1) / T
f = np.cos((steps + 0.008) / 1.008 * math.pi / 2) ** 2
betas = np.clip(1 - f[1:] / f[:-1], 0, 0.999).astype(np.float32)
alphas_cumprod = tf.math.cumprod(1.0 - betas)


def time_embedding(t, dim=8):
    half = dim // 2
    freqs = tf.exp(-math.log(10000.0) * tf.range(half, dtype=tf.float32) / (half - 1))
    args = tf.cast(t, tf.float32)[:, None] * freqs[None]
    return tf.concat([tf.sin(args), tf.cos(args)], axis=-1)


class Denoiser(tf.Module):
    def __init__(self, hidden=24, name=None):
        super().__init__(name=name)
        r = np.random.default_rng(5)
        dims = [(10, hidden), (hidden, hidden), (hidden, 2)]
        self.w = [tf.Variable(r.normal(size=d) / math.sqrt(d[0]), dtype=tf.float32) for d in dims]
        self.b = [tf.Variable(tf.zeros(d[1])) for d in dims]

    @tf.function
    def __call__(self, x, t):
        h = tf.concat([x, time_embedding(t)], -1)
        for i in range(2):
            h = tf.nn.swish(h @ self.w[i] + self.b[i])
        return h @ self.w[2] + self.b[2]


model = Denoiser()
angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
data = tf.constant(np.stack([np.cos(angles), np.sin(angles)], 1), tf.float32)
velocity = [tf.zeros_like(v) for v in model.trainable_variables]
losses = []
for step in range(6):
    t = tf.random.uniform([32], 0, T, dtype=tf.int32)
    noise = tf.random.normal([32, 2])
    a = tf.gather(alphas_cumprod, t)[:, None]
    noisy = tf.sqrt(a) * data + tf.sqrt(1 - a) * noise
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(noise - model(noisy, t)))
    grads, _ = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 1.0)
    for i, (v, g) in enumerate(zip(model.trainable_variables, grads)):
        velocity[i] = 0.8 * velocity[i] + g
        v.assign_sub(0.1 * velocity[i])
    losses.append(float(loss))

x = tf.random.stateless_normal([4, 2], seed=[1, 2])
for t in reversed(range(T)):
    eps = model(x, tf.fill([4], t))
    beta, a = betas[t], alphas_cumprod[t]
    x = (x - beta / tf.sqrt(1 - a) * eps) / tf.sqrt(1.0 - beta)
    if t > 0:
        x += tf.sqrt(beta) * tf.random.stateless_normal([4, 2], seed=[t, 9])
print(json.dumps({"losses": losses, "samples": x.numpy().tolist()}))
