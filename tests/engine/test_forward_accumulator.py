"""`autodiff.ForwardAccumulator`: Jacobian-vector products by dual numbers."""

import threading

import numpy as np
import pytest


def jvp_of(tf, function, primals, tangents, **options):
    with tf.autodiff.ForwardAccumulator(primals, tangents) as accumulator:
        result = function()
    return accumulator.jvp(result, **options)


# First order


def test_directional_derivative(tf):
    x = tf.constant([1.0, 2.0])
    jvp = jvp_of(tf, lambda: x * x, x, tf.constant([1.0, 0.0]))
    assert isinstance(jvp, tf.Tensor)
    np.testing.assert_array_equal(jvp.numpy(), [2.0, 0.0])


def test_variable_as_primal(tf):
    x = tf.Variable(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(10.0)) as accumulator:
        y = x * x
    assert accumulator.jvp(y).numpy() == 60.0
    assert accumulator.jvp(x).numpy() == 10.0


def test_several_primals(tf):
    x, v = tf.constant([1.0, 2.0]), tf.Variable(3.0)
    jvp = jvp_of(tf, lambda: x * v, [x, v], [tf.constant([1.0, 1.0]), tf.constant(10.0)])
    np.testing.assert_array_equal(jvp.numpy(), [13.0, 23.0])


def test_nested_primals_and_targets(tf):
    x, v = tf.constant([1.0, 2.0]), tf.Variable(3.0)
    primals = {"x": x, "v": v}
    tangents = {"x": tf.constant([1.0, 1.0]), "v": tf.constant(10.0)}
    with tf.autodiff.ForwardAccumulator(primals, tangents) as accumulator:
        y = x * v
    jvps = accumulator.jvp({"y": y, "primals": [x]})
    np.testing.assert_array_equal(jvps["y"].numpy(), [13.0, 23.0])
    np.testing.assert_array_equal(jvps["primals"][0].numpy(), [1.0, 1.0])


def test_tangent_may_be_an_array(tf):
    x = tf.constant([1.0, 2.0])
    jvp = jvp_of(tf, lambda: x * x, x, np.ones(2, np.float32))
    np.testing.assert_array_equal(jvp.numpy(), [2.0, 4.0])


def test_agrees_with_the_jacobian(tf):
    generator = np.random.default_rng(1)
    x = tf.constant(generator.normal(size=3))
    weights = tf.constant(generator.normal(size=(3, 4)))
    tangent = tf.constant(generator.normal(size=3))

    def function():
        return tf.tanh(tf.linalg.matvec(weights, x, transpose_a=True)) * tf.reduce_sum(x * x)

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function()
    expected = tape.jacobian(y, x).numpy() @ tangent.numpy()
    np.testing.assert_allclose(jvp_of(tf, function, x, tangent).numpy(), expected, rtol=1e-10)


def test_jvp_inside_the_context(tf):
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, x) as accumulator:
        y = x * x
        np.testing.assert_array_equal(accumulator.jvp(y).numpy(), [2.0, 8.0])


def test_operations_with_several_outputs(tf):
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([5.0, 7.0])) as accumulator:
        first, second = tf.unstack(x)
        halves = tf.split(x, 2)
        values, indices = tf.math.top_k(x, 2)
    assert [jvp.numpy() for jvp in accumulator.jvp([first, second])] == [5.0, 7.0]
    assert [jvp.numpy().tolist() for jvp in accumulator.jvp(halves)] == [[5.0], [7.0]]
    np.testing.assert_array_equal(accumulator.jvp(values).numpy(), [7.0, 5.0])
    assert accumulator.jvp(indices) is None


def test_gather_is_dense(tf):
    x = tf.Variable([1.0, 2.0])
    jvp = jvp_of(tf, lambda: tf.gather(x, [0, 1, 1]), x, tf.constant([5.0, 7.0]))
    np.testing.assert_array_equal(jvp.numpy(), [5.0, 7.0, 7.0])


# What is not connected


def test_unconnected_is_none(tf):
    x, apart = tf.constant(1.0), tf.constant([3.0, 4.0])
    assert jvp_of(tf, lambda: apart * apart, x, tf.constant(1.0)) is None


@pytest.mark.parametrize("by_name", [True, False])
def test_unconnected_zero(tf, by_name):
    x, apart = tf.constant(1.0), tf.constant([3.0, 4.0])
    zero = "zero" if by_name else tf.UnconnectedGradients.ZERO
    jvp = jvp_of(tf, lambda: apart * apart, x, tf.constant(1.0), unconnected_gradients=zero)
    np.testing.assert_array_equal(jvp.numpy(), [0.0, 0.0])


def test_unknown_value_for_unconnected_gradients(tf):
    x = tf.constant(1.0)
    with pytest.raises(ValueError, match="foo"):
        jvp_of(tf, lambda: x * x, x, x, unconnected_gradients="foo")


def test_only_what_happens_inside_counts(tf):
    x = tf.constant(3.0)
    before = x * x
    with tf.autodiff.ForwardAccumulator(x, x) as accumulator:
        y = before * 2.0
    after = x * x
    assert accumulator.jvp(y) is None
    assert accumulator.jvp(after) is None


def test_stop_gradient_stops_tangents(tf):
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 1.0])) as accumulator:
        stopped = tf.stop_gradient(x) * 2.0
        half = tf.stop_gradient(x) * x
    assert accumulator.jvp(stopped) is None
    np.testing.assert_array_equal(accumulator.jvp(half).numpy(), [1.0, 2.0])


def test_integer_results_have_no_tangent(tf):
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, x) as accumulator:
        as_integer, position = tf.cast(x, tf.int32), tf.argmax(x)
    assert accumulator.jvp(as_integer) is None
    assert accumulator.jvp(position) is None


def test_thread_is_not_seen(tf):
    x = tf.constant([1.0, 2.0])
    results = []
    with tf.autodiff.ForwardAccumulator(x, x) as accumulator:
        thread = threading.Thread(target=lambda: results.append(x * x))
        thread.start()
        thread.join()
    assert accumulator.jvp(results[0]) is None


# Variables that change


def test_assignment_inside_keeps_the_tangent_of_a_primal(tf):
    x = tf.Variable(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        before = x * x
        x.assign(10.0)
        after = x * x
    assert accumulator.jvp(before).numpy() == 6.0
    assert accumulator.jvp(after).numpy() == 20.0


def test_assignment_does_not_carry_tangents_to_another_variable(tf):
    x, state = tf.Variable(3.0), tf.Variable(1.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        state.assign(x * x)
        y = state * 2.0
    assert accumulator.jvp(y) is None


# Higher order


def test_nested_accumulators(tf):
    x = tf.constant(1.1, tf.float64)
    one = tf.constant(1.0, tf.float64)
    with tf.autodiff.ForwardAccumulator(x, one) as outer:
        with tf.autodiff.ForwardAccumulator(x, one) as inner:
            y = x**3.5
        first = inner.jvp(y)
    np.testing.assert_allclose(first.numpy(), 3.5 * 1.1**2.5)
    np.testing.assert_allclose(outer.jvp(y).numpy(), 3.5 * 1.1**2.5)
    np.testing.assert_allclose(outer.jvp(first).numpy(), 3.5 * 2.5 * 1.1**1.5)


def test_nested_accumulators_to_third_order(tf):
    x = tf.constant(2.0)
    one = tf.constant(1.0)
    with tf.autodiff.ForwardAccumulator(x, one) as third:
        with tf.autodiff.ForwardAccumulator(x, one) as second:
            with tf.autodiff.ForwardAccumulator(x, one) as first:
                y = x**4
            dy = first.jvp(y)
        d2y = second.jvp(dy)
    assert third.jvp(d2y).numpy() == 48.0


def test_nested_accumulators_of_different_primals(tf):
    x, y = tf.constant(2.0), tf.constant(3.0)
    one = tf.constant(1.0)
    with tf.autodiff.ForwardAccumulator(y, one) as outer:
        with tf.autodiff.ForwardAccumulator(x, one) as inner:
            z = x * x * y
        dx = inner.jvp(z)
    assert outer.jvp(dx).numpy() == 4.0


HESSIAN = np.array([[24.0, 12.0], [12.0, 2.0]])


def cubic(tf, x):
    return x[0] ** 3 * x[1] ** 2


@pytest.mark.parametrize("direction", [[1.0, 0.0], [0.0, 1.0], [2.0, -3.0]])
@pytest.mark.parametrize("as_variable", [False, True])
def test_hessian_vector_product_forward_over_reverse(tf, direction, as_variable):
    x = tf.Variable([1.0, 2.0]) if as_variable else tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant(direction)) as accumulator:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = cubic(tf, x)
        gradient = tape.gradient(y, x)
    np.testing.assert_allclose(accumulator.jvp(gradient).numpy(), HESSIAN @ direction)


@pytest.mark.parametrize("direction", [[1.0, 0.0], [0.0, 1.0], [2.0, -3.0]])
@pytest.mark.parametrize("as_variable", [False, True])
def test_hessian_vector_product_reverse_over_forward(tf, direction, as_variable):
    x = tf.Variable([1.0, 2.0]) if as_variable else tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(direction)) as accumulator:
            y = cubic(tf, x)
        jvp = accumulator.jvp(y)
    np.testing.assert_allclose(tape.gradient(jvp, x).numpy(), HESSIAN @ direction)


def test_hessian_vector_product_with_two_variables(tf):
    a, b = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    tangents = [tf.constant([1.0, 0.0]), tf.constant(1.0)]
    with tf.autodiff.ForwardAccumulator([a, b], tangents) as accumulator:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(a**2) * b**2
        gradients = tape.gradient(y, [a, b])
    by_a, by_b = accumulator.jvp(gradients)
    np.testing.assert_allclose(by_a.numpy(), [18.0 + 12.0, 24.0])
    np.testing.assert_allclose(by_b.numpy(), 12.0 + 10.0)


def test_gradient_with_respect_to_the_tangent(tf):
    x, tangent = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(tangent)
        jvp = jvp_of(tf, lambda: x**2, x, tangent)
    np.testing.assert_array_equal(tape.gradient(jvp, tangent).numpy(), [2.0, 4.0])


# Custom gradients and control flow


def test_custom_gradient_is_for_reverse_mode_only(tf):
    @tf.custom_gradient
    def function(x):
        return x * 2.0, lambda dy: dy * 100.0

    x = tf.constant([1.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 1.0])) as accumulator:
            y = function(x)
    np.testing.assert_array_equal(accumulator.jvp(y).numpy(), [2.0, 2.0])
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [100.0, 100.0])


def test_tangent_of_a_gradient_that_came_from_a_custom_gradient(tf):
    @tf.custom_gradient
    def function(x):
        return x * 2.0, lambda dy: dy * 100.0

    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 1.0])) as accumulator:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x * x)
        gradient = tape.gradient(y, x)
    np.testing.assert_array_equal(accumulator.jvp(gradient).numpy(), [200.0, 200.0])


def test_control_flow(tf):
    x = tf.Variable(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        power = x * 1.0
        for _ in range(3):
            power = power * x
        loop = tf.while_loop(
            lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (tf.constant(0), tf.constant(1.0))
        )[1]
        chosen = tf.cond(x > 0.0, lambda: x * x, lambda: -x)
        mapped = tf.map_fn(lambda element: element * x, tf.constant([1.0, 2.0]))
    assert accumulator.jvp(power).numpy() == 108.0
    assert accumulator.jvp(loop).numpy() == 27.0
    assert accumulator.jvp(chosen).numpy() == 6.0
    np.testing.assert_array_equal(accumulator.jvp(mapped).numpy(), [1.0, 2.0])


# Entering and leaving


def test_entering_again_goes_on(tf):
    x = tf.constant([1.0, 2.0])
    accumulator = tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 2.0]))
    with accumulator:
        y = x * x
    with accumulator:
        z = y * x
    np.testing.assert_array_equal(accumulator.jvp(z).numpy(), [3.0, 24.0])


def test_entering_twice_at_once(tf):
    x = tf.constant(1.0)
    with (
        tf.autodiff.ForwardAccumulator(x, x) as accumulator,
        pytest.raises(ValueError, match="already"),
    ):
        accumulator.__enter__()


def test_exception_leaves_a_clean_stack(tf):
    x = tf.constant(3.0)
    with pytest.raises(KeyError), tf.autodiff.ForwardAccumulator(x, x) as accumulator:
        raise KeyError
    assert accumulator.jvp(x * x) is None


# Errors


def test_same_primal_twice(tf):
    x = tf.constant(1.0)
    with pytest.raises(ValueError, match=r"multiple times|more than once"):
        tf.autodiff.ForwardAccumulator([x, x], [x, x])


def test_tangent_of_another_dtype(tf):
    x = tf.constant([1.0, 2.0])
    with pytest.raises(ValueError, match="float64"):
        tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 2.0], tf.float64))


@pytest.mark.parametrize("wrong", ["bare", "short"])
def test_tangents_of_another_structure(tf, wrong):
    x = tf.constant([1.0, 2.0])
    tangents = x if wrong == "bare" else [x]
    primals = [x] if wrong == "bare" else [x, tf.constant(1.0)]
    with pytest.raises(ValueError, match="structure"):
        tf.autodiff.ForwardAccumulator(primals, tangents)


def test_tangent_of_none(tf):
    with pytest.raises(ValueError, match="None"):
        tf.autodiff.ForwardAccumulator(tf.constant(1.0), None)


def test_integer_primal_warns(tf, logged):
    tf.autodiff.ForwardAccumulator(tf.constant(3), tf.constant(1))
    assert any("The dtype of the watched primal must be floating" in text for text in logged)
