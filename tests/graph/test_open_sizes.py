"""Functions with open sizes: one trace for all of them, with the values of eager code."""

import numpy as np
import pytest

import gradtape as tf

PAIRS = [(3, 5), (7, 4), (2, 9), (1, 6), (6, 1), (1, 1), (5, 5), (4, 17), (3, 5), (3, 5), (3, 5)]
EMPTY = [(0, 4), (3, 0), (0, 0)]


def _conv(x):
    kernel = tf.reshape(tf.range(12, dtype=tf.float32), (3, 1, 4)) / 12
    return tf.nn.conv1d(x[..., None], kernel, 1, "SAME")


def _attention(x):
    q = tf.nn.softmax(tf.matmul(x, x, transpose_b=True) / tf.sqrt(tf.cast(tf.shape(x)[1], tf.float32)))
    return q @ x


def _positions(x):
    length = tf.shape(x)[1]
    positions = tf.cast(tf.range(length), tf.float32)[None, :]
    return x + tf.sin(positions) * tf.cast(length, tf.float32)


def _masked(x):
    lengths = tf.argmax(x, 1) + 1
    mask = tf.sequence_mask(lengths, tf.shape(x)[1], tf.float32)
    return tf.reduce_sum(x * mask, 1) / tf.reduce_sum(mask, 1)


def _padded(x):
    return tf.pad(x, [[1, 0], [0, 2]]) * 2.0


def _scan(x):
    return tf.scan(lambda a, row: 0.5 * a + row, tf.transpose(x), tf.zeros(tf.shape(x)[:1]))


def _branch(x):
    return tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2, lambda: x - tf.cast(tf.size(x), x.dtype))


def _concat(x):
    return tf.concat([x, x[:, ::-1], tf.ones_like(x)], 1)


# Functions of a matrix, and for how many traces there is a reason.
FUNCTIONS = {
    "sum": lambda x: tf.reduce_sum(tf.tanh(x), 1),
    "mean": lambda x: tf.reduce_mean(x, 0) + tf.reduce_mean(x),
    "variance": lambda x: tf.math.reduce_variance(x, 1, keepdims=True) * x,
    "flatten": lambda x: tf.reshape(x, [-1]) * 2,
    "rows apart": lambda x: tf.reshape(x, [tf.shape(x)[0], -1, 1]),
    "transpose": lambda x: tf.transpose(x) @ x,
    "outer": lambda x: x[:, None, :] * x[:, :, None],
    "zeros": lambda x: tf.zeros([tf.shape(x)[0], 2 * tf.shape(x)[1]]) + 1,
    "like": lambda x: tf.zeros_like(x) + tf.ones_like(x[:, 0:0]).shape.rank,
    "softmax": lambda x: tf.nn.softmax(x),
    "tile": lambda x: tf.tile(x, [2, 3]),
    "stack": lambda x: tf.stack([x, x * x], 1),
    "concat": _concat,
    "split": lambda x: tf.split(tf.concat([x, x], 0), 2, 0)[1],
    "gather": lambda x: tf.gather(x, [0, 0, 0]),
    "last": lambda x: x[:, -1] + x[:, 0],
    "tail": lambda x: x[1:, :] - x[:-1, :],
    "steps": lambda x: x[::2, ::3],
    "reverse": lambda x: tf.reverse(x, [0, 1]),
    "cumsum": lambda x: tf.cumsum(x, 1),
    "sort": lambda x: tf.sort(x, 1),
    "one hot": lambda x: tf.one_hot(tf.argmax(x, 1), 4),
    "where": lambda x: tf.where(x > 0, x, tf.zeros(tf.shape(x))),
    "norm": lambda x: tf.linalg.norm(x + 1, axis=1),
    "broadcast": lambda x: tf.broadcast_to(x[:, :1], tf.shape(x)),
    "map": lambda x: tf.map_fn(lambda row: tf.reduce_sum(row) * row, x),
    "size": lambda x: tf.reduce_sum(x) / tf.cast(tf.size(x), tf.float32),
    "python number": lambda x: x / x.shape[0],
    "einsum": lambda x: tf.einsum("ij,kj->ik", x, x),
    "conv": _conv,
    "attention": _attention,
    "positions": _positions,
    "masked": _masked,
    "padded": _padded,
    "scan": _scan,
    "branch": _branch,
}
# These take a number of each size: the trace of one size is no other's.
PER_SIZE = {
    "python loop": lambda x: tf.add_n([x[i] for i in range(x.shape[0])]),
    "numpy": lambda x: x * np.arange(x.shape[1], dtype=np.float32),
    "eye": lambda x: x @ tf.eye(x.shape[1]),
    "unstack": lambda x: tf.add_n(tf.unstack(x)),
    "text": lambda x: x * float(f"{x.shape[0]:d}"),
}


def traced(function):
    """Return a `tf.function` with open sizes, and the list of the shapes that it was traced for."""
    shapes = []

    def body(x):
        shapes.append(x.shape)
        return function(x)

    return tf.function(body, input_signature=[tf.TensorSpec([None, None])]), shapes


def matrix(rows, columns):
    return tf.constant(np.random.RandomState(rows + 31 * columns).randn(rows, columns), "float32")


def compare(made, wanted, close):
    assert made.dtype == wanted.dtype
    assert tuple(made.shape) == tuple(wanted.shape)
    close(made.numpy(), wanted.numpy())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_trace_serves_all_sizes(name):
    function, shapes = traced(FUNCTIONS[name])
    for pair in PAIRS:
        x = matrix(*pair)
        compare(function(x), FUNCTIONS[name](x), np.testing.assert_allclose)
    assert len(shapes) == 1, function._cache.open


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - {"scan"}))  # eager code scans no empty rows
def test_empty_tensors_are_as_in_eager_code(name):
    function, _ = traced(FUNCTIONS[name])
    for pair in [(3, 5), *EMPTY, (4, 2)]:
        x = matrix(*pair)
        try:
            wanted = FUNCTIONS[name](x)
        except Exception as error:  # of an op that takes no empty tensors
            with pytest.raises(type(error)):
                function(x)
        else:
            compare(function(x), wanted, np.testing.assert_allclose)


@pytest.mark.parametrize("name", PER_SIZE)
def test_a_number_of_a_size_makes_the_trace_for_that_size_alone(name):
    function, shapes = traced(PER_SIZE[name])
    for pair in PAIRS:
        x = matrix(*pair)
        compare(function(x), PER_SIZE[name](x), np.testing.assert_allclose)
    assert len(shapes) > 2


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_inside_and_outside(name):
    weight = tf.Variable(1.5)

    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(tf.square(FUNCTIONS[name](weight * x)))
        return tape.gradient(loss, [x, weight], unconnected_gradients="zero")

    function = tf.function(step, input_signature=[tf.TensorSpec([None, None])])
    forward, shapes = traced(FUNCTIONS[name])
    for pair in PAIRS:
        x = matrix(*pair)
        wanted = step(x)
        for made, each in zip(function(x), wanted, strict=True):
            compare(made, each, _close)
        with tf.GradientTape() as tape:  # around the function
            tape.watch(x)
            loss = tf.reduce_sum(tf.square(forward(weight * x)))
        compare(tape.gradient(loss, x, unconnected_gradients="zero"), wanted[0], _close)
    assert len(shapes) == 1
    if name != "sort":  # whose gradient takes the number of rows
        assert function._cache.count == 1


def _close(a, b):
    np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
