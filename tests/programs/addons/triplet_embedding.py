"""Embeddings with TripletSemiHardLoss, L2-normalized; then the hard and the lifted variants."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa

rng = np.random.RandomState(4)
labels = np.repeat(np.arange(4), 6)
data = (rng.randn(4, 10)[labels] + 0.8 * rng.randn(24, 10)).astype("float32")
order = rng.permutation(24)
data, labels = data[order], labels[order]

model = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(8, activation="relu", input_shape=(10,)),
        tf.keras.layers.Dense(4, activation=None),
        tf.keras.layers.Lambda(lambda x: tf.math.l2_normalize(x, axis=1)),
    ]
)
model.set_weights([rng.normal(0, 0.4, w.shape) for w in model.get_weights()])
model.compile(optimizer=tf.keras.optimizers.Adam(0.01), loss=tfa.losses.TripletSemiHardLoss())
dataset = tf.data.Dataset.from_tensor_slices((data, labels)).batch(12)
history = model.fit(dataset, epochs=4, verbose=0)

e = model(data)
values = {
    "semi_hard": float(tfa.losses.triplet_semihard_loss(labels, e, margin=0.5)),
    "hard": float(tfa.losses.triplet_hard_loss(labels, e, soft=False)),
    "soft": float(tfa.losses.TripletHardLoss(soft=True)(labels, e)),
    "angular": float(tfa.losses.TripletSemiHardLoss(distance_metric="angular")(labels, e)),
    "npairs": float(
        tfa.losses.npairs_loss(np.arange(6), tf.matmul(e[:6], e[6:12], transpose_b=True))
    ),
    "contrastive": float(
        tf.reduce_mean(
            tfa.losses.contrastive_loss(
                tf.cast(labels[:12] == labels[12:], tf.float32), tf.norm(e[:12] - e[12:], axis=1)
            )
        )
    ),
    "loss": [float(v) for v in history.history["loss"]],
}
with tf.GradientTape() as tape:
    tape.watch(e)
    loss = tfa.losses.triplet_semihard_loss(labels, e)
values["slope"] = float(tf.norm(tape.gradient(loss, e)))
print(json.dumps(values))
