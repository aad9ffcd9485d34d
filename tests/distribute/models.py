"""Small models whose parameters after 50 steps must not depend on how many devices they had."""

from __future__ import annotations

import numpy as np

from tests.distribute.programs import set_weights

STEPS = 50
BATCH = 16


def mlp(keras):
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((12,)),
            layers.Dense(32, activation="tanh", name="first"),
            layers.Dense(32, activation="relu", name="second"),
            layers.Dense(4, name="last"),
        ]
    )


def cnn(keras):
    """With batch normalization over the whole batch, whoever has which part of it."""
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((8, 8, 2)),
            layers.Conv2D(8, 3, use_bias=False, name="first"),
            layers.BatchNormalization(synchronized=True, name="norm"),
            layers.Activation("relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(4, name="last"),
        ]
    )


def transformer(keras):
    layers = keras.layers
    tokens = keras.Input((6,), dtype="int32")
    x = layers.Embedding(20, 16, name="embedding")(tokens)
    attended = layers.MultiHeadAttention(4, 4, name="attention")(x, x)
    x = layers.LayerNormalization(name="norm_1")(x + attended)
    hidden = layers.Dense(32, activation="gelu", name="first")(x)
    x = layers.LayerNormalization(name="norm_2")(x + layers.Dense(16, name="second")(hidden))
    return keras.Model(tokens, layers.Dense(4, name="last")(layers.GlobalAveragePooling1D()(x)))


MODELS = {"mlp": mlp, "cnn": cnn, "transformer": transformer}

# How the variables of each model are divided over the axis "model" of a mesh.
LAYOUTS = {
    "mlp": {
        "first/kernel": (None, "model"),
        "first/bias": ("model",),
        "second/kernel": ("model", None),
    },
    "cnn": {"first/kernel": (None, None, None, "model"), "last/kernel": ("model", None)},
    "transformer": {
        "attention/(query|key|value)/kernel": (None, "model", None),
        "attention/(query|key|value)/bias": ("model", None),
        "attention/attention_output/kernel": ("model", None, None),
        "first/kernel": (None, "model"),
        "first/bias": ("model",),
        "second/kernel": ("model", None),
        "embedding/embeddings": (None, "model"),
    },
}


def data(name: str) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(5)
    count = 5 * BATCH
    if name == "transformer":
        x = draw.integers(0, 20, (count, 6)).astype(np.int32)
    else:
        shape = (12,) if name == "mlp" else (8, 8, 2)
        x = draw.standard_normal((count, *shape)).astype(np.float32)
    return x, draw.integers(0, 4, count).astype(np.int32)


def made(keras, name: str, **options):
    """A model with weights that are always the same, and its optimizer."""
    model = MODELS[name](keras)
    set_weights(model)
    model.compile(
        keras.optimizers.SGD(0.05, momentum=0.9, **options),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    return model


def fitted(keras, name: str, **options) -> list[np.ndarray]:
    """The parameters after 50 steps of `fit`, and the last loss.

    In float64: in float32, a unit that rounding makes active or not leads elsewhere in 50 steps.
    """
    policy, floatx = keras.config.dtype_policy(), keras.config.floatx()
    keras.config.set_floatx("float64")
    keras.config.set_dtype_policy("float64")
    try:
        return _fitted(keras, name, **options)
    finally:
        keras.config.set_floatx(floatx)
        keras.config.set_dtype_policy(policy)


def _fitted(keras, name: str, **options) -> list[np.ndarray]:
    model = made(keras, name, **options)
    x, y = data(name)
    x = x.astype(np.float64) if x.dtype == np.float32 else x
    history = model.fit(x, y, batch_size=BATCH, epochs=STEPS // 5, shuffle=False, verbose=0)
    return [*model.get_weights(), np.array(history.history["loss"][-1])]
