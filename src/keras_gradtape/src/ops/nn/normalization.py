"""Means and variances, and normalization by them."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api import nn
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.promotion import common, inexact

__all__ = ["batch_normalization", "moments"]

_LARGEST = float(np.finfo(np.float16).max)


def moments(x, axes, keepdims=False, synchronized=False):
    """(mean, variance) over axes."""
    if synchronized:
        raise NotImplementedError("Argument synchronized=True is not supported with gradtape.")
    x = inexact(x)
    dtype = x.dtype
    if dtype.size < 4:
        x = ops.cast(x, "float32")  # the range of half precision is too small for squares
    mean = ops.reduce_mean(x, axes, keepdims=True)
    distance = x - mean
    variance = ops.reduce_mean(ops.square(distance), axes, keepdims)
    if not keepdims:
        mean = ops.reshape(mean, variance.shape)
    if dtype is x.dtype:
        return mean, variance
    return tuple(ops.cast(ops.clip(y, -_LARGEST, _LARGEST), dtype) for y in (mean, variance))


def batch_normalization(x, mean, variance, axis, offset=None, scale=None, epsilon=1e-3):
    """x with its mean and variance taken away, scaled and shifted, for each place on an axis."""
    x = convert_to_tensor(x)
    mean, x = common(mean, x)
    shape = [1] * x.ndim
    shape[axis] = mean.shape[0]

    def spread(values):
        return None if values is None else ops.reshape(convert_to_tensor(values, x.dtype), shape)

    return nn.batch_normalization(
        x, spread(mean), spread(variance), spread(offset), spread(scale), epsilon
    )
