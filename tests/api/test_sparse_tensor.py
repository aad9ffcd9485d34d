"""`SparseTensor` as an object: its parts, its text, its operators, and tapes."""

import numpy as np
import pytest

import gradtape as tf


@pytest.fixture
def sparse():
    return tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 2])


TEXT = """SparseTensor(indices=tf.Tensor(
[[0 1]
 [2 0]], shape=(2, 2), dtype=int64), values=tf.Tensor([1. 2.], shape=(2,), dtype=float32), \
dense_shape=tf.Tensor([3 2], shape=(2,), dtype=int64))"""


def test_parts(sparse):
    assert sparse.indices.dtype == tf.int64
    assert sparse.values.numpy().tolist() == [1.0, 2.0]
    assert sparse.dense_shape.dtype == tf.int64
    assert sparse.shape == sparse.get_shape() == (3, 2)
    assert isinstance(sparse.shape, tf.TensorShape)
    assert sparse.dtype == tf.float32
    assert sparse.consumers() == []
    assert tf.is_tensor(sparse)
    assert tf.sparse.SparseTensor is tf.SparseTensor
    assert sparse.with_values([3, 4]).dtype == tf.int32
    assert tf.SparseTensor.from_value(sparse).shape == (3, 2)


def test_text(sparse):
    assert repr(sparse) == str(sparse) == TEXT


def test_an_empty_one():
    empty = tf.SparseTensor(np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [2, 3])
    assert tf.sparse.to_dense(empty).numpy().tolist() == [[0, 0, 0], [0, 0, 0]]
    assert tf.sparse.reduce_sum(empty, 1).numpy().tolist() == [0, 0]
    assert tf.sparse.sparse_dense_matmul(empty, tf.ones([3, 1])).numpy().tolist() == [[0], [0]]


def test_strings():
    words = tf.SparseTensor([[0, 0], [1, 1]], ["a", "b"], [2, 2])
    dense = tf.sparse.to_dense(tf.sparse.reorder(words))
    assert dense.numpy().tolist() == [[b"a", b""], [b"", b"b"]]
    filled = tf.sparse.to_dense(words, default_value="-")
    assert filled.numpy().tolist() == [[b"a", b"-"], [b"-", b"b"]]
    assert tf.sparse.from_dense(dense).values.numpy().tolist() == [b"a", b"b"]


def test_spec(sparse):
    spec = tf.SparseTensorSpec([3, None])
    assert repr(spec) == "SparseTensorSpec(TensorShape([3, None]), tf.float32)"
    assert tf.type_spec_from_value(sparse) == tf.SparseTensorSpec([3, 2])
    assert spec.is_compatible_with(sparse)
    assert not tf.SparseTensorSpec([3, 3]).is_compatible_with(sparse)
    assert spec.value_type is tf.SparseTensor
    assert tf.SparseTensorSpec.from_value(sparse).shape == (3, 2)
    with pytest.raises(TypeError, match="Expected SparseTensor"):
        tf.SparseTensorSpec.from_value(3)


def test_set_shape_is_an_assertion(sparse):
    sparse.set_shape([3, None])
    with pytest.raises(ValueError, match=r"\(3, 2\) and \(1, 2\)"):
        sparse.set_shape([1, 2])


def test_structures(sparse):
    assert tf.nest.flatten(sparse) == [sparse]
    parts = tf.nest.flatten(sparse, expand_composites=True)
    assert [part.dtype.name for part in parts] == ["int64", "float32", "int64"]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda s: tf.SparseTensor([[0, 1]], [1.0, 2.0], [3, 2]), ValueError, "1 and 2"),
        (lambda s: tf.SparseTensor([[0, 1]], [1.0], [3]), ValueError, "2 and 1"),
        (lambda s: tf.SparseTensor([0, 1], [1.0, 2.0], [3]), ValueError, "must have rank 2"),
        (lambda s: tf.SparseTensor([[0, 1]], [[1.0]], [3, 2]), ValueError, "must have rank 1"),
        (lambda s: tf.SparseTensor([[0.0, 1]], [1.0], [3, 2]), TypeError, "int64"),
        (lambda s: tf.SparseTensor.from_value(3), TypeError, "neither a SparseTensor"),
        (lambda s: tf.convert_to_tensor(s), ValueError, "tf.sparse.to_dense"),
        (lambda s: tf.reduce_sum(s), ValueError, "tf.sparse.to_dense"),
        (lambda s: tf.exp(s), ValueError, "tf.sparse.to_dense"),
        (lambda s: tf.ones([3, 2]) + s, ValueError, "tf.sparse.to_dense"),
        (lambda s: s + s, TypeError, "unsupported operand"),
        (lambda s: -s, TypeError, "bad operand"),
        (lambda s: s[0], TypeError, "not subscriptable"),
        (lambda s: len(s), TypeError, "has no len"),
        (lambda s: s * tf.ones([2, 2]), tf.errors.InvalidArgumentError, "incompatible shapes"),
        (lambda s: tf.sparse.add(1.0, 2.0), TypeError, "At least one input should be SparseTensor"),
        (lambda s: tf.sparse.to_dense(tf.ones([2])), TypeError, "must be a SparseTensor"),
        (lambda s: tf.sparse.reshape(s, [4, 2]), ValueError, "Cannot reshape"),
        (lambda s: tf.sparse.reshape(s, [-1, -1]), ValueError, "At most one"),
        (
            lambda s: tf.sparse.reshape(tf.sparse.from_dense([]), [-1, 0]),
            tf.errors.InvalidArgumentError,
            "cannot infer the missing size",
        ),
        (
            lambda s: tf.sparse.fill_empty_rows(
                tf.SparseTensor([[0, 0], [9, 1]], [1, 2], [2, 5]), 0
            ),
            tf.errors.InvalidArgumentError,
            r"indices\(1, 0\) is invalid: row 9 is not one of the 2 rows",
        ),
        (lambda s: tf.sparse.reset_shape(s, [1, 2]), ValueError, "new_shape"),
        (lambda s: tf.sparse.expand_dims(s, "x"), TypeError, "axis must be an integer"),
        (lambda s: tf.sparse.split(s, 2), ValueError, "axis is required"),
        (lambda s: tf.sparse.split(s, 4, 0), tf.errors.InvalidArgumentError, "interval"),
        (
            lambda s: tf.sparse.softmax(tf.SparseTensor([[0]], [1.0], [2])),
            tf.errors.InvalidArgumentError,
            "rank >= 2",
        ),
        (
            lambda s: tf.sparse.sparse_dense_matmul(s, tf.ones([3, 2])),
            tf.errors.InvalidArgumentError,
            "inner dimension",
        ),
        (
            lambda s: tf.sparse.sparse_dense_matmul(s, tf.ones([2])),
            tf.errors.InvalidArgumentError,
            "must be matrices",
        ),
        (
            lambda s: tf.sparse.sparse_dense_matmul(s, tf.ones([2, 2], tf.float64)),
            tf.errors.InvalidArgumentError,
            "float64",
        ),
        (lambda s: tf.sparse.map_values(tf.exp, 1.0), ValueError, "No SparseTensor"),
        (
            lambda s: tf.sparse.map_values(tf.add, s, tf.sparse.eye(3, 2)),
            tf.errors.InvalidArgumentError,
            "Mismatched",
        ),
        (lambda s: tf.sparse.bincount([1], axis=1), ValueError, "axis=1"),
        (
            lambda s: tf.sparse.bincount([1], weights=[1.0], binary_output=True),
            ValueError,
            "mutually",
        ),
        (lambda s: tf.sparse.bincount([-1]), tf.errors.InvalidArgumentError, "non-negative"),
        (lambda s: tf.sets.size(tf.ones([2, 2], tf.int32)), TypeError, "SparseTensor"),
        (
            lambda s: tf.sets.union(tf.constant([[1]]), tf.constant([[1], [2]])),
            tf.errors.InvalidArgumentError,
            "shapes",
        ),
    ],
)
def test_wrong_use(sparse, call, error, text):
    with pytest.raises(error, match=text):
        call(sparse)


@pytest.mark.parametrize(
    ("positions", "text"),
    [
        ([[1, 0], [0, 1]], "out of order"),
        ([[0, 1], [0, 1]], "repeated"),
        ([[0, 1], [5, 0]], "out of bounds"),
        ([[0, -1], [1, 0]], "out of bounds"),
    ],
)
def test_places_are_checked(positions, text):
    wrong = tf.SparseTensor(positions, [1.0, 2.0], [3, 2])
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        tf.sparse.to_dense(wrong)


# --- tapes ---------------------------------------------------------------------------------------


def test_watching_a_sparse_tensor_watches_its_values(sparse):
    with tf.GradientTape() as tape:
        tape.watch(sparse)
        product = tf.sparse.sparse_dense_matmul(sparse, tf.ones([2, 2]))
    assert tape.gradient(product, sparse.values).numpy().tolist() == [2.0, 2.0]


@pytest.mark.parametrize("position", ["source", "target"])
def test_a_sparse_tensor_is_no_source_and_no_target(sparse, position):
    with tf.GradientTape() as tape:
        tape.watch(sparse)
        product = sparse * tf.ones([3, 2])
    arguments = (product.values, sparse) if position == "source" else (product, sparse.values)
    with pytest.raises(ValueError, match="Type SparseTensor is not supported as a gradient source"):
        tape.gradient(*arguments)


def test_variables_as_values():
    values = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            matrix = tf.SparseTensor([[0, 0], [1, 1], [1, 2]], values, [2, 3])
            loss = tf.reduce_sum(tf.sparse.sparse_dense_matmul(matrix, tf.ones([3, 1])) ** 3)
        gradient = inner.gradient(loss, values)
        total = tf.reduce_sum(gradient)
    np.testing.assert_allclose(gradient, [3.0, 75.0, 75.0])
    np.testing.assert_allclose(outer.gradient(total, values), [6.0, 60.0, 60.0])


def test_gradients_are_dense_where_tensorflows_are():
    dense = tf.Variable(tf.ones([3, 2]))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sparse.sparse_dense_matmul(tf.sparse.eye(3), dense))
    assert isinstance(tape.gradient(loss, dense), tf.Tensor)


def test_vectorized_over_values():
    rows = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    dense = tf.constant([[1.0, 2.0], [3.0, 4.0]])

    def product(values):
        return tf.sparse.sparse_dense_matmul(
            tf.SparseTensor([[0, 1], [1, 0]], values, [2, 2]), dense
        )

    expected = [product(row).numpy() for row in rows]
    np.testing.assert_allclose(tf.vectorized_map(product, rows), expected)


def test_which_elements_are_not_zero_differs_by_example():
    """NumPy made one object of what stands for all examples, and took the first of each."""
    with pytest.raises(TypeError, match="no single value here: inside vmap"):
        tf.vectorized_map(
            lambda row: tf.sparse.to_dense(tf.sparse.from_dense(row)), tf.ones((2, 3))
        )


def test_bincount_counts_the_values_that_are_stored():
    indices = [[0, 0], [0, 2], [1, 1], [1, 3]]
    x = tf.SparseTensor(indices, [0, 3, 2, 3], [3, 4])
    weights = tf.SparseTensor(indices, [0.5, 1.0, 2.0, 4.0], [3, 4])
    assert tf.math.bincount(x).numpy().tolist() == [1, 0, 1, 2]
    assert tf.math.bincount(x, binary_output=True).numpy().tolist() == [1, 0, 1, 1]
    assert tf.math.bincount(x, weights).numpy().tolist() == [0.5, 0, 2, 5]
    counts = tf.math.bincount(x, axis=-1, minlength=2, maxlength=3, dtype=tf.float32)
    assert counts.dtype == tf.float32
    assert counts.numpy().tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert tf.math.bincount(tf.cast(x, tf.float32)).numpy().tolist() == [1, 0, 1, 2]


@pytest.mark.parametrize("row", [3, -1])
def test_sets_in_rows_that_there_are_not(row):
    """A negative row counted as the last one, and one too many was an IndexError."""
    x = tf.SparseTensor([[0, 0], [row, 0]], [1, 2], [3, 2])
    with pytest.raises(tf.errors.InvalidArgumentError, match=rf"the row \[{row}\] is out of"):
        tf.sets.size(x, validate_indices=False)
