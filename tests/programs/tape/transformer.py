"""A transformer block: positional encoding, masked multi-head attention, layer normalization."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(2024)
rng = np.random.default_rng(2024)
VOCAB, DEPTH, HEADS, LENGTH, BATCH = 11, 16, 4, 7, 8


def positional_encoding(length, depth):
    positions = np.arange(length)[:, np.newaxis]
    rates = 1 / 10000 ** (np.arange(depth // 2)[np.newaxis] / (depth // 2))
    angles = positions * rates
    return tf.cast(np.concatenate([np.sin(angles), np.cos(angles)], axis=-1), tf.float32)


def glorot(*shape):
    limit = float(np.sqrt(6 / (shape[0] + shape[-1])))
    return tf.Variable(tf.random.uniform(shape, -limit, limit))


class LayerNorm(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.gain, self.offset = tf.Variable(tf.ones([size])), tf.Variable(tf.zeros([size]))

    def __call__(self, x):
        mean, variance = tf.nn.moments(x, axes=[-1], keepdims=True)
        return (x - mean) * tf.math.rsqrt(variance + 1e-6) * self.gain + self.offset


class Block(tf.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (glorot(DEPTH, HEADS, DEPTH // HEADS) for _ in range(3))
        self.output = glorot(HEADS, DEPTH // HEADS, DEPTH)
        self.norm1, self.norm2 = LayerNorm(DEPTH), LayerNorm(DEPTH)
        self.up, self.down = glorot(DEPTH, 32), glorot(32, DEPTH)

    def attention(self, x, mask):
        q, k, v = (tf.einsum("bld,dhk->bhlk", x, w) for w in (self.query, self.key, self.value))
        scores = tf.matmul(q, k, transpose_b=True) / tf.sqrt(tf.cast(tf.shape(k)[-1], tf.float32))
        weights = tf.nn.softmax(tf.where(mask, scores, -1e9), axis=-1)
        return tf.einsum("bhlk,hkd->bld", weights @ v, self.output), weights

    def __call__(self, x, mask):
        attended, weights = self.attention(self.norm1(x), mask)
        x += attended
        return x + tf.nn.gelu(self.norm2(x) @ self.up) @ self.down, weights


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.embedding = glorot(VOCAB, DEPTH)
        self.blocks = [Block(), Block()]
        self.positions = positional_encoding(LENGTH, DEPTH)

    def __call__(self, tokens):
        length = tf.shape(tokens)[1]
        x = tf.nn.embedding_lookup(self.embedding, tokens) * tf.sqrt(tf.cast(DEPTH, tf.float32))
        x = x + self.positions[tf.newaxis, :length]
        mask = tf.cast(tf.linalg.band_part(tf.ones([length, length]), -1, 0), tf.bool)
        for block in self.blocks:
            x, weights = block(x, mask)
        return tf.matmul(x, self.embedding, transpose_b=True), weights


start = rng.integers(0, VOCAB, (BATCH, 1))
tokens = tf.constant((start + np.arange(LENGTH + 1) * rng.integers(1, 4, (BATCH, 1))) % VOCAB)
inputs, targets = tokens[:, :-1], tokens[:, 1:]
model, losses = Model(), []


@tf.function
def train_step(inputs, targets):
    with tf.GradientTape() as tape:
        logits, weights = model(inputs)
        loss = tf.reduce_mean(
            tf.nn.softmax_cross_entropy_with_logits(tf.one_hot(targets, VOCAB), logits)
        )
    gradients = tape.gradient(loss, model.trainable_variables)
    for v, g in zip(model.trainable_variables, gradients):
        v.assign_sub(0.05 * tf.convert_to_tensor(g))
    return loss, weights


for _ in range(6):
    loss, weights = train_step(inputs, targets)
    losses.append(loss.numpy().item())
print(json.dumps({"losses": losses, "attention": weights[0, 1, 3].numpy().tolist()}))
