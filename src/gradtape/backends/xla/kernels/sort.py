"""Sorting, the largest elements, and search in sorted sequences."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from gradtape.backends.xla.kernels.host import on_host


def argsort(x, axis, descending):
    if not descending:
        return jnp.argsort(x, axis, stable=True).astype(jnp.int32)
    # Reversed, so that the sort is stable.
    indices = jnp.argsort(jnp.flip(x, axis), axis, stable=True)
    return (x.shape[axis] - 1 - jnp.flip(indices, axis)).astype(jnp.int32)


def sort(x, axis, descending):
    result = jnp.sort(x, axis)
    return jnp.flip(result, axis) if descending else result


def top_k_indices(x, k, dtype):
    return lax.top_k(x, k)[1].astype(dtype)


def searchsorted(sequence, values, side, dtype):
    search = lambda row, wanted: jnp.searchsorted(row, wanted, side)  # noqa: E731
    for _ in values.shape[:-1]:
        search = jax.vmap(search)
    return search(sequence, values).astype(dtype)


KERNELS = {
    "isotonic_segments": on_host(
        "isotonic_segments",
        "pooling adjacent violators goes step by step, with as many steps as the values ask for",
        lambda x: jax.ShapeDtypeStruct(x.shape, jnp.int32),
    ),
    "argsort": argsort,
    "sort": sort,
    "top_k_indices": top_k_indices,
    "searchsorted": searchsorted,
}
