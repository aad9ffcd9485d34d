"""The product of two tensors with named axes: one `dot_general`."""

from __future__ import annotations

import jax.numpy as jnp

from gradtape.backends.xla.settings import precision


def einsum(x, y, equation):
    return jnp.einsum(equation, x, y, precision=precision(x.dtype))


KERNELS = {"einsum": einsum}
