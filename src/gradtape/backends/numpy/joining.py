"""Concatenation of arrays, and views of their parts."""

from __future__ import annotations

import numpy as np

from gradtape.backends.numpy.slicing import one_string


def split(x, sizes, axis):
    """Return consecutive views of x along an axis."""
    before = (slice(None),) * axis
    parts, start = [], 0
    for size in sizes:
        parts.append(x[(*before, slice(start, start + size))])
        start += size
    return parts


def unstack(x, axis):
    if axis:
        x = x.transpose(axis, *range(axis), *range(axis + 1, x.ndim))
    return list(x) if x.dtype != object else [one_string(row) for row in x]


def stack(*xs, axis):
    first = xs[0]
    if first.dtype == object:
        return np.stack(xs, axis)
    if not first.ndim:
        return np.array(xs, first.dtype)
    key = (*(slice(None),) * axis, None)
    return np.concatenate([x[key] for x in xs], axis)


KERNELS = {
    "concat": lambda *xs, axis: np.concatenate(xs, axis),
    "split": split,
    "stack": stack,
    "unstack": unstack,
}
