"""Means and variances: `tf.nn.moments` and related functions."""

from __future__ import annotations

import math

from gradtape import ops
from gradtape.api.export import export
from gradtape.core import dtypes
from gradtape.core.convert import to_tensor
from gradtape.core.tensor import Tensor


def _widen(x):
    """Return x in float32 if it is float16: sums of squares would overflow."""
    return ops.cast(x, "float32") if x.dtype is dtypes.float16 else x


@export("nn.moments")
def moments(x, axes, shift=None, keepdims=False, name=None) -> tuple[Tensor, Tensor]:
    """Return (mean, variance) over axes. `shift` is there for compatibility and has no effect."""
    x = to_tensor(x)
    if x.dtype.is_floating and x.dtype is not dtypes.float16:
        mean, variance = ops.moments(x, axes, keepdims)
        return mean, variance
    y = _widen(x)
    mean = ops.reduce_mean(y, axes, keepdims=True)
    variance = ops.reduce_mean(ops.square(y - mean), axes, keepdims)
    if not keepdims:
        mean = ops.reshape(mean, variance.shape)
    return ops.cast(mean, x.dtype), ops.cast(variance, x.dtype)


@export("nn.weighted_moments")
def weighted_moments(
    x, axes, frequency_weights, keepdims=False, name=None
) -> tuple[Tensor, Tensor]:
    """Return (mean, variance) over axes, elements counting as often as their weights say."""
    x = to_tensor(x)
    y = _widen(x)
    weights = ops.cast(to_tensor(frequency_weights), y.dtype)
    total = ops.reduce_sum(weights + ops.zeros_like(y), axes, keepdims=True)
    # Where all weights are 0 there is nothing to average: 0, by a divisor of 1.
    is_empty = ops.equal(total, 0)
    divisor = ops.where(is_empty, ops.ones_like(total), total)
    share = ops.where(is_empty, ops.zeros_like(total), 1 / divisor)
    mean = ops.reduce_sum(weights * y, axes, keepdims=True) * share
    variance = ops.reduce_sum(weights * ops.square(y - mean), axes, keepdims=True) * share
    if not keepdims:
        kept = ops.normalize_axes("weighted_moments", axes, len(y.shape))
        shape = [n for i, n in enumerate(mean.shape) if i not in kept]
        mean, variance = ops.reshape(mean, shape), ops.reshape(variance, shape)
    return ops.cast(mean, x.dtype), ops.cast(variance, x.dtype)


@export("nn.sufficient_statistics")
def sufficient_statistics(x, axes, shift=None, keepdims=False, name=None):
    """Return (count, sum, sum of squares, shift) over axes, of x - shift."""
    x = to_tensor(x)
    axes = ops.normalize_axes("sufficient_statistics", axes, len(x.shape))
    count = ops.cast(to_tensor(math.prod(tuple(x.shape)[a] for a in axes)), x.dtype)
    if shift is not None:
        shift = ops.operands("sufficient_statistics", x, shift)[1]
    distance = x if shift is None else x - shift
    total = ops.reduce_sum(distance, axes, keepdims)
    return count, total, ops.reduce_sum(ops.square(distance), axes, keepdims), shift


@export("nn.normalize_moments")
def normalize_moments(counts, mean_ss, variance_ss, shift, name=None) -> tuple[Tensor, Tensor]:
    """Return (mean, variance) from what `sufficient_statistics` gives."""
    share = 1 / to_tensor(counts)
    shifted_mean = mean_ss * share
    mean = shifted_mean if shift is None else shifted_mean + shift
    return mean, variance_ss * share - ops.square(shifted_mean)
