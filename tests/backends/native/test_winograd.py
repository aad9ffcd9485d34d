"""3×3 convolutions by Winograd's algorithm, beside NumPy's kernels and the direct kernel."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.backends.native.kernels import (
    native_kernel,
    needs_extension,
    numpy_kernel,
    threads,
)
from tests.backends.native.test_convolution import PLAIN, compare, numbers

pytestmark = needs_extension
KERNELS = ("conv", "conv_input", "conv_filter")


def arguments(name: str, x, w, g) -> tuple[tuple, dict]:
    if name == "conv":
        return (x, w), {}
    return ((g, w), {"shape": x.shape}) if name == "conv_input" else ((x, g), {"shape": w.shape})


def call(kernel, name: str, x, w, g):
    """Of a convolution with one pixel of padding."""
    arrays, more = arguments(name, x, w, g)
    return kernel(name)(*arrays, **more, **PLAIN)


def direct(name: str, x, w, g):
    """By the direct kernel: it has all convolutions of volumes."""
    volumes = [np.stack([a, np.zeros_like(a)], axis=1) for a in (x, g)]
    arrays, more = arguments(name, volumes[0], w[np.newaxis], volumes[1])
    options = {"strides": (1,) * 3, "padding": ((0, 0), (1, 1), (1, 1)), "dilations": (1,) * 3}
    result = native_kernel(name)(*arrays, **more, **options, groups=1)
    return result[0] if name == "conv_filter" else result[:, 0]


def arrays(images=2, rows=9, columns=12, channels=17, features=24):
    x, w = numbers(images, rows, columns, channels), numbers(3, 3, channels, features, seed=1)
    return x, w, numbers(images, rows, columns, features, seed=2)


@st.composite
def convolutions(draw):
    images, rows, columns = (
        draw(st.integers(1, 3)),
        draw(st.integers(5, 19)),
        draw(st.integers(5, 19)),
    )
    channels, features = (draw(st.sampled_from((15, 16, 17, 24, 40, 70))) for _ in range(2))
    padding = tuple((draw(st.integers(0, 3)), draw(st.integers(0, 3))) for _ in range(2))
    return (images, rows, columns, channels), (3, 3, channels, features), padding


@given(convolutions())
@settings(max_examples=60)
def test_all_sizes_and_paddings(problem):
    x_shape, w_shape, padding = problem
    x, w, options = numbers(*x_shape), numbers(*w_shape, seed=1), {**PLAIN, "padding": padding}
    positions = int(np.prod(w_shape[:-1]))
    y = compare("conv", x, w, positions=positions, **options)
    g = numbers(*y.shape, seed=2)
    compare("conv_input", g, w, positions=positions, shape=x_shape, **options)
    compare("conv_filter", x, g, positions=g.size // g.shape[-1], shape=w_shape, **options)


@pytest.mark.parametrize(("channels", "features"), [(300, 20), (20, 300), (130, 130)])
def test_many_channels(channels, features):
    x, w, g = arrays(channels=channels, features=features)
    for name in KERNELS:
        given_arrays, more = arguments(name, x, w, g)
        compare(name, *given_arrays, positions=9 * max(channels, features), **more, **PLAIN)


@pytest.mark.parametrize("name", KERNELS)
def test_results_do_not_depend_on_the_number_of_threads(name):
    some = arrays(images=5, rows=21, columns=17, channels=40, features=36)
    result = []
    for number in (1, 2, 3):
        with threads(number):
            result.append(call(native_kernel, name, *some))
    assert all(np.array_equal(y, result[0]) for y in result)


@pytest.mark.parametrize("name", ["conv", "conv_input"])
@pytest.mark.parametrize("size", [(7, 8), (15, 17)])
def test_an_image_has_the_same_result_in_every_batch(name, size):
    x, w, g = arrays(9, *size, channels=32, features=20)
    together = call(native_kernel, name, x, w, g)
    for i in range(9):
        alone = call(native_kernel, name, x[i : i + 1], w, g[i : i + 1])
        assert np.array_equal(together[i : i + 1], alone)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("offsets", [(0, 0, 0), (100, 0, 0), (0, 10, 0), (100, 100, 100)])
@pytest.mark.parametrize("channels", [16, 64])
def test_it_is_as_exact_as_the_direct_kernel(name, offsets, channels):
    x, w, g = (
        a + np.float32(o)
        for a, o in zip(arrays(2, 28, 28, channels, channels), offsets, strict=True)
    )
    exact = call(numpy_kernel, name, *(a.astype(np.float64) for a in (x, w, g)))
    result, other = call(native_kernel, name, x, w, g), direct(name, x, w, g)
    assert not np.array_equal(result, other)  # it is not the direct kernel that is looked at
    for norm in (np.max, np.mean):
        assert norm(np.abs(result - exact)) <= 4 * norm(np.abs(other - exact))


def spoiled(array, value, at):
    array = array.copy()
    array[at] = value
    return array


VALUES = [np.inf, -np.inf, np.nan, 3e38]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("name", ["conv", "conv_input"])
@pytest.mark.parametrize("position", [(0, 0), (4, 5), (7, 10)])
def test_what_is_not_finite_is_met_by_its_own_windows_alone(name, value, position):
    x, w, g = arrays(images=3)
    plain = call(native_kernel, name, x, w, g)
    at = (1, slice(position[0], position[0] + 2), slice(position[1], position[1] + 2), slice(0, 3))
    x, g, w = spoiled(x, value, at), spoiled(g, value, at), w / 64
    plain /= 64
    result = call(native_kernel, name, x, w, g)
    expected = direct(name, x, w, g)
    assert not np.array_equal(expected[1], plain[1])
    np.testing.assert_array_equal(result[1], expected[1])
    # The other images are as they were, to the last bit.
    np.testing.assert_array_equal(result[0::2], plain[0::2])


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("name", KERNELS)
def test_weights_and_gradients_that_are_not_finite(name, value):
    x, w, g = (a / 64 for a in arrays())
    w = spoiled(w, value, (slice(0, 2), 1, 2, 3))
    g = spoiled(g, value, (0, slice(2, 4), 5, 3))
    x = spoiled(x, value, (0, slice(2, 4), 8, 2))
    with np.errstate(all="ignore"):
        result, expected = call(native_kernel, name, x, w, g), direct(name, x, w, g)
    np.testing.assert_array_equal(result, expected)


def test_sums_of_whole_numbers_are_exact():
    """Zeros are zeros: tiles are made of sums, differences and halves."""
    x, w, g = (np.rint(4 * a) for a in arrays())
    for name in KERNELS:
        exact = call(numpy_kernel, name, *(a.astype(np.float64) for a in (x, w, g)))
        np.testing.assert_array_equal(call(native_kernel, name, x, w, g), exact)


def test_every_instruction_set():
    """This file once more, with vectors of four."""
    if os.environ.get("GRADTAPE_ISA") == "portable":
        return
    environment = {
        **os.environ,
        "GRADTAPE_ISA": "portable",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__],
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-2000:]
