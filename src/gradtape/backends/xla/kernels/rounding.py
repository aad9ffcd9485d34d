"""Rounding, and divisions that round. An integer divided by 0 gives a number, not an error."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax


def _is_integer(x) -> bool:
    return jnp.issubdtype(x.dtype, jnp.integer)


def floordiv(x, y):
    # For floats it is the floor of the quotient, as in TensorFlow: 1.0 // 0.1 is 10, not 9.
    return jnp.floor_divide(x, y) if _is_integer(y) else jnp.floor(x / y)


def truncatediv(x, y):
    if not _is_integer(y):
        return jnp.trunc(x / y)
    return lax.div(*jnp.broadcast_arrays(x, y))


def truncatemod(x, y):
    return lax.rem(*jnp.broadcast_arrays(x, y))


KERNELS = {
    "floor": jnp.floor,
    "ceil": jnp.ceil,
    "round": jnp.rint,
    "trunc": jnp.trunc,
    "sign": jnp.sign,
    "floordiv": floordiv,
    "floormod": jnp.mod,
    "truncatediv": truncatediv,
    "truncatemod": truncatemod,
    "nextafter": jnp.nextafter,
}
