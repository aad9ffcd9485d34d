"""A character language model with an LSTM cell of its own; truncated windows, then sampling."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(100)
text = "first citizen: before we proceed any further, hear me speak. all: speak, speak. " * 4
vocab = sorted(set(text))
ids = tf.constant([vocab.index(c) for c in text])
UNITS, WINDOW, BATCH = 24, 12, 8


class LSTM(tf.Module):
    def __init__(self, inputs, units, name=None):
        super().__init__(name=name)
        limit = np.sqrt(6 / (inputs + units)).astype(np.float32)
        self.kernel = tf.Variable(tf.random.uniform([inputs, 4 * units], -limit, limit))
        self.recurrent = tf.Variable(tf.linalg.qr(tf.random.normal([4 * units, units]))[0])
        forget = tf.one_hot([0, 1, 0, 0], 2)[:, 1]
        self.bias = tf.Variable(tf.repeat(forget, units))

    def __call__(self, x, state):
        h, c = state
        gates = x @ self.kernel + tf.matmul(h, self.recurrent, transpose_b=True) + self.bias
        i, f, g, o = tf.split(gates, 4, axis=-1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        return tf.sigmoid(o) * tf.tanh(c), (tf.sigmoid(o) * tf.tanh(c), c)


class Model(tf.Module):
    def __init__(self):
        super().__init__(name="model")
        self.embedding = tf.Variable(tf.random.uniform([len(vocab), 10], -0.1, 0.1))
        self.cell = LSTM(10, UNITS)
        self.dense = tf.Variable(tf.random.normal([UNITS, len(vocab)], stddev=0.2))

    def start(self, batch):
        return tf.zeros([batch, UNITS]), tf.zeros([batch, UNITS])

    def __call__(self, tokens, state):
        outputs = []
        for x in tf.unstack(tf.nn.embedding_lookup(self.embedding, tokens), axis=1):
            h, state = self.cell(x, state)
            outputs.append(h)
        return tf.stack(outputs, axis=1) @ self.dense, state


model = Model()
velocities = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]


@tf.function
def train_step(tokens, targets, h, c):
    with tf.GradientTape() as tape:
        logits, state = model(tokens, (h, c))
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
        )
    gradients = tape.gradient(loss, model.trainable_variables)
    for v, m, g in zip(model.trainable_variables, velocities, gradients):
        m.assign(0.8 * m + tf.convert_to_tensor(g))
        v.assign_sub(0.5 * m)
    return loss, state


usable = (len(text) - 1) // BATCH * BATCH
inputs = tf.reshape(ids[:usable], [BATCH, -1])
targets = tf.reshape(ids[1 : usable + 1], [BATCH, -1])
state, losses = model.start(BATCH), []
for begin in range(0, inputs.shape[1] - WINDOW, WINDOW):
    window = slice(begin, begin + WINDOW)
    loss, state = train_step(inputs[:, window], targets[:, window], *state)
    losses.append(loss.numpy().item())

token, state, written = tf.constant([[0]]), model.start(1), []
for _ in range(12):
    logits, state = model(token, state)
    token = tf.random.categorical(logits[:, -1] / 0.8, num_samples=1, dtype=tf.int32)
    written.append(int(token[0, 0]))
print(json.dumps({"vocabulary": len(vocab), "losses": losses, "written": written}))
