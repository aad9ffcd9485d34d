"""Joining and splitting of arrays."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax


def split(x, sizes, axis):
    parts, start = [], 0
    for size in sizes:
        parts.append(lax.slice_in_dim(x, start, start + size, axis=axis))
        start += size
    return parts


def unstack(x, axis):
    return [lax.index_in_dim(x, i, axis, keepdims=False) for i in range(x.shape[axis])]


KERNELS = {
    "concat": lambda *xs, axis: jnp.concatenate(xs, axis),
    "split": split,
    "stack": lambda *xs, axis: jnp.stack(xs, axis),
    "unstack": unstack,
}
