"""A subclassed model with its own loop; metrics are cleared by reset_states()."""

import json

import numpy as np
import tensorflow as tf


class MyModel(tf.keras.Model):
    def __init__(self):
        super(MyModel, self).__init__()
        self.conv1 = tf.keras.layers.Conv2D(3, 3, activation="relu")
        self.flatten = tf.keras.layers.Flatten()
        self.d1 = tf.keras.layers.Dense(6, activation="relu")
        self.d2 = tf.keras.layers.Dense(2)

    def call(self, x):
        return self.d2(self.d1(self.flatten(self.conv1(x))))


rng = np.random.RandomState(6)
x_train = rng.rand(24, 6, 6)[..., tf.newaxis].astype("float32")
y_train = (x_train[:, :3].sum((1, 2, 3)) > x_train[:, 3:].sum((1, 2, 3))).astype("int64")
train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(8)
model = MyModel()
model(x_train[:1])
model.set_weights([rng.normal(scale=0.3, size=w.shape) for w in model.get_weights()])

loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(lr=0.01)
train_loss = tf.keras.metrics.Mean(name="train_loss")
train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="train_accuracy")


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_object(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss(loss)
    train_accuracy(labels, predictions)


template = "Epoch {}, Loss: {}, Accuracy: {}"
rows = []
for epoch in range(4):
    train_loss.reset_states()
    train_accuracy.reset_states()
    for images, labels in train_ds:
        train_step(images, labels)
    rows.append([float(train_loss.result()), float(train_accuracy.result())])
    print(template.format(epoch + 1, rows[-1][0], rows[-1][1] * 100))
print(json.dumps({"rows": rows, "lr": float(optimizer.lr)}))
