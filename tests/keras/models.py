"""The models that the fixtures hold: built the same way on TensorFlow and here."""

import numpy as np


def convolutional(keras):
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((8, 8, 2)),
            layers.Conv2D(4, 3, padding="same", activation="relu"),
            layers.BatchNormalization(),
            layers.MaxPooling2D(2),
            layers.SeparableConv2D(4, 3, activation="gelu"),
            layers.Flatten(),
            layers.Dropout(0.25, seed=3),
            layers.Dense(3, activation="softmax"),
        ],
        name="convolutional",
    )


def recurrent(keras):
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((7,), dtype="int32"),
            layers.Embedding(20, 6, mask_zero=True),
            layers.Bidirectional(layers.LSTM(5, return_sequences=True)),
            layers.GRU(4),
            layers.Dense(3, activation="softmax"),
        ],
        name="recurrent",
    )


def attention(keras):
    layers = keras.layers
    inputs = keras.Input((6, 8))
    mixed = layers.MultiHeadAttention(2, 4)(inputs, inputs)
    x = layers.LayerNormalization()(layers.Add()([inputs, mixed]))
    x = layers.Dense(8, activation="silu", kernel_regularizer="l2")(x)
    x = layers.GlobalAveragePooling1D()(x)
    return keras.Model(inputs, layers.Dense(3, activation="softmax")(x), name="attention")


MODELS = {"convolutional": convolutional, "recurrent": recurrent, "attention": attention}


def batch(name: str):
    """Inputs and labels for a model: the same everywhere."""
    random = np.random.default_rng(7)
    if name == "recurrent":
        x = random.integers(0, 20, (12, 7)).astype("int32")
    else:
        x = random.normal(size=(12, 8, 8, 2) if name == "convolutional" else (12, 6, 8))
        x = x.astype("float32")
    return x, random.integers(0, 3, 12).astype("int32")


def compiled(model, keras):
    # On TensorFlow, Adam squares the gradients of repeated rows of an embedding one by one, where
    # Keras on other backends squares their sum. SGD leaves no such choice.
    is_recurrent = model.name == "recurrent"
    optimizers = keras.optimizers
    model.compile(
        optimizers.SGD(0.5, momentum=0.9) if is_recurrent else optimizers.Adam(0.01),
        keras.losses.SparseCategoricalCrossentropy(),
        metrics=["accuracy"],
    )
    return model


def layers_with_weights(keras) -> dict:
    """Layers whose initial weights are compared, each with an input shape to build it for."""
    layers = keras.layers
    return {
        "dense": (layers.Dense(5), (None, 4)),
        "convolution": (layers.Conv2D(3, (3, 2)), (None, 6, 6, 2)),
        "depthwise": (layers.DepthwiseConv2D(3), (None, 6, 6, 2)),
        "embedding": (layers.Embedding(7, 3), (None, 4)),
        "lstm": (layers.LSTM(4), (None, 5, 3)),
        "gru": (layers.GRU(3), (None, 5, 3)),
        "attention": (layers.MultiHeadAttention(2, 3), [(None, 4, 6), (None, 4, 6)]),
    }


INITIALIZERS = (
    "random_normal", "random_uniform", "truncated_normal", "glorot_uniform", "glorot_normal",
    "he_normal", "he_uniform", "lecun_normal", "lecun_uniform", "variance_scaling", "orthogonal",
    "identity", "zeros", "ones",
)  # fmt: skip
