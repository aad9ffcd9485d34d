"""Shape changes."""

from __future__ import annotations

import jax.numpy as jnp

KERNELS = {
    "reshape": lambda x, shape: jnp.reshape(x, shape),
    "transpose": lambda x, permutation: jnp.transpose(x, permutation),
    "broadcast_to": lambda x, shape: jnp.broadcast_to(x, shape),
    "roll": lambda x, shift, axis: jnp.roll(x, shift, axis),
}
