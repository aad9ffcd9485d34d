"""A denoising diffusion model of points on a spiral: noise schedule, loss, ancestral sampling."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(48)
seeds = tf.random.Generator.from_seed(48)
STEPS = 12
angle = rng.uniform(0.5, 3.0, 128)[:, None] * np.pi
spiral = np.concatenate([angle * np.cos(angle), angle * np.sin(angle)], 1) / 6
data = tf.constant(spiral, tf.float32)
betas = tf.linspace(1e-3, 0.3, STEPS)
alphas = 1.0 - betas
cumulative = tf.math.cumprod(alphas)


def glorot(n, m):
    limit = float(np.sqrt(6 / (n + m)))
    return tf.Variable(tf.random.stateless_uniform([n, m], [n, m], -limit, limit))


parameters = [glorot(10, 32), tf.Variable(tf.zeros([32])), glorot(32, 32), glorot(32, 2)]


def time_features(t):
    frequencies = tf.exp(tf.linspace(0.0, tf.math.log(10.0), 4))
    angles = tf.cast(t, tf.float32)[:, None] / STEPS * frequencies
    return tf.concat([tf.sin(angles), tf.cos(angles)], axis=-1)


def predict_noise(x, t):
    w1, b1, w2, w3 = parameters
    hidden = tf.nn.silu(tf.concat([x, time_features(t)], axis=1) @ w1 + b1)
    hidden = hidden + tf.nn.silu(hidden @ w2)
    return hidden @ w3


def loss_function(x):
    t = seeds.uniform([x.shape[0]], minval=0, maxval=STEPS, dtype=tf.int32)
    noise = seeds.normal(x.shape)
    level = tf.gather(cumulative, t)[:, None]
    noisy = tf.sqrt(level) * x + tf.sqrt(1.0 - level) * noise
    return tf.reduce_mean(tf.square(noise - predict_noise(noisy, t)))


losses = []
for step in range(12):
    with tf.GradientTape() as tape:
        loss = loss_function(data[step % 2 * 64 : step % 2 * 64 + 64])
    for v, g in zip(parameters, tape.gradient(loss, parameters)):
        v.assign_sub(0.1 * g)
    losses.append(loss.numpy().item())

x = tf.random.stateless_normal([3, 2], seed=[7, 8])
for t in reversed(range(STEPS)):
    noise = predict_noise(x, tf.fill([3], t))
    x = (x - betas[t] / tf.sqrt(1.0 - cumulative[t]) * noise) / tf.sqrt(alphas[t])
    if t > 0:
        x += tf.sqrt(betas[t]) * tf.random.stateless_normal([3, 2], seed=[t, 9])

# The score of the model at a point, and its divergence.
point = tf.constant([[0.4, -0.2]])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(point)
    score = -predict_noise(point, tf.constant([3])) / tf.sqrt(1.0 - cumulative[3])
    parts = tf.unstack(score[0])
divergence = sum(tape.gradient(part, point)[0, i] for i, part in enumerate(parts))
print(
    json.dumps(
        {
            "losses": losses,
            "samples": x.numpy().tolist(),
            "score": score.numpy().tolist(),
            "divergence": divergence.numpy().item(),
        }
    )
)
