"""Means and variances, and (x - mean) · factor · scale + offset with its gradient."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from gradtape.backends.xla.kernels.reduce import reduce_mean, wide_dtype


def _wide(*arrays):
    """Cast 16-bit floats to float32."""
    return [x.astype(wide_dtype(x.dtype)) for x in arrays]


def moments(x, axis, keepdims):
    (wide,) = _wide(x)
    # Without the barrier XLA computes the means again wherever they are used: a gradient with
    # respect to a scale becomes one pass that writes products, and another that sums them.
    mean = lax.optimization_barrier(reduce_mean(wide, axis, True))
    variance = reduce_mean(jnp.square(wide - mean), axis, keepdims)
    return jnp.reshape(mean, variance.shape).astype(x.dtype), variance.astype(x.dtype)


def rescale(x, mean, factor, scale, offset):
    dtype, (x, mean, factor, scale, offset) = x.dtype, _wide(x, mean, factor, scale, offset)
    return ((x - mean) * factor * scale + offset).astype(dtype)


def _sum_to(x, shape: tuple[int, ...]):
    """Sum over the axes along which an array of `shape` was broadcast."""
    extra = x.ndim - len(shape)
    axes = (*range(extra), *(i + extra for i, n in enumerate(shape) if n != x.shape[i + extra]))
    return jnp.reshape(jnp.sum(x, axes), shape)


def rescale_grad(x, mean, factor, scale, g, offset_shape):
    dtype, (x, mean, factor, scale, g) = x.dtype, _wide(x, mean, factor, scale, g)
    along, by_x = (x - mean) * g, g * factor * scale
    results = (
        by_x,
        -_sum_to(by_x, mean.shape),
        _sum_to(along * scale, factor.shape),
        _sum_to(along * factor, scale.shape),
        _sum_to(g, offset_shape),
    )
    return tuple(y.astype(dtype) for y in results)


KERNELS = {"moments": moments, "rescale": rescale, "rescale_grad": rescale_grad}
