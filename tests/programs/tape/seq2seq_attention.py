"""Sequence to sequence with additive attention: gated recurrent units, masks, teacher forcing."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(1234)
rng = np.random.default_rng(1234)
VOCAB, UNITS, BATCH, LENGTH = 9, 12, 12, 5
START = 1

lengths = rng.integers(3, LENGTH + 1, BATCH)
source = rng.integers(2, VOCAB, (BATCH, LENGTH))
target = np.zeros_like(source)
for row, n in enumerate(lengths):
    source[row, n:] = 0
    target[row, :n] = source[row, :n][::-1]
source, target = tf.constant(source), tf.constant(target)


def weight(*shape):
    return tf.Variable(tf.random.normal(shape, stddev=1 / np.sqrt(shape[0])))


class GRUCell(tf.Module):
    def __init__(self, inputs, units):
        super().__init__()
        self.kernel = weight(inputs, 3 * units)
        self.recurrent = weight(units, 3 * units)
        self.bias = tf.Variable(tf.zeros([2, 3 * units]))

    def __call__(self, x, h):
        xz, xr, xh = tf.split(x @ self.kernel + self.bias[0], 3, axis=-1)
        hz, hr, hh = tf.split(h @ self.recurrent + self.bias[1], 3, axis=-1)
        z, r = tf.sigmoid(xz + hz), tf.sigmoid(xr + hr)
        return z * h + (1 - z) * tf.tanh(xh + r * hh)


class Translator(tf.Module):
    def __init__(self):
        super().__init__()
        self.embedding = weight(VOCAB, 8)
        self.encoder, self.decoder = GRUCell(8, UNITS), GRUCell(8 + UNITS, UNITS)
        self.w_query, self.w_value = weight(UNITS, UNITS), weight(UNITS, UNITS)
        self.v = weight(UNITS, 1)
        self.out = weight(UNITS, VOCAB)

    def encode(self, tokens):
        h, states = tf.zeros([tokens.shape[0], UNITS]), []
        mask = tf.cast(tokens != 0, tf.float32)
        embedded = tf.unstack(tf.gather(self.embedding, tokens), axis=1)
        for x, m in zip(embedded, tf.unstack(mask, axis=1)):
            h = tf.where(m[:, None] > 0, self.encoder(x, h), h)
            states.append(h)
        return tf.stack(states, axis=1), h, mask

    def attend(self, query, values, mask):
        score = tf.tanh(tf.expand_dims(query @ self.w_query, 1) + values @ self.w_value) @ self.v
        score = tf.squeeze(score, -1) + (1.0 - mask) * -1e9
        weights = tf.nn.softmax(score, axis=1)
        return tf.linalg.matvec(values, weights, transpose_a=True), weights

    def decode(self, token, h, values, mask):
        context, weights = self.attend(h, values, mask)
        h = self.decoder(tf.concat([tf.gather(self.embedding, token), context], -1), h)
        return h @ self.out, h, weights


def loss_function(model):
    values, h, mask = model.encode(source)
    token, total, attention = tf.fill([BATCH], tf.cast(START, source.dtype)), 0.0, []
    for step in range(LENGTH):
        logits, h, weights = model.decode(token, h, values, mask)
        token = target[:, step]
        each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=token, logits=logits)
        total += tf.reduce_sum(each * tf.cast(token != 0, tf.float32))
        attention.append(weights)
    return total / tf.reduce_sum(mask), tf.stack(attention, axis=1)


model = Translator()
losses = []
for _ in range(8):
    with tf.GradientTape() as tape:
        loss, attention = loss_function(model)
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients, norm = tf.clip_by_global_norm(gradients, 5.0)
    for v, g in zip(model.trainable_variables, gradients):
        v.assign_sub(0.5 * tf.convert_to_tensor(g))
    losses.append(loss.numpy().item())
results = {"losses": losses, "norm": norm.numpy().item()}
print(json.dumps(results | {"attention": attention[0, 2].numpy().tolist()}))
