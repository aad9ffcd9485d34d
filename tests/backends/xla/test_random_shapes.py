"""Random shapes and values: XLA gives what NumPy gives, forward and backward."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from tests.backends.xla.compare import bound_by, check

# Each new shape is a new program to compile: few examples.
few = settings(max_examples=12)
sizes = st.integers(0, 5)
shapes = st.lists(sizes, max_size=4).map(tuple)
dtypes = st.sampled_from(["float32", "float64"])


def values(shape, dtype="float64", seed=0) -> np.ndarray:
    return np.random.default_rng((seed, *shape)).uniform(-2, 2, shape).astype(dtype)


@st.composite
def broadcastable(draw):
    """Two shapes that broadcast to one."""
    whole = draw(shapes)
    pair = []
    for _ in range(2):
        start = draw(st.integers(0, len(whole)))
        pair.append(tuple(draw(st.sampled_from([1, n])) for n in whole[start:]))
    return pair


@few
@given(broadcastable(), dtypes)
def test_elementwise(pair, dtype):
    x, y = (values(shape, dtype, i) for i, shape in enumerate(pair))

    def function(x, y):
        z = tf.maximum(x, y) * tf.sin(x - y) + tf.where(x > y, tf.exp(x), tf.tanh(y) / 3)
        return tf.math.squared_difference(z, y) + tf.sigmoid(x) ** 3

    check(bound_by(function, (x, y)))


@st.composite
def reductions(draw):
    shape = draw(shapes)
    axes = draw(st.lists(st.sampled_from(range(max(len(shape), 1))), unique=True))
    return shape, axes if shape else None, draw(st.booleans())


@few
@given(reductions(), dtypes)
def test_reductions(case, dtype):
    shape, axis, keepdims = case
    count = int(np.prod([shape[a] for a in axis])) if axis else 1

    def function(x):
        result = [
            tf.reduce_sum(x, axis, keepdims),
            tf.reduce_mean(x, axis, keepdims),
            tf.reduce_prod(x, axis, keepdims),
            tf.reduce_logsumexp(x, axis, keepdims),
        ]
        if count and x.shape.num_elements():
            result += [tf.reduce_max(x, axis, keepdims), tf.reduce_min(x, axis, keepdims)]
        return result

    check(bound_by(function, (values(shape, dtype),)))


@few
@given(st.lists(st.integers(1, 3), max_size=2), sizes, sizes, sizes, st.booleans(), st.booleans())
def test_matmul(stack, rows, inner, columns, transpose_a, transpose_b):
    a = values((*stack, *((inner, rows) if transpose_a else (rows, inner))))
    b = values((*stack, *((columns, inner) if transpose_b else (inner, columns))), seed=1)
    check(bound_by(lambda a, b: tf.matmul(a, b, transpose_a, transpose_b), (a, b)))


@st.composite
def convolutions(draw):
    rank = draw(st.integers(1, 3))
    window = [draw(st.integers(1, 3)) for _ in range(rank)]
    dilations = draw(st.integers(1, 2))
    strides = draw(st.integers(1, 2)) if dilations == 1 else 1
    space = [(k - 1) * dilations + draw(st.integers(1, 4)) for k in window]
    groups = draw(st.integers(1, 2))
    channels, features = groups * draw(st.integers(1, 2)), groups * draw(st.integers(1, 2))
    x = values((draw(st.integers(1, 2)), *space, channels))
    w = values((*window, channels // groups, features), seed=1)
    return x, w, strides, draw(st.sampled_from(["SAME", "VALID"])), dilations


@few
@given(convolutions())
def test_convolution(case):
    x, w, strides, padding, dilations = case

    def function(x, w):
        return tf.nn.convolution(x, w, strides, padding, dilations=dilations)

    check(bound_by(function, (x, w)))
