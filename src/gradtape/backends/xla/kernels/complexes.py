"""Complex numbers and their parts."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

KERNELS = {
    "complex": lambda real, imag: lax.complex(*jnp.broadcast_arrays(real, imag)),
    "real": jnp.real,
    "imag": jnp.imag,
    "conj": jnp.conj,
    "complex_abs": jnp.abs,
}
