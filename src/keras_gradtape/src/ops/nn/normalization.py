"""Means and variances, and normalization by them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.math.moments import moments as tf_moments
from gradtape.api.nn import nn
from gradtape.distribute.strategy.contexts import get_replica_context
from gradtape.graph.replicas import current_replica
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.promotion import common, inexact

__all__ = ["batch_normalization", "moments"]

_LARGEST = float(np.finfo(np.float16).max)


def moments(x, axes, keepdims=False, synchronized=False):
    """Return (mean, variance) over axes; `synchronized`: and over the batches of all replicas."""
    x = inexact(x)
    dtype = x.dtype
    if dtype.size < 4:
        x = ops.cast(x, "float32")  # the range of half precision is too small for squares
    if synchronized and current_replica() is not None:
        result = _moments_of_all(x, axes, keepdims)
    else:
        result = tf_moments(x, axes, keepdims=keepdims)
    if dtype is x.dtype:
        return result
    return tuple(ops.cast(ops.clip(y, -_LARGEST, _LARGEST), dtype) for y in result)


def _moments_of_all(x, axes, keepdims):
    mean = _mean_of_all(x, axes, keepdims=True)
    variance = _mean_of_all(ops.square(x - mean), axes, keepdims)
    return mean if keepdims else ops.reshape(mean, variance.shape), variance


def _mean_of_all(x, axes, keepdims):
    """Return the mean over axes and over replicas, whose batches may differ in size."""
    replica: Any = get_replica_context()  # there is one: `current_replica` says so
    total = ops.reduce_sum(x, axes, keepdims)
    count = math.prod(x.shape) / max(math.prod(total.shape), 1)
    total, count = replica.all_reduce("SUM", [total, ops.cast(count, x.dtype)])
    return ops.divide_no_nan(total, count)


def batch_normalization(x, mean, variance, axis, offset=None, scale=None, epsilon=1e-3):
    """Return x with its mean and variance taken away, scaled and shifted, for each index on an
    axis."""
    x = convert_to_tensor(x)
    mean, x = common(mean, x)
    shape = [1] * x.ndim
    shape[axis] = mean.shape[0]

    def spread(values):
        return None if values is None else ops.reshape(convert_to_tensor(values, x.dtype), shape)

    return nn.batch_normalization(
        x, spread(mean), spread(variance), spread(offset), spread(scale), epsilon
    )
