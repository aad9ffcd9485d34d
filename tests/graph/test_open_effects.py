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


def _mixes_dtypes(x):
    return x + tf.constant([1, 2, 3])


def _has_no_such_keyword(x):
    return tf.reduce_sum(x, axes=0)


def _has_rows_of_other_lengths(x):
    ragged = tf.RaggedTensor.from_row_lengths(x, [1, 2])
    return ragged + tf.ragged.constant([[1.0, 2.0], [3.0]])


def _misses_an_argument(x):
    return tf.reshape(x)


def _has_no_such_row(x):
    return [1.0, 2.0][x.shape[0]]


def _is_not_implemented(x):
    raise NotImplementedError("by this kind of model")


def _finds_it_empty(x):
    return tf.argmax(tf.zeros((x.shape[0], x.shape[0] - 3)), 1)


def _complains_of_a_size(x):
    raise TypeError("Size mismatch")


def _has_other_sizes(x):
    return x[:, None] @ tf.ones((4, 2)) + tf.ones((x.shape[0], 5))


@pytest.mark.parametrize(
    ("body", "error", "text"),
    [
        (_raises, ValueError, "of the program"),
        (_finds_no_key, KeyError, "no such key"),
        (_finds_no_attribute, AttributeError, "no_such_name"),
        (_complains_of_a_size, TypeError, "Size mismatch"),
        (_mixes_dtypes, tf.errors.InvalidArgumentError, "float32"),
        (_has_no_such_keyword, TypeError, "unexpected keyword argument 'axes'"),
        (_misses_an_argument, TypeError, "missing"),
        (_has_rows_of_other_lengths, tf.errors.InvalidArgumentError, "rows?"),
        (_has_no_such_row, IndexError, "list index out of range"),
        (_is_not_implemented, NotImplementedError, "by this kind of model"),
        (_finds_it_empty, tf.errors.InvalidArgumentError, r"axis 1 is empty in shape \[3, 0\]"),
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


@pytest.mark.parametrize(
    ("body", "result"),
    [
        (lambda x: x * np.sqrt(x.shape[0] + np.int64(1)), [2.0] * 3),
        (lambda x: x * (np.arange(1, 4) * x.shape[0]), [3.0, 6.0, 9.0]),
        (lambda x: x / np.maximum(x.shape[0], 4), [0.25] * 3),
        (lambda x: x * np.var(np.ones(x.shape[0]), ddof=1), [0.0] * 3),
        (lambda x: x * np.linalg.norm(np.ones(x.shape)) ** 2, [3.0] * 3),
        (lambda x: tf.broadcast_to(x[:, None][:1], (1, 4))[0], [1.0] * 4),
        (lambda x: tf.broadcast_to(tf.reshape(x, (3, 1)), (3, x.shape[0]))[0], [1.0] * 3),
    ],
)
def test_numpy_computes_with_the_number(body, result):
    runs = []

    @tf.function(input_signature=OPEN)
    def function(x):
        runs.append(x)
        return body(x)

    np.testing.assert_allclose(function(tf.ones(3)), result, rtol=1e-6)
    assert len(runs) == 1


def test_an_integer_of_numpys_beside_a_size_fixes_nothing():
    runs = []

    @tf.function(input_signature=OPEN)
    def function(x):
        runs.append(x)
        rows = (np.int64(7) + x.shape[0] * np.int32(2) - np.int64(1)) // np.int64(2)
        return tf.zeros((rows,)) if np.int64(0) < x.shape[0] else x

    assert [function(tf.ones(size)).shape[0] for size in (3, 4, 5)] == [6, 7, 8]
    assert len(runs) == 1


def test_an_axis_of_one_is_broadcast():
    """Which of two ways the size of a call fits is a condition: one trace for each of them."""
    runs = []

    @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([None])])
    def function(x, y):
        runs.append(x)
        return tf.broadcast_to(x, tf.shape(y))

    for x, y, count in ((3, 3, 1), (1, 4, 2), (5, 5, 2), (1, 1, 2), (1, 7, 2)):
        assert function(tf.ones(x), tf.ones(y)).shape == (y,)
        assert len(runs) == count


@pytest.mark.parametrize("is_open", [False, True])
def test_what_needs_a_value_is_called_once(is_open):
    """The trace that fails is not repeated for known sizes; what it has called is kept."""
    called, runs = [], []
    sums = {"by ids": tf.math.segment_sum}  # the look-ahead does not find it here

    @tf.function(input_signature=[tf.TensorSpec([None] if is_open else [3])])
    def function(x):
        runs.append(x)
        y = tf.ensure_shape(tf.numpy_function(lambda a: called.append(a) or a, [x], "float32"), [3])
        return sums.get("by ids")(y, tf.cast(x, tf.int32))

    assert function(tf.zeros(3) + 1).numpy().tolist() == [0, 3]
    assert (len(called), len(runs)) == (1, 2)


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
    assert function(tf.constant([3.0, 1.0, 2.0, 5.0])).numpy().tolist() == [1, 0, 0, 1]
    assert len(runs) == 1


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
