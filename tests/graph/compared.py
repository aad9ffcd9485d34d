"""A function and the same function traced: values and derivatives side by side."""

from __future__ import annotations

import numpy as np

import gradtape as tf
from gradtape.core import nest
from gradtape.graph.graph import Graph


def names(graph: Graph) -> list[str]:
    """The names of a graph's ops, in order."""
    return [node.prim.name for node in graph.nodes]


def _flat(result) -> list:
    return [tf.convert_to_tensor(y) for y in nest.flatten(result) if y is not None]


def _weighted(ys: list):
    """A real number that depends on every float in `ys`, and not linearly."""
    total = None
    for position, y in enumerate(ys):
        if y.dtype.is_complex:
            y = tf.math.real(y) + tf.math.imag(y) * 0.7
        if y.dtype.is_floating:
            term = tf.reduce_sum(tf.sin(tf.cast(y, tf.float64) + 0.3 * position))
            total = term if total is None else total + term
    return total


def derivatives(function, tensors: list, order: int) -> list:
    """Values, the gradient of a number made of them, and (order 2) of one made of that."""
    watched = [x for x in tensors if x.dtype.is_floating or x.dtype.is_complex]
    if not order or not watched:
        return _flat(function(*tensors))
    with tf.GradientTape() as outer:
        outer.watch(watched)
        with tf.GradientTape() as inner:
            inner.watch(watched)
            ys = _flat(function(*tensors))
            number = _weighted(ys)
        first = (
            []
            if number is None
            else _flat(inner.gradient(number, watched, unconnected_gradients="zero"))
        )
        slope = _weighted(first)
    if order < 2 or slope is None:
        return [*ys, *first]
    return [*ys, *first, *_flat(outer.gradient(slope, watched, unconnected_gradients="zero"))]


def assert_same(actual: list, expected: list, rtol=1e-9, atol=1e-9) -> None:
    assert len(actual) == len(expected)
    for a, b in zip(actual, expected, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if a.dtype == tf.string:
            assert np.asarray(a).tolist() == np.asarray(b).tolist()
            continue
        np.testing.assert_allclose(
            np.asarray(a).astype(np.complex128),
            np.asarray(b).astype(np.complex128),
            rtol=rtol,
            atol=atol,
        )


def is_traced(function) -> bool:
    """Whether every kind of call of a tf.function has become a graph."""
    entries = function._cache.entries.values()
    return bool(entries) and all(entry.routine is not None for entry in entries)


def check(function, *args, order: int = 2, rtol=1e-9, atol=1e-9, jit_compile=None) -> None:
    """The function traced, with tapes around it and with tapes inside, against the function."""
    tensors = [tf.constant(a) for a in args]
    expected = derivatives(function, tensors, order)
    traced = tf.function(function, jit_compile=jit_compile)
    assert_same(derivatives(traced, tensors, order), expected, rtol, atol)
    assert is_traced(traced)
    whole = tf.function(lambda *xs: derivatives(function, list(xs), order), jit_compile=jit_compile)
    assert_same(list(whole(*tensors)), expected, rtol, atol)
    assert is_traced(whole)
