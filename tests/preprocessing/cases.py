"""Keras's preprocessing layers and utilities of datasets, whose results are those on TensorFlow.

Each case is a function of the module `tf` and of a folder. `tests/recorded/record.py` runs them
with TensorFlow and writes `recorded.json`; `test_recorded.py` beside it runs them with gradtape and
compares. Each layer of the table LAYERS is called in several places, which PLACES names.
"""

import os

import numpy as np

CASES = {}
VOCABULARY = ["earth", "wind", "and", "fire"]
SALT = [133, 137]


def case(function):
    assert function.__name__ not in CASES
    CASES[function.__name__] = lambda tf, position: function(tf)
    return function


def case_with_files(function):
    """A case that is given a folder to write to."""
    assert function.__name__ not in CASES
    CASES[function.__name__] = function
    return function


def plain(value):
    """A result as JSON can hold it: kind, dtype, shape and values as one text."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, dict):
        return {"dict": [[key, plain(value[key])] for key in sorted(value)]}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if hasattr(value, "element_spec") and hasattr(value, "__iter__"):
        return {"dataset": [plain(item) for item in value]}
    if hasattr(value, "dense_shape"):
        parts = (value.indices, value.values, value.dense_shape)
        return ["sparse", *map(plain, parts)]
    if hasattr(value, "flat_values"):
        return ["ragged", value.dtype.name, str(value.to_list())]
    array = np.asarray(value)
    dtype = "string" if array.dtype.kind in "OSU" else array.dtype.name
    return f"{dtype} {list(array.shape)} {texts(array.tolist())}"


def texts(value):
    """Nested lists of numbers as text; floats with the digits that no order of a sum changes."""
    if isinstance(value, list):
        return "[" + ", ".join(map(texts, value)) + "]"
    return f"{value:.4g}" if isinstance(value, float) else repr(value)


# --- layers ---------------------------------------------------------------------------------------


def inputs(tf):
    """What layers are called with."""
    return {
        "words": tf.constant([["earth", "fire"], ["michigan", "wind"], ["", "[UNK]"]]),
        "word": tf.constant([["earth"], ["michigan"], ["and"]]),
        "line": tf.constant(["wind", "and", "fire", "fire"]),
        "scalar": tf.constant("wind"),
        "ragged words": tf.ragged.constant([["earth", "fire", "fire"], ["michigan"], []]),
        "sparse words": tf.sparse.from_dense([["earth", ""], ["michigan", "wind"]]),
        "numbers": tf.constant([[12, 36], [1138, 42], [0, 7]], tf.int64),
        "small": tf.constant([[12, 36], [1138, 42]], tf.int32),
        "number": tf.constant([[12], [36], [7]], tf.int64),
        "ragged numbers": tf.ragged.constant([[12, 36, 36], [1138], []], dtype=tf.int64),
        "floats": tf.constant([[-1.5, 1.0], [3.4, 0.5], [0.0, 9.0]]),
        "column": tf.constant([[0.1], [2.0], [-3.0], [1.5]]),
        "codes": tf.constant([[0, 1], [0, 0], [1, 2], [3, 1]]),
        "code": tf.constant([[3], [2], [0]]),
        "sentences": tf.constant(
            ["The quick, brown fox!", "the  dog: quick?", "", "Größe é fox\tTHE the"]
        ),
        "sentence column": tf.constant([["A b c!"], ["b, c-d"]]),
    }


def lookup(**options):
    return lambda layers: layers.StringLookup(**{"vocabulary": VOCABULARY, **options})


def integer(**options):
    return lambda layers: layers.IntegerLookup(**{"vocabulary": [12, 36, 42], **options})


def vectorize(**options):
    known = {"vocabulary": ["the", "quick", "fox", "dog", "é"]}
    return lambda layers: layers.TextVectorization(**{**known, **options})


def hashing(**options):
    return lambda layers: layers.Hashing(**{"num_bins": 5, **options})


def discretize(**options):
    known = {"bin_boundaries": [0.0, 1.0, 2.0]}
    return lambda layers: layers.Discretization(**{**known, **options})


def encode(**options):
    return lambda layers: layers.CategoryEncoding(**{"num_tokens": 4, **options})


WEIGHTS = [0.25, 0.75, 0.6, 0.4]
# Name, layer, input, and the places other than a plain call.
LAYERS = [
    ("string_int", lookup(), "words", "map function model saved spec"),
    ("string_ragged", lookup(), "ragged words", "map function"),
    ("string_sparse", lookup(), "sparse words", ""),
    ("string_scalar", lookup(), "scalar", "function"),
    ("string_mask", lookup(mask_token=""), "words", "map model"),
    ("string_no_oov", lookup(num_oov_indices=0), "line", "map"),
    ("string_no_oov_found", lookup(num_oov_indices=0), "words", "map"),
    ("string_oov_buckets", lookup(num_oov_indices=3), "words", "map function"),
    ("string_oov_salted", lookup(num_oov_indices=3, salt=SALT), "words", "map"),
    ("string_one_hot", lookup(output_mode="one_hot"), "line", "map model spec"),
    ("string_one_hot_column", lookup(output_mode="one_hot"), "word", "map model spec"),
    ("string_one_hot_scalar", lookup(output_mode="one_hot"), "scalar", ""),
    ("string_multi_hot", lookup(output_mode="multi_hot"), "words", "map function model saved spec"),
    ("string_multi_hot_ragged", lookup(output_mode="multi_hot"), "ragged words", "map"),
    ("string_count", lookup(output_mode="count"), "words", "map model"),
    ("string_count_ragged", lookup(output_mode="count"), "ragged words", "map"),
    ("string_count_sparse", lookup(output_mode="count", sparse=True), "words", "map"),
    ("string_one_hot_sparse", lookup(output_mode="one_hot", sparse=True), "line", ""),
    ("string_multi_hot_sparse", lookup(output_mode="multi_hot", sparse=True), "words", "map"),
    (
        "string_padded",
        lookup(output_mode="multi_hot", max_tokens=8, pad_to_max_tokens=True),
        "words",
        "map model",
    ),
    ("string_tf_idf", lookup(output_mode="tf_idf", idf_weights=WEIGHTS), "words", "map saved"),
    ("integer_int", integer(), "numbers", "map function model saved spec"),
    ("integer_int32", integer(), "small", "map"),
    ("integer_ragged", integer(), "ragged numbers", "map"),
    ("integer_mask", integer(mask_token=0), "numbers", "map"),
    ("integer_buckets", integer(num_oov_indices=2), "numbers", "map"),
    ("integer_farmhash", integer(num_oov_indices=2, oov_method="farmhash"), "numbers", "map"),
    ("integer_multi_hot", integer(output_mode="multi_hot"), "numbers", "map model"),
    ("integer_count", integer(output_mode="count"), "numbers", "map"),
    ("integer_one_hot", integer(output_mode="one_hot"), "number", "map model spec"),
    ("integer_inverse", integer(invert=True), "code", "map"),
    ("string_inverse", lookup(invert=True), "codes", "map function"),
    ("string_inverse_mask", lookup(invert=True, mask_token=""), "codes", "map"),
    ("text_int", vectorize(), "sentences", "map function model saved spec"),
    ("text_column", vectorize(), "sentence column", "map model"),
    ("text_length", vectorize(output_sequence_length=3), "sentences", "map function model spec"),
    ("text_longer", vectorize(output_sequence_length=7), "sentences", "map"),
    ("text_unsplit", vectorize(split=None, standardize=None), "line", "map"),
    (
        "text_unsplit_length",
        vectorize(split=None, standardize=None, output_sequence_length=3),
        "words",
        "map",
    ),
    ("text_lower", vectorize(standardize="lower"), "sentences", ""),
    ("text_punctuation", vectorize(standardize="strip_punctuation"), "sentences", ""),
    ("text_raw", vectorize(standardize=None), "sentences", ""),
    ("text_characters", vectorize(split="character", vocabulary=list("theé ")), "sentences", "map"),
    ("text_ngrams", vectorize(ngrams=2, vocabulary=["the quick", "fox"]), "sentences", "map"),
    ("text_ngram_widths", vectorize(ngrams=(2,), vocabulary=["the quick"]), "sentences", ""),
    ("text_ragged", vectorize(ragged=True), "sentences", "map"),
    ("text_ragged_cut", vectorize(ragged=True, output_sequence_length=2), "sentences", "map"),
    ("text_multi_hot", vectorize(output_mode="multi_hot"), "sentences", "map model saved spec"),
    ("text_count", vectorize(output_mode="count"), "sentences", "map model"),
    ("text_count_sparse", vectorize(output_mode="count", sparse=True), "sentences", "map"),
    (
        "text_tf_idf",
        vectorize(output_mode="tf_idf", idf_weights=[0.5, 1.0, 1.5, 2.0, 2.5]),
        "sentences",
        "map saved",
    ),
    ("hashing_words", hashing(), "words", "map function model saved spec"),
    ("hashing_numbers", hashing(), "numbers", "map model"),
    ("hashing_floats", hashing(), "floats", "map"),
    ("hashing_salt", hashing(salt=SALT), "words", "map"),
    ("hashing_salt_number", hashing(salt=133), "numbers", ""),
    ("hashing_mask", hashing(mask_value=""), "words", "map"),
    ("hashing_ragged", hashing(), "ragged words", "map"),
    ("hashing_sparse", hashing(), "sparse words", ""),
    ("hashing_one_hot", hashing(output_mode="one_hot"), "word", "map model spec"),
    ("hashing_multi_hot", hashing(output_mode="multi_hot"), "words", "map model spec"),
    ("hashing_count", hashing(output_mode="count"), "words", "map"),
    ("hashing_int32", hashing(dtype="int32"), "numbers", ""),
    ("discretization_int", discretize(), "floats", "map function model saved spec"),
    ("discretization_one_hot", discretize(output_mode="one_hot"), "column", "map model spec"),
    ("discretization_multi_hot", discretize(output_mode="multi_hot"), "floats", "map model spec"),
    ("discretization_count", discretize(output_mode="count"), "floats", "map"),
    ("discretization_sparse", discretize(output_mode="multi_hot", sparse=True), "floats", ""),
    ("encoding_multi_hot", encode(), "codes", "map function model spec"),
    ("encoding_one_hot", encode(output_mode="one_hot"), "code", "map model spec"),
    ("encoding_one_hot_rows", encode(output_mode="one_hot"), "codes", "map model"),
    ("encoding_count", encode(output_mode="count"), "codes", "map model"),
    ("encoding_sparse", encode(sparse=True), "codes", ""),
    ("normalization", lambda layers: layers.Normalization(mean=1.0, variance=4.0), "floats", "map"),
    (
        "normalization_inverse",
        lambda layers: layers.Normalization(mean=[1.0, 2.0], variance=[4.0, 9.0], invert=True),
        "floats",
        "map function model saved",
    ),
    ("rescaling", lambda layers: layers.Rescaling(0.5, offset=1.0), "floats", "map function"),
]


def called(tf, layer, x, folder):
    return layer(x)


def mapped(tf, layer, x, folder):
    dataset = tf.data.Dataset.from_tensor_slices(x).batch(2).map(layer)
    return [dataset, str([getattr(dataset.element_spec, "shape", None)])]


def in_function(tf, layer, x, folder):
    return tf.function(layer)(x)


def model_of(tf, layer, x):
    model_input = tf.keras.Input(x.shape[1:], dtype=x.dtype.name)
    return tf.keras.Model(model_input, layer(model_input))


def in_model(tf, layer, x, folder):
    return model_of(tf, layer, x).predict(x, batch_size=2, verbose=0)


def saved(tf, layer, x, folder):
    path = os.path.join(folder, "model.keras")
    model_of(tf, layer, x).save(path)
    again = tf.keras.models.load_model(path)
    return [again.predict(x, verbose=0), sorted(again.layers[-1].get_config())]


def described(tf, layer, x, folder):
    output = layer(tf.keras.Input(x.shape[1:], dtype=x.dtype.name))
    return [list(output.shape), output.dtype]


POSITIONS = {
    "map": mapped,
    "function": in_function,
    "model": in_model,
    "saved": saved,
    "spec": described,
}


def layer_case(make, name, use):
    return lambda tf, folder: use(tf, make(tf.keras.layers), inputs(tf)[name], folder)


for _title, _make, _input, _positions in LAYERS:
    CASES[_title] = layer_case(_make, _input, called)
    for _position in _positions.split():
        CASES[f"{_title}_{_position}"] = layer_case(_make, _input, POSITIONS[_position])


# --- adapt ----------------------------------------------------------------------------------------

TOKENS = ["b", "a", "c", "a", "b", "a", "d", "é", ""]


def vocabularies(layer):
    return [layer.get_vocabulary(), layer.get_vocabulary(False), layer.vocabulary_size()]


@case
def adapted_to_array(tf):
    layer = tf.keras.layers.StringLookup()
    layer.adapt(np.array(TOKENS))
    return vocabularies(layer)


@case
def adapted_to_list_with_mask(tf):
    layer = tf.keras.layers.StringLookup(mask_token="", oov_token="?", num_oov_indices=2)
    layer.adapt(TOKENS)
    return [*vocabularies(layer), layer(["a", "x", ""])]


@case
def adapted_to_dataset(tf):
    layer = tf.keras.layers.StringLookup(max_tokens=4)
    layer.adapt(tf.data.Dataset.from_tensor_slices(TOKENS).batch(2))
    return vocabularies(layer)


@case
def adapted_to_steps(tf):
    layer = tf.keras.layers.StringLookup()
    layer.adapt(tf.data.Dataset.from_tensor_slices(TOKENS).batch(2).repeat(), steps=2)
    return vocabularies(layer)


@case
def adapted_to_ragged(tf):
    layer = tf.keras.layers.StringLookup()
    layer.adapt(tf.ragged.constant([["a", "b"], ["b"], [], ["c", "b"]]))
    return vocabularies(layer)


@case
def adapted_again(tf):
    layer = tf.keras.layers.StringLookup()
    layer.adapt(["a"])
    layer.adapt(["b", "c", "c"])
    return vocabularies(layer)


@case
def adapted_tf_idf(tf):
    layer = tf.keras.layers.StringLookup(output_mode="tf_idf")
    layer.adapt(tf.constant([["a", "b"], ["a", "a"], ["c", "a"]]))
    return [*vocabularies(layer), layer([["a", "c"], ["x", "b"]])]


@case
def adapted_tf_idf_padded(tf):
    layer = tf.keras.layers.StringLookup(output_mode="tf_idf", max_tokens=6, pad_to_max_tokens=True)
    layer.adapt(tf.data.Dataset.from_tensor_slices([["a", "b"], ["a", "a"]]).batch(1))
    return layer([["a", "c"], ["x", "b"]])


@case
def adapted_integers(tf):
    layer = tf.keras.layers.IntegerLookup(max_tokens=3, output_mode="count")
    layer.adapt(np.array([5, 7, 5, 9, 7, 5]))
    return [[int(token) for token in layer.get_vocabulary()], layer([[5, 7, 1], [5, 5, 9]])]


@case
def adapted_integers_dataset(tf):
    layer = tf.keras.layers.IntegerLookup()
    layer.adapt(tf.data.Dataset.from_tensor_slices([[5, 7], [5, 9]]).batch(2))
    return [[int(token) for token in layer.get_vocabulary()], layer([9, 5])]


@case
def adapted_text(tf):
    layer = tf.keras.layers.TextVectorization(max_tokens=5)
    layer.adapt(["The cat, the dog.", "A dog! a dog? A bird"])
    return [*vocabularies(layer), layer(["the bird and a dog"])]


@case
def adapted_text_ngrams_tf_idf(tf):
    layer = tf.keras.layers.TextVectorization(ngrams=2, output_mode="tf_idf")
    layer.adapt(tf.data.Dataset.from_tensor_slices(["x y", "y x y", "z"]).batch(2))
    return [*vocabularies(layer), layer(["x y x", "z q"])]


@case
def adapted_text_columns(tf):
    layer = tf.keras.layers.TextVectorization(output_mode="count", split="character")
    layer.adapt(np.array([["abca"], ["ab"]]))
    return [*vocabularies(layer), layer([["aab"], ["xyz"]])]


@case
def text_with_functions(tf):
    layer = tf.keras.layers.TextVectorization(
        standardize=lambda x: tf.strings.regex_replace(x, "[0-9]", ""),
        split=lambda x: tf.strings.split(x, sep="|"),
        vocabulary=["A", "b"],
    )
    dataset = tf.data.Dataset.from_tensor_slices(["A1|b2", "3b"]).batch(2).map(layer)
    return [layer(["A1|b2|c", "b"]), dataset]


@case_with_files
def vocabulary_file(tf, folder):
    path = os.path.join(folder, "words.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("wind\nearth\nfire\n")
    layers = tf.keras.layers
    forward, inverse = (
        layers.StringLookup(vocabulary=path),
        layers.StringLookup(vocabulary=path, invert=True),
    )
    text = layers.TextVectorization(vocabulary=path)
    return [
        forward(["fire", "wind", "x"]),
        inverse([[1, 3, 0]]),
        text(["fire wind sea"]),
        *vocabularies(text),
    ]


@case_with_files
def integer_vocabulary_file(tf, folder):
    path = os.path.join(folder, "numbers.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("7\n12\n")
    layer = tf.keras.layers.IntegerLookup(vocabulary=path)
    return layer([12, 7, 1])


@case_with_files
def adapted_text_saved(tf, folder):
    layer = tf.keras.layers.TextVectorization(output_mode="tf_idf", max_tokens=6)
    layer.adapt(["one two two", "two three", "four"])
    model = tf.keras.Sequential([tf.keras.Input((1,), dtype="string"), layer])
    path = os.path.join(folder, "text.keras")
    model.save(path)
    again = tf.keras.models.load_model(path)
    return [again.layers[-1].get_vocabulary(), again(tf.constant([["two four six"]]))]


@case
def set_vocabulary_of_tensors(tf):
    layer = tf.keras.layers.StringLookup()
    layer.set_vocabulary(tf.constant(["x", "y"]))
    return [layer(["y", "z"]), vocabularies(layer)]


@case
def not_adapted(tf):
    return tf.keras.layers.StringLookup()(["a"])


@case
def not_adapted_multi_hot(tf):
    return tf.keras.layers.StringLookup(output_mode="multi_hot")([["a"]])


def refused(name, make):
    CASES[f"refused_{name}"] = lambda tf, position: make(tf.keras.layers)


refused("repeated", lookup(vocabulary=["a", "a"]))
refused("empty", lookup(vocabulary=[]))
refused("too_many", lookup(max_tokens=3))
refused("mask_inside", lookup(mask_token="wind"))
refused("inverse_multi_hot", lookup(invert=True, output_mode="multi_hot"))
refused("sparse_int", lookup(sparse=True))
refused("no_such_file", lookup(vocabulary="/no/such/file"))
refused("weights_missing", lookup(output_mode="tf_idf"))
refused("ragged_multi_hot", vectorize(ragged=True, output_mode="multi_hot"))
refused("ngrams", vectorize(ngrams="two"))
refused("bins", hashing(num_bins=0))
refused("wide_text", lambda layers: vectorize()(layers)(np.array([["a", "b"]])))
