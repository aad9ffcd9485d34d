"""Overfitting: models of several sizes, weight penalties, dropout, schedules, callbacks."""

import json

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, regularizers

tf.keras.utils.set_random_seed(79)
rng = np.random.default_rng(79)
FEATURES, BATCH_SIZE, BUFFER_SIZE = 8, 16, 64
x = rng.normal(size=(96, FEATURES)).astype(np.float32)
y = (x[:, 0] * x[:, 1] + 0.3 * rng.normal(size=96) > 0).astype(np.float32)
packed = np.concatenate([y[:, None], x], 1)


def pack_row(row):
    label = row[:, :1]
    features = row[:, 1:]
    return features, label


packed_ds = tf.data.Dataset.from_tensor_slices(packed).batch(32).map(pack_row).unbatch()
validate_ds = packed_ds.take(32).cache().batch(BATCH_SIZE)
train_ds = packed_ds.skip(32).take(64).cache()
STEPS_PER_EPOCH = 64 // BATCH_SIZE
lr_schedule = tf.keras.optimizers.schedules.InverseTimeDecay(
    0.01, decay_steps=STEPS_PER_EPOCH * 10, decay_rate=1, staircase=False
)


def get_optimizer():
    return tf.keras.optimizers.Adam(lr_schedule)


class Quiet(tf.keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.seen = []

    def on_train_batch_end(self, batch, logs=None):
        if batch == 0:
            self.seen.append(float(self.model.optimizer.learning_rate))


def compile_and_fit(model, name, max_epochs=3):
    model.compile(
        optimizer=get_optimizer(),
        loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[
            tf.keras.metrics.BinaryCrossentropy(from_logits=True, name="binary_crossentropy"),
            "accuracy",
        ],
    )
    quiet = Quiet()
    callbacks = [
        quiet,
        tf.keras.callbacks.EarlyStopping(monitor="val_binary_crossentropy", patience=2),
        tf.keras.callbacks.TerminateOnNaN(),
    ]
    # A new shuffle each time: how far an old one has come depends on how far ahead it was read.
    history = model.fit(
        train_ds.shuffle(BUFFER_SIZE, seed=1).repeat().batch(BATCH_SIZE),
        steps_per_epoch=STEPS_PER_EPOCH,
        epochs=max_epochs,
        validation_data=validate_ds,
        callbacks=callbacks,
        verbose=0,
    )
    return {
        "loss": history.history["loss"],
        "val": history.history["val_binary_crossentropy"],
        "rates": quiet.seen,
        "parameters": model.count_params(),
    }


tiny = tf.keras.Sequential(
    [layers.Dense(4, activation="elu", input_shape=(FEATURES,)), layers.Dense(1)]
)
l2_model = tf.keras.Sequential(
    [
        layers.Input((FEATURES,)),
        layers.Dense(16, activation="elu", kernel_regularizer=regularizers.l2(0.001)),
        layers.Dense(
            16,
            activation="elu",
            kernel_regularizer=regularizers.L1L2(1e-4, 1e-3),
            bias_regularizer="l2",
            activity_regularizer=regularizers.L1(1e-5),
        ),
        layers.Dense(1),
    ]
)
combined = tf.keras.Sequential(
    [
        layers.Input((FEATURES,)),
        layers.Dense(16, kernel_regularizer=regularizers.l2(0.0001), activation="elu"),
        layers.Dropout(0.5),
        layers.GaussianNoise(0.1),
        layers.Dense(16, kernel_constraint=tf.keras.constraints.MaxNorm(2.0), activation="selu"),
        layers.Dropout(0.25),
        layers.Dense(1),
    ]
)
actual = {
    "tiny": compile_and_fit(tiny, "tiny"),
    "l2": compile_and_fit(l2_model, "l2"),
    "combined": compile_and_fit(combined, "combined", 2),
}
result = l2_model(x[:4])
actual["penalties"] = [loss.numpy().item() for loss in l2_model.losses]
actual["regularized"] = tf.add_n(l2_model.losses).numpy().item()
actual["norms"] = np.linalg.norm(combined.layers[3].kernel.numpy(), axis=0).tolist()[:4]
print(json.dumps(actual))
