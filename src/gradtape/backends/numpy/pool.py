"""Reductions over sliding windows, channels last: one position of the window at a time.

There are few positions in a window and many windows, so the loop is over positions, and each step
is one pass over whole arrays.
"""

from __future__ import annotations

import numpy as np

from gradtape.backends.numpy.conv import padded_shape, shifted


def _padded_with(x, padding, value):
    if not any(a or b for a, b in padding):
        return x
    return np.pad(x, ((0, 0), *padding, (0, 0)), constant_values=value)


def _out_space(space, window, strides, dilations):
    return [
        (n - (k - 1) * d - 1) // s + 1
        for n, k, s, d in zip(space, window, strides, dilations, strict=True)
    ]


def _lowest(dtype):
    return dtype.type(-np.inf) if dtype.kind in "fV" else np.iinfo(dtype).min


def _window_parts(shape, window, strides, padding, dilations):
    """Yield the slices of a padded x that each position of the window covers, in order."""
    space = padded_shape(shape, padding)[1:-1]
    out_space = _out_space(space, window, strides, dilations)
    for offsets in np.ndindex(*window):
        yield shifted(offsets, strides, dilations, out_space)


def max_pool(x, window, strides, padding, dilations):
    padded = _padded_with(x, padding, _lowest(x.dtype))
    result = None
    for at in _window_parts(x.shape, window, strides, padding, dilations):
        part = padded[at]
        if result is None:
            result = part.copy()
        else:
            np.maximum(result, part, out=result)
    return result


def _first_hits(x, y, window, strides, padding, dilations):
    """Yield, for each position of the window, its slices and the windows with their maximum there.

    A window with equal maxima counts the first of them, as TensorFlow does.
    """
    padded = _padded_with(x, padding, _lowest(x.dtype))
    free = np.ones(y.shape, bool)
    for at in _window_parts(x.shape, window, strides, padding, dilations):
        hit = padded[at] == y
        hit &= free
        free ^= hit
        yield at, hit


def max_pool_spread(x, y, g, window, strides, padding, dilations):
    """Scatter each window's g to the position of its maximum."""
    result = np.zeros(padded_shape(x.shape, padding), g.dtype)
    for at, hit in _first_hits(x, y, window, strides, padding, dilations):
        result[at] += np.where(hit, g, g.dtype.type(0))
    return _cropped(result, x.shape, padding)


def max_pool_pick(x, y, t, window, strides, padding, dilations):
    """Gather the elements of t at the positions of the windows' maxima."""
    padded = _padded_with(t, padding, t.dtype.type(0))
    result = np.zeros(y.shape, t.dtype)
    for at, hit in _first_hits(x, y, window, strides, padding, dilations):
        np.copyto(result, padded[at], where=hit)
    return result


def max_pool_argmax(x, y, window, strides, padding, dilations):
    """Return the position of each window's maximum, as a flat index into its image."""
    index = np.arange(np.prod(x.shape[1:]), dtype=np.int64).reshape(1, *x.shape[1:])
    padded = _padded_with(index, padding, -1)
    result = np.zeros(y.shape, np.int64)
    for at, hit in _first_hits(x, y, window, strides, padding, dilations):
        np.copyto(result, np.broadcast_to(padded[at], hit.shape), where=hit)
    return result


def window_sum(x, window, strides, padding, dilations):
    wide = x.astype(np.float32) if x.dtype.itemsize <= 2 else x
    padded = _padded_with(wide, padding, wide.dtype.type(0))
    result = None
    for at in _window_parts(x.shape, window, strides, padding, dilations):
        if result is None:
            result = padded[at].copy()
        else:
            result += padded[at]
    assert result is not None  # a window has at least one position
    return result.astype(x.dtype, copy=False)


def window_spread(g, shape, window, strides, padding, dilations):
    """Add each window's g to all of its elements: the transpose of `window_sum`."""
    wide = g.astype(np.float32) if g.dtype.itemsize <= 2 else g
    result = np.zeros(padded_shape(shape, padding), wide.dtype)
    for at in _window_parts(shape, window, strides, padding, dilations):
        result[at] += wide
    return _cropped(result, shape, padding).astype(g.dtype, copy=False)


def _cropped(padded, shape, padding):
    inner = tuple(slice(a, a + n) for n, (a, _) in zip(shape[1:-1], padding, strict=True))
    return padded[(slice(None), *inner)]


KERNELS = {
    "max_pool": max_pool,
    "max_pool_spread": max_pool_spread,
    "max_pool_pick": max_pool_pick,
    "max_pool_argmax": max_pool_argmax,
    "window_sum": window_sum,
    "window_spread": window_spread,
}
