"""Ragged tensors given to Keras stay ragged, as on TensorFlow: rows keep their lengths."""

from __future__ import annotations

import importlib
import inspect

import numpy as np
import pytest

import gradtape as tf

keras = tf.keras
K = keras.ops
ROWS = [[1, 2, 3], [4], [], [5, 6]]


@pytest.fixture
def ids():
    return tf.ragged.constant(ROWS)


@pytest.fixture
def x():
    """Vectors in rows of 3, 1, 0 and 2."""
    values = tf.constant(np.linspace(-2, 3, 12).reshape(6, 2).astype("float32"))
    return tf.RaggedTensor.from_row_lengths(values, [3, 1, 0, 2])


def rows_of(x) -> list[np.ndarray]:
    return [row.numpy() for row in x]


def assert_rows(result, expected) -> None:
    """Compare a ragged tensor with an array for each row."""
    assert isinstance(result, tf.RaggedTensor)
    for row, wanted in zip(rows_of(result), expected, strict=True):
        np.testing.assert_allclose(row, wanted, rtol=1e-6, atol=1e-6)


# --- functions ------------------------------------------------------------------------------------

UNARY = """absolute exp negative sign sin square tanh isnan ones_like zeros_like relu sigmoid gelu
    silu softplus elu leaky_relu hard_tanh erf""".split()


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_each_element(x, name):
    function = getattr(K, name)
    assert_rows(function(x), [function(row).numpy() for row in x])


@pytest.mark.parametrize("name", "add subtract multiply maximum minimum greater not_equal".split())
def test_functions_of_each_pair(x, name):
    function = getattr(K, name)
    for other in (x * 2.0, 0.5, tf.constant([1.0, -1.0])):
        others = other if isinstance(other, tf.RaggedTensor) else [other] * 4
        expected = [function(row, b).numpy() for row, b in zip(x, others, strict=True)]
        assert_rows(function(x, other), expected)
    assert_rows(function(0.5, x), [function(0.5, row).numpy() for row in x])


def test_where_and_clip(x):
    assert_rows(K.where(x > 0, x, 0.0), [np.maximum(row, 0) for row in rows_of(x)])
    assert_rows(K.clip(x, -1.0, 1.0), [np.clip(row, -1, 1) for row in rows_of(x)])


@pytest.mark.parametrize("name", "sum mean max min prod var std logsumexp".split())
def test_reductions_of_rows_leave_out_what_is_not_there(x, name):
    function = getattr(K, name)
    result = function(x, axis=1).numpy()
    for i in (0, 1, 3):
        np.testing.assert_allclose(result[i], function(x[i], axis=0), rtol=1e-5)
    limits = np.finfo("float32")
    of_none = {"sum": 0, "max": limits.min, "min": limits.max, "prod": 1, "logsumexp": -np.inf}
    np.testing.assert_array_equal(result[2], of_none.get(name, np.nan))
    np.testing.assert_allclose(function(x), function(x.flat_values), rtol=1e-5)
    assert_rows(function(x, axis=-1), [function(row, axis=-1).numpy() for row in x])


def test_truth_of_rows(x):
    positive = x > 0
    of_rows = [[False, True], [True, True], [False, False], [True, True]]
    assert K.any(positive, axis=1).numpy().tolist() == of_rows
    assert K.all(positive, axis=1).numpy()[2].tolist() == [True, True]


def test_sums_have_kerass_dtypes():
    narrow = tf.cast(tf.ragged.constant(ROWS), tf.int8)
    assert K.sum(narrow, axis=1).numpy().tolist() == [6, 4, 0, 11]
    assert K.sum(narrow, axis=1).dtype == "int32"
    assert K.mean(narrow, axis=1).dtype == "float32"


def test_structure(x, ids):
    assert K.concatenate([ids, ids], axis=1).to_list() == [row * 2 for row in ROWS]
    assert K.stack([ids, ids]).to_list() == [ROWS, ROWS]
    assert K.expand_dims(ids, -1).to_list() == [[[i] for i in row] for row in ROWS]
    assert K.squeeze(K.expand_dims(ids, -1), -1).to_list() == ROWS
    assert K.reshape(x, (-1, 2)).shape == (6, 2)
    assert (K.ndim(x), int(K.size(x))) == (3, 12)
    assert K.shape(x)[1] is None
    assert_rows(K.matmul(x, tf.ones([2, 3])), [row @ np.ones((2, 3)) for row in rows_of(x)])


def test_lookups(ids):
    table = tf.constant(np.arange(14.0, dtype="float32").reshape(7, 2))
    assert_rows(K.take(table, ids, axis=0), [table.numpy()[row] for row in ROWS])
    assert K.take(tf.range(7), ids - 7).to_list() == ROWS
    for axis in (1, -1):  # from the end, too
        assert K.take(tf.range(7)[None], ids - 7, axis=axis).to_list() == [ROWS]
    assert_rows(K.one_hot(ids, 7), [np.eye(7)[np.array(row, int)] for row in ROWS])


def test_codes_of_rows(ids):
    codes = [np.eye(7)[np.array(row, int)].sum(0) for row in ROWS]
    np.testing.assert_array_equal(K.multi_hot(ids, 7), codes)


@pytest.mark.parametrize("mode", ["multi_hot", "count"])
def test_vectorized_texts_have_no_padding_in_them(mode):
    layer = keras.layers.TextVectorization(vocabulary=["a", "b", "c"], output_mode=mode)
    most = 2 if mode == "count" else 1
    assert layer(["a b", "c c b", ""]).numpy().tolist() == [
        [0, 1, 1, 0],
        [0, 0, 1, most],
        [0, 0, 0, 0],
    ]


def test_conversions(ids):
    assert K.convert_to_tensor(ids).to_list() == ROWS
    assert K.convert_to_tensor(ids, dtype="float64").dtype == "float64"
    assert K.convert_to_tensor(ids, ragged=False).numpy().shape == (4, 3)
    assert K.cast(ids, "float32").dtype == "float32"
    assert K.convert_to_numpy(ids).tolist() == [[1, 2, 3], [4, 0, 0], [0, 0, 0], [5, 6, 0]]
    assert K.convert_to_tensor([1], ragged=True).shape == (1,)


def test_functions_without_a_rule_pad(x):
    assert K.transpose(x, (0, 2, 1)).shape == (4, 2, 3)


def test_signatures_are_those_of_the_functions():
    functions = importlib.import_module("keras.src.backend").numpy
    assert list(inspect.signature(functions.sum).parameters) == ["x", "axis", "keepdims"]


# --- layers and models ----------------------------------------------------------------------------


@pytest.fixture
def model():
    keras.utils.set_random_seed(3)
    layers = keras.layers
    model = keras.Sequential(
        [layers.Embedding(10, 4), layers.GlobalAveragePooling1D(), layers.Dense(1)]
    )
    model.compile("sgd", "mse")
    return model


FULL = [row for row in ROWS if row]


def test_models_compute_with_the_rows(model):
    rt = tf.ragged.constant(FULL)
    expected = np.concatenate([model(tf.constant([row])).numpy() for row in FULL])
    np.testing.assert_allclose(model(rt).numpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(tf.function(model)(rt).numpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(model.predict(rt, verbose=0), expected, rtol=1e-5)
    batches = tf.data.Dataset.from_tensor_slices(rt).batch(2)
    np.testing.assert_allclose(model.predict(batches, verbose=0), expected, rtol=1e-5)


def test_gradients_flow_to_what_rows_look_up(model):
    rt = tf.ragged.constant(FULL)
    table = model(rt) is not None and model.layers[0].embeddings
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(rt))
    g = tf.convert_to_tensor(tape.gradient(loss, table)).numpy()
    kernel = model.layers[2].kernel.numpy()[:, 0]
    np.testing.assert_allclose(g[4], kernel, rtol=1e-5)
    np.testing.assert_allclose(g[1], kernel / 3, rtol=1e-5)
    assert not g[0].any()  # which padding would look up


@pytest.mark.parametrize("eager", [False, True])
def test_fit_computes_with_the_rows(model, eager):
    model.run_eagerly = eager
    rt, y = tf.ragged.constant(FULL), np.array([[1.0], [2.0], [3.0]], "float32")
    expected = float(np.mean((model(rt).numpy() - y) ** 2))
    pairs = tf.data.Dataset.from_tensor_slices((rt, y)).batch(3)
    first = model.fit(pairs, epochs=1, verbose=0, shuffle=False).history["loss"][0]
    np.testing.assert_allclose(first, expected, rtol=1e-5)
    last = model.fit(pairs, epochs=20, verbose=0, shuffle=False).history["loss"][-1]
    assert last < first
    model.fit(rt, y, batch_size=2, verbose=0)
    assert model.evaluate(rt, y, verbose=0) < first


def test_inputs_are_declared_ragged():
    inputs = keras.Input((None,), ragged=True, dtype="int32")
    pooled = keras.layers.GlobalMaxPooling1D()(keras.layers.Embedding(10, 2)(inputs))
    model = keras.Model(inputs, pooled)
    table = model.layers[1].embeddings.numpy()
    expected = [table[row].max(0) for row in FULL]
    np.testing.assert_allclose(model(tf.ragged.constant(FULL)), expected, rtol=1e-6)


def test_dense_and_normalization_keep_rows(x):
    layers = keras.layers
    for layer in (
        layers.Dense(3),
        layers.LayerNormalization(),
        layers.BatchNormalization(),
        layers.Activation("relu"),
        layers.Rescaling(0.5),
    ):
        result = layer(x)
        assert isinstance(result, tf.RaggedTensor), layer
        np.testing.assert_allclose(result[0][None], layer(x[0][None]), rtol=1e-4, atol=1e-6)


RECURRENT = {
    "lstm": lambda layers: layers.LSTM(3),
    "gru": lambda layers: layers.GRU(3),
    "simple": lambda layers: layers.SimpleRNN(3),
    "backwards": lambda layers: layers.LSTM(3, go_backwards=True),
    "sequences": lambda layers: layers.LSTM(3, return_sequences=True),
    "state": lambda layers: layers.LSTM(3, return_sequences=True, return_state=True),
    "both": lambda layers: layers.Bidirectional(layers.LSTM(3)),
    "both sequences": lambda layers: layers.Bidirectional(layers.GRU(3, return_sequences=True)),
    "apart": lambda layers: layers.Bidirectional(
        layers.GRU(3, return_sequences=True), merge_mode=None
    ),
}


@pytest.mark.parametrize("kind", RECURRENT)
def test_recurrent_layers_end_with_each_row(kind):
    values = tf.constant(np.linspace(-1, 1, 12).reshape(6, 2).astype("float32"))
    x = tf.RaggedTensor.from_row_lengths(values, [3, 1, 2])
    layer = RECURRENT[kind](keras.layers)
    together = tf.nest.flatten(layer(x), expand_composites=False)
    apart = [tf.nest.flatten(layer(row[None])) for row in x]
    for i, single in enumerate(apart):
        for result, wanted in zip(together, single, strict=True):
            np.testing.assert_allclose(result[i], wanted[0], rtol=1e-5, atol=1e-6)
