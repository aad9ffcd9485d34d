"""Rows taken and added up by number: native kernels beside NumPy's."""

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
RANDOM = np.random.default_rng(5)


@pytest.mark.parametrize("index_dtype", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "float16", "complex128"])
@pytest.mark.parametrize(
    ("shape", "indices", "axis"),
    [
        ((9,), (4,), 0),
        ((9, 5), (2, 3), 0),
        ((4, 9, 5), (6,), 1),
        ((4, 5, 9), (2, 2), 2),
        ((100, 64), (5000,), 0),
        ((3, 1000), (700,), 1),
        ((9, 0), (2,), 0),
        ((9, 5), (0,), 0),
    ],
    ids=str,
)
def test_gather(shape, indices, axis, dtype, index_dtype):
    x = (RANDOM.normal(size=shape) * 10).astype(dtype)
    positions = RANDOM.integers(0, shape[axis], indices).astype(index_dtype)
    result = native_kernel("gather")(x, positions, axis=axis, batch_dims=0)
    expected = numpy_kernel("gather")(x, positions, axis=axis, batch_dims=0)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


def test_segments_of_rows_without_columns_need_no_memory():
    x, ids = np.ones((3, 0), np.float32), np.array([0, 1, 1])
    assert native_kernel("segment_sum")(x, ids, num=2**60).shape == (2**60, 0)


def test_what_gather_leaves_to_numpy():
    x = np.ones((3, 4), np.float32)
    for table, positions, batch_dims in (
        (x, np.array([3]), 0),
        (x, np.array([-1]), 0),
        (x.T, np.array([0]), 0),
        (x.astype(object), np.array([0]), 0),
        (x, np.array([[0], [1], [2]]), 1),
        (x, np.int64(1), 0),
    ):
        with pytest.raises(Declined):
            native_kernel("gather")(table, positions, axis=batch_dims, batch_dims=batch_dims)


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(
    ("rows", "columns", "segments"),
    [(10, 3, 4), (5000, 1, 7), (3000, 65, 2000), (20_000, 16, 3), (1, 5, 1), (7, 0, 3)],
)
def test_sums_by_segment(rows, columns, segments, number):
    x = RANDOM.normal(size=(rows, columns)).astype(np.float32)
    ids = RANDOM.integers(-1, segments, rows)
    with threads(number):
        result = native_kernel("segment_sum")(x, ids, num=segments)
    with threads(1):
        alone = native_kernel("segment_sum")(x, ids.astype(np.int32), num=segments)
    np.testing.assert_array_equal(result, alone)
    exact = numpy_kernel("segment_sum")(x.astype(np.float64), ids, num=segments)
    scale = numpy_kernel("segment_sum")(np.abs(x).astype(np.float64), ids, num=segments)
    assert result.dtype == np.float32
    assert np.all(np.abs(result - exact) <= 1e-6 * scale)


SEGMENT_PARAMS = {
    "segment_sum": {},
    "segment_prod": {},
    "segment_max": {"empty": -7},
    "segment_min": {"empty": 7},
}


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("name", SEGMENT_PARAMS)
@pytest.mark.parametrize("in_order", [False, True])
@pytest.mark.parametrize(
    ("shape", "segments"),
    [((9,), 4), ((3000,), 7), ((500, 3), 900), ((700, 40), 5), ((40, 2, 3), 8), ((0, 3), 2)],
    ids=str,
)
def test_rows_combined_by_segment(name, shape, segments, dtype, in_order, number):
    x = (RANDOM.normal(size=shape) * (1 if dtype in (np.float32, np.float64) else 10)).astype(dtype)
    if name == "segment_prod" and x.dtype.kind == "f":
        x = np.sign(x) * (1 + x / 100)
    ids = RANDOM.integers(-1, segments, shape[0])
    ids = np.sort(ids) if in_order else ids
    params = {"num": segments, **SEGMENT_PARAMS[name]}
    with threads(number):
        result = native_kernel(name)(x, ids.astype(np.int32), **params)
    np.testing.assert_array_equal(result, native_kernel(name)(x, ids, **params))
    expected = numpy_kernel(name)(x, ids, **params)
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    if name in ("segment_sum", "segment_prod") and x.dtype.kind == "f":
        tolerance = 1e-5 if dtype == np.float32 else 1e-12
        np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance * 10)
    else:
        np.testing.assert_array_equal(result, expected)


def test_extremes_of_segments_with_nan_and_infinities():
    x = np.array([1, np.nan, 2, -np.inf, -np.inf, np.inf, np.nan], np.float32)
    ids = np.array([0, 0, 0, 1, 1, 2, -1])
    for name in ("segment_max", "segment_min"):
        result = native_kernel(name)(x, ids, num=4, empty=np.float32(5))
        np.testing.assert_array_equal(result, numpy_kernel(name)(x, ids, num=4, empty=5))
        assert np.isnan(result[0])
        assert result[1] == -np.inf
        assert result[3] == 5


def test_sums_and_products_of_integers_wrap():
    x, ids = np.array([2**31 - 1, 1, 2**16, 2**16], np.int32), np.array([0, 0, 1, 1])
    np.testing.assert_array_equal(native_kernel("segment_sum")(x, ids, num=2), [-(2**31), 2**17])
    np.testing.assert_array_equal(native_kernel("segment_prod")(x, ids, num=2), [2**31 - 1, 0])


def test_many_rows_of_one_segment_lose_no_digits():
    x = np.full((2**20, 1), 0.1, np.float32)
    total = native_kernel("segment_sum")(x, np.zeros(len(x), np.int64), num=1)
    assert abs(total[0, 0] / (np.float64(np.float32(0.1)) * 2**20) - 1) < 1e-7


def test_segments_out_of_range_are_left_to_numpy():
    with pytest.raises(Declined):
        native_kernel("segment_sum")(np.ones((2, 2), np.float32), np.array([0, 3]), num=3)
    with pytest.raises(Declined):
        native_kernel("segment_sum")(np.ones((2, 50), np.float32), np.array([0, 3]), num=3)
    with pytest.raises(Declined):
        native_kernel("segment_max")(np.ones((2, 2)), np.array([0, 3]), num=3, empty=0)


def test_rows_of_segments():
    x, ids = RANDOM.normal(size=(20, 9)), RANDOM.integers(-2, 20, 300)
    result = native_kernel("segment_rows")(x, ids)
    np.testing.assert_array_equal(result, numpy_kernel("segment_rows")(x, ids))
    with pytest.raises(Declined):
        native_kernel("segment_rows")(x, np.array([20]))


@pytest.mark.parametrize("shape", [(7,), (3, 5), (0,), (4000,)], ids=str)
@pytest.mark.parametrize("depth", [0, 1, 10])
def test_one_hot(shape, depth):
    indices = RANDOM.integers(-2, 12, shape)
    dtype = np.dtype(np.float32)
    result = native_kernel("one_hot")(indices, depth=depth, dtype=dtype)
    expected = numpy_kernel("one_hot")(indices, depth=depth, dtype=dtype)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)
