"""Small arrays of float64 and of integers: the bits and the layout of NumPy's kernels."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from tests.backends.native.kernels import Declined, native_kernel, needs_extension, numpy_kernel

pytestmark = needs_extension
UNARY = ["negative", "abs", "square"]
OF_FLOATS = ["sqrt", "rsqrt", "reciprocal", "sigmoid"]
OF_FLOATS += ["exp", "expm1", "log", "log1p", "sin", "cos", "tan", "tanh"]
BINARY = ["add", "subtract", "multiply", "maximum", "minimum"]
OF_TWO_FLOATS = ["divide", "divide_no_nan", "multiply_no_nan"]
COMPARISONS = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]
REDUCTIONS = ["reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_logsumexp"]
SPECIAL = [0, -0.0, 1, -1, 2.5, np.inf, -np.inf, np.nan, 5e-324, 1e308, -745.2, 0.3]
DTYPES = [np.float64, np.int64, np.int32]


def same(result, expected):
    """Bits, shape, and the order in memory."""
    expected = np.asarray(expected)
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    assert [s for s, n in zip(result.strides, result.shape, strict=True) if n > 1] == [
        s for s, n in zip(expected.strides, expected.shape, strict=True) if n > 1
    ]
    nans = (result != result) & (expected != expected)
    unsigned = np.dtype(f"u{result.dtype.itemsize}")
    x, y = np.ascontiguousarray(result).view(unsigned), np.ascontiguousarray(expected)
    assert np.all((x == y.view(unsigned)) | nans)


def filled(values, shape, dtype):
    if dtype is bool:
        return values.random(shape) < 0.5
    if dtype is not np.float64:
        return values.integers(-50, 50, shape).astype(dtype)
    return values.choice(SPECIAL, shape) if values.random() < 0.4 else values.normal(size=shape)


@st.composite
def arrays(draw, shape: tuple[int, ...], dtype):
    """An array that broadcasts to `shape`: whole, turned, a part, reversed or spread; a scalar."""
    values = np.random.default_rng(draw(st.integers(0, 2**32)))
    axes = draw(st.integers(0, len(shape)))
    own = [draw(st.sampled_from((n, n, 1))) for n in shape[len(shape) - axes :]]
    if not own:
        return filled(values, (1,), dtype)[0]
    kind = draw(st.sampled_from(("whole", "whole", "turned", "slice", "steps", "back", "spread")))
    if kind == "turned":
        return filled(values, own[::-1], dtype).T
    if kind == "slice":
        return filled(values, [n + 2 for n in own], dtype)[tuple(slice(1, 1 + n) for n in own)]
    if kind == "steps":
        return filled(values, [2 * n for n in own], dtype)[(slice(None, None, 2),) * len(own)]
    if kind == "back":
        return filled(values, own, dtype)[..., ::-1]
    if kind == "spread":
        return np.broadcast_to(filled(values, [1, *own[1:]], dtype), own)
    return filled(values, own, dtype)


shapes = st.lists(st.sampled_from((0, 1, 2, 3, 5, 17, 40)), min_size=1, max_size=4).map(tuple)


def compare(name, *xs):
    with np.errstate(all="ignore"):
        expected = numpy_kernel(name)(*xs)
    try:
        result = native_kernel(name)(*xs)
    except Declined:
        return
    same(result, expected)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_ops_have_numpys_bits(data):
    shape, dtype = data.draw(shapes), data.draw(st.sampled_from(DTYPES))
    x, y = data.draw(arrays(shape, dtype)), data.draw(arrays(shape, dtype))
    is_float = dtype is np.float64
    for name in (*UNARY, *(OF_FLOATS if is_float else ())):
        compare(name, x)
    for name in (*BINARY, *COMPARISONS, *(OF_TWO_FLOATS if is_float else ())):
        compare(name, x, y)
    compare("select", data.draw(arrays(shape, bool)), x, y)


@pytest.mark.parametrize("dtype", DTYPES)
def test_common_ones_are_not_left_to_numpy(dtype):
    values = np.random.default_rng(0)
    x = filled(values, (12, 3), dtype)
    number = x[0, 0]
    for name in UNARY if dtype is not np.float64 else (*UNARY, *OF_FLOATS):
        with np.errstate(all="ignore"):
            same(native_kernel(name)(x), numpy_kernel(name)(x))
    names = [*BINARY[:3], *COMPARISONS, *(OF_TWO_FLOATS if dtype is np.float64 else ())]
    for name in names:
        for pair in (
            (x, x),
            (x, number),
            (number, x),
            (x, x[0]),
            (x[:, :1], x),
            (x[:, 0], x[:, 1]),
        ):
            with np.errstate(all="ignore"):
                same(native_kernel(name)(*pair), numpy_kernel(name)(*pair))
    same(native_kernel("select")(x > 0, x, number), np.where(x > 0, x, number))


@pytest.mark.parametrize(
    "xs",
    [
        (np.ones((3, 4)).T, np.ones((3, 4)).T),  # NumPy lays out the result as they are
        (np.ones(3), np.ones(3, np.float32)),
        (np.ones(3), np.ones(4)),
        (np.ones(40_000), np.ones(40_000)),
        (np.ones((0, 3)), np.ones((0, 3))),
        (np.array(1.0), np.array(2.0)),
        (np.ones(3, ">f8"), np.ones(3, ">f8")),
        (np.frombuffer(bytes(25), np.uint8)[1:].view(np.float64), np.ones(3)),
    ],
    ids=["turned", "dtypes", "sizes", "large", "empty", "rank 0", "swapped", "unaligned"],
)
def test_others_are_left_to_numpy(xs):
    with pytest.raises(Declined):
        native_kernel("add")(*xs)


def test_a_program_that_asks_numpy_for_errors_gets_tensors():
    x = tf.constant([1.0, 0.0, -1.0], tf.float64)
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(x / 0.0, [np.inf, np.nan, -np.inf])
        np.testing.assert_array_equal(tf.math.log(x), [0, -np.inf, np.nan])
        np.testing.assert_array_equal(tf.exp(x * 1e4), [np.inf, 1, 0])


def test_threads_compute_the_same():
    def compute(seed):
        x = tf.constant(np.random.default_rng(seed).normal(size=(50, 3)))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.sin(x) * x[:, :1] / (tf.exp(x) + 1))
        return tape.gradient(y, x).numpy()

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(compute, [*range(8)] * 10))
    for i, result in enumerate(results):
        np.testing.assert_array_equal(result, results[i % 8])


# --- reductions ----------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_reductions_have_numpys_bits(data):
    shape = data.draw(st.sampled_from([(5,), (300,), (40, 3), (3, 40), (2, 3, 7), (17, 2, 33)]))
    x = data.draw(arrays(shape, np.float64))
    axes = data.draw(st.lists(st.integers(0, max(np.ndim(x) - 1, 0)), unique=True, min_size=1))
    for name in REDUCTIONS:
        for keepdims in (False, True):
            params = {"axis": tuple(sorted(axes)), "keepdims": keepdims}
            with np.errstate(all="ignore"):
                expected = np.ndim(x) and numpy_kernel(name)(x, **params)
            try:
                result = native_kernel(name)(x, **params)
            except Declined:
                continue
            assert type(result) is type(expected)  # of all axes, a scalar
            same(np.asarray(result), np.asarray(expected))


@pytest.mark.parametrize("axis", [(0,), (1,), (0, 1)])
def test_small_reductions_are_not_left_to_numpy(axis):
    x = np.random.default_rng(5).standard_normal((40, 3))
    for name in REDUCTIONS:
        expected = numpy_kernel(name)(x, axis=axis, keepdims=True)
        same(native_kernel(name)(x, axis=axis, keepdims=True), expected)
    with pytest.raises(Declined):
        native_kernel("reduce_sum")(np.ones((40_000, 2)), axis=(0,), keepdims=False)
    with pytest.raises(Declined):
        native_kernel("reduce_sum")(np.ones((0, 2)), axis=(0,), keepdims=False)


# --- solutions and cross products ----------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("columns", [1, 2, 33])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("adjoint", [False, True])
def test_a_triangular_matrix(dtype, columns, lower, adjoint):
    values = np.random.default_rng(1)
    wide = (values.standard_normal((30, 40)) + 9 * np.eye(30, 40)).astype(dtype)
    b = values.standard_normal((columns, 30)).astype(dtype)
    for a in (wide[:, :30], wide[:, :30].T, wide[:, :30].copy(), wide[::2, :15]):
        for y in (b.T[: len(a)], b.T[: len(a)].copy()):
            params = {"lower": lower, "adjoint": adjoint}
            try:
                result = native_kernel("triangular_solve")(a, y, **params)
            except Declined:
                pytest.fail("it is small")
            expected = numpy_kernel("triangular_solve")(a, y, **params)
            assert result.flags.c_contiguous
            tolerance = 1e-4 if dtype is np.float32 else 1e-11
            np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


def test_a_singular_triangle_gives_infinity_and_the_other_one_is_not_read():
    a = np.array([[2.0, np.nan], [1.0, 0.0]])
    result = native_kernel("triangular_solve")(a, np.ones((2, 1)), lower=True, adjoint=False)
    np.testing.assert_array_equal(result, [[0.5], [np.inf]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_cross_products_have_numpys_bits(dtype):
    values = np.random.default_rng(2)
    wide = values.standard_normal((4, 20, 6)).astype(dtype)
    wide[0, 0, 0], wide[0, 1, 1] = np.inf, np.nan
    for x, y in (
        (wide[..., :3], wide[..., 3:]),
        (wide[0, :, :3].copy(), wide[1, :, :3].copy()),
        (wide[0, 3, :3], wide[0, 3, 5:2:-1]),
        (wide[..., :3].transpose(1, 0, 2), wide[..., 3:].transpose(1, 0, 2)),
    ):
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(native_kernel("cross")(x, y), np.cross(x, y))
    with pytest.raises(Declined):
        native_kernel("cross")(np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(Declined):
        native_kernel("cross")(np.ones((0, 3)), np.ones((0, 3)))
