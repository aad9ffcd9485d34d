"""One value, made in one way and used in another: the check that every test here makes."""

from __future__ import annotations

import numpy as np

import gradtape as tf

SHAPES = {"small": (4, 3), "large": (300, 256)}  # large: from where ops are deferred


def numbers(size: str) -> np.ndarray:
    shape = SHAPES[size]
    return (np.arange(np.prod(shape)) % 7).reshape(shape).astype(np.float32)


def same(actual, expected) -> None:
    expected = np.asarray(expected)
    actual = np.asarray(actual)
    assert actual.dtype == expected.dtype
    np.testing.assert_array_equal(actual, expected)


class Snapshots:
    """What was read of a value earlier: it must never change."""

    def __init__(self, x, array: np.ndarray) -> None:
        self.array = array.copy()
        self.kept = [tf.identity(x), x.numpy(), tf.convert_to_tensor(x), np.asarray(x), x[0]]

    def check(self) -> None:
        *whole, row = self.kept
        for value in whole:
            same(value, self.array)
        same(row, self.array[0])


def check_reading(make, use, array: np.ndarray) -> None:
    x = make(array.copy())
    for actual, expected in use(x, array.copy()):
        same(actual, expected)
    same(x, array)


def check_writing(make, use, array: np.ndarray, *, watched: bool) -> None:
    """A writer on a variable; `watched`: while somebody holds its former values."""
    v = make(array.copy())
    snapshots = Snapshots(v, array) if watched else None
    expected = use(v, array.copy())
    same(v, expected)
    if snapshots is not None:
        snapshots.check()
