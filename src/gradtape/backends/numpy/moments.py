"""Means and variances, and (x - mean) · factor · scale + offset with its gradient."""

from __future__ import annotations

import numpy as np

from gradtape.backends.numpy.reduce import reduce_mean, reduce_sum
from gradtape.backends.precision import in_float32


@in_float32
def moments(x, axis, keepdims):
    mean = reduce_mean(x, axis, True)
    distance = x - mean
    distance *= distance
    variance = reduce_mean(distance, axis, keepdims)
    return mean if keepdims else np.reshape(mean, np.shape(variance))[()], variance


@in_float32
def rescale(x, mean, factor, scale, offset):
    y = x - mean
    slope = factor * scale
    if np.size(slope) < np.size(x):
        y *= slope
    else:
        y *= factor
        y *= scale
    y += offset
    return y


def _sum_to(x, shape: tuple[int, ...]):
    """Sum over the axes along which an array of `shape` was broadcast."""
    extra = np.ndim(x) - len(shape)
    axes = (*range(extra), *(i + extra for i, n in enumerate(shape) if n != x.shape[i + extra]))
    return np.reshape(reduce_sum(x, axes, False), shape)[()]


@in_float32
def rescale_grad(x, mean, factor, scale, g, offset_shape):
    along = x - mean
    along *= g
    slope = factor * scale
    if slope.shape == factor.shape == mean.shape:  # the scale is the same along what is summed
        sums, total = _sum_to(g, mean.shape), _sum_to(along, mean.shape)
        return (
            g * slope,
            -slope * sums,
            total * scale,
            _sum_to(total * factor, scale.shape),
            sums if offset_shape == mean.shape else _sum_to(g, offset_shape),
        )
    by_x = g * slope
    return (
        by_x,
        -_sum_to(by_x, mean.shape),
        _sum_to(along * scale, factor.shape),
        _sum_to(along * factor, scale.shape),
        _sum_to(g, offset_shape),
    )


KERNELS = {"moments": moments, "rescale": rescale, "rescale_grad": rescale_grad}
