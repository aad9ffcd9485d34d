"""Layer normalization over the last axis, and its gradient."""

from __future__ import annotations

import numpy as np

from gradtape.backends.precision import in_float32


def _standard(x, epsilon):
    y = x - np.mean(x, -1, keepdims=True)
    factor = 1 / np.sqrt(np.mean(y * y, -1, keepdims=True) + x.dtype.type(epsilon))
    y *= factor
    return y, factor


@in_float32
def layer_normalize(x, scale, offset, epsilon):
    y, _ = _standard(x, epsilon)
    y *= scale
    y += offset
    return y


@in_float32
def layer_normalize_grad(x, scale, g, epsilon):
    y, factor = _standard(x, epsilon)
    rows = tuple(range(x.ndim - 1))
    by_scale, by_offset = np.sum(g * y, rows), np.sum(g, rows)
    u = g * scale
    y *= np.mean(u * y, -1, keepdims=True)
    u -= np.mean(u, -1, keepdims=True)
    u -= y
    u *= factor
    return u, by_scale, by_offset


KERNELS = {"layer_normalize": layer_normalize, "layer_normalize_grad": layer_normalize_grad}
