"""Fine-tuning: pop a head, freeze layers, recompile with a smaller lr, weights by name in HDF5."""

import json
import os
import tempfile

import numpy as np
from tensorflow.keras import Model, layers, models, optimizers

rng = np.random.RandomState(17)


def seeded(model):
    model.set_weights([rng.uniform(-0.6, 0.6, w.shape) for w in model.get_weights()])
    return model


base = seeded(
    models.Sequential(
        [
            layers.Dense(8, activation="relu", input_shape=(4,), name="fc1"),
            layers.Dense(6, activation="relu", name="fc2"),
            layers.Dense(3, activation="softmax", name="old_head"),
        ]
    )
)
path = os.path.join(tempfile.mkdtemp(), "base.weights.h5")
base.save_weights(path)
other = models.clone_model(base)
other.load_weights(path)
other.pop()

x = rng.randn(40, 4).astype("float32")
y = (x.sum(1) > 0).astype("float32")
head = layers.Dense(1, activation="sigmoid", name="new_head")(other.layers[-1].output)
model = Model(inputs=other.layers[0].input, outputs=head)
model.get_layer("new_head").set_weights([rng.uniform(-0.6, 0.6, (6, 1)), np.zeros(1)])
for layer in model.layers[:-1]:
    layer.trainable = False
model.compile(optimizer=optimizers.Adam(lr=0.05), loss="binary_crossentropy", metrics=["accuracy"])
first = model.fit(x, y, epochs=3, batch_size=20, shuffle=False, verbose=0)
frozen = model.get_layer("fc1").get_weights()[0]
for layer in model.layers:
    layer.trainable = True
model.compile(optimizer=optimizers.Adam(lr=0.005), loss="binary_crossentropy", metrics=["accuracy"])
second = model.fit(x, y, epochs=3, batch_size=20, shuffle=False, verbose=0)
moved = np.abs(model.get_layer("fc1").get_weights()[0] - frozen).max()
print(
    json.dumps(
        {
            "unmoved": float(np.abs(frozen - base.get_weights()[0]).max()),
            "first": [float(v) for v in first.history["loss"]],
            "second": [float(v) for v in second.history["loss"]],
            "moved": float(moved),
            "trainable": len(model.trainable_variables),
        }
    )
)
