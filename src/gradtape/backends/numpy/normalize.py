"""Layer normalization over the last axis, and its gradient."""

from __future__ import annotations

import numpy as np


def in_float32(*arrays):
    """Halves are computed in float32."""
    if arrays[0].dtype.itemsize > 2:
        return arrays
    return [x.astype(np.float32) for x in arrays]


def _standard(x, epsilon):
    y = x - np.mean(x, -1, keepdims=True)
    factor = 1 / np.sqrt(np.mean(y * y, -1, keepdims=True) + x.dtype.type(epsilon))
    y *= factor
    return y, factor


def layer_normalize(x, scale, offset, epsilon):
    wide, scale, offset = in_float32(x, scale, offset)
    y, _ = _standard(wide, epsilon)
    y *= scale
    y += offset
    return y.astype(x.dtype, copy=False)


def layer_normalize_grad(x, scale, g, epsilon):
    dtype, (x, scale, g) = x.dtype, in_float32(x, scale, g)
    y, factor = _standard(x, epsilon)
    rows = tuple(range(x.ndim - 1))
    by_scale, by_offset = np.sum(g * y, rows), np.sum(g, rows)
    u = g * scale
    y *= np.mean(u * y, -1, keepdims=True)
    u -= np.mean(u, -1, keepdims=True)
    u -= y
    u *= factor
    return tuple(each.astype(dtype, copy=False) for each in (u, by_scale, by_offset))


KERNELS = {"layer_normalize": layer_normalize, "layer_normalize_grad": layer_normalize_grad}
