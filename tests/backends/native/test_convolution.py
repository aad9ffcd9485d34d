"""Native convolution and pooling beside NumPy's kernels, computed in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.backends.native.kernels import (
    Declined,
    native_kernel,
    needs_extension,
    numpy_kernel,
    threads,
)

pytestmark = needs_extension


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng((seed, *shape)).standard_normal(shape).astype(np.float32)


def close(result, expected, positions: int = 1):
    """Equal but for the rounding of a sum of so many products."""
    assert result.dtype == np.float32
    assert result.shape == expected.shape
    scale = np.abs(expected).max(initial=1)
    np.testing.assert_allclose(
        result, expected, rtol=0, atol=1e-6 * scale * max(1, positions**0.5 / 8)
    )


def compare(name: str, *arrays, positions: int = 1, **params):
    expected = numpy_kernel(name)(*[x.astype(np.float64) for x in arrays], **params)
    result = native_kernel(name)(*arrays, **params)
    close(result, expected, positions)
    return result


@st.composite
def convolutions(draw):
    """(x shape, w shape, options) of a convolution in 1 to 3 dimensions."""
    rank = draw(st.integers(1, 3))
    groups = draw(st.sampled_from((1, 1, 1, 2, 3, 8)))
    depth = draw(st.sampled_from((1, 2, 3, 8, 20)))
    features = groups * draw(st.sampled_from((1, 2, 5, 16, 33)))
    window = [draw(st.integers(1, 3)) for _ in range(rank)]
    dilations = [draw(st.integers(1, 2)) for _ in range(rank)]
    padding = [(draw(st.integers(0, 3)), draw(st.integers(0, 3))) for _ in range(rank)]
    space = [
        (k - 1) * d + 1 + draw(st.integers(0, 16 if i == rank - 1 else 4))
        for i, (k, d) in enumerate(zip(window, dilations, strict=True))
    ]
    options = {
        "strides": tuple(draw(st.integers(1, 3)) for _ in range(rank)),
        "padding": tuple(padding),
        "dilations": tuple(dilations),
        "groups": groups,
    }
    images = draw(st.integers(1, 3))
    return (images, *space, depth * groups), (*window, depth, features), options


@given(convolutions())
@settings(max_examples=150)
def test_convolution_and_its_transposes(problem):
    x_shape, w_shape, options = problem
    x, w = numbers(*x_shape), numbers(*w_shape, seed=1)
    positions = int(np.prod(w_shape[:-1]))
    y = compare("conv", x, w, positions=positions, **options)
    g = numbers(*y.shape, seed=2)
    compare("conv_input", g, w, positions=positions, shape=x_shape, **options)
    compare("conv_filter", x, g, positions=g.size // g.shape[-1], shape=w_shape, **options)


PLAIN = {"strides": (1, 1), "padding": ((1, 1), (1, 1)), "dilations": (1, 1), "groups": 1}


@pytest.mark.parametrize(("channels", "features"), [(1, 32), (32, 64), (70, 20)])
def test_results_do_not_depend_on_the_number_of_threads(channels, features):
    x, w = numbers(6, 17, 13, channels), numbers(3, 3, channels, features)
    g = numbers(6, 17, 13, features)
    calls = [
        ("conv", (x, w), {}),
        ("conv_input", (g, w), {"shape": x.shape}),
        ("conv_filter", (x, g), {"shape": w.shape}),
    ]
    for name, arrays, more in calls:
        result = []
        for number in (1, 2, 3):
            with threads(number):
                result.append(native_kernel(name)(*arrays, **more, **PLAIN))
        assert all(np.array_equal(y, result[0]) for y in result), name


def test_depthwise_filters_do_not_depend_on_the_number_of_threads():
    x, g = numbers(5, 30, 31, 20), numbers(5, 30, 31, 20, seed=1)
    options = {**PLAIN, "groups": 20, "shape": (3, 3, 1, 20)}
    result = []
    for number in (1, 2, 3):
        with threads(number):
            result.append(native_kernel("conv_filter")(x, g, **options))
    assert all(np.array_equal(y, result[0]) for y in result)


def test_filters_larger_than_the_caches():
    x, w = numbers(3, 4, 5, 300), numbers(3, 3, 300, 260)
    compare("conv", x, w, positions=2700, **PLAIN)
    g = numbers(3, 4, 5, 260, seed=1)
    compare("conv_input", g, w, positions=2340, shape=x.shape, **PLAIN)


def test_views_are_read_as_they_are():
    x, w = numbers(2, 3, 9, 8), numbers(3, 3, 3, 4)
    channels_last = x.transpose(0, 2, 3, 1)
    compare("conv", channels_last, w, positions=27, **PLAIN)


def test_infinity_meets_no_padding():
    x = np.full((1, 4, 4, 1), np.inf, np.float32)
    y = native_kernel("conv")(x, np.ones((3, 3, 1, 1), np.float32), **PLAIN)
    assert np.all(y == np.inf)


@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int32])
def test_other_dtypes_are_left_to_numpy(dtype):
    with pytest.raises(Declined):
        native_kernel("conv")(np.ones((1, 4, 4, 2), dtype), np.ones((3, 3, 2, 2), dtype), **PLAIN)


@pytest.mark.parametrize("shape", [(0, 4, 4, 2), (1, 0, 4, 2)])
def test_what_is_empty_is_left_to_numpy(shape):
    with pytest.raises(Declined):
        native_kernel("conv")(np.ones(shape, np.float32), numbers(3, 3, 2, 2), **PLAIN)


# --- pooling -------------------------------------------------------------------------------------


@st.composite
def poolings(draw):
    rank = draw(st.integers(1, 3))
    window = [draw(st.integers(1, 3)) for _ in range(rank)]
    dilations = [draw(st.integers(1, 2)) for _ in range(rank)]
    space = [
        (k - 1) * d + 1 + draw(st.integers(0, 7)) for k, d in zip(window, dilations, strict=True)
    ]
    options = {
        "window": tuple(window),
        "strides": tuple(draw(st.integers(1, 3)) for _ in range(rank)),
        "padding": tuple((draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in range(rank)),
        "dilations": tuple(dilations),
    }
    shape = (draw(st.integers(1, 3)), *space, draw(st.sampled_from((1, 3, 8, 21, 40))))
    return shape, options, draw(st.sampled_from(("all different", "ties", "nan", "-inf")))


def _images(shape, kind: str) -> np.ndarray:
    x = numbers(*shape)
    if kind == "ties":
        return np.round(x)
    if kind == "nan":
        x[numbers(*shape, seed=5) > 1] = np.nan
    if kind == "-inf":
        x[numbers(*shape, seed=5) > -0.7] = -np.inf
    return x


@given(poolings())
@settings(max_examples=150)
def test_pooling(problem):
    """Ties go to the first place of a window, nan goes nowhere: as with NumPy's kernels."""
    shape, options, kind = problem
    x = _images(shape, kind)
    y = numpy_kernel("max_pool")(x, **options)
    np.testing.assert_array_equal(native_kernel("max_pool")(x, **options), y)
    g = numbers(*y.shape, seed=1)
    compare("max_pool_spread", x, y, g, **options)
    compare("window_spread", g, shape=shape, **options)
    if kind != "-inf":
        compare("window_sum", np.nan_to_num(x), **options)


@pytest.mark.parametrize("size", [(6, 8), (7, 9), (5, 4)])
@pytest.mark.parametrize("padding", [((0, 0), (0, 0)), ((0, 1), (0, 1)), ((1, 0), (1, 1))])
def test_windows_that_do_not_overlap(size, padding):
    """Each pixel has one share at most, and zeros have no sign."""
    options = {"window": (2, 2), "strides": (2, 2), "padding": padding, "dilations": (1, 1)}
    x = numbers(2, *size, 11)
    y = numpy_kernel("max_pool")(x, **options)
    g = numbers(*y.shape, seed=1)
    g[..., ::2] = -0.0
    calls = [("max_pool_spread", (x, y, g), {}), ("window_spread", (g,), {"shape": x.shape})]
    for name, arrays, more in calls:
        result = native_kernel(name)(*arrays, **more, **options)
        expected = numpy_kernel(name)(*arrays, **more, **options)
        np.testing.assert_array_equal(result, expected)
        assert not np.signbit(result[..., ::2]).any()


@pytest.mark.parametrize("huge", [2**40, 2**62, 2**63 - 1])
def test_sizes_of_windows_do_not_overflow(huge):
    x, w = numbers(1, 6, 6, 3), numbers(1, 1, 3, 4)
    plain = {"strides": (1, 1), "padding": ((0, 0), (0, 0)), "dilations": (1, 1)}
    result = native_kernel("conv")(x, w, **plain | {"strides": (huge, huge)}, groups=1)
    close(result, numpy_kernel("conv")(x[:, :1, :1].astype(np.float64), w, **plain, groups=1), 3)
    result = native_kernel("conv")(x, w, **plain | {"dilations": (huge, huge)}, groups=1)
    close(result, numpy_kernel("conv")(x.astype(np.float64), w, **plain, groups=1), 3)
    for params in ({"padding": ((huge, huge), (0, 0))}, {"window": (huge, huge)}):
        with pytest.raises(Declined):
            native_kernel("max_pool")(x, **plain | {"window": (2, 2)} | params)
    edges = ((2**12, 2**12), (2**12, 2**12))
    with pytest.raises(Declined):
        native_kernel("max_pool")(x, **plain | {"window": (2**13, 2**13), "padding": edges})
