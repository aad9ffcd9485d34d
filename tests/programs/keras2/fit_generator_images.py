"""Images from a Python generator, fit_generator and evaluate_generator, SGD with lr and decay."""

import json

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Activation, Conv2D, Dense, Flatten, MaxPooling2D
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import SGD

np.random.seed(1)
num_classes, batch_size = 3, 8
y_train = np.random.randint(0, num_classes, 32)
x_train = np.random.rand(32, 8, 8, 1).astype("float32") * 0.5
for i, label in enumerate(y_train):
    x_train[i, label * 2 : label * 2 + 3] += 0.8
y_train = tf.keras.utils.to_categorical(y_train, num_classes)


def batches():
    while True:
        for i in range(0, len(x_train), batch_size):
            yield x_train[i : i + batch_size], y_train[i : i + batch_size]


model = Sequential()
model.add(Conv2D(4, (3, 3), padding="same", input_shape=x_train.shape[1:]))
model.add(Activation("relu"))
model.add(MaxPooling2D(pool_size=(2, 2)))
model.add(Flatten())
model.add(Dense(num_classes))
model.add(Activation("softmax"))
rng = np.random.RandomState(4)
model.set_weights([rng.normal(scale=0.2, size=w.shape) for w in model.get_weights()])

sgd = SGD(lr=0.1, decay=1e-2, momentum=0.9, nesterov=True)
model.compile(loss="categorical_crossentropy", optimizer=sgd, metrics=["accuracy"])
history = model.fit_generator(batches(), steps_per_epoch=4, epochs=3, verbose=0)
score = model.evaluate_generator(batches(), steps=4)
predictions = model.predict_generator(batches(), steps=1)
print(
    json.dumps(
        {
            "loss": [float(v) for v in history.history["loss"]],
            "accuracy": [float(v) for v in history.history["accuracy"]],
            "score": [float(v) for v in score],
            "first": predictions[0].tolist(),
        }
    )
)
