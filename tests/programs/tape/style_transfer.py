"""Style transfer: content and style (Gram matrix) losses of a fixed network, optimized image."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
KERNELS = [
    tf.constant(rng.normal(size=shape) * np.sqrt(2 / np.prod(shape[:3])), tf.float32)
    for shape in [(3, 3, 3, 8), (3, 3, 8, 12), (3, 3, 12, 16)]
]


def picture(frequency, phase):
    u, v = np.meshgrid(np.linspace(0, 1, 24), np.linspace(0, 1, 24))
    channels = [np.sin(2 * np.pi * (frequency * u + c * v) + phase) for c in (1, 2, 3)]
    return tf.constant(0.5 + 0.4 * np.stack(channels, -1)[None], tf.float32)


content_image, style_image = picture(1, 0.0), picture(4, 1.0)


def features(image):
    x, outputs = image * 2.0 - 1.0, []
    for kernel in KERNELS:
        x = tf.nn.softplus(tf.nn.conv2d(x, kernel, strides=1, padding="SAME"))
        outputs.append(x)
        x = tf.nn.avg_pool2d(x, ksize=2, strides=2, padding="SAME")
    return outputs


def gram_matrix(input_tensor):
    result = tf.linalg.einsum("bijc,bijd->bcd", input_tensor, input_tensor)
    input_shape = tf.shape(input_tensor)
    num_locations = tf.cast(input_shape[1] * input_shape[2], tf.float32)
    return result / num_locations


def high_pass_x_y(image):
    x_var = image[:, :, 1:, :] - image[:, :, :-1, :]
    y_var = image[:, 1:, :, :] - image[:, :-1, :, :]
    return x_var, y_var


def total_variation_loss(image):
    x_deltas, y_deltas = high_pass_x_y(image)
    return tf.reduce_sum(tf.square(x_deltas)) + tf.reduce_sum(tf.square(y_deltas))


style_targets = [gram_matrix(f) for f in features(style_image)]
content_target = features(content_image)[-1]


def style_content_loss(image):
    outputs = features(image)
    style_loss = tf.add_n(
        [tf.reduce_mean((gram_matrix(f) - t) ** 2) for f, t in zip(outputs, style_targets)]
    )
    content_loss = tf.reduce_mean((outputs[-1] - content_target) ** 2)
    return 5.0 * style_loss / 3 + 1.0 * content_loss


def clip_0_1(image):
    return tf.clip_by_value(image, clip_value_min=0.0, clip_value_max=1.0)


@tf.function()
def train_step(image):
    with tf.GradientTape() as tape:
        loss = style_content_loss(image)
        loss += 1e-3 * total_variation_loss(image)
    grad = tape.gradient(loss, image)
    image.assign(clip_0_1(image - 4.0 * grad))
    return loss


image = tf.Variable(content_image)
losses = [train_step(image).numpy().item() for _ in range(10)]
result = image.numpy()
print(
    json.dumps(
        {
            "losses": losses,
            "pixels": result[0, ::8, ::8, 1].tolist(),
            "variation": total_variation_loss(image).numpy().item(),
        }
    )
)
