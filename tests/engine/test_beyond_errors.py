"""Where TensorFlow is silent, or fails inside itself, gradtape says what is wrong or just works."""

import operator

import numpy as np
import pytest


def gradient_of(tf, function, sources, **options):
    with tf.GradientTape() as tape:
        tape.watch(sources)
        target = function()
    return tape.gradient(target, sources, **options)


# Wrong shapes that TensorFlow lets pass


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 2)])
def test_output_gradients_of_another_shape(tf, shape):
    x = tf.constant([1.0, 2.0])
    with pytest.raises(ValueError, match=r"output_gradients.*shape"):
        gradient_of(tf, lambda: x * 2.0, x, output_gradients=tf.ones(shape))


def test_output_gradients_too_few(tf):
    x = tf.constant([1.0, 2.0])
    with pytest.raises(ValueError, match="output_gradients"):
        gradient_of(tf, lambda: [x * 2.0, x * 3.0], x, output_gradients=[tf.ones(2)])


def test_output_gradients_of_none_inside_a_list_are_ones(tf):
    x = tf.constant([1.0, 2.0])
    gradient = gradient_of(
        tf, lambda: [x * 2.0, x * 3.0], x, output_gradients=[tf.constant([1.0, 10.0]), None]
    )
    np.testing.assert_array_equal(gradient.numpy(), [5.0, 23.0])


def test_custom_gradient_of_another_shape(tf):
    @tf.custom_gradient
    def function(x):
        return x * 2.0, lambda dy: tf.ones(3)

    x = tf.constant([1.0, 2.0])
    with pytest.raises(ValueError, match="shape"):
        gradient_of(tf, lambda: function(x), x)


def test_custom_gradient_may_be_an_array(tf):
    @tf.custom_gradient
    def function(x):
        return x * 2.0, lambda dy: np.array([5.0, 6.0], np.float32)

    x = tf.constant([1.0, 2.0])
    gradient = gradient_of(tf, lambda: function(x), x)
    assert isinstance(gradient, tf.Tensor)
    np.testing.assert_array_equal(gradient.numpy(), [5.0, 6.0])


@pytest.mark.parametrize("shape", [(), (3,), (2, 1)])
def test_tangent_of_another_shape(tf, shape):
    with pytest.raises(ValueError, match="shape"):
        tf.autodiff.ForwardAccumulator(tf.constant([1.0, 2.0]), tf.ones(shape))


# Things that are no tensors


@pytest.mark.parametrize("target", [3.0, np.ones(2, np.float32), [1.0, 2.0]])
def test_target_that_is_no_tensor(tf, target):
    x = tf.Variable(3.0)
    with pytest.raises((TypeError, ValueError), match="target"):
        gradient_of(tf, lambda: target, x)


@pytest.mark.parametrize(
    ("source", "type_name"), [(3.0, "float"), (np.ones(2, np.float32), "ndarray")]
)
def test_source_that_is_no_tensor(tf, source, type_name):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    with pytest.raises((TypeError, ValueError), match=type_name):
        tape.gradient(y, source)


def test_primal_that_is_no_tensor(tf):
    with pytest.raises((TypeError, ValueError), match="primal"):
        tf.autodiff.ForwardAccumulator(3.0, tf.constant(1.0))


@pytest.mark.parametrize("thing", [3.0, None])
def test_jvp_of_what_is_no_tensor(tf, thing):
    x = tf.constant(1.0)
    with tf.autodiff.ForwardAccumulator(x, x) as accumulator:
        x * x
    with pytest.raises((TypeError, ValueError), match=type(thing).__name__):
        accumulator.jvp(thing)


def test_jacobian_of_what_is_no_tensor(tf):
    x = tf.Variable([1.0, 2.0])
    for target in (3.0, None, [x * 1.0, x * 2.0]):
        with tf.GradientTape() as tape:
            x * x
        with pytest.raises((TypeError, ValueError), match="target"):
            tape.jacobian(target, x)


# Edge cases where TensorFlow fails inside itself


def test_watch_before_the_tape_is_entered_is_remembered(tf):
    x = tf.constant(3.0)
    tape = tf.GradientTape()
    tape.watch(x)
    with tape:
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0


def test_batch_jacobian_of_an_empty_batch(tf):
    x = tf.zeros((0, 3))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x**2
    assert tape.batch_jacobian(y, x).shape == (0, 3, 3)


def test_batch_jacobian_of_a_scalar_target(tf):
    x = tf.ones((2, 3))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x)
    with pytest.raises(ValueError, match="rank"):
        tape.batch_jacobian(y, x)


def test_gradient_of_indexed_slices_as_target(tf):
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(tf.gather(table, [0, 0]) ** 3)
        gradient = inner.gradient(y, table)
    second = tf.convert_to_tensor(outer.gradient(gradient, table))
    np.testing.assert_allclose(second.numpy(), [[12.0, 24.0], [0.0, 0.0]])


def test_jacobians_one_by_one_need_no_persistent_tape(tf):
    x = tf.constant([[1.0, 2.0]])
    for method in ("jacobian", "batch_jacobian"):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        jacobian = getattr(tape, method)(y, x, experimental_use_pfor=False)
        np.testing.assert_array_equal(jacobian.numpy().reshape(2, 2), np.diag([2.0, 4.0]))


# recompute_grad


def test_recompute_grad_to_second_order(tf):
    function = tf.recompute_grad(lambda x: x**3)
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = function(x)
        gradient = inner.gradient(y, x)
    assert gradient.numpy() == 12.0
    assert outer.gradient(gradient, x).numpy() == 12.0


def test_recompute_grad_in_forward_mode(tf):
    function = tf.recompute_grad(lambda x: x**3)
    x = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        y = function(x)
    assert accumulator.jvp(y).numpy() == 12.0


def test_recompute_grad_repeats_a_dropout_that_draws_from_the_global_seed(tf):
    tf.random.set_seed(1)
    function = tf.recompute_grad(lambda x: tf.nn.dropout(x, 0.5) * x)
    x = tf.ones(100)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    assert 0 < np.count_nonzero(y.numpy()) < 100
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), 2.0 * y.numpy())


@pytest.mark.parametrize("value", ["2", 2.0, True])
def test_only_integers_are_indices(tf, value):
    tensor = tf.constant(value)
    with pytest.raises(TypeError, match=r"only integer scalar tensors .* to an index, got <dtype"):
        operator.index(tensor)


@pytest.mark.parametrize("value", [np.str_("ab"), np.bytes_(b"ab")])
def test_numpy_scalars_that_are_strings(tf, value):
    """They are both NumPy scalars and Python strings: an array of strings gives them one by one."""
    tensor = tf.constant(value)
    assert (tensor.dtype, tensor.shape, tensor.numpy()) == (tf.string, (), b"ab")
