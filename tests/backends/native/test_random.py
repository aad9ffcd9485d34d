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


KINDS = [
    ("uniform", np.float32),
    ("normal", np.float32),
    ("truncated_normal", np.float32),
    ("uniform", np.float64),
    *[("integers", dtype) for dtype in (np.int32, np.uint32, np.int64, np.uint64)],
]


@pytest.mark.parametrize(("kind", "dtype"), KINDS)
@pytest.mark.parametrize("shape", [(), (1,), (3,), (4,), (5, 7), (0, 3), (200, 333)], ids=str)
@pytest.mark.parametrize("state", STATES, ids=str)
def test_numbers(kind, dtype, shape, state):
    options = {"kind": kind, "shape": shape, "dtype": np.dtype(dtype)}
    state = np.array(state, np.int64)
    expected = numpy_kernel("random_numbers")(state, **options)
    for number in (1, 2):
        with threads(number):
            _assert_same(native_kernel("random_numbers")(state, **options), expected)


BOUNDS = {
    np.int32: [(0, 1), (-2, 9), (-(2**31), 2**31 - 1), (5, 2**31 - 1)],
    np.int64: [(0, 1), (-2, 9), (-(2**63), 2**63 - 1), (2**40, 2**40 + 7)],
}


@pytest.mark.parametrize("shape", [(), (5,), (3, 333)], ids=str)
@pytest.mark.parametrize("dtype", BOUNDS)
@pytest.mark.parametrize("as_array", [False, True])
def test_integers_within_bounds(dtype, shape, as_array):
    options = {"shape": shape, "dtype": np.dtype(dtype)}
    for low, high in BOUNDS[dtype]:
        bounds = [np.array(x, dtype) if as_array else dtype(x) for x in (low, high)]
        for state in np.array(STATES, np.int64):
            expected = numpy_kernel("random_integers")(state, *bounds, **options)
            _assert_same(native_kernel("random_integers")(state, *bounds, **options), expected)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize(
    ("shape", "samples"), [((1, 2), 1), ((4, 3), 5), ((0, 3), 2), ((3, 1), 0), ((300, 40), 7)]
)
def test_classes(shape, samples, dtype, kind):
    logits = np.random.default_rng(3).normal(size=shape).astype(kind) * 4
    options = {"samples": samples, "dtype": np.dtype(dtype)}
    for state in np.array(STATES, np.int64):
        expected = numpy_kernel("random_categorical")(state, logits, **options)
        for number in (1, 2):
            with threads(number):
                result = native_kernel("random_categorical")(state, logits, **options)
                _assert_same(result, expected)


def test_classes_of_special_rows():
    inf, nan = np.inf, np.nan
    rows = [[0, -inf, 1], [nan, 0, 0], [inf, 0, -5], [-inf] * 3, [nan] * 3, [3e38, -3e38, 3e38]]
    logits, options = np.array(rows, np.float32), {"samples": 50, "dtype": np.dtype(np.int64)}
    for state in np.array(STATES, np.int64):
        expected = numpy_kernel("random_categorical")(state, logits, **options)
        _assert_same(native_kernel("random_categorical")(state, logits, **options), expected)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_states_of_seeds(dtype):
    for seed in [(0, 0), (1, 2), (-1, -7), (2**31 - 1, -(2**31))]:
        seed = np.array(seed, dtype)
        _assert_same(native_kernel("seed_state")(seed), numpy_kernel("seed_state")(seed))


def _assert_same(result, expected):
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    np.testing.assert_array_equal(
        np.ravel(result).view(np.uint8), np.ascontiguousarray(expected).ravel().view(np.uint8)
    )


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
    result = native_kernel("random_permutation")(state, count=count)
    assert result.dtype == np.int64
    np.testing.assert_array_equal(result, numpy_kernel("random_permutation")(state, count=count))


def test_permutations_of_nothing_are_left_to_numpy():
    for count in (0, 2**70):
        with pytest.raises(Declined):
            native_kernel("random_permutation")(np.zeros(3, np.int64), count=count)


def test_what_is_left_to_numpy():
    state = np.array([1, 2, 3], np.int64)
    for kind, shape, dtype in (
        ("normal", (3,), np.float64),
        ("uniform", (3,), np.float16),
        ("uniform", (-1,), np.float32),
        ("integers", (3,), np.int16),
    ):
        with pytest.raises(Declined):
            native_kernel("random_numbers")(state, kind=kind, shape=shape, dtype=np.dtype(dtype))
    for low, high in ((3, 3), (5, 2)):  # an error, which NumPy's kernel explains
        with pytest.raises(Declined):
            native_kernel("random_integers")(
                state, np.int32(low), np.int32(high), shape=(2,), dtype=np.dtype(np.int32)
            )
    with pytest.raises(Declined):
        native_kernel("seed_state")(np.zeros(2, np.uint32))
