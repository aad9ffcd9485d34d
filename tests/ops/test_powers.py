"""Powers at ±0, ±inf, nan and negative numbers, in eager code and in functions.

Values and gradients are those of TensorFlow 2.21, which rewrites x**0.5 and x**-0.5 to roots in
functions. They are the same for all of its floats.
"""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

INF, NAN = np.inf, np.nan
POINTS = [0.0, -0.0, INF, -INF, NAN, -1.0, -2.0, 4.0]
MODES = {"eager": lambda f: f, "function": tf.function}
BOTH = {  # exponent: (values, slopes)
    0: ([1, 1, 1, 1, 1, 1, 1, 1], [NAN, NAN, 0, -0.0, NAN, -0.0, -0.0, 0]),
    1: (POINTS, [1, 1, 1, 1, 1, 1, 1, 1]),
    2: ([0, 0, INF, INF, NAN, 1, 4, 16], [0, -0.0, INF, -INF, NAN, -2, -4, 8]),
    3: ([0, -0.0, INF, -INF, NAN, -1, -8, 64], [0, 0, INF, INF, NAN, 3, 12, 48]),
    -1: (
        [INF, -INF, 0, -0.0, NAN, -1, -0.5, 0.25],
        [-INF, -INF, -0.0, -0.0, NAN, -1, -0.25, -0.0625],
    ),
    1.5: ([0, 0, INF, INF, NAN, NAN, NAN, 8], None),
}
EAGER = {
    0.5: ([0, 0, INF, INF, NAN, NAN, NAN, 2], [INF, INF, 0, 0, NAN, NAN, NAN, 0.25]),
    -0.5: ([INF, INF, 0, 0, NAN, NAN, NAN, 0.5], [-INF, -INF, -0.0, -0.0, NAN, NAN, NAN, -0.0625]),
    1.5: (None, [0, 0, INF, INF, NAN, NAN, NAN, 3]),
}
FUNCTION = {
    0.5: ([0, -0.0, INF, NAN, NAN, NAN, NAN, 2], [INF, -INF, 0, NAN, NAN, NAN, NAN, 0.25]),
    -0.5: (
        [INF, -INF, 0, NAN, NAN, NAN, NAN, 0.5],
        [-INF, -INF, -0.0, -0.0, NAN, NAN, NAN, -0.0625],
    ),
    1.5: (None, [0, -0.0, INF, NAN, NAN, NAN, NAN, 3]),
}
CASES = [
    pytest.param(mode, exponent, *expected, id=f"{mode}-{exponent}")
    for mode, tables in (("eager", (BOTH, EAGER)), ("function", (BOTH, FUNCTION)))
    for table in tables
    for exponent, expected in table.items()
]
FORMS = {
    "number": lambda x, exponent: x**exponent,
    "tf.pow": tf.pow,
    "tensor": lambda x, exponent: x ** tf.constant(exponent, x.dtype),
}


def check(actual, expected) -> None:
    """Compare, with the signs of zeros."""
    actual = np.asarray(tf.cast(actual, tf.float64))
    np.testing.assert_array_equal(actual, expected)
    np.testing.assert_array_equal(
        np.signbit(actual[np.equal(actual, 0)]),
        np.signbit(np.asarray(expected)[np.equal(actual, 0)]),
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize(("mode", "exponent", "values", "slopes"), CASES)
def test_as_tensorflow(mode, exponent, values, slopes, dtype, form):
    def value(x):
        return FORMS[form](x, exponent)

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = value(x)
        return tape.gradient(y, x)

    x = tf.cast(tf.constant(POINTS), dtype)
    if values is not None:
        check(MODES[mode](value)(x), values)
        if mode == "eager":  # single numbers and large arrays have kernels of their own
            check(tf.stack([value(number) for number in tf.unstack(x)]), values)
            check(value(tf.tile(x, [10_000]))[-len(POINTS) :], values)
    if slopes is not None:
        check(MODES[mode](slope)(x), slopes)
        if mode == "eager":
            check(tf.stack([slope(number) for number in tf.unstack(x)]), slopes)


def test_a_root_keeps_the_slope_of_a_power():
    """Where the cotangent is 0 and the slope infinite, the rules of roots and powers differ."""

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x**0.5 * [0.0, 1.0])
        return tape.gradient(y, x)

    np.testing.assert_array_equal(slope(tf.constant([0.0, 4.0])), [NAN, 0.25])
