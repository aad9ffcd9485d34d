"""Sparse tensors and rows in Keras: the numbers of dense ones, and sparse where they should be.

What TensorFlow's Keras does with rows that repeat is in the fixture `rows.npz`.
"""

import operator
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import gradtape as tf
from tests.keras import models

ROWS = np.load(Path(__file__).parent / "fixtures" / "rows.npz")

A = np.array([[0.0, 2.0, 0.0], [-1.0, 0.0, 0.5], [0.0, 0.0, 0.0], [3.0, 0.0, 0.0]], "float32")
B = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 4.0], [0.0, 0.0, 0.0], [0.0, 5.0, 0.0]], "float32")


def sparse(x):
    return tf.sparse.from_dense(x)


def rows(x):
    """Rows of a matrix, the first of them in two parts."""
    indices = [0, 1, 3, 0]
    values = x[indices].copy()
    values[0] *= 0.25
    values[3] *= 0.75
    return tf.IndexedSlices(values, indices, x.shape)


KINDS = {"places": sparse, "rows": rows}


def kind_of(x) -> str:
    return {tf.SparseTensor: "places", tf.IndexedSlices: "rows"}.get(type(x), "dense")


@pytest.fixture
def ops(keras):
    return keras.ops


def check(ops, result, expected, kind):
    assert kind_of(result) == kind
    assert tuple(result.shape) == np.shape(expected)
    np.testing.assert_allclose(ops.convert_to_numpy(result), expected, rtol=1e-6)


# --- conversions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_conversion(ops, kind):
    x = KINDS[kind](A)
    assert ops.is_tensor(x)
    assert ops.shape(x) == (4, 3)
    assert ops.convert_to_tensor(x) is x
    check(ops, ops.convert_to_tensor(x, "float64"), A, kind)
    check(ops, ops.cast(x, "float16"), A, kind)
    assert ops.cast(x, "float16").dtype == "float16"


def test_conversion_to_dense(ops):
    check(ops, ops.convert_to_tensor(sparse(A), sparse=False), A, "dense")
    check(ops, ops.convert_to_tensor(sparse(A), sparse=True), A, "places")
    check(ops, ops.convert_to_tensor(A, sparse=True), A, "dense")


def test_functions_of_dense_tensors_say_so(ops):
    with pytest.raises(ValueError, match=r"make it dense with tf\.sparse\.to_dense"):
        ops.softmax(sparse(A))


# --- functions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["negative", "sign", "abs", "expm1", "tanh", "floor", "round"])
def test_functions_of_values(ops, name):
    function, reference = getattr(ops, name), getattr(np, name)
    check(ops, function(sparse(A)), reference(A), "places")
    assert kind_of(function(rows(A))) == "rows"


@pytest.mark.parametrize("name", ["exp", "cos", "reciprocal", "isfinite"])
@pytest.mark.parametrize("kind", KINDS)
def test_functions_that_are_not_zero_at_zero(ops, name, kind):
    with np.errstate(divide="ignore"):
        check(ops, getattr(ops, name)(KINDS[kind](A)), getattr(np, name)(A), "dense")


def test_squares_of_repeated_rows_are_summed(ops):
    result = ops.square(tf.IndexedSlices([[1.0], [2.0], [3.0]], [0, 0, 1], (2, 1)))
    np.testing.assert_array_equal(ops.convert_to_numpy(result), [[5.0], [9.0]])


def test_clip(ops):
    check(ops, ops.clip(sparse(A), -0.5, 1.0), np.clip(A, -0.5, 1.0), "places")
    check(ops, ops.clip(sparse(A), 1.0, 2.0), np.clip(A, 1.0, 2.0), "dense")


@pytest.mark.parametrize("name", ["add", "subtract", "maximum", "minimum"])
@pytest.mark.parametrize("kind", KINDS)
def test_union(ops, name, kind):
    function, reference, make = getattr(ops, name), getattr(np, name), KINDS[kind]
    check(ops, function(make(A), make(B)), reference(A, B), kind)
    check(ops, function(make(A), B), reference(A, B), "dense")
    check(ops, function(B, make(A)), reference(B, A), "dense")
    check(ops, function(make(A), 2.0), reference(A, 2.0), "dense")
    x = make(A)
    check(ops, function(x, ops.negative(x)), reference(A, -A), kind)


@pytest.mark.parametrize("kind", KINDS)
def test_product(ops, kind):
    make = KINDS[kind]
    check(ops, ops.multiply(make(A), make(B)), A * B, kind)
    check(ops, ops.multiply(make(A), B), A * B, kind)
    check(ops, ops.multiply(B, make(A)), A * B, kind)
    check(ops, ops.multiply(make(A), B[1]), A * B[1], kind)
    check(ops, ops.multiply(3, make(A)), 3 * A, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_quotient(ops, kind):
    make = KINDS[kind]
    with np.errstate(all="ignore"):
        check(ops, ops.divide(make(A), 4.0), A / 4, kind)
        check(ops, ops.divide(make(A), B + 10), A / (B + 10), kind)
        check(ops, ops.divide(make(A), B), A / B, kind)
        check(ops, ops.divide(B, make(A)), B / A, "dense")
        check(ops, ops.divide(make(A), make(B)), A / B, "dense")


def test_places_and_rows_together(ops):
    check(ops, ops.multiply(sparse(A), rows(B)), A * np.where(B[2] == B, 0, B), "dense")


def test_other_shapes_are_an_error(ops):
    with pytest.raises(ValueError, match=r"must have the same shape, got \(4, 3\) and \(3, 4\)"):
        ops.add(sparse(A), sparse(B.T))


def test_shapes(ops):
    x, array = sparse(A[:, None, :]), A[:, None, :]
    check(ops, ops.reshape(x, (2, -1)), array.reshape(2, -1), "places")
    check(ops, ops.transpose(x, (2, -3, 1)), array.transpose(2, 0, 1), "places")
    check(ops, ops.transpose(x), array.transpose(), "places")
    check(ops, ops.expand_dims(x, (0, -1)), array[None, ..., None], "places")
    check(ops, ops.squeeze(x), A, "places")
    check(ops, ops.squeeze(x, -2), A, "places")
    check(ops, ops.concatenate([sparse(A), sparse(B)], 1), np.concatenate([A, B], 1), "places")
    check(ops, ops.concatenate([sparse(A), B], 0), np.concatenate([A, B], 0), "dense")
    check(ops, ops.reshape(rows(A), (-1,)), np.where(A[2] == A, 0, A).reshape(-1), "dense")
    with pytest.raises(ValueError, match="Cannot squeeze axis=0"):
        ops.squeeze(x, 0)


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_sums_and_means(ops, axis, keepdims):
    check(ops, ops.sum(sparse(A), axis, keepdims), A.sum(axis, keepdims=keepdims), "places")
    expected = A.mean(axis, keepdims=keepdims)
    check(ops, ops.mean(sparse(A), axis, keepdims), expected, "dense")
    check(
        ops,
        ops.mean(rows(A), axis, keepdims),
        expected,
        "rows" if axis == 1 and keepdims else "dense",
    )


@pytest.mark.parametrize("shape", [(5, 4), (2, 5, 4), (2, 3, 5, 4)])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_matrix_products(ops, shape, dtype):
    random = np.random.default_rng(0)
    x = random.integers(-3, 3, shape) * (random.random(shape) < 0.4)
    y = random.integers(-3, 3, (*shape[:-2], shape[-1], 6)) * (random.random() < 0.9)
    x, y = x.astype(dtype), y.astype(dtype)
    check(ops, ops.matmul(sparse(x), y), x @ y, "dense")
    check(ops, ops.matmul(x, sparse(y)), x @ y, "dense")
    check(ops, ops.matmul(sparse(x), sparse(y)), x @ y, "places")
    assert ops.matmul(sparse(x), y).dtype == dtype


def test_matrix_product_of_a_stack_and_one_sparse_matrix(ops):
    x = np.arange(24.0, dtype="float32").reshape(2, 3, 4)
    check(ops, ops.matmul(x, sparse(A)), x @ A, "dense")


def test_matrix_products_of_other_shapes_are_an_error(ops):
    with pytest.raises(ValueError, match=r"got \(4, 3\) and \(4, 3\)"):
        ops.matmul(sparse(A), B)


def test_gradients(ops):
    """With respect to the values of a sparse tensor, and to the dense operand."""
    values, dense = tf.Variable([2.0, 3.0]), tf.Variable(B)
    with tf.GradientTape() as tape:
        x = tf.SparseTensor([[0, 1], [3, 2]], values, (4, 3))
        loss = ops.sum(ops.convert_to_tensor(ops.square(ops.multiply(x, dense)), sparse=False))
        loss = loss + ops.sum(ops.square(ops.matmul(ops.transpose(x), dense)))
    by_values, by_dense = tape.gradient(loss, [values, dense])
    with tf.GradientTape() as tape:
        x = tf.scatter_nd([[0, 1], [3, 2]], values, (4, 3))
        loss = tf.reduce_sum((x * dense) ** 2) + tf.reduce_sum((tf.transpose(x) @ dense) ** 2)
    expected = tape.gradient(loss, [values, dense])
    np.testing.assert_allclose(by_values, expected[0])
    np.testing.assert_allclose(tf.convert_to_tensor(by_dense), expected[1])


def test_codes(ops):
    numbers = np.array([[1, 0, 1], [2, -1, 3]])
    check(ops, ops.one_hot(numbers, 4, sparse=True), ops.one_hot(numbers, 4), "places")
    check(ops, ops.one_hot(numbers, 4, axis=0, sparse=True), ops.one_hot(numbers, 4, 0), "places")
    check(ops, ops.multi_hot(numbers, 4, sparse=True), ops.multi_hot(numbers, 4), "places")
    assert ops.multi_hot(numbers, 4, dtype="bool", sparse=True).dtype == "bool"
    positive = np.abs(numbers)
    check(ops, ops.bincount(positive, sparse=True), ops.bincount(positive), "places")
    check(ops, ops.bincount(sparse(positive)), [[0, 2, 0, 0], [0, 1, 1, 1]], "places")


def test_take_at_sparse_indices(ops):
    result = ops.take(A, sparse(np.array([[0, 3], [1, 0]])), axis=0)
    check(ops, result, A[[[0, 3], [1, 0]]], "dense")


# --- symbolic calls ------------------------------------------------------------------------------


def test_symbolic_calls(keras):
    x = keras.KerasTensor((None, 5), sparse=True)
    backend = sys.modules["keras.src.backend"]
    result = backend.compute_output_spec(lambda x: keras.ops.multiply(keras.ops.tanh(x), 2), x)
    assert result.sparse
    assert result.shape == (None, 5)
    result = backend.compute_output_spec(keras.ops.exp, x)
    assert not result.sparse
    assert result.shape == (None, 5)


def test_models_with_sparse_inputs(keras):
    inputs = keras.Input((3,), sparse=True)
    outputs = keras.layers.Dense(2)(inputs)
    assert not outputs.sparse
    model = keras.Model(inputs, outputs)
    np.testing.assert_allclose(model(sparse(A)), model(A), rtol=1e-6)


# --- training ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROWS.files)
def test_repeated_rows_as_on_tensorflow(keras, name):
    optimizer = models.row_optimizers(keras)[name]
    result = models.train_on_repeated_rows(optimizer, tf, keras)
    np.testing.assert_allclose(result, ROWS[name], rtol=2e-5, atol=1e-6)


def test_rows_and_an_optimizer_with_a_number_as_loss_scale(keras):
    scaled = models.train_on_repeated_rows(
        keras.optimizers.SGD(0.1, loss_scale_factor=4.0), tf, keras, steps=1
    )
    plain = models.train_on_repeated_rows(keras.optimizers.SGD(0.025), tf, keras, steps=1)
    np.testing.assert_allclose(scaled, plain, rtol=1e-6)


def test_an_update_of_rows_leaves_the_others(keras):
    class Replacing(keras.optimizers.Optimizer):
        def update_step(self, gradient, variable, learning_rate):
            self.assign(variable, gradient)

    variable = keras.Variable(np.ones((3, 2), "float32"))
    gradient = tf.IndexedSlices([[5.0, 6.0]], [1], (3, 2))
    Replacing(0.1).apply([gradient], [variable])
    np.testing.assert_array_equal(variable, [[1.0, 1.0], [5.0, 6.0], [1.0, 1.0]])


def foreign(x):
    return scipy.sparse.coo_matrix(x)


def batches(x, y):
    for i in range(0, len(y), 16):
        yield scipy.sparse.csr_matrix(x[i : i + 16]), y[i : i + 16]


@pytest.mark.parametrize("make", [sparse, foreign, batches], ids=operator.attrgetter("__name__"))
def test_fit(keras, make):
    """On sparse data, the losses are those of dense data."""
    random = np.random.default_rng(1)
    x = (random.normal(size=(64, 10)) * (random.random((64, 10)) < 0.3)).astype("float32")
    y = x[:, :1] * 2

    def model(is_sparse: bool):
        keras.utils.set_random_seed(3)
        layers = [keras.layers.Dense(8, "relu"), keras.layers.Dense(1)]
        result = keras.Sequential([keras.Input((10,), sparse=is_sparse), *layers])
        result.compile("adam", "mse")
        return result

    expected = model(False).fit(x, y, batch_size=16, shuffle=False, verbose=0).history["loss"]
    given = make(x, y) if make is batches else make(x)
    arguments = {"steps_per_epoch": 4} if make is batches else {"y": y, "batch_size": 16}
    sparse_model = model(True)
    result = sparse_model.fit(given, shuffle=False, verbose=0, **arguments).history["loss"]
    np.testing.assert_allclose(result, expected, rtol=1e-5)
    if make is not batches:
        assert sparse_model.predict(given, verbose=0).shape == (64, 1)
        sparse_model.fit(given, y, validation_split=0.25, verbose=0)  # in any order
        assert np.isfinite(sparse_model.evaluate(given, y, verbose=0))


def test_batches_of_sparse_tensors_stay_sparse(keras):
    seen = []

    class Watching(keras.layers.Layer):
        def call(self, x):
            seen.append(type(x))
            return x

    layers = [Watching(), keras.layers.Dense(1)]
    model = keras.Sequential([keras.Input((3,), sparse=True), *layers])
    seen.clear()
    model.compile("sgd", "mse")
    model.fit(sparse(A), A[:, :1], batch_size=2, verbose=0)
    assert seen
    assert set(seen) == {tf.SparseTensor}


@pytest.mark.parametrize("mode", ["one_hot", "multi_hot", "count"])
def test_encodings(keras, mode):
    numbers = [[1], [0], [2]] if mode == "one_hot" else [[1, 1], [0, 2], [2, 2]]
    layers = [
        keras.layers.CategoryEncoding(4, output_mode=mode, sparse=flag) for flag in (False, True)
    ]
    dense, result = (layer(np.array(numbers)) for layer in layers)
    assert kind_of(result) == "places"
    np.testing.assert_array_equal(keras.ops.convert_to_numpy(result), dense)
