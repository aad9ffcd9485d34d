"""Augmentation inside a tf.data pipeline: rotate, translate, blur, shear by a transform, cutout."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa

rng = np.random.RandomState(9)
images = rng.rand(6, 10, 12, 3).astype(np.float32)
angles = rng.uniform(-0.5, 0.5, 6).astype(np.float32)


def augment(image, angle):
    image = tfa.image.rotate(image, angle, interpolation="BILINEAR")
    image = tfa.image.translate(image, [1.0, -2.0], interpolation="nearest")
    return tfa.image.gaussian_filter2d(image, filter_shape=(3, 3), sigma=0.8)


dataset = tf.data.Dataset.from_tensor_slices((images, angles)).map(augment).batch(3)
sums = [float(tf.reduce_sum(batch)) for batch in dataset]
batch = next(iter(dataset))

shear = tfa.image.transform(
    images[0], [1.0, 0.2, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], fill_mode="reflect"
)
nearest = tfa.image.rotate(images[:2], np.pi / 2, fill_mode="constant", fill_value=0.5)
median = tfa.image.median_filter2d(images[0], 3)
mean = tfa.image.mean_filter2d(images[0], (3, 5))
cut = tfa.image.cutout(tf.constant(images[:2]), (4, 4), offset=(4, 6), constant_values=1.0)
flow = np.stack(np.meshgrid(np.ones(10), np.ones(12) * 0.5, indexing="ij"), -1)[None].astype("f")
with tf.GradientTape() as tape:
    flow_v = tf.Variable(flow)
    warped = tfa.image.dense_image_warp(tf.constant(images[:1]), flow_v)
    loss = tf.reduce_mean(warped**2)
slope = tape.gradient(loss, flow_v)
print(
    json.dumps(
        {
            "sums": sums,
            "pixel": batch[1, 4, 5].numpy().tolist(),
            "shear": shear[3, :4, 0].numpy().tolist(),
            "nearest": float(tf.reduce_sum(nearest)),
            "median": median[2, 2].numpy().tolist(),
            "mean": mean[0, 0].numpy().tolist(),
            "cut": float(tf.reduce_sum(cut)),
            "warped": warped[0, 3, 3].numpy().tolist(),
            "slope": slope[0, 2, 2].numpy().tolist(),
        }
    )
)
