"""Reductions. `axis` is a tuple of non-negative ints, never None (one int, for argmax)."""

from __future__ import annotations

import math

import jax.numpy as jnp

from gradtape.backends.precision import is_half


def wide_dtype(dtype):
    """Return the dtype to accumulate in: float32 for 16-bit floats, else the dtype itself."""
    return jnp.dtype(jnp.float32) if is_half(dtype) else dtype


def reduce_sum(x, axis, keepdims):
    if not axis:
        return x
    total = jnp.sum(x, axis, wide_dtype(x.dtype), keepdims=keepdims)
    return total.astype(x.dtype)


def reduce_prod(x, axis, keepdims):
    if not axis:
        return x
    return jnp.prod(x, axis, wide_dtype(x.dtype), keepdims=keepdims).astype(x.dtype)


def reduce_mean(x, axis, keepdims):
    if not axis:
        return x
    count = math.prod(x.shape[a] for a in axis)
    if not jnp.issubdtype(x.dtype, jnp.integer):
        # The mean of no elements is nan: 0 / 0 of arrays, which Python's numbers would raise on.
        total = jnp.sum(x, axis, wide_dtype(x.dtype), keepdims=keepdims)
        return (total / jnp.asarray(count, total.dtype)).astype(x.dtype)
    # Integers are summed without overflow and rounded toward 0; the mean of nothing is 0.
    unsigned = jnp.issubdtype(x.dtype, jnp.unsignedinteger)
    total = jnp.sum(x, axis, jnp.uint64 if unsigned else jnp.int64, keepdims=keepdims)
    return (jnp.sign(total) * (jnp.abs(total) // max(count, 1))).astype(x.dtype)


def lowest(dtype):
    """Return the identity of max: the lowest number of a dtype."""
    return jnp.iinfo(dtype).min if jnp.issubdtype(dtype, jnp.integer) else -jnp.inf


def highest(dtype):
    """Return the identity of min: the highest number of a dtype."""
    return jnp.iinfo(dtype).max if jnp.issubdtype(dtype, jnp.integer) else jnp.inf


def reduce_max(x, axis, keepdims):
    if not axis:
        return x
    initial = None if x.size else lowest(x.dtype)
    return jnp.max(x, axis, keepdims=keepdims, initial=initial)


def reduce_min(x, axis, keepdims):
    if not axis:
        return x
    initial = None if x.size else highest(x.dtype)
    return jnp.min(x, axis, keepdims=keepdims, initial=initial)


def tie_shares(x, extreme, axis):
    """Return 1/k at the k elements equal to the extreme along the axes, else 0; nan for nan."""
    share = (x == extreme).astype(wide_dtype(x.dtype))
    return (share / reduce_sum(share, axis, True)).astype(x.dtype)


def reduce_logsumexp(x, axis, keepdims):
    dtype = x.dtype
    x = x.astype(wide_dtype(dtype))
    shift = jnp.max(x, axis, keepdims=True, initial=-jnp.inf)
    shift = jnp.where(jnp.isfinite(shift), shift, 0)
    result = jnp.log(jnp.sum(jnp.exp(x - shift), axis, keepdims=True)) + shift
    return (result if keepdims else jnp.squeeze(result, axis)).astype(dtype)


def reduce_euclidean_norm(x, axis, keepdims):
    dtype = x.dtype
    wide = jnp.float64 if jnp.issubdtype(dtype, jnp.integer) else wide_dtype(dtype)
    x = x.astype(wide)
    squares = jnp.real(x * jnp.conj(x)) if dtype.kind == "c" else jnp.square(x)
    return jnp.sqrt(jnp.sum(squares, axis, keepdims=keepdims)).astype(dtype)


def _arg_extreme(find, worst):
    def arg_extreme(x, axis, dtype):
        if jnp.issubdtype(x.dtype, jnp.floating):
            # JAX stops at the first nan; TensorFlow ignores nans.
            x = jnp.where(jnp.isnan(x), worst, x)
        return find(x, axis).astype(dtype)

    return arg_extreme


KERNELS = {
    "reduce_sum": reduce_sum,
    "reduce_prod": reduce_prod,
    "reduce_mean": reduce_mean,
    "reduce_max": reduce_max,
    "reduce_min": reduce_min,
    "tie_shares": tie_shares,
    "reduce_any": lambda x, axis, keepdims: jnp.any(x, axis, keepdims=keepdims),
    "reduce_all": lambda x, axis, keepdims: jnp.all(x, axis, keepdims=keepdims),
    "reduce_logsumexp": reduce_logsumexp,
    "reduce_euclidean_norm": reduce_euclidean_norm,
    "argmax": _arg_extreme(jnp.argmax, -jnp.inf),
    "argmin": _arg_extreme(jnp.argmin, jnp.inf),
}
