"""Saving: whole models, weights, checkpoints by callbacks, custom objects, cloned models."""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(121)
rng = np.random.default_rng(121)
train_images = rng.uniform(size=(40, 10)).astype("float32")
train_labels = rng.integers(0, 3, size=40)
folder = tempfile.mkdtemp()
result = {}


def create_model():
    model = keras.models.Sequential(
        [
            keras.layers.Dense(16, activation="relu", input_shape=(10,)),
            keras.layers.Dropout(0.2),
            keras.layers.Dense(3),
        ]
    )
    model.compile(
        optimizer="adam",
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[keras.metrics.SparseCategoricalAccuracy()],
    )
    return model


model = create_model()
checkpoint_path = os.path.join(folder, "cp-{epoch:04d}.weights.h5")
callback = keras.callbacks.ModelCheckpoint(
    filepath=checkpoint_path, save_weights_only=True, verbose=0
)
model.save_weights(checkpoint_path.format(epoch=0))
history = model.fit(
    train_images, train_labels, epochs=3, batch_size=8, callbacks=[callback], verbose=0
)
result["loss"] = history.history["loss"]
result["files"] = sorted(os.listdir(folder))
fresh = create_model()
fresh.load_weights(checkpoint_path.format(epoch=3))
result["same"] = bool(
    np.array_equal(fresh.predict(train_images, verbose=0), model.predict(train_images, verbose=0))
)
fresh.load_weights(checkpoint_path.format(epoch=0))
result["first"] = fresh.evaluate(train_images, train_labels, verbose=0)

path = os.path.join(folder, "model.keras")
model.save(path)
loaded = keras.models.load_model(path)
result["going_on"] = [
    m.fit(train_images, train_labels, epochs=1, batch_size=40, verbose=0).history["loss"]
    for m in (model, loaded)
]
result["going_on_same"] = result["going_on"][0] == result["going_on"][1]
result["iterations"] = int(loaded.optimizer.iterations)
del result["going_on"]


@keras.utils.register_keras_serializable(package="MyLayers")
class Squared(keras.layers.Layer):
    def __init__(self, factor=1.0, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor

    def build(self, input_shape):
        self.shift = self.add_weight(shape=(input_shape[-1],), initializer="ones", name="shift")

    def call(self, inputs):
        return tf.square(inputs + self.shift) * self.factor

    def get_config(self):
        return {**super().get_config(), "factor": self.factor}


@keras.utils.register_keras_serializable()
def clipped(x):
    return tf.clip_by_value(x, 0.0, 3.0)


inputs = keras.Input((10,), name="features")
x = Squared(0.5, name="squared")(inputs)
x = keras.layers.Activation(clipped)(x)
outputs = keras.layers.Dense(2, name="head")(x)
custom = keras.Model(inputs, outputs, name="custom")
custom.save(os.path.join(folder, "custom.keras"))
again = keras.models.load_model(os.path.join(folder, "custom.keras"))
result["custom"] = bool(
    np.allclose(custom(train_images[:3]).numpy(), again(train_images[:3]).numpy())
)
result["config"] = again.get_layer("squared").get_config()["factor"]
result["json"] = sorted(json.loads(again.to_json()))
clone = keras.models.clone_model(custom)
clone.set_weights(custom.get_weights())
result["clone"] = clone(train_images[:1]).numpy().tolist()
extractor = keras.Model(custom.inputs, custom.get_layer("squared").output)
result["features"] = extractor(train_images[:1]).numpy()[0, :3].tolist()
best = keras.callbacks.ModelCheckpoint(
    os.path.join(folder, "best.keras"), monitor="loss", save_best_only=True, mode="min"
)
clone.compile("sgd", "mse")
clone.fit(train_images, np.zeros((40, 2)), epochs=2, verbose=0, shuffle=False, callbacks=[best])
result["best"] = (
    keras.models.load_model(os.path.join(folder, "best.keras")).get_weights()[0].tolist()
)
checkpoint = tf.train.Checkpoint(step=tf.Variable(1), model=custom)
manager = tf.train.CheckpointManager(checkpoint, os.path.join(folder, "tf"), max_to_keep=2)
for _ in range(3):
    checkpoint.step.assign_add(1)
    manager.save()
kernel = custom.get_layer("head").kernel.numpy()
custom.get_layer("head").kernel.assign(kernel * 0)
checkpoint.restore(manager.latest_checkpoint)
result["restored"] = bool(np.array_equal(custom.get_layer("head").kernel.numpy(), kernel))
result["manager"] = [os.path.basename(p) for p in manager.checkpoints] + [int(checkpoint.step)]
print(json.dumps(result))
