"""Sparse tensors as components of datasets. The values are TensorFlow 2.21's."""

import numpy as np
import pytest

import gradtape as tf

Dataset = tf.data.Dataset
ROWS = [([[1], [2]], [1.0, 2.0], [4]), ([], [], [4]), ([[0]], [3.0], [4])]
PAIRS = [([[0, 1], [0, 2]], [1.0, 2.0], [2, 4]), ([[0, 0]], [3.0], [1, 4])]
WHOLE = ([[0, 1], [0, 2], [2, 0]], [1.0, 2.0, 3.0], [3, 4])


def sparse():
    return tf.SparseTensor(*WHOLE)


def shown(element):
    """An element with the parts of sparse tensors and the values of others."""
    if isinstance(element, tuple):
        return tuple(map(shown, element))
    if isinstance(element, dict):
        return {key: shown(value) for key, value in element.items()}
    if isinstance(element, tf.SparseTensor):
        parts = (element.indices, element.values, element.dense_shape)
        return tuple(part.numpy().tolist() for part in parts)
    return element.numpy().tolist()


PIPELINES = {
    "slices": (lambda d: d, ROWS),
    "batch": (lambda d: d.batch(2), PAIRS),
    "unbatch": (lambda d: d.batch(3).unbatch(), ROWS),
    "rebatch": (lambda d: d.batch(1).rebatch(2), PAIRS),
    "rebatch to smaller": (lambda d: d.batch(3).rebatch(2), PAIRS),
    "map and batch": (lambda d: d.map(lambda s: s * 2.0).map(lambda s: s / 2.0).batch(2), PAIRS),
    "skip": (lambda d: d.skip(1).take(1), ROWS[1:2]),
    "shard": (lambda d: d.shard(2, 0), ROWS[::2]),
    "repeat": (lambda d: d.repeat(2), ROWS * 2),
    "cache": (lambda d: d.cache(), ROWS),
    "prefetch": (lambda d: d.prefetch(2), ROWS),
    "reversed batch": (
        lambda d: Dataset.zip((d, Dataset.range(3))).map(lambda s, i: s).batch(3),
        [WHOLE],
    ),
    "filter": (lambda d: d.filter(lambda s: tf.size(s.values) > 0), ROWS[::2]),
    "flat_map": (lambda d: Dataset.range(1).flat_map(lambda i: d), ROWS),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_pipelines(name):
    pipeline, expected = PIPELINES[name]
    assert [shown(x) for x in pipeline(Dataset.from_tensor_slices(sparse()))] == expected


def test_specs_and_cardinality():
    dataset = Dataset.from_tensor_slices(sparse())
    assert dataset.element_spec == tf.SparseTensorSpec([4], tf.float32)
    assert dataset.batch(2).element_spec == tf.SparseTensorSpec([None, 4], tf.float32)
    dropping = dataset.batch(2, drop_remainder=True)
    assert dropping.element_spec == tf.SparseTensorSpec([2, 4], tf.float32)
    assert int(dataset.cardinality()) == 3


def test_beside_other_components():
    pairs = Dataset.from_tensor_slices((sparse(), [1, 2, 3]))
    assert [shown(x) for x in pairs] == list(zip(ROWS, [1, 2, 3], strict=True))
    assert [shown(x) for x in pairs.batch(2)] == [(PAIRS[0], [1, 2]), (PAIRS[1], [3])]
    dense = pairs.map(lambda s, y: (tf.sparse.to_dense(s), y)).batch(3)
    rows = [[0.0, 1.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [3.0, 0.0, 0.0, 0.0]]
    assert [shown(x) for x in dense] == [(rows, [1, 2, 3])]
    named = Dataset.from_tensor_slices({"a": sparse(), "b": np.arange(3)})
    assert [shown(x) for x in named] == [{"a": r, "b": i} for i, r in enumerate(ROWS)]


def test_shuffled_batches_have_the_rows_of_their_other_components():
    pairs = Dataset.from_tensor_slices((sparse(), [0, 1, 2])).shuffle(3, seed=5).batch(3)
    dense = tf.sparse.to_dense(sparse()).numpy()
    for rows, numbers in pairs:
        np.testing.assert_array_equal(tf.sparse.to_dense(rows), dense[numbers.numpy()])


def test_other_ranks_and_dtypes():
    cubes = Dataset.from_tensor_slices(tf.SparseTensor([[0, 1, 1], [1, 0, 0]], [5, 6], [2, 2, 2]))
    assert [shown(x) for x in cubes] == [([[1, 1]], [5], [2, 2]), ([[0, 0]], [6], [2, 2])]
    assert [shown(x) for x in cubes.batch(2)] == [([[0, 1, 1], [1, 0, 0]], [5, 6], [2, 2, 2])]
    words = Dataset.from_tensor_slices(tf.SparseTensor([[0, 1], [1, 0]], ["a", "b"], [2, 2]))
    assert [shown(x) for x in words] == [([[1]], [b"a"], [2]), ([[0]], [b"b"], [2])]
    nothing = tf.SparseTensor(np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [2, 3])
    assert [shown(x) for x in Dataset.from_tensor_slices(nothing)] == [([], [], [3])] * 2


def test_as_numpy_gives_dense_arrays():
    rows = list(Dataset.from_tensor_slices(sparse()).as_numpy_iterator())
    np.testing.assert_array_equal(rows, tf.sparse.to_dense(sparse()))


@pytest.mark.parametrize(
    ("tensors", "error", "words"),
    [
        (lambda: tf.SparseTensor([[1]], [5], [4]), tf.errors.InvalidArgumentError, "rank: 1"),
        (
            lambda: tf.SparseTensor([[2, 0], [0, 1]], [5, 6], [3, 2]),
            tf.errors.InvalidArgumentError,
            r"indices\[1\] = \[0, 1\] is out of order.*tf.sparse.reorder",
        ),
        (lambda: (sparse(), [1, 2]), ValueError, "Dimensions 3 and 2 are not compatible"),
    ],
)
def test_what_cannot_be_sliced(tensors, error, words):
    with pytest.raises(error, match=words):
        Dataset.from_tensor_slices(tensors())


def test_sparse_rows_are_not_padded():
    with pytest.raises(TypeError, match=r"`padded_batch` is only supported.*Use batch"):
        list(Dataset.from_tensor_slices(sparse()).padded_batch(2))
