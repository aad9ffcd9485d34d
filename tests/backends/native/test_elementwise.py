"""Elementwise native kernels beside NumPy's: shapes, strides, dtypes, special values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import gradtape as tf
from tests.backends.native.kernels import (
    Declined,
    every_exponent,
    native_kernel,
    needs_extension,
    numpy_kernel,
    threads,
)

pytestmark = needs_extension
EXACTLY_NUMPYS = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "relu_grad"]
COMPARISONS = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]
NO_NAN = ["multiply_no_nan", "divide_no_nan"]
SPECIAL = np.array([0, -0.0, 1, -1, 2.5, np.inf, -np.inf, np.nan, 1e-45, 3e38], np.float32)


def same(result, expected):
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    np.testing.assert_array_equal(result, expected)


@st.composite
def views(draw, shape: tuple[int, ...], dtype=np.float32):
    """An array of a shape that broadcasts to `shape`: whole, a slice, or itself spread."""
    axes = draw(st.integers(0, len(shape)))
    own = [draw(st.sampled_from((n, 1))) for n in shape[len(shape) - axes :]]
    kind = draw(st.sampled_from(("whole", "slice", "spread", "steps")))
    values = np.random.default_rng(draw(st.integers(0, 2**32)))
    if kind == "spread":
        small = [draw(st.sampled_from((n, 1))) for n in own]
        return np.broadcast_to(_filled(values, small, dtype), own)
    if kind == "slice":
        wide = _filled(values, [n + 2 for n in own], dtype)
        return wide[tuple(slice(1, 1 + n) for n in own)]
    if kind == "steps":
        wide = _filled(values, [2 * n for n in own], dtype)
        return wide[(slice(None, None, 2),) * len(own)]
    return _filled(values, own, dtype)


def _filled(values, shape, dtype):
    if dtype is bool:
        return values.random(shape) < 0.5
    return (
        values.choice(SPECIAL, shape)
        if values.random() < 0.5
        else values.normal(size=shape).astype(np.float32)
    )


shapes = st.lists(st.sampled_from((0, 1, 2, 3, 8, 9, 17, 40)), min_size=0, max_size=4).map(tuple)


@settings(max_examples=300)
@given(st.data())
def test_two_operands_are_spread_as_numpy_does(data):
    shape = data.draw(shapes)
    x, y = data.draw(views(shape)), data.draw(views(shape))
    for name in (*EXACTLY_NUMPYS[:4], *COMPARISONS, *NO_NAN):
        with np.errstate(all="ignore"):
            expected = numpy_kernel(name)(x, y)
        try:
            result = native_kernel(name)(x, y)
        except Declined:
            continue
        same(result, np.asarray(expected))


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("columns", [2, 3, 10, 15, 16])
def test_short_rows_are_joined(columns, number):
    """Operands that are the same for all rows, or for all rows of an image."""
    x, row, of_images = (
        np.random.default_rng(i).normal(size=shape).astype(np.float32)
        for i, shape in enumerate([(5, 3000, columns), (columns,), (5, 1, columns)])
    )
    truth = row > 0
    with threads(number):
        for name in (*EXACTLY_NUMPYS[:4], *COMPARISONS):
            for y in (row, of_images, x[:1, :1].copy(), x[::2, :1][:1]):
                same(native_kernel(name)(x, y), numpy_kernel(name)(x, y))
                same(native_kernel(name)(y, x), numpy_kernel(name)(y, x))
        same(native_kernel("select")(truth, x, of_images), np.where(truth, x, of_images))
        same(
            native_kernel("select")(x > 0, row, np.float32(2)), np.where(x > 0, row, 2).astype("f")
        )


@settings(max_examples=200)
@given(st.data())
def test_choices_are_spread_as_numpy_does(data):
    shape = data.draw(shapes)
    condition, x, y = (
        data.draw(views(shape, bool)),
        data.draw(views(shape)),
        data.draw(views(shape)),
    )
    try:
        result = native_kernel("select")(condition, x, y)
    except Declined:
        reject()  # an error if too many are
    same(result, np.where(condition, x, y))


@settings(max_examples=200)
@given(st.data())
def test_one_operand(data):
    x = data.draw(views(data.draw(shapes)))
    for name in ("negative", "abs", "square", "relu", "sqrt", "sign"):
        with np.errstate(all="ignore"):
            expected = numpy_kernel(name)(x)
        try:
            result = native_kernel(name)(x)
        except Declined:
            continue
        same(result, np.asarray(expected))


@pytest.mark.parametrize("name", [*EXACTLY_NUMPYS, *COMPARISONS, *NO_NAN])
def test_every_pair_of_special_values(name):
    x, y = SPECIAL[:, None] * np.ones_like(SPECIAL), SPECIAL * np.ones_like(SPECIAL)[:, None]
    with np.errstate(all="ignore"):
        same(native_kernel(name)(x, y), numpy_kernel(name)(x, y))
        for i, number in enumerate(SPECIAL):
            same(native_kernel(name)(SPECIAL, number), numpy_kernel(name)(x, y)[:, i])
            same(native_kernel(name)(number, SPECIAL), numpy_kernel(name)(x, y)[i])


@pytest.mark.parametrize("shape", [(40, 50), (3, 1), (7,)], ids=str)
@pytest.mark.parametrize("name", EXACTLY_NUMPYS)
def test_rows_columns_and_numbers(name, shape):
    random = np.random.default_rng(0)
    x = random.normal(size=shape).astype(np.float32)
    others = [x[0], x[..., :1], np.broadcast_to(x[0], shape), np.broadcast_to(x.flat[0], shape)]
    for y in others:
        y = np.asarray(y)
        with np.errstate(all="ignore"):
            same(native_kernel(name)(x, y), np.asarray(numpy_kernel(name)(x, y)))
            same(native_kernel(name)(y, x), np.asarray(numpy_kernel(name)(y, x)))


@pytest.mark.parametrize("alpha", [1.0, 0.3, 1.67326])
def test_elu(alpha):
    x = every_exponent(100)
    with np.errstate(all="ignore"):
        wide = np.where(x < 0, np.float32(alpha).astype(float) * np.expm1(x.astype(float)), x)
    np.testing.assert_allclose(native_kernel("elu")(x, alpha=alpha), wide, rtol=4e-7, atol=1e-44)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int32, np.int64, np.float64])
def test_conversion_to_float32(dtype):
    x = np.random.default_rng(0).integers(0, 2, 1003) if dtype is np.bool_ else np.arange(-500, 503)
    x = (x * (1.1 if dtype is np.float64 else 1)).astype(dtype)
    same(native_kernel("cast")(x, dtype=np.dtype(np.float32)), x.astype(np.float32))


def test_conversion_to_float64():
    x = every_exponent(10)
    with np.errstate(all="ignore"):
        same(native_kernel("cast")(x, dtype=np.dtype(np.float64)), x.astype(np.float64))


def test_other_conversions_are_left_to_numpy():
    for x, dtype in ((np.ones(3, np.float32), np.int32), (np.ones((2, 2)).T[::2], np.float32)):
        with pytest.raises(Declined):
            native_kernel("cast")(x, dtype=np.dtype(dtype))


def test_shapes_that_do_not_fit_are_left_to_numpy_to_refuse():
    x, y = np.ones((2, 3), np.float32), np.ones((2, 4), np.float32)
    for name in ("add", "less"):
        with pytest.raises(Declined):
            native_kernel(name)(x, y)


@pytest.mark.parametrize("name", ["sigmoid", "tanh"])
@pytest.mark.parametrize("shape", [(5,), (33, 130), (400, 700)])
def test_gradients_in_one_pass_round_as_the_separate_ops_do(name, shape):
    values = np.random.default_rng(3)
    x, g = (values.standard_normal(shape, np.float32) for _ in range(2))
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = getattr(tf, name)(x)
    one, ans = np.float32(1), np.asarray(y)
    slope = ans * (one - ans) if name == "sigmoid" else one - ans * ans
    np.testing.assert_array_equal(tape.gradient(y, x, tf.constant(g)), g * slope)
