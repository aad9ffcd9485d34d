"""Seq2seq with GRU cells in tf.function: attention, teacher forcing by a mask, beam search."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(22)
V, E, H, START = 7, 6, 8, 0
source = rng.integers(1, V, (5, 4)).astype(np.int32)
target = source[:, ::-1].copy()


class GRUCell(tf.Module):
    def __init__(self, n, name=None):
        super().__init__(name)
        self.gates = tf.Variable(rng.normal(size=(n + H, 2 * H)) * 0.3, dtype=tf.float32)
        self.cand = tf.Variable(rng.normal(size=(n + H, H)) * 0.3, dtype=tf.float32)

    def __call__(self, x, h):
        r, z = tf.split(tf.sigmoid(tf.concat([x, h], 1) @ self.gates), 2, 1)
        c = tf.tanh(tf.concat([x, r * h], 1) @ self.cand)
        return z * h + (1 - z) * c


class Seq2Seq(tf.Module):
    def __init__(self):
        super().__init__()
        self.embedding = tf.Variable(rng.normal(size=(V, E)) * 0.5, dtype=tf.float32)
        self.encoder, self.decoder = GRUCell(E), GRUCell(E + H)
        self.out = tf.Variable(rng.normal(size=(H, V)) * 0.5, dtype=tf.float32)

    def encode(self, ids):
        x = tf.nn.embedding_lookup(self.embedding, ids)
        h = tf.zeros([x.shape[0], H])
        states = tf.TensorArray(tf.float32, size=x.shape[1])
        for t in tf.range(x.shape[1]):
            h = self.encoder(x[:, t], h)
            states = states.write(t, h)
        return tf.transpose(states.stack(), [1, 0, 2]), h

    def step(self, token, h, memory):
        weights = tf.nn.softmax(tf.einsum("bh,bth->bt", h, memory))
        context = tf.einsum("bt,bth->bh", weights, memory)
        h = self.decoder(tf.concat([tf.gather(self.embedding, token), context], 1), h)
        return h @ self.out, h


model = Seq2Seq()


@tf.function
def train_step(ids, labels, forced):
    with tf.GradientTape() as tape:
        memory, h = model.encode(ids)
        token = tf.fill([ids.shape[0]], START)
        loss = 0.0
        for t in tf.range(labels.shape[1]):
            logits, h = model.step(token, h, memory)
            loss += tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels[:, t], logits)
            )
            best = tf.argmax(logits, 1, output_type=tf.int32)
            token = tf.where(forced[t], labels[:, t], best)
    gradients = [tf.convert_to_tensor(g) for g in tape.gradient(loss, model.trainable_variables)]
    gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
    for v, g in zip(model.trainable_variables, gradients):
        v.assign_sub(0.5 * g)
    return loss, norm


log = []
for i in range(5):
    forced = tf.constant(rng.random(4) < 0.8)
    log.append([float(v) for v in train_step(tf.constant(source), tf.constant(target), forced)])

memory, h = model.encode(tf.constant(source[:1]))
beams = [(0.0, [START], h)]
for _ in range(4):
    grown = []
    for score, tokens, state in beams:
        logits, new = model.step(tf.constant([tokens[-1]]), state, memory)
        values, ids = tf.math.top_k(tf.nn.log_softmax(logits)[0], 2)
        for value, i in zip(values.numpy(), ids.numpy()):
            grown.append((score + float(value), [*tokens, int(i)], new))
    beams = sorted(grown, key=lambda b: -b[0])[:2]
print(json.dumps({"log": log, "beams": [b[1] for b in beams], "scores": [b[0] for b in beams]}))
