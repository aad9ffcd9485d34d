"""Forecasting: windows from arrays, baselines, dense, convolutional and recurrent models."""

import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(39)
rng = np.random.default_rng(39)
steps = np.arange(240)
series = np.stack([np.sin(steps / 7), np.cos(steps / 11), rng.normal(size=240) * 0.1], 1)
series = series.astype(np.float32)
train, val = series[:160], series[160:]
mean, std = train.mean(0), train.std(0)
train, val = (train - mean) / std, (val - mean) / std


class WindowGenerator:
    def __init__(self, input_width, label_width, shift):
        self.label_index = 0
        self.total_window_size = input_width + shift
        self.input_slice = slice(0, input_width)
        self.label_start = self.total_window_size - label_width
        self.labels_slice = slice(self.label_start, None)
        self.input_width, self.label_width = input_width, label_width

    def split_window(self, features):
        inputs = features[:, self.input_slice, :]
        labels = features[:, self.labels_slice, :]
        labels = tf.stack([labels[:, :, self.label_index]], axis=-1)
        inputs.set_shape([None, self.input_width, None])
        labels.set_shape([None, self.label_width, None])
        return inputs, labels

    def make_dataset(self, data, shuffle=False):
        data = np.array(data, dtype=np.float32)
        ds = tf.keras.utils.timeseries_dataset_from_array(
            data=data,
            targets=None,
            sequence_length=self.total_window_size,
            sequence_stride=1,
            shuffle=shuffle,
            batch_size=16,
        )
        return ds.map(self.split_window)


class Baseline(tf.keras.Model):
    def __init__(self, label_index=None):
        super().__init__()
        self.label_index = label_index

    def call(self, inputs):
        result = inputs[:, :, self.label_index]
        return result[:, :, tf.newaxis]


class ResidualWrapper(tf.keras.Model):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def call(self, inputs, *args, **kwargs):
        delta = self.model(inputs, *args, **kwargs)
        return inputs[:, :, :1] + delta


class FeedBack(tf.keras.Model):
    """Predicts, and reads its own predictions."""

    def __init__(self, units, out_steps):
        super().__init__()
        self.out_steps = out_steps
        self.lstm_cell = tf.keras.layers.LSTMCell(units)
        self.lstm_rnn = tf.keras.layers.RNN(self.lstm_cell, return_state=True)
        self.dense = tf.keras.layers.Dense(3)

    def warmup(self, inputs):
        x, *state = self.lstm_rnn(inputs)
        return self.dense(x), state

    def call(self, inputs, training=None):
        predictions = []
        prediction, state = self.warmup(inputs)
        predictions.append(prediction)
        for _ in range(1, self.out_steps):
            x, state = self.lstm_cell(prediction, states=state, training=training)
            prediction = self.dense(x)
            predictions.append(prediction)
        predictions = tf.stack(predictions)
        return tf.transpose(predictions, [1, 0, 2])[:, :, :1]


def compile_and_fit(model, window, epochs=2):
    model.compile(
        loss=tf.keras.losses.MeanSquaredError(),
        optimizer=tf.keras.optimizers.Adam(0.01),
        metrics=[tf.keras.metrics.MeanAbsoluteError()],
    )
    early = tf.keras.callbacks.EarlyStopping(monitor="val_loss", patience=2, mode="min")
    history = model.fit(
        window.make_dataset(train),
        epochs=epochs,
        validation_data=window.make_dataset(val),
        callbacks=[early],
        verbose=0,
    )
    return history.history


wide = WindowGenerator(input_width=8, label_width=8, shift=1)
conv_window = WindowGenerator(input_width=8, label_width=6, shift=1)
multi = WindowGenerator(input_width=8, label_width=4, shift=4)
actual = {}
baseline = Baseline(label_index=0)
baseline.compile(
    loss=tf.keras.losses.MeanSquaredError(), metrics=[tf.keras.metrics.MeanAbsoluteError()]
)
actual["baseline"] = baseline.evaluate(wide.make_dataset(val), verbose=0)
linear = tf.keras.Sequential([tf.keras.layers.Dense(units=1)])
actual["linear"] = compile_and_fit(linear, wide)["val_loss"]
convolution = tf.keras.Sequential(
    [
        tf.keras.layers.Conv1D(filters=8, kernel_size=(3,), activation="relu"),
        tf.keras.layers.Dense(units=8, activation="relu"),
        tf.keras.layers.Dense(units=1),
    ]
)
actual["convolution"] = compile_and_fit(convolution, conv_window)["val_loss"]
residual = ResidualWrapper(
    tf.keras.Sequential(
        [
            tf.keras.layers.LSTM(8, return_sequences=True),
            tf.keras.layers.Dense(1, kernel_initializer=tf.initializers.zeros()),
        ]
    )
)
actual["residual"] = compile_and_fit(residual, wide)["loss"]
multi_lstm = tf.keras.Sequential(
    [
        tf.keras.layers.LSTM(8, return_sequences=False),
        tf.keras.layers.Dense(4, kernel_initializer=tf.initializers.zeros()),
        tf.keras.layers.Reshape([4, 1]),
    ]
)
actual["multi"] = compile_and_fit(multi_lstm, multi)["val_mean_absolute_error"]
feedback = FeedBack(units=8, out_steps=4)
actual["feedback"] = compile_and_fit(feedback, multi, 1)["loss"]
actual["forecast"] = feedback.predict(np.asarray(val[: 1 * 8])[None], verbose=0)[0, :, 0].tolist()
actual["windows"] = [list(x.shape) for x in next(iter(multi.make_dataset(val)))]
print(json.dumps(actual))
