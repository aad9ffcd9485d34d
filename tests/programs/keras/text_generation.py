"""Text generation with a recurrent network: subclassed model, tf.data windows, sampling."""

import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(21)
text = "shall i compare thee to a summer's day? thou art more lovely and more temperate. " * 3
vocab = sorted(set(text))
ids = np.array([vocab.index(c) for c in text])
SEQUENCE, BATCH = 10, 4


def split_input_target(sequence):
    return sequence[:-1], sequence[1:]


dataset = (
    tf.data.Dataset.from_tensor_slices(ids)
    .batch(SEQUENCE + 1, drop_remainder=True)
    .map(split_input_target)
    .batch(BATCH, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)


class MyModel(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim, rnn_units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)
        self.gru = tf.keras.layers.GRU(rnn_units, return_sequences=True, return_state=True)
        self.dense = tf.keras.layers.Dense(vocab_size)

    def call(self, inputs, states=None, return_state=False, training=False):
        x = self.embedding(inputs, training=training)
        if states is None:
            states = self.gru.get_initial_state(tf.shape(x)[0])
        x, states = self.gru(x, initial_state=states, training=training)
        x = self.dense(x, training=training)
        return (x, states) if return_state else x


model = MyModel(len(vocab), 12, 20)
loss_fn = tf.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)
losses = []
for _ in range(2):
    for inputs, targets in dataset:
        with tf.GradientTape() as tape:
            predictions = model(inputs, training=True)
            loss = loss_fn(targets, predictions)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        losses.append(float(loss))

tf.random.set_seed(0)
states, token, written = None, tf.constant([[vocab.index("s")]]), []
for _ in range(8):
    logits, states = model(token, states=states, return_state=True)
    token = tf.random.categorical(logits[:, -1, :] / 0.7, num_samples=1)
    written.append(int(token[0, 0]))
print(json.dumps({"losses": losses, "perplexity": float(np.exp(losses[-1])), "written": written}))
