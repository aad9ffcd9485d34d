"""Argsort and the largest elements: native kernels beside NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backends.native.kernels import Declined, native_kernel, needs_extension, numpy_kernel

pytestmark = needs_extension
RANDOM = np.random.default_rng(8)
SHAPES = [(1,), (2,), (17,), (3, 50), (2, 3, 129), (1999,), (2000,), (2, 4097), (100_003,)]


def numbers(kind, shape):
    """Numbers with ties; floats with all that is special."""
    if kind == "int32":
        few = RANDOM.integers(-5, 5, shape)
        many = RANDOM.integers(-(2**31), 2**31, shape)
        return np.where(RANDOM.random(shape) < 0.5, few, many).astype(np.int32)
    x = RANDOM.normal(size=shape).astype(np.float32)
    if kind == "ties":
        return x.round(1)
    if kind == "special":
        special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1e-45, -1e-45], np.float32)
        return np.where(RANDOM.random(shape) < 0.5, RANDOM.choice(special, shape), x)
    return x


every_kind = pytest.mark.parametrize("kind", ["int32", "float32", "ties", "special"])


@every_kind
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("descending", [False, True])
def test_argsort(kind, shape, descending):
    x, params = numbers(kind, shape), {"axis": len(shape) - 1, "descending": descending}
    result = native_kernel("argsort")(x, **params)
    assert result.dtype == np.int32
    np.testing.assert_array_equal(result, numpy_kernel("argsort")(x, **params))


@every_kind
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_the_largest(kind, shape, dtype):
    x, size = numbers(kind, shape), shape[-1]
    for k in {2, 3, 10, size // 4, size // 3 + 1, size // 2, size - 1, size}:
        if 2 <= k <= size:
            result = native_kernel("top_k_indices")(x, k=k, dtype=np.dtype(dtype))
            assert result.dtype == dtype
            expected = numpy_kernel("argsort")(x, axis=x.ndim - 1, descending=True)[..., :k]
            np.testing.assert_array_equal(result, expected)
            again = numpy_kernel("top_k_indices")(x, k=k, dtype=np.dtype(dtype))
            np.testing.assert_array_equal(again, expected)


def test_rows_in_order_and_equal_rows():
    for x in (np.arange(5000), -np.arange(5000), np.zeros(5000)):
        for dtype in (np.int32, np.float32):
            row = x.astype(dtype)
            for descending in (False, True):
                params = {"axis": 0, "descending": descending}
                np.testing.assert_array_equal(
                    native_kernel("argsort")(row, **params), numpy_kernel("argsort")(row, **params)
                )
            result = native_kernel("top_k_indices")(row, k=7, dtype=np.dtype(np.int32))
            expected = numpy_kernel("argsort")(row, axis=0, descending=True)[:7]
            np.testing.assert_array_equal(result, expected)


def test_what_is_left_to_numpy():
    x = np.ones((3, 4), np.float32)
    for each, axis in ((x, 0), (x.T, 1), (x.astype(np.float64), 1), (x[:0], 1), (x[:, :0], 1)):
        with pytest.raises(Declined):
            native_kernel("argsort")(each, axis=axis, descending=False)
    for each, k in ((x, 5), (x, 1), (x.T, 2), (x.astype(np.int64), 2), (x[:0], 2)):
        with pytest.raises(Declined):
            native_kernel("top_k_indices")(each, k=k, dtype=np.dtype(np.int32))
