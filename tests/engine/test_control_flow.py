"""Gradients through control flow: Python's own, and the functions that structure it."""

import numpy as np
import pytest


def value_and_gradient(tf, function, sources):
    with tf.GradientTape() as tape:
        tape.watch(sources)
        target = function()
    return target, tape.gradient(target, sources)


@pytest.fixture
def x(tf):
    return tf.Variable(3.0)


@pytest.fixture
def row(tf):
    return tf.constant([1.0, 2.0, 3.0])


# Python


def test_python_branches_and_loops(tf, x):
    def function():
        y = tf.constant(1.0)
        for step in range(4):
            if y < 20.0:
                y = y * x
                continue
            y = y + step * x
        return y

    value, gradient = value_and_gradient(tf, function, x)
    assert value.numpy() == 36.0
    assert gradient.numpy() == 30.0


def test_python_while_until_a_tensor_is_false(tf, x):
    def function():
        y = x * 1.0
        while y < 100.0:
            y = y * x
        return y

    value, gradient = value_and_gradient(tf, function, x)
    assert value.numpy() == 243.0
    assert gradient.numpy() == 5 * 81.0


def test_python_iteration_over_rows(tf, row):
    _, gradient = value_and_gradient(tf, lambda: sum(element**2 for element in row), row)
    np.testing.assert_array_equal(gradient.numpy(), [2.0, 4.0, 6.0])


def test_recursion(tf, x):
    def power(n):
        return x if n == 1 else x * power(n - 1)

    assert value_and_gradient(tf, lambda: power(4), x)[1].numpy() == 108.0


# cond, case, switch_case


@pytest.mark.parametrize(("bound", "expected"), [(1.0, 6.0), (5.0, -1.0)])
def test_cond(tf, x, bound, expected):
    _, gradient = value_and_gradient(tf, lambda: tf.cond(x > bound, lambda: x * x, lambda: -x), x)
    assert gradient.numpy() == expected


def test_cond_with_a_python_bool_and_structures(tf, x):
    result = tf.cond(True, lambda: {"a": x * 2.0, "b": [x + 1.0]}, lambda: {"a": x, "b": [x]})
    assert result["a"].numpy() == 6.0
    assert result["b"][0].numpy() == 4.0


def test_branches_give_tensors_in_functions_that_are_not_traced(tf):
    numbers = tf.data.Dataset.range(2)
    halves = numbers.map(lambda i: tf.cond(i > 0, lambda: 1, lambda: 2) / 2)
    assert halves.element_spec.dtype == tf.float64  # as int32 / int32 is, and no Python division
    assert [x.numpy() for x in halves] == [1.0, 0.5]
    chosen = numbers.map(lambda i: tf.switch_case(tf.cast(i, tf.int32), [lambda: 1, lambda: 2]) / 2)
    assert chosen.element_spec.dtype == tf.float64


def test_cond_runs_one_branch_only(tf, x):
    calls = []

    def other():
        calls.append(1)
        return x

    tf.cond(x > 0.0, lambda: x * 1.0, other)
    assert calls == []


def test_cond_errors(tf, x):
    with pytest.raises(TypeError, match="callable"):
        tf.cond(True, x, lambda: x)
    with pytest.raises(ValueError, match="truth value"):
        tf.cond(tf.constant([True, False]), lambda: x, lambda: x)


@pytest.mark.parametrize(
    ("index", "expected"), [(0, 2.0), (1, 6.0), (2, 27.0), (9, 27.0), (-1, 27.0)]
)
def test_switch_case(tf, x, index, expected):
    branches = [lambda: x * 2.0, lambda: x * x, lambda: x**3]
    _, gradient = value_and_gradient(tf, lambda: tf.switch_case(tf.constant(index), branches), x)
    assert gradient.numpy() == expected


def test_switch_case_with_default(tf, x):
    branches = {0: lambda: x * 2.0, 1: lambda: x * x}
    _, gradient = value_and_gradient(
        tf, lambda: tf.switch_case(tf.constant(7), branches, default=lambda: x * 5.0), x
    )
    assert gradient.numpy() == 5.0


def test_switch_case_needs_an_integer(tf, x):
    with pytest.raises(TypeError, match="branch_index"):
        tf.switch_case(tf.constant(1.0), [lambda: x, lambda: x])


def test_case_takes_the_first_that_holds(tf, x):
    def function():
        return tf.case(
            [(x > 5.0, lambda: x * 2.0), (x > 1.0, lambda: x * x), (x > 0.0, lambda: x)],
            default=lambda: -x,
        )

    value, gradient = value_and_gradient(tf, function, x)
    assert value.numpy() == 9.0
    assert gradient.numpy() == 6.0


def test_case_default_and_errors(tf, x):
    assert tf.case([(x > 5.0, lambda: x * 2.0)], default=lambda: x * 7.0).numpy() == 21.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.case([(x > 5.0, lambda: x * 2.0)])
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.case(
            [(x > 0.0, lambda: x * 2.0), (x > 1.0, lambda: x * x)],
            default=lambda: x * 1.0,
            exclusive=True,
        )


# while_loop


@pytest.mark.parametrize("container", [tuple, list])
def test_while_loop(tf, x, container):
    def function():
        start = container([tf.constant(0), tf.constant(1.0)])
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: container([i + 1, y * x]), start)

    assert type(function()) is container
    value, gradient = value_and_gradient(tf, lambda: function()[1], x)
    assert value.numpy() == 27.0
    assert gradient.numpy() == 27.0


def test_while_loop_by_its_initial_value(tf, x):
    start = tf.constant(2.0)
    _, gradients = value_and_gradient(
        tf,
        lambda: tf.while_loop(
            lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (tf.constant(0), start)
        )[1],
        [x, start],
    )
    assert [gradient.numpy() for gradient in gradients] == [54.0, 27.0]


def test_while_loop_that_never_runs(tf, x):
    value, gradient = value_and_gradient(
        tf,
        lambda: tf.while_loop(
            lambda i, y: i < 0, lambda i, y: (i + 1, y * x), (tf.constant(0), tf.constant(1.0))
        )[1],
        x,
    )
    assert value.numpy() == 1.0
    assert gradient is None


def test_while_loop_with_nested_state(tf):
    (state,) = tf.while_loop(
        lambda state: state["i"] < 3,
        lambda state: ({"i": state["i"] + 1},),
        ({"i": tf.constant(0)},),
    )
    assert state["i"].numpy() == 3


def test_while_loop_stops_at_the_maximum(tf):
    result = tf.while_loop(
        lambda i: True, lambda i: (i + 1,), (tf.constant(0),), maximum_iterations=7
    )
    assert tf.nest.flatten(result)[0].numpy() == 7


def test_while_loop_may_change_shapes(tf, x):
    def function():
        return tf.while_loop(
            lambda i, y: i < 3,
            lambda i, y: (i + 1, tf.concat([y, y], 0)),
            (tf.constant(0), x * tf.constant([1.0])),
        )[1]

    value, gradient = value_and_gradient(tf, function, x)
    assert value.shape == (8,)
    assert gradient.numpy() == 8.0


def test_while_loop_to_second_order(tf, x):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.while_loop(
                lambda i, y: i < 4,
                lambda i, y: (i + 1, y * x),
                (tf.constant(0), tf.constant(1.0)),
            )[1]
        gradient = inner.gradient(y, x)
    assert outer.gradient(gradient, x).numpy() == 108.0


def test_while_loop_errors(tf):
    with pytest.raises(TypeError, match="'cond' must be callable"):
        tf.while_loop(3, lambda i: i, (tf.constant(0),))
    with pytest.raises(ValueError, match="structure"):
        tf.while_loop(lambda i: i < 3, lambda i: (i + 1, i), (tf.constant(0),))


# scan, folds, map_fn


def test_scan(tf, row):
    value, gradient = value_and_gradient(tf, lambda: tf.scan(lambda a, e: a * e, row), row)
    np.testing.assert_array_equal(value.numpy(), [1.0, 2.0, 6.0])
    np.testing.assert_array_equal(gradient.numpy(), [9.0, 4.0, 2.0])


def test_scan_with_initializer_and_captured_variable(tf, row, x):
    value, (by_row, by_x) = value_and_gradient(
        tf,
        lambda: tf.scan(lambda a, e: a * e + x, row, initializer=tf.constant(1.0)),
        [row, x],
    )
    np.testing.assert_array_equal(value.numpy(), [4.0, 11.0, 36.0])
    np.testing.assert_array_equal(by_row.numpy(), [9.0, 16.0, 11.0])
    assert by_x.numpy() == 14.0


def test_scan_in_reverse(tf, row):
    value, gradient = value_and_gradient(
        tf, lambda: tf.scan(lambda a, e: a * e, row, reverse=True), row
    )
    np.testing.assert_array_equal(value.numpy(), [6.0, 6.0, 3.0])
    np.testing.assert_array_equal(gradient.numpy(), [6.0, 6.0, 5.0])


def test_scan_of_structures(tf, row):
    sums, products = tf.scan(
        lambda a, e: (a[0] + e[0], a[1] * e[1]),
        (row, row),
        initializer=(tf.constant(0.0), tf.constant(1.0)),
    )
    np.testing.assert_array_equal(sums.numpy(), [1.0, 3.0, 6.0])
    np.testing.assert_array_equal(products.numpy(), [1.0, 2.0, 6.0])


@pytest.mark.parametrize(
    ("name", "value", "gradient"),
    [("foldl", 11.0, [4.0, 2.0, 1.0]), ("foldr", 17.0, [1.0, 2.0, 4.0])],
)
def test_folds(tf, row, name, value, gradient):
    fold = getattr(tf, name)
    result, by_row = value_and_gradient(tf, lambda: fold(lambda a, e: a * 2.0 + e, row), row)
    assert result.numpy() == value
    np.testing.assert_array_equal(by_row.numpy(), gradient)


@pytest.mark.parametrize(("name", "value"), [("foldl", 35.0), ("foldr", 41.0)])
def test_folds_with_initializer(tf, row, x, name, value):
    fold = getattr(tf, name)
    result, by_x = value_and_gradient(
        tf, lambda: fold(lambda a, e: a * 2.0 + e, row, initializer=x * 1.0), x
    )
    assert result.numpy() == value
    assert by_x.numpy() == 8.0


def test_map_fn(tf, row, x):
    value, (by_row, by_x) = value_and_gradient(
        tf, lambda: tf.map_fn(lambda e: e * e * x, row), [row, x]
    )
    np.testing.assert_array_equal(value.numpy(), [3.0, 12.0, 27.0])
    np.testing.assert_array_equal(by_row.numpy(), [6.0, 12.0, 18.0])
    assert by_x.numpy() == 14.0


def test_map_fn_of_structures_and_dtypes(tf, row):
    total, product = tf.map_fn(
        lambda e: (e[0] + e[1], e[0] * e[1]),
        (row, row),
        fn_output_signature=(tf.float32, tf.float32),
    )
    np.testing.assert_array_equal(total.numpy(), [2.0, 4.0, 6.0])
    np.testing.assert_array_equal(product.numpy(), [1.0, 4.0, 9.0])
    as_integers = tf.map_fn(lambda e: tf.cast(e, tf.int32), row, fn_output_signature=tf.int32)
    assert as_integers.dtype == tf.int32


def test_a_branch_gives_anything_eagerly(tf):
    result = (1, np.int32, {"text": [None]})
    for value in (
        tf.cond(True, lambda: result, lambda: 0),
        tf.case([(True, lambda: result)]),
        tf.switch_case(tf.constant(1), [lambda: 0, lambda: result]),
    ):
        assert value is result


@pytest.mark.parametrize("rows", [0, 3])
def test_map_fn_with_numpy_types(tf, row, rows):
    signature = (np.float64, {"a": np.int32}, np.dtype("bool"))

    def function(e):
        return tf.cast(e, tf.float64), {"a": tf.cast(e, tf.int32)}, e > 1

    double, integers, flags = tf.map_fn(function, row[:rows], signature)
    results = (double, integers["a"], flags)
    assert [y.dtype for y in results] == [tf.float64, tf.int32, tf.bool]
    assert [y.shape for y in results] == [[rows]] * 3


def test_map_fn_takes_what_converts_itself(tf):
    class Pair:
        def __tf_tensor__(self, dtype=None, name=None):
            return tf.constant([1.0, 2.0])

    given = tf.map_fn(lambda i: Pair(), tf.range(2), fn_output_signature=tf.float32)
    assert given.numpy().tolist() == [[1.0, 2.0], [1.0, 2.0]]


def test_map_fn_of_nothing(tf, row):
    assert tf.map_fn(lambda e: e * 2.0, row[:0]).shape == (0,)


def test_map_fn_errors(tf, row):
    with pytest.raises(ValueError, match="scalar"):
        tf.map_fn(lambda e: e, tf.constant(1.0))
    with pytest.raises(ValueError, match=r"3.*2"):
        tf.map_fn(lambda e: e[0], (row, tf.ones(2)), fn_output_signature=tf.float32)


def test_recurrent_network(tf):
    generator = np.random.default_rng(0)
    inputs = tf.constant(generator.normal(size=(5, 2)))
    weights = tf.Variable(generator.normal(size=(2, 2)))

    def step(state, element):
        return tf.tanh(tf.linalg.matvec(weights, state) + element)

    start = tf.zeros(2, tf.float64)
    scanned, by_scan = value_and_gradient(
        tf, lambda: tf.scan(step, inputs, initializer=start)[-1], weights
    )

    def unrolled():
        state = start
        for element in inputs:
            state = step(state, element)
        return state

    looped, by_loop = value_and_gradient(tf, unrolled, weights)
    np.testing.assert_allclose(scanned.numpy(), looped.numpy())
    np.testing.assert_allclose(by_scan.numpy(), by_loop.numpy(), rtol=1e-10)


def test_tensor_array(tf, x):
    def function():
        array = tf.TensorArray(tf.float32, size=3)
        for index in range(3):
            array = array.write(index, x * float(index + 1))
        return tf.reduce_sum(array.stack() ** 2)

    assert value_and_gradient(tf, function, x)[1].numpy() == 84.0


# vectorized_map


def test_vectorized_map(tf, x):
    matrix = tf.constant(np.arange(6.0, dtype=np.float32).reshape(2, 3))
    value, (by_matrix, by_x) = value_and_gradient(
        tf, lambda: tf.vectorized_map(lambda e: tf.reduce_sum(e * e) * x, matrix), [matrix, x]
    )
    np.testing.assert_array_equal(value.numpy(), [15.0, 150.0])
    np.testing.assert_array_equal(by_matrix.numpy(), 6.0 * matrix.numpy())
    assert by_x.numpy() == 55.0


def test_vectorized_map_of_structures(tf, row):
    total, rest = tf.vectorized_map(lambda e: (e[0] + e[1], {"p": e[0] * e[1]}), (row, row))
    np.testing.assert_array_equal(total.numpy(), [2.0, 4.0, 6.0])
    np.testing.assert_array_equal(rest["p"].numpy(), [1.0, 4.0, 9.0])


def test_vectorized_map_of_a_constant(tf, row):
    result = tf.vectorized_map(lambda e: tf.constant(3.0), row)
    np.testing.assert_array_equal(result.numpy(), [3.0, 3.0, 3.0])


def test_vectorized_map_broadcasts_one_element(tf, row):
    result = tf.vectorized_map(lambda e: e[0] + e[1], (row, tf.ones(1)))
    np.testing.assert_array_equal(result.numpy(), [2.0, 3.0, 4.0])


def test_tape_inside_vectorized_map(tf):
    matrix = tf.constant(np.arange(6.0, dtype=np.float32).reshape(2, 3))

    def gradient(element):
        with tf.GradientTape() as tape:
            tape.watch(element)
            y = tf.reduce_sum(element**3)
        return tape.gradient(y, element)

    np.testing.assert_allclose(
        tf.vectorized_map(gradient, matrix).numpy(), 3.0 * matrix.numpy() ** 2
    )


def test_gradients_of_each_example(tf):
    matrix = tf.constant(np.arange(6.0, dtype=np.float32).reshape(2, 3))
    weights = tf.Variable([1.0, 2.0, 3.0])

    def gradient(example):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(example * weights) ** 2
        return tape.gradient(y, weights)

    expected = [[0.0, 16.0, 32.0], [156.0, 208.0, 260.0]]
    np.testing.assert_array_equal(tf.vectorized_map(gradient, matrix).numpy(), expected)


def test_vectorized_map_agrees_with_map_fn(tf):
    generator = np.random.default_rng(0)
    batch = tf.constant(generator.normal(size=(4, 3, 3)))

    def function(matrix):
        return tf.linalg.matvec(tf.tanh(matrix), matrix[0]) + tf.reduce_max(matrix, axis=1)

    vectorized, by_vectorized = value_and_gradient(
        tf, lambda: tf.vectorized_map(function, batch), batch
    )
    mapped, by_mapped = value_and_gradient(tf, lambda: tf.map_fn(function, batch), batch)
    np.testing.assert_allclose(vectorized.numpy(), mapped.numpy(), rtol=1e-12)
    np.testing.assert_allclose(by_vectorized.numpy(), by_mapped.numpy(), rtol=1e-10)
