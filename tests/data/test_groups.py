"""Batches and groups: what the recorded pipelines do not ask."""

import pytest

import gradtape as tf

Dataset = tf.data.Dataset


def test_groups_of_an_endless_dataset_are_endless():
    """TensorFlow's answers, so that code which asks before it adds `repeat` does not do so here."""

    def grouped(dataset):
        return dataset.group_by_window(lambda x: x, lambda key, group: group.batch(2), 2)

    assert int(grouped(Dataset.range(4).repeat()).cardinality()) == tf.data.INFINITE_CARDINALITY
    assert int(grouped(Dataset.range(4)).cardinality()) == tf.data.UNKNOWN_CARDINALITY
    rows = Dataset.from_tensor_slices([[1, 2]]).repeat()
    buckets = rows.bucket_by_sequence_length(lambda x: tf.shape(x)[0], [3], [2, 2])
    assert int(buckets.cardinality()) == tf.data.INFINITE_CARDINALITY


def test_padded_batch_takes_no_windows():
    windows = Dataset.range(4).window(2).padded_batch(2)
    with pytest.raises(TypeError, match="only supported for datasets that produce tensor elements"):
        next(iter(windows))
    with pytest.raises(TypeError, match="only supported for datasets that produce tensor elements"):
        print(windows.element_spec)
