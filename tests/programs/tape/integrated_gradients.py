"""Integrated gradients: interpolated inputs, batched gradients, the trapezoidal sum."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(21)
first = tf.constant(rng.normal(size=(3, 3, 3, 8)) * 0.3, tf.float32)
second = tf.constant(rng.normal(size=(6 * 6 * 8, 5)) * 0.1, tf.float32)


def model(images):
    x = tf.nn.relu(tf.nn.conv2d(images, first, strides=2, padding="SAME"))
    return tf.reshape(x, [tf.shape(x)[0], -1]) @ second


def interpolate_images(baseline, image, alphas):
    alphas_x = alphas[:, tf.newaxis, tf.newaxis, tf.newaxis]
    baseline_x = tf.expand_dims(baseline, axis=0)
    input_x = tf.expand_dims(image, axis=0)
    delta = input_x - baseline_x
    return baseline_x + alphas_x * delta


def compute_gradients(images, target_class_idx):
    with tf.GradientTape() as tape:
        tape.watch(images)
        logits = model(images)
        probs = tf.nn.softmax(logits, axis=-1)[:, target_class_idx]
    return tape.gradient(probs, images)


def integral_approximation(gradients):
    grads = (gradients[:-1] + gradients[1:]) / tf.constant(2.0)
    return tf.math.reduce_mean(grads, axis=0)


@tf.function
def one_batch(baseline, image, alpha_batch, target_class_idx):
    batch = interpolate_images(baseline=baseline, image=image, alphas=alpha_batch)
    return compute_gradients(images=batch, target_class_idx=target_class_idx)


def integrated_gradients(baseline, image, target_class_idx, m_steps=48, batch_size=16):
    alphas = tf.linspace(start=0.0, stop=1.0, num=m_steps + 1)
    gradient_batches = []
    for alpha in tf.range(0, len(alphas), batch_size):
        from_ = alpha
        to = tf.minimum(from_ + batch_size, len(alphas))
        alpha_batch = alphas[from_:to]
        gradient_batches.append(one_batch(baseline, image, alpha_batch, target_class_idx))
    total_gradients = tf.concat(gradient_batches, axis=0)
    avg_gradients = integral_approximation(gradients=total_gradients)
    return (image - baseline) * avg_gradients


image = tf.constant(rng.uniform(0, 1, (12, 12, 3)), tf.float32)
baseline = tf.zeros(shape=(12, 12, 3))
target = int(tf.argmax(model(image[tf.newaxis]), axis=-1)[0])
attributions = integrated_gradients(baseline, image, target)
mask = tf.reduce_sum(tf.math.abs(attributions), axis=-1)
score = tf.nn.softmax(model(image[tf.newaxis]))[0, target]
base_score = tf.nn.softmax(model(baseline[tf.newaxis]))[0, target]
delta = tf.reduce_sum(attributions) - (score - base_score)
print(
    json.dumps(
        {
            "target": target,
            "score": score.numpy().item(),
            "sum": tf.reduce_sum(attributions).numpy().item(),
            "complete": bool(abs(delta) < 5e-3),
            "mask": mask[::4, ::4].numpy().tolist(),
            "top": tf.math.top_k(tf.reshape(mask, [-1]), k=5).indices.numpy().tolist(),
        }
    )
)
