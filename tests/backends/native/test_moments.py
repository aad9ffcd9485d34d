"""Means, variances and rescaling: the native kernels beside NumPy's in double precision."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape.backends import cpu
from tests.backends.native.kernels import (
    Declined,
    native_kernel,
    needs_extension,
    numpy_kernel,
    threads,
)

RANDOM = np.random.default_rng(5)
MOMENTS = [
    ((3, 5), (1,)),
    ((700, 257), (1,)),
    ((700, 257), (0,)),
    ((2, 9, 9, 7), (0, 1, 2)),
    ((300, 64), (0,)),
    ((4, 3, 50, 3), (0, 2, 3)),
    ((2, 9000), (1,)),
    ((3, 200, 6), (1,)),
    ((2, 3, 4), (1, 2)),
    ((5, 1), (1,)),
    ((1, 5), (0,)),
    ((130, 300), (0,)),
]
# x, mean and factor, scale, offset
LAYOUTS = {
    "rows": ((130, 33), (130, 1), (33,), (33,)),
    "rows, no scale": ((130, 33), (130, 1), (), ()),
    "rows, no offset": ((130, 33), (130, 1), (33,), ()),
    "rows, no scale but an offset": ((130, 33), (130, 1), (), (33,)),
    "rows of a stack": ((3, 50, 17), (3, 50, 1), (17,), (1, 1, 17)),
    "columns": ((2, 11, 13, 5), (5,), (5,), (5,)),
    "many columns": ((300, 70), (1, 70), (70,), (70,)),
    "columns, no scale": ((300, 70), (70,), (), ()),
    "columns, no offset": ((300, 70), (70,), (70,), (1,)),
    "planes": ((4, 3, 5, 6), (3, 1, 1), (3, 1, 1), (3, 1, 1)),
    "planes of examples": ((4, 3, 5, 6), (4, 3, 1, 1), (3, 1, 1), (3, 1, 1)),
    "numbers": ((40, 6), (), (), ()),
    "a row": ((70,), (1,), (70,), (70,)),
}


def sample(*shape: int, middle: float = 0) -> np.ndarray:
    return RANDOM.normal(middle, 1, shape).astype(np.float32)[()]


def wide(*arrays):
    return [a.astype(np.float64) for a in arrays]


@needs_extension
@pytest.mark.parametrize(("shape", "axis"), MOMENTS, ids=str)
@pytest.mark.parametrize("keepdims", [False, True])
def test_moments(shape, axis, keepdims):
    x = sample(*shape, middle=100)
    result = []
    for number in (1, 2, 3):
        with threads(number):
            result.append(native_kernel("moments")(x, axis=axis, keepdims=keepdims))
    exact = numpy_kernel("moments")(*wide(x), axis=axis, keepdims=keepdims)
    for one, two, three, expected in zip(*result, exact, strict=True):
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(one, three)
        assert one.dtype == np.float32
        assert one.shape == expected.shape
        np.testing.assert_allclose(one, expected, rtol=2e-5, atol=2e-5)


@needs_extension
@pytest.mark.parametrize("layout", LAYOUTS)
def test_rescale_and_its_gradient(layout):
    shape, stats, scales, offsets = LAYOUTS[layout]
    x, mean, factor, g = sample(*shape), sample(*stats), sample(*stats), sample(*shape)
    scale, offset = sample(*scales), sample(*offsets)
    np.testing.assert_allclose(
        native_kernel("rescale")(x, mean, factor, scale, offset),
        numpy_kernel("rescale")(*wide(x, mean, factor, scale, offset)),
        rtol=1e-5,
        atol=1e-5,
    )
    result = []
    for number in (1, 2, 3):
        with threads(number):
            kernel = native_kernel("rescale_grad")
            result.append(kernel(x, mean, factor, scale, g, offset_shape=offsets))
    kernel = numpy_kernel("rescale_grad")
    exact = kernel(*wide(x, mean, factor, scale, g), offset_shape=offsets)
    for one, two, three, expected in zip(*result, exact, strict=True):
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(one, three)
        assert one.dtype == np.float32
        assert type(one) is type(np.float32(0) if expected.ndim == 0 else expected)
        assert one.shape == expected.shape
        np.testing.assert_allclose(one, expected, rtol=1e-4, atol=1e-4)


@needs_extension
@pytest.mark.parametrize(
    "arguments",
    [
        (sample(4, 6).T, sample(4), sample(4), sample(4), sample(4)),
        (sample(2, 3, 4), sample(2, 1, 4), sample(2, 1, 4), sample(4), sample(4)),
        (sample(3, 4), sample(4), sample(3, 1), sample(4), sample(4)),
        (*wide(sample(3, 4), sample(4), sample(4), sample(4), sample(4)),),
        (sample(0, 4), sample(4), sample(4), sample(4), sample(4)),
    ],
)
def test_what_is_left_to_numpy(arguments):
    with pytest.raises(Declined):
        native_kernel("rescale")(*arguments)
    expected = numpy_kernel("rescale")(*arguments)
    np.testing.assert_array_equal(cpu.kernel("rescale")(*arguments), expected)


@pytest.mark.parametrize("axes", [[-1], [0], [0, 1], [1], [0, 2]])
def test_normalization_is_that_of_its_definition(axes):
    x = sample(3, 4, 5, middle=3).astype(np.float64)
    shape = [1 if i in (a % 3 for a in axes) else n for i, n in enumerate(x.shape)]
    scale, offset = sample(5).astype(np.float64), sample(5).astype(np.float64)
    mean, variance = tf.nn.moments(tf.constant(x), axes, keepdims=True)
    assert mean.shape == shape
    np.testing.assert_allclose(variance, np.var(x, tuple(axes), keepdims=True))
    result = tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3)
    expected = (x - mean.numpy()) / np.sqrt(variance.numpy() + 1e-3) * scale + offset
    np.testing.assert_allclose(result, expected)


def test_statistics_larger_than_the_input_still_broadcast():
    x, many = tf.constant(sample(1, 4)), tf.constant(np.abs(sample(3, 4)))
    result = tf.nn.batch_normalization(x, many, many, None, None, 1e-3)
    expected = (x.numpy() - many.numpy()) / np.sqrt(many.numpy() + 1e-3)
    np.testing.assert_allclose(result, expected, rtol=1e-5)
