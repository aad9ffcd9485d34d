"""A pass goes on after an error: `ignore_errors` loses one element, not all that follow.

The expected elements are TensorFlow's; "!" stands for an error.
"""

import pytest

import gradtape as tf

Dataset = tf.data.Dataset


def fails_at_3_and_6(x):
    wrong = (x == 3) | (x == 6)
    numbers = tf.where(wrong, float("nan"), tf.cast(x, tf.float32))
    return tf.cast(tf.debugging.check_numerics(numbers, "not a number"), tf.int64)


def source():
    return Dataset.range(9).map(fails_at_3_and_6)


def outcomes(dataset):
    result = []
    iterator = dataset.as_numpy_iterator()
    while True:
        try:
            element = next(iterator)
        except StopIteration:
            return result
        except tf.errors.InvalidArgumentError:
            element = "!"
        result.append(element.tolist() if hasattr(element, "tolist") else element)


ALL = [0, 1, 2, "!", 4, 5, "!", 7, 8]


def repeated(x):
    return Dataset.from_tensors(x).repeat(2)


NUMBERS = tf.constant([0, 1, 7, 0, 1], tf.int64)


def not_of_1(key):
    return tf.where(key == 1, tf.constant(0, tf.int64), 2)


CASES = {
    "prefetch": (lambda: source().prefetch(2), ALL),
    "parallel map": (lambda: source().map(lambda x: x, num_parallel_calls=2), ALL),
    "cache": (lambda: source().cache(), ALL),
    "unique": (lambda: source().unique(), ALL),
    "repeat": (lambda: source().repeat(2), ALL + ALL),
    "concatenate": (lambda: source().concatenate(source()), ALL + ALL),
    "take": (lambda: source().take(5), ALL[:6]),
    "shard 0": (lambda: source().shard(2, 0), [0, 2, "!", 5, "!", 8]),
    "shard 1": (lambda: source().shard(2, 1), [1, "!", 4, "!", 7]),
    "shuffle": (lambda: source().shuffle(3, seed=1), [1, "!", 4, 0, "!", 7, 2, 5, 8]),
    "scan": (lambda: source().scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s + x)),
             [0, 1, 3, "!", 7, 12, "!", 19, 27]),
    "zip": (lambda: Dataset.zip((source(), Dataset.range(9))),
            [x if x == "!" else (x, x) for x in ALL]),
    "flat_map": (lambda: source().flat_map(lambda x: Dataset.range(x, x + 2)),
                 [0, 1, 1, 2, 2, 3, "!", 4, 5, 5, 6, "!", 7, 8, 8, 9]),
    "function of flat_map": (
        lambda: Dataset.range(9).flat_map(lambda x: Dataset.from_tensors(fails_at_3_and_6(x))),
        ALL),
    "interleave": (lambda: source().interleave(repeated, cycle_length=2),
                   [0, 1, 0, 1, 2, "!", 4, 2, 4, 5, "!", 7, 5, 7, 8, 8]),
    "interleaved": (lambda: Dataset.range(2).interleave(lambda x: source(), cycle_length=2),
                    [0, 0, 1, 1, 2, 2, "!", 4, "!", 4, 5, 5, "!", 7, "!", 7, 8, 8]),
    "parallel interleave": (
        lambda: source().interleave(repeated, cycle_length=2, num_parallel_calls=2),
        [0, 1, 0, 1, 2, "!", 2, 4, 5, 4, 5, "!", 7, 7, 8, 8]),
    "interleaved in parallel": (
        lambda: Dataset.range(2).interleave(
            lambda x: source(), cycle_length=2, num_parallel_calls=2),
        [0, 0, 1, 1, 2, 2, "!", "!", 4, 4, 5, 5, "!", "!", 7, 7, 8, 8]),
    "batch": (lambda: source().prefetch(1).batch(2), [[0, 1], "!", [4, 5], "!", [7, 8]]),
    "batch of a map": (lambda: source().batch(2), [[0, 1], "!", [4, 5], "!", [8]]),
    "padded_batch": (lambda: source().padded_batch(2), [[0, 1], "!", [4, 5], "!", [7, 8]]),
    "unbatch": (lambda: source().map(lambda x: tf.stack([x, x + 1])).unbatch(),
                [0, 1, 1, 2, 2, 3, "!", 4, 5, 5, 6, "!", 7, 8, 8, 9]),
    "window": (lambda: source().window(2).flat_map(lambda w: w.batch(2)),
               [[0, 1], "!", [4, 5], "!", [8]]),
    "group_by_window": (
        lambda: source().group_by_window(
            lambda x: x % 2, lambda key, window: window.batch(2), window_size=2),
        [[0, 2], "!", [1, 5], "!", [4, 8], [7]]),
    "repeat of an unknown number": (
        lambda: source().filter(lambda x: True).shuffle(1).repeat(2).skip(1), ALL[1:] + ALL),
    "shard after an error": (
        lambda: Dataset.range(6).map(fails_at_3_and_6).skip(3).shard(2, 1), ["!", 5]),
    "rebatch": (
        lambda: source().prefetch(1).batch(3).rebatch(2), [[0, 1], "!", "!", [7, 8]]),
    "rebatch to several sizes": (
        lambda: source().prefetch(1).batch(2).rebatch([3, 1]), ["!", "!", [7, 8]]),
    "choose_from_datasets": (
        lambda: Dataset.choose_from_datasets(
            [Dataset.range(3), Dataset.range(5, 8)], Dataset.from_tensor_slices(NUMBERS)),
        [0, 5, "!", 1, 6]),
    "size of group_by_window": (
        lambda: Dataset.range(6).group_by_window(
            lambda x: x % 3, lambda key, window: window.batch(2), window_size_func=not_of_1),
        ["!", [0, 3], "!", [2, 5]]),
    "group_by_reducer": (
        lambda: source().apply(tf.data.experimental.group_by_reducer(
            lambda x: x % 2,
            tf.data.experimental.Reducer(lambda key: tf.constant(0, tf.int64),
                                         lambda s, x: s + x, lambda s: s))),
        ["!", "!", 14, 13]),
    "ignored": (lambda: source().shuffle(3, seed=1).batch(2).prefetch(1).ignore_errors(),
                [[4, 0], [7, 2], [5, 8]]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_pass_goes_on_after_an_error(name):
    make, expected = CASES[name]
    assert outcomes(make()) == expected


def test_a_cache_in_a_file_has_the_elements_without_error(tmp_path):
    dataset = source().cache(str(tmp_path / "kept"))
    assert outcomes(dataset) == ALL
    assert outcomes(dataset) == [x for x in ALL if x != "!"]


def records(path, *values, damaged=None):
    with tf.io.TFRecordWriter(str(path)) as writer:
        for value in values:
            writer.write(value)
    if damaged is not None:
        data = bytearray(path.read_bytes())
        data[data.index(damaged)] ^= 1
        path.write_bytes(data)
    return str(path)


def test_files_after_a_damaged_one_are_read(tmp_path):
    first = records(tmp_path / "first", b"ab", b"cd", b"ef", damaged=b"cd")
    second = records(tmp_path / "second", b"gh", b"ij")
    dataset = tf.data.TFRecordDataset([first, second])
    with pytest.raises(tf.errors.DataLossError):
        list(dataset)
    assert list(dataset.ignore_errors().as_numpy_iterator()) == [b"ab", b"gh", b"ij"]


def test_lines_after_one_that_is_no_record_are_read(tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text("1,2\nx,3\n4,5\n6\n7,8\n")
    dataset = tf.data.experimental.CsvDataset(str(path), [tf.int32, tf.int32])
    pairs = [(int(x), int(y)) for x, y in dataset.ignore_errors()]
    assert pairs == [(1, 2), (4, 5), (7, 8)]


def test_texts_in_csv_files_are_any_bytes(tmp_path):
    path = tmp_path / "latin.csv"
    path.write_bytes("é,2\n".encode("latin-1"))
    ((text, number),) = tf.data.experimental.CsvDataset(str(path), [tf.string, tf.int32])
    assert (text.numpy(), number.numpy()) == (b"\xe9", 2)


@pytest.mark.parametrize("kind", [RuntimeError, AssertionError, OSError, NotImplementedError])
def test_errors_of_all_kinds_are_ignored(kind):
    def fails(x):
        if x == 1:
            raise kind("bad")
        return x

    dataset = Dataset.range(4).map(lambda x: tf.numpy_function(fails, [x], tf.int64))
    assert [int(x) for x in dataset.ignore_errors()] == [0, 2, 3]


def test_mistakes_in_a_function_are_not_ignored():
    with pytest.raises(NameError, match="unknown_name"):
        list(Dataset.range(4).map(lambda x: unknown_name + x).ignore_errors())  # noqa: F821


@pytest.mark.parametrize(
    "step", [lambda x: x, lambda x: x.prefetch(2), lambda x: x.shuffle(1).repeat(2)]
)
def test_an_iterator_is_restored_behind_errors(step):
    iterator = step(source()).as_numpy_iterator()
    seen = []
    while len(seen) < 5:
        try:
            seen.append(int(next(iterator)))
        except tf.errors.InvalidArgumentError:
            seen.append("!")
    other = step(source()).as_numpy_iterator()
    other.restore(iterator.save())
    assert other.save() == iterator.save()
    assert seen == ALL[:5]
    assert int(next(other)) == 5


def test_an_iterator_is_restored_where_a_cache_has_lost_the_errors():
    iterator = source().cache().as_numpy_iterator()
    for expected in ([0, 1, 2], [4, 5]):
        assert [int(next(iterator)) for _ in expected] == expected
        with pytest.raises(tf.errors.InvalidArgumentError):
            next(iterator)
    state = iterator.save()
    assert [int(x) for x in iterator] == [7, 8]  # now the cache is complete
    iterator.restore(state)
    assert [int(x) for x in iterator] == [7, 8]


def ends(x):
    raise StopIteration("no more files")


@pytest.mark.parametrize(
    "dataset",
    [
        lambda: Dataset.range(3).map(lambda x: tf.numpy_function(ends, [x], tf.int64)),
        lambda: Dataset.range(3).map(lambda x: tf.py_function(ends, [x], tf.int64), 2),
        lambda: Dataset.range(3).filter(lambda x: tf.numpy_function(ends, [x], tf.bool)),
        lambda: Dataset.range(3).scan(0, lambda s, x: (s, tf.numpy_function(ends, [x], tf.int64))),
        lambda: Dataset.range(3).batch(2).map(lambda x: tf.numpy_function(ends, [x], tf.int64)),
    ],
)
def test_a_function_that_raises_stop_iteration_does_not_end_a_dataset(dataset):
    with pytest.raises(tf.errors.InvalidArgumentError, match="StopIteration: no more files"):
        list(dataset())
