"""Integers in bulk: products, quotients and distinct values, which take other ways than few do."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

RANDOM = np.random.default_rng(32)
LEAST, MAX = -(2**31), 2**31 - 1


def wrapped_product(x, y):
    """x @ y in Python's integers, wrapped as the dtype wraps."""
    exact = x.astype(object) @ y.astype(object)
    bits = 8 * x.dtype.itemsize
    half = 2 ** (bits - 1)
    return ((exact + half) % 2**bits - half).astype(x.dtype)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("size", [10, 2**15, 2**24, 2**31])
@pytest.mark.parametrize("shapes", [((20, 30), (30, 25)), ((40, 1), (1, 300)), ((3, 4), (4, 2))])
def test_products_of_integers_are_exact_and_wrap(dtype, size, shapes):
    x, y = (RANDOM.integers(-size, size, shape).astype(dtype) for shape in shapes)
    np.testing.assert_array_equal(tf.matmul(x, y), wrapped_product(x, y))
    np.testing.assert_array_equal(tf.matmul(x, y.T, transpose_b=True), wrapped_product(x, y))


def test_products_of_the_extreme_integers():
    x = np.full((30, 40), LEAST, np.int32)
    for y in (x.T, np.full((40, 30), MAX, np.int32), np.full((40, 30), -1, np.int32)):
        np.testing.assert_array_equal(tf.matmul(x, y), wrapped_product(x, y))


def test_stacks_of_products_of_integers():
    x, y = RANDOM.integers(-9, 9, (5, 1, 12, 20)), RANDOM.integers(-9, 9, (3, 20, 7))
    for dtype in (np.int32, np.int64):
        result = tf.matmul(x.astype(dtype), y.astype(dtype))
        np.testing.assert_array_equal(result, np.matmul(x, y))


@pytest.mark.parametrize("shape", [(0, 50), (50, 0)], ids=str)
def test_products_of_nothing(shape):
    x = np.ones(shape, np.int32)
    np.testing.assert_array_equal(tf.matmul(x, x.T), x @ x.T)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64])
def test_quotients_of_many_integers(dtype):
    bounds = np.iinfo(dtype)
    x = RANDOM.integers(bounds.min, bounds.max, 5000, dtype, endpoint=True)
    near = np.arange(-40, 40).astype(dtype)
    y = np.where(RANDOM.random(5000) < 0.5, RANDOM.choice(near[near != 0], 5000), x[::-1])
    y[y == 0] = 3
    x[:3], y[:3] = bounds.max, [1, 2, bounds.max]
    x[3:6], y[3:6] = bounds.min, [1, 2, bounds.max]
    exact = [divmod(int(a), int(b)) for a, b in zip(x, y, strict=True)]
    quotients, rests = (np.array(each, object) for each in zip(*exact, strict=True))
    fits = np.array([bounds.min <= q <= bounds.max for q in quotients])
    result, rest = (x // tf.constant(y)).numpy(), (x % tf.constant(y)).numpy()
    assert result.dtype == rest.dtype == dtype
    np.testing.assert_array_equal(result[fits], quotients[fits].astype(dtype))
    np.testing.assert_array_equal(rest[fits], rests[fits].astype(dtype))


def test_the_least_integer_over_minus_one_wraps():
    x, y = np.full(5000, LEAST, np.int32), np.full(5000, -1, np.int32)
    np.testing.assert_array_equal(tf.constant(x) // y, x)
    np.testing.assert_array_equal(tf.constant(x) % y, np.zeros(5000, np.int32))


def test_division_of_many_integers_by_a_zero():
    x = tf.constant(np.arange(5000, dtype=np.int32))
    y = np.arange(5000, dtype=np.int32) - 2500
    for divide in (lambda: x // y, lambda: x % y):
        with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
            divide()


def distinct(x):
    """Values in the order of appearance, the number of each element's value, and counts."""
    values, numbers, counts = [], [], []
    for element in x.tolist():
        if element == element and element in values:
            numbers.append(values.index(element))
            counts[numbers[-1]] += 1
        else:
            numbers.append(len(values))
            values.append(element)
            counts.append(1)
    return values, numbers, counts


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64", "bool"])
@pytest.mark.parametrize("size", [0, 1, 2, 50, 2500])
def test_distinct_values(dtype, size):
    x = RANDOM.integers(-20, 20, size).astype(dtype)
    if x.dtype.kind == "f" and size > 2:
        x[RANDOM.integers(0, size, 5)] = [np.nan, -0.0, np.inf, -np.inf, np.nan]
    values, numbers, counts = distinct(x)
    result = tf.unique_with_counts(x)
    np.testing.assert_array_equal(result.y, np.array(values, dtype))
    np.testing.assert_array_equal(result.idx, np.array(numbers, np.int32))
    np.testing.assert_array_equal(result.count, np.array(counts, np.int32))


def test_the_gradient_of_distinct_values_goes_to_the_first_of_each():
    x = tf.constant([2.0, 1.0, 2.0, 3.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.unique(x).y * tf.constant([1.0, 10.0, 100.0])
    np.testing.assert_array_equal(tape.gradient(y, x), [1, 10, 0, 100, 0])


@pytest.mark.parametrize("shape", [(7,), (3, 2500)], ids=str)
def test_gradients_of_sorted_and_of_the_largest(shape):
    x = RANDOM.permutation(np.prod(shape)).reshape(shape).astype(np.float32)
    weights = RANDOM.normal(size=shape).astype(np.float32)
    t = tf.constant(x)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(t)
        y = tf.sort(t) * weights
        top = tf.math.top_k(t, 3).values * weights[..., :3]
    expected, largest = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    np.put_along_axis(expected, np.argsort(x), weights, -1)
    np.put_along_axis(largest, np.argsort(-x)[..., :3], weights[..., :3], -1)
    np.testing.assert_array_equal(tape.gradient(y, t), expected)
    np.testing.assert_array_equal(tape.gradient(top, t), largest)
