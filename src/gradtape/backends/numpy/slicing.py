"""Slices: views to read, one copy to write."""

from __future__ import annotations

import numpy as np

from gradtape.backends.numpy.rows import Write, in_a_copy, setting


def _key(index: tuple) -> tuple:
    """Convert an index to NumPy's: tuples become slices."""
    return tuple([slice(*entry) if type(entry) is tuple else entry for entry in index])


def take_slice(x, index):
    return one_string(x[_key(index)])


def one_string(x):
    """Convert a single string, which NumPy returns as a Python object, to an array of rank 0."""
    return np.array(x, object) if type(x) is bytes else x


def put_slice(x, shape, index):
    # Of strings, what is empty is b"": NumPy's zero objects are numbers.
    whole = np.full(shape, b"", object) if x.dtype == object else np.zeros(shape, x.dtype)
    whole[_key(index)] = x
    return whole


def _write_slice(x, value, index) -> Write:
    return setting(x, _key(index), value)


WRITERS = {"update_slice": _write_slice}
KERNELS = {
    "slice": take_slice,
    "put_slice": put_slice,
    "update_slice": in_a_copy(_write_slice),
}
