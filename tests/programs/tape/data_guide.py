"""The guide to `tf.data`: making, batching, windows, shuffling, time series, random maps."""

import json

import numpy as np
import tensorflow as tf

result = {}


def note(name, dataset, count=None):
    items = (
        list(dataset.as_numpy_iterator())
        if count is None
        else list(dataset.take(count).as_numpy_iterator())
    )
    result[name] = [plain(item) for item in items]


def plain(item):
    if isinstance(item, dict):
        return {key: plain(value) for key, value in sorted(item.items())}
    if isinstance(item, (tuple, list)):
        return [plain(part) for part in item]
    if isinstance(item, bytes):
        return item.decode()
    return item.tolist() if hasattr(item, "tolist") else item


dataset = tf.data.Dataset.from_tensor_slices([8, 3, 0, 8, 2, 1])
note("elements", dataset)
result["sum"] = dataset.reduce(0, lambda state, value: state + value).numpy().item()
result["specs"] = [
    str(dataset.element_spec),
    str(tf.data.Dataset.zip((dataset, dataset.batch(2))).element_spec),
    str(tf.data.Dataset.from_tensors({"a": 1.5, "b": [1, 2]}).element_spec),
]


def count(stop):
    i = 0
    while i < stop:
        yield i
        i += 1


generated = tf.data.Dataset.from_generator(
    count, args=[25], output_types=tf.int32, output_shapes=()
)
note("generated", generated.repeat().batch(10), 4)


def series():
    for i in range(4):
        yield i, np.arange(i + 1, dtype=np.float32)


ragged = tf.data.Dataset.from_generator(
    series,
    output_signature=(
        tf.TensorSpec(shape=(), dtype=tf.int32),
        tf.TensorSpec(shape=(None,), dtype=tf.float32),
    ),
)
note("padded", ragged.padded_batch(2, padded_shapes=([], [None])))
note("padded_value", ragged.padded_batch(2, padding_values=(tf.constant(0), tf.constant(-1.0))))
numbers = tf.data.Dataset.range(100)
note("batched", numbers.batch(7, drop_remainder=True), 2)
note("zipped", tf.data.Dataset.zip((numbers, tf.data.Dataset.range(0, -100, -1))).batch(4), 2)
note("repeated_batches", numbers.take(10).repeat(2).batch(8))
tf.random.set_seed(11)
note("shuffled", numbers.shuffle(buffer_size=10, seed=3).batch(5), 3)
once = numbers.take(6).shuffle(6, seed=1, reshuffle_each_iteration=False)
result["kept_order"] = [plain(list(once.as_numpy_iterator())) for _ in range(2)]
again = numbers.take(6).shuffle(6, seed=1)
result["reshuffled"] = [plain(list(again.as_numpy_iterator())) for _ in range(2)]
note("enumerated", dataset.enumerate(start=5))
note("filtered", dataset.filter(lambda x: x > 2))
threes = tf.data.Dataset.range(1, 4)
note(
    "interleaved",
    threes.interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(4), 2, block_length=2),
)
note(
    "flat",
    tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]]).flat_map(
        tf.data.Dataset.from_tensor_slices
    ),
)
note("scanned", numbers.take(5).scan(np.int64(0), lambda s, x: (s + x, s + x)))
note("taken", numbers.take_while(lambda x: x < 4))
note("unique", dataset.unique())
note("sharded", numbers.shard(4, 1), 3)
result["cardinality"] = [
    int(numbers.cardinality()),
    int(numbers.batch(7).cardinality()),
    int(numbers.repeat().cardinality()),
    int(numbers.filter(lambda x: x > 3).cardinality()),
    len(numbers),
]

# --- time series
note("labels_by_shift", numbers.batch(10, drop_remainder=True).map(lambda b: (b[:-1], b[1:])), 1)
windows = numbers.window(5, shift=2)
note("windows", windows.flat_map(lambda w: w.batch(5, drop_remainder=True)), 3)


def make_window_dataset(ds, window_size=5, shift=1, stride=1):
    windows = ds.window(window_size, shift=shift, stride=stride)
    return windows.flat_map(lambda sub: sub.batch(window_size, drop_remainder=True))


note("strided", make_window_dataset(numbers, window_size=4, shift=8, stride=3), 2)
note(
    "grouped",
    numbers.take(10).group_by_window(
        key_func=lambda x: x % 2, reduce_func=lambda key, w: w.batch(10), window_size=3
    ),
)
note(
    "by_length",
    ragged.map(lambda i, x: x).bucket_by_sequence_length(
        lambda x: tf.shape(x)[0], bucket_boundaries=[3], bucket_batch_sizes=[2, 2]
    ),
)

# --- dictionaries, maps, random maps
table = tf.data.Dataset.from_tensor_slices({"x": np.arange(4.0), "y": ["a", "b", "c", "d"]})
note("table", table.map(lambda row: {**row, "z": row["x"] * 2}))
note(
    "sampled",
    tf.data.Dataset.sample_from_datasets(
        [tf.data.Dataset.from_tensors("a").repeat(), tf.data.Dataset.from_tensors("b").repeat()],
        weights=[0.5, 0.5],
        seed=5,
    ),
    8,
)
note(
    "chosen",
    tf.data.Dataset.choose_from_datasets(
        [tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)],
        tf.data.Dataset.range(2).repeat(3),
    ),
)
tf.random.set_seed(4)
noisy = tf.data.Dataset.range(3).map(lambda i: tf.random.uniform([]) + tf.cast(i, tf.float32))
result["noise"] = [plain(list(noisy.as_numpy_iterator())) for _ in range(2)]
note("noise_repeated", noisy.repeat(2))
flipped = tf.data.Dataset.from_tensor_slices(np.arange(12.0).reshape(3, 1, 4, 1)).map(
    tf.image.random_flip_left_right
)
note("flipped", flipped.map(lambda x: x[0, :, 0]))
note(
    "python",
    tf.data.Dataset.range(3).map(
        lambda x: tf.py_function(lambda v: v.numpy() ** 2 + 0.5, [x], tf.float32)
    ),
)
pipeline = (
    tf.data.Dataset.range(20)
    .cache()
    .shuffle(20, seed=2)
    .map(lambda x: x * 10, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(6)
    .prefetch(tf.data.AUTOTUNE)
)
result["pipeline"] = [[plain(batch.numpy()) for batch in pipeline] for _ in range(2)]
iterator = iter(numbers)
result["iterator"] = [next(iterator).numpy().item() for _ in range(3)]
result["optional"] = [
    bool(iterator.get_next_as_optional().has_value()),
    int(iterator.get_next()),
]
print(json.dumps(result))
