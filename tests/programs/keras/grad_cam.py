"""Grad-CAM on a functional model: a second model that also returns the last convolution."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(15)
rng = np.random.default_rng(15)
inputs = keras.Input((16, 16, 3))
x = keras.layers.Conv2D(8, 3, activation="relu", padding="same", name="block1")(inputs)
x = keras.layers.MaxPooling2D()(x)
x = keras.layers.SeparableConv2D(12, 3, activation="relu", padding="same", name="block2")(x)
x = keras.layers.GlobalAveragePooling2D()(x)
outputs = keras.layers.Dense(5, activation="softmax", name="predictions")(x)
model = keras.Model(inputs, outputs)


def make_gradcam_heatmap(img_array, model, last_conv_layer_name, pred_index=None):
    grad_model = keras.models.Model(
        model.inputs, [model.get_layer(last_conv_layer_name).output, model.output]
    )
    with tf.GradientTape() as tape:
        last_conv_layer_output, preds = grad_model(img_array)
        if pred_index is None:
            pred_index = tf.argmax(preds[0])
        class_channel = preds[:, pred_index]
    grads = tape.gradient(class_channel, last_conv_layer_output)
    pooled_grads = tf.reduce_mean(grads, axis=(0, 1, 2))
    last_conv_layer_output = last_conv_layer_output[0]
    heatmap = last_conv_layer_output @ pooled_grads[..., tf.newaxis]
    heatmap = tf.squeeze(heatmap)
    heatmap = tf.maximum(heatmap, 0) / tf.math.reduce_max(heatmap)
    return heatmap.numpy(), preds


image = rng.random((1, 16, 16, 3)).astype("float32")
model.layers[-1].activation = None
heatmap, preds = make_gradcam_heatmap(image, model, "block2")

# Saliency: the gradient with respect to the pixels.
pixels = tf.Variable(image)
with tf.GradientTape() as tape:
    score = model(pixels)[0, int(np.argmax(preds))]
saliency = tf.reduce_max(tf.abs(tape.gradient(score, pixels)), axis=-1)
print(
    json.dumps(
        {
            "predictions": preds.numpy().tolist(),
            "heatmap": heatmap[::3, ::3].tolist(),
            "saliency": saliency[0, ::6, ::6].numpy().tolist(),
            "layers": [type(layer).__name__ for layer in model.layers],
        }
    )
)
