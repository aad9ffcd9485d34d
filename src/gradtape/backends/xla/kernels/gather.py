"""Gather.

A program on an accelerator cannot stop at an index out of range. As TensorFlow on a GPU, a gather
reads 0 there.
"""

from __future__ import annotations

import math

import jax.numpy as jnp
import numpy as np
from jax import lax


def gather(x, indices, axis, batch_dims):
    rank, index_axes = x.ndim, indices.ndim - batch_dims
    taken = tuple(range(batch_dims))
    dimensions = lax.GatherDimensionNumbers(
        offset_dims=(*range(batch_dims, axis), *range(axis + index_axes, rank - 1 + index_axes)),
        collapsed_slice_dims=(axis,),
        start_index_map=(axis,),
        operand_batching_dims=taken,
        start_indices_batching_dims=taken,
    )
    sizes = [1 if i == axis or i < batch_dims else size for i, size in enumerate(x.shape)]
    if not x.shape[axis]:
        shape = (*x.shape[:axis], *indices.shape[batch_dims:], *x.shape[axis + 1 :])
        return jnp.zeros(shape, x.dtype)
    return lax.gather(
        x,
        indices[..., None],
        dimensions,
        tuple(sizes),
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        fill_value=0,
    )


def ravel_index(indices, shape, op, ignore):
    """Return the flat index of each position (coordinates as last axis); -1 if out of range."""
    sizes = shape[: indices.shape[-1]]
    limits = np.array(sizes, np.int64)
    indices = indices.astype(jnp.int64)
    wrong = jnp.any((indices < 0) | (indices >= limits), -1)
    weights = np.array([math.prod(sizes[i + 1 :]) for i in range(len(sizes))], np.int64)
    return jnp.where(wrong, -1, jnp.sum(indices * weights, -1))


def inside(indices, size):
    """Move negative indices beyond the end, where a scatter drops them."""
    return jnp.where(indices < 0, size, indices)


KERNELS = {
    "gather": gather,
    "ravel_index": ravel_index,
}
