"""concat and stack beside NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from tests.native.kernels import Declined, native_kernel, needs_extension, numpy_kernel, threads

pytestmark = needs_extension
RANDOM = np.random.default_rng(2)


def sample(*shape: int, dtype="float32") -> np.ndarray:
    return (100 * RANDOM.standard_normal(shape)).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "bool", "complex64"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_concat_and_stack(dtype, axis):
    shapes = [[3, 4, 5] for _ in range(4)]
    for i, shape in enumerate(shapes):
        shape[axis] = i + 1
    xs = [sample(*shape, dtype=dtype) for shape in shapes]
    found, expected = (k("concat")(*xs, axis=axis) for k in (native_kernel, numpy_kernel))
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
    xs = [sample(3, 4, 5, dtype=dtype) for _ in range(20)]
    for place in (axis, 3):
        found, expected = (k("stack")(*xs, axis=place) for k in (native_kernel, numpy_kernel))
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("axis", [0, 1])
def test_large_ones_are_divided(axis):
    xs = [sample(300, 1000) for _ in range(3)]
    for number in (1, 2, 3):
        with threads(number):
            np.testing.assert_array_equal(
                native_kernel("concat")(*xs, axis=axis), np.concatenate(xs, axis)
            )


def test_empty_pieces():
    xs = [sample(0, 3), sample(2, 3), sample(0, 3)]
    np.testing.assert_array_equal(native_kernel("concat")(*xs, axis=0), xs[1])


@pytest.mark.parametrize(
    "xs",
    [
        [sample(3, 4).T, sample(4, 3)],
        [sample(3, 4), sample(3, 4, dtype="float64")],
        [np.array([["a"]], object), np.array([["b"]], object)],
        [sample(3, 4)],
    ],
)
def test_what_is_left_to_numpy(xs):
    with pytest.raises(Declined):
        native_kernel("concat")(*xs, axis=0)
