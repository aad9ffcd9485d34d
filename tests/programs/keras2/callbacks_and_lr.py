"""ReduceLROnPlateau, and a callback of one's own that calls K.set_value(model.optimizer.lr, …)."""

import json

import numpy as np
import tensorflow.keras.backend as K
from tensorflow.keras.callbacks import Callback, EarlyStopping, LambdaCallback, ReduceLROnPlateau
from tensorflow.keras.layers import Dense, Dropout
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import Adam

rng = np.random.RandomState(21)
X = rng.randn(60, 4).astype("float32")
y = (X[:, 0] * X[:, 1] > 0).astype("float32")


class WarmUp(Callback):
    def __init__(self, base, steps):
        super(WarmUp, self).__init__()
        self.base = base
        self.steps = steps
        self.count = 0
        self.seen = []

    def on_batch_begin(self, batch, logs=None):
        self.count += 1
        if self.count <= self.steps:
            K.set_value(self.model.optimizer.lr, self.base * self.count / self.steps)

    def on_epoch_end(self, epoch, logs={}):
        self.seen.append(float(K.get_value(self.model.optimizer.lr)))


model = Sequential(
    [
        Dense(10, activation="relu", input_dim=4, kernel_regularizer="l2"),
        Dropout(0.0),
        Dense(1, activation="sigmoid"),
    ]
)
model.set_weights([rng.uniform(-0.5, 0.5, w.shape) for w in model.get_weights()])
model.compile(Adam(lr=1e-3), "binary_crossentropy", metrics=["acc"])
ended = []
warm = WarmUp(0.02, 8)
history = model.fit(
    X,
    y,
    batch_size=12,
    epochs=8,
    verbose=0,
    shuffle=False,
    validation_data=(X[:20], 1 - y[:20]),
    callbacks=[
        warm,
        ReduceLROnPlateau(monitor="val_loss", factor=0.5, patience=1, min_lr=1e-4),
        EarlyStopping(monitor="val_loss", patience=4),
        LambdaCallback(on_train_end=lambda logs: ended.append(1)),
    ],
)
result = {k: [float(v) for v in history.history[k]] for k in ("loss", "acc", "val_loss", "val_acc")}
result["rates"] = warm.seen
result["epochs"] = history.epoch
result["ended"] = len(ended)
result["iterations"] = int(K.get_value(model.optimizer.iterations))
print(json.dumps(result))
