"""Bitwise operations on integers, and reinterpretation of bits."""

from __future__ import annotations

import operator

import numpy as np


def _shift_amount(x, y):
    """Clip the distance of a shift to the width of the integers, as TensorFlow does."""
    return np.clip(y, 0, x.dtype.itemsize * 8 - 1).astype(x.dtype)


def left_shift(x, y):
    return np.left_shift(x, _shift_amount(x, y))


def right_shift(x, y):
    return np.right_shift(x, _shift_amount(x, y))


def bitcast(x, dtype):
    x = np.ascontiguousarray(x).reshape(x.shape)  # the first makes a vector of a scalar
    if x.dtype.itemsize > dtype.itemsize:
        return x[..., None].view(dtype)
    if x.dtype.itemsize < dtype.itemsize:
        return x.view(dtype)[..., 0]
    return x.view(dtype)[()]


KERNELS = {
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "bitwise_invert": operator.invert,
    "left_shift": left_shift,
    "right_shift": right_shift,
    "bitcast": bitcast,
}
