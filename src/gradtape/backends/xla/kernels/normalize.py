"""Layer normalization over the last axis, and its gradient."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from gradtape.backends.xla.kernels.reduce import wide_dtype


def _mean(x):
    return jnp.mean(x, -1, keepdims=True)


def _standard(x, epsilon):
    distance = x - _mean(x)
    factor = lax.rsqrt(_mean(distance * distance) + epsilon)
    return distance * factor, factor


def layer_normalize(x, scale, offset, epsilon):
    wide = x.astype(wide_dtype(x.dtype))
    return (_standard(wide, epsilon)[0] * scale + offset).astype(x.dtype)


def layer_normalize_grad(x, scale, g, epsilon):
    dtype, wide = x.dtype, wide_dtype(x.dtype)
    x, scale, g = x.astype(wide), scale.astype(wide), g.astype(wide)
    y, factor = _standard(x, epsilon)
    rows, u = tuple(range(x.ndim - 1)), g * scale
    by_x = factor * (u - _mean(u) - y * _mean(u * y))
    results = by_x, jnp.sum(g * y, rows), jnp.sum(g, rows)
    return tuple(each.astype(dtype) for each in results)


KERNELS = {"layer_normalize": layer_normalize, "layer_normalize_grad": layer_normalize_grad}
