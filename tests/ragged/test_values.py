"""Values of functions of ragged tensors, which are those that TensorFlow gives."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

C = tf.ragged.constant
R3 = C([[[1, 2], [3]], [[4]], [[5, 6], [], [7]]])
MATRICES = tf.RaggedTensor.from_row_splits(np.arange(20, dtype="f").reshape(5, 4), [0, 2, 5])
BLOCKS = C([[[1.0, 2.0]], [[3.0, 1.0, 2.0]]])
COLUMNS = C([[[1.0], [2.0]], [[3.0], [2.0], [1.0]]])
BATCHES = tf.RaggedTensor.from_row_splits(np.arange(6, dtype="f").reshape(3, 1, 2), [0, 1, 3])
DENSE = np.arange(8).reshape(2, 2, 2)
IMAGES = C([[[[1.0], [2.0]]], [[[3.0], [4.0], [5.0]], [[9.0], [10.0], [11.0]]]], ragged_rank=2)
INDICES = C([[0], [1, 0]])


@pytest.mark.parametrize(
    ("result", "shape", "values"),
    [
        (
            lambda: tf.matmul(MATRICES, MATRICES, transpose_b=True),
            [2, None, None],
            [[[14, 38], [38, 126]], [[366, 518, 670], [518, 734, 950], [670, 950, 1230]]],
        ),
        (
            lambda: tf.matmul(MATRICES[:, :, :2], MATRICES[:, :, :2], transpose_a=True),
            [2, 2, 2],
            [[[16, 20], [20, 26]], [[464, 500], [500, 539]]],
        ),
        (lambda: tf.matmul(BLOCKS, COLUMNS), [2, None, None], [[[5]], [[13]]]),
        (
            lambda: tf.matmul(COLUMNS, BLOCKS),
            [2, None, None],
            [[[1, 2], [2, 4]], [[9, 3, 6], [6, 2, 4], [3, 1, 2]]],
        ),
        (
            lambda: tf.matmul(BATCHES, BATCHES, transpose_b=True),
            [2, None, 1, 1],
            [[[[1]]], [[[13]], [[41]]]],
        ),
        (lambda: tf.matmul(C([[1, 2], [3, 4]]), [[1], [1]]), [2, 1], [[3], [7]]),
        (lambda: tf.gather(R3, 0, axis=1), [3, None], [[1, 2], [4], [5, 6]]),
        (
            lambda: tf.gather(R3, [[0]], axis=1),
            [3, None, None, None],
            [[[[1, 2]]], [[[4]]], [[[5, 6]]]],
        ),
        (lambda: tf.gather(R3, [0], axis=1), [3, None, None], [[[1, 2]], [[4]], [[5, 6]]]),
        (
            lambda: tf.gather(DENSE[0], INDICES, axis=1),
            [2, 2, None],
            [[[0], [1, 0]], [[2], [3, 2]]],
        ),
        (
            lambda: tf.gather(DENSE, INDICES, axis=1),
            [2, 2, None, 2],
            [[[[0, 1]], [[2, 3], [0, 1]]], [[[4, 5]], [[6, 7], [4, 5]]]],
        ),
        (
            lambda: tf.gather(DENSE, INDICES, axis=-1),
            [2, 2, 2, None],
            [[[[0], [1, 0]], [[2], [3, 2]]], [[[4], [5, 4]], [[6], [7, 6]]]],
        ),
        (
            lambda: C([[True, False], [True]]) ^ C([[True, True], [False]]),
            [2, None],
            [[False, True], [True]],
        ),
        (lambda: True ^ C([[True, False], [True]]), [2, None], [[False, True], [False]]),
        (
            lambda: tf.split(tf.RaggedTensor.from_uniform_row_length(R3[:2], 2), 2, 1)[1],
            [1, 1, None, None],
            [[[[4]]]],
        ),
        (
            lambda: tf.split(
                tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4, 5, 6], 3), [1, 2], 1
            )[1],
            [2, 2],
            [[2, 3], [5, 6]],
        ),
        (
            lambda: tf.ragged.segment_ids_to_row_splits([0, 4, 3, 2, 4, 4, 2, 0, 0], 6),
            [7],
            [0, 3, 3, 5, 6, 9, 9],
        ),
        (lambda: tf.gather_nd(R3[:2], [[], []]), [2, None, None, None], [R3[:2].to_list()] * 2),
        (lambda: tf.gather_nd(R3[:2], []), [2, None, None], [[[1, 2], [3]], [[4]]]),
        (
            lambda: tf.gather(DENSE, C([[0, 1], [1]]), axis=2, batch_dims=1),
            [2, 2, None],
            [[[0, 1], [2, 3]], [[5], [7]]],
        ),
        (
            lambda: tf.gather(tf.RaggedTensor.from_tensor(DENSE), [0, 1], axis=2, batch_dims=1),
            [2, 2],
            [[0, 2], [5, 7]],
        ),
        (
            lambda: tf.image.resize(IMAGES, [1, 2], "nearest"),
            [2, 1, 2, 1],
            [[[[1], [2]]], [[[9], [11]]]],
        ),
        (lambda: tf.image.resize(IMAGES, [1, 1]), [2, 1, 1, 1], [[[[1.5]]], [[[7.0]]]]),
        (lambda: tf.image.resize(IMAGES[:0], [1, 2]), [0, 1, 2, 1], []),
        (lambda: tf.ragged.stack_dynamic_partitions("a", 0, 2), [2, None], [[b"a"], []]),
        (
            lambda: tf.ragged.stack_dynamic_partitions([1, 2], 1, 2),
            [2, None, 2],
            [[], [[1, 2]]],
        ),
        (
            lambda: tf.RaggedTensor.from_tensor(tf.zeros([2, 0, 3]), padding=[0.0] * 3),
            [2, None, 3],
            [[], []],
        ),
        (lambda: C([[[], []], []], inner_shape=(3,)), [2, None, None, 3], [[[], []], []]),
        (
            lambda: C([[[[1, 2]], [[3, 4]]], []], ragged_rank=1, inner_shape=(2, 1)),
            [2, None, 2, 1],
            [[[[1], [2]], [[3], [4]]], []],
        ),
    ],
)
def test_values(result, shape, values):
    given = result()
    assert given.shape.as_list() == shape
    assert (given.to_list() if hasattr(given, "to_list") else given.numpy().tolist()) == values


@pytest.mark.parametrize(
    ("result", "dtype"),
    [
        (lambda: tf.ragged.range(2.5), tf.float32),
        (lambda: tf.ragged.range([1], [2.5], 0.5), tf.float32),
        (lambda: tf.ragged.range([2], np.array([3.0])), tf.float64),
        (lambda: tf.ragged.range([2], tf.constant(3, tf.int64)), tf.int64),
        (lambda: tf.ragged.range([]), tf.float32),
        (lambda: C([np.array([1, 2]), np.array([3])]), tf.int32),
        (lambda: C([[np.int64(2**40)]]), tf.int64),
        (lambda: C([np.ones([1, 2]), np.ones([2, 2])], ragged_rank=1), tf.float64),
    ],
)
def test_dtypes(result, dtype):
    assert result().dtype is dtype


def test_row_splits_of_partitions_have_the_dtype_of_those_given():
    stacked = tf.ragged.stack_dynamic_partitions(C([[1, 2], [4]]), C([[0, 1], [1]]), 2)
    assert stacked.row_splits.dtype is tf.int64
    assert stacked.to_list() == [[1], [2, 4]]


def test_gradients_of_products_of_ragged_matrices():
    left, right = tf.Variable([1.0, 2.0, 3.0, 4.0]), tf.Variable([5.0, 6.0, 7.0, 8.0])
    with tf.GradientTape() as tape:
        # 1 x 1 by 1 x 1, and 1 x 3 by 3 x 1
        rows = tf.RaggedTensor.from_nested_row_splits(left, [[0, 1, 2], [0, 1, 4]])
        columns = tf.RaggedTensor.from_nested_row_splits(right, [[0, 1, 4], [0, 1, 2, 3, 4]])
        product = tf.matmul(rows, columns)
        total = tf.reduce_sum(product.flat_values * [1.0, 2.0])
    assert product.to_list() == [[[5.0]], [[65.0]]]
    gradients = tape.gradient(total, [left, right])
    assert [g.numpy().tolist() for g in gradients] == [[5, 12, 14, 16], [1, 4, 6, 8]]
