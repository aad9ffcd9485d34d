"""Gradients that stay sparse: `IndexedSlices` from gathering rows."""

import numpy as np
import pytest


@pytest.fixture
def table(tf):
    return tf.Variable(np.arange(6.0, dtype=np.float32).reshape(3, 2))


def gradient_of(tf, function, source):
    with tf.GradientTape() as tape:
        tape.watch(source)
        target = function()
    return tape.gradient(target, source)


def dense(tf, gradient):
    return tf.convert_to_tensor(gradient).numpy()


# What is sparse, and what is dense


def test_gather_gives_indexed_slices(tf, table):
    gradient = gradient_of(tf, lambda: tf.gather(table, [0, 2, 0]), table)
    assert isinstance(gradient, tf.IndexedSlices)
    np.testing.assert_array_equal(gradient.indices.numpy(), [0, 2, 0])
    np.testing.assert_array_equal(gradient.values.numpy(), np.ones((3, 2)))
    np.testing.assert_array_equal(gradient.dense_shape.numpy(), [3, 2])
    assert gradient.shape == (3, 2)
    assert gradient.dtype == tf.float32
    assert gradient.values.dtype == tf.float32


def test_gather_from_a_watched_tensor_gives_indexed_slices(tf):
    table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    gradient = gradient_of(tf, lambda: tf.gather(table, [1, 1]), table)
    assert isinstance(gradient, tf.IndexedSlices)
    np.testing.assert_array_equal(dense(tf, gradient), [[0.0, 0.0], [2.0, 2.0]])


def test_repeated_indices_are_added_when_made_dense(tf, table):
    gradient = gradient_of(tf, lambda: tf.gather(table, [0, 2, 0]), table)
    np.testing.assert_array_equal(dense(tf, gradient), [[2.0, 2.0], [0.0, 0.0], [1.0, 1.0]])


@pytest.mark.parametrize("indices", [[0, 2, 0], [[0, 2], [1, 0]], []])
def test_embedding_lookup(tf, table, indices):
    indices = np.array(indices, np.int32)
    gradient = gradient_of(tf, lambda: tf.nn.embedding_lookup(table, indices), table)
    assert isinstance(gradient, tf.IndexedSlices)
    expected = np.zeros((3, 2))
    np.add.at(expected, indices.reshape(-1), 1.0)
    np.testing.assert_array_equal(dense(tf, gradient), expected)


def test_values_carry_the_chain_rule(tf, table):
    gradient = gradient_of(tf, lambda: 3.0 * tf.gather(table, [1, 2]) ** 2, table)
    assert isinstance(gradient, tf.IndexedSlices)
    np.testing.assert_array_equal(gradient.values.numpy(), [[12.0, 18.0], [24.0, 30.0]])


def test_scalar_index(tf, table):
    gradient = gradient_of(tf, lambda: tf.gather(table, 1), table)
    assert isinstance(gradient, tf.IndexedSlices)
    np.testing.assert_array_equal(dense(tf, gradient), [[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]])


def test_dtype_of_the_indices_is_kept(tf, table):
    indices = tf.constant([1], tf.int64)
    assert gradient_of(tf, lambda: tf.gather(table, indices), table).indices.dtype == tf.int64


@pytest.mark.parametrize(
    "read",
    [
        lambda tf, table: table.sparse_read([0, 0]),
        lambda tf, table: tf.gather(table, [0, 0], axis=0),
        lambda tf, table: tf.gather(tf.identity(table), [0, 0]),
        lambda tf, table: tf.gather(tf.gather(table, [1, 0, 0]), [1, 2]),
    ],
    ids=["sparse_read", "axis 0", "through identity", "gather of gather"],
)
def test_other_ways_of_reading_rows_are_sparse(tf, table, read):
    gradient = gradient_of(tf, lambda: read(tf, table), table)
    assert isinstance(gradient, tf.IndexedSlices)
    np.testing.assert_array_equal(dense(tf, gradient), [[2.0, 2.0], [0.0, 0.0], [0.0, 0.0]])


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (lambda tf, t: tf.gather(t, [0, 1, 1], axis=1), [[1, 2], [1, 2], [1, 2]]),
        (lambda tf, t: tf.gather(t, [0, 1, 1], axis=-1), [[1, 2], [1, 2], [1, 2]]),
        (lambda tf, t: tf.gather(t, [[0], [1], [1]], batch_dims=1), [[1, 0], [0, 1], [0, 1]]),
        (lambda tf, t: tf.gather_nd(t, [[0, 1], [1, 0], [1, 0]]), [[0, 1], [2, 0], [0, 0]]),
        (lambda tf, t: tf.gather(t * 1.0, [0, 0]), [[2, 2], [0, 0], [0, 0]]),
        (lambda tf, t: t[0], [[1, 1], [0, 0], [0, 0]]),
        (lambda tf, t: t[1:, 0], [[0, 0], [1, 0], [1, 0]]),
    ],
    ids=["axis 1", "axis -1", "batch_dims", "gather_nd", "intermediate", "index", "slice"],
)
def test_other_forms_are_dense(tf, table, read, expected):
    gradient = gradient_of(tf, lambda: read(tf, table), table)
    assert isinstance(gradient, tf.Tensor)
    np.testing.assert_array_equal(gradient.numpy(), expected)


# Sums


def test_sum_of_two_sparse_gradients_is_sparse(tf, table):
    def loss():
        first = tf.reduce_sum(tf.gather(table, [0, 1]))
        return first + 2.0 * tf.reduce_sum(tf.gather(table, [2, 1]))

    gradient = gradient_of(tf, loss, table)
    assert isinstance(gradient, tf.IndexedSlices)
    assert gradient.indices.shape == (4,)
    np.testing.assert_array_equal(dense(tf, gradient), [[1.0, 1.0], [3.0, 3.0], [2.0, 2.0]])


def test_sparse_and_dense_sum_to_dense(tf, table):
    def loss():
        return tf.reduce_sum(tf.gather(table, [0, 1])) + tf.reduce_sum(table * table)

    gradient = gradient_of(tf, loss, table)
    assert isinstance(gradient, tf.Tensor)
    np.testing.assert_array_equal(gradient.numpy(), [[1.0, 3.0], [5.0, 7.0], [8.0, 10.0]])


def test_sparse_gradients_of_two_targets_sum_to_sparse(tf, table):
    gradient = gradient_of(tf, lambda: [tf.gather(table, [0]), tf.gather(table, [1])], table)
    assert isinstance(gradient, tf.IndexedSlices)
    np.testing.assert_array_equal(dense(tf, gradient), [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]])


# The object


def test_construction(tf):
    slices = tf.IndexedSlices(
        values=tf.constant([[1.0, 2.0]]), indices=tf.constant([1]), dense_shape=tf.constant([3, 2])
    )
    np.testing.assert_array_equal(dense(tf, slices), [[0.0, 0.0], [1.0, 2.0], [0.0, 0.0]])
    assert tf.is_tensor(slices)
    assert not isinstance(slices, tf.Tensor)


def test_without_dense_shape(tf):
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]))
    assert slices.dense_shape is None
    assert slices.shape.rank is None
    with pytest.raises(ValueError, match="dense_shape"):
        tf.convert_to_tensor(slices)


def test_str(tf):
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
    assert str(slices) == (
        "IndexedSlices(indices=tf.Tensor([1], shape=(1,), dtype=int32), "
        "values=tf.Tensor([[1. 2.]], shape=(1, 2), dtype=float32), "
        "dense_shape=tf.Tensor([3 2], shape=(2,), dtype=int32))"
    )


def test_converting_to_another_dtype_is_an_error(tf, table):
    gradient = gradient_of(tf, lambda: tf.gather(table, [0]), table)
    with pytest.raises(ValueError, match="float64"):
        tf.convert_to_tensor(gradient, tf.float64)


def test_negation_and_scalar_mul_stay_sparse(tf, table):
    gradient = gradient_of(tf, lambda: tf.gather(table, [0, 2]), table)
    negative, scaled = -gradient, tf.math.scalar_mul(2.0, gradient)
    assert isinstance(negative, tf.IndexedSlices)
    assert isinstance(scaled, tf.IndexedSlices)
    np.testing.assert_array_equal(negative.values.numpy(), -np.ones((2, 2)))
    np.testing.assert_array_equal(scaled.values.numpy(), 2 * np.ones((2, 2)))
    np.testing.assert_array_equal(scaled.indices.numpy(), [0, 2])


@pytest.mark.parametrize(
    ("function", "factor"),
    [
        (lambda tf, g: tf.cast(g, tf.float64), 1.0),
        (lambda tf, g: tf.identity(g), 1.0),
        (lambda tf, g: tf.clip_by_value(g, -0.5, 0.5), 0.5),
    ],
    ids=["cast", "identity", "clip_by_value"],
)
def test_functions_that_stay_sparse(tf, table, function, factor):
    gradient = gradient_of(tf, lambda: tf.gather(table, [0, 2]), table)
    result = function(tf, gradient)
    assert isinstance(result, tf.IndexedSlices)
    np.testing.assert_array_equal(result.values.numpy(), factor * np.ones((2, 2)))


def test_ordinary_functions_make_it_dense(tf, table):
    gradient = gradient_of(tf, lambda: tf.gather(table, [0, 2, 0]), table)
    expected = np.array([[2.0, 2.0], [0.0, 0.0], [1.0, 1.0]])
    np.testing.assert_array_equal(tf.square(gradient).numpy(), expected**2)
    np.testing.assert_array_equal((tf.constant(3.0) * gradient).numpy(), 3 * expected)
    np.testing.assert_array_equal(tf.add_n([gradient, gradient]).numpy(), 2 * expected)
    assert tf.reduce_sum(gradient).numpy() == 6.0


def test_variable_updates_take_it(tf, table):
    gradient = gradient_of(tf, lambda: tf.gather(table, [0, 2, 0]), table)
    expected = table.numpy() - [[2.0, 2.0], [0.0, 0.0], [1.0, 1.0]]
    by_dense, by_sparse = tf.Variable(table), tf.Variable(table)
    by_dense.assign_sub(gradient)
    by_sparse.scatter_sub(gradient)
    np.testing.assert_array_equal(by_dense.numpy(), expected)
    np.testing.assert_array_equal(by_sparse.numpy(), expected)


# Norms: of the values as they are, repeated indices not added first


def test_global_norm(tf, table):
    gradient = gradient_of(tf, lambda: tf.gather(table, [0, 2, 0]), table)
    norm = tf.linalg.global_norm([gradient, tf.ones(2), None])
    np.testing.assert_allclose(norm.numpy(), np.sqrt(8.0), rtol=1e-6)


def test_clip_by_norm(tf, table):
    gradient = gradient_of(tf, lambda: tf.gather(table, [0, 2, 0]), table)
    clipped = tf.clip_by_norm(gradient, 1.0)
    assert isinstance(clipped, tf.IndexedSlices)
    np.testing.assert_allclose(clipped.values.numpy(), np.ones((3, 2)) / np.sqrt(6), rtol=1e-6)
    np.testing.assert_array_equal(clipped.indices.numpy(), [0, 2, 0])


def test_clip_by_global_norm(tf, table):
    gradient = gradient_of(tf, lambda: tf.gather(table, [0, 2, 0]), table)
    (sparse, nothing, plain), norm = tf.clip_by_global_norm([gradient, None, tf.ones(2)], 1.0)
    assert isinstance(sparse, tf.IndexedSlices)
    assert nothing is None
    np.testing.assert_allclose(norm.numpy(), np.sqrt(8.0), rtol=1e-6)
    np.testing.assert_allclose(sparse.values.numpy(), np.ones((3, 2)) / np.sqrt(8), rtol=1e-6)
    np.testing.assert_allclose(plain.numpy(), np.ones(2) / np.sqrt(8), rtol=1e-6)


# Higher order


def test_second_order_through_the_dense_form(tf, table):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(tf.gather(table, [0, 2, 0]) ** 3)
        gradient = inner.gradient(y, table)
        z = tf.reduce_sum(tf.convert_to_tensor(gradient) ** 2)
    count = np.array([[2.0], [0.0], [1.0]])
    # The gradient is 3 n x², so z is Σ 9 n² x⁴.
    expected = 36 * count**2 * table.numpy() ** 3
    np.testing.assert_allclose(dense(tf, outer.gradient(z, table)), expected, rtol=1e-6)


def test_second_order_through_the_values(tf, table):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(tf.gather(table, [0, 2, 0]) ** 3)
        gradient = inner.gradient(y, table)
        z = tf.reduce_sum(gradient.values)
    second = outer.gradient(z, table)
    count = np.array([[2.0], [0.0], [1.0]])
    np.testing.assert_allclose(dense(tf, second), 6 * count * table.numpy(), rtol=1e-6)


def test_indexed_slices_as_output_gradients(tf, table):
    gradient = gradient_of(tf, lambda: tf.gather(table, [0, 2, 0]), table)
    with tf.GradientTape() as tape:
        y = table * 2.0
    result = tape.gradient(y, table, output_gradients=gradient)
    np.testing.assert_array_equal(dense(tf, result), [[4.0, 4.0], [0.0, 0.0], [2.0, 2.0]])


def test_jacobian_of_gather_is_dense(tf, table):
    with tf.GradientTape() as tape:
        y = tf.gather(table, [0, 2])
    jacobian = tape.jacobian(y, table)
    expected = np.zeros((2, 2, 3, 2))
    for row, index in enumerate([0, 2]):
        for column in range(2):
            expected[row, column, index, column] = 1.0
    assert isinstance(jacobian, tf.Tensor)
    np.testing.assert_array_equal(jacobian.numpy(), expected)


# Errors


@pytest.mark.on_host("a value cannot stop a program on a device")
@pytest.mark.parametrize("index", [3, -1])
def test_index_out_of_range(tf, table, index):
    with pytest.raises(tf.errors.InvalidArgumentError, match=str(index)):
        tf.gather(table, [index])
