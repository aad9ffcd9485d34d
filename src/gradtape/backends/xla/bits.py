"""Bit operations on integers, and other readings of the same bits."""

from __future__ import annotations

import operator

import jax.numpy as jnp
from jax import lax


def _places(x, y):
    """The shift's distance, kept inside the word, as TensorFlow does."""
    return jnp.clip(y, 0, x.dtype.itemsize * 8 - 1).astype(x.dtype)


def _as_bytes(x):
    """The bytes of each element, as a last axis."""
    if x.dtype.kind == "c":
        parts = lax.bitcast_convert_type(jnp.stack([jnp.real(x), jnp.imag(x)], -1), jnp.uint8)
        return parts.reshape(*x.shape, x.dtype.itemsize)
    found = lax.bitcast_convert_type(x, jnp.uint8)
    return found[..., None] if x.dtype.itemsize == 1 else found


def _of_bytes(x, dtype):
    if dtype.kind == "c":
        part = jnp.float32 if dtype.itemsize == 8 else jnp.float64
        parts = lax.bitcast_convert_type(x.reshape(*x.shape[:-1], 2, dtype.itemsize // 2), part)
        return lax.complex(parts[..., 0], parts[..., 1])
    return lax.bitcast_convert_type(x[..., 0] if dtype.itemsize == 1 else x, dtype)


def bitcast(x, dtype):
    if x.dtype.kind != "c" and dtype.kind != "c":
        return lax.bitcast_convert_type(x, dtype)
    # XLA reads no complex numbers as anything else: they go by way of their bytes.
    size, wanted = x.dtype.itemsize, dtype.itemsize
    stack = x.shape[:-1] if wanted > size else x.shape
    count = (size // wanted,) if wanted < size else ()
    return _of_bytes(_as_bytes(x).reshape(*stack, *count, wanted), dtype)


KERNELS = {
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "bitwise_invert": operator.invert,
    "left_shift": lambda x, y: jnp.left_shift(x, _places(x, y)),
    "right_shift": lambda x, y: jnp.right_shift(x, _places(x, y)),
    "bitcast": bitcast,
}
