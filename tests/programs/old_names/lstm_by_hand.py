"""A char-level LSTM cell, ported from a 1.4 script: split, unstack, clip by global norm."""

import json

import numpy as np
import tensorflow as tf

text = "hello tensorflow one, hello eager two. " * 6
chars = sorted(set(text))
vocab_size = len(chars)
ids = np.array([chars.index(c) for c in text], dtype=np.int32)
seq_length, hidden = 10, 16

np.random.seed(42)
scale = 0.2
Wx = tf.Variable(np.random.randn(vocab_size, 4 * hidden).astype(np.float32) * scale)
Wh = tf.Variable(np.random.randn(hidden, 4 * hidden).astype(np.float32) * scale)
bias = tf.Variable(tf.zeros([4 * hidden]))
Wo = tf.Variable(np.random.randn(hidden, vocab_size).astype(np.float32) * scale)
bo = tf.Variable(tf.zeros([vocab_size]))
theta = [Wx, Wh, bias, Wo, bo]


def step(x, state):
    c, h = state
    gates = tf.nn.embedding_lookup(Wx, x) + tf.matmul(h, Wh) + bias
    i, j, f, o = tf.split(value=gates, num_or_size_splits=4, axis=1)
    c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
    h = tf.tanh(c) * tf.sigmoid(o)
    return c, h


def unrolled(batch, targets):
    state = (tf.zeros([batch.shape[0], hidden]),) * 2
    outputs = []
    for x in tf.unstack(batch, axis=1):
        state = step(x, state)
        outputs.append(state[1])
    logits = tf.tensordot(tf.stack(outputs, axis=1), Wo, [[2], [0]]) + bo
    xent = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
    return tf.reduce_mean(xent)


optimizer = tf.train.RMSPropOptimizer(learning_rate=0.01, decay=0.9, momentum=0.0, epsilon=1e-6)
losses, norms = [], []
for iteration in range(8):
    starts = np.random.randint(0, len(ids) - seq_length - 1, size=4)
    xs = np.stack([ids[s : s + seq_length] for s in starts])
    ys = np.stack([ids[s + 1 : s + seq_length + 1] for s in starts])
    with tf.GradientTape() as tape:
        loss = unrolled(xs, ys)
    grads, norm = tf.clip_by_global_norm(tape.gradient(loss, theta), 0.5)
    optimizer.apply_gradients(zip(grads, theta))
    losses.append(float(loss))
    norms.append(float(norm))
print(json.dumps({"losses": losses, "norms": norms, "perplexity": float(tf.exp(loss))}))
