"""Gather and scatter.

A program on an accelerator cannot stop at a wrong index. As TensorFlow on a GPU, a gather reads 0
there and a scatter leaves it out. Where an index occurs twice in `set_rows`, either may win.
"""

from __future__ import annotations

import math

import jax.numpy as jnp
import numpy as np
from jax import lax


def gather(x, indices, axis, batch_dims):
    rank, places = x.ndim, indices.ndim - batch_dims
    taken = tuple(range(batch_dims))
    dimensions = lax.GatherDimensionNumbers(
        offset_dims=(*range(batch_dims, axis), *range(axis + places, rank - 1 + places)),
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
        x, indices[..., None], dimensions, tuple(sizes),
        mode=lax.GatherScatterMode.FILL_OR_DROP, fill_value=0,
    )  # fmt: skip


def place_number(indices, sizes, op, ignore):
    """The row-major number of the place that each last axis gives; -1 for one that is wrong."""
    limits = np.array(sizes, np.int64)
    indices = indices.astype(jnp.int64)
    wrong = jnp.any((indices < 0) | (indices >= limits), -1)
    weights = np.array([math.prod(sizes[i + 1 :]) for i in range(len(sizes))], np.int64)
    return jnp.where(wrong, -1, jnp.sum(indices * weights, -1))


def inside(indices, size):
    """Indices with all that are negative beyond the end, where a scatter drops them."""
    return jnp.where(indices < 0, size, indices)


def set_rows(x, indices, updates):
    return x.at[inside(indices, x.shape[0])].set(updates, mode="drop")


def extreme_rows(x, indices, updates, largest):
    """The larger (or smaller) of each row and of all updates for it; index -1 is for none."""
    rows = x.at[inside(indices, x.shape[0])]
    return rows.max(updates, mode="drop") if largest else rows.min(updates, mode="drop")


KERNELS = {
    "gather": gather,
    "place_number": place_number,
    "set_rows": set_rows,
    "extreme_rows": extreme_rows,
}
