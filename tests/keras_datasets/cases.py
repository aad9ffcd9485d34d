"""Keras's utilities that make datasets, layers that adapt to them, and FeatureSpace.

Recorded and compared as the cases of `tests/preprocessing`, whose `plain` they share.
"""

import importlib.util
import os
import pathlib

import numpy as np


def _shared():
    path = pathlib.Path(__file__).parents[1] / "preprocessing" / "cases.py"
    spec = importlib.util.spec_from_file_location("preprocessing_cases", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


shared = _shared()
shared.CASES.clear()
CASES, plain = shared.CASES, shared.plain
case, case_with_files = shared.case, shared.case_with_files


# --- datasets from folders and arrays -------------------------------------------------------------


def write_texts(folder):
    for label, count in (("alpha", 3), ("beta", 4)):
        os.makedirs(os.path.join(folder, label))
        for number in range(count):
            path = os.path.join(folder, label, f"text_{number}.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"{label} {'é' * number} {number}")


def texts(tf, folder, **options):
    write_texts(folder)
    return tf.keras.utils.text_dataset_from_directory(
        folder, **{"batch_size": 3, "shuffle": False, "verbose": False, **options}
    )


@case_with_files
def texts_int(tf, folder):
    dataset = texts(tf, folder)
    return [dataset, dataset.class_names, str(dataset.element_spec)]


@case_with_files
def texts_binary(tf, folder):
    return texts(tf, folder, label_mode="binary")


@case_with_files
def texts_categorical(tf, folder):
    return texts(tf, folder, label_mode="categorical", class_names=["beta", "alpha"])


@case_with_files
def texts_without_labels(tf, folder):
    return texts(tf, folder, label_mode=None)


@case_with_files
def texts_shuffled(tf, folder):
    dataset = texts(tf, folder, shuffle=True, seed=11)
    return [list(dataset), list(dataset)]


@case_with_files
def texts_both_subsets(tf, folder):
    return list(texts(tf, folder, validation_split=0.3, subset="both", shuffle=True, seed=3))


@case_with_files
def texts_cut(tf, folder):
    return texts(tf, folder, max_length=6, batch_size=None)


@case_with_files
def texts_given_labels(tf, folder):
    return texts(tf, folder, labels=[6, 5, 4, 3, 2, 1, 0])


@case_with_files
def texts_wrong_mode(tf, folder):
    return texts(tf, folder, label_mode="other")


def write_images(tf, folder):
    rng = np.random.default_rng(1)
    for label, count in (("cats", 2), ("dogs", 3)):
        os.makedirs(os.path.join(folder, label))
        for number in range(count):
            pixels = rng.integers(0, 255, (6, 8, 3)).astype(np.uint8)
            path = os.path.join(folder, label, f"{number}.png")
            with open(path, "wb") as file:
                file.write(tf.io.encode_png(pixels).numpy())


def images(tf, folder, **options):
    write_images(tf, folder)
    known = {"image_size": (3, 4), "batch_size": 2, "shuffle": False, "verbose": False}
    return tf.keras.utils.image_dataset_from_directory(folder, **{**known, **options})


@case_with_files
def images_int(tf, folder):
    dataset = images(tf, folder)
    return [dataset, dataset.class_names, str(dataset.element_spec)]


@case_with_files
def images_grayscale(tf, folder):
    return images(tf, folder, color_mode="grayscale", label_mode="binary")


@case_with_files
def images_cropped(tf, folder):
    return images(tf, folder, image_size=(3, 3), crop_to_aspect_ratio=True)


@case_with_files
def images_padded(tf, folder):
    return images(tf, folder, image_size=(4, 4), pad_to_aspect_ratio=True)


@case_with_files
def images_channels_first(tf, folder):
    return images(tf, folder, data_format="channels_first", label_mode=None)


@case_with_files
def images_shuffled(tf, folder):
    dataset = images(tf, folder, shuffle=True, seed=5, validation_split=0.4, subset="training")
    return [labels for _, labels in dataset]


def write_sounds(tf, folder):
    for label, length in (("high", 6), ("low", 9)):
        os.makedirs(os.path.join(folder, label))
        for number in range(2):
            wave = np.linspace(-0.5, 0.5, length + number)[:, None].astype(np.float32)
            path = os.path.join(folder, label, f"{number}.wav")
            with open(path, "wb") as file:
                file.write(tf.audio.encode_wav(wave, 100).numpy())


def sounds(tf, folder, **options):
    write_sounds(tf, folder)
    known = {"batch_size": 2, "shuffle": False, "verbose": False}
    return tf.keras.utils.audio_dataset_from_directory(folder, **{**known, **options})


@case_with_files
def sounds_of_one_length(tf, folder):
    dataset = sounds(tf, folder, output_sequence_length=8)
    return [dataset, dataset.class_names]


@case_with_files
def sounds_padded(tf, folder):
    return sounds(tf, folder, label_mode="categorical")


@case_with_files
def sounds_ragged(tf, folder):
    return sounds(tf, folder, ragged=True)


def windows(tf, **options):
    data = np.arange(12).reshape(6, 2).astype(np.float32)
    return tf.keras.utils.timeseries_dataset_from_array(
        **{"data": data, "targets": np.arange(6) * 10, "sequence_length": 3, **options}
    )


@case
def windows_plain(tf):
    return windows(tf, batch_size=2)


@case
def windows_strided(tf):
    return windows(tf, sequence_stride=2, sampling_rate=2, sequence_length=2, targets=None)


@case
def windows_shuffled(tf):
    return windows(tf, shuffle=True, seed=9, batch_size=None, start_index=1, end_index=5)


@case
def split_arrays(tf):
    x, y = np.arange(10).reshape(5, 2), np.arange(5)
    left, right = tf.keras.utils.split_dataset((x, y), left_size=0.6)
    return [left, right, int(left.cardinality())]


@case
def split_batches(tf):
    dataset = tf.data.Dataset.from_tensor_slices({"a": np.arange(6), "b": np.ones((6, 2))})
    left, right = tf.keras.utils.split_dataset(dataset.batch(2), left_size=4)
    return [left, right]


@case
def split_shuffled(tf):
    dataset = tf.data.Dataset.range(8)
    left, right = tf.keras.utils.split_dataset(dataset, right_size=2, shuffle=True, seed=4)
    return [left, right]


@case
def split_nothing(tf):
    return tf.keras.utils.split_dataset(5, left_size=0.5)


@case
def padded_sequences(tf):
    pad = tf.keras.utils.pad_sequences
    rows = [[1], [2, 3], [4, 5, 6]]
    return [
        pad(rows),
        pad(rows, maxlen=2, padding="post", truncating="post", value=9),
        pad([[0.5], [1.5, 2.5]], dtype="float32"),
    ]


@case
def categorical(tf):
    utils = tf.keras.utils
    return [
        utils.to_categorical([0, 2, 1]),
        utils.to_categorical(tf.constant([[1], [3]]), num_classes=5),
        utils.normalize(np.array([[3.0, 4.0]])),
    ]


# --- layers that adapt ----------------------------------------------------------------------------

NUMBERS = np.array([[1.0, 10.0], [3.0, 30.0], [5.0, 20.0], [7.0, 0.0]], np.float32)


@case
def normalized_array(tf):
    layer = tf.keras.layers.Normalization()
    layer.adapt(NUMBERS)
    return [layer(NUMBERS), layer.mean, layer.variance]


@case
def normalized_dataset(tf):
    layer = tf.keras.layers.Normalization()
    dataset = tf.data.Dataset.from_tensor_slices(NUMBERS).batch(3)
    layer.adapt(dataset)
    return [layer(NUMBERS), dataset.map(layer)]


@case
def normalized_scalars(tf):
    layer = tf.keras.layers.Normalization(axis=None)
    layer.adapt(tf.data.Dataset.from_tensor_slices(NUMBERS[:, 0]))
    return layer(NUMBERS[:, :1])


@case
def discretized_dataset(tf):
    layer = tf.keras.layers.Discretization(num_bins=3)
    layer.adapt(tf.data.Dataset.from_tensor_slices(NUMBERS[:, :1]).batch(2))
    return [layer(NUMBERS), tf.data.Dataset.from_tensors(NUMBERS).map(layer)]


def crossing(tf, layer, *columns):
    dataset = tf.data.Dataset.from_tensor_slices(columns).batch(2)
    return [layer(columns), dataset.map(lambda *row: layer(row))]


@case
def crossed(tf):
    layer = tf.keras.layers.HashedCrossing(num_bins=5)
    return crossing(tf, layer, np.array(["A", "B", "A", "C"]), np.array([101, 101, 102, 7]))


@case
def crossed_columns(tf):
    layer = tf.keras.layers.HashedCrossing(num_bins=7)
    return crossing(tf, layer, np.array([["A"], ["B"]]), np.array([["x"], ["y"]]))


@case
def crossed_one_hot(tf):
    layer = tf.keras.layers.HashedCrossing(num_bins=4, output_mode="one_hot")
    return crossing(tf, layer, np.array([1, 2, 3]), np.array([4, 5, 6]))


@case
def crossed_one_hot_sparse(tf):
    layer = tf.keras.layers.HashedCrossing(num_bins=4, output_mode="one_hot", sparse=True)
    return layer((tf.constant([["A"], ["B"]]), tf.constant([["x"], ["y"]])))


@case
def crossed_scalars(tf):
    layer = tf.keras.layers.HashedCrossing(num_bins=5)
    return layer((tf.constant("A"), tf.constant(3)))


@case
def crossed_floats(tf):
    return tf.keras.layers.HashedCrossing(num_bins=5)((np.ones((2, 1)), np.ones((2, 1))))


@case
def crossed_alone(tf):
    return tf.keras.layers.HashedCrossing(num_bins=5)([np.array(["A"])])


def features(tf):
    words = tf.constant([["a", "b"], ["c", "d"]])
    rows = tf.sparse.SparseTensor([[0, 0], [1, 0], [1, 1]], ["x", "y", "z"], [2, 2])
    return [words, rows, tf.constant([[7], [8]])]


@case
def sparse_cross(tf):
    words, rows, numbers = features(tf)
    return [
        tf.sparse.cross([words, rows]),
        tf.sparse.cross([rows, numbers], separator="-"),
        tf.sparse.cross([words, numbers, rows], separator=""),
    ]


@case
def sparse_cross_hashed(tf):
    words, rows, numbers = features(tf)
    return [
        tf.sparse.cross_hashed([words, rows]),
        tf.sparse.cross_hashed([rows, numbers], num_buckets=100),
        tf.sparse.cross_hashed([words, words], num_buckets=100, hash_key=956888297470),
    ]


@case
def sparse_cross_of_floats(tf):
    return tf.sparse.cross([tf.constant([[1.0]]), tf.constant([["a"]])])


@case
def sparse_cross_of_ragged(tf):
    return tf.sparse.cross([tf.ragged.constant([["a"]]), tf.constant([["a"]])])


@case
def sparse_cross_of_vectors(tf):
    return tf.sparse.cross([tf.constant(["a"]), tf.constant(["a"])])


@case
def sparse_cross_of_batches(tf):
    return tf.sparse.cross([tf.constant([["a"]]), tf.constant([["a"], ["b"]])])


COLUMNS = {
    "kind": ["cat", "dog", "cat", "bird"],
    "note": ["a b", "b c c", "", "a"],
    "age": [3, 5, 3, 8],
    "code": [1, 2, 1, 4],
    "fee": [1.5, 20.0, 3.25, 8.0],
    "size": [0.1, 0.5, 0.9, 0.3],
}


def space(tf, **options):
    of = tf.keras.utils.FeatureSpace
    known = {
        "features": {
            "kind": "string_categorical",
            "note": of.string_hashed(num_bins=4),
            "age": "integer_categorical",
            "code": of.integer_hashed(num_bins=3),
            "fee": "float_normalized",
            "size": of.float_discretized(num_bins=2),
        },
        "crosses": [of.cross(("kind", "age"), 6)],
        "output_mode": "concat",
    }
    made = of(**{**known, **options})
    dataset = tf.data.Dataset.from_tensor_slices({name: COLUMNS[name] for name in made.features})
    made.adapt(dataset)
    return made, dataset


ONE = {"kind": "dog", "note": "b c c", "age": 3, "code": 9, "fee": 10.0, "size": 0.4}


@case
def feature_space(tf):
    made, dataset = space(tf)
    batch = next(iter(dataset.batch(4)))
    return [made(ONE), made(batch), dataset.batch(3).map(made), dataset.map(made)]


@case
def feature_space_dict(tf):
    made, dataset = space(tf, output_mode="dict")
    batch = next(iter(dataset.batch(2)))
    return [made(ONE), made(batch)]


@case
def feature_space_text(tf):
    of = tf.keras.utils.FeatureSpace
    text = tf.keras.layers.TextVectorization(output_mode="multi_hot")
    feature = of.feature(dtype="string", preprocessor=text, output_mode="int")
    features = {"note": feature, "fee": of.float_rescaled(0.5)}
    made, dataset = space(tf, features=features, crosses=None, output_mode="dict")
    return [made({"note": "a c x", "fee": 3.0}), made(next(iter(dataset.batch(3))))]


@case
def feature_space_model(tf):
    made, dataset = space(tf)
    tf.keras.utils.set_random_seed(1)
    output = tf.keras.layers.Dense(1)(made.get_encoded_features())
    model = tf.keras.Model(dict(made.get_inputs()), output)
    batches = dataset.batch(3).map(lambda x: {k: tf.expand_dims(x[k], -1) for k in sorted(x)})
    return [sorted(made.get_inputs()), list(model.predict(batches, verbose=0).shape)]


@case_with_files
def feature_space_saved(tf, folder):
    made, _ = space(tf)
    path = os.path.join(folder, "space.keras")
    made.save(path)
    return tf.keras.models.load_model(path)(ONE)


@case
def feature_space_of_lists(tf):
    made, _ = space(tf)
    made.adapt(COLUMNS)
    return made({name: values[:2] for name, values in COLUMNS.items()})
