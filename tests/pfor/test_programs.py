"""Each program, vectorized, gives what a Python loop over the examples gives, in every mode."""

import functools

import numpy as np
import pytest

import gradtape as tf
from tests.graph.compared import is_traced
from tests.pfor.derivatives import (
    MODES,
    K,
    W,
    X,
    arguments,
    arrays,
    assert_same,
    looped,
    vectorized,
)
from tests.pfor.programs import PROGRAMS


@functools.cache
def expected(name: str, mode: str) -> list:
    return arrays(MODES[mode](PROGRAMS[name], looped)(*arguments()))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_eagerly(name, mode):
    assert_same(MODES[mode](PROGRAMS[name], vectorized)(*arguments()), expected(name, mode))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_in_a_function(name, mode):
    function = tf.function(MODES[mode](PROGRAMS[name], vectorized))
    assert_same(function(*arguments()), expected(name, mode))
    assert is_traced(function)


@pytest.mark.parametrize("name", PROGRAMS)
def test_of_a_function(name):
    # The function is traced for one example, and its graph is run for all.
    inner = tf.function(lambda x, k, w: PROGRAMS[name](tf, x, k, w))

    def program(tf, x, k, w):
        return inner(x, k, w)

    for mode in ("value", "gradient", "jacobian", "tangent", "per example"):
        assert_same(MODES[mode](program, vectorized)(*arguments()), expected(name, mode))


@pytest.mark.parametrize("name", PROGRAMS)
def test_per_example_gradients(name):
    w = tf.Variable(W)
    result = tf.per_example_gradients(
        lambda x, k: tf.reduce_sum(tf.sin(PROGRAMS[name](tf, x, k, w))),
        [w],
        tf.constant(X),
        tf.constant(K),
    )
    assert_same(result, expected(name, "per example")[1:])


@pytest.mark.parametrize("name", PROGRAMS)
def test_in_two_maps(name):
    x, k, w = arguments()
    pairs = tf.reshape(x, (2, 2, 5)), tf.reshape(k, (2, 2))

    def inner(rows):
        return tf.vectorized_map(lambda e: PROGRAMS[name](tf, e[0], e[1], w), rows)

    result = tf.vectorized_map(inner, pairs)
    value = expected(name, "value")[0]
    np.testing.assert_allclose(result.numpy().reshape(value.shape), value, rtol=1e-12)
