"""Ragged tensors in `tf.data`."""

from __future__ import annotations

import pytest

import gradtape as tf

Dataset = tf.data.Dataset
ROWS = [[1, 2, 3], [], [4, 5]]


def lists(dataset) -> list:
    return [x.to_list() if hasattr(x, "to_list") else x.numpy().tolist() for x in dataset]


def test_rows_of_a_ragged_tensor_and_batches_of_them():
    dataset = Dataset.from_tensor_slices(tf.ragged.constant(ROWS))
    assert repr(dataset.element_spec) == (
        "RaggedTensorSpec(TensorShape([None]), tf.int32, 0, tf.int64)"
    )
    assert lists(dataset) == ROWS
    assert all(tf.is_tensor(x) and not hasattr(x, "row_splits") for x in dataset)
    batches = dataset.batch(2)
    assert batches.element_spec == tf.RaggedTensorSpec([None, None], tf.int32)
    assert lists(batches) == [[[1, 2, 3], []], [[4, 5]]]
    assert lists(dataset.shuffle(3, seed=1).batch(3))[0] != []
    assert sorted(lists(dataset.shuffle(3, seed=1).batch(3))[0]) == sorted(ROWS)
    assert lists(dataset.filter(lambda x: tf.size(x) > 0).batch(2)) == [[[1, 2, 3], [4, 5]]]
    assert lists(batches.unbatch()) == ROWS
    assert lists(dataset.skip(1).take(2).repeat(2).batch(4)) == [[[], [4, 5], [], [4, 5]]]


def test_equal_rows_are_batched_ragged_too():
    dataset = Dataset.from_tensor_slices(tf.ragged.constant([[1, 2], [3, 4]]))
    (batch,) = dataset.filter(lambda x: True).batch(2)
    assert type(batch) is tf.RaggedTensor


def test_ragged_elements():
    deep = tf.ragged.constant([[[1, 2], [3]], [], [[4, 5, 6]]])
    dataset = Dataset.from_tensor_slices(deep)
    assert lists(dataset) == [[[1, 2], [3]], [], [[4, 5, 6]]]
    assert lists(dataset.map(lambda x: x + 1)) == [[[2, 3], [4]], [], [[5, 6, 7]]]
    mapped = dataset.map(lambda x: x + 1)
    assert mapped.element_spec.ragged_rank == 1
    assert lists(mapped.batch(2)) == [[[[2, 3], [4]], []], [[[5, 6, 7]]]]
    assert lists(mapped.batch(2).rebatch(3)) == [[[[2, 3], [4]], [], [[5, 6, 7]]]]
    with pytest.raises(TypeError, match=r"RaggedTensor\. Use batch"):
        list(mapped.padded_batch(2))


def test_components_beside_others():
    pairs = Dataset.from_tensor_slices((tf.ragged.constant(ROWS), [7, 8, 9]))
    (rows, numbers), _ = pairs.batch(2)
    assert rows.to_list() == [[1, 2, 3], []]
    assert numbers.numpy().tolist() == [7, 8]
    with pytest.raises(ValueError, match="same length"):
        Dataset.from_tensor_slices((tf.ragged.constant(ROWS), [7, 8]))


def test_ragged_batch():
    dataset = Dataset.from_tensor_slices([1, 0, 2, 3]).map(lambda n: tf.range(n))
    assert lists(dataset.ragged_batch(3)) == [[[0], [], [0, 1]], [[0, 1, 2]]]
    (only,) = dataset.ragged_batch(3, drop_remainder=True, row_splits_dtype=tf.int32)
    assert only.row_splits.dtype is tf.int32
    old = dataset.apply(tf.data.experimental.dense_to_ragged_batch(2))
    assert lists(old) == [[[0], []], [[0, 1], [0, 1, 2]]]


def test_ragged_batch_of_dense_and_inner_sizes():
    dense = Dataset.from_tensor_slices([[1, 2], [3, 4]]).ragged_batch(2)
    assert dense.element_spec == tf.TensorSpec([None, 2], tf.int32)
    assert lists(dense) == [[[1, 2], [3, 4]]]
    signature = tf.TensorSpec([None, 2], tf.float32)
    rows = Dataset.from_generator(
        lambda: iter([tf.ones([1, 2]), tf.ones([2, 2])]), output_signature=signature
    )
    spec = rows.ragged_batch(2).element_spec
    assert spec == tf.RaggedTensorSpec([None, None, 2], tf.float32, ragged_rank=1)
    (batch,) = rows.ragged_batch(2)
    assert batch.row_lengths().numpy().tolist() == [1, 2]


def test_generators_of_ragged_tensors():
    spec = tf.RaggedTensorSpec([None, None], tf.int32)
    made = Dataset.from_generator(
        lambda: iter([tf.ragged.constant([[1], [2, 3]])]), output_signature=spec
    )
    assert made.element_spec == spec
    assert lists(made) == [[[1], [2, 3]]]


def test_gradients_do_not_flow_through_a_pipeline():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = Dataset.from_tensor_slices(tf.RaggedTensor.from_row_lengths(x, [1, 2]))
        total = tf.add_n([tf.reduce_sum(row) for row in rows])
    assert tape.gradient(total, x) is None


def test_strings_split_in_a_pipeline():
    texts = Dataset.from_tensor_slices(["a b", "c", "d e f"])
    words = texts.batch(2).map(tf.strings.split)
    assert lists(words) == [[[b"a", b"b"], [b"c"]], [[b"d", b"e", b"f"]]]
