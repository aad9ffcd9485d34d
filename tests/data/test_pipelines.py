"""What recorded results cannot show: laziness, threads, errors, resuming, files."""

import gc
import threading
import time
import traceback
import types
import warnings

import numpy as np
import pytest

import gradtape as tf
from gradtape.data import threads as data_threads

Dataset = tf.data.Dataset


def values(dataset):
    return [x.item() if np.ndim(x) == 0 else x.tolist() for x in dataset.as_numpy_iterator()]


def threads_of_pipelines():
    """Those that run: other tests may have left an iterator in a cycle, and threads of others."""
    gc.collect()
    names = ("gradtape-map", "gradtape-prefetch")
    return [thread for thread in threading.enumerate() if thread.name.startswith(names)]


def wait_until(condition, seconds=600.0):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


# --- laziness ------------------------------------------------------------------------------------


def test_nothing_runs_before_it_is_asked_for():
    seen = []

    def note(x):
        seen.append(int(x))
        return x

    dataset = Dataset.range(10**12).map(note).repeat().batch(2)
    assert seen == []
    iterator = iter(dataset)
    assert seen == []
    next(iterator)
    assert seen == [0, 1]


def test_endless_generators_are_read_as_far_as_needed():
    def numbers():
        number = 0
        while True:
            yield number
            number += 1

    dataset = Dataset.from_generator(numbers, output_signature=tf.TensorSpec((), tf.int32))
    assert values(dataset.map(lambda x: x * 2).take(3)) == [0, 2, 4]


def test_a_generator_is_called_anew_in_each_pass():
    calls = []

    def generate():
        calls.append(1)
        yield 1

    dataset = Dataset.from_generator(generate, tf.int32)
    assert calls == []
    assert values(dataset) == values(dataset) == [1]
    assert len(calls) == 2


def test_batches_of_slices_are_views_of_the_array():
    dataset = Dataset.from_tensor_slices(np.arange(12.0).reshape(6, 2))
    whole = next(iter(dataset.batch(6)))._data
    part = next(iter(dataset.batch(2)))._data
    assert np.shares_memory(whole, part)


def test_changing_the_array_afterwards_does_not_change_the_dataset():
    array = np.arange(4)
    dataset = Dataset.from_tensor_slices(array).batch(4)
    array[:] = 9
    assert values(dataset) == [[0, 1, 2, 3]]


def test_shuffling_keeps_no_more_than_its_buffer():
    read = []

    def generate():
        for i in range(100):
            read.append(i)
            yield i

    iterator = iter(Dataset.from_generator(generate, tf.int32).shuffle(10, seed=1))
    next(iterator)
    assert len(read) == 10
    next(iterator)
    assert len(read) == 11


# --- threads -------------------------------------------------------------------------------------


def test_prefetching_stays_within_its_buffer():
    read = []

    def generate():
        for i in range(100):
            read.append(i)
            yield i

    iterator = iter(Dataset.from_generator(generate, tf.int32).prefetch(3))
    assert int(next(iterator)) == 0
    assert wait_until(lambda: len(read) == 5)  # one given out, three kept, one in hand
    time.sleep(0.05)
    assert len(read) == 5


def test_dropping_an_iterator_ends_its_threads():
    iterator = iter(Dataset.range(1000).map(lambda x: x, num_parallel_calls=3).prefetch(2))
    next(iterator)
    assert threads_of_pipelines()
    del iterator
    gc.collect()
    assert wait_until(lambda: not threads_of_pipelines())


def test_threads_end_with_the_data():
    dataset = Dataset.range(20).map(lambda x: x + 1, num_parallel_calls=2).prefetch(2)
    assert values(dataset) == list(range(1, 21))
    assert wait_until(lambda: not threads_of_pipelines())


def test_calls_really_overlap():
    barrier = threading.Barrier(4, timeout=600)

    def meet(x):
        barrier.wait()
        return x

    assert values(Dataset.range(8).map(meet, num_parallel_calls=4)) == list(range(8))


def test_automatic_parallelism_uses_threads_for_slow_calls_only(monkeypatch):
    clock = [0.0]  # by which calls are timed: the machine's load does not count
    timer = types.SimpleNamespace(perf_counter=lambda: clock[0])
    monkeypatch.setattr(data_threads, "time", timer)

    def workers(seconds):
        names = set()

        def work(x):
            names.add(threading.current_thread().name.rstrip("0123456789"))
            clock[0] += seconds
            return x

        result = values(Dataset.range(12).map(work, num_parallel_calls=tf.data.AUTOTUNE))
        assert result == list(range(12))
        return names

    assert workers(0) == {threading.current_thread().name}
    assert "gradtape-map_" in workers(0.002)


def test_order_stays_where_calls_take_different_times():
    def slow(x):
        time.sleep(0.02 if int(x) % 3 == 0 else 0)
        return x

    assert values(Dataset.range(12).map(slow, num_parallel_calls=4)) == list(range(12))


@pytest.mark.parametrize("parallel", [None, 2])
@pytest.mark.parametrize("prefetch", [False, True])
def test_an_error_in_map_shows_the_line_of_the_program(parallel, prefetch):
    def broken(x):
        if int(x) == 2:
            raise KeyError("the program's own error")  # this very line
        return x

    dataset = Dataset.range(5).map(broken, num_parallel_calls=parallel)
    dataset = dataset.prefetch(1) if prefetch else dataset
    iterator = iter(dataset)
    assert [int(next(iterator)) for _ in range(2)] == [0, 1]
    with pytest.raises(KeyError, match="own error") as caught:
        next(iterator)
    text = "".join(traceback.format_exception(caught.value))
    assert "# this very line" in text
    assert __file__.rsplit("/", 1)[-1] in text
    del iterator, caught
    gc.collect()
    assert wait_until(lambda: not threads_of_pipelines())


def test_an_error_of_an_op_in_map_names_the_op():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?i)reshape"):
        list(Dataset.range(3).map(lambda x: tf.reshape(x, [2])))


def test_prefetch_of_an_interleave_of_threads():
    def inner(x):
        return Dataset.range(3).map(lambda y: x * 10 + y)

    dataset = Dataset.range(4).interleave(inner, 2, num_parallel_calls=2).prefetch(2)
    assert sorted(values(dataset)) == [10 * i + j for i in range(4) for j in range(3)]
    assert values(dataset) == values(Dataset.range(4).interleave(inner, 2))


# --- tapes ---------------------------------------------------------------------------------------


def test_a_pipeline_is_not_recorded():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        (row,) = iter(Dataset.from_tensors(x).map(lambda y: y * 2))
        loss = tf.reduce_sum(row * x)
    assert tape.gradient(loss, x).numpy().tolist() == [2.0, 4.0]


def test_a_tape_in_a_map_function_works():
    def derivative(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x**3
        return tape.gradient(y, x)

    dataset = Dataset.from_tensor_slices([1.0, 2.0])
    assert values(dataset.map(derivative)) == [3.0, 12.0]
    assert values(dataset.map(derivative, num_parallel_calls=2)) == [3.0, 12.0]


def test_a_loop_inside_a_tape():
    w = tf.Variable(2.0)
    dataset = Dataset.from_tensor_slices([1.0, 2.0, 3.0]).batch(2).prefetch(1)
    with tf.GradientTape() as tape:
        loss = tf.add_n([tf.reduce_sum(w * x) for x in dataset])
    assert float(tape.gradient(loss, w)) == 6.0


# --- specs ---------------------------------------------------------------------------------------


def test_asking_for_the_spec_draws_no_random_numbers():
    def noisy(x):
        return tf.cast(x, tf.float32) + tf.random.normal([])

    tf.random.set_seed(1)
    expected = tf.random.normal([]).numpy()
    tf.random.set_seed(1)
    assert Dataset.range(3).map(noisy).element_spec == tf.TensorSpec((), tf.float32)
    assert tf.random.normal([]).numpy() == expected


def test_the_spec_of_a_function_that_cannot_work_on_zeros():
    def picky(x):
        assert int(x) > 0
        return tf.fill([int(x)], 1.0)

    dataset = Dataset.range(4, 6).map(picky)
    assert dataset.element_spec == tf.TensorSpec((4,), tf.float32)
    assert [len(x) for x in dataset] == [4, 5]


def test_a_function_that_is_no_dataset():
    with pytest.raises(TypeError, match="must return a `Dataset`"):
        list(Dataset.range(2).flat_map(lambda x: x))


# --- resuming ------------------------------------------------------------------------------------

PIPELINES = {
    "slices": lambda: Dataset.from_tensor_slices(np.arange(30)),
    "shuffle": lambda: Dataset.range(30).shuffle(7, seed=3),
    "shuffle, repeat": lambda: Dataset.range(9).shuffle(20).repeat(4),
    "repeat, shuffle": lambda: Dataset.range(9).repeat(4).shuffle(5),
    "batches": lambda: Dataset.range(100).shuffle(10).batch(3).map(lambda x: x * 2).prefetch(2),
    "filter": lambda: Dataset.range(90).shuffle(9).filter(lambda x: x % 3 == 0),
    "flat": lambda: Dataset.range(9).flat_map(lambda x: Dataset.range(4)),
    "zip": lambda: Dataset.zip(Dataset.range(30), Dataset.range(30).shuffle(4)).map(lambda a, b: b),
    "scan": lambda: Dataset.range(30).scan(np.int64(0), lambda s, x: (s + x, s + x)),
    "parallel": lambda: Dataset.range(30).shuffle(5).map(lambda x: x + 1, num_parallel_calls=2),
    "take, skip": lambda: Dataset.range(50).skip(5).take(30).shard(2, 1),
    "concatenate": lambda: Dataset.range(8).concatenate(Dataset.range(30).shuffle(30)),
    "cache": lambda: Dataset.range(30).shuffle(5, reshuffle_each_iteration=False).cache(),
    "mixture": lambda: Dataset.sample_from_datasets(
        [Dataset.range(20), Dataset.range(100, 120).shuffle(4)], [0.3, 0.7], seed=1
    ),
    "windows": lambda: (
        Dataset.range(40).window(4, 2).flat_map(lambda w: w.batch(4)).map(lambda x: x[0])
    ),
    "endless": lambda: Dataset.range(4).shuffle(4).repeat().map(lambda x: x).repeat().take(40),
}


@pytest.mark.parametrize("name", PIPELINES)
@pytest.mark.parametrize("position", [0, 1, 13])
def test_an_iterator_is_resumed_where_it_was(name, position):
    tf.random.set_seed(11)
    dataset = PIPELINES[name]()
    iterator = iter(dataset)
    taken = [next(iterator).numpy() for _ in range(position)]
    state = iterator._checkpoint_state()
    rest = [x.numpy().tolist() for x in iterator]
    assert len(taken) + len(rest) > 13
    tf.random.set_seed(5)  # another start: the seeds come from the state
    again = iter(PIPELINES[name]())
    again._restore_checkpoint_state(state)
    assert [x.numpy().tolist() for x in again] == rest


def test_resuming_calls_no_map_function_on_what_is_passed_over():
    seen = []

    def note(x):
        seen.append(int(x))
        return x

    dataset = Dataset.range(1000).map(note).batch(10)
    iterator = dataset.as_numpy_iterator()
    for _ in range(50):
        next(iterator)
    state = iterator.save()
    seen.clear()
    other = dataset.as_numpy_iterator()
    other.restore(state)
    assert next(other).tolist() == list(range(500, 510))
    assert seen == list(range(500, 510))


def test_a_state_of_another_dataset_is_refused():
    state = iter(Dataset.range(5).shuffle(5))._checkpoint_state()
    with pytest.raises(tf.errors.InvalidArgumentError, match="another dataset"):
        iter(Dataset.range(5))._restore_checkpoint_state(state)


# --- keeping -------------------------------------------------------------------------------------


def counted(calls):
    def note(x):
        calls.append(1)
        return x * 2

    return Dataset.range(5).map(note)


def test_memory_cache():
    calls = []
    dataset = counted(calls).cache()
    assert values(dataset) == values(dataset) == [0, 2, 4, 6, 8]
    assert len(calls) == 5


def test_memory_cache_that_was_not_read_to_its_end():
    calls = []
    dataset = counted(calls).cache()
    iterator = iter(dataset)
    next(iterator)
    next(iterator)
    with pytest.warns(UserWarning, match="not read to its end"):
        iterator = None  # dropped: nobody can read on
    assert values(dataset) == [0, 2, 4, 6, 8]
    assert len(calls) == 7


@pytest.mark.parametrize("others", [5, 3, 8])
def test_a_cache_beside_another_dataset_is_complete(others):
    """As in TensorFlow: what stands behind the dataset that ends is asked once more."""
    calls = []
    dataset = Dataset.zip((Dataset.range(others), counted(calls).cache()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one that was not read to its end
        assert list(dataset.as_numpy_iterator()) == list(dataset.as_numpy_iterator())
    assert len(calls) == {5: 5, 3: 8, 8: 5}[others]


def test_file_cache(tmp_path):
    calls = []
    path = str(tmp_path / "cache")

    def structures(x):
        return {"x": x, "pair": (tf.cast(x, tf.float32), tf.constant("text"))}

    dataset = counted(calls).map(structures).cache(path)
    first = list(dataset)
    again = list(counted(calls).map(structures).cache(path))
    assert len(calls) == 5
    assert str(first) == str(again)


def test_a_file_cache_appears_only_when_it_is_complete(tmp_path):
    dataset = Dataset.range(5).cache(str(tmp_path / "cache"))
    iterator = iter(dataset)
    next(iterator)
    del iterator
    gc.collect()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damage", ["cut", "changed", "not a cache"])
def test_a_damaged_file_cache_is_noticed(tmp_path, damage):
    path = tmp_path / "cache.elements"
    list(Dataset.range(5).batch(2).cache(str(tmp_path / "cache")))
    data = bytearray(path.read_bytes())
    if damage == "cut":
        del data[-30:]
    elif damage == "changed":
        data[len(data) // 2] ^= 1
    else:
        data = bytearray(b"something else entirely")
    path.write_bytes(data)
    with pytest.raises(tf.errors.DataLossError):
        list(Dataset.range(5).batch(2).cache(str(tmp_path / "cache")))


def test_save_and_load(tmp_path):
    dataset = Dataset.from_tensor_slices(({"a": [1, 2, 3]}, ["x", "yy", ""])).batch(2)
    dataset.save(str(tmp_path))
    result = Dataset.load(str(tmp_path))
    assert str(list(result)) == str(list(dataset))
    assert result.element_spec == dataset.element_spec
    assert len(result) == 2
    with pytest.raises(tf.errors.NotFoundError):
        Dataset.load(str(tmp_path / "none"))


def test_lines_of_text(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"one\ntwo\r\n\nthree")
    (tmp_path / "b.txt").write_bytes(b"four\n")
    names = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    dataset = tf.data.TextLineDataset(names)
    assert list(dataset.as_numpy_iterator()) == [b"one", b"two", b"", b"three", b"four"]
    files = Dataset.list_files(str(tmp_path / "*.txt"), shuffle=False)
    assert list(files.as_numpy_iterator()) == [name.encode() for name in names]
    lengths = files.interleave(tf.data.TextLineDataset, cycle_length=2)
    assert len(list(lengths)) == 5
    with pytest.raises(tf.errors.NotFoundError):
        list(tf.data.TextLineDataset(str(tmp_path / "none")))
    with pytest.raises(tf.errors.InvalidArgumentError, match="No files matched"):
        Dataset.list_files(str(tmp_path / "*.none"))


# --- arguments -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda d: d.batch(0), tf.errors.InvalidArgumentError, "batch_size must be greater"),
        (lambda d: d.batch(2.5), TypeError, "batch_size must be an integer"),
        (lambda d: d.window(0), tf.errors.InvalidArgumentError, "Window size must be greater"),
        (lambda d: d.shard(0, 0), tf.errors.InvalidArgumentError, "Number of shards"),
        (lambda d: d.prefetch(-5), tf.errors.InvalidArgumentError, "buffer_size must be >= 0"),
        (lambda d: d.concatenate([1]), TypeError, "must be a `tf.data.Dataset`"),
        (
            lambda d: d.map(lambda x: x, num_parallel_calls=0),
            tf.errors.InvalidArgumentError,
            "num_parallel_calls must be greater",
        ),
        (lambda d: d.interleave(lambda x: d, 0), tf.errors.InvalidArgumentError, "cycle_length"),
        (lambda d: d.interleave(lambda x: d, 1, 0), tf.errors.InvalidArgumentError, "block_length"),
        (lambda d: d.group_by_window(None, None), ValueError, "window_size"),
        (lambda d: d.ragged_batch(0), tf.errors.InvalidArgumentError, "batch_size must be"),
        (lambda d: Dataset(3), TypeError, "from_tensor_slices"),
        (lambda d: Dataset.range(), ValueError, "between 1 and 3"),
        (lambda d: Dataset.range(1, 2, 0), tf.errors.InvalidArgumentError, "non-zero"),
        (lambda d: Dataset.from_generator(3, tf.int32), TypeError, "callable"),
        (lambda d: Dataset.zip(), TypeError, "at least one"),
        (lambda d: Dataset.sample_from_datasets([d, d], [0.5]), ValueError, "same length"),
        (
            lambda d: Dataset.choose_from_datasets([d], Dataset.from_tensors(1.5)),
            TypeError,
            "scalar `tf.int64`",
        ),
        (lambda d: Dataset.from_tensor_slices(()), ValueError, "should not be empty"),
        (
            lambda d: list(d.map(lambda x: tf.fill([x], x)).batch(3)),
            tf.errors.InvalidArgumentError,
            "different shapes in component 0.*Use padded_batch",
        ),
        (lambda d: list(d.window(2).batch(2)), TypeError, "flat_map"),
    ],
)
def test_wrong_arguments(make, error, text):
    with pytest.raises(error, match=text):
        make(Dataset.range(4))
