"""A click model in the manner of DeepFM: labels in a vector, predictions in a column."""

import json

import numpy as np
import tensorflow as tf
from tensorflow.keras import losses, optimizers

rng = np.random.RandomState(3)
fields, rows, k = 6, 32, 4
ids = rng.randint(0, 10, (rows, fields))
clicks = (ids.sum(1) % 3 == 0).astype("float32")


class FM(tf.keras.Model):
    def __init__(self):
        super(FM, self).__init__()
        self.linear = tf.Variable(rng.randn(10, 1).astype("float32") * 0.1)
        self.factors = tf.Variable(rng.randn(10, k).astype("float32") * 0.1)

    def call(self, x):
        first = tf.reduce_sum(tf.nn.embedding_lookup(self.linear, x), axis=1)
        v = tf.nn.embedding_lookup(self.factors, x)
        square = tf.square(tf.reduce_sum(v, 1)) - tf.reduce_sum(tf.square(v), 1)
        return tf.nn.sigmoid(first + 0.5 * tf.reduce_sum(square, 1, keepdims=True))


model, optimizer, history = FM(), optimizers.SGD(0.05), []
for _ in range(5):
    with tf.GradientTape() as tape:
        predicted = model(ids)
        # (32,) beside (32, 1): every label with every prediction, as Keras 2 took it.
        loss = tf.reduce_mean(losses.binary_crossentropy(clicks, predicted))
    variables = [model.linear, model.factors]
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    history.append(float(loss))
print(json.dumps({"history": history, "last": model(ids).numpy()[:5, 0].tolist()}))
