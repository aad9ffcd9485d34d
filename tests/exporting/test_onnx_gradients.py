"""Gradients of models in onnxruntime (`make test-onnx`): the graph of a tape is exported, too."""

import pytest

import gradtape as tf
from tests.exporting.running import compare

pytest.importorskip("onnxruntime", reason="runs models; `make test-onnx` has it")

keras = tf.keras
layers = keras.layers
IMAGE, SERIES = (8, 8, 2), (10, 3)


def _attention():
    x = keras.Input((6, 8))
    attended = layers.MultiHeadAttention(2, 4)(x, x, use_causal_mask=True)
    return keras.Model(x, layers.Dense(2)(layers.GlobalAveragePooling1D()(x + attended)))


def _residual():
    x = inputs = keras.Input(IMAGE)
    y = layers.Conv2D(2, 3, padding="same", use_bias=False)(x)
    x = layers.ReLU()(layers.Add()([x, layers.BatchNormalization()(y)]))
    return keras.Model(inputs, layers.Dense(2)(layers.GlobalAveragePooling2D()(x)))


def _stack(shape, *parts):
    return lambda: keras.Sequential([keras.Input(shape), *[make() for make in parts]])


def _flat(shape, *parts):
    return _stack(shape, *parts, layers.Flatten, lambda: layers.Dense(2))


MODELS = {
    "mlp": _stack(
        (4,),
        lambda: layers.Dense(8, activation="relu"),
        lambda: layers.Dense(3, activation="softmax"),
    ),
    "layer_norm": _stack(
        (4,),
        lambda: layers.Dense(8, activation="gelu"),
        layers.LayerNormalization,
        lambda: layers.Dense(3),
    ),
    "batch_norm": _stack(
        (4,), lambda: layers.Dense(8, activation="tanh"), layers.BatchNormalization
    ),
    "max_pool": _flat(
        IMAGE, lambda: layers.Conv2D(4, 3, activation="relu"), lambda: layers.MaxPooling2D(2)
    ),
    "overlapping_max_pool": _flat(IMAGE, lambda: layers.MaxPooling2D(3, 2, "same")),
    "strided": _flat(
        IMAGE, lambda: layers.Conv2D(4, 3, strides=2, padding="same", activation="elu")
    ),
    "dilated": _flat(IMAGE, lambda: layers.Conv2D(4, 3, dilation_rate=2)),
    "grouped": _flat(IMAGE, lambda: layers.Conv2D(4, 3, groups=2)),
    "depthwise": _flat(
        IMAGE,
        lambda: layers.DepthwiseConv2D(3, depth_multiplier=2, activation="swish"),
        lambda: layers.AveragePooling2D(2),
    ),
    "separable": _flat(
        IMAGE, lambda: layers.SeparableConv2D(4, 3), lambda: layers.ReLU(max_value=6.0)
    ),
    "transposed": _flat(
        (4, 4, 2), lambda: layers.Conv2DTranspose(3, 3, strides=2), layers.UpSampling2D
    ),
    "causal": _stack(
        SERIES, lambda: layers.Conv1D(4, 3, padding="causal"), layers.GlobalMaxPooling1D
    ),
    "volume": _flat((5, 5, 5, 1), lambda: layers.Conv3D(2, 2), lambda: layers.MaxPooling3D(2)),
    "recurrent": _stack((5, 3), lambda: layers.SimpleRNN(4), lambda: layers.Dense(2)),
    "lstm": _stack((5, 3), lambda: layers.LSTM(4, return_sequences=True), lambda: layers.LSTM(3)),
    "gru": _stack((5, 3), lambda: layers.GRU(4, return_sequences=True), lambda: layers.GRU(3)),
    "attention": _attention,
    "residual": _residual,
}


@pytest.mark.keras
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("of", ["weights", "inputs"])
def test_the_gradient_of_a_model(name, of):
    keras.utils.set_random_seed(5)
    model = MODELS[name]()

    def gradients(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = model(x, training=False)
            loss = tf.reduce_mean(tf.reduce_sum(y * y, -1))
        slopes = tape.gradient(loss, [x] if of == "inputs" else model.trainable_variables)
        return loss, *slopes

    if of == "weights" and not model.trainable_variables:
        pytest.skip("the model has no weights")
    compare(gradients, [tf.TensorSpec([None, *model.input_shape[1:]])], [(1,), (2,), (7,)])
