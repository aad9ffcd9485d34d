"""Cutout: a rectangle of each image is replaced by a constant (DeVries and Taylor 2017)."""

from __future__ import annotations

from typing import Any

import gradtape

tf: Any = gradtape


def cutout(images, mask_size, offset=(0, 0), constant_values=0):
    """Fill a rectangle of a size around an offset (row, column), the same for all images or one for
    each; what of it lies outside is cut off."""
    images = tf.convert_to_tensor(images)
    if images.shape.rank != 4:
        raise ValueError(
            "cutout: images should have shape [batch, height, width, channels], got "
            f"{images.shape}."
        )
    mask_size = tf.broadcast_to(tf.cast(mask_size, tf.int32), [2])
    if bool(tf.reduce_any(mask_size % 2 != 0)):
        raise ValueError(f"mask_size should be divisible by 2, got {mask_size.numpy().tolist()}.")
    batch, height, width, _ = images.shape
    offset = tf.broadcast_to(tf.reshape(tf.cast(offset, tf.int32), (-1, 2)), (batch, 2))
    low, high = offset - mask_size // 2, offset + mask_size // 2
    rows = tf.range(height)[None]
    columns = tf.range(width)[None]
    inside_rows = (rows >= low[:, :1]) & (rows < high[:, :1])
    inside_columns = (columns >= low[:, 1:]) & (columns < high[:, 1:])
    mask = inside_rows[:, :, None, None] & inside_columns[:, None, :, None]
    return tf.where(mask, tf.cast(constant_values, images.dtype), images)


def random_cutout(images, mask_size, constant_values=0, seed=None):
    """Fill a rectangle of a size at a random place of each image."""
    images = tf.convert_to_tensor(images)
    batch, height, width, _ = images.shape
    rows = tf.random.uniform([batch], 0, height, tf.int32, seed)
    columns = tf.random.uniform([batch], 0, width, tf.int32, seed)
    return cutout(images, mask_size, tf.stack([rows, columns], axis=1), constant_values)
