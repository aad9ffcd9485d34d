"""Decompositions of (stacks of) matrices."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from gradtape.backends.precision import in_float32
from gradtape.backends.xla.kernels.host import on_host

_NOT_SYMMETRIC = "XLA has eigenvalues of matrices that are not symmetric only on CPUs"


def _complex(dtype):
    return jnp.result_type(dtype, jnp.complex64)


@in_float32
def cholesky(x):
    return jnp.tril(lax.linalg.cholesky(x, symmetrize_input=False))


@in_float32
def qr(x, full_matrices):
    return tuple(jnp.linalg.qr(x, "complete" if full_matrices else "reduced"))


@in_float32
def svd(x, full_matrices):
    u, s, vh = jnp.linalg.svd(x, full_matrices=full_matrices)
    return s, u, jnp.conj(jnp.swapaxes(vh, -1, -2))


@in_float32
def eigh(x):
    values, vectors = jnp.linalg.eigh(x, symmetrize_input=False)
    return values.astype(x.dtype), vectors


@in_float32
def lu(x, index_dtype):
    factors, _, order = lax.linalg.lu(x)
    return factors, order.astype(index_dtype)


KERNELS = {
    "cholesky": cholesky,
    "eig": on_host(
        "eig",
        _NOT_SYMMETRIC,
        lambda x: (
            jax.ShapeDtypeStruct(x.shape[:-1], _complex(x.dtype)),
            jax.ShapeDtypeStruct(x.shape, _complex(x.dtype)),
        ),
    ),
    "eigh": eigh,
    "eigvals": on_host(
        "eigvals",
        _NOT_SYMMETRIC,
        lambda x: jax.ShapeDtypeStruct(x.shape[:-1], _complex(x.dtype)),
    ),
    "eigvalsh": lambda x: eigh(x)[0],
    "lu": lu,
    "qr": qr,
    "svd": svd,
    "svd_values": in_float32(lambda x: jnp.linalg.svd(x, compute_uv=False)),
}
