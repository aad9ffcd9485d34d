"""Shape changes: nearly all of them views."""

from __future__ import annotations

import math

import numpy as np

from gradtape.backends.numpy.joining import split
from gradtape.backends.numpy.slicing import one_string


def reshape(x, shape):
    # A rank-0 result is a NumPy scalar, the cheap form of one number.
    return x.reshape(shape) if shape else one_string(x.reshape(())[()])


def transpose(x, permutation):
    return x.transpose(permutation)


def roll(x, shift, axis):
    cut = x.shape[axis] - shift % x.shape[axis]
    return np.concatenate(split(x, (cut, x.shape[axis] - cut), axis)[::-1], axis)


def broadcast_to(x, shape):
    """Return a view, or a copy where that is cheaper than NumPy's view."""
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
    "barrier": lambda x, after: x,
    "broadcast_to": broadcast_to,
    "roll": roll,
}
