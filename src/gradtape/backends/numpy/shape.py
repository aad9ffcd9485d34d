"""Shape changes: nearly all of them views."""

from __future__ import annotations

import math

import numpy as np

from gradtape.backends.numpy.slicing import one_string


def reshape(x, shape):
    # A rank-0 result is a NumPy scalar, the cheap form of one number.
    return x.reshape(shape) if shape else one_string(x.reshape(())[()])


def transpose(x, permutation):
    return x.transpose(permutation)


def split(x, sizes, axis):
    """Views of x, one after the other along an axis."""
    before = (slice(None),) * axis
    parts, start = [], 0
    for size in sizes:
        parts.append(x[(*before, slice(start, start + size))])
        start += size
    return parts


def unstack(x, axis):
    if axis:
        x = np.moveaxis(x, axis, 0)
    return list(x) if x.dtype != object else [one_string(row) for row in x]


def stack(*xs, axis):
    first = xs[0]
    if first.dtype == object:
        return np.stack(xs, axis)
    if not first.ndim:
        return np.array(xs, first.dtype)
    key = (*(slice(None),) * axis, None)
    return np.concatenate([x[key] for x in xs], axis)


def broadcast_to(x, shape):
    """A view, except where a copy costs less than NumPy takes to make the view."""
    if math.prod(shape) > 4096:
        return np.broadcast_to(x, shape)
    if len(shape) < x.ndim:
        raise ValueError("the result of broadcasting has at least as many axes")
    result = np.empty(shape, x.dtype)
    result[...] = x
    return result


KERNELS = {
    "reshape": reshape,
    "transpose": transpose,
    "broadcast_to": broadcast_to,
    "concat": lambda *xs, axis: np.concatenate(xs, axis),
    "split": split,
    "stack": stack,
    "unstack": unstack,
}
