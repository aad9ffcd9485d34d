"""Projective transforms: rotation, translation, and any by its eight coefficients.

With coefficients (a0, a1, a2, b0, b1, b2, c0, c1), the output at (x, y) is the input at
((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k), k = c0 x + c1 y + 1: the definition of
TensorFlow's op ImageProjectiveTransformV3.
"""

from __future__ import annotations

from typing import Any

import gradtape
import gradtape.addons.keras  # loads Keras with its backend, before a part of the backend is asked
from gradtape.addons.image.batches import as_batch
from keras_gradtape.src.ops.image.sampling import (
    check_fill_mode,
    check_interpolation,
    sample_images,
)

tf: Any = gradtape


def transform(
    images,
    transforms,
    interpolation: str = "nearest",
    fill_mode: str = "constant",
    output_shape=None,
    name=None,
    fill_value=0.0,
):
    """Apply transforms of shape [8] or [batch, 8] to images."""
    interpolation, fill_mode = interpolation.lower(), fill_mode.lower()
    check_interpolation(interpolation)
    check_fill_mode(fill_mode)
    images, undo = as_batch(images, "transform")
    transforms = tf.cast(tf.convert_to_tensor(transforms), tf.float32)
    if transforms.shape.rank not in (1, 2) or transforms.shape[-1] != 8:
        raise TypeError(
            "transform: transforms should have shape [8] or [number of images, 8], got "
            f"{transforms.shape}."
        )
    coefficients = [c[..., None] for c in tf.unstack(tf.reshape(transforms, (-1, 8, 1)), axis=1)]
    a0, a1, a2, b0, b1, b2, c0, c1 = coefficients
    batch = images.shape[0]
    sizes = images.shape[1:3] if output_shape is None else output_shape
    height, width = (int(size) for size in sizes)
    y = tf.reshape(tf.range(height, dtype=tf.float32), (height, 1))
    x = tf.range(width, dtype=tf.float32)
    k = c0 * x + c1 * y + 1
    rows, columns = (b0 * x + b1 * y + b2) / k, (a0 * x + a1 * y + a2) / k
    # A point at infinity (k = 0) is filled.
    rows, columns = (tf.where(k == 0, -1e6, p) for p in (rows, columns))
    if fill_mode in ("reflect", "wrap"):
        inside = _reflected if fill_mode == "reflect" else _wrapped
        rows, columns = inside(rows, images.shape[1]), inside(columns, images.shape[2])
        fill_mode = "nearest"
    rows, columns = (tf.broadcast_to(p, (batch, height, width)) for p in (rows, columns))
    return undo(sample_images(images, rows, columns, interpolation, fill_mode, fill_value))


def _reflected(position, size: int):
    """Return positions mirrored at the edges, abc|cba, into a row of a size."""
    beyond = 2 * size
    negative = position + beyond * tf.floor(-position / beyond)
    negative = tf.where(negative < -size, negative + beyond, -negative - 1)
    positive = position - beyond * tf.floor(position / beyond)
    positive = tf.where(positive >= size, beyond - positive - 1, positive)
    below = tf.where(position > size - 1, positive, position)
    return tf.clip_by_value(tf.where(position < 0, negative, below), 0, size - 1)


def _wrapped(position, size: int):
    """Return positions continued periodically, abc|abc, into a row of a size."""
    last = max(size - 1, 1)
    negative = position + size * (tf.floor(-position / last) + 1)
    positive = position - size * tf.floor(position / last)
    below = tf.where(position > size - 1, positive, position)
    return tf.clip_by_value(tf.where(position < 0, negative, below), 0, size - 1)


def rotate(
    images, angles, interpolation="nearest", fill_mode="constant", name=None, fill_value=0.0
):
    """Rotate images counterclockwise, by angles in radians, about their centers."""
    batch, undo = as_batch(images, "rotate")
    height, width = batch.shape[1:3]
    transforms = angles_to_projective_transforms(angles, height, width)
    return undo(transform(batch, transforms, interpolation, fill_mode, None, None, fill_value))


def translate(
    images, translations, interpolation="nearest", fill_mode="constant", name=None, fill_value=0.0
):
    """Move images by [dx, dy], one vector for all or one for each."""
    transforms = translations_to_projective_transforms(translations)
    return transform(images, transforms, interpolation, fill_mode, None, None, fill_value)


def angles_to_projective_transforms(angles, image_height, image_width, name=None):
    """Return the transforms that rotate images of a size by angles in radians."""
    angles = tf.reshape(tf.cast(tf.convert_to_tensor(angles), tf.float32), [-1])
    height = tf.cast(image_height, tf.float32) - 1
    width = tf.cast(image_width, tf.float32) - 1
    cos, sin = tf.cos(angles), tf.sin(angles)
    x = (width - (cos * width - sin * height)) / 2
    y = (height - (sin * width + cos * height)) / 2
    zero = tf.zeros_like(cos)
    return tf.stack([cos, -sin, x, sin, cos, y, zero, zero], axis=1)


def translations_to_projective_transforms(translations, name=None):
    """Return the transforms that move images by vectors [dx, dy]."""
    translations = tf.cast(tf.convert_to_tensor(translations), tf.float32)
    translations = tf.reshape(translations, (-1, 2))
    dx, dy = translations[:, 0], translations[:, 1]
    one, zero = tf.ones_like(dx), tf.zeros_like(dx)
    return tf.stack([one, zero, -dx, zero, one, -dy, zero, zero], axis=1)


def flat_transforms_to_matrices(transforms, name=None):
    """Return transforms [batch, 8] as matrices [batch, 3, 3], whose last entry is 1."""
    transforms = tf.reshape(tf.convert_to_tensor(transforms), (-1, 8))
    last = tf.ones_like(transforms[:, :1])
    return tf.reshape(tf.concat([transforms, last], axis=1), (-1, 3, 3))


def matrices_to_flat_transforms(transform_matrices, name=None):
    """Return matrices [batch, 3, 3] as transforms [batch, 8]: divided by their last entries."""
    flat = tf.reshape(tf.convert_to_tensor(transform_matrices), (-1, 9))
    return (flat / flat[:, 8:])[:, :8]


def compose_transforms(transforms, name=None):
    """Return the transform that applies a list of transforms, one after the other."""
    composed = None
    for each in transforms:
        matrix = flat_transforms_to_matrices(each)
        composed = matrix if composed is None else tf.matmul(composed, matrix)
    return matrices_to_flat_transforms(composed)
