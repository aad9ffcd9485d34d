"""Derivatives where there is more than one answer: the values are TensorFlow's."""

from __future__ import annotations

import numpy as np
import pytest

from gradtape import ops
from gradtape.api.math import elementwise as functions
from gradtape.backends.constants import ROOT_HALF
from gradtape.engine.tape import GradientTape

NAN, INF = np.nan, np.inf


def gradients(function, *points):
    """The gradients of the sum of a function's results, as lists."""
    xs = [ops.to_tensor(np.array(p, np.float64)) for p in points]
    with GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    result = tape.gradient(y, xs)
    return [None if g is None else g.numpy().tolist() for g in result]


ONE_ARGUMENT = {
    "abs": (ops.abs, [-2.0, 0.0, 2.0], [-1, 0, 1]),
    "sign": (ops.sign, [-2.0, 0.0], [0, 0]),
    "relu": (ops.relu, [-1.0, 0.0, 1.0], [0, 0, 1]),
    "relu6": (ops.relu6, [0.0, 3.0, 6.0, 7.0], [0, 1, 0, 0]),
    "elu": (ops.elu, [0.0, 1.0], [1, 1]),
    "selu": (functions.selu, [0.0], [1.0507009873554805]),
    "leaky_relu": (lambda x: ops.leaky_relu(x, 0.25), [-1.0, 0.0, 1.0], [0.25, 0.25, 1]),
    "softsign": (functions.softsign, [-INF, -1.0, 0.0, 1.0, INF], [0, 0.25, 1, 0.25, 0]),
    "expm1": (ops.expm1, [-INF, -50.0, 0.0], [0, 1.9287498479639178e-22, 1]),
    "sqrt": (ops.sqrt, [0.0, 4.0], [INF, 0.25]),
    "sqrt not chosen": (lambda x: ops.where(x > 0, ops.sqrt(x), 0), [-1.0, 0.0, 4.0], [0, 0, 0.25]),
    "rsqrt not chosen": (
        lambda x: ops.where(x > 0, ops.rsqrt(x), 0),
        [-1.0, 0.0, 4.0],
        [0, 0, -0.0625],
    ),
    "reciprocal not chosen": (
        lambda x: ops.where(x > 0, ops.reciprocal(x), 0),
        [-1.0, 0.0, 4.0],
        [0, 0, -0.0625],
    ),
    "power by 0": (lambda x: x**0, [0.0, 3.0], [NAN, 0]),
    "power by 1": (lambda x: x**1, [0.0, 3.0], [1, 1]),
    "power by 2": (lambda x: x**2, [0.0, -3.0], [0, -6]),
    "power by 3": (lambda x: x**3, [0.0, -3.0], [0, 27]),
    "power by -1": (lambda x: x**-1, [0.0, 4.0], [-INF, -0.0625]),
    "power by a half": (lambda x: x**0.5, [0.0, 4.0], [INF, 0.25]),
    "clip": (lambda x: ops.clip(x, 0.0, 1.0), [-1.0, 0.0, 0.5, 1.0, 2.0], [0, 1, 1, 1, 0]),
    "spence": (ops.spence, [1.0], [-1]),
    "bessel_i0e": (ops.bessel_i0e, [0.0], [0]),
    "bessel_i1e": (ops.bessel_i1e, [0.0], [0.5]),
    "bessel_j1": (ops.bessel_j1, [0.0], [0.5]),
}


@pytest.mark.parametrize("name", ONE_ARGUMENT)
def test_one_argument(name):
    function, points, wanted = ONE_ARGUMENT[name]
    np.testing.assert_allclose(gradients(function, points)[0], wanted, rtol=1e-12)


# Second derivatives at points where a rule may be right and its own derivative wrong: one that is
# made of `abs` or `sign` is constant there to the next derivative.
SECOND = {
    "elu": (ops.elu, [-1.0, 1.0], [np.exp(-1), 0]),
    "softplus": (ops.softplus, [-INF, 0.0, INF], [0, 0.25, 0]),
    "softsign": (functions.softsign, [-1.0, 1.0], [0.25, -0.25]),
    "gelu": (ops.gelu, [0.0], [2 * ROOT_HALF / np.sqrt(np.pi)]),
    "square of abs": (lambda x: ops.square(ops.abs(x)), [-2.0, 2.0], [2, 2]),
    "power by 2": (lambda x: x**2, [-1.0, 0.0], [2, 2]),
    "power by 3": (lambda x: x**3, [-1.0, 0.0], [-6, 0]),
    "tanh": (ops.tanh, [-INF, 0.0, INF], [0, 0, 0]),
    "sigmoid": (ops.sigmoid, [-INF, 0.0, INF], [0, 0, 0]),
}


@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives(name):
    function, points, wanted = SECOND[name]

    def slope(x):
        with GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    np.testing.assert_allclose(gradients(slope, points)[0], wanted, rtol=1e-12)


TWO_ARGUMENTS = {
    "maximum of equals": (ops.maximum, [1.0, NAN], [1.0, 1.0], [1, 0], [0, 1]),
    "minimum of equals": (ops.minimum, [1.0, NAN], [1.0, 1.0], [1, 0], [0, 1]),
    "divide_no_nan": (ops.divide_no_nan, [1.0, 2.0], [0.0, 4.0], [0, 0.25], [0, -0.125]),
    "multiply_no_nan": (ops.multiply_no_nan, [INF, 2.0], [0.0, 4.0], [0, 4], [INF, 2]),
    "xlogy": (ops.xlogy, [0.0, 2.0], [0.0, 1.0], [0, 0], [0, 2]),
    "xlog1py": (ops.xlog1py, [0.0, 2.0], [-1.0, 0.0], [0, 0], [0, 2]),
    "xdivy": (ops.xdivy, [0.0, 1.0], [0.0, 2.0], [0, 0.5], [0, -0.25]),
    "nextafter": (ops.nextafter, [1.0], [2.0], [1], [0]),
    "floormod": (ops.floormod, [7.0, -7.0], [2.0, 2.0], [1, 1], [-3, 4]),
    "power": (
        ops.pow,
        [0.0, 0.0, 0.0, -2.0, -2.0],
        [0.0, 1.0, 2.0, 3.0, -1.0],
        [NAN, 1, 0, 12, -0.25],
        [0, 0, 0, 0, 0],
    ),
}


@pytest.mark.parametrize("name", TWO_ARGUMENTS)
def test_two_arguments(name):
    function, x, y, wanted_x, wanted_y = TWO_ARGUMENTS[name]
    found_x, found_y = gradients(function, x, y)
    np.testing.assert_allclose(found_x, wanted_x, rtol=1e-12)
    np.testing.assert_allclose(found_y, wanted_y, rtol=1e-12)


@pytest.mark.parametrize("op", [ops.floor, ops.ceil, ops.round, ops.trunc])
def test_step_functions_have_no_gradient(op):
    assert gradients(op, [1.5]) == [None]


def test_floordiv_has_no_gradient():
    assert gradients(ops.floordiv, [1.5], [2.0]) == [None, None]


def test_betainc_is_differentiated_by_x_only():
    assert gradients(ops.betainc, [1.0, 2.0], [1.0, 2.0], [0.0, 1.0]) == [None, None, [1, 0]]


def test_absolute_value_of_complex_zero():
    z = ops.to_tensor(np.array([0j, 3 + 4j]))
    with GradientTape() as tape:
        tape.watch(z)
        y = ops.abs(z)
    np.testing.assert_allclose(tape.gradient(y, z).numpy(), [0, 0.6 + 0.8j])


def test_igamma_by_a():
    """Values from TensorFlow 2.21 in float64, which computes them in another way."""
    a, x = [0.5, 2.0, 7.0, 30.0, 0.01], [0.1, 5.0, 7.0, 20.0, 3.0]
    wanted = [
        -0.8229360969795988,
        -0.055859896052536745,
        -0.15259682152387383,
        -0.010205257324989425,
        -0.013547187572805184,
    ]
    np.testing.assert_allclose(gradients(ops.igamma, a, x)[0], wanted, rtol=1e-12)
    np.testing.assert_allclose(gradients(ops.igammac, a, x)[0], np.negative(wanted), rtol=1e-12)


def test_igamma_by_a_outside_its_domain():
    result = gradients(ops.igamma, [0.0, -1.0, 1.0, 2.0, 2.0], [1.0, 1.0, -1.0, 0.0, INF])[0]
    np.testing.assert_array_equal(result, [NAN, NAN, NAN, 0, 0])


def test_values_at_infinity():
    """TensorFlow's, where SciPy's functions give another value or nan."""
    assert float(ops.lgamma(ops.to_tensor(-INF))) == INF
    q = ops.to_tensor(np.array([0.5, 1.0, 2.0]))
    for x in (1e19, INF):
        assert ops.zeta(ops.to_tensor(np.full(3, x)), q).numpy().tolist() == [INF, 1, 0]
