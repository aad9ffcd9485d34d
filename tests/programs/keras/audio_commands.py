"""Short commands: waveforms to spectrograms, a convolutional model, a confusion matrix."""

import json

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models

tf.keras.utils.set_random_seed(101)
rng = np.random.default_rng(101)
RATE, COMMANDS = 800, np.array(["down", "go", "up"])


def wave(kind):
    t = np.arange(RATE - 100 * (kind == 2)) / RATE
    pitch = [60, 110, 190][kind] * (1 + 0.1 * t)
    return np.sin(2 * np.pi * pitch * t) * 0.5 + 0.05 * rng.normal(size=len(t))


labels = rng.integers(0, 3, size=24)
files = [tf.audio.encode_wav(wave(k)[:, None].astype(np.float32), RATE) for k in labels]


def decode_audio(audio_binary):
    audio, rate = tf.audio.decode_wav(contents=audio_binary)
    return tf.squeeze(audio, axis=-1)


def get_spectrogram(waveform):
    input_len = RATE
    waveform = waveform[:input_len]
    zero_padding = tf.zeros([RATE] - tf.shape(waveform), dtype=tf.float32)
    waveform = tf.cast(waveform, dtype=tf.float32)
    equal_length = tf.concat([waveform, zero_padding], 0)
    spectrogram = tf.signal.stft(equal_length, frame_length=64, frame_step=32)
    spectrogram = tf.abs(spectrogram)
    return spectrogram[..., tf.newaxis]


waveforms = [decode_audio(file) for file in files]
spectrograms = tf.stack([get_spectrogram(waveform) for waveform in waveforms])
dataset = tf.data.Dataset.from_tensor_slices((spectrograms, labels))
train_ds = dataset.take(16).batch(8).cache().prefetch(tf.data.AUTOTUNE)
val_ds = dataset.skip(16).batch(8)
input_shape = spectrograms.shape[1:]
norm_layer = layers.Normalization()
norm_layer.adapt(data=train_ds.map(map_func=lambda spec, label: spec))
model = models.Sequential(
    [
        layers.Input(shape=input_shape),
        layers.Resizing(12, 12),
        norm_layer,
        layers.Conv2D(6, 3, activation="relu"),
        layers.Conv2D(8, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Dropout(0.25),
        layers.Flatten(),
        layers.Dense(12, activation="relu"),
        layers.Dropout(0.5),
        layers.Dense(len(COMMANDS)),
    ]
)
model.compile(
    optimizer=tf.keras.optimizers.Adam(0.01),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
history = model.fit(
    train_ds,
    validation_data=val_ds,
    epochs=3,
    verbose=0,
    callbacks=tf.keras.callbacks.EarlyStopping(verbose=0, patience=2),
)
y_pred = tf.argmax(model.predict(val_ds, verbose=0), axis=1)
y_true = tf.concat(list(val_ds.map(lambda s, lab: lab)), axis=0)
confusion = tf.math.confusion_matrix(y_true, y_pred, num_classes=3)
mel = tf.signal.linear_to_mel_weight_matrix(8, 33, RATE, 20.0, 380.0)
features = tf.signal.mfccs_from_log_mel_spectrograms(
    tf.math.log(tf.tensordot(spectrograms[0, :, :, 0], mel, 1) + 1e-6)
)
restored = tf.signal.inverse_stft(
    tf.signal.stft(waveforms[0], 64, 32),
    64,
    32,
    window_fn=tf.signal.inverse_stft_window_fn(32),
)
print(
    json.dumps(
        {
            "loss": history.history["loss"],
            "val_loss": history.history["val_loss"],
            "shape": list(input_shape),
            "total": int(tf.reduce_sum(confusion)),
            "mean": float(norm_layer.mean.numpy().ravel()[0]),
            "features": features.numpy()[3, :5].tolist(),
            "restored": restored.numpy()[100:104].tolist(),
            "spectrum": spectrograms[0, 5, :6, 0].numpy().tolist(),
        }
    )
)
