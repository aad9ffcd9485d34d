"""Reductions over sliding windows, channels last."""

from __future__ import annotations

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from gradtape.backends.xla.kernels.reduce import lowest, wide_dtype

# In larger windows, maxima are located by their index, in one pass: XLA would take long to compile
# that many slices.
_LARGE_WINDOW = 64


def _windows(window, strides, padding, dilations) -> dict:
    return {
        "window_dimensions": (1, *window, 1),
        "window_strides": (1, *strides, 1),
        "padding": ((0, 0), *padding, (0, 0)),
        "window_dilation": (1, *dilations, 1),
    }


def max_pool(x, **params):
    # A NumPy scalar: JAX recognizes a maximum by an initial value that is no JAX array.
    start = x.dtype.type(lowest(x.dtype))
    return lax.reduce_window(x, start, lax.max, **_windows(**params))


def _window_parts(padded_shape, out_shape, window, strides, dilations):
    """Yield (starts, limits, strides) of the slice of a padded array for each window position."""
    for offsets in itertools.product(*map(range, window)):
        starts = [o * d for o, d in zip(offsets, dilations, strict=True)]
        limits = [
            start + (n - 1) * s + 1
            for start, n, s in zip(starts, out_shape[1:-1], strides, strict=True)
        ]
        yield (
            (0, *starts, 0),
            (padded_shape[0], *limits, padded_shape[-1]),
            (1, *strides, 1),
        )


def _padded(x, padding, value):
    config = [(0, 0, 0), *[(a, b, 0) for a, b in padding], (0, 0, 0)]
    return lax.pad(x, jnp.asarray(value, x.dtype), config)


def _first_hits(x, y, window, strides, padding, dilations):
    """Yield, for each position of the window, its slice and the windows with their maximum there.

    A window with equal maxima counts the first of them, as TensorFlow does. The positions are
    compared with each other, not with y: XLA may recompute x here, rounded differently than for y.
    """
    # Nor may x be recomputed for each position: equal maxima would differ by rounding.
    padded = _padded(lax.optimization_barrier(x), padding, lowest(x.dtype))
    positions = list(_window_parts(padded.shape, y.shape, window, strides, dilations))
    best = lax.slice(padded, *positions[0])
    winner = jnp.zeros(y.shape, jnp.int32)
    for number, at in enumerate(positions[1:], 1):
        part = lax.slice(padded, *at)
        is_better = part > best
        best = jnp.where(is_better, part, best)
        winner = jnp.where(is_better, jnp.int32(number), winner)
    for number, at in enumerate(positions):
        yield at, winner == number


def max_pool_spread(x, y, g, window, strides, padding, dilations):
    """Scatter each window's g to the position of its maximum."""
    if math.prod(window) > _LARGE_WINDOW:
        index = max_pool_argmax(x, y, window, strides, padding, dilations)
        flat = jnp.zeros((x.shape[0], math.prod(x.shape[1:])), g.dtype)
        index = index.reshape(x.shape[0], -1)
        rows = jnp.arange(x.shape[0])[:, None]
        return flat.at[rows, index].add(g.reshape(index.shape)).reshape(x.shape)
    shape = [n + a + b for n, (a, b) in zip(x.shape[1:-1], padding, strict=True)]
    total = jnp.zeros((x.shape[0], *shape, x.shape[-1]), g.dtype)
    for (starts, limits, steps), hit in _first_hits(x, y, window, strides, padding, dilations):
        around = [
            (a, n - b, s - 1) for a, b, n, s in zip(starts, limits, total.shape, steps, strict=True)
        ]
        share = jnp.where(hit, g, 0)
        total = total + lax.pad(share, jnp.zeros((), g.dtype), around)
    inner = tuple(slice(a, a + n) for n, (a, _) in zip(x.shape[1:-1], padding, strict=True))
    return total[(slice(None), *inner)]


def max_pool_pick(x, y, t, window, strides, padding, dilations):
    """Gather the elements of t at the positions of the windows' maxima."""
    if math.prod(window) > _LARGE_WINDOW:
        index = max_pool_argmax(x, y, window, strides, padding, dilations)
        flat = t.reshape(t.shape[0], -1)
        picked = jnp.take_along_axis(flat, index.reshape(t.shape[0], -1), 1)
        return picked.reshape(y.shape)
    padded = _padded(t, padding, 0)
    result = jnp.zeros(y.shape, t.dtype)
    for at, hit in _first_hits(x, y, window, strides, padding, dilations):
        result = jnp.where(hit, lax.slice(padded, *at), result)
    return result


def max_pool_argmax(x, y, window, strides, padding, dilations):
    """Return the position of each window's maximum, as a flat index into its image."""
    index = jnp.arange(math.prod(x.shape[1:]), dtype=jnp.int64).reshape(1, *x.shape[1:])
    index = jnp.broadcast_to(index, x.shape)

    def better(one, other):
        (x1, i1), (x2, i2) = one, other
        first = (x1 > x2) | ((x1 == x2) & (i1 < i2)) | (i2 < 0)
        return jnp.where(first & (i1 >= 0), x1, x2), jnp.where(first & (i1 >= 0), i1, i2)

    start = (x.dtype.type(lowest(x.dtype)), np.int64(-1))
    windows = _windows(window, strides, padding, dilations)
    return lax.reduce_window((x, index), start, better, **windows)[1]


def window_sum(x, **params):
    wide = x.astype(wide_dtype(x.dtype))
    return lax.reduce_window(wide, wide.dtype.type(0), lax.add, **_windows(**params)).astype(
        x.dtype
    )


def window_spread(g, shape, **params):
    """Add each window's g to all of its elements: the transpose of `window_sum`."""
    of = jax.ShapeDtypeStruct(shape, g.dtype)
    return jax.linear_transpose(lambda x: window_sum(x, **params), of)(g)[0]


KERNELS = {
    "max_pool": max_pool,
    "max_pool_spread": max_pool_spread,
    "max_pool_pick": max_pool_pick,
    "max_pool_argmax": max_pool_argmax,
    "window_sum": window_sum,
    "window_spread": window_spread,
}
