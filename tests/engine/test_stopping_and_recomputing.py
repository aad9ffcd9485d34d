"""`stop_gradient`, `grad_pass_through` and `recompute_grad`."""

import numpy as np

# stop_gradient and grad_pass_through


def test_stop_gradient(tf, gradient_of):
    x = tf.Variable(3.0)
    assert gradient_of(lambda x: x * tf.stop_gradient(x * x), x).numpy() == 9.0
    assert gradient_of(lambda x: tf.stop_gradient(x * x), x) is None


def test_stop_gradient_keeps_the_value(tf):
    assert tf.stop_gradient(tf.constant(3)).dtype == tf.int32
    assert tf.stop_gradient(3.0).numpy() == 3.0
    assert isinstance(tf.stop_gradient(tf.Variable(3.0)), tf.Tensor)


def test_grad_pass_through(tf, gradient_of):
    x = tf.constant([1.4, 2.6])
    rounded = tf.grad_pass_through(tf.round)
    np.testing.assert_array_equal(rounded(x).numpy(), [1.0, 3.0])
    np.testing.assert_array_equal(gradient_of(rounded, x).numpy(), [1.0, 1.0])
    assert gradient_of(lambda x: rounded(x)[1] * 5.0, x).numpy().tolist() == [0.0, 5.0]


def test_grad_pass_through_an_assignment(tf):
    x, state = tf.Variable(3.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        y = tf.grad_pass_through(state.assign)(x * 2.0) * 5.0
    assert state.numpy() == 6.0
    assert tape.gradient(y, x).numpy() == 10.0


# recompute_grad


def test_recompute_grad_gives_the_same_value_and_gradients(tf, gradient_of):
    weight = tf.Variable(3.0, dtype=tf.float64)
    x = tf.constant([0.1, 0.2], tf.float64)

    def function(x):
        return tf.sin(tf.exp(x) * weight)

    plain = gradient_of(lambda x, _: function(x), x, weight)
    again = tf.recompute_grad(function)
    np.testing.assert_array_equal(again(x).numpy(), function(x).numpy())
    recomputed = gradient_of(lambda x, _: again(x), x, weight)
    for expected, actual in zip(plain, recomputed, strict=True):
        np.testing.assert_allclose(actual.numpy(), expected.numpy(), rtol=1e-12)


def test_recompute_grad_runs_the_function_once_more(tf):
    calls = []

    @tf.recompute_grad
    def function(x):
        calls.append(1)
        return x * x

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    assert len(calls) == 1
    assert tape.gradient(y, x).numpy() == 6.0
    assert len(calls) == 2


def test_recompute_grad_with_keywords_and_several_outputs(tf, gradient_of):
    @tf.recompute_grad
    def function(x, y, scale=1.0):
        return x * y * scale, x + y

    dx, dy = gradient_of(lambda x, y: function(x, y, scale=2.0), tf.constant(3.0), tf.constant(5.0))
    assert (dx.numpy(), dy.numpy()) == (11.0, 7.0)


def test_recompute_grad_in_a_chain(tf, gradient_of):
    weights = [tf.Variable(1.5), tf.Variable(0.5), tf.Variable(2.0)]
    layers = [tf.recompute_grad(lambda x, w=w: tf.tanh(x * w)) for w in weights]

    def chain(x, *_):
        for layer in layers:
            x = layer(x)
        return x

    def plain(x, *_):
        for weight in weights:
            x = tf.tanh(x * weight)
        return x

    x = tf.constant(0.3)
    expected = gradient_of(plain, x, *weights)
    for actual, reference in zip(gradient_of(chain, x, *weights), expected, strict=True):
        np.testing.assert_allclose(actual.numpy(), reference.numpy(), rtol=1e-6)


def test_recompute_grad_repeats_a_dropout_with_a_seed_of_its_own(tf, gradient_of):
    @tf.recompute_grad
    def function(x):
        return tf.nn.experimental.stateless_dropout(x, 0.5, seed=[7, 8]) * x

    x = tf.ones(50)
    value = function(x).numpy()
    gradient = gradient_of(function, x).numpy()
    assert 0 < np.count_nonzero(value) < 50
    np.testing.assert_array_equal(gradient, 2.0 * value)


def test_recompute_grad_repeats_the_draws_of_a_generator(tf):
    generator = tf.random.Generator.from_seed(3)

    @tf.recompute_grad
    def function(x):
        return generator.uniform([50]) * x

    x = tf.ones(50)
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = function(x)
    state = generator.state.numpy()
    np.testing.assert_array_equal(tape.gradient(value, x).numpy(), value.numpy())
    # The backward pass draws nothing new.
    np.testing.assert_array_equal(generator.state.numpy(), state)
