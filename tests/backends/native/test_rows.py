"""Softmax, the cross-entropies and reductions: native kernels beside NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradtape.backends import cpu
from tests.backends.native.kernels import (
    Declined,
    native_kernel,
    needs_extension,
    numpy_kernel,
    threads,
)

pytestmark = needs_extension
RANDOM = np.random.default_rng(7)


def normal(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


ROWS = [(1, 1), (3, 10), (128, 10), (5, 33), (7, 1000), (2, 3, 17), (64, 1024), (4, 50257), (8,)]


@pytest.mark.parametrize("shape", ROWS, ids=str)
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax(name, shape):
    x = normal(*shape) * 5
    exact = numpy_kernel(name)(x.astype(np.float64))
    np.testing.assert_allclose(native_kernel(name)(x), exact, rtol=1e-6, atol=2e-6)


@pytest.mark.parametrize("shape", ROWS, ids=str)
def test_gradient_of_softmax(shape):
    y, g = numpy_kernel("softmax")(normal(*shape) * 3), normal(*shape)
    exact = numpy_kernel("softmax_grad")(y.astype(np.float64), g.astype(np.float64))
    np.testing.assert_allclose(native_kernel("softmax_grad")(y, g), exact, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax_of_special_rows(name):
    inf, nan = np.inf, np.nan
    x = np.zeros((5, 19), np.float32)
    x[0, 3], x[1, 18], x[3] = nan, inf, -inf
    x[2, :7] = -inf
    x[4] = np.linspace(-3e38, 3e38, 19)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(native_kernel(name)(x), numpy_kernel(name)(x), rtol=1e-6)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("shape", ROWS, ids=str)
def test_logsumexp(shape, keepdims):
    x = normal(*shape) * 5
    for axis in ((len(shape) - 1,), tuple(range(len(shape)))):
        exact = numpy_kernel("reduce_logsumexp")(x.astype(np.float64), axis, keepdims)
        result = native_kernel("reduce_logsumexp")(x, axis=axis, keepdims=keepdims)
        assert np.shape(result) == np.shape(exact)
        np.testing.assert_allclose(result, exact, rtol=1e-6)


def test_logsumexp_of_special_rows():
    inf, nan = np.inf, np.nan
    rows = [[inf, 0], [-inf, -inf], [-inf, 1], [nan, 1], [inf, -inf], [inf, nan], [3e38, 88]]
    result = native_kernel("reduce_logsumexp")(
        np.array(rows, np.float32), axis=(1,), keepdims=False
    )
    np.testing.assert_array_equal(result, np.array([inf, -inf, 1, nan, inf, nan, 3e38], np.float32))


@pytest.mark.parametrize("shape", [s for s in ROWS if len(s) > 1], ids=str)
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_sparse_cross_entropy(shape, dtype):
    x = normal(*shape) * 3
    labels = RANDOM.integers(0, shape[-1], shape[:-1]).astype(dtype)
    name = "sparse_softmax_cross_entropy"
    exact = numpy_kernel(name)(labels, x.astype(np.float64))
    np.testing.assert_allclose(native_kernel(name)(labels, x), exact, rtol=1e-6, atol=1e-6)
    g = normal(*shape[:-1])
    exact = numpy_kernel(f"{name}_grad")(labels, x.astype(np.float64), g.astype(np.float64))
    np.testing.assert_allclose(
        native_kernel(f"{name}_grad")(labels, x, g), exact, rtol=1e-5, atol=1e-6
    )


def test_sparse_cross_entropy_of_a_spread_cotangent():
    x, labels = normal(64, 10), RANDOM.integers(0, 10, 64)
    g = np.broadcast_to(np.float32(1 / 64), (64,))
    kernel = native_kernel("sparse_softmax_cross_entropy_grad")
    np.testing.assert_array_equal(kernel(labels, x, g), kernel(labels, x, g.copy()))


@pytest.mark.parametrize("bad", [-1, 10])
def test_labels_out_of_range_are_left_to_the_kernel_that_explains_them(bad):
    x, labels = normal(4, 10), np.array([1, 2, bad, 3])
    with pytest.raises(Declined):
        native_kernel("sparse_softmax_cross_entropy")(labels, x)
    with pytest.raises(Declined):
        native_kernel("sparse_softmax_cross_entropy_grad")(labels, x, np.ones(4, np.float32))


@pytest.mark.parametrize("shape", [s for s in ROWS if len(s) > 1], ids=str)
def test_cross_entropy(shape):
    x, labels = normal(*shape) * 3, np.abs(normal(*shape))
    labels /= labels.sum(-1, keepdims=True)
    labels[labels < 0.3 / shape[-1]] = 0
    name = "softmax_cross_entropy"
    exact = numpy_kernel(name)(labels.astype(np.float64), x.astype(np.float64))
    np.testing.assert_allclose(native_kernel(name)(labels, x), exact, rtol=2e-6, atol=1e-6)


def test_cross_entropy_passes_over_labels_of_zero():
    x = np.array([[-np.inf, 0, 1], [0, 1, 2]], np.float32)
    labels = np.array([[0, 1, 0], [0.5, 0.5, 0]], np.float32)
    name = "softmax_cross_entropy"
    np.testing.assert_allclose(
        native_kernel(name)(labels, x), numpy_kernel(name)(labels, x), rtol=1e-6
    )


# --- reductions ----------------------------------------------------------------------------------

REDUCED = [
    ((1,), (0,)),
    ((7,), (0,)),
    ((100_003,), (0,)),
    ((33, 65), (0, 1)),
    ((128, 10), (0,)),
    ((1000, 3), (0,)),
    ((4099, 1), (0,)),
    ((50, 256), (0,)),
    ((300, 257), (0,)),
    ((17, 5000), (0,)),
    ((2, 3), (0,)),
    ((128, 10), (1,)),
    ((3, 70_001), (1,)),
    ((4, 37, 5), (1,)),
    ((4, 300, 40), (1,)),
    ((2, 5, 3, 7), (0, 1, 2)),
    ((2, 5, 3, 7), (1, 2)),
    ((2, 5, 3, 7), (2, 3)),
    ((40_000, 2), (0,)),
    ((9, 1, 4), (1,)),
]


@pytest.mark.parametrize(("shape", "axis"), REDUCED, ids=str)
@pytest.mark.parametrize("name", ["reduce_sum", "reduce_mean", "reduce_max", "reduce_min"])
def test_reductions(name, shape, axis):
    x = normal(*shape)
    for keepdims in (False, True):
        y = native_kernel(name)(x, axis=axis, keepdims=keepdims)
        exact = numpy_kernel(name)(x.astype(np.float64), axis=axis, keepdims=keepdims)
        assert y.dtype == np.float32
        assert y.shape == exact.shape
        assert isinstance(y, np.ndarray) == (y.ndim > 0)
        if name in ("reduce_max", "reduce_min"):
            np.testing.assert_array_equal(y, exact)
        else:
            scale = numpy_kernel(name)(np.abs(x).astype(np.float64), axis=axis, keepdims=keepdims)
            assert np.all(np.abs(y - exact) <= 1e-6 * scale)


@pytest.mark.parametrize(("shape", "axis"), REDUCED, ids=str)
def test_results_are_the_same_for_any_number_of_threads(shape, axis):
    x = normal(*shape)
    for name in ("reduce_sum", "reduce_mean", "reduce_max"):
        results = []
        for number in (1, 2, 3):
            with threads(number):
                results.append(native_kernel(name)(x, axis=axis, keepdims=False))
        np.testing.assert_array_equal(results[0], results[1])
        np.testing.assert_array_equal(results[0], results[2])


@pytest.mark.parametrize("name", ["reduce_max", "reduce_min"])
@pytest.mark.parametrize("axis", [(0,), (1,), (0, 1)], ids=str)
def test_extremes_show_nan(name, axis):
    for position in (0, 1, 37, 12_345, 39_999):
        x = normal(200, 200)
        x.reshape(-1)[position] = np.nan
        expected = numpy_kernel(name)(x, axis=axis, keepdims=False)
        y = native_kernel(name)(x, axis=axis, keepdims=False)
        np.testing.assert_array_equal(y, expected)


def test_sums_are_as_accurate_as_numpy():
    x = RANDOM.random(2**22).astype(np.float32)
    exact = x.astype(np.float64).sum()
    ours = native_kernel("reduce_sum")(x, axis=(0,), keepdims=False)
    assert abs(ours - exact) <= abs(np.add.reduce(x) - exact) + np.spacing(np.float32(exact)) / 2
    x = x.reshape(-1, 64)
    exact = x.astype(np.float64).sum(0)
    ours = native_kernel("reduce_sum")(x, axis=(0,), keepdims=False)
    assert np.abs(ours - exact).max() <= np.abs(np.add.reduce(x, 0) - exact).max()


def test_what_reductions_leave_to_numpy():
    kernel = native_kernel("reduce_sum")
    for x, axis in (
        (normal(3, 4).T, (0,)),
        (normal(3, 4, 5), (0, 2)),
        (np.zeros((0, 3), np.float32), (0,)),
        (np.zeros((200, 200)), (0,)),  # small ones: test_small_arrays.py
        (np.zeros((3, 3), np.int32), (0,)),
        (normal(3, 3), ()),
    ):
        with pytest.raises(Declined):
            kernel(x, axis=axis, keepdims=False)


@settings(max_examples=200)
@given(st.data())
def test_any_shape_any_strides_any_axes(data):
    """What the two kernels give together, whoever takes the arguments."""
    shape = data.draw(st.lists(st.sampled_from((0, 1, 2, 3, 9, 33)), min_size=1, max_size=4))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    x = random.normal(size=[2 * n for n in shape]).astype(np.float32)
    special = data.draw(st.sampled_from((None, np.inf, np.nan)))
    if special is not None:
        x[random.random(x.shape) < 0.05] = special
    x = x[tuple(slice(0, 2 * n, data.draw(st.sampled_from((1, 2)))) for n in shape)]
    x = data.draw(st.sampled_from((x, x.copy(), x.T)))
    axes = data.draw(st.sets(st.integers(0, x.ndim - 1), min_size=1))
    axis = tuple(sorted(axes))
    with np.errstate(all="ignore"):
        for name in "sum mean max min logsumexp".split():
            name = f"reduce_{name}"
            options = {"axis": axis, "keepdims": data.draw(st.booleans())}
            result = cpu.kernel(name)(x, **options)
            wide = numpy_kernel(name)(x.astype(np.float64), **options)
            assert result.shape == wide.shape
            np.testing.assert_allclose(result, wide, rtol=1e-4, atol=1e-4)
        for name in ("softmax", "log_softmax"):
            np.testing.assert_allclose(
                cpu.kernel(name)(x), numpy_kernel(name)(x), rtol=1e-4, atol=1e-5
            )
