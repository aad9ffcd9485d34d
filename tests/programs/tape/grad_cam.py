"""Grad-CAM: the gradient of a class score with respect to the last feature map, as weights."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(31)


class Net(tf.Module):
    def __init__(self):
        super().__init__(name="net")
        self.c1 = tf.Variable(rng.normal(size=(3, 3, 3, 8)) * 0.3, dtype=tf.float32)
        self.c2 = tf.Variable(rng.normal(size=(3, 3, 8, 12)) * 0.2, dtype=tf.float32)
        self.depth = tf.Variable(rng.normal(size=(3, 3, 12, 1)) * 0.3, dtype=tf.float32)
        self.head = tf.Variable(rng.normal(size=(12, 4)) * 0.5, dtype=tf.float32)

    def features(self, x):
        x = tf.nn.relu(tf.nn.conv2d(x, self.c1, strides=1, padding="SAME"))
        x = tf.nn.max_pool2d(x, 2, 2, "VALID")
        x = tf.nn.relu6(tf.nn.conv2d(x, self.c2, strides=1, padding="SAME"))
        return tf.nn.depthwise_conv2d(x, self.depth, strides=[1, 1, 1, 1], padding="SAME")

    def classify(self, features):
        pooled = tf.reduce_mean(tf.nn.swish(features), axis=[1, 2])
        return pooled @ self.head


def make_gradcam_heatmap(image, model, pred_index=None):
    with tf.GradientTape() as tape:
        last_conv = model.features(image)
        tape.watch(last_conv)
        preds = model.classify(last_conv)
        if pred_index is None:
            pred_index = tf.argmax(preds[0])
        class_channel = preds[:, pred_index]
    grads = tape.gradient(class_channel, last_conv)
    pooled_grads = tf.reduce_mean(grads, axis=(0, 1, 2))
    heatmap = last_conv[0] @ pooled_grads[..., tf.newaxis]
    heatmap = tf.squeeze(heatmap)
    heatmap = tf.maximum(heatmap, 0) / tf.math.reduce_max(heatmap)
    return heatmap, int(pred_index), preds


@tf.custom_gradient
def guided_relu(x):
    def backward(dy):
        return tf.cast(dy > 0, tf.float32) * tf.cast(x > 0, tf.float32) * dy

    return tf.nn.relu(x), backward


model = Net()
image = tf.constant(rng.uniform(0, 1, (1, 16, 16, 3)), tf.float32)
heatmap, index, preds = make_gradcam_heatmap(image, model)
other, _, _ = make_gradcam_heatmap(image, model, pred_index=0)

with tf.GradientTape() as tape:
    tape.watch(image)
    x = guided_relu(tf.nn.conv2d(image, model.c1, strides=1, padding="SAME"))
    x = guided_relu(tf.nn.conv2d(x, model.c2, strides=2, padding="VALID"))
    score = tf.reduce_sum(x[..., 3])
guided = tape.gradient(score, image)

print(
    json.dumps(
        {
            "index": index,
            "preds": preds.numpy().tolist(),
            "heatmap": heatmap[::2, ::2].numpy().tolist(),
            "other": tf.reduce_sum(other).numpy().item(),
            "guided": guided[0, ::5, ::5, 0].numpy().tolist(),
        }
    )
)
