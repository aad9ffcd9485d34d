"""Random numbers: those of the NumPy kernels, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backends.native.kernels import (
    Declined,
    native_kernel,
    needs_extension,
    numpy_kernel,
    threads,
)

pytestmark = needs_extension
FLOAT32 = np.dtype(np.float32)
STATES = [
    (0, 0, 0),
    (1, 2, 3),
    (-1, -1, -1),  # the counter's 128 bits are all set: it begins again at 0
    (-5, 7, 123456789123456789),
    (2**62, -(2**61), -(2**60) + 17),
]


@pytest.mark.parametrize("kind", ["uniform", "normal", "truncated_normal"])
@pytest.mark.parametrize("shape", [(1,), (3,), (4,), (5, 7), (0, 3), (200, 333)], ids=str)
@pytest.mark.parametrize("state", STATES, ids=str)
def test_numbers(kind, shape, state):
    options = {"kind": kind, "shape": shape, "dtype": FLOAT32}
    state = np.array(state, np.int64)
    expected = numpy_kernel("random_numbers")(state, **options)
    for number in (1, 2):
        with threads(number):
            found = native_kernel("random_numbers")(state, **options)
        assert found.dtype == expected.dtype
        assert found.shape == expected.shape
        np.testing.assert_array_equal(found.view(np.int32), expected.view(np.int32))


def test_a_million_normals():
    options = {"kind": "normal", "shape": (2**20,), "dtype": FLOAT32}
    state = np.array([11, 22, 33], np.int64)
    np.testing.assert_array_equal(
        native_kernel("random_numbers")(state, **options).view(np.int32),
        numpy_kernel("random_numbers")(state, **options).view(np.int32),
    )


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 101, 10_000])
@pytest.mark.parametrize("state", STATES, ids=str)
def test_permutations(count, state):
    state = np.array(state, np.int64)
    found = native_kernel("random_permutation")(state, count=count)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, numpy_kernel("random_permutation")(state, count=count))


def test_permutations_of_nothing_are_left_to_numpy():
    for count in (0, 2**70):
        with pytest.raises(Declined):
            native_kernel("random_permutation")(np.zeros(3, np.int64), count=count)


def test_what_is_left_to_numpy():
    state = np.array([1, 2, 3], np.int64)
    for kind, shape, dtype in (
        ("uniform", (3,), np.float64),
        ("integers", (3,), np.int32),
        ("uniform", (), np.float32),
    ):
        with pytest.raises(Declined):
            native_kernel("random_numbers")(state, kind=kind, shape=shape, dtype=np.dtype(dtype))
