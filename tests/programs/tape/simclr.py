"""Contrastive learning: two noisy views of each example, normalized temperature cross-entropy."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(30)
rng = np.random.default_rng(30)
base = tf.constant(rng.normal(size=(16, 10)), tf.float32)
w1 = tf.Variable(tf.random.normal([10, 16], stddev=0.3))
w2 = tf.Variable(tf.random.normal([16, 6], stddev=0.3))


def augment(x):
    noise = tf.random.normal(tf.shape(x), stddev=0.2)
    keep = tf.cast(tf.random.uniform(tf.shape(x)) > 0.2, tf.float32)
    return (x + noise) * keep


def embed(x):
    return tf.math.l2_normalize(tf.nn.relu(x @ w1) @ w2, axis=1)


def nt_xent(z1, z2, temperature=0.5):
    z = tf.concat([z1, z2], axis=0)
    n = z1.shape[0]
    similarity = tf.matmul(z, z, transpose_b=True) / temperature
    similarity = tf.linalg.set_diag(similarity, tf.fill([2 * n], -1e9))
    positives = tf.concat([tf.range(n, 2 * n), tf.range(n)], axis=0)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(positives, similarity)
    correct = tf.math.in_top_k(positives, similarity, k=3)
    return tf.reduce_mean(losses), tf.reduce_mean(tf.cast(correct, tf.float32))


losses, hits = [], []
for _ in range(10):
    with tf.GradientTape() as tape:
        loss, hit = nt_xent(embed(augment(base)), embed(augment(base)))
    for v, g in zip((w1, w2), tape.gradient(loss, (w1, w2))):
        v.assign_sub(0.5 * g)
    losses.append(loss.numpy().item())
    hits.append(hit.numpy().item())

# Alignment with a stopped target, as BYOL does it, and its gradient.
with tf.GradientTape() as tape:
    online, target = embed(base), tf.stop_gradient(embed(base + 0.1))
    byol = tf.reduce_mean(2 - 2 * tf.reduce_sum(online * target, axis=-1))
norms = [tf.norm(g).numpy().item() for g in tape.gradient(byol, [w1, w2])]
print(json.dumps({"losses": losses, "hits": hits, "byol": byol.numpy().item(), "norms": norms}))
