"""Operators of tensors and variables: reflected forms, foreign operands, comparisons."""

from __future__ import annotations

import operator

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.errors import InvalidArgumentError

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)
ARITHMETIC = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
]
MAKE = [tf.constant, tf.Variable]


@pytest.mark.parametrize("make", MAKE)
@pytest.mark.parametrize("op", ARITHMETIC)
@pytest.mark.parametrize(
    "other", [2.0, 2, np.float32(2), np.float64(2), np.full(3, 2.0), [2.0] * 3]
)
def test_both_sides(make, op, other):
    x = make(X)
    left, right = op(other, x), op(x, other)
    for result, expected in [(left, op(np.float32(2), X)), (right, op(X, np.float32(2)))]:
        assert isinstance(result, tf.Tensor)
        assert result.dtype == tf.float32
        np.testing.assert_allclose(result.numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("make", MAKE)
def test_matmul_both_sides(make):
    x = make(X)
    np.testing.assert_allclose((x @ X.T).numpy(), X @ X.T)
    np.testing.assert_allclose((X.T @ x).numpy(), X.T @ X)
    np.testing.assert_allclose(([[1.0, 1.0]] @ x).numpy(), [[5.0, 7.0, 9.0]])


def test_signs():
    x = tf.constant(X - 3)
    np.testing.assert_array_equal((-x).numpy(), 3 - X)
    np.testing.assert_array_equal(abs(x).numpy(), abs(X - 3))


@pytest.mark.parametrize("op", [operator.and_, operator.or_, operator.xor])
def test_logical_for_bool_bitwise_for_integers(op):
    truth, numbers = np.array([True, False, True]), np.array([6, 3, 12], np.int32)
    np.testing.assert_array_equal(op(tf.constant(truth), True).numpy(), op(truth, True))
    np.testing.assert_array_equal(op(True, tf.constant(truth)).numpy(), op(truth, True))
    np.testing.assert_array_equal(op(tf.constant(numbers), 5).numpy(), op(numbers, 5))
    np.testing.assert_array_equal(op(5, tf.constant(numbers)).numpy(), op(numbers, 5))
    with pytest.raises(InvalidArgumentError, match="float32"):
        op(tf.constant(X), tf.constant(X))


def test_invert():
    assert (~tf.constant([True, False])).numpy().tolist() == [False, True]
    assert (~tf.constant([0, 5])).numpy().tolist() == [-1, -6]
    with pytest.raises(InvalidArgumentError, match="float32"):
        ~tf.constant(X)


@pytest.mark.parametrize("make", MAKE)
def test_comparisons(make):
    x = make(X)
    for op in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
        np.testing.assert_array_equal(op(x, 3.0).numpy(), op(X, 3.0))
        np.testing.assert_array_equal(op(3.0, x).numpy(), op(3.0, X))
        np.testing.assert_array_equal(op(x, X[0]).numpy(), op(X, X[0]))


@pytest.mark.parametrize("make", MAKE)
def test_equality_with_what_does_not_fit(make):
    x = make(X)
    assert (x == None) is False  # noqa: E711 - the operator is what is tested
    assert (x != None) is True  # noqa: E711
    for other in (tf.ones([2]), [1.0, 2.0]):
        same, different = operator.eq(x, other), operator.ne(x, other)
        assert (same.numpy(), different.numpy()) == (False, True)
    with pytest.raises(InvalidArgumentError, match="int32"):
        x == tf.constant(1)  # noqa: B015
    with pytest.raises(InvalidArgumentError, match="Incompatible shapes"):
        x < tf.ones([2])  # noqa: B015


class Foreign:
    """A class that knows tensors, while tensors do not know it."""

    def __radd__(self, other):
        return "radd"

    def __rmatmul__(self, other):
        return "rmatmul"

    def __gt__(self, other):
        return "gt"


def test_foreign_classes_may_answer():
    x = tf.constant(X)
    assert x + Foreign() == "radd"
    assert x @ Foreign() == "rmatmul"
    assert (x < Foreign()) == "gt"
    with pytest.raises(ValueError, match="unsupported type"):
        x * Foreign()
    with pytest.raises(ValueError, match="unsupported type"):
        x + None


def test_tensors_and_variables_mix():
    x, v = tf.constant(X), tf.Variable(X)
    for result in (x + v, v + x, v + v):
        np.testing.assert_array_equal(result.numpy(), X + X)
    with pytest.raises(InvalidArgumentError, match=r"float32 .* float64|float64 .* float32"):
        x + tf.constant(X.astype(np.float64))


@pytest.mark.parametrize("make", MAKE)
def test_the_product_of_bools_is_whether_both_are_true(make):
    """As in NumPy and JAX. TensorFlow refuses it, and so does `tf.multiply`."""
    x, y = np.array([True, True, False]), np.array([True, False, False])
    value = make(x)
    product = value * tf.constant(y)
    assert product.dtype == tf.bool
    np.testing.assert_array_equal(product, x * y)
    np.testing.assert_array_equal(tf.function(lambda: value * tf.constant(y))(), x * y)
    with pytest.raises(InvalidArgumentError, match="multiply does not take a tensor of dtype bool"):
        tf.multiply(tf.constant(x), tf.constant(y))
    with pytest.raises((TypeError, ValueError)):
        make(x) * 2.0
