"""`tape.jacobian`, `tape.batch_jacobian`, and Hessians through nested tapes."""

import numpy as np
import pytest


def jacobian_of(tf, function, sources, persistent=False, **options):
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(sources)
        target = function()
    return tape.jacobian(target, sources, **options)


def batch_jacobian_of(tf, function, source, persistent=False, **options):
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(source)
        target = function()
    return tape.batch_jacobian(target, source, **options)


@pytest.fixture
def vector(tf):
    return tf.constant([1.0, 2.0])


@pytest.fixture
def matrix(tf):
    return tf.constant(np.arange(6.0, dtype=np.float32).reshape(2, 3))


# Shapes


def test_scalar_by_scalar(tf):
    x = tf.Variable(3.0)
    jacobian = jacobian_of(tf, lambda: x * x, x)
    assert jacobian.shape == ()
    assert jacobian.numpy() == 6.0


def test_vector_by_scalar(tf, vector):
    x = tf.Variable(3.0)
    np.testing.assert_array_equal(jacobian_of(tf, lambda: x * x * vector, x).numpy(), [6.0, 12.0])


def test_scalar_by_vector(tf, vector):
    jacobian = jacobian_of(tf, lambda: tf.reduce_sum(vector * vector), vector)
    np.testing.assert_array_equal(jacobian.numpy(), [2.0, 4.0])


def test_vector_by_vector(tf, vector):
    jacobian = jacobian_of(tf, lambda: vector * vector[::-1], vector)
    np.testing.assert_array_equal(jacobian.numpy(), [[2.0, 1.0], [2.0, 1.0]])


def test_matrix_by_matrix(tf, matrix):
    jacobian = jacobian_of(tf, lambda: tf.matmul(matrix, matrix, transpose_b=True), matrix)
    values = matrix.numpy()
    expected = np.einsum("ac,bd->abcd", np.eye(2), values)
    expected = expected + np.einsum("bc,ad->abcd", np.eye(2), values)
    assert jacobian.shape == (2, 2, 2, 3)
    np.testing.assert_array_equal(jacobian.numpy(), expected)


def test_layer(tf):
    generator = np.random.default_rng(0)
    x = tf.constant(generator.normal(size=(4, 3)))
    weights = tf.Variable(generator.normal(size=(3, 2)))
    jacobian = jacobian_of(tf, lambda: tf.tanh(tf.matmul(x, weights)), weights)
    slope = 1 - np.tanh(x.numpy() @ weights.numpy()) ** 2
    expected = np.einsum("bo,bi,op->boip", slope, x.numpy(), np.eye(2))
    np.testing.assert_allclose(jacobian.numpy(), expected, rtol=1e-10)


def test_empty_target(tf, vector):
    assert jacobian_of(tf, lambda: vector[:0] * 2.0, vector).shape == (0, 2)


# Sources


def test_nested_sources(tf, vector):
    x = tf.Variable(3.0)
    jacobians = jacobian_of(tf, lambda: vector * x, {"a": vector, "b": [x]})
    np.testing.assert_array_equal(jacobians["a"].numpy(), [[3.0, 0.0], [0.0, 3.0]])
    np.testing.assert_array_equal(jacobians["b"][0].numpy(), [1.0, 2.0])


def test_unconnected_source_is_none(tf, vector):
    apart = tf.Variable([3.0])
    jacobian, nothing = jacobian_of(tf, lambda: vector * vector, [vector, apart])
    np.testing.assert_array_equal(jacobian.numpy(), [[2.0, 0.0], [0.0, 4.0]])
    assert nothing is None


@pytest.mark.parametrize("by_name", [True, False])
def test_unconnected_zero(tf, matrix, by_name):
    apart = tf.Variable([3.0, 4.0])
    zero = "zero" if by_name else tf.UnconnectedGradients.ZERO
    jacobian = jacobian_of(tf, lambda: matrix * 1.0, apart, unconnected_gradients=zero)
    np.testing.assert_array_equal(jacobian.numpy(), np.zeros((2, 3, 2)))


def test_unknown_value_for_unconnected_gradients(tf, vector):
    with pytest.raises(ValueError, match=r"unconnected_gradients|vectorizing"):
        jacobian_of(tf, lambda: vector * 1.0, vector, unconnected_gradients="nope")


def test_integer_target_is_none(tf, vector):
    assert jacobian_of(tf, lambda: tf.cast(vector, tf.int32), vector) is None


def test_by_an_intermediate(tf, vector):
    with tf.GradientTape() as tape:
        tape.watch(vector)
        middle = vector * 3.0
        y = middle * middle
    np.testing.assert_array_equal(tape.jacobian(y, middle).numpy(), [[6.0, 0.0], [0.0, 12.0]])


# Options


def test_without_vectorizing(tf, vector):
    apart = tf.Variable(1.0)
    jacobian, nothing = jacobian_of(
        tf,
        lambda: vector * vector,
        [vector, apart],
        persistent=True,
        experimental_use_pfor=False,
    )
    np.testing.assert_array_equal(jacobian.numpy(), [[2.0, 0.0], [0.0, 4.0]])
    assert nothing is None


def test_parallel_iterations(tf, vector):
    for use_pfor in (False, True):
        jacobian = jacobian_of(
            tf,
            lambda: vector * vector,
            vector,
            persistent=True,
            parallel_iterations=2,
            experimental_use_pfor=use_pfor,
        )
        np.testing.assert_array_equal(jacobian.numpy(), [[2.0, 0.0], [0.0, 4.0]])


def test_persistent_tape_gives_several(tf, vector):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(vector)
        y = vector * vector
        z = y * vector
    np.testing.assert_array_equal(tape.jacobian(y, vector).numpy(), np.diag([2.0, 4.0]))
    np.testing.assert_array_equal(tape.jacobian(z, vector).numpy(), np.diag([3.0, 12.0]))
    np.testing.assert_array_equal(tape.gradient(z, vector).numpy(), [3.0, 12.0])


def test_inside_the_context_of_a_persistent_tape_it_is_recorded(tf, vector):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(vector)
        y = vector**3
        jacobian = tape.jacobian(y, vector)
    np.testing.assert_array_equal(jacobian.numpy(), np.diag([3.0, 12.0]))
    np.testing.assert_array_equal(tape.gradient(jacobian, vector).numpy(), [6.0, 12.0])


@pytest.mark.parametrize(
    "function",
    [
        lambda tf, x: tf.nn.softmax(x),
        lambda tf, x: tf.cumsum(x) * tf.reduce_max(x),
        lambda tf, x: tf.reshape(tf.tensordot(x, x, 0), [3, 3]),
        lambda tf, x: tf.concat([x, tf.sin(x)], 0),
        lambda tf, x: tf.gather(x, [2, 0, 0]),
        lambda tf, x: tf.where(x > 0.5, x * x, tf.exp(x)),
        lambda tf, x: tf.linalg.inv(tf.linalg.diag(x) + 0.1),
        lambda tf, x: tf.sort(x) * x,
        lambda tf, x: tf.reduce_logsumexp(tf.stack([x, 2.0 * x]), axis=0),
    ],
    ids=[
        "softmax",
        "cumsum",
        "outer",
        "concat",
        "gather",
        "where",
        "inv",
        "sort",
        "logsumexp",
    ],
)
def test_agrees_with_one_gradient_for_each_element(tf, function):
    x = tf.constant([0.3, 1.7, 0.9], tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = function(tf, x)
        elements = tf.unstack(tf.reshape(y, [-1]))
    rows = [tf.convert_to_tensor(tape.gradient(element, x)).numpy() for element in elements]
    jacobian = tape.jacobian(y, x)
    assert jacobian.shape == y.shape + x.shape
    np.testing.assert_allclose(jacobian.numpy().reshape(-1, 3), rows, rtol=1e-10, atol=1e-14)


# batch_jacobian


def test_batch_jacobian(tf, matrix):
    jacobian = batch_jacobian_of(tf, lambda: matrix**2, matrix)
    expected = np.stack([np.diag(2.0 * row) for row in matrix.numpy()])
    np.testing.assert_array_equal(jacobian.numpy(), expected)


def test_batch_jacobian_of_a_layer(tf):
    generator = np.random.default_rng(0)
    x = tf.constant(generator.normal(size=(5, 3)))
    weights = tf.constant(generator.normal(size=(3, 4)))
    jacobian = batch_jacobian_of(tf, lambda: tf.tanh(tf.matmul(x, weights)), x)
    slope = 1 - np.tanh(x.numpy() @ weights.numpy()) ** 2
    expected = np.einsum("bo,io->boi", slope, weights.numpy())
    np.testing.assert_allclose(jacobian.numpy(), expected, rtol=1e-10)


def test_batch_jacobian_of_higher_rank(tf):
    x = tf.constant(np.random.default_rng(0).normal(size=(2, 3, 4)))
    jacobian = batch_jacobian_of(tf, lambda: tf.reduce_sum(x**2, axis=2), x)
    assert jacobian.shape == (2, 3, 3, 4)
    expected = np.einsum("bij,ik->bikj", 2 * x.numpy(), np.eye(3))
    np.testing.assert_allclose(jacobian.numpy(), expected)


def test_batch_jacobian_sums_over_the_batch_when_rows_are_mixed(tf, matrix):
    jacobian = batch_jacobian_of(tf, lambda: matrix * tf.reduce_sum(matrix), matrix)
    row = [[18.0, 3.0, 3.0], [5.0, 20.0, 5.0], [7.0, 7.0, 22.0]]
    np.testing.assert_array_equal(jacobian.numpy(), [row, row])


def test_batch_jacobian_of_an_unconnected_source_is_zeros(tf, matrix):
    jacobian = batch_jacobian_of(tf, lambda: matrix * 1.0, tf.ones((2, 2)))
    np.testing.assert_array_equal(jacobian.numpy(), np.zeros((2, 3, 2)))


def test_batch_jacobian_without_vectorizing(tf, matrix):
    jacobian = batch_jacobian_of(
        tf, lambda: matrix**2, matrix, persistent=True, experimental_use_pfor=False
    )
    expected = np.stack([np.diag(2.0 * row) for row in matrix.numpy()])
    np.testing.assert_array_equal(jacobian.numpy(), expected)


def test_batch_jacobian_of_different_batches(tf, matrix):
    with pytest.raises(ValueError, match="first dimension"):
        batch_jacobian_of(tf, lambda: tf.transpose(matrix) ** 2, matrix)


def test_batch_jacobian_needs_two_dimensions(tf, vector, matrix):
    with pytest.raises(ValueError, match="rank"):
        batch_jacobian_of(tf, lambda: vector**2, vector)
    with pytest.raises(ValueError, match="rank"):
        batch_jacobian_of(tf, lambda: tf.reduce_sum(matrix**2, axis=1), matrix)


def test_batch_jacobian_uses_a_non_persistent_tape_up(tf, matrix):
    with tf.GradientTape() as tape:
        tape.watch(matrix)
        y = matrix**2
    tape.batch_jacobian(y, matrix)
    with pytest.raises(RuntimeError, match="A non-persistent GradientTape can only be used"):
        tape.batch_jacobian(y, matrix)


# Hessians


def test_hessian(tf):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x[0] ** 3 * x[1] ** 2
        gradient = inner.gradient(y, x)
    np.testing.assert_array_equal(outer.jacobian(gradient, x).numpy(), [[24.0, 12.0], [12.0, 2.0]])


def test_hessian_blocks_of_two_variables(tf):
    a, b = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(a**2) * b**2
        by_a, by_b = inner.gradient(y, [a, b])
    (aa, ab), (ba, bb) = outer.jacobian(by_a, [a, b]), outer.jacobian(by_b, [a, b])
    np.testing.assert_array_equal(aa.numpy(), 18.0 * np.eye(2))
    np.testing.assert_array_equal(ab.numpy(), [12.0, 24.0])
    np.testing.assert_array_equal(ba.numpy(), [12.0, 24.0])
    assert bb.numpy() == 10.0


def test_jacobian_of_a_jacobian(tf):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x**3
        jacobian = inner.jacobian(y, x)
    expected = np.zeros((2, 2, 2))
    expected[0, 0, 0], expected[1, 1, 1] = 6.0, 12.0
    np.testing.assert_array_equal(outer.jacobian(jacobian, x).numpy(), expected)


def test_newton_step_reaches_the_minimum_of_a_quadratic(tf):
    curvature = tf.constant([[3.0, 1.0], [1.0, 2.0]])
    x = tf.Variable([5.0, -7.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = 0.5 * tf.tensordot(x, tf.linalg.matvec(curvature, x), 1)
        gradient = inner.gradient(y, x)
    hessian = outer.jacobian(gradient, x)
    np.testing.assert_allclose(hessian.numpy(), curvature.numpy(), rtol=1e-6)
    x.assign_sub(tf.linalg.solve(hessian, gradient[:, None])[:, 0])
    np.testing.assert_allclose(x.numpy(), [0.0, 0.0], atol=1e-5)


def test_jacobian_of_a_function_that_gathers_with_unknown_sizes(tf):
    """Its gradient is an IndexedSlices of a batch, which becomes dense inside the batch."""

    @tf.function(input_signature=[tf.TensorSpec(None, tf.float64), tf.TensorSpec(None, tf.int32)])
    def f(x, indices):
        return tf.gather(x, indices)

    x = tf.constant([6.0, 7.0, 8.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant([1, 0, 1, 2]))
    jacobian = tape.jacobian(y, x)
    np.testing.assert_array_equal(jacobian, [[0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
