"""The vector functions: how far off the true values, at any place, with any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from tests.backends.native.kernels import (
    every_exponent,
    native_kernel,
    needs_extension,
    numpy_kernel,
    threads,
    ulps,
)

pytestmark = needs_extension


def _sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1) / (1 + e)


def _gelu_tanh(x):
    z = np.sqrt(8 / np.pi) * (np.abs(x) + 0.044715 * np.abs(x) ** 3)
    tail = np.where(np.isinf(x), 0, np.abs(x)) * np.exp(-z) / (1 + np.exp(-z))
    return np.where(x == -np.inf, np.nan, np.maximum(x, 0) - tail)


EXACT = {
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "sigmoid": _sigmoid,
    "softplus": lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))),
    "erf": special.erf,
    "erfc": special.erfc,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "reciprocal": lambda x: 1 / x,
    "square": lambda x: x * x,
    "gelu": lambda x: 0.5 * x * special.erfc(-x * np.sqrt(0.5)),
    "gelu_tanh": _gelu_tanh,
}
# Those that are chains of the others, or one operation of the processor, are compared bit for bit
# with NumPy's (test_frame.py, test_elementwise.py).
MAX = 4
# Where roundings once met: there gelu was more than four units off.
HARD = np.array([-5.08188, -0.06595489, -2.1903875], np.float32)


@pytest.fixture(scope="module")
def numbers():
    """All exponents, and densely where the functions do something."""
    random = np.random.default_rng(3)
    dense = [random.uniform(-top, top, 200_000).astype(np.float32) for top in (0.1, 1, 4, 12, 110)]
    return np.concatenate([every_exponent(), *dense, HARD])


@pytest.mark.parametrize("name", sorted(EXACT))
def test_distance_from_the_true_value(name, numbers):
    with np.errstate(all="ignore"):
        exact = EXACT[name](numbers.astype(np.float64))
    distance = ulps(native_kernel(name)(numbers), exact)
    worst = np.argmax(np.where(np.isnan(distance), np.inf, distance))
    assert distance[worst] <= MAX, f"{name}({numbers[worst]!r}) is {distance[worst]} units off"


@pytest.mark.parametrize("name", ["expm1", "log1p", "sin", "tan", "tanh", "erf"])
def test_zeros_keep_their_signs(name):
    y = native_kernel(name)(np.array([0.0, -0.0], np.float32))
    np.testing.assert_array_equal(np.signbit(y), [False, True])


def test_powers():
    random = np.random.default_rng(4)
    x = np.exp(random.uniform(-87, 87, 300_000)).astype(np.float32)
    y = random.normal(0, 3, x.size).astype(np.float32)
    near_one = (1 + 1e-3 * random.normal(size=x.size)).astype(np.float32)
    special_x, special_y = every_exponent(8), random.permutation(every_exponent(8))
    integers = np.round(y)
    for base, exponent in ((x, y), (near_one, 1000 * y), (special_x, special_y), (-x, integers)):
        with np.errstate(all="ignore"):
            exact = np.power(base.astype(np.float64), exponent.astype(np.float64))
        assert ulps(native_kernel("power")(base, exponent), exact).max() <= MAX


@pytest.mark.parametrize("exponent", [-3, -2, -1, -0.5, 0, 0.5, 1, 1.75, 2, 3, 4, 7, 31.5, -100])
def test_powers_by_a_number(exponent):
    x = every_exponent(50)
    with np.errstate(all="ignore"):
        exact = numpy_kernel("power_by")(x.astype(np.float64), exponent)
    assert ulps(native_kernel("power_by")(x, exponent=exponent), exact).max() <= MAX


@pytest.mark.parametrize("name", sorted(EXACT))
def test_results_do_not_depend_on_place_or_threads(name, numbers):
    kernel, x = native_kernel(name), numbers[: 2**17 + 5]
    with threads(1):
        whole = kernel(x)
    with threads(2):
        np.testing.assert_array_equal(kernel(x), whole)
    for start in (0, 1, 2, 5):
        for length in (1, 2, 3, 7, 8, 9, 15, 17, 33):
            part = slice(1000 + start, 1000 + start + length)
            np.testing.assert_array_equal(kernel(x[part].copy()), whole[part])
    for i in (0, 77, 5000):
        np.testing.assert_array_equal(kernel(x[i]), whole[i])


@pytest.mark.parametrize("name", ["gelu", "gelu_tanh"])
def test_the_slope_of_gelu(name):
    random = np.random.default_rng(6)
    x = np.concatenate([random.uniform(-top, top, 100_000) for top in (0.1, 2, 15)])
    x, g = x.astype(np.float32), random.normal(size=x.size).astype(np.float32)
    slope = numpy_kernel(f"{name}_grad")(x.astype(np.float64), g.astype(np.float64))
    # It has a root, near which the numbers that are added cancel each other.
    np.testing.assert_allclose(native_kernel(f"{name}_grad")(x, g), slope, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("alpha", [1.0, 0.3])
def test_elu(alpha, numbers):
    with np.errstate(all="ignore"):
        exact = numpy_kernel("elu")(numbers.astype(np.float64), alpha=float(np.float32(alpha)))
    assert ulps(native_kernel("elu")(numbers, alpha=alpha), exact).max() <= MAX


def _double_angles() -> np.ndarray:
    """Angles of any size, multiples of right angles, and what is no angle; of float64."""
    random = np.random.default_rng(5)
    right_angles = np.round(random.uniform(-6e5, 6e5, 30_000)) * (np.pi / 2)
    parts = [
        random.standard_normal(30_000) * 2.0 ** random.integers(-1074, 1024, 30_000),
        random.uniform(-1000, 1000, 30_000),
        right_angles,
        np.nextafter(right_angles, 0),
        [0.0, -0.0, np.inf, -np.inf, np.nan, 2.0**20, -(2.0**20), np.nextafter(2.0**20, np.inf)],
    ]
    return np.concatenate(parts)


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_sines_of_float64_are_a_unit_off_at_the_most(name):
    x = _double_angles()
    with np.errstate(invalid="ignore"):
        exact = getattr(np, name)(x.astype(np.longdouble))
        y = native_kernel(name)(x)
    assert y.dtype == np.float64
    np.testing.assert_array_equal(np.isnan(y), np.isnan(exact))
    np.testing.assert_array_equal(np.signbit(y)[x == 0], np.signbit(exact.astype(float))[x == 0])
    known = np.isfinite(exact)
    off = np.abs(y[known] - exact[known]) / np.spacing(np.abs(exact[known]).astype(np.float64))
    assert off.max() <= 1


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_sines_of_float64_do_not_depend_on_place_or_threads(name):
    x = _double_angles()
    with np.errstate(invalid="ignore"):
        whole = native_kernel(name)(x)
        np.testing.assert_array_equal(native_kernel(name)(x[3:].copy()), whole[3:])
        with threads(1):
            np.testing.assert_array_equal(native_kernel(name)(x), whole)
