"""float16 and bfloat16 in native kernels, beside NumPy's and ml_dtypes' own arithmetic."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from gradtape.backends.native import kernels as native
from tests.backends.native.kernels import (
    Declined,
    every_exponent,
    native_kernel,
    needs_extension,
    numpy_kernel,
    threads,
)

pytestmark = [needs_extension, pytest.mark.filterwarnings("ignore::RuntimeWarning")]
RANDOM = np.random.default_rng(16)
HALVES = [np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)]
FLOAT32 = np.dtype(np.float32)
every_half = pytest.mark.parametrize("dtype", HALVES, ids=str)


def all_halves(dtype):
    return np.arange(2**16, dtype=np.uint16).view(dtype)


def assert_same(result, expected):
    """Equal values, any nan for a nan."""
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    result, expected = np.asarray(result), np.asarray(expected)
    wrong = (result != expected) & ~((result != result) & (expected != expected))
    assert not wrong.any(), (result[wrong][:5], expected[wrong][:5])


@every_half
def test_widening(dtype):
    x = all_halves(dtype)
    assert_same(native_kernel("cast")(x, dtype=FLOAT32), x.astype(np.float32))
    strided = x.reshape(256, 256).T[::3]
    assert_same(native_kernel("cast")(strided, dtype=FLOAT32), strided.astype(np.float32))


@every_half
def test_rounding(dtype):
    # Every half, what lies in the middle between two of them, and its neighbors.
    near = all_halves(dtype).astype(np.float32).view(np.uint32)
    steps = np.array([0, 1, 0xFFF, 0x1000, 0x1001, 0x3000, 0x7FFF, 0x8000, 0x8001], np.uint32)
    for x in ((near[:, None] + steps).view(np.float32), every_exponent(500)):
        assert_same(native_kernel("cast")(x, dtype=dtype), x.astype(dtype))


@every_half
@pytest.mark.parametrize("length", [1, 3, 7, 8, 15, 16, 17, 31, 1023, 1025])
def test_every_length_is_converted_to_its_end(dtype, length):
    x = RANDOM.normal(size=length).astype(np.float32)
    half = native_kernel("cast")(x, dtype=dtype)
    assert_same(half, x.astype(dtype))
    assert_same(native_kernel("cast")(half, dtype=FLOAT32), half.astype(np.float32))


EXACT = "negative abs square sqrt reciprocal relu".split()
ROUNDED = "exp expm1 log log1p sin cos tan tanh sigmoid softplus rsqrt erf erfc".split()


@every_half
@pytest.mark.parametrize("name", EXACT)
def test_one_operand(name, dtype):
    x = all_halves(dtype)
    assert_same(native_kernel(name)(x), numpy_kernel(name)(x))


@every_half
@pytest.mark.parametrize("name", ROUNDED)
def test_functions_are_those_of_float32_rounded(name, dtype):
    x = all_halves(dtype)
    in_float32 = native.extension.kernel(name, numpy_kernel(name))(x.astype(np.float32))
    assert_same(native_kernel(name)(x), np.asarray(in_float32).astype(dtype))


BINARY = "add subtract multiply divide maximum minimum divide_no_nan multiply_no_nan relu_grad"
COMPARISONS = "equal not_equal less less_equal greater greater_equal"


@every_half
@pytest.mark.parametrize("name", [*BINARY.split(), *COMPARISONS.split()])
def test_two_operands(name, dtype):
    x, y = all_halves(dtype), np.roll(all_halves(dtype), 12_345)
    square, other = x.reshape(256, 256), y.reshape(256, 256)
    for left, right in (
        (x, y),
        (x, y[300]),
        (x[300], y),
        (square, other[0]),
        (square, other[:, :1]),
        (square[:, :1], other),
        (square[:1, :1], other[:1, 1:2]),
        (square[:, 5:], other[:, :-5]),
        (square[:, None, :3], other[:3, :1]),
        (x[:0], y[:0]),
    ):
        assert_same(native_kernel(name)(left, right), numpy_kernel(name)(left, right))


@every_half
def test_what_is_left_to_numpy(dtype):
    x = np.ones((4, 6), dtype)
    for left, right in ((x, x.astype(np.float32)), (x[:, ::2], x[:, ::2]), (x[0, 0], x[0, 0])):
        with pytest.raises(Declined):
            native_kernel("add")(left, right)


@every_half
@pytest.mark.parametrize("number", [1, 2, 3])
def test_threads_do_not_matter(dtype, number):
    x, y = (RANDOM.normal(size=100_003).astype(dtype) for _ in range(2))
    with threads(number):
        result = native_kernel("multiply")(x, y)
    assert_same(result, x * y)


THROUGH_FLOAT32 = [
    ("reduce_sum", {"axis": (0,), "keepdims": False}),
    ("reduce_sum", {"axis": (0, 1), "keepdims": False}),
    ("reduce_mean", {"axis": (1,), "keepdims": True}),
    ("reduce_max", {"axis": (0,), "keepdims": False}),
    ("reduce_min", {"axis": (1,), "keepdims": False}),
    ("argmax", {"axis": 1, "dtype": np.dtype(np.int64)}),
    ("softmax", {}),
    ("cumsum", {"axis": 0, "exclusive": True, "reverse": True}),
    ("svd_values", {}),
]


@every_half
@pytest.mark.parametrize(("name", "params"), THROUGH_FLOAT32, ids=[n for n, _ in THROUGH_FLOAT32])
def test_kernels_that_compute_in_float32(name, params, dtype):
    x = RANDOM.normal(size=(67, 41)).astype(dtype)
    if name == "svd_values" and name not in native.KERNELS:
        pytest.skip("no such primitive")
    for each in (x, x[::2], x.T):
        result, expected = native.KERNELS[name](each, **params), numpy_kernel(name)(each, **params)
        assert type(result) is type(expected)
        assert result.dtype == expected.dtype
        assert result.shape == expected.shape
        difference = np.abs(np.subtract(result, expected, dtype=np.float64))
        unit = np.abs(expected).astype(np.float64) * float(ml_dtypes.finfo(dtype).eps) + 1e-4
        assert np.all(difference <= unit)


@every_half
@pytest.mark.parametrize("transpose", [False, True])
def test_products(dtype, transpose):
    x, y = RANDOM.normal(size=(3, 33, 20)).astype(dtype), RANDOM.normal(size=(20, 17)).astype(dtype)
    y = np.ascontiguousarray(y.T) if transpose else y
    params = {"transpose_a": False, "transpose_b": transpose}
    result, expected = (
        k(x, y, **params) for k in (native.KERNELS["matmul"], numpy_kernel("matmul"))
    )
    assert result.dtype == dtype
    np.testing.assert_allclose(
        result.astype(np.float64), expected.astype(np.float64), rtol=0.01, atol=0.01
    )


def test_several_results_are_rounded_each():
    def kernel(x, y):
        assert x.dtype == y.dtype == FLOAT32
        return x + y, np.arange(3), x[0]

    def outer(*arrays):
        raise AssertionError("the conversions are native")

    outer.in_float32 = kernel
    x = np.ones(3, np.float16)
    first, second, third = native.extension.kernel("of_tests", outer)(x, x[0])
    assert first.dtype == np.float16
    assert second.dtype == np.int64
    assert type(third) is np.float16


def test_errors_of_a_kernel_in_float32_are_raised():
    def kernel(x):
        raise ZeroDivisionError

    def outer(x):
        raise AssertionError

    outer.in_float32 = kernel
    with pytest.raises(ZeroDivisionError):
        native.extension.kernel("of_tests", outer)(np.ones(3, np.float16))
