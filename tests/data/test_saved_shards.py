"""Saved datasets in shards, and functions that read them. The orders are TensorFlow's."""

import pytest

import gradtape as tf

Dataset = tf.data.Dataset


def numbers(dataset):
    return [int(x) for x in dataset]


@pytest.fixture
def path(tmp_path):
    path = str(tmp_path / "saved")
    Dataset.range(10).save(path, shard_func=lambda x: x % 3)
    return path


def test_a_reader_function_gets_the_shards(path):
    def read(datasets):
        return datasets.shuffle(3, seed=1).flat_map(lambda shard: shard)

    assert numbers(Dataset.load(path, reader_func=read)) == [1, 4, 7, 2, 5, 8, 0, 3, 6, 9]


def test_without_a_reader_function_shards_are_read_in_turn(path):
    dataset = Dataset.load(path)
    assert numbers(dataset)[:3] in ([0, 3, 6], [0, 1, 3], [0, 1, 2])  # one, two or more cores
    assert sorted(numbers(dataset)) == list(range(10))
    assert dataset.element_spec == tf.TensorSpec((), tf.int64)


def test_a_dataset_without_shards_is_one(tmp_path):
    Dataset.range(4).save(str(tmp_path))

    def read(datasets):
        return datasets.flat_map(lambda shard: shard).map(lambda x: 2 * x)

    assert numbers(Dataset.load(str(tmp_path), reader_func=read)) == [0, 2, 4, 6]


def test_a_reader_function_must_return_a_dataset(path):
    with pytest.raises(TypeError, match=r"must return a `tf\.data\.Dataset` object"):
        Dataset.load(path, reader_func=lambda datasets: 1)


def test_the_number_of_saved_elements_is_known(path, tmp_path):
    assert len(Dataset.load(path)) == 10
    some = str(tmp_path / "some")
    Dataset.range(10).filter(lambda x: x > 2).save(some)
    assert len(Dataset.load(some)) == 7
