"""VQ-VAE: nearest codes, a straight-through estimator, commitment loss, codes moved by averages."""

import json

import numpy as np
import tensorflow as tf

gen = np.random.default_rng(8)
K, D = 6, 3
images = tf.constant(gen.random((12, 8, 8, 1)), tf.float32)


def var(*shape, scale=0.3):
    return tf.Variable(gen.normal(scale=scale, size=shape).astype("float32"))


enc1, enc2 = var(3, 3, 1, 4), var(3, 3, 4, D)
dec1, dec2 = var(3, 3, 4, D), var(3, 3, 1, 4)
codebook = tf.Variable(gen.normal(size=(K, D)).astype("float32"), trainable=False)
ema_count = tf.Variable(tf.ones(K), trainable=False)
ema_sum = tf.Variable(codebook, trainable=False)


def encode(x):
    x = tf.nn.relu(tf.nn.conv2d(x, enc1, 2, "SAME"))
    return tf.nn.conv2d(x, enc2, 1, "SAME")


def decode(z):
    n = tf.shape(z)[0]
    z = tf.nn.relu(tf.nn.conv2d_transpose(z, dec1, [n, 8, 8, 4], 2, "SAME"))
    return tf.nn.conv2d_transpose(z, dec2, [n, 8, 8, 1], 1, "SAME")


def quantize(z):
    flat = tf.reshape(z, [-1, D])
    distances = (
        tf.reduce_sum(flat**2, 1, keepdims=True)
        - 2 * tf.matmul(flat, codebook, transpose_b=True)
        + tf.reduce_sum(codebook**2, 1)
    )
    idx = tf.argmin(distances, 1)
    return flat, idx, tf.reshape(tf.gather(codebook, idx), tf.shape(z))


weights = [enc1, enc2, dec1, dec2]


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        z = encode(x)
        flat, idx, q = quantize(z)
        commitment = 0.25 * tf.reduce_mean((tf.stop_gradient(q) - z) ** 2)
        straight = z + tf.stop_gradient(q - z)
        reconstruction = tf.reduce_mean((decode(straight) - x) ** 2)
        loss = reconstruction + commitment
    for w, g in zip(weights, tape.gradient(loss, weights)):
        w.assign_sub(0.3 * g)
    hot = tf.one_hot(idx, K)
    ema_count.assign(0.9 * ema_count + 0.1 * tf.reduce_sum(hot, 0))
    ema_sum.assign(0.9 * ema_sum + 0.1 * tf.matmul(hot, flat, transpose_a=True))
    codebook.assign(ema_sum / ema_count[:, None])
    usage = tf.reduce_mean(hot, 0)
    return reconstruction, commitment, tf.exp(-tf.reduce_sum(usage * tf.math.log(usage + 1e-10)))


log = [[float(v) for v in train_step(images)] for _ in range(5)]
print(json.dumps({"log": log, "codes": codebook.numpy().tolist()}))
