"""Products of odd sizes are padded to whole tiles, and results are the same."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import gradtape as tf
from gradtape.graph.execute import numpy_executable
from gradtape.graph.passes import alignment
from gradtape.graph.passes.alignment import align_products
from gradtape.graph.routine import trace_routine
from tests.graph.compared import names

ROWS, INNER, WORDS = 5, 12, 21  # 12 of 4: aligned


@pytest.fixture(autouse=True)
def small_is_large_enough(monkeypatch):
    monkeypatch.setattr(alignment, "_MIN_SIZE", 6)
    monkeypatch.setattr(alignment, "_ALIGNED", 4)
    monkeypatch.setattr(alignment, "_TILE", 8)


def graph_of(function, *arrays):
    specs = [tf.constant(a)._spec() for a in arrays]
    return trace_routine(lambda xs: (tf.nest.flatten(function(*xs)), None), specs)[0].graph


def random(*shape, dtype=ml_dtypes.bfloat16):
    return np.random.default_rng(0).integers(-4, 5, shape).astype(dtype)


def loss_gradients(x, table):
    with tf.GradientTape() as tape:
        tape.watch([x, table])
        logits = tf.cast(tf.matmul(x, table, transpose_b=True), tf.float32)
        loss = tf.reduce_sum(logits * logits)
    return [logits, *tape.gradient(loss, [x, table])]


PRODUCTS = {
    "a table of words": (loss_gradients, (ROWS, INNER), (WORDS, INNER)),
    "the summed axis": (tf.matmul, (ROWS, WORDS), (WORDS, INNER)),
    "stacks": (tf.matmul, (2, 3, WORDS, INNER), (2, 3, INNER, 9)),
    "a stack and a matrix": (tf.matmul, (2, WORDS, INNER), (INNER, 9)),
    "a stack and a table of words": (loss_gradients, (2, 8, INNER), (WORDS, INNER)),
    "one matrix twice": (lambda x, y: (x @ y, x @ (y + y)), (WORDS, INNER), (INNER, 8)),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_padded_products_are_the_same(name):
    function, *shapes = PRODUCTS[name]
    arrays = [random(*shape) for shape in shapes]
    before = graph_of(function, *arrays)
    after = align_products(before)
    after.check()
    assert names(after).count("put_slice") > names(before).count("put_slice")
    for node in after.nodes:
        if node.prim.name == "matmul":
            sizes = [n for v in (*node.inputs, *node.outputs) for n in v.spec.shape[-2:]]
            assert all(n < 6 or n % 4 == 0 for n in sizes)
    given = [tf.constant(a)._data for a in arrays]
    expected, result = numpy_executable(before)(*given), numpy_executable(after)(*given)
    for x, y in zip(result, expected, strict=True):
        np.testing.assert_array_equal(x, y)  # small integers: every sum is exact


@pytest.mark.parametrize(
    ("name", "matrices"),
    # The table and the cotangent of the logits, which one gradient takes as a stack and the other,
    # reshaped, as one matrix.
    [("one matrix twice", 1), ("a stack and a table of words", 2)],
)
def test_a_matrix_is_padded_once_for_all_products(name, matrices):
    function, *shapes = PRODUCTS[name]
    graph = align_products(graph_of(function, *[random(*shape) for shape in shapes]))
    assert names(graph).count("put_slice") == matrices


def cross_entropy(x, table, labels):
    """Return the loss of a model over words, flattened as Keras does, and its gradients."""
    with tf.GradientTape() as tape:
        tape.watch([x, table])
        logits = tf.cast(tf.matmul(x, table, transpose_b=True), tf.float32)
        flat = tf.reshape(logits, [-1, WORDS])
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(tf.reshape(labels, [-1]), flat)
    return [loss, *tape.gradient(loss, [x, table])]


def few_labels(dtype):
    return np.random.default_rng(1).integers(0, WORDS, (2, 8)).astype(dtype)


@pytest.mark.parametrize("labels", [np.int8, np.int32, np.int64])
def test_logits_stay_padded_in_their_cross_entropy(labels):
    arrays = [random(2, 8, INNER) / 64, random(WORDS, INNER), few_labels(labels)]
    before = graph_of(cross_entropy, *arrays)
    after = align_products(before)
    after.check()
    # The table is padded, and its gradient is cut: nothing in between.
    assert names(after).count("put_slice") == names(after).count("slice") == 1
    given = [tf.constant(a)._data for a in arrays]
    expected, result = numpy_executable(before)(*given), numpy_executable(after)(*given)
    for x, y in zip(result, expected, strict=True):
        assert x.dtype == y.dtype
        # Zeros among the terms of a sum change the order of the others.
        np.testing.assert_allclose(
            x.astype(float), y.astype(float), rtol=1e-2 if x.ndim > 1 else 1e-6
        )


def test_logits_that_something_else_reads_are_cut_for_it():
    def function(x, table, labels):
        logits = tf.matmul(x, table, transpose_b=True)
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        return [loss, tf.argmax(logits, -1), logits]

    arrays = [random(2, 8, INNER), random(WORDS, INNER), few_labels(np.int32)]
    before = graph_of(function, *arrays)
    after = align_products(before)
    assert names(after).count("slice") == 1
    given = [tf.constant(a)._data for a in arrays]
    expected, result = numpy_executable(before)(*given), numpy_executable(after)(*given)
    np.testing.assert_allclose(result[0].astype(float), expected[0].astype(float), rtol=1e-2)
    for x, y in zip(result[1:], expected[1:], strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("labels", [np.uint8, np.uint16])
def test_without_a_number_that_is_no_label_the_logits_are_cut(labels):
    graph = align_products(
        graph_of(cross_entropy, random(2, 8, INNER), random(WORDS, INNER), few_labels(labels))
    )
    assert "select" not in names(graph)


@pytest.mark.parametrize(
    ("shapes", "dtype"),
    [
        (((8, INNER), (INNER, 16)), ml_dtypes.bfloat16),  # aligned
        (((5, 3), (3, 5)), ml_dtypes.bfloat16),  # small
        (((WORDS, INNER), (INNER, WORDS)), np.float32),  # no matrix units
    ],
)
def test_other_products_are_left_alone(shapes, dtype):
    graph = graph_of(tf.matmul, *[random(*shape, dtype=dtype) for shape in shapes])
    assert align_products(graph) is graph
