"""A functional model with tf.concat, tf.reduce_mean and arithmetic between its layers."""

import json

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense, Embedding, Input
from tensorflow.keras.models import Model

a = Input(shape=(5,), name="numbers")
ids = Input(shape=(3,), dtype="int32", name="ids")
embedded = Embedding(10, 4)(ids)
pooled = tf.reduce_mean(embedded, axis=1)
both = tf.concat([a, pooled], axis=-1)
h = Dense(8, activation="tanh")(both)
gate = tf.nn.sigmoid(Dense(8)(both))
h = gate * h + (1.0 - gate) * tf.square(h)
h = tf.expand_dims(h, 1)
h = tf.squeeze(h, [1])
out = Dense(2)(tf.clip_by_value(h, -0.9, 0.9))
model = Model(inputs=[a, ids], outputs=tf.nn.softmax(out))

rng = np.random.RandomState(8)
model.set_weights([rng.normal(scale=0.5, size=w.shape) for w in model.get_weights()])
numbers = rng.normal(size=(20, 5)).astype("float32")
words = rng.randint(0, 10, (20, 3))
labels = (numbers[:, 0] + (words[:, 0] > 4) > 0.3).astype("int64")
optimizer = tf.keras.optimizers.SGD(0.5)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()
losses = []
for _ in range(6):
    with tf.GradientTape() as tape:
        predicted = model([numbers, words], training=True)
        loss = loss_fn(labels, predicted)
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    losses.append(float(loss))
probabilities = model.predict([numbers[:2], words[:2]], verbose=0)
print(
    json.dumps(
        {
            "losses": losses,
            "probabilities": probabilities.tolist(),
            "parameters": model.count_params(),
            "shape": list(model.output_shape),
        }
    )
)
