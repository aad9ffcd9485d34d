"""DeepDream: gradient ascent on activations, random rolls, octaves by resizing the image."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(5)
rng = np.random.default_rng(5)
KERNELS = [
    tf.constant(rng.normal(size=shape) * np.sqrt(2 / np.prod(shape[:3])), tf.float32)
    for shape in [(3, 3, 3, 8), (3, 3, 8, 8)]
]


def activations(image):
    x, layers = image, []
    for kernel in KERNELS:
        x = tf.nn.elu(tf.nn.conv2d(x, kernel, strides=[1, 2, 2, 1], padding="SAME"))
        layers.append(x)
    return layers


def calc_loss(image):
    image_batch = tf.expand_dims(image, axis=0)
    return tf.reduce_sum([tf.math.reduce_mean(act) for act in activations(image_batch)])


def gradient_ascent_step(image, step_size):
    with tf.GradientTape() as tape:
        tape.watch(image)
        loss = calc_loss(image)
    gradients = tape.gradient(loss, image)
    gradients /= tf.math.reduce_std(gradients) + 1e-8
    image = image + gradients * step_size
    return loss, tf.clip_by_value(image, -1, 1)


def random_roll(img, maxroll):
    shift = tf.random.uniform(shape=[2], minval=-maxroll, maxval=maxroll, dtype=tf.int32)
    return shift, tf.roll(img, shift=shift, axis=[0, 1])


@tf.function
def tiled_step(image):
    with tf.GradientTape() as tape:
        tape.watch(image)
        loss = tf.constant(0.0)
        for x in (0, 8):
            for y in (0, 8):
                loss += calc_loss(image[x : x + 8, y : y + 8])
    return loss, tape.gradient(loss, image)


u, v = np.meshgrid(np.linspace(-1, 1, 20), np.linspace(-1, 1, 20))
image = tf.constant(0.5 * np.stack([u * v, np.sin(3 * u), np.cos(3 * v)], -1), tf.float32)
losses, shifts = [], []
for octave in range(2):
    if octave:
        image = tf.image.resize(image, (26, 26))
    for _ in range(4):
        shift, rolled = random_roll(image, 6)
        loss, rolled = gradient_ascent_step(rolled, tf.constant(0.05))
        image = tf.roll(rolled, -shift, axis=[0, 1])
        shifts.append(shift.numpy().tolist())
        losses.append(loss.numpy().item())
tiled_loss, gradients = tiled_step(image)
print(
    json.dumps(
        {
            "losses": losses,
            "shifts": shifts,
            "tiled": tiled_loss.numpy().item(),
            "gradient": tf.norm(gradients).numpy().item(),
            "pixels": image[::9, ::9, 0].numpy().tolist(),
        }
    )
)
