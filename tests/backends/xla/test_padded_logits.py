"""A cross-entropy of padded logits on XLA: labels that are no class give nan, others their loss."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import gradtape as tf
from gradtape.graph.passes import alignment

WORDS, INNER, ROWS = 21, 12, 8
LABELS = {
    "labels": [0, WORDS - 1, 3, 3, 7, 1, 0, 9],
    "labels of all kinds": [0, WORDS - 1, 3, WORDS, WORDS + 2, WORDS + 3, 1000, -1],
}


@pytest.fixture(autouse=True)
def small_is_large_enough(monkeypatch):
    monkeypatch.setattr(alignment, "_MIN_SIZE", 6)
    monkeypatch.setattr(alignment, "_ALIGNED", 4)
    monkeypatch.setattr(alignment, "_TILE", 8)


def program(x, table, labels):
    with tf.GradientTape() as tape:
        tape.watch([x, table])
        logits = tf.cast(tf.matmul(x, table, transpose_b=True), tf.float32)
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    return loss, *tape.gradient(loss, [x, table])


def executed(pad, monkeypatch, *tensors):
    """Return the results of the program, compiled with or without padding as on a GPU."""
    from gradtape.backends.xla.runtime import graph_program

    aligned = []

    def optimized(graph):
        if pad:
            graph = alignment.align_products(graph)
        aligned.append([node.prim.name for node in graph.nodes])
        return graph

    optimize = graph_program.roll_large
    with monkeypatch.context() as patch:
        patch.setattr(graph_program, "roll_large", lambda g: optimized(optimize(g)))
        results = [y.numpy() for y in tf.function(program, jit_compile=True)(*tensors)]
    assert ("select" in aligned[-1]) is pad
    return results


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize("extreme", [False, True])
def test_the_loss_and_its_gradients_are_those_of_unpadded_logits(name, extreme, monkeypatch):
    random = np.random.default_rng(0)
    x = (random.standard_normal((ROWS, INNER)) / 8).astype(ml_dtypes.bfloat16)
    if extreme:
        x[0], x[1, 2], x[2] = 300, np.inf, -300  # logits beyond exp's range, and infinite ones
    table = random.standard_normal((WORDS, INNER)).astype(ml_dtypes.bfloat16)
    tensors = [tf.constant(x), tf.constant(table), tf.constant(LABELS[name], tf.int32)]
    padded, plain = (executed(pad, monkeypatch, *tensors) for pad in (True, False))
    assert np.isnan(plain[0]).any() == (extreme or name != "labels")
    for y, z in zip(padded, plain, strict=True):
        assert y.shape == z.shape
        np.testing.assert_allclose(
            y.astype(np.float32), z.astype(np.float32), rtol=1e-2, atol=1e-2, equal_nan=True
        )
