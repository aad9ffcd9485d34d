"""Neural style: Gram matrices by einsum, total variation, an image as the only variable."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(31)
filters = [
    tf.constant(rng.normal(scale=0.4, size=s), tf.float32) for s in ((3, 3, 3, 6), (3, 3, 6, 8))
]
content_image = tf.constant(rng.random((1, 12, 12, 3)), tf.float32)
style_image = tf.constant(rng.random((1, 12, 12, 3)) ** 2, tf.float32)


def features(image):
    x, outputs = image * 2.0 - 1.0, []
    for f in filters:
        x = tf.nn.relu(tf.nn.conv2d(x, f, strides=1, padding="SAME"))
        outputs.append(x)
        x = tf.nn.avg_pool2d(x, 2, 2, "SAME")
    return outputs


def gram_matrix(t):
    result = tf.linalg.einsum("bijc,bijd->bcd", t, t)
    shape = tf.shape(t)
    return result / tf.cast(shape[1] * shape[2], tf.float32)


style_targets = [gram_matrix(f) for f in features(style_image)]
content_target = features(content_image)[-1]
image = tf.Variable(content_image)
m, v = tf.Variable(tf.zeros_like(image)), tf.Variable(tf.zeros_like(image))


@tf.function
def train_step(step):
    with tf.GradientTape() as tape:
        outputs = features(image)
        style_loss = tf.add_n(
            [tf.reduce_mean((gram_matrix(o) - t) ** 2) for o, t in zip(outputs, style_targets)]
        )
        content_loss = tf.reduce_mean((outputs[-1] - content_target) ** 2)
        loss = (
            style_loss + 0.5 * content_loss + 1e-4 * tf.reduce_sum(tf.image.total_variation(image))
        )
    grad = tape.gradient(loss, image)
    m.assign(0.99 * m + 0.01 * grad)
    v.assign(0.999 * v + 0.001 * grad**2)
    update = (m / (1 - 0.99**step)) / (tf.sqrt(v / (1 - 0.999**step)) + 1e-1)
    image.assign(tf.clip_by_value(image - 0.05 * update, 0.0, 1.0))
    return loss, style_loss


log = [[float(x) for x in train_step(tf.constant(float(k)))] for k in range(1, 7)]
dy, dx = tf.image.image_gradients(image)
edges = tf.image.sobel_edges(image)
print(
    json.dumps(
        {
            "log": log,
            "roughness": float(tf.reduce_mean(tf.abs(dy)) + tf.reduce_mean(tf.abs(dx))),
            "edges": edges[0, 5, 5].numpy().tolist(),
        }
    )
)
