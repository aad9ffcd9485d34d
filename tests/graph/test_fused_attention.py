"""Attention that is written out is found in a graph, with its reverse rule; and nothing else is."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the kernels are XLA's, reached by way of JAX")

import jax

import gradtape as tf
from gradtape import ops
from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.runtime.graph_program import _constant, _kernel_of
from gradtape.graph.execute import compile_graph
from gradtape.graph.graph import Graph
from gradtape.graph.passes import attention as attention_pass
from gradtape.graph.passes import optimize_for_execution
from gradtape.graph.passes.attention import fuse_attention
from gradtape.graph.routine import trace_routine
from tests.graph.compared import names

BATCH, HEADS, TIME, DEPTH = 2, 3, 16, 8
LATER = -1e9 * (1 - np.tri(TIME, dtype=np.float32))


@pytest.fixture(autouse=True)
def short_is_long_enough(monkeypatch):
    monkeypatch.setattr(attention_pass, "_MIN_KEYS", TIME)
    monkeypatch.setattr(attention_pass, "_MIN_KEYS_OF_OP", TIME)


def attention(q, k, v, mask=LATER):
    scores = tf.matmul(q, k, transpose_b=True) / np.sqrt(DEPTH)
    scores = tf.cast(scores, tf.float32)
    weights = tf.nn.softmax(scores if mask is None else scores + mask)
    return tf.matmul(tf.cast(weights, q.dtype), v)


def scaled_queries(q, k, v):
    scores = tf.matmul(q * 0.25, k, transpose_b=True) + tf.cast(LATER, q.dtype)
    return tf.nn.softmax(scores) @ v


def transposed(q, k, v):
    """By time before heads, with keys turned by hand, scaled after the cast."""
    q, k, v = (tf.transpose(x, [0, 2, 1, 3]) for x in (q, k, v))
    q, k, v = (tf.transpose(x, [0, 2, 1, 3]) for x in (q, k, v))
    scores = 0.3 * tf.cast(q @ tf.transpose(k, [0, 1, 3, 2]), tf.float32)
    return tf.cast(tf.nn.softmax(scores), q.dtype) @ v


def one_op(q, k, v):
    return ops.attention(q, k, v, causal=True)


ONES = {
    "a mask that is added": attention,
    "no mask": lambda q, k, v: attention(q, k, v, None),
    "all in 16 bits, scaled before": scaled_queries,
    "transposed by hand, scaled after": transposed,
    "the op": one_op,
}


def graph_of(function, dtype="bfloat16", with_gradients=True) -> tuple[Graph, list]:
    """The graph of a function of q, k, v (and of its gradients), and values for it."""
    random = np.random.default_rng(0)
    shape = (BATCH, TIME, HEADS, DEPTH) if function is one_op else (BATCH, HEADS, TIME, DEPTH)
    given = [tf.cast(random.standard_normal(shape), dtype) for _ in range(4)]

    def body(xs):
        *inputs, g = xs
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            result = function(*inputs)
        if not with_gradients:
            return tf.nest.flatten(result), None
        y = tf.nest.flatten(result)[0]
        return [*tf.nest.flatten(result), *tape.gradient(y, inputs, g)], None

    routine, _ = trace_routine(body, [x._spec() for x in given])
    return optimize_for_execution(routine.graph), [np.asarray(x) for x in given]


def computed(graph: Graph, arrays: list) -> list:
    result = xla.exactly(jax.jit(compile_graph(graph, _kernel_of, None, _constant)), *arrays)
    return [np.asarray(y).astype(np.float32) for y in result]


@pytest.mark.parametrize("with_gradients", [True, False])
@pytest.mark.parametrize("name", ONES)
def test_it_is_found(name, with_gradients):
    before, given = graph_of(ONES[name], with_gradients=with_gradients)
    after = fuse_attention(before)
    after.check()
    assert names(after).count("fused_attention") == 1
    assert names(after).count("fused_attention_vjp") == with_gradients
    assert not {"softmax", "attention", "attention_grad"} & set(names(after))
    exact, _ = graph_of(ONES[name], "float64", with_gradients)
    want = computed(exact, [x.astype(np.float64) for x in given])
    for got, value in zip(computed(after, given), want, strict=True):
        # As exact as one rounding to bfloat16 of the largest number.
        np.testing.assert_allclose(got, value, rtol=0, atol=2**-7 * np.abs(value).max())


def test_two_layers_are_two():
    before, given = graph_of(lambda q, k, v: attention(attention(q, k, v), k, v))
    after = fuse_attention(before)
    after.check()
    assert names(after).count("fused_attention_vjp") == 2
    for got, want in zip(computed(after, given), computed(before, given), strict=True):
        np.testing.assert_allclose(got, want, atol=4e-2 * np.abs(want).max())


def returns_weights(q, k, v):
    weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True))
    return weights @ v, weights


def returns_scores(q, k, v):
    scores = tf.matmul(q, k, transpose_b=True)
    return tf.nn.softmax(scores) @ v, scores


def hides_more(q, k, v):
    """A query sees its own place only if it is the first."""
    earlier = np.tri(TIME, k=-1, dtype=np.float32)
    earlier[0, 0] = 1
    return attention(q, k, v, -1e9 * (1 - earlier))


def leans(q, k, v):
    return attention(q, k, v, LATER + np.float32(0.5))


def drops(q, k, v):
    weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True))
    return tf.where(weights > 0.1, weights, tf.zeros_like(weights)) @ v


def of_other_values(q, k, v):
    """The product is with the keys of another head."""
    return tf.nn.softmax(tf.matmul(q, k[:, :1], transpose_b=True)) @ v


@pytest.mark.parametrize(
    "function", [returns_weights, returns_scores, hides_more, leans, drops, of_other_values]
)
@pytest.mark.parametrize("with_gradients", [True, False])
def test_what_is_different_stays(function, with_gradients):
    graph, _ = graph_of(function, with_gradients=with_gradients)
    assert fuse_attention(graph) is graph


@pytest.mark.parametrize("function", [attention, one_op])
def test_float32_stays(function):
    graph, _ = graph_of(function, "float32")
    assert fuse_attention(graph) is graph


def test_few_keys_stay(monkeypatch):
    graph, _ = graph_of(attention)
    assert fuse_attention(graph) is not graph
    monkeypatch.setattr(attention_pass, "_MIN_KEYS", TIME + 1)
    assert fuse_attention(graph) is graph
