"""A tf.data pipeline: parse, augment, shuffle with a seed, mixup by zip, prefetch; then train."""

import json

import numpy as np
import tensorflow as tf

AUTOTUNE = tf.data.experimental.AUTOTUNE
rng = np.random.default_rng(3)
images = rng.integers(0, 256, (24, 6, 6, 3)).astype(np.uint8)
labels = rng.integers(0, 3, 24)


def parse(image, label):
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tf.image.per_image_standardization(image)
    return image, tf.one_hot(label, 3)


def augment(image, label):
    image = tf.image.flip_left_right(image)
    image = tf.image.resize(tf.image.central_crop(image, 0.67), (6, 6))
    image = tf.image.adjust_contrast(image, 1.2)
    return image, label


def mix_up(one, two):
    (images_one, labels_one), (images_two, labels_two) = one, two
    lam = tf.constant(np.linspace(0.2, 0.8, 8), tf.float32)
    x = tf.reshape(lam, (8, 1, 1, 1))
    y = tf.reshape(lam, (8, 1))
    return images_one * x + images_two * (1 - x), labels_one * y + labels_two * (1 - y)


base = tf.data.Dataset.from_tensor_slices((images, labels)).map(parse, num_parallel_calls=AUTOTUNE)
one = base.shuffle(24, seed=1, reshuffle_each_iteration=False).batch(8, drop_remainder=True)
two = base.map(augment).shuffle(24, seed=2, reshuffle_each_iteration=False).batch(8, True)
train = tf.data.Dataset.zip((one, two)).map(mix_up).cache().prefetch(AUTOTUNE)

w = tf.Variable(rng.normal(scale=0.05, size=(6 * 6 * 3, 3)).astype(np.float32))
b = tf.Variable(tf.zeros(3))
log = []
for epoch in range(3):
    for step, (x, y) in train.enumerate():
        with tf.GradientTape() as tape:
            logits = tf.reshape(x, [8, -1]) @ w + b
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(y, logits))
        gw, gb = tape.gradient(loss, (w, b))
        w.assign_sub(0.02 * gw)
        b.assign_sub(0.02 * gb)
        log.append(float(loss))
totals = base.reduce(tf.zeros(3), lambda s, row: s + row[1])
windows = [
    w_.numpy().tolist()
    for w_ in tf.data.Dataset.range(7)
    .window(3, 2, drop_remainder=True)
    .flat_map(lambda d: d.batch(3))
]
print(
    json.dumps(
        {
            "log": log,
            "totals": totals.numpy().tolist(),
            "windows": windows,
            "steps": int(step),
            "batches": int(train.cardinality()),
        }
    )
)
