"""Control flow in vmap: structures, TensorArrays, functions inside of it, effects and errors."""

import numpy as np
import pytest

import gradtape as tf

X = tf.constant([1.0, 2.0, 3.0])
K = tf.constant([0, 1, 2])


def both_ways(function, *args):
    """The result, eager and traced."""
    eager = function(*args)
    traced = tf.function(function)(*args)
    tf.nest.map_structure(np.testing.assert_array_equal, eager, traced)
    return eager


# --- TensorArrays --------------------------------------------------------------------------------


def test_an_array_from_a_branch():
    def one(x):
        array = tf.TensorArray(tf.float32, 2, element_shape=())
        return tf.cond(x > 1.5, lambda: array.write(0, x), lambda: array.write(1, -x)).stack()

    actual = both_ways(lambda x: tf.vectorized_map(one, x), X)
    np.testing.assert_array_equal(actual, [[0, -1], [2, 0], [3, 0]])
    np.testing.assert_array_equal(tf.function(one)(X[1]), [2, 0])


def test_the_loop_shows_the_shape_of_elements():
    def one(k):
        array = tf.TensorArray(tf.float32, 3)
        write = lambda j, a: (j + 1, a.write(j, [1.0, 2.0]))  # noqa: E731
        return tf.while_loop(lambda j, a: j <= k, write, (0, array))[1].stack()

    actual = both_ways(lambda k: tf.vectorized_map(one, k), K)
    np.testing.assert_array_equal(actual[1], [[1, 2], [1, 2], [0, 0]])


def test_reading_an_array_after_writing_it_by_the_index():
    def one(k):
        array = tf.TensorArray(tf.int32, 3, clear_after_read=False).unstack([5, 6, 7])
        array = array.write(k, 9).write(1, 8)
        return array.read(k), array.read(0), array.size(), array.gather([2, 1])

    actual = both_ways(lambda k: tf.vectorized_map(one, k), K)
    expected = ([9, 8, 9], [9, 5, 5], [3, 3, 3], [[7, 8], [7, 8], [9, 8]])
    for y, values in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(y, values)


def test_what_a_branch_writes_is_not_seen_outside():
    array = tf.TensorArray(tf.float32, 1, element_shape=(), clear_after_read=False)
    array = array.write(0, 5.0)
    tf.vectorized_map(lambda x: tf.cond(x > 1, lambda: array.write(0, x).stack()[0], lambda: x), X)
    assert array.read(0).numpy() == 5


def test_an_array_that_would_grow():
    def one(k):
        return tf.TensorArray(tf.float32, 0, dynamic_size=True).write(k, 1.0).stack()

    with pytest.raises(NotImplementedError, match=r"dynamic_size=True cannot be.* Pass the size"):
        tf.vectorized_map(one, K)


def test_an_index_out_of_range_of_an_array():
    def one(k):
        return tf.TensorArray(tf.float32, 2, element_shape=()).write(k, 1.0).stack()

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"does not index into shape \[2\]"):
        tf.vectorized_map(one, K)


# --- loops ---------------------------------------------------------------------------------------


def test_a_condition_that_differs_later():
    def one(x):
        # It is the same for all examples before the first iteration.
        double = lambda i, y: (i + 1, y * 2 * x)  # noqa: E731
        return tf.while_loop(
            lambda i, y: y < 10.0, double, (0, tf.constant(1.0)), maximum_iterations=3
        )

    count, value = both_ways(lambda x: tf.vectorized_map(one, x), X)
    np.testing.assert_array_equal(count, [3, 2, 2])
    np.testing.assert_array_equal(value, [8, 16, 36])


def test_structures_and_single_variables():
    def one(x):
        total = tf.while_loop(lambda y: y < 10.0, lambda y: y * 2.0, x)
        state = {"n": tf.constant(0), "y": x}
        step = lambda s: ({"n": s["n"] + 1, "y": s["y"] * 2.0},)  # noqa: E731
        return total, tf.while_loop(lambda s: s["y"] < 10.0, step, (state,))[0]

    total, state = both_ways(lambda x: tf.vectorized_map(one, x), X)
    np.testing.assert_array_equal(total, [16, 16, 12])
    np.testing.assert_array_equal(state["y"], total)
    np.testing.assert_array_equal(state["n"], [4, 3, 2])


def test_a_jacobian_of_a_loop_in_a_function():
    @tf.function
    def power(x, n):
        step = lambda i, y: (i + 1, y * x)  # noqa: E731
        return tf.while_loop(lambda i, y: i < n, step, (tf.constant(0), x))[1]

    x = tf.constant([1.0, 2.0, 3.0, 4.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = power(x, tf.constant(3))
    np.testing.assert_allclose(tape.jacobian(y, x), np.diag(4 * x.numpy() ** 3))


def test_hessian_of_a_loop_in_a_function():
    @tf.function
    def power(x, n):
        step = lambda i, y: (i + 1, y * x)  # noqa: E731
        return tf.while_loop(lambda i, y: i < n, step, (tf.constant(0), x))[1]

    x = tf.constant([1.0, 2.0, 3.0], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(power(x, tf.constant(2)))
        gradient = inner.gradient(y, x)
    np.testing.assert_allclose(outer.jacobian(gradient, x), np.diag(6 * x.numpy()))


def test_forward_over_reverse_through_a_loop():
    def loss(x, k):
        step = lambda i, y: (i + 1, y * x)  # noqa: E731
        return tf.while_loop(lambda i, y: i < k, step, (0, x))[1]

    def product(example):
        x, k = example
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = loss(x, k)
            gradient = tape.gradient(y, x)
        return accumulator.jvp(gradient, unconnected_gradients="zero")

    actual = both_ways(lambda x, k: tf.vectorized_map(product, (x, k)), X, K)
    np.testing.assert_allclose(actual, [0.0, 2.0, 18.0])  # of x, x², x³


# --- what branches call --------------------------------------------------------------------------


def test_custom_gradients_and_recomputation_in_branches():
    v = tf.Variable(1.0)

    @tf.custom_gradient
    def doubled(x):
        return x * 2.0, lambda g: g * 5.0

    square = tf.recompute_grad(lambda z: z * z)

    def one(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.cond(x > 1.5, lambda: doubled(x) * v, lambda: square(x))
        return tape.gradient(y, [x, v], unconnected_gradients="zero")

    by_x, by_v = both_ways(lambda x: tf.vectorized_map(one, x), X)
    np.testing.assert_array_equal(by_x, [2, 5, 5])
    np.testing.assert_array_equal(by_v, [0, 4, 6])


def test_a_function_with_a_variable_in_a_branch():
    v = tf.Variable(2.0)
    inner = tf.function(lambda x: x * x * v)
    with tf.GradientTape() as tape:
        y = tf.vectorized_map(lambda x: tf.cond(x > 1.5, lambda: inner(x), lambda: x), X)
    np.testing.assert_array_equal(y, [1, 8, 18])
    assert tape.gradient(y, v).numpy() == 13


def test_a_long_scan_in_a_branch_sees_what_a_tape_watches():
    w = tf.constant(0.5, tf.float64)
    rows = tf.constant(np.linspace(0.1, 1.0, 40).reshape(2, 20))

    def total(row):
        scanned = lambda: tf.foldl(lambda a, e: a * w + e, row, w)  # noqa: E731
        return tf.cond(row[0] > 0.5, scanned, lambda: w * w)

    with tf.GradientTape(persistent=True) as tape:
        tape.watch(w)
        actual = tf.vectorized_map(total, rows)
        expected = tf.stack([total(row) for row in tf.unstack(rows)])
    np.testing.assert_allclose(actual, expected)
    np.testing.assert_allclose(tape.gradient(actual, w), tape.gradient(expected, w))


def test_sparse_gradients_of_each_example():
    table = tf.constant(np.arange(6.0).reshape(3, 2))

    def one(k):
        with tf.GradientTape() as tape:
            tape.watch(table)
            y = tf.reduce_sum(tf.gather(table, [k, k]) ** 2)
        return tape.gradient(y, table)

    assert isinstance(one(K[1]), tf.IndexedSlices)
    expected = np.stack([tf.convert_to_tensor(one(k)).numpy() for k in K])
    np.testing.assert_array_equal(tf.vectorized_map(one, K), expected)


def test_a_slice_keeps_a_dense_gradient():
    @tf.function
    def part(x, i):
        return tf.slice(x, [i, 0], [2, 2])

    x = tf.constant(np.arange(8.0).reshape(4, 2))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = part(x, tf.constant(1))
    np.testing.assert_array_equal(y, x[1:3])
    gradient = tape.gradient(y, x)
    assert isinstance(gradient, tf.Tensor)
    np.testing.assert_array_equal(gradient, [[0, 0], [1, 1], [1, 1], [0, 0]])


def test_roll_by_a_traced_shift():
    traced = tf.function(lambda x, i: tf.roll(x, i, 0))
    for i in (-4, 0, 2):
        np.testing.assert_array_equal(traced(X, tf.constant(i)), np.roll(X, i))


# --- effects and errors --------------------------------------------------------------------------


def test_assertions_in_branches_are_of_the_examples_that_take_them():
    def checked(x):
        tf.debugging.assert_greater(x, 1.5)
        return x

    def one(limit):
        return lambda x: tf.cond(x > limit, lambda: checked(x), lambda: -x)

    np.testing.assert_array_equal(
        both_ways(lambda x: tf.vectorized_map(one(1.5), x), X), [-1, 2, 3]
    )
    for wrap in (lambda f: f, tf.function):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Condition x > y did not hold"):
            wrap(lambda x: tf.vectorized_map(one(0.5), x))(X)


def test_case_without_default():
    def one(x):
        return tf.case([(x > 2.0, lambda: x), (x > 0.5, lambda: -x)])

    np.testing.assert_array_equal(both_ways(lambda x: tf.vectorized_map(one, x), X), [-1, -2, 3])
    for wrap in (lambda f: f, tf.function):
        with pytest.raises(tf.errors.InvalidArgumentError, match="None of the conditions"):
            wrap(lambda x: tf.vectorized_map(one, x))(X - 1)


def test_exclusive_case():
    def one(x):
        pairs = [(x > 1.0, lambda: x), (x > 2.0, lambda: -x)]
        return tf.case(pairs, default=lambda: x * 0, exclusive=True)

    np.testing.assert_array_equal(both_ways(lambda x: tf.vectorized_map(one, x), X[:2]), [0.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than one condition"):
        tf.vectorized_map(one, X)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: tf.cond(x > 1, lambda: (x, x), lambda: x), "branches of a condition give"),
        (lambda x: tf.cond(x > 1, lambda: x[None], lambda: x), "branches of a condition give"),
        (
            lambda x: tf.while_loop(lambda y: y[0] < x, lambda y: tf.concat([y, y], 0), x[None]),
            "a loop changes the shapes",
        ),
    ],
    ids=["structure", "shape", "loop"],
)
def test_what_cannot_differ_between_examples(function, message):
    with pytest.raises(NotImplementedError, match=message) as caught:
        tf.vectorized_map(function, X)
    assert "Use tf.where to choose between values, or tf.map_fn" in str(caught.value)


@pytest.mark.parametrize("value", [0.0, 0])
def test_assignments_cannot_differ_between_examples(value):
    v = tf.Variable(value)

    def one(x):
        return tf.cond(x > 1, lambda: v.assign(tf.cast(x, v.dtype)), lambda: tf.cast(x, v.dtype))

    with pytest.raises(NotImplementedError, match="assigns to a variable"):
        tf.vectorized_map(one, X)
    assert v.numpy() == value


def test_sizes_cannot_differ_between_examples():
    same = tf.vectorized_map(lambda k: tf.tile([1, 2], [k * 0 + 2]), K)
    np.testing.assert_array_equal(same, [[1, 2, 1, 2]] * 3)
    with pytest.raises(TypeError, match=r"must be the same for all 3 examples.* Use tf.map_fn"):
        tf.vectorized_map(lambda k: tf.tile([1, 2], [k]), K)
    with pytest.raises(TypeError, match=r"size of a slice must be.* take tf.gather"):
        tf.vectorized_map(lambda k: X[k : k + 3], K)
    ends = tf.vectorized_map(lambda k: X[k - 3 : k - 2], K[:2])
    np.testing.assert_array_equal(ends, X[:2, None])
    np.testing.assert_array_equal(tf.vectorized_map(lambda k: X[k * 0 + 1 :], K), [[2.0, 3.0]] * 3)


def test_an_example_has_no_numpy():
    # As in TensorFlow: libraries ask, and compute with tensors then.
    def double(x):
        text = f"{x}"
        assert "one of 2 in vmap" in text
        assert text == str(x)
        return x.numpy() * 2 if hasattr(x, "numpy") else x * 2

    assert tf.vectorized_map(double, tf.constant([1.0, 2.0])).numpy().tolist() == [2.0, 4.0]
    with pytest.raises(TypeError, match="inside vmap has no single value"):
        tf.vectorized_map(lambda x: x.numpy(), tf.constant([1.0, 2.0]))
