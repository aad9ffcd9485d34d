"""Reductions of rows that share a segment id. Ids out of range are ignored."""

from __future__ import annotations

import jax.numpy as jnp

from gradtape.backends.xla.kernels.gather import gather, inside
from gradtape.backends.xla.kernels.reduce import highest, lowest, wide_dtype


def segment_sum(x, ids, num):
    total = jnp.zeros((num, *x.shape[1:]), wide_dtype(x.dtype))
    return total.at[inside(ids, num)].add(x.astype(total.dtype), mode="drop").astype(x.dtype)


def segment_prod(x, ids, num):
    total = jnp.ones((num, *x.shape[1:]), wide_dtype(x.dtype))
    return total.at[inside(ids, num)].multiply(x.astype(total.dtype), mode="drop").astype(x.dtype)


def _extreme(x, ids, num, empty, start, method: str):
    ids = inside(ids, num)
    rows = jnp.full((num, *x.shape[1:]), start, x.dtype)
    result = getattr(rows.at[ids], method)(x, mode="drop")
    has_rows = jnp.zeros(num, bool).at[ids].set(True, mode="drop")
    return jnp.where(
        has_rows.reshape(num, *(1,) * (x.ndim - 1)), result, jnp.asarray(empty, x.dtype)
    )


def segment_max(x, ids, num, empty):
    return _extreme(x, ids, num, empty, lowest(x.dtype), "max")


def segment_min(x, ids, num, empty):
    return _extreme(x, ids, num, empty, highest(x.dtype), "min")


KERNELS = {
    "segment_sum": segment_sum,
    "segment_prod": segment_prod,
    "segment_max": segment_max,
    "segment_min": segment_min,
    "segment_rows": lambda x, ids: gather(x, ids, axis=0, batch_dims=0),
}
