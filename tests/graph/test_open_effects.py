"""With open sizes, a function's Python runs as often as in TensorFlow, whatever it needs."""

import numpy as np
import pytest

import gradtape as tf

OPEN = (tf.TensorSpec([None]),)


def _raises(x):
    raise ValueError("of the program")


def _finds_no_key(x):
    return {}["no such key"]


def _finds_no_attribute(x):
    return x.no_such_name


def _has_other_sizes(x):
    return x[:, None] @ tf.ones((4, 2)) + tf.ones((x.shape[0], 5))


@pytest.mark.parametrize(
    ("body", "error", "text"),
    [
        (_raises, ValueError, "of the program"),
        (_finds_no_key, KeyError, "no such key"),
        (_finds_no_attribute, AttributeError, "no_such_name"),
        (_has_other_sizes, tf.errors.InvalidArgumentError, r"In\[0\]: \[3, 1\], In\[1\]: \[4, 2\]"),
    ],
)
def test_an_error_of_the_program_is_raised_once(body, error, text):
    runs = []

    @tf.function(input_signature=OPEN)
    def function(x):
        runs.append(x)
        return body(x)

    for count in (1, 2):  # it was not traced: so it is tried again, as in TensorFlow
        with pytest.raises(error, match=text):
            function(tf.ones(3))
        assert len(runs) == count


def test_an_error_with_its_cause():
    @tf.function(input_signature=OPEN)
    def function(x):
        try:
            _finds_no_key(x)
        except KeyError as error:
            raise ValueError("of the program") from error

    with pytest.raises(ValueError, match="of the program") as caught:
        function(tf.ones(3))
    assert isinstance(caught.value.__cause__, KeyError)


def test_what_asks_for_a_number_is_traced_with_it():
    runs = []

    @tf.function(input_signature=OPEN)
    def function(x):
        runs.append(x)
        return x * float("3".rjust(x.shape[0])), tf.ones(2) * (np.arange(3) < x.shape[0])[0]

    for size, count in ((3, 1), (3, 1), (4, 2)):
        y, z = function(tf.ones(size))
        assert y.shape == (size,)
        assert z.numpy().tolist() == [1, 1]
        assert len(runs) == count


def _reversed(x):
    return tf.numpy_function(lambda a: a[::-1], [x], tf.float32)


def _halved(x):
    return tf.numpy_function(lambda a: a[: len(a) // 2], [x], tf.float32)


@pytest.mark.parametrize("inner", [_reversed, _halved])
def test_a_shape_that_depends_on_values_is_asked_for_once(inner):
    """The first call is finished by the trace that found it, whose sizes are open until then."""
    total = tf.Variable(0.0)
    runs = []

    @tf.function(input_signature=OPEN)
    def function(x):
        runs.append(x)
        y = x * 2.0 + tf.zeros((x.shape[0],)) + tf.cast(tf.shape(x)[0], tf.float32)
        z = tf.concat([tf.ensure_shape(inner(y), [None]), y], 0)
        total.assign_add(tf.reduce_sum(z))
        return z * total

    expected = 0.0
    for size, count in ((4, 1), (4, 1), (6, 2), (4, 2), (6, 2)):
        x = np.arange(size, dtype=np.float32)
        y = x * 2 + size
        z = np.concatenate([y[::-1] if inner is _reversed else y[: size // 2], y])
        expected += z.sum()
        watched = tf.constant(x)
        with tf.GradientTape() as tape:
            tape.watch(watched)
            result = function(watched)
        np.testing.assert_allclose(result, z * expected, rtol=1e-6)
        assert tape.gradient(result, watched).shape == (size,)
        assert total.numpy() == expected
        assert len(runs) == count


def test_gradients_of_top_k():
    runs = []

    @tf.function(input_signature=OPEN)
    def function(x):
        runs.append(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.math.top_k(x, 2).values
        return tape.gradient(y, x)

    assert function(tf.constant([3.0, 1.0, 2.0])).numpy().tolist() == [1, 0, 1]
    assert len(runs) == 1
    assert function(tf.constant([3.0, 1.0, 2.0, 5.0])).numpy().tolist() == [1, 0, 0, 1]
    assert len(runs) == 2  # it reads the number


@pytest.mark.parametrize("outside", [False, True])
def test_a_custom_gradient_uses_the_sizes_of_the_call(outside):
    @tf.custom_gradient
    def scaled(x):
        return x * 1.0, lambda g: g * tf.cast(tf.shape(x)[0], tf.float32) * tf.ones(x.shape)

    @tf.function(input_signature=OPEN)
    def function(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = scaled(tf.sin(x))
        return y if outside else tape.gradient(y, x)

    for size in (2, 3, 4, 3):
        x = tf.constant(np.linspace(-1, 1, size), tf.float32)
        with tf.GradientTape() as tape:
            tape.watch(x)
            result = function(x)
        result = tape.gradient(result, x) if outside else result
        np.testing.assert_allclose(result, size * np.cos(x), rtol=1e-6)
