"""Error functions, gamma functions and Bessel functions: JAX's, and NumPy's where it has none."""

from __future__ import annotations

import jax.numpy as jnp
import jax.scipy.special as special
from jax import lax

from gradtape.backends.precision import is_half
from gradtape.backends.xla.kernels.host import on_host

_NO_OP = "XLA has no such function"


def in_dtype(function):
    """Return a kernel that computes 16-bit floats in float32, with results in their dtype."""

    def kernel(*arrays, **params):
        dtype = arrays[-1].dtype
        if is_half(dtype):
            arrays = [a.astype(jnp.float32) for a in arrays]
        return function(*arrays, **params).astype(dtype)

    return kernel


# TensorFlow differs at poles and limits, where SciPy returns the one-sided value: mostly nan.


@in_dtype
def digamma(x):
    return jnp.where(x == 0, jnp.nan, lax.digamma(x))


@in_dtype
def polygamma(a, x):
    is_bad = (a < 0) | (a != jnp.floor(a))
    order = jnp.where(is_bad, 0, a)
    y = jnp.where(order % 2 == 1, 1, -1) * jnp.exp(lax.lgamma(order + 1))
    y = jnp.where(order == 0, lax.digamma(x), y * special.zeta(order + 1, x))
    return jnp.where(is_bad, jnp.nan, y)


@in_dtype
def igamma(a, x):
    return jnp.where((a <= 0) | (x < 0), jnp.nan, special.gammainc(a, x))


@in_dtype
def igammac(a, x):
    return jnp.where((a <= 0) | (x < 0), jnp.nan, special.gammaincc(a, x))


@in_dtype
def betainc(a, b, x):
    return jnp.where((a <= 0) | (b <= 0), jnp.nan, special.betainc(a, b, x))


KERNELS = {
    "erf": in_dtype(lax.erf),
    "erfc": in_dtype(lax.erfc),
    "erfinv": in_dtype(lax.erf_inv),
    "ndtri": in_dtype(special.ndtri),
    "lgamma": in_dtype(lax.lgamma),
    "digamma": digamma,
    "polygamma": polygamma,
    "zeta": in_dtype(special.zeta),
    "igamma": igamma,
    "igammac": igammac,
    "igamma_by_a": on_host("igamma_by_a", _NO_OP),
    "betainc": betainc,
    "bessel_i0": in_dtype(special.i0),
    "bessel_i0e": in_dtype(special.i0e),
    "bessel_i1": in_dtype(special.i1),
    "bessel_i1e": in_dtype(special.i1e),
    "bessel_j0": on_host("bessel_j0", _NO_OP),
    "bessel_j1": on_host("bessel_j1", _NO_OP),
    "bessel_k0": on_host("bessel_k0", _NO_OP),
    "bessel_k0e": on_host("bessel_k0e", _NO_OP),
    "bessel_k1": on_host("bessel_k1", _NO_OP),
    "bessel_k1e": on_host("bessel_k1e", _NO_OP),
    "bessel_y0": on_host("bessel_y0", _NO_OP),
    "bessel_y1": on_host("bessel_y1", _NO_OP),
    "dawsn": on_host("dawsn", _NO_OP),
    "expint": in_dtype(special.expi),
    "spence": in_dtype(special.spence),
    "fresnel_cos": on_host("fresnel_cos", _NO_OP),
    "fresnel_sin": on_host("fresnel_sin", _NO_OP),
}
