"""recompute_grad in compiled functions: the second computation is not merged with the first."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import jax

import gradtape as tf
from gradtape.backends.xla import kernels
from gradtape.backends.xla.runtime import graph_program

BLOCKS, STEPS = 6, 8
X = np.random.default_rng(0).standard_normal((256, 256)).astype(np.float32)


@pytest.fixture
def needed(monkeypatch):
    """What every program needs besides its inputs, in bytes."""
    sizes: list[int] = []
    memory_of = graph_program._memory

    def noted(call):
        sizes.append(memory_of(call))
        return sizes[-1]

    monkeypatch.setattr(graph_program, "_memory", noted)
    return sizes


def block(x, w):
    for _ in range(STEPS):
        x = tf.tanh(x @ w)
    return x


def gradient(block):
    weights = [tf.Variable(X / 16) for _ in range(BLOCKS)]

    @tf.function(jit_compile=True)
    def step(x):
        with tf.GradientTape() as tape:
            y = x
            for w in weights:
                y = block(y, w)
            loss = tf.reduce_sum(y)
        return tape.gradient(loss, weights)

    return [g.numpy() for g in step(tf.constant(X))]


def test_the_function_is_in_the_program_twice(monkeypatch):
    graphs = []
    compile_graph = graph_program.compile_graph

    def noted(graph, *rest):
        graphs.append([node.prim.name for node in graph.nodes])
        return compile_graph(graph, *rest)

    monkeypatch.setattr(graph_program, "compile_graph", noted)
    for a, b in zip(gradient(block), gradient(tf.recompute_grad(block)), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)
    kept, recomputed = graphs
    assert (kept.count("tanh"), kept.count("barrier")) == (BLOCKS * STEPS, 0)
    # Nobody reads the loss, nor the first results of the last block.
    assert recomputed.count("tanh") == (2 * BLOCKS - 1) * STEPS
    assert recomputed.count("barrier") >= BLOCKS


def test_barrier_is_one_for_the_compiler():
    lowered = jax.jit(kernels.kernel("barrier")).lower(X, X).as_text()
    assert "optimization_barrier" in lowered


@pytest.mark.skipif(
    jax.default_backend() != "gpu", reason="XLA's compiler for CPUs removes barriers, then merges"
)
def test_a_compiled_step_keeps_the_ends_of_blocks_only(needed):
    gradient(block)
    gradient(tf.recompute_grad(block))
    whole, saved = needed
    # 48 results are kept without it, and with it those of a block and the ends of all blocks.
    assert saved < 0.6 * whole
