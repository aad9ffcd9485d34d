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


def _sum_to(shape: tuple[int, ...], x, *factors):
    """Sum a product over the axes along which an array of `shape` was broadcast.

    Factors that are the same along these axes multiply the sum: so sums of which only they differ
    are one, and XLA reads x once for it.
    """
    kept = (*(1,) * (x.ndim - len(shape)), *shape)
    axes = tuple([i for i, n in enumerate(kept) if n != x.shape[i]])
    after = []
    for factor in factors:
        if _is_constant_along(axes, factor, x.ndim):
            after.append(factor)
        else:
            x = x * factor
    total = jnp.sum(x, axes, keepdims=True)
    for factor in after:
        total = total * factor
    return jnp.reshape(total, shape)


def _is_constant_along(axes: tuple[int, ...], x, ndim: int) -> bool:
    missing = ndim - x.ndim
    return all(axis < missing or x.shape[axis - missing] == 1 for axis in axes)


def rescale_grad(x, mean, factor, scale, g, offset_shape):
    dtype, (x, mean, factor, scale, g) = x.dtype, _wide(x, mean, factor, scale, g)
    along = (x - mean) * g
    results = (
        g * factor * scale,
        -_sum_to(mean.shape, g, factor, scale),
        _sum_to(factor.shape, along, scale),
        _sum_to(scale.shape, along, factor),
        _sum_to(offset_shape, g),
    )
    return tuple(y.astype(dtype) for y in results)


KERNELS = {"moments": moments, "rescale": rescale, "rescale_grad": rescale_grad}
