"""Loops, scans, maps and folds nested in each other to depth three, to second order."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import gradtape as tf


def by_while(body):
    def run(x):
        start = (tf.constant(0), x)
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, body(y)), start)[1]

    return run


def by_scan(body):
    return lambda x: tf.scan(lambda a, e: body(a) * e, tf.constant([0.9, 1.1]), x)[-1]


def by_map(body):
    return lambda x: tf.reduce_sum(tf.map_fn(lambda e: body(e * x), tf.constant([0.5, 0.7])))


def by_fold(body):
    return lambda x: tf.foldl(lambda a, e: body(a) + e, tf.constant([0.1, 0.2]), x)


KINDS = {"while": by_while, "scan": by_scan, "map": by_map, "fold": by_fold}


@pytest.mark.parametrize("kinds", list(itertools.product(KINDS, repeat=3)), ids="-".join)
def test_as_eager_code(kinds):
    def function(x):
        return tf.sin(x) * 1.1 + x * x * 0.1

    for kind in kinds:
        function = KINDS[kind](function)

    def derivatives(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = function(x)
            slope = tape.gradient(y, x)
        return y, slope, outer.gradient(slope, x)

    x = tf.constant(0.6, tf.float32)
    expected = [float(y) for y in derivatives(x)]
    result = [float(y) for y in tf.function(derivatives)(x)]
    assert result == pytest.approx(expected, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("limit", [None, 9])
def test_a_loop_of_open_sizes_is_differentiated_twice(limit):
    """The second derivative needs the loop's own body, without what the first one keeps."""

    def slopes(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            (y,) = tf.while_loop(
                lambda s: tf.reduce_sum(s) < 99.0,
                lambda s: (s + tf.sin(s * x) + s * x,),
                (x,),
                maximum_iterations=limit,
            )
        return y, tape.gradient(y, x)

    traced = tf.function(slopes, input_signature=[tf.TensorSpec([None], tf.float32)])
    for x in ([5.0, 6.0], [3.0], [1.0, 2.0, 3.0]):
        results = []
        for called in (slopes, traced):
            x = tf.constant(x)
            with tf.GradientTape(persistent=True) as outer:
                outer.watch(x)
                y, slope = called(x)
            results.append([slope, outer.gradient(y, x), outer.gradient(slope, x)])
        for eager, of_graph in zip(*results, strict=True):
            np.testing.assert_allclose(of_graph, eager, rtol=1e-5)
