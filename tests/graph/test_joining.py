"""What is joined of parts for several products is made once, behind a barrier."""

from __future__ import annotations

import numpy as np

import gradtape as tf
from gradtape.graph.execute import numpy_executable
from gradtape.graph.passes import optimize_for_execution
from gradtape.graph.passes.joining import join_once
from gradtape.graph.routine import trace_routine
from tests.graph.compared import names

RANDOM = np.random.default_rng(3)
X, W = (RANDOM.standard_normal(shape).astype(np.float32) for shape in ((2, 5, 4), (4, 6)))


def graph_of(function, *arrays):
    specs = [tf.constant(a)._spec() for a in arrays]
    routine = trace_routine(lambda xs: (tf.nest.flatten(function(*xs)), None), specs)[0]
    return optimize_for_execution(routine.graph)


def heads(x, w):
    """Return the gradients of a product whose result is split, as in attention."""
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        q, k, v = tf.split(tf.matmul(x, w), 3, -1)
        loss = tf.reduce_sum(tf.sin(q) * k * tf.exp(v))
    return tape.gradient(loss, [x, w])


def test_gradient_of_a_split_is_joined_once_for_both_products():
    before = graph_of(heads, X, W)
    after = join_once(before)
    after.check()
    assert names(after).count("barrier") == 1
    barrier = next(node for node in after.nodes if node.prim.name == "barrier")
    joined = barrier.inputs[0]
    assert [n.prim.name for n in after.nodes if any(v is joined for v in n.inputs)] == ["barrier"]
    for a, b in zip(numpy_executable(before)(X, W), numpy_executable(after)(X, W), strict=True):
        np.testing.assert_array_equal(a, b)


def test_joined_outputs_of_the_graph_are_those_behind_the_barrier():
    def function(x, w):
        joined = tf.concat([x, 2 * x], -1)
        return joined, joined @ tf.concat([w, w], 0), tf.transpose(joined, [0, 2, 1]) @ joined

    after = join_once(graph_of(function, X, W))
    after.check()
    assert names(after).count("barrier") >= 1
    joined = np.concatenate([X, 2 * X], -1)
    np.testing.assert_array_equal(numpy_executable(after)(X, W)[0], joined)


def test_what_one_product_reads_or_none_is_left_to_the_compiler():
    def rotated(x, w):
        a, b = tf.split(x, 2, -1)
        return (x + tf.concat([-b, a], -1)) @ w

    graph = graph_of(rotated, X, W)
    assert join_once(graph) is graph
