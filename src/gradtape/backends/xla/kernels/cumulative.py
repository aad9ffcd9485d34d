"""Cumulative sums, products and extremes, and linear recurrences, along one axis."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from gradtape.backends.xla.kernels.reduce import wide_dtype


def _scan(running, identity: int):
    def scan(x, axis, exclusive, reverse):
        wide = running(x.astype(wide_dtype(x.dtype)), axis, reverse)
        if exclusive:
            wide = shift(wide, axis, -1 if reverse else 1, identity)
        return wide.astype(x.dtype)

    return scan


def _running(running):
    def run(x, axis, reverse):
        return running(x.astype(wide_dtype(x.dtype)), axis, reverse).astype(x.dtype)

    return run


def shift(x, axis, by, fill):
    size = x.shape[axis]
    if not size:
        return x
    edge = jnp.full_like(lax.slice_in_dim(x, 0, 1, axis=axis), fill)
    if by > 0:
        return jnp.concatenate([edge, lax.slice_in_dim(x, 0, size - 1, axis=axis)], axis)
    return jnp.concatenate([lax.slice_in_dim(x, 1, size, axis=axis), edge], axis)


def linear_recurrence(a, b, axis, reverse, transposed):
    dtype = b.dtype
    if not b.size:
        return b
    a, b = (jnp.moveaxis(x.astype(wide_dtype(dtype)), axis, 0) for x in (a, b))
    backwards = reverse != transposed
    if backwards:
        a, b = jnp.flip(a, 0), jnp.flip(b, 0)
    # h[t] = b[t] + factors[t] h[t-1]; the first factor is not used.
    factors = jnp.roll(a, 1, 0) if transposed else a
    factors = jnp.broadcast_to(factors, b.shape).at[0].set(0)
    # Kept apart from its neighbors: fused with them, XLA (of JAX 0.11.2) compiled a program for
    # GPUs that reads from wrong addresses, after which the process cannot use the GPU any more.
    factors, b = lax.optimization_barrier((factors, b))
    h = lax.optimization_barrier(lax.associative_scan(_two_steps, (factors, b))[1])
    # A product of two factors may overflow where the steps one by one would not.
    h = lax.cond(jnp.isfinite(h).all(), lambda: h, lambda: _by_steps(factors, b))
    return jnp.moveaxis(jnp.flip(h, 0) if backwards else h, 0, axis).astype(dtype)


def _two_steps(first, second):
    """Combine two steps of the recurrence to one step of the same form."""
    (a1, b1), (a2, b2) = first, second
    return a1 * a2, a2 * b1 + b2


def _by_steps(factors, b):
    def step(h, now):
        factor, term = now
        h = term + factor * h
        return h, h

    return lax.scan(step, jnp.zeros_like(b[0]), (factors, b))[1]


KERNELS = {
    "shift": shift,
    "linear_recurrence": linear_recurrence,
    "cumsum": _scan(lax.cumsum, 0),
    "cumprod": _scan(lax.cumprod, 1),
    "cumulative_logsumexp": _running(lax.cumlogsumexp),
    "cummax": _running(lax.cummax),
    "cummin": _running(lax.cummin),
}
