"""Bitwise operations on integers, and reinterpretation of bits."""

from __future__ import annotations

import operator

import jax.numpy as jnp
from jax import lax


def _shift_amount(x, y):
    """Clip the distance of a shift to the width of the integers, as TensorFlow does."""
    return jnp.clip(y, 0, x.dtype.itemsize * 8 - 1).astype(x.dtype)


def _as_bytes(x):
    """Return the bytes of each element, as a last axis."""
    if x.dtype.kind == "c":
        parts = lax.bitcast_convert_type(jnp.stack([jnp.real(x), jnp.imag(x)], -1), jnp.uint8)
        return parts.reshape(*x.shape, x.dtype.itemsize)
    octets = lax.bitcast_convert_type(x, jnp.uint8)
    return octets[..., None] if x.dtype.itemsize == 1 else octets


def _of_bytes(x, dtype):
    if dtype.kind == "c":
        part = jnp.float32 if dtype.itemsize == 8 else jnp.float64
        parts = lax.bitcast_convert_type(x.reshape(*x.shape[:-1], 2, dtype.itemsize // 2), part)
        return lax.complex(parts[..., 0], parts[..., 1])
    return lax.bitcast_convert_type(x[..., 0] if dtype.itemsize == 1 else x, dtype)


def bitcast(x, dtype):
    if x.dtype.kind != "c" and dtype.kind != "c":
        return lax.bitcast_convert_type(x, dtype)
    # XLA cannot bitcast complex numbers: they are converted through their bytes.
    size, wanted = x.dtype.itemsize, dtype.itemsize
    stack = x.shape[:-1] if wanted > size else x.shape
    count = (size // wanted,) if wanted < size else ()
    return _of_bytes(_as_bytes(x).reshape(*stack, *count, wanted), dtype)


KERNELS = {
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "bitwise_invert": operator.invert,
    "left_shift": lambda x, y: jnp.left_shift(x, _shift_amount(x, y)),
    "right_shift": lambda x, y: jnp.right_shift(x, _shift_amount(x, y)),
    "bitcast": bitcast,
}
