"""An agent that copies its network into a target by files of weights: .h5, and checkpoints."""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(11)


def build():
    model = tf.keras.Sequential()
    model.add(tf.keras.layers.Dense(8, activation="relu", input_dim=4))
    model.add(tf.keras.layers.BatchNormalization())
    model.add(tf.keras.layers.Dense(2))
    model.set_weights([rng.rand(*w.shape) for w in model.get_weights()])
    return model


folder = tempfile.mkdtemp()
online, target, third = build(), build(), build()
states = rng.randn(5, 4).astype("float32")
before = target(states).numpy()

online.save_weights(os.path.join(folder, "dqn.h5"))
target.load_weights(os.path.join(folder, "dqn.h5"))
copied = target(states).numpy()

optimizer = tf.keras.optimizers.SGD(0.01)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(online(states, training=True) - before))
    gradients = tape.gradient(loss, online.trainable_variables)
    optimizer.apply_gradients(zip(gradients, online.trainable_variables))
    online.save_weights(os.path.join(folder, "step%d.ckpt" % step))

third.load_weights(tf.train.latest_checkpoint(folder))
target.load_weights(os.path.join(folder, "step0.ckpt"))
print(
    json.dumps(
        {
            "latest": os.path.basename(tf.train.latest_checkpoint(folder)),
            "copied": copied.tolist(),
            "loss": float(loss),
            "third": third(states).numpy().tolist(),
            "same": bool(np.array_equal(third(states), online(states))),
            "first_step": target(states).numpy().tolist(),
        }
    )
)
