"""Convolution as matrix products over windows, for any number of spatial axes, channels last.

x: [batch, *space, channels], w: [*window, channels / groups, features]. `padding` is a pair for
each spatial axis. Images are processed one by one in pieces that fit the cache: the windows of a
whole batch would be many times as large as the batch.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from gradtape.backends.precision import in_float32

_PIECE = 2**22  # bytes of unfolded windows at a time


def _padded(x, padding):
    if not any(itertools.chain(*padding)):
        return x
    sizes = [n + a + b for n, (a, b) in zip(x.shape[1:-1], padding, strict=True)]
    result = np.zeros((x.shape[0], *sizes, x.shape[-1]), x.dtype)
    inner = tuple(slice(a, a + n) for n, (a, _) in zip(x.shape[1:-1], padding, strict=True))
    result[(slice(None), *inner)] = x
    return result


def _windows(x, window, strides, dilations, out_space):
    """Return a view [batch, *out_space, *window, channels] of a padded x."""
    batch, *space = x.strides[:-1]
    steps = [s * k for s, k in zip(space, strides, strict=True)]
    inner = [s * d for s, d in zip(space, dilations, strict=True)]
    return np.lib.stride_tricks.as_strided(
        x,
        (x.shape[0], *out_space, *window, x.shape[-1]),
        (batch, *steps, *inner, x.strides[-1]),
        writeable=False,
    )


def shifted(offsets, strides, dilations, out_space):
    """Return the slices of a padded x that one offset of the window covers."""
    return (
        slice(None),
        *[
            slice(o * d, o * d + (n - 1) * s + 1, s)
            for o, s, d, n in zip(offsets, strides, dilations, out_space, strict=True)
        ],
    )


def _images_at_once(x, out_space, window) -> int:
    per_image = math.prod(out_space) * math.prod(window) * x.shape[-1] * x.dtype.itemsize
    return max(1, _PIECE // max(per_image, 1))


def _is_pointwise(window, strides, padding) -> bool:
    return math.prod(window) == 1 and math.prod(strides) == 1 and not any(itertools.chain(*padding))


def _by_group(kernel, x, y, groups):
    """Run `kernel` for each group of channels."""
    parts = zip(np.split(x, groups, -1), np.split(y, groups, -1), strict=True)
    return np.concatenate([kernel(a, b) for a, b in parts], -1)


@in_float32
def conv(x, w, strides, padding, dilations, groups):
    *window, depth, _ = w.shape
    x = _padded(x, padding)
    out_space = [
        (n - (k - 1) * d - 1) // s + 1
        for n, k, s, d in zip(x.shape[1:-1], window, strides, dilations, strict=True)
    ]
    if depth == 1 and groups == x.shape[-1] and groups > 1:
        result = _depthwise(x, w, strides, dilations, out_space)
    elif groups > 1:
        result = _by_group(lambda a, b: _conv(a, b, strides, dilations, out_space), x, w, groups)
    else:
        result = _conv(x, w, strides, dilations, out_space)
    return result


def _conv(x, w, strides, dilations, out_space):
    *window, depth, features = w.shape
    out = np.empty((x.shape[0], *out_space, features), x.dtype)
    if _is_pointwise(window, strides, ()):
        return np.matmul(x, w.reshape(depth, features), out=out)
    matrix = w.reshape(-1, features)
    step = _images_at_once(x, out_space, window)
    for i in range(0, x.shape[0], step):
        rows = _windows(x[i : i + step], window, strides, dilations, out_space)
        rows = rows.reshape(-1, matrix.shape[0])
        np.matmul(rows, matrix, out=out[i : i + step].reshape(-1, features))
    return out


def _depthwise(x, w, strides, dilations, out_space):
    """Convolve each channel with its own filters, one offset of the window at a time."""
    *window, _, features = w.shape
    channels = x.shape[-1]
    multiplier = features // channels
    w = w.reshape(*window, channels, multiplier)
    out = np.zeros((x.shape[0], *out_space, channels, multiplier), x.dtype)
    for offsets in np.ndindex(*window):
        out += x[shifted(offsets, strides, dilations, out_space)][..., None] * w[offsets]
    return out.reshape(*out.shape[:-2], features)


@in_float32
def conv_input(g, w, shape, strides, padding, dilations, groups):
    """Compute the transpose of `conv` in x."""
    depth = w.shape[-2]
    if groups > 1 and depth == 1:
        spread = _depthwise_input(g, w, strides, dilations, padded_shape(shape, padding))
    elif groups > 1:
        part = (*padded_shape(shape, padding)[:-1], depth)
        spread = _by_group(lambda a, b: _conv_input(a, b, part, strides, dilations), g, w, groups)
    else:
        spread = _conv_input(g, w, padded_shape(shape, padding), strides, dilations)
    inner = tuple(slice(a, a + n) for n, (a, _) in zip(shape[1:-1], padding, strict=True))
    return spread[(slice(None), *inner)]


def padded_shape(shape, padding):
    """Return the shape of images after padding of their axes of space."""
    space = [n + a + b for n, (a, b) in zip(shape[1:-1], padding, strict=True)]
    return (shape[0], *space, shape[-1])


def _conv_input(g, w, shape, strides, dilations):
    *window, depth, features = w.shape
    if _is_pointwise(window, strides, ()):
        return np.matmul(g, w.reshape(depth, features).T)
    out_space = g.shape[1:-1]
    result = np.zeros(shape, g.dtype)
    matrix = np.ascontiguousarray(w.reshape(-1, features).T)
    step = _images_at_once(result, out_space, window)
    for i in range(0, shape[0], step):
        piece = g[i : i + step]
        columns = np.matmul(piece.reshape(-1, features), matrix)
        columns = columns.reshape(*piece.shape[:-1], *window, depth)
        target = result[i : i + step]
        for offsets in np.ndindex(*window):
            at = shifted(offsets, strides, dilations, out_space)
            target[at] += columns[(..., *offsets, slice(None))]
    return result


def _depthwise_input(g, w, strides, dilations, shape):
    *window, _, features = w.shape
    channels = shape[-1]
    multiplier = features // channels
    w = w.reshape(*window, channels, multiplier)
    g = g.reshape(*g.shape[:-1], channels, multiplier)
    result = np.zeros(shape, g.dtype)
    for offsets in np.ndindex(*window):
        at = shifted(offsets, strides, dilations, g.shape[1:-2])
        if multiplier == 1:
            result[at] += g[..., 0] * w[offsets][:, 0]
        else:
            result[at] += np.einsum("...cm,cm->...c", g, w[offsets])
    return result


@in_float32
def conv_filter(x, g, shape, strides, padding, dilations, groups):
    """Compute the transpose of `conv` in w."""
    *window, depth, features = shape
    x = _padded(x, padding)
    if depth == 1 and groups == x.shape[-1] and groups > 1:
        result = _depthwise_filter(x, g, shape, strides, dilations)
    elif groups > 1:
        part = (*window, depth, features // groups)
        result = _by_group(lambda a, b: _conv_filter(a, b, part, strides, dilations), x, g, groups)
    else:
        result = _conv_filter(x, g, shape, strides, dilations)
    return result


def _conv_filter(x, g, shape, strides, dilations):
    *window, depth, features = shape
    out_space = g.shape[1:-1]
    result = np.zeros((math.prod(window) * depth, features), x.dtype)
    step = _images_at_once(x, out_space, window)
    for i in range(0, x.shape[0], step):
        rows = _windows(x[i : i + step], window, strides, dilations, out_space)
        rows = rows.reshape(-1, result.shape[0])
        result += np.matmul(rows.T, g[i : i + step].reshape(-1, features))
    return result.reshape(shape)


def _depthwise_filter(x, g, shape, strides, dilations):
    *window, _, features = shape
    channels = x.shape[-1]
    g = g.reshape(*g.shape[:-1], channels, features // channels)
    result = np.empty((*window, channels, features // channels), x.dtype)
    axes = tuple(range(g.ndim - 2))
    for offsets in np.ndindex(*window):
        met = x[shifted(offsets, strides, dilations, g.shape[1:-2])][..., None]
        result[offsets] = np.sum(met * g, axis=axes)
    return result.reshape(shape)


KERNELS = {"conv": conv, "conv_input": conv_input, "conv_filter": conv_filter}
