"""Dynamic routing between capsules: squash, agreement, margin loss."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(3)
N_IN, D_IN, N_OUT, D_OUT, ROUTINGS = 8, 4, 3, 5, 3
images = tf.constant(rng.rand(10, N_IN, D_IN), dtype=tf.float32)
labels = rng.randint(0, N_OUT, 10)
T = tf.one_hot(labels, N_OUT)
W = tf.Variable(rng.normal(scale=0.4, size=(1, N_IN, N_OUT, D_OUT, D_IN)).astype("float32"))
decoder = tf.Variable(rng.normal(scale=0.2, size=(N_OUT * D_OUT, N_IN * D_IN)).astype("float32"))


def squash(s, axis=-1):
    squared = tf.reduce_sum(tf.square(s), axis=axis, keepdims=True)
    return squared / (1.0 + squared) * s / tf.sqrt(squared + 1e-7)


def capsules(x):
    tiled = tf.tile(x[:, :, None, :, None], [1, 1, N_OUT, 1, 1])
    u_hat = tf.squeeze(tf.matmul(tf.tile(W, [x.shape[0], 1, 1, 1, 1]), tiled), axis=-1)
    b = tf.zeros(u_hat.shape[:-1])
    for i in range(ROUTINGS):
        c = tf.nn.softmax(b, axis=2)
        routed = u_hat if i == ROUTINGS - 1 else tf.stop_gradient(u_hat)
        v = squash(tf.reduce_sum(c[..., None] * routed, axis=1, keepdims=True))
        if i < ROUTINGS - 1:
            b += tf.reduce_sum(routed * v, axis=-1)
    return tf.squeeze(v, axis=1)


def margin_loss(v):
    length = tf.norm(v, axis=-1)
    present = T * tf.square(tf.maximum(0.0, 0.9 - length))
    absent = 0.5 * (1.0 - T) * tf.square(tf.maximum(0.0, length - 0.1))
    return tf.reduce_mean(tf.reduce_sum(present + absent, axis=1))


losses = []
for _ in range(6):
    with tf.GradientTape() as tape:
        v = capsules(images)
        masked = tf.reshape(v * T[..., None], [10, -1])
        rebuilt = tf.nn.sigmoid(masked @ decoder)
        reconstruction = tf.reduce_mean(tf.square(rebuilt - tf.reshape(images, [10, -1])))
        loss = margin_loss(v) + 0.1 * reconstruction
    gW, gD = tape.gradient(loss, [W, decoder])
    W.assign_sub(1.0 * gW)
    decoder.assign_sub(1.0 * gD)
    losses.append(float(loss))
accuracy = np.mean(tf.argmax(tf.norm(v, axis=-1), 1).numpy() == labels)
print(json.dumps({"losses": losses, "accuracy": float(accuracy), "v": v[0].numpy().tolist()}))
