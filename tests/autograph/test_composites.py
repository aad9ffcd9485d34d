"""Ragged and sparse tensors that a statement of a function assigns to."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf


def ragged_rows():
    return tf.ragged.constant([[1, 2], [3]])


def doubled_in_a_loop(n):
    v = ragged_rows()
    for _ in tf.range(n):
        v = v * 2
    return v


def changed_by_a_branch(n):
    v = ragged_rows()
    if n > 2:
        v = v * 8
    return v


def of_other_lengths_by_a_branch(n):
    v = ragged_rows()
    if n <= 2:
        v = tf.ragged.constant([[1], [2, 4, 5]])
    return v * 8


def branch_inside_a_loop(n):
    v = ragged_rows()
    for i in tf.range(n):
        if i > 0:  # noqa: SIM108 (a statement is meant)
            v = v * 2
        else:
            v = v * 1 + v
    return v


@pytest.mark.parametrize(
    "function",
    [
        doubled_in_a_loop,
        changed_by_a_branch,
        of_other_lengths_by_a_branch,
        branch_inside_a_loop,
    ],
)
def test_ragged_tensors_are_carried(function, caplog):
    traced = tf.function(function)
    assert traced(tf.constant(3)).to_list() == [[8, 16], [24]]
    assert "runs eagerly" not in caplog.text


def test_gradients_flow_through_a_loop_over_ragged_tensors():
    @tf.function
    def gradient(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            v = tf.RaggedTensor.from_row_splits(x, [0, 2, 3])
            for _ in tf.range(n):
                v = v * v
            y = tf.reduce_sum(v)
        return tape.gradient(y, x)

    x = tf.constant([1.0, 2.0, 3.0])
    np.testing.assert_allclose(gradient(x, tf.constant(2)), 4 * np.array([1.0, 8.0, 27.0]))


def test_ragged_tensors_of_other_ranks_are_refused():
    @tf.function
    def f(n):
        v = ragged_rows()
        if n > 2:
            v = tf.ragged.constant([[[1], [2]], [[3]]])
        return v

    with pytest.raises(TypeError, match="'v' must have the same nested structure"):
        f(tf.constant(3))


def sparse_in_a_loop(n):
    v = tf.sparse.eye(2)
    for _ in tf.range(n):
        v = tf.sparse.add(v, v)
    return v


def sparse_by_a_branch(n):
    v = tf.sparse.eye(2)
    if n > 2:
        v = tf.sparse.map_values(tf.multiply, v, 8.0)
    return v


@pytest.mark.parametrize("function", [sparse_in_a_loop, sparse_by_a_branch])
def test_sparse_tensors_run_eagerly(function, caplog):
    result = tf.function(function)(tf.constant(3))
    np.testing.assert_array_equal(tf.sparse.to_dense(result), 8 * np.eye(2))
    assert "a value of type SparseTensor" in caplog.text
