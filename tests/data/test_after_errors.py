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
    "ignored": (lambda: source().shuffle(3, seed=1).batch(2).prefetch(1).ignore_errors(),
                [[4, 0], [7, 2], [5, 8]]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_pass_goes_on_after_an_error(name):
    make, expected = CASES[name]
    assert outcomes(make()) == expected


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
