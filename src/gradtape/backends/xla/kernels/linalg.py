"""Products of (stacks of) matrices and functions of a matrix."""

from __future__ import annotations

import jax.numpy as jnp
import jax.scipy.linalg

from gradtape.backends.precision import in_float32
from gradtape.backends.xla.kernels.host import on_host
from gradtape.backends.xla.settings import precision


def matmul(x, y, transpose_a, transpose_b):
    if transpose_a:
        x = jnp.swapaxes(x, -1, -2)
    if transpose_b:
        y = jnp.swapaxes(y, -1, -2)
    return jnp.matmul(x, y, precision=precision(x.dtype))


@in_float32
def expm(x):
    if not x.size:
        return x
    return jax.scipy.linalg.expm(x, max_squarings=48)


KERNELS = {
    "matmul": matmul,
    "cross": lambda x, y: jnp.cross(x, y),
    "expm": expm,
    "logm": on_host("logm", "XLA has no logarithm of a matrix"),
    "sqrtm": on_host("sqrtm", "XLA has a Schur decomposition only on CPUs"),
}
