"""Boxes by regression with GIoU loss, pinball loss for their size, group normalization."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa

rng = np.random.RandomState(33)
images = np.zeros((16, 8, 8, 1), "float32")
boxes = np.zeros((16, 4), "float32")
for i in range(16):
    y0, x0 = rng.randint(0, 4, 2)
    h, w = rng.randint(2, 5, 2)
    images[i, y0 : y0 + h, x0 : x0 + w] = 1.0
    boxes[i] = np.array([y0, x0, y0 + h, x0 + w]) / 8.0


class Detector(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = tf.keras.layers.Conv2D(8, 3, strides=2, padding="same")
        self.norm = tfa.layers.GroupNormalization(groups=4, axis=3)
        self.head = tf.keras.layers.Dense(4)

    def call(self, x, training=False):
        x = tf.nn.relu(self.norm(self.conv(x)))
        out = self.head(tf.reshape(x, [tf.shape(x)[0], -1]))
        center, size = tf.sigmoid(out[:, :2]), tf.nn.softplus(out[:, 2:]) * 0.5
        return tf.concat([center - size / 2, center + size / 2], axis=-1)


detector = Detector()
detector(images)
detector.set_weights(
    [w if w.ndim < 2 else rng.normal(0, 0.2, w.shape) for w in detector.get_weights()]
)
giou = tfa.losses.GIoULoss()
opt = tf.keras.optimizers.Adam(5e-3)
log = []
for _ in range(5):
    with tf.GradientTape() as tape:
        pred = detector(images, training=True)
        size_loss = tfa.losses.pinball_loss(
            boxes[:, 2:] - boxes[:, :2], pred[:, 2:] - pred[:, :2], tau=0.7
        )
        loss = giou(boxes, pred) + 0.1 * tf.reduce_mean(size_loss)
    grads = tape.gradient(loss, detector.trainable_weights)
    opt.apply_gradients(zip(grads, detector.trainable_weights))
    log.append(float(loss))
iou = 1 - tfa.losses.giou_loss(boxes, detector(images), mode="iou")
print(json.dumps({"log": log, "iou": iou.numpy().tolist()}))
