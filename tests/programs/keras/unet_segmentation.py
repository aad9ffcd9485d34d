"""Segmentation with a U-Net: a data pipeline with augmentation, fit, class weights, predictions."""

import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(29)
rng = np.random.default_rng(29)
SIZE, CLASSES = 16, 3
images = rng.uniform(size=(24, SIZE, SIZE, 3)).astype(np.float32)
masks = (images.sum(-1, keepdims=True) > 1.4).astype(np.int32) + (images[..., :1] > 0.8)


def load_image(datapoint):
    input_image = tf.image.resize(datapoint["image"], (8, 8))
    input_mask = tf.image.resize(
        datapoint["segmentation_mask"], (8, 8), method=tf.image.ResizeMethod.NEAREST_NEIGHBOR
    )
    return tf.cast(input_image, tf.float32), tf.clip_by_value(input_mask, 0, CLASSES - 1)


class Augment(tf.keras.layers.Layer):
    def __init__(self, seed=42):
        super().__init__()
        self.augment_inputs = tf.keras.layers.RandomFlip(mode="horizontal", seed=seed)
        self.augment_labels = tf.keras.layers.RandomFlip(mode="horizontal", seed=seed)

    def call(self, inputs, labels):
        return self.augment_inputs(inputs), self.augment_labels(labels)


raw = tf.data.Dataset.from_tensor_slices({"image": images, "segmentation_mask": masks})
dataset = raw.map(load_image, num_parallel_calls=tf.data.AUTOTUNE)
train_batches = dataset.take(16).cache().batch(8).prefetch(tf.data.AUTOTUNE)
test_batches = dataset.skip(16).batch(4)


def down(filters, x):
    x = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    skip = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return skip, tf.keras.layers.MaxPool2D()(skip)


def up(filters, x, skip):
    x = tf.keras.layers.UpSampling2D(interpolation="bilinear")(x)
    x = tf.keras.layers.concatenate([x, skip])
    return tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)


inputs = tf.keras.layers.Input(shape=[8, 8, 3])
skip_1, x = down(6, inputs)
skip_2, x = down(8, x)
x = tf.keras.layers.SeparableConv2D(12, 3, padding="same", activation="swish")(x)
x = tf.keras.layers.SpatialDropout2D(0.0)(x)
x = up(8, x, skip_2)
x = up(6, x, skip_1)
outputs = tf.keras.layers.Conv2D(CLASSES, 1, padding="same")(x)
model = tf.keras.Model(inputs=inputs, outputs=outputs)
model.compile(
    optimizer=tf.keras.optimizers.Adam(0.01),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=[
        "accuracy",
        tf.keras.metrics.MeanIoU(CLASSES, sparse_y_true=True, sparse_y_pred=False, name="iou"),
    ],
)


shown = []


class Shown(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        shown.append(sorted(logs))


history = model.fit(
    train_batches, epochs=3, validation_data=test_batches, callbacks=[Shown()], verbose=0
)


def add_sample_weights(image, label):
    class_weights = tf.constant([2.0, 2.0, 1.0])
    class_weights = class_weights / tf.reduce_sum(class_weights)
    return image, label, tf.gather(class_weights, indices=tf.cast(label, tf.int32))


weighted = model.fit(train_batches.map(add_sample_weights), epochs=1, verbose=0)
pred_mask = tf.argmax(model.predict(test_batches, verbose=0), axis=-1)[..., tf.newaxis]
image, mask = next(iter(test_batches))
flipped, flipped_mask = Augment()(image, mask)
with tf.GradientTape() as tape:
    tape.watch(image)
    score = tf.reduce_sum(model(image)[..., 1])
saliency = tf.reduce_max(tf.abs(tape.gradient(score, image)), axis=-1)
print(
    json.dumps(
        {
            "loss": history.history["loss"],
            "val_loss": history.history["val_loss"],
            "iou": history.history["iou"],
            "logs": shown[0],
            "weighted": weighted.history["loss"],
            "predicted": list(pred_mask.shape),
            "saliency": saliency.numpy()[0, 0].tolist(),
            "same_flips": bool(tf.reduce_all(tf.cast(flipped_mask, tf.int32) < CLASSES)),
            "parameters": model.count_params(),
        }
    )
)
