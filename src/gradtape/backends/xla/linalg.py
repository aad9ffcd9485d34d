"""Products of (stacks of) matrices and functions of a matrix."""

from __future__ import annotations

import functools

import jax.numpy as jnp
import jax.scipy.linalg

from gradtape.backends.xla.host import on_host
from gradtape.backends.xla.settings import precision


def in_float32(kernel):
    """The kernel for 16-bit numbers too, which have no decompositions: computed in float32."""

    @functools.wraps(kernel)
    def run(*arrays, **params):
        dtype = arrays[0].dtype
        if dtype.itemsize > 2:
            return kernel(*arrays, **params)
        found = kernel(
            *[a.astype(jnp.float32) if a.dtype == dtype else a for a in arrays], **params
        )
        if isinstance(found, tuple):
            return tuple(y.astype(dtype) if y.dtype == jnp.float32 else y for y in found)
        return found.astype(dtype)

    return run


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
