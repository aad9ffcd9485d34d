"""Keras models that both libraries build and export; weights are drawn by NumPy."""

from __future__ import annotations

import numpy as np

_SEQUENCE, _IMAGE = (5, 3), (8, 8, 3)


def _dense(k):
    layers = k.layers
    return k.Sequential(
        [k.Input((4,)), layers.Dense(5, "relu"), layers.Dropout(0.5), layers.Dense(2, "softmax")]
    )


def _convolutional(k):
    layers = k.layers
    return k.Sequential(
        [
            k.Input(_IMAGE),
            layers.Conv2D(4, 3, padding="same"),
            layers.BatchNormalization(),
            layers.ReLU(),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(3),
        ]
    )


def _separable(k):
    layers = k.layers
    return k.Sequential(
        [
            k.Input(_IMAGE),
            layers.SeparableConv2D(4, 3, strides=2, padding="same"),
            layers.DepthwiseConv2D(3, padding="same", activation="relu6"),
            layers.GlobalAveragePooling2D(),
        ]
    )


def _upsampled(k):
    layers = k.layers
    return k.Sequential(
        [
            k.Input((4, 4, 2)),
            layers.UpSampling2D(2, interpolation="bilinear"),
            layers.ZeroPadding2D(1),
            layers.Conv2DTranspose(3, 3, strides=2, padding="same"),
            layers.AveragePooling2D(2),
        ]
    )


def _lstm(k):
    return k.Sequential([k.Input(_SEQUENCE), k.layers.LSTM(4, return_sequences=True)])


def _gru(k):
    return k.Sequential([k.Input(_SEQUENCE), k.layers.GRU(4)])


def _bidirectional(k):
    return k.Sequential([k.Input(_SEQUENCE), k.layers.Bidirectional(k.layers.SimpleRNN(3))])


def _embedding(k):
    layers = k.layers
    return k.Sequential(
        [
            k.Input((6,), dtype="int32"),
            layers.Embedding(9, 4),
            layers.GlobalAveragePooling1D(),
            layers.Dense(2, "tanh"),
        ]
    )


def _attention(k):
    inputs = k.Input((5, 6))
    x = k.layers.MultiHeadAttention(2, 3)(inputs, inputs)
    x = k.layers.LayerNormalization()(inputs + x)
    return k.Model(inputs, k.layers.Dense(2, "gelu")(x))


def _two_inputs(k):
    a, b = k.Input((3,), name="a"), k.Input((2,), name="b")
    joined = k.layers.Concatenate()([k.layers.Dense(2)(a), b])
    return k.Model({"a": a, "b": b}, {"sum": k.layers.Dense(1)(joined), "joined": joined})


def _one_dimensional(k):
    layers = k.layers
    return k.Sequential(
        [
            k.Input((9, 2)),
            layers.Conv1D(4, 3, dilation_rate=2, padding="causal", activation="swish"),
            layers.MaxPooling1D(2),
            layers.GlobalMaxPooling1D(),
        ]
    )


def _normalized(k):
    layers = k.layers
    return k.Sequential(
        [
            k.Input((6, 4)),
            layers.GroupNormalization(2),
            layers.UnitNormalization(),
            layers.PReLU(),
            layers.Permute((2, 1)),
            layers.Reshape((2, 12)),
            layers.Rescaling(0.5, 1.0),
        ]
    )


BUILDERS = {
    "keras_dense": (_dense, (3, 4)),
    "keras_convolutional": (_convolutional, (2, *_IMAGE)),
    "keras_separable": (_separable, (2, *_IMAGE)),
    "keras_upsampled": (_upsampled, (1, 4, 4, 2)),
    "keras_lstm": (_lstm, (2, *_SEQUENCE)),
    "keras_gru": (_gru, (2, *_SEQUENCE)),
    "keras_bidirectional": (_bidirectional, (2, *_SEQUENCE)),
    "keras_embedding": (_embedding, (2, 6)),
    "keras_attention": (_attention, (2, 5, 6)),
    "keras_two_inputs": (_two_inputs, {"a": (4, 3), "b": (4, 2)}),
    "keras_one_dimensional": (_one_dimensional, (2, 9, 2)),
    "keras_normalized": (_normalized, (2, 6, 4)),
}


def built(keras, name: str):
    """Return a model with weights drawn by NumPy, and the inputs to call it with."""
    build, shape = BUILDERS[name]
    draw = np.random.default_rng(len(name))
    model = build(keras)
    weights = [draw.normal(size=w.shape) * 0.4 for w in model.weights]
    fixed = [
        np.abs(w) + 0.5 if "variance" in v.path else w
        for v, w in zip(model.weights, weights, strict=True)
    ]
    for variable, weight in zip(model.weights, fixed, strict=True):
        if "seed" not in variable.path:
            variable.assign(weight.astype("float32"))
    if isinstance(shape, dict):
        return model, {key: draw.normal(size=s).astype("float32") for key, s in shape.items()}
    if name == "keras_embedding":
        return model, draw.integers(0, 9, shape).astype("int32")
    return model, draw.normal(size=shape).astype("float32")
