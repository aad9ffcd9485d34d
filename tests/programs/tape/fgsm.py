"""Adversarial examples with the fast gradient sign method, after a short training."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(17)
templates = rng.normal(size=(3, 8, 8, 1))
labels = rng.integers(0, 3, 90)
images = tf.constant(templates[labels] + 0.7 * rng.normal(size=(90, 8, 8, 1)), tf.float32)
one_hot = tf.one_hot(labels, 3)

kernel = tf.Variable(tf.constant(rng.normal(size=(3, 3, 1, 6)) * 0.4, tf.float32))
dense = tf.Variable(tf.constant(rng.normal(size=(96, 3)) * 0.1, tf.float32))


def model(x):
    x = tf.nn.tanh(tf.nn.conv2d(x, kernel, strides=1, padding="SAME"))
    x = tf.nn.max_pool2d(x, ksize=2, strides=2, padding="VALID")
    return tf.nn.softmax(tf.reshape(x, [-1, 96]) @ dense)


def categorical_crossentropy(label, prediction):
    return -tf.reduce_sum(label * tf.math.log(prediction + 1e-7), axis=-1)


losses = []
for _ in range(12):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(categorical_crossentropy(one_hot, model(images)))
    for v, g in zip((kernel, dense), tape.gradient(loss, (kernel, dense))):
        v.assign_sub(0.3 * g)
    losses.append(loss.numpy().item())


def create_adversarial_pattern(input_image, input_label):
    with tf.GradientTape() as tape:
        tape.watch(input_image)
        prediction = model(input_image)
        loss = categorical_crossentropy(input_label, prediction)
    gradient = tape.gradient(loss, input_image)
    return tf.sign(gradient)


perturbations = create_adversarial_pattern(images, one_hot)
attacked = {}
for epsilon in (0.0, 0.1, 0.3, 0.6):
    adversarial = images + epsilon * perturbations
    predictions = model(tf.clip_by_value(adversarial, -4, 4))
    correct = tf.equal(tf.argmax(predictions, 1), labels)
    attacked[str(epsilon)] = [
        tf.reduce_mean(tf.cast(correct, tf.float32)).numpy().item(),
        tf.reduce_mean(tf.reduce_sum(predictions * one_hot, 1)).numpy().item(),
    ]
print(json.dumps({"losses": losses, "attacked": attacked}))
