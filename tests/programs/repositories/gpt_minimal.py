"""A decoder-only transformer in tf.Module: causal mask, tied embeddings, warm-up, sampling."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(100)
text = "to be or not to be that is the question "
vocab = sorted(set(text))
stoi = {c: i for i, c in enumerate(vocab)}
ids = np.array([stoi[c] for c in text], np.int32)
V, D, HEADS, T = len(vocab), 12, 3, 8


def param(*shape):
    return tf.Variable(rng.normal(scale=0.1, size=shape).astype(np.float32))


class LayerNorm(tf.Module):
    def __init__(self):
        self.g, self.b = tf.Variable(tf.ones(D)), tf.Variable(tf.zeros(D))

    def __call__(self, x):
        mean, var = tf.nn.moments(x, -1, keepdims=True)
        return (x - mean) * tf.math.rsqrt(var + 1e-5) * self.g + self.b


class Block(tf.Module):
    def __init__(self):
        self.ln1, self.ln2 = LayerNorm(), LayerNorm()
        self.qkv, self.proj = param(D, 3 * D), param(D, D)
        self.up, self.down = param(D, 4 * D), param(4 * D, D)

    def attention(self, x):
        b, t = x.shape[0], x.shape[1]
        q, k, v = tf.split(x @ self.qkv, 3, -1)
        q, k, v = (
            tf.transpose(tf.reshape(z, [b, t, HEADS, D // HEADS]), [0, 2, 1, 3]) for z in (q, k, v)
        )
        scores = tf.einsum("bhqd,bhkd->bhqk", q, k) / (D // HEADS) ** 0.5
        mask = tf.linalg.band_part(tf.ones([t, t], tf.bool), -1, 0)
        weights = tf.nn.softmax(tf.where(mask, scores, -np.inf))
        out = tf.transpose(weights @ v, [0, 2, 1, 3])
        return tf.reshape(out, [b, t, D]) @ self.proj

    def __call__(self, x):
        x = x + self.attention(self.ln1(x))
        return x + tf.nn.gelu(self.ln2(x) @ self.up, approximate=True) @ self.down


class GPT(tf.Module):
    def __init__(self):
        self.wte, self.wpe = param(V, D), param(T, D)
        self.blocks = [Block() for _ in range(2)]
        self.ln = LayerNorm()

    def __call__(self, idx):
        x = tf.gather(self.wte, idx) + self.wpe[: idx.shape[1]]
        for block in self.blocks:
            x = block(x)
        return tf.matmul(self.ln(x), self.wte, transpose_b=True)


model = GPT()
variables = model.trainable_variables
losses = []
for step in range(6):
    at = rng.integers(0, len(ids) - T - 1, 4)
    x, y = np.stack([ids[i : i + T] for i in at]), np.stack([ids[i + 1 : i + T + 1] for i in at])
    with tf.GradientTape() as tape:
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(y, model(x))
        loss = tf.reduce_mean(ce)
    rate = 0.3 * min(1.0, (step + 1) / 3)
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(rate * tf.convert_to_tensor(g))
    losses.append(float(loss))
out = [stoi["t"]]
for _ in range(6):
    out.append(int(tf.argmax(model(np.array([out[-T:]], np.int32))[0, -1])))
print(json.dumps({"losses": losses, "text": "".join(vocab[i] for i in out), "n": len(variables)}))
