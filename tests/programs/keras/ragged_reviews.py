"""Reviews of different lengths as ragged tensors, pooled over each review's own words."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.RandomState(4)
WORDS = 40
lengths = rng.randint(1, 12, 96)
reviews = [rng.randint(1, WORDS, n).tolist() for n in lengths]
labels = np.array([float(np.mean(np.array(r) > WORDS / 2) > 0.5) for r in reviews], "float32")

ragged = tf.ragged.constant(reviews)
inputs = keras.Input((None,), ragged=True, dtype="int32")
embedded = keras.layers.Embedding(WORDS, 6, name="words")(inputs)
mean = keras.layers.GlobalAveragePooling1D()(embedded)
highest = keras.layers.GlobalMaxPooling1D()(embedded)
hidden = keras.layers.Dense(8, activation="tanh")(keras.layers.Concatenate()([mean, highest]))
model = keras.Model(inputs, keras.layers.Dense(1, activation="sigmoid")(hidden))
model.set_weights([rng.uniform(-0.5, 0.5, w.shape) for w in model.get_weights()])
model.compile(keras.optimizers.Adam(0.02), "binary_crossentropy", metrics=["accuracy"])

batches = tf.data.Dataset.from_tensor_slices((ragged, labels)).batch(16)
history = model.fit(batches, epochs=3, verbose=0)

# A step of one's own, with functions of keras.ops on the rows.
table = model.get_layer("words").embeddings
scale = tf.Variable(1.5)
with tf.GradientTape() as tape:
    vectors = keras.ops.take(table, ragged[:5], axis=0)
    squares = keras.ops.sum(keras.ops.square(vectors * scale), axis=-1)
    norms = keras.ops.sqrt(squares + 1.0)
    loss = keras.ops.sum(keras.ops.mean(norms, axis=1)) + keras.ops.sum(
        keras.ops.max(norms, axis=1)
    )
gradients = tape.gradient(loss, [table, scale])

results = {
    "loss": history.history["loss"],
    "accuracy": history.history["accuracy"],
    "evaluated": model.evaluate(batches, verbose=0),
    "predicted": model.predict(ragged[:4], verbose=0).ravel().tolist(),
    "called": model(ragged[10:14]).numpy().ravel().tolist(),
    "row losses": norms.to_list(),
    "gradient": [
        float(tf.reduce_sum(tf.abs(tf.convert_to_tensor(gradients[0])))),
        float(gradients[1]),
    ],
}
print(json.dumps(results))
