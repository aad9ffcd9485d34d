"""`custom_gradient`: derivatives given by hand."""

import numpy as np
import pytest

# Inputs and outputs


def test_gradient_is_the_one_given(tf, gradient_of):
    @tf.custom_gradient
    def function(x):
        return x * x, lambda dy: dy * 100.0

    x = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal(function(x).numpy(), [1.0, 4.0])
    np.testing.assert_array_equal(gradient_of(function, x).numpy(), [100.0, 100.0])


def test_upstream_gradient_arrives(tf, gradient_of):
    @tf.custom_gradient
    def function(x):
        return x * 1.0, lambda dy: dy

    x = tf.constant(3.0)
    assert gradient_of(lambda x: function(x) ** 2, x).numpy() == 6.0


def test_several_inputs(tf, gradient_of):
    @tf.custom_gradient
    def function(x, y):
        return x * y, lambda dy: (dy * 10.0, dy * 20.0)

    dx, dy = gradient_of(function, tf.constant(1.0), tf.constant(2.0))
    assert (dx.numpy(), dy.numpy()) == (10.0, 20.0)


@pytest.mark.parametrize("container", [tuple, list])
def test_several_outputs(tf, gradient_of, container):
    @tf.custom_gradient
    def function(x, y):
        def gradient(by_product, by_sum):
            return by_product * y + by_sum, by_product * x + by_sum

        return container([x * y, x + y]), gradient

    x, y = tf.constant(3.0), tf.constant(5.0)
    assert type(function(x, y)) is container
    dx, dy = gradient_of(function, x, y)
    assert (dx.numpy(), dy.numpy()) == (6.0, 4.0)


def test_dict_of_outputs(tf, gradient_of):
    @tf.custom_gradient
    def function(x):
        return {"a": x * 2.0, "b": x * 3.0}, lambda da, db: da * 100.0 + db * 10.0

    x = tf.constant(1.0)
    assert sorted(function(x)) == ["a", "b"]
    assert gradient_of(function, x).numpy() == 110.0
    assert gradient_of(lambda x: function(x)["b"], x).numpy() == 10.0


def test_output_that_is_not_used_has_a_gradient_of_zeros(tf, gradient_of):
    seen = []

    @tf.custom_gradient
    def function(x):
        def gradient(first, second):
            seen.append((first.numpy().tolist(), second.numpy().tolist()))
            return first * 100.0 + second * 10.0

        return (x * 2.0, x * 3.0), gradient

    x = tf.constant([1.0, 2.0])
    result = gradient_of(lambda x: function(x)[0], x)
    assert seen == [([1.0, 1.0], [0.0, 0.0])]
    np.testing.assert_array_equal(result.numpy(), [100.0, 100.0])


def test_integer_output_beside_a_float_one(tf, gradient_of):
    @tf.custom_gradient
    def function(x):
        return (x * 2.0, tf.cast(x, tf.int32)), lambda dy, _: dy * 3.0

    assert gradient_of(lambda x: function(x)[0], tf.constant(1.5)).numpy() == 3.0


def test_output_that_is_the_input(tf, gradient_of):
    @tf.custom_gradient
    def reverse(x):
        return x, lambda dy: -dy

    x, v = tf.constant([1.0, 2.0]), tf.Variable(3.0)
    np.testing.assert_array_equal(gradient_of(reverse, x).numpy(), [-1.0, -1.0])
    assert gradient_of(lambda v: reverse(v) ** 2, v).numpy() == -6.0


def test_list_as_argument(tf, gradient_of):
    @tf.custom_gradient
    def function(pair):
        return pair[0] * pair[1], lambda dy: [dy * 10.0, dy * 20.0]

    x, y = tf.constant(2.0), tf.constant(3.0)
    dx, dy = gradient_of(lambda x, y: function([x, y]), x, y)
    assert (dx.numpy(), dy.numpy()) == (10.0, 20.0)


def test_arguments_arrive_as_they_were_given(tf, gradient_of):
    kinds = []

    @tf.custom_gradient
    def function(x, n):
        kinds.append((isinstance(x, tf.Variable), type(n)))
        return x * n, lambda dy: (dy * 10.0, None)

    v = tf.Variable(3.0)
    assert gradient_of(lambda v: function(v, 2.0), v).numpy() == 10.0
    assert kinds == [(True, float)]


def test_keyword_arguments_have_no_gradient(tf, gradient_of):
    @tf.custom_gradient
    def function(x, scale=1.0):
        return x * scale, lambda dy: dy * scale * 10.0

    x, scale = tf.constant(2.0), tf.constant(5.0)
    assert gradient_of(lambda x: function(x, scale=3.0), x).numpy() == 30.0
    dx, dscale = gradient_of(lambda x, scale: function(x, scale=scale), x, scale)
    assert dx.numpy() == 50.0
    assert dscale is None


def test_none_as_gradient(tf, gradient_of):
    @tf.custom_gradient
    def function(x, y):
        return x * y, lambda dy: (dy * y, None)

    dx, dy = gradient_of(function, tf.constant(3.0), tf.constant(5.0))
    assert dx.numpy() == 5.0
    assert dy is None


def test_none_as_the_only_gradient(tf, gradient_of):
    @tf.custom_gradient
    def function(x):
        return x * 2.0, lambda dy: None

    assert gradient_of(function, tf.constant(3.0)) is None


def test_given_gradient_replaces_that_of_the_operations_inside(tf, gradient_of):
    @tf.custom_gradient
    def function(x):
        inside = x * 7.0
        return inside * x, lambda dy: dy * 2.0

    x = tf.constant(3.0)
    assert function(x).numpy() == 63.0
    assert gradient_of(function, x).numpy() == 2.0


# Decorating


def test_method(tf, gradient_of):
    class Scale:
        def __init__(self, factor):
            self.factor = factor

        @tf.custom_gradient
        def __call__(self, x):
            return x * self.factor, lambda dy: dy * 7.0

    assert gradient_of(Scale(3.0), tf.constant(2.0)).numpy() == 7.0
    assert Scale(3.0)(tf.constant(2.0)).numpy() == 6.0


def test_function_made_inside_a_method(tf, gradient_of):
    class Scale:
        factor = 3.0

        def apply(self, x):
            @tf.custom_gradient
            def function(x):
                return x * self.factor, lambda dy: dy * self.factor * 2.0

            return function(x)

    assert gradient_of(Scale().apply, tf.constant(2.0)).numpy() == 6.0


def test_decorated_function_keeps_its_name_and_text(tf):
    @tf.custom_gradient
    def function(x):
        """What it does."""
        return x, lambda dy: dy

    assert function.__name__ == "function"
    assert function.__doc__ == "What it does."


def test_used_inside_another(tf, gradient_of):
    @tf.custom_gradient
    def inner(x):
        return x * 2.0, lambda dy: dy * 10.0

    @tf.custom_gradient
    def outer(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x)
        by_x = tape.gradient(y, x)
        return y, lambda dy: dy * by_x * 3.0

    assert outer(tf.constant(5.0)).numpy() == 10.0
    assert gradient_of(outer, tf.constant(5.0)).numpy() == 30.0


def test_called_twice_with_different_values(tf, gradient_of):
    @tf.custom_gradient
    def square(x):
        return x * x, lambda dy: dy * 2.0 * x

    assert gradient_of(lambda x: square(square(x)), tf.constant(3.0)).numpy() == 108.0


# Captured variables


def test_captured_variable(tf, gradient_of):
    weight = tf.Variable(3.0)
    seen = []

    @tf.custom_gradient
    def function(x):
        def gradient(dy, variables=None):
            seen.extend(variables)
            return dy * 10.0, [dy * 100.0]

        return x * weight, gradient

    dx, dweight = gradient_of(lambda x, _: function(x), tf.constant(2.0), weight)
    assert seen[0] is weight
    assert (dx.numpy(), dweight.numpy()) == (10.0, 100.0)


def test_captured_variables_are_watched_by_the_tape(tf):
    weight = tf.Variable(3.0)

    @tf.custom_gradient
    def function(x):
        return x * weight, lambda dy, variables=None: (dy, [dy * 5.0])

    with tf.GradientTape() as tape:
        y = function(tf.constant(2.0))
    assert tape.watched_variables()[0] is weight
    assert tape.gradient(y, weight).numpy() == 5.0


def test_captured_variables_through_keyword_arguments(tf, gradient_of):
    weight = tf.Variable(3.0)

    @tf.custom_gradient
    def function(x):
        def gradient(dy, **options):
            return dy * 10.0, [dy * 100.0 for _ in options["variables"]]

        return x * weight, gradient

    dx, dweight = gradient_of(lambda x, _: function(x), tf.constant(2.0), weight)
    assert (dx.numpy(), dweight.numpy()) == (10.0, 100.0)


def test_several_captured_variables(tf, gradient_of):
    first, second = tf.Variable(3.0), tf.Variable(5.0)

    @tf.custom_gradient
    def function(x):
        def gradient(dy, variables=None):
            return dy, [dy * variable.numpy() for variable in variables]

        return x * second * first, gradient

    gradients = gradient_of(lambda x, *_: function(x), tf.constant(1.0), first, second)
    assert [gradient.numpy() for gradient in gradients] == [1.0, 3.0, 5.0]


@pytest.mark.parametrize("with_tape", [True, False])
def test_captured_variable_without_the_argument_for_it(tf, gradient_of, with_tape):
    weight = tf.Variable(3.0)

    @tf.custom_gradient
    def function(x):
        return x * weight, lambda dy: dy * weight

    call = (lambda x: gradient_of(function, x)) if with_tape else function
    with pytest.raises(TypeError, match="must accept keyword argument 'variables'"):
        call(tf.constant(2.0))


def test_captured_non_trainable_variable_needs_no_argument(tf, gradient_of):
    weight = tf.Variable(3.0, trainable=False)

    @tf.custom_gradient
    def function(x):
        return x * weight, lambda dy: dy * weight

    assert gradient_of(function, tf.constant(2.0)).numpy() == 3.0


def test_argument_for_variables_without_any(tf, gradient_of):
    @tf.custom_gradient
    def function(x):
        return x * 2.0, lambda dy, variables=None: (dy * 10.0, [])

    assert gradient_of(function, tf.constant(2.0)).numpy() == 10.0


def test_too_few_gradients_of_variables(tf, gradient_of):
    weight = tf.Variable(3.0)

    @tf.custom_gradient
    def function(x):
        return x * weight, lambda dy, variables=None: (dy * 10.0, [])

    with pytest.raises(ValueError, match="Must return gradient for each variable"):
        gradient_of(function, tf.constant(2.0))


# Higher order


def derivative(tf, function):
    def differentiated(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    return differentiated


def test_log1pexp_is_stable_where_the_naive_form_is_not(tf):
    def naive(x):
        return tf.math.log(1.0 + tf.exp(x))

    @tf.custom_gradient
    def stable(x):
        e = tf.exp(x)
        return tf.math.log(1.0 + e), lambda dy: dy * (1.0 - 1.0 / (1.0 + e))

    large = tf.constant(100.0)
    assert np.isnan(derivative(tf, naive)(large).numpy())
    assert derivative(tf, stable)(large).numpy() == 1.0


def test_log1pexp_to_third_order(tf):
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)
        return tf.math.log(1.0 + e), lambda dy: dy * (1.0 - 1.0 / (1.0 + e))

    x = tf.constant(1.0, tf.float64)
    s = 1.0 / (1.0 + np.exp(-1.0))
    function = log1pexp
    for expected in (s, s * (1 - s), s * (1 - s) * (1 - 2 * s)):
        function = derivative(tf, function)
        np.testing.assert_allclose(function(x).numpy(), expected, rtol=1e-12)


def test_log1pexp_with_a_custom_gradient_of_the_gradient(tf):
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)

        @tf.custom_gradient
        def slope(x):
            return 1.0 - 1.0 / (1.0 + e), lambda dy: dy * (1.0 - 1.0 / (1.0 + e)) / (1.0 + e)

        return tf.math.log(1.0 + e), lambda dy: dy * slope(x)

    large = tf.constant(100.0)
    assert derivative(tf, log1pexp)(large).numpy() == 1.0
    assert derivative(tf, derivative(tf, log1pexp))(large).numpy() == 0.0
    x = tf.constant(1.0, tf.float64)
    s = 1.0 / (1.0 + np.exp(-1.0))
    third = derivative(tf, derivative(tf, derivative(tf, log1pexp)))
    np.testing.assert_allclose(third(x).numpy(), s * (1 - s) * (1 - 2 * s), rtol=1e-12)


def test_second_derivative_is_that_of_the_given_gradient(tf):
    @tf.custom_gradient
    def function(x):
        return x * 0.0, lambda dy: dy * x**3

    x = tf.constant(2.0)
    assert derivative(tf, function)(x).numpy() == 8.0
    assert derivative(tf, derivative(tf, function))(x).numpy() == 12.0


def test_second_derivative_with_captured_variable(tf):
    weight = tf.Variable(3.0)

    @tf.custom_gradient
    def function(x):
        return x * weight, lambda dy, variables=None: (dy * weight**2, [dy * x**2])

    x = tf.constant(5.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        dx = inner.gradient(y, x)
    assert dx.numpy() == 9.0
    assert outer.gradient(dx, weight).numpy() == 6.0


# Errors


def test_wrong_number_of_gradients(tf, gradient_of):
    @tf.custom_gradient
    def few(x, y):
        return x * y, lambda dy: dy

    @tf.custom_gradient
    def many(x):
        return x * x, lambda dy: (dy, dy)

    with pytest.raises(ValueError, match=r"expected to return 2.*returned 1"):
        gradient_of(few, tf.constant(1.0), tf.constant(2.0))
    with pytest.raises(ValueError, match=r"expected to return 1.*returned 2"):
        gradient_of(many, tf.constant(1.0))


def test_function_without_a_gradient_function(tf):
    @tf.custom_gradient
    def function(x):
        return x * 2.0, 3

    with pytest.raises(TypeError):
        function(tf.constant(1.0))
