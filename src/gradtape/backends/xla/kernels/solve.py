"""Solutions of linear systems, inverses and determinants of (stacks of) matrices.

A matrix without inverse gives inf or nan: a program on an accelerator cannot stop.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from gradtape.backends.precision import in_float32
from gradtape.backends.xla.kernels.host import on_host


def adjoint_of(x):
    return jnp.conj(jnp.swapaxes(x, -1, -2))


@in_float32
def solve(a, b, adjoint):
    return jnp.linalg.solve(adjoint_of(a) if adjoint else a, b)


@in_float32
def inv(x, adjoint):
    return jnp.linalg.inv(adjoint_of(x) if adjoint else x)


@in_float32
def det(x):
    return jnp.linalg.det(x)


@in_float32
def slogdet(x):
    sign, value = jnp.linalg.slogdet(x)
    return sign, value.astype(x.dtype)


@in_float32
def triangular_solve(a, b, lower, adjoint):
    stack = jnp.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a = jnp.broadcast_to(a, (*stack, *a.shape[-2:]))
    b = jnp.broadcast_to(b, (*stack, *b.shape[-2:]))
    return lax.linalg.triangular_solve(
        a, b, left_side=True, lower=lower, transpose_a=adjoint, conjugate_a=adjoint
    )


@in_float32
def pinv(x, rcond):
    if not x.size:
        return jnp.zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), x.dtype)
    u, s, vh = jnp.linalg.svd(x, full_matrices=False)
    is_kept = s > (rcond * jnp.max(s, -1))[..., None]
    inverse = jnp.where(is_kept, 1 / jnp.where(is_kept, s, 1), 0)
    return jnp.matmul(adjoint_of(vh) * inverse[..., None, :], adjoint_of(u))


KERNELS = {
    "det": det,
    "inv": inv,
    "pinv": pinv,
    "slogdet": slogdet,
    "solve": solve,
    "triangular_solve": triangular_solve,
    "tridiagonal_solve": on_host(
        "tridiagonal_solve",
        "XLA has no tridiagonal solver that exchanges rows on every kind of device",
        lambda diagonals, b, perturb_singular: jax.ShapeDtypeStruct(b.shape, b.dtype),
    ),
}
