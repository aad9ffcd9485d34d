"""Slices: views to read, one copy to write."""

from __future__ import annotations

import numpy as np


def _key(index: tuple) -> tuple:
    """What NumPy takes in brackets: slices for the tuples that stand for them."""
    return tuple([slice(*entry) if type(entry) is tuple else entry for entry in index])


def take_slice(x, index):
    return one_string(x[_key(index)])


def one_string(x):
    """An element of an array of strings is Python's own object: an array again, of rank 0."""
    return np.array(x, object) if type(x) is bytes else x


def put_slice(x, shape, index):
    whole = np.zeros(shape, x.dtype)
    whole[_key(index)] = x
    return whole


def update_slice(x, value, index):
    whole = np.array(x)
    whole[_key(index)] = value
    return whole


KERNELS = {
    "slice": take_slice,
    "put_slice": put_slice,
    "update_slice": update_slice,
}
