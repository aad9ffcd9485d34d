"""A keras.utils.Sequence, class weights, a ModelCheckpoint by monitor, classes by argmax."""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras.utils import Sequence, to_categorical


class DataGenerator(Sequence):
    "Generates data for Keras"

    def __init__(self, list_IDs, labels, batch_size=6, dim=(5,), n_classes=3):
        self.dim = dim
        self.batch_size = batch_size
        self.labels = labels
        self.list_IDs = list_IDs
        self.n_classes = n_classes
        self.ends = 0

    def __len__(self):
        return int(np.floor(len(self.list_IDs) / self.batch_size))

    def __getitem__(self, index):
        ids = self.list_IDs[index * self.batch_size : (index + 1) * self.batch_size]
        X = np.empty((self.batch_size, *self.dim), dtype="float32")
        y = np.empty((self.batch_size), dtype=int)
        for i, ID in enumerate(ids):
            X[i] = np.cos(np.arange(5) * ID) + self.labels[ID]
            y[i] = self.labels[ID]
        return X, to_categorical(y, num_classes=self.n_classes)

    def on_epoch_end(self):
        self.ends += 1


labels = {i: (i * 7) % 3 for i in range(30)}
training = DataGenerator(list(range(24)), labels)
validation = DataGenerator(list(range(24, 30)), labels)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(7, activation=tf.nn.relu, input_shape=[5]),
        tf.keras.layers.Dense(3, activation=tf.nn.softmax),
    ]
)
rng = np.random.RandomState(2)
model.set_weights([rng.normal(0, 0.5, w.shape) for w in model.get_weights()])
model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
path = os.path.join(tempfile.mkdtemp(), "best.weights.h5")
best = tf.keras.callbacks.ModelCheckpoint(
    path, monitor="val_loss", save_best_only=True, save_weights_only=True
)
history = model.fit(
    training,
    validation_data=validation,
    epochs=3,
    shuffle=False,
    class_weight={0: 1.0, 1: 2.0, 2: 0.5},
    callbacks=[best],
    verbose=0,
)
classes = np.argmax(model.predict(validation, verbose=0), axis=-1)
print(
    json.dumps(
        {
            "loss": [float(v) for v in history.history["loss"]],
            "val_loss": [float(v) for v in history.history["val_loss"]],
            "classes": classes.tolist(),
            "written": os.path.exists(path),
        }
    )
)
