"""Two outputs, two losses by name, loss_weights, a sample_weight, and evaluate(verbose=0)."""

import json

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input(batch_shape=(None, 7), name="features")
x = layers.Dense(6, activation="selu", name="body")(inputs)
priority = layers.Dense(1, name="priority")(x)
department = layers.Dense(3, activation="softmax", name="department")(x)
model = keras.Model(inputs=inputs, outputs=[priority, department])
rng = np.random.RandomState(31)
model.set_weights([rng.normal(scale=0.4, size=w.shape) for w in model.get_weights()])

model.compile(
    optimizer=keras.optimizers.Nadam(learning_rate=0.02),
    loss={"priority": "mean_squared_error", "department": "sparse_categorical_crossentropy"},
    loss_weights={"priority": 1.0, "department": 0.2},
)
features = rng.randn(30, 7).astype("float32")
targets = {
    "priority": features[:, :1] - features[:, 1:2],
    "department": rng.randint(0, 3, (30, 1)),
}
history = model.fit(features, targets, epochs=4, batch_size=10, shuffle=False, verbose=0)
total = model.evaluate(features, targets, verbose=0)
a, b = model.predict(features[:2], verbose=0)

sub = keras.Model(model.input, model.get_layer("body").output)
print(
    json.dumps(
        {
            "loss": [float(v) for v in history.history["loss"]],
            "total": float(total[0]),
            "priority": a.ravel().tolist(),
            "department": b.tolist(),
            "body": sub.predict(features[:1], verbose=0).tolist(),
            "names": model.output_names,
        }
    )
)
