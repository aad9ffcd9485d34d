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
    model.compile(
        keras.optimizers.Adam(0.01),
        keras.losses.SparseCategoricalCrossentropy(),
        metrics=["accuracy"],
    )
    return model


# Optimizers for rows that repeat within a batch. (ScheduleFreeAdamW is not among them: on
# TensorFlow it reads a variable before an update and finds the value after it.)
def row_optimizers(keras) -> dict:
    optimizers = keras.optimizers
    adam = optimizers.Adam
    return {
        "sgd": optimizers.SGD(0.1),
        "momentum": optimizers.SGD(0.01, momentum=0.9),
        "nesterov": optimizers.SGD(0.01, momentum=0.9, nesterov=True),
        "adam": adam(0.1),
        "amsgrad": adam(0.1, amsgrad=True),
        "adamw": optimizers.AdamW(0.1),
        "rmsprop": optimizers.RMSprop(0.1),
        "centered": optimizers.RMSprop(0.1, momentum=0.9, centered=True),
        "adagrad": optimizers.Adagrad(0.1),
        "adadelta": optimizers.Adadelta(0.1),
        "adamax": optimizers.Adamax(0.1),
        "nadam": optimizers.Nadam(0.1),
        "ftrl": optimizers.Ftrl(0.1),
        "lion": optimizers.Lion(0.1),
        "adafactor": optimizers.Adafactor(0.1),
        "lamb": optimizers.Lamb(0.1),
        "muon": optimizers.Muon(0.1),
        "clip by norm": adam(0.1, clipnorm=0.5),
        "clip by value": adam(0.1, clipvalue=0.3),
        "clip by global norm": adam(0.1, global_clipnorm=0.5),
        "loss scale": optimizers.LossScaleOptimizer(adam(0.1)),
        "moving average": adam(0.1, use_ema=True, ema_overwrite_frequency=2),
        "accumulation": adam(0.1, gradient_accumulation_steps=2),
    }


def train_on_repeated_rows(optimizer, tf, keras, steps: int = 4):
    """An embedding after some steps on batches that look rows up several times."""
    variable = keras.Variable(np.linspace(-1, 1, 12).reshape(6, 2).astype("float32"))
    wanted = np.array([[1, 1, 4], [4, 1, 2]])
    weights = np.arange(12).reshape(2, 3, 2).astype("float32")
    for _ in range(steps):
        with tf.GradientTape() as tape:
            rows = keras.ops.take(variable, wanted, axis=0)
            loss = keras.ops.sum(keras.ops.square(rows - 0.3) * weights)
        (gradient,) = tape.gradient(loss, [variable])
        assert isinstance(gradient, tf.IndexedSlices)
        optimizer.apply_gradients([(gradient, variable)])
    return variable.numpy()


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
    "random_normal",
    "random_uniform",
    "truncated_normal",
    "glorot_uniform",
    "glorot_normal",
    "he_normal",
    "he_uniform",
    "lecun_normal",
    "lecun_uniform",
    "variance_scaling",
    "orthogonal",
    "identity",
    "zeros",
    "ones",
)
