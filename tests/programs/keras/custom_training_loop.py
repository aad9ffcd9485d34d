"""A training loop from scratch: tf.data, a functional model, metrics, a compiled step."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(3)
rng = np.random.default_rng(3)
x = rng.normal(size=(160, 12)).astype("float32")
y = np.argmax(x[:, :4] + 0.3 * rng.normal(size=(160, 4)), axis=1)
train_dataset = tf.data.Dataset.from_tensor_slices((x[:128], y[:128])).batch(32)
val_dataset = tf.data.Dataset.from_tensor_slices((x[128:], y[128:])).batch(16)

inputs = keras.Input(shape=(12,), name="features")
x1 = keras.layers.Dense(24, activation="relu")(inputs)
x2 = keras.layers.Dense(24, activation="relu")(x1)
outputs = keras.layers.Dense(4, name="predictions")(keras.layers.concatenate([x1, x2]))
model = keras.Model(inputs=inputs, outputs=outputs)

optimizer = keras.optimizers.SGD(learning_rate=0.1, momentum=0.9)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
train_acc_metric = keras.metrics.SparseCategoricalAccuracy()
val_acc_metric = keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss_value = loss_fn(y, logits)
    grads = tape.gradient(loss_value, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    train_acc_metric.update_state(y, logits)
    return loss_value


@tf.function
def test_step(x, y):
    val_logits = model(x, training=False)
    val_acc_metric.update_state(y, val_logits)


losses, train_accs, val_accs = [], [], []
for epoch in range(3):
    for step, (x_batch, y_batch) in enumerate(train_dataset):
        loss_value = train_step(x_batch, y_batch)
        losses.append(float(loss_value))
    train_accs.append(float(train_acc_metric.result()))
    train_acc_metric.reset_state()
    for x_batch, y_batch in val_dataset:
        test_step(x_batch, y_batch)
    val_accs.append(float(val_acc_metric.result()))
    val_acc_metric.reset_state()
print(json.dumps({"losses": losses, "train": train_accs, "validation": val_accs}))
