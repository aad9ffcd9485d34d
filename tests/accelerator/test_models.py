"""Keras models trained where new tensors go: on a GPU, or on the device that stands for one.

`make test-accelerator` runs them on XLA's device on the host, `make test-gpu` on a GPU. Training on
the host is what they are compared with.
"""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

pytest.importorskip("jax", reason="an accelerator is used through JAX, which is not installed")

import gradtape as tf

pytestmark = [
    pytest.mark.keras,
    pytest.mark.usefixtures("accelerator"),
    pytest.mark.skipif(find_spec("keras") is None, reason="Keras is not installed"),
]

RANDOM = np.random.default_rng(0)
IMAGES = RANDOM.standard_normal((24, 8, 8, 3)).astype("float32")
ROWS = RANDOM.standard_normal((24, 12)).astype("float32")
STEPS = RANDOM.standard_normal((24, 6, 5)).astype("float32")
WORDS = RANDOM.integers(1, 30, (24, 7))
WORDS[::2, 5:] = 0  # masked
LABELS = RANDOM.integers(0, 3, 24)


def mlp(layers):
    # Its kernel is large enough for ops on it to be deferred on the host.
    return ROWS, [layers.Dense(512, "relu"), layers.Dense(160, "tanh"), layers.Dense(3)]


def cnn(layers):
    return IMAGES, [
        layers.Conv2D(4, 3, activation="relu"),
        layers.BatchNormalization(),
        layers.MaxPooling2D(),
        layers.SpatialDropout2D(0.2),
        layers.Flatten(),
        layers.Dense(3),
    ]


def separable(layers):
    return IMAGES, [
        layers.SeparableConv2D(6, 3, padding="same", activation="swish"),
        layers.GroupNormalization(2),
        layers.Conv2DTranspose(4, 3, strides=2, activation="elu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(3),
    ]


def lstm(layers):
    return STEPS, [layers.Bidirectional(layers.LSTM(6)), layers.Dense(3)]


def masked_gru(layers):
    return WORDS, [layers.Embedding(30, 6, mask_zero=True), layers.GRU(5), layers.Dense(3)]


def text_convolution(layers):
    return WORDS, [
        layers.Embedding(30, 8),
        layers.Conv1D(6, 3, activation="gelu"),
        layers.GlobalMaxPooling1D(),
        layers.Dense(3),
    ]


def residual(layers):
    def block(x):
        return layers.Add()([x, layers.Conv2D(3, 3, padding="same", activation="relu")(x)])

    return IMAGES, lambda x: layers.Dense(3)(layers.Flatten()(block(block(x))))


def encoder(layers):
    def model(x):
        x = layers.Dense(8)(x)
        x = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 4)(x, x))
        return layers.Dense(3)(layers.GlobalAveragePooling1D()(x))

    return STEPS, model


MODELS = {
    made.__name__: made
    for made in (mlp, cnn, separable, lstm, masked_gru, text_convolution, residual, encoder)
}


def trained(kind: str, device: str | None = None, **options):
    """Return the losses of three epochs, and the model."""
    keras = tf.keras
    with tf.device(device):
        keras.utils.set_random_seed(1)
        x, described = MODELS[kind](keras.layers)
        start = keras.Input(x.shape[1:], dtype=x.dtype.name)
        end = start
        if callable(described):
            end = described(start)
        else:
            for layer in described:
                end = layer(end)
        model = keras.Model(start, end)
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(keras.optimizers.Adam(3e-3), loss, metrics=["accuracy"], **options)
        data = tf.data.Dataset.from_tensor_slices((x, LABELS)).batch(8)
        fitted = model.fit(data, epochs=3, verbose=0, shuffle=False)
        return fitted.history["loss"], model


def on_host(model) -> bool:
    return model.weights[0]._gradtape_variable.device.endswith("CPU:0")


@pytest.fixture
def policy(request):
    tf.keras.config.set_dtype_policy(request.param)
    yield request.param
    tf.keras.config.set_dtype_policy("float32")


# Products of 16 bits round their operands to 8 or 11 bits, and sum in different orders.
TOLERANCE = {"float32": 2e-4, "mixed_bfloat16": 3e-2, "mixed_float16": 1e-2}


@pytest.mark.parametrize("policy", TOLERANCE, indirect=True)
@pytest.mark.parametrize("kind", MODELS)
def test_training_is_the_hosts(kind, policy):
    want, _ = trained(kind, "/CPU:0")
    got, model = trained(kind)
    np.testing.assert_allclose(got, want, rtol=TOLERANCE[policy])
    assert not on_host(model)


@pytest.mark.parametrize("kind", ["mlp", "cnn", "lstm"])
def test_eager_training_is_the_hosts(kind):
    want, _ = trained(kind, "/CPU:0", run_eagerly=True)
    got, _ = trained(kind, run_eagerly=True)
    np.testing.assert_allclose(got, want, rtol=TOLERANCE["float32"])


@pytest.mark.parametrize("name", ["model.keras", "model.weights.h5", "checkpoint"])
@pytest.mark.parametrize("towards", ["host", "device"])
def test_files_move_between_devices(name, towards, tmp_path):
    here, there = (None, "/CPU:0") if towards == "host" else ("/CPU:0", None)
    losses, model = trained("mlp", here)
    path = str(tmp_path / name)
    with tf.device(here):
        if name == "checkpoint":
            path = tf.train.Checkpoint(model=model).write(path)
        elif name.endswith(".keras"):
            model.save(path)
        else:
            model.save_weights(path)
    _, other = trained("mlp", there)
    with tf.device(there):
        if name == "checkpoint":
            tf.train.Checkpoint(model=other).read(path).assert_consumed()
        elif name.endswith(".keras"):
            other = tf.keras.models.load_model(path)
        else:
            other.load_weights(path)
        got = other.predict(ROWS, verbose=0)
    with tf.device(here):
        np.testing.assert_allclose(got, model.predict(ROWS, verbose=0), rtol=1e-5, atol=1e-6)
    assert on_host(other) is (towards == "host")
    assert losses[-1] < losses[0]


def test_a_strategy_on_the_one_device():
    want, _ = trained("mlp")
    with tf.distribute.MirroredStrategy().scope():
        got, _ = trained("mlp")
    np.testing.assert_allclose(got, want, rtol=TOLERANCE["float32"])
