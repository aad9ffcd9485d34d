"""Small models in the manner of keras.applications and of the tutorials: name → (model, sizes).

The sizes are those of the open axes of all inputs, in order, for each run.
"""

from __future__ import annotations

import gradtape as tf

keras = tf.keras
layers = keras.layers
BATCHES = [(1,), (3,)]
MODELS = {}


def model(*sizes):
    """Register a function that makes a model, with the sizes that it is compared for."""

    def register(make):
        MODELS[make.__name__] = (make, sizes or BATCHES)
        return make

    return register


def _conv(x, filters: int, size=3, strides=1, activation="relu", groups=1):
    x = layers.Conv2D(filters, size, strides, "same", use_bias=False, groups=groups)(x)
    x = layers.BatchNormalization()(x)
    return layers.Activation(activation)(x) if activation else x


def _classifier(inputs, x):
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, layers.Dense(5, activation="softmax")(x))


@model()
def vgg():
    x = inputs = keras.Input((16, 16, 3))
    for filters in (4, 8):
        for _ in range(2):
            x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = layers.MaxPooling2D()(x)
    x = layers.Dropout(0.5)(layers.Dense(16, activation="relu")(layers.Flatten()(x)))
    return keras.Model(inputs, layers.Dense(5)(x))


@model((1, 32, 33), (2, 47, 30))
def resnet():
    inputs = keras.Input((None, None, 3))
    x = layers.MaxPooling2D(3, 2, padding="same")(_conv(inputs, 8, 7, 2))
    for filters, strides in ((8, 1), (16, 2)):
        short = _conv(x, filters, 1, strides, None)
        x = _conv(_conv(x, filters, 3, strides), filters, activation=None)
        x = layers.ReLU()(layers.Add()([x, short]))
    return _classifier(inputs, x)


@model((1, 32, 33), (2, 31, 46))
def mobilenet():
    inputs = keras.Input((None, None, 3))
    x = _conv(inputs, 8, 3, 2, "relu6")
    for filters, strides in ((8, 1), (12, 2), (12, 1)):
        y = _conv(x, 24, 1, 1, "hard_swish")
        y = layers.DepthwiseConv2D(3, strides, "same", use_bias=False)(y)
        y = layers.ReLU(6.0)(layers.BatchNormalization()(y))
        y = _conv(y, filters, 1, activation=None)
        x = layers.Add()([x, y]) if x.shape[-1] == filters and strides == 1 else y
    return _classifier(inputs, x)


@model()
def densenet():
    inputs = keras.Input((16, 16, 3))
    x = _conv(inputs, 8)
    for _ in range(2):
        for _ in range(3):
            y = layers.ReLU()(layers.BatchNormalization()(x))
            y = _conv(layers.Conv2D(8, 1)(y), 4)
            x = layers.Concatenate()([x, y])
        x = layers.AveragePooling2D(2)(layers.Conv2D(8, 1)(x))
    return _classifier(inputs, x)


@model()
def inception():
    inputs = keras.Input((17, 17, 3))
    x = _conv(inputs, 6)
    towers = [
        _conv(x, 4, 1),
        _conv(_conv(x, 3, 1), 4, 5),
        _conv(_conv(_conv(x, 3, 1), 4, (1, 7)), 4, (7, 1)),
        _conv(layers.AveragePooling2D(3, 1, padding="same")(x), 4, 1),
    ]
    return _classifier(inputs, layers.Concatenate()(towers))


@model()
def efficientnet():
    inputs = keras.Input((20, 20, 3))
    x = _conv(layers.Rescaling(1 / 255.0)(inputs), 8, 3, 2, "swish")
    for _ in range(2):
        y = layers.DepthwiseConv2D(3, padding="same")(_conv(x, 16, 1, activation="swish"))
        weights = layers.GlobalAveragePooling2D(keepdims=True)(y)
        weights = layers.Conv2D(4, 1, activation="swish")(weights)
        weights = layers.Conv2D(16, 1, activation="sigmoid")(weights)
        y = _conv(layers.Multiply()([y, weights]), 8, 1, activation=None)
        x = layers.Add()([x, y])
    return _classifier(inputs, x)


@model()
def xception():
    inputs = keras.Input((16, 16, 3))
    x = _conv(inputs, 8, 3, 2)
    short = layers.Conv2D(12, 1, 2, padding="same")(x)
    for _ in range(2):
        x = layers.BatchNormalization()(layers.SeparableConv2D(12, 3, padding="same")(x))
    x = layers.Add()([layers.MaxPooling2D(3, 2, padding="same")(x), short])
    return _classifier(inputs, x)


@model()
def convnext():
    inputs = keras.Input((16, 16, 3))
    x = layers.LayerNormalization(epsilon=1e-6)(layers.Conv2D(8, 4, 4)(inputs))
    y = layers.LayerNormalization()(layers.DepthwiseConv2D(7, padding="same")(x))
    y = layers.Dense(8)(layers.Activation("gelu")(layers.Dense(32)(y)))
    return _classifier(inputs, layers.Add()([x, y]))


@model()
def resnext():
    inputs = keras.Input((12, 12, 4))
    x = _conv(_conv(inputs, 8, 1), 8, groups=4)
    return _classifier(inputs, layers.Add()([x, _conv(inputs, 8, 1)]))


@model()
def unet():
    x = inputs = keras.Input((16, 16, 1))
    skips = []
    for filters in (4, 8):
        x = _conv(x, filters)
        skips.append(x)
        x = layers.MaxPooling2D()(x)
    x = _conv(x, 16)
    for filters in (8, 4):
        x = layers.Conv2DTranspose(filters, 2, 2, padding="same")(x)
        x = _conv(layers.Concatenate()([x, skips.pop()]), filters)
    return keras.Model(inputs, layers.Conv2D(2, 1, activation="softmax")(x))


@model()
def autoencoder():
    inputs = keras.Input((16, 16, 1))
    x = layers.Conv2D(4, 3, 2, "same", activation="relu")(inputs)
    x = layers.Dense(6)(layers.Flatten()(x))
    x = layers.Reshape((8, 8, 4))(layers.Dense(256, activation="relu")(x))
    x = layers.UpSampling2D()(layers.Conv2DTranspose(4, 3, padding="same")(x))
    return keras.Model(inputs, layers.Conv2D(1, 3, padding="same", activation="sigmoid")(x))


def _attended(x, memory, causal=False):
    y = layers.MultiHeadAttention(2, 4)(x, memory, use_causal_mask=causal)
    return layers.LayerNormalization()(layers.Add()([x, y]))


def _feed_forward(x, width: int):
    y = layers.Dense(width)(layers.Dense(16, activation="gelu")(x))
    return layers.LayerNormalization()(layers.Add()([x, y]))


@model((1, 7), (3, 20))
def transformer_encoder():
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(2, 8, mask_zero=True)(inputs)
    for _ in range(2):
        x = _feed_forward(_attended(x, x), 8)
    return keras.Model(inputs, layers.Dense(3)(layers.GlobalAveragePooling1D()(x)))


class _Positions(layers.Layer):
    """Adds the embeddings of positions."""

    def __init__(self):
        super().__init__()
        self.table = layers.Embedding(128, 8)

    def call(self, x):
        return x + self.table(keras.ops.arange(keras.ops.shape(x)[1]))


@model((1, 7, 5), (2, 20, 1))
def transformer_decoder():
    source = keras.Input((None,), dtype="int32")
    target = keras.Input((None,), dtype="int32")
    memory = _Positions()(layers.Embedding(2, 8)(source))
    memory = _feed_forward(_attended(memory, memory), 8)
    x = _Positions()(layers.Embedding(2, 8)(target))
    x = _feed_forward(_attended(_attended(x, x, True), memory), 8)
    return keras.Model([source, target], layers.Dense(11)(x))


@model()
def vision_transformer():
    inputs = keras.Input((16, 16, 3))
    x = layers.Reshape((16, 8))(layers.Conv2D(8, 4, 4)(inputs))
    x = _Positions()(x)
    x = _feed_forward(_attended(x, x), 8)
    return keras.Model(inputs, layers.Dense(5)(layers.Flatten()(x)))


@model((1, 7), (3, 20))
def lstm_stack():
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(2, 6)(inputs)
    x = layers.Bidirectional(layers.LSTM(5, return_sequences=True))(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(layers.LSTM(4)(x)))


@model((1, 1), (3, 20))
def gru_stack():
    x = inputs = keras.Input((None, 4))
    x = layers.Masking()(x)
    x = layers.GRU(6, return_sequences=True)(x)
    x = layers.GRU(5, return_sequences=True, reset_after=False)(x)
    return keras.Model(inputs, layers.Dense(3)(x))


@model((1, 7, 5), (2, 20, 1))
def sequence_to_sequence():
    source, target = keras.Input((None, 4)), keras.Input((None, 3))
    memory, h, c = layers.LSTM(5, return_sequences=True, return_state=True)(source)
    x = layers.LSTM(5, return_sequences=True)(target, initial_state=[h, c])
    x = layers.Concatenate()([x, layers.Attention()([x, memory])])
    return keras.Model([source, target], layers.Dense(3, activation="softmax")(x))


@model((1, 40), (3, 63))
def wavenet():
    x = inputs = keras.Input((None, 2))
    for rate in (1, 2, 4):
        gate = layers.Conv1D(4, 2, padding="causal", dilation_rate=rate, activation="sigmoid")(x)
        y = layers.Conv1D(4, 2, padding="causal", dilation_rate=rate, activation="tanh")(x)
        y = layers.Multiply()([gate, y])
        x = layers.Add()([layers.Conv1D(4, 1)(x), y])
    return keras.Model(inputs, layers.Conv1D(3, 1)(x))


@model()
def video():
    x = inputs = keras.Input((8, 8, 8, 1))
    x = layers.MaxPooling3D()(layers.Conv3D(4, 3, padding="same", activation="relu")(x))
    x = layers.AveragePooling3D(2)(layers.Conv3DTranspose(3, 2)(x))
    return keras.Model(inputs, layers.Dense(2)(layers.GlobalMaxPooling3D()(x)))


@model()
def frames():
    x = inputs = keras.Input((5, 8, 8, 1))
    x = layers.TimeDistributed(layers.Conv2D(3, 3, activation="relu"))(x)
    x = layers.ConvLSTM2D(2, 3, padding="same", return_sequences=True)(x)
    return keras.Model(inputs, layers.Dense(2)(layers.Flatten()(x)))


@model((1, 30), (2, 47))
def text_cnn():
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(2, 6)(inputs)
    towers = [layers.Conv1D(4, k, activation="relu")(x) for k in (2, 3, 5)]
    x = layers.Concatenate()([layers.GlobalMaxPooling1D()(each) for each in towers])
    return keras.Model(inputs, layers.Dense(2)(x))


@model()
def tabular():
    numbers = keras.Input((4,))
    kinds = keras.Input((2,), dtype="int32")
    x = layers.Flatten()(layers.Embedding(2, 3)(kinds))
    x = layers.Concatenate()([layers.BatchNormalization()(numbers), x])
    x = layers.PReLU()(layers.Dense(8)(x))
    return keras.Model([numbers, kinds], [layers.Dense(1)(x), layers.Dense(3, "softmax")(x)])
