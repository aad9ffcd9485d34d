"""A cell of one's own in layers.RNN, Masking, TimeDistributed and Bidirectional with merge_mode."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras


class MinimalRNNCell(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        self.units = units
        self.state_size = units
        super(MinimalRNNCell, self).__init__(**kwargs)

    def build(self, input_shape):
        self.kernel = self.add_weight(
            shape=(input_shape[-1], self.units), initializer="uniform", name="kernel"
        )
        self.recurrent_kernel = self.add_weight(
            shape=(self.units, self.units), initializer="uniform", name="recurrent_kernel"
        )
        self.built = True

    def call(self, inputs, states):
        prev_output = states[0]
        h = tf.matmul(inputs, self.kernel)
        output = tf.tanh(h + tf.matmul(prev_output, self.recurrent_kernel))
        return output, [output]


x_in = keras.Input((None, 3))
x = keras.layers.Masking(mask_value=0.0)(x_in)
x = keras.layers.RNN(MinimalRNNCell(5), return_sequences=True)(x)
x = keras.layers.Bidirectional(keras.layers.GRU(4, return_sequences=True), merge_mode="sum")(x)
x = keras.layers.TimeDistributed(keras.layers.Dense(2))(x)
x = keras.layers.GlobalAveragePooling1D()(x)
model = keras.Model(x_in, x)
rng = np.random.RandomState(40)
model.set_weights([rng.uniform(-0.5, 0.5, w.shape) for w in model.get_weights()])

sequences = [rng.randn(n, 3) for n in (3, 5, 2, 4)]
padded = keras.preprocessing.sequence.pad_sequences(
    sequences, maxlen=5, dtype="float32", padding="post"
)
targets = np.stack([s.mean(0)[:2] for s in sequences]).astype("float32")
model.compile("sgd", "mae")
losses = [float(model.train_on_batch(padded, targets)) for _ in range(4)]
print(json.dumps({"losses": losses, "out": model.predict(padded, verbose=0).tolist()}))
