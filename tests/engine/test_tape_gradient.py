"""`tape.gradient`: sources, targets, output gradients, unconnected gradients."""

from collections import OrderedDict, namedtuple

import numpy as np
import pytest

Pair = namedtuple("Pair", ["first", "second"])


def gradient_of(tf, function, sources, **options):
    with tf.GradientTape() as tape:
        target = function()
    return tape.gradient(target, sources, **options)


# Sources


def test_single_source_gives_a_single_gradient(tf):
    x = tf.Variable(3.0)
    gradient = gradient_of(tf, lambda: x**3, x)
    assert gradient.numpy() == 27.0
    assert isinstance(gradient, tf.Tensor)


def test_list_gives_a_list_and_tuple_a_tuple(tf):
    x, y = tf.Variable(2.0), tf.Variable(5.0)
    as_list = gradient_of(tf, lambda: x * y, [x, y])
    as_tuple = gradient_of(tf, lambda: x * y, (x, y))
    assert type(as_list) is list
    assert type(as_tuple) is tuple
    assert [g.numpy() for g in as_list] == [g.numpy() for g in as_tuple] == [5.0, 2.0]


def test_dict_keeps_its_keys(tf):
    x, y = tf.Variable(2.0), tf.Variable(5.0)
    gradients = gradient_of(tf, lambda: x * y, {"z": x, "a": y})
    assert {key: g.numpy() for key, g in gradients.items()} == {"z": 5.0, "a": 2.0}


def test_ordered_dict_and_named_tuple_keep_their_type(tf):
    x, y = tf.Variable(2.0), tf.Variable(5.0)
    ordered = gradient_of(tf, lambda: x * y, OrderedDict([("z", x), ("a", y)]))
    pair = gradient_of(tf, lambda: x * y, Pair(x, y))
    assert isinstance(ordered, OrderedDict)
    assert list(ordered) == ["z", "a"]
    assert ordered["z"].numpy() == 5.0
    assert isinstance(pair, Pair)
    assert (pair.first.numpy(), pair.second.numpy()) == (5.0, 2.0)


def test_deeply_nested_sources(tf):
    a, b, c = (tf.Variable(value) for value in (2.0, 3.0, 4.0))
    gradients = gradient_of(tf, lambda: a * b * c, {"x": [a, (b,)], "y": {"z": c}})
    assert gradients["x"][0].numpy() == 12.0
    assert type(gradients["x"][1]) is tuple
    assert gradients["x"][1][0].numpy() == 8.0
    assert gradients["y"]["z"].numpy() == 6.0


def test_no_sources_give_no_gradients(tf):
    x = tf.Variable(2.0)
    assert gradient_of(tf, lambda: x * x, []) == []


def test_same_source_twice_gets_the_whole_gradient_twice(tf):
    x = tf.Variable(3.0)
    first, second = gradient_of(tf, lambda: x * x, [x, x])
    assert first.numpy() == second.numpy() == 6.0


def test_unused_source_is_none(tf):
    x, unused = tf.Variable(3.0), tf.Variable(1.0)
    assert gradient_of(tf, lambda: x * x, [x, unused])[1] is None


def test_source_used_only_after_the_target_is_none(tf):
    x, later = tf.Variable(3.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
        y * later
    assert tape.gradient(y, later) is None


def test_source_of_integer_dtype_is_none(tf):
    x = tf.Variable(3.0)
    i = tf.constant([1, 2])
    assert gradient_of(tf, lambda: x * x, i) is None


@pytest.mark.parametrize("source", [None, "abc"])
def test_source_that_is_no_tensor_is_a_type_error(tf, source):
    x = tf.Variable(3.0)
    with pytest.raises(TypeError):
        gradient_of(tf, lambda: x * x, source)


def test_gradient_with_respect_to_an_intermediate(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        middle = x * x
        y = middle * middle
    dx, dmiddle = tape.gradient(y, [x, middle])
    assert dx.numpy() == 108.0
    assert dmiddle.numpy() == 18.0


def test_intermediate_made_outside_the_watched_path_is_none(tf):
    x, c = tf.Variable(3.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        aside = c * c
        y = x * aside
    assert tape.gradient(y, aside) is None


# Targets


def test_target_that_is_the_source(tf):
    x = tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
    np.testing.assert_array_equal(tape.gradient(x, x).numpy(), [1.0, 1.0])


def test_watched_tensor_as_target_and_source(tf):
    x = tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
    np.testing.assert_array_equal(tape.gradient(x, x).numpy(), [1.0, 1.0])


def test_target_among_the_sources(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    dy, dx = tape.gradient(y, [y, x])
    assert dy.numpy() == 1.0
    assert dx.numpy() == 6.0


def test_list_of_targets_is_summed(tf):
    x = tf.Variable(3.0)
    assert gradient_of(tf, lambda: [x * x, 5.0 * x], x).numpy() == 11.0


def test_dict_of_targets_is_summed(tf):
    x = tf.Variable(3.0)
    assert gradient_of(tf, lambda: {"a": x * x, "b": {"c": 5.0 * x}}, x).numpy() == 11.0


def test_targets_of_different_shapes_are_summed(tf):
    x = tf.Variable([1.0, 2.0])
    gradient = gradient_of(tf, lambda: [x * x, tf.reduce_sum(x), x[0]], x)
    np.testing.assert_array_equal(gradient.numpy(), [4.0, 5.0])


def test_same_target_twice_counts_twice(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.gradient([y, y], x).numpy() == 12.0


def test_target_and_its_own_ancestor(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        z = y * y
    dx, dy = tape.gradient([y, z], [x, y])
    assert dx.numpy() == 114.0
    assert dy.numpy() == 19.0


def test_empty_list_of_targets(tf):
    x = tf.Variable(3.0)
    assert gradient_of(tf, list, x) is None


def test_non_scalar_target_is_summed_over_its_elements(tf):
    x = tf.Variable([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(gradient_of(tf, lambda: x * x, x).numpy(), [2.0, 4.0, 6.0])


def test_non_scalar_target_of_a_scalar_source(tf):
    x = tf.Variable(2.0)
    assert gradient_of(tf, lambda: x * tf.constant([3.0, 4.0]), x).numpy() == 7.0


def test_target_computed_without_the_tape_is_none(tf):
    x = tf.Variable(2.0)
    y = x * x
    with tf.GradientTape() as tape:
        x * x
    assert tape.gradient(y, x) is None


def test_constant_target_is_none(tf):
    x = tf.Variable(2.0)
    assert gradient_of(tf, lambda: tf.constant(5.0), x) is None


def test_target_of_none_is_a_type_error(tf):
    x = tf.Variable(2.0)
    with pytest.raises(TypeError, match="None"):
        gradient_of(tf, lambda: None, x)


def test_target_of_text_is_a_type_error(tf):
    x = tf.Variable(2.0)
    with pytest.raises(TypeError):
        gradient_of(tf, lambda: "abc", x)


@pytest.mark.parametrize("name", ["int32", "int64", "uint8", "bool"])
def test_target_that_is_not_floating_is_none(tf, name):
    x = tf.Variable([1.0, 0.0])
    assert gradient_of(tf, lambda: tf.cast(x, name), x) is None


def test_comparison_as_target_is_none(tf):
    x = tf.Variable([1.0, 2.0])
    assert gradient_of(tf, lambda: x > 1.5, x) is None


def test_integer_target_beside_a_float_one_adds_nothing(tf):
    x = tf.Variable([1.0, 2.0])
    gradient = gradient_of(tf, lambda: [tf.cast(x, tf.int32), x * 2.0], x)
    np.testing.assert_array_equal(gradient.numpy(), [2.0, 2.0])


# Complex numbers


def test_complex_target_of_a_real_source(tf):
    x = tf.Variable([1.0, 2.0])
    factor = tf.constant(2 + 3j, tf.complex64)
    gradient = gradient_of(tf, lambda: tf.complex(x, x) * factor, x)
    assert gradient.dtype == tf.float32
    np.testing.assert_array_equal(gradient.numpy(), [-1.0, -1.0])


def test_gradient_of_a_holomorphic_function_is_conjugated(tf):
    z = tf.Variable(1 + 2j, dtype=tf.complex128)
    gradient = gradient_of(tf, lambda: z * z * z, z)
    assert gradient.dtype == tf.complex128
    np.testing.assert_allclose(gradient.numpy(), np.conj(3 * (1 + 2j) ** 2))


def test_gradient_of_a_real_function_of_a_complex_number(tf):
    z = tf.Variable(3 + 4j, dtype=tf.complex128)
    np.testing.assert_allclose(gradient_of(tf, lambda: tf.abs(z), z).numpy(), 0.6 + 0.8j)
    np.testing.assert_allclose(gradient_of(tf, lambda: tf.math.real(z), z).numpy(), 1.0)
    np.testing.assert_allclose(gradient_of(tf, lambda: tf.math.imag(z), z).numpy(), 1j)


# Output gradients


def test_output_gradients_weigh_the_elements(tf):
    x = tf.Variable([1.0, 2.0])
    weights = tf.constant([10.0, 100.0])
    gradient = gradient_of(tf, lambda: x * x, x, output_gradients=weights)
    np.testing.assert_array_equal(gradient.numpy(), [20.0, 400.0])


def test_output_gradients_may_be_an_array(tf):
    x = tf.Variable([1.0, 2.0])
    weights = np.array([10.0, 100.0], np.float32)
    gradient = gradient_of(tf, lambda: x * x, x, output_gradients=weights)
    np.testing.assert_array_equal(gradient.numpy(), [20.0, 400.0])


def test_output_gradients_of_none_are_ones(tf):
    x = tf.Variable([1.0, 2.0])
    gradient = gradient_of(tf, lambda: x * x, x, output_gradients=None)
    np.testing.assert_array_equal(gradient.numpy(), [2.0, 4.0])


def test_output_gradients_of_a_list_of_targets(tf):
    x = tf.Variable([1.0, 2.0])
    weights = [tf.constant([1.0, 10.0]), tf.constant(0.5)]
    gradient = gradient_of(tf, lambda: [x * x, tf.reduce_sum(x * 4.0)], x, output_gradients=weights)
    np.testing.assert_array_equal(gradient.numpy(), [4.0, 42.0])


def test_output_gradients_of_a_dict_of_targets(tf):
    x = tf.Variable([1.0, 2.0])
    weights = {"a": tf.constant([1.0, 1.0]), "b": tf.constant([0.0, 0.0])}
    gradient = gradient_of(tf, lambda: {"a": x * x, "b": x * 7.0}, x, output_gradients=weights)
    np.testing.assert_array_equal(gradient.numpy(), [2.0, 4.0])


def test_output_gradients_chain_two_tapes(tf):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as first:
        middle = x * x
    with tf.GradientTape() as second:
        second.watch(middle)
        y = tf.reduce_sum(middle * middle)
    by_middle = second.gradient(y, middle)
    by_x = first.gradient(middle, x, output_gradients=by_middle)
    np.testing.assert_array_equal(by_x.numpy(), [4.0, 32.0])


def test_output_gradients_of_the_wrong_shape_are_an_error_where_the_rule_sees_it(tf):
    x = tf.Variable([1.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError):
        gradient_of(tf, lambda: tf.tanh(x), x, output_gradients=tf.constant([1.0, 2.0, 3.0]))


def test_output_gradients_of_the_wrong_dtype_are_an_error(tf):
    x = tf.Variable([1.0, 2.0])
    weights = tf.constant([1.0, 2.0], tf.float64)
    with pytest.raises(tf.errors.InvalidArgumentError):
        gradient_of(tf, lambda: x * x, x, output_gradients=weights)


def test_output_gradients_are_differentiated_themselves(tf):
    x, weight = tf.Variable(3.0), tf.Variable(5.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x * x
        dx = inner.gradient(y, x, output_gradients=weight * weight)
    by_weight, by_x = outer.gradient(dx, [weight, x])
    assert dx.numpy() == 150.0
    assert by_weight.numpy() == 60.0
    assert by_x.numpy() == 50.0


# Unconnected gradients


def test_unconnected_none_is_the_default(tf):
    x, apart = tf.Variable(3.0), tf.Variable([1.0, 2.0])
    assert gradient_of(tf, lambda: x * x, apart) is None
    assert gradient_of(tf, lambda: x * x, apart, unconnected_gradients="none") is None
    none = tf.UnconnectedGradients.NONE
    assert gradient_of(tf, lambda: x * x, apart, unconnected_gradients=none) is None


@pytest.mark.parametrize("by_name", [True, False])
def test_unconnected_zero_gives_zeros_like_the_source(tf, by_name):
    x, apart = tf.Variable(3.0), tf.Variable([1.0, 2.0], dtype=tf.float64)
    zero = "zero" if by_name else tf.UnconnectedGradients.ZERO
    dx, dapart = gradient_of(tf, lambda: x * x, [x, apart], unconnected_gradients=zero)
    assert dx.numpy() == 6.0
    assert dapart.dtype == tf.float64
    np.testing.assert_array_equal(dapart.numpy(), [0.0, 0.0])


def test_unconnected_zero_through_a_cut(tf):
    x = tf.Variable([1.0, 2.0])
    gradient = gradient_of(tf, lambda: tf.stop_gradient(x) * 2.0, x, unconnected_gradients="zero")
    np.testing.assert_array_equal(gradient.numpy(), [0.0, 0.0])


def test_unconnected_zero_of_an_integer_source(tf):
    x, i = tf.Variable(3.0), tf.constant([1, 2])
    gradient = gradient_of(tf, lambda: x * x, i, unconnected_gradients="zero")
    assert gradient.dtype == tf.int32
    np.testing.assert_array_equal(gradient.numpy(), [0, 0])


@pytest.mark.parametrize("value", ["nope", "ZERO", None, 0])
def test_unknown_value_for_unconnected_gradients(tf, value):
    x = tf.Variable(3.0)
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients"):
        gradient_of(tf, lambda: x * x, x, unconnected_gradients=value)


def test_unconnected_gradients_enum(tf):
    assert tf.UnconnectedGradients("none") is tf.UnconnectedGradients.NONE
    assert tf.UnconnectedGradients("zero") is tf.UnconnectedGradients.ZERO
    assert tf.UnconnectedGradients.ZERO.value == "zero"


# Fan-out, broadcasting, dtypes


def test_fan_out_is_summed(tf):
    x = tf.Variable(2.0)
    gradient = gradient_of(tf, lambda: x * x + tf.exp(x) + x + 3.0 * x, x)
    np.testing.assert_allclose(gradient.numpy(), 8.0 + np.exp(np.float32(2.0)), rtol=1e-6)


def test_diamond(tf):
    x = tf.Variable(2.0)

    def diamond():
        top = x * x
        left, right = top * 3.0, top * top
        return left * right

    assert gradient_of(tf, diamond, x).numpy() == 18.0 * 2.0**5


def test_doubling_chain_is_linear_in_its_length(tf):
    x = tf.Variable(1.0, dtype=tf.float64)

    def doubled():
        y = x + 0.0
        for _ in range(60):
            y = y + y
        return y

    assert gradient_of(tf, doubled, x).numpy() == 2.0**60


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((), (3,)),
        ((3,), ()),
        ((1,), (3,)),
        ((2, 1), (3,)),
        ((2, 1), (1, 3)),
        ((2, 1, 4), (3, 1)),
        ((0, 3), (1, 3)),
        ((1, 3), (0, 1)),
    ],
)
def test_broadcasting_is_undone(tf, left, right):
    generator = np.random.default_rng(0)
    a = generator.normal(size=left)
    b = generator.normal(size=right)
    x, y = tf.Variable(a), tf.Variable(b)
    dx, dy = gradient_of(tf, lambda: x * y, [x, y])
    ones = np.ones(np.broadcast_shapes(left, right))
    np.testing.assert_allclose(dx.numpy(), _sum_to(ones * b, left))
    np.testing.assert_allclose(dy.numpy(), _sum_to(ones * a, right))
    assert dx.shape == left
    assert dy.shape == right


def _sum_to(value, shape):
    value = value.sum(axis=tuple(range(value.ndim - len(shape))))
    kept = tuple(axis for axis, size in enumerate(shape) if size == 1 and value.shape[axis] != 1)
    return value.sum(axis=kept, keepdims=True)


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
def test_gradient_has_the_dtype_of_its_source(tf, name):
    x = tf.Variable(tf.cast([1.0, 2.0], name))
    gradient = gradient_of(tf, lambda: tf.reduce_sum(tf.cast(x, tf.float64) ** 2), x)
    assert gradient.dtype == x.dtype
    np.testing.assert_array_equal(tf.cast(gradient, tf.float64).numpy(), [2.0, 4.0])


def test_python_scalars_take_part_without_a_gradient_of_their_own(tf):
    x = tf.Variable([1.0, 2.0])
    gradient = gradient_of(tf, lambda: 2 * x + x / 4 - 3 + 1.0 / x, x)
    np.testing.assert_allclose(gradient.numpy(), [2.25 - 1.0, 2.25 - 0.25])


def test_branch_not_taken_can_spoil_the_gradient(tf):
    x = tf.Variable([0.0, 4.0])
    gradient = gradient_of(tf, lambda: tf.where(x > 0.0, tf.math.log(x), 0.0), x).numpy()
    assert np.isnan(gradient[0])
    assert gradient[1] == 0.25


def test_square_root_at_zero_lets_a_zero_pass(tf):
    x = tf.Variable([0.0, 4.0])
    gradient = gradient_of(tf, lambda: tf.where(x > 0.0, tf.sqrt(x), 0.0), x)
    np.testing.assert_array_equal(gradient.numpy(), [0.0, 0.25])
    assert gradient_of(tf, lambda: tf.sqrt(x), x).numpy()[0] == np.inf


def test_empty_tensor(tf):
    x = tf.Variable(np.zeros((0, 3), np.float32))
    gradient = gradient_of(tf, lambda: tf.reduce_sum(x * x), x)
    assert gradient.shape == (0, 3)


def test_gradient_is_the_same_each_time(tf):
    x = tf.Variable([0.1, 0.2, 0.3])
    results = [gradient_of(tf, lambda: tf.exp(x) * tf.sin(x), x).numpy() for _ in range(3)]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


@pytest.mark.parametrize("kind", ["variable", "frozen variable", "constant"])
def test_target_that_is_a_source_needs_no_watching(tf, kind):
    x = tf.constant(2.0) if kind == "constant" else tf.Variable(2.0, trainable=kind == "variable")
    w = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = w * w
    gradients = tape.gradient([x, y], [x, w])
    assert [g.numpy() for g in gradients] == [1.0, 6.0]
