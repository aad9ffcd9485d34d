"""Means and variances, and (x - mean) · factor · scale + offset with its gradient."""

from __future__ import annotations

import numpy as np

from gradtape.backends.numpy.normalize import in_float32
from gradtape.backends.numpy.reduce import reduce_mean, reduce_sum


def moments(x, axis, keepdims):
    (wide,) = in_float32(x)
    mean = reduce_mean(wide, axis, True)
    distance = wide - mean
    distance *= distance
    variance = reduce_mean(distance, axis, keepdims)
    found = mean if keepdims else np.reshape(mean, np.shape(variance))[()], variance
    return tuple(y.astype(x.dtype, copy=False) for y in found)


def rescale(x, mean, factor, scale, offset):
    dtype, (x, mean, factor, scale, offset) = x.dtype, in_float32(x, mean, factor, scale, offset)
    y = x - mean
    slope = factor * scale
    if np.size(slope) < np.size(x):
        y *= slope
    else:
        y *= factor
        y *= scale
    y += offset
    return y.astype(dtype, copy=False)


def _sum_to(x, shape: tuple[int, ...]):
    """The sum over the axes along which an array of `shape` was repeated."""
    extra = np.ndim(x) - len(shape)
    axes = (*range(extra), *(i + extra for i, n in enumerate(shape) if n != x.shape[i + extra]))
    return np.reshape(reduce_sum(x, axes, False), shape)[()]


def rescale_grad(x, mean, factor, scale, g, offset_shape):
    dtype, (x, mean, factor, scale, g) = x.dtype, in_float32(x, mean, factor, scale, g)
    along = x - mean
    along *= g
    slope = factor * scale
    if slope.shape == factor.shape == mean.shape:  # the scale is the same along what is summed
        sums, total = _sum_to(g, mean.shape), _sum_to(along, mean.shape)
        found = (
            g * slope,
            -slope * sums,
            total * scale,
            _sum_to(total * factor, scale.shape),
            sums if offset_shape == mean.shape else _sum_to(g, offset_shape),
        )
    else:
        by_x = g * slope
        found = (
            by_x,
            -_sum_to(by_x, mean.shape),
            _sum_to(along * scale, factor.shape),
            _sum_to(along * factor, scale.shape),
            _sum_to(g, offset_shape),
        )
    return tuple(y.astype(dtype, copy=False) for y in found)


KERNELS = {"moments": moments, "rescale": rescale, "rescale_grad": rescale_grad}
