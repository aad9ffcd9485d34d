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
    q = tf.nn.softmax(
        tf.matmul(x, x, transpose_b=True) / tf.sqrt(tf.cast(tf.shape(x)[1], tf.float32))
    )
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
    "eye": lambda x: x @ tf.eye(x.shape[1]),
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


@pytest.mark.parametrize(
    "name", sorted(FUNCTIONS.keys() - {"scan"})
)  # eager code scans no empty rows
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


# --- what else runs, records or asks -------------------------------------------------------------

SIGNATURE = [tf.TensorSpec([None, 4])]


def test_a_shape_is_seen_as_in_tensorflow():
    seen = []

    @tf.function(input_signature=SIGNATURE)
    def function(x):
        seen.append((str(x.shape), repr(x.shape), str(tf.shape(x)[0].shape)))
        return x.shape[0] * tf.reduce_sum(x[: x.shape[0] - 1])

    assert function(tf.ones([3, 4])) == 3 * 8
    assert function(tf.ones([5, 4])) == 5 * 16
    assert seen == [("(None, 4)", "TensorShape([None, 4])", "()")]
    assert function.experimental_get_tracing_count() == 1


def test_reduce_retracing_traces_for_all_sizes_once_they_vary():
    shapes = []

    @tf.function(reduce_retracing=True)
    def function(x, y):
        shapes.append(str(x.shape))
        return tf.reduce_mean(x) + y

    for rows in (3, 3, 4, 9, 1, 17):
        np.testing.assert_allclose(function(tf.ones([rows, 2]), tf.zeros([2])), [1, 1])
    assert shapes == ["(3, 2)", "(None, 2)"]


def test_one_size_of_two_arguments_and_where_they_differ():
    traces = []

    @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([None])])
    def function(x, y):
        traces.append(1)
        return x + y

    for n in (4, 6, 9):
        np.testing.assert_array_equal(function(tf.ones(n), tf.ones(n)), np.full(n, 2.0))
    assert len(traces) == 1
    np.testing.assert_array_equal(function(tf.ones(3), tf.ones(1)), np.full(3, 2.0))
    np.testing.assert_array_equal(function(tf.ones(1), tf.ones(7)), np.full(7, 2.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[3\] vs. \[4\]"):
        function(tf.ones(3), tf.ones(4))


def _second_order(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            loss = tf.reduce_sum(tf.tanh(x) ** 3)
        slope = inner.gradient(loss, x)
    return outer.gradient(slope, x)


def _forward_mode(x):
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        y = tf.tanh(x) * tf.reduce_mean(x)
    return accumulator.jvp(y)


def _rows_of_jacobian(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.tanh(x) * tf.reduce_sum(x, 1, keepdims=True)
    return tape.batch_jacobian(y, x)


@tf.function
def _inner(x):
    return x * tf.cast(tf.shape(x)[0], x.dtype)


INSIDE = {
    "second order": _second_order,
    "forward mode": _forward_mode,
    "Jacobian": _rows_of_jacobian,
    "a function": lambda x: _inner(x) + 1,
    "vmap": lambda x: tf.vectorized_map(lambda row: row * tf.reduce_sum(row), x),
}


@pytest.mark.parametrize("name", INSIDE)
def test_inside_of_a_function(name):
    function = tf.function(INSIDE[name], input_signature=SIGNATURE)
    for rows in (3, 5, 8, 13, 5, 5, 5):
        x = matrix(rows, 4)
        compare(function(x), INSIDE[name](x), _close)
    assert function._cache.count == 1


def test_interpreters_around_a_function():
    def plain(x):
        return tf.tanh(x) * tf.reduce_sum(x, 0)

    function = tf.function(plain, input_signature=SIGNATURE)
    for rows in (3, 5, 2):
        x = matrix(rows, 4)
        for call in (_jacobian, _tangent, _mapped, _second):
            compare(call(function, x), call(plain, x), _close)


def _jacobian(call, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = call(x)
    return tape.jacobian(y, x)


def _tangent(call, x):
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        y = call(x)
    return accumulator.jvp(y)


def _mapped(call, x):
    return tf.vectorized_map(call, tf.stack([x, 2 * x]))


def _second(call, x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = call(x)
        slope = inner.gradient(y, x)
    return outer.gradient(slope, x)


def test_random_numbers_go_on_with_one_sequence():
    tf.random.set_seed(1)
    function = tf.function(lambda x: tf.random.normal(tf.shape(x)), input_signature=SIGNATURE)
    made = [function(tf.zeros([rows, 4])).numpy() for rows in (3, 5, 3)]
    tf.random.set_seed(1)
    fixed = tf.function(lambda x: tf.random.normal(tf.shape(x)))
    np.testing.assert_array_equal(made[0], fixed(tf.zeros([3, 4])))
    assert [x.shape for x in made] == [(3, 4), (5, 4), (3, 4)]
    assert not np.array_equal(made[0], made[2])
    assert function._cache.count == 1


def test_variables_effects_and_errors(capfd):
    total = tf.Variable(tf.zeros([4]))

    @tf.function(input_signature=SIGNATURE)
    def function(x):
        tf.print("rows", tf.shape(x)[0])
        tf.debugging.assert_less(tf.shape(x)[0], 9, "too many")
        total.assign_add(tf.reduce_sum(x, 0))
        return total + 0

    for rows in (2, 3):
        function(tf.ones([rows, 4]))
    np.testing.assert_array_equal(total, np.full(4, 5.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="too many"):
        function(tf.ones([9, 4]))
    np.testing.assert_array_equal(total, np.full(4, 5.0))
    assert capfd.readouterr().err == "rows 2\nrows 3\nrows 9\n"
    assert function._cache.count == 1


def test_a_size_that_is_kept_is_no_number_later():
    kept = []
    function = tf.function(lambda x: kept.append(x.shape[0]) or x, input_signature=SIGNATURE)
    function(tf.ones([3, 4]))
    with pytest.raises(TypeError, match=r"leaves it open \(None\) was used after"):
        int(kept[0])


def test_functions_held_by_ops_get_no_size_of_another_call():
    @tf.custom_gradient
    def scaled(x):
        rows = x.shape[0]
        return x * 2, lambda g: g * float(rows)

    function = tf.function(scaled, input_signature=SIGNATURE)
    for rows in (3, 5, 3):
        x = matrix(rows, 4)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        np.testing.assert_array_equal(tape.gradient(y, x), np.full((rows, 4), float(rows)))


def test_keras_is_fitted_to_batches_of_all_sizes_by_one_graph():
    keras = tf.keras
    random = np.random.RandomState(0)
    pairs = [(3, 5), (4, 7), (2, 3), (8, 9), (5, 2), (3, 11), (8, 4)]
    data = [(random.randn(*p, 2).astype("f"), random.randn(p[0], 1).astype("f")) for p in pairs]
    specs = (tf.TensorSpec([None, None, 2]), tf.TensorSpec([None, 1]))
    batches = tf.data.Dataset.from_generator(lambda: iter(data), output_signature=specs)
    batches = batches.apply(tf.data.experimental.assert_cardinality(len(data)))
    calls, weights = [], []

    class Counted(keras.layers.Layer):
        def call(self, x):
            calls.append(1)
            return x

    for run_eagerly in (True, False):
        keras.utils.set_random_seed(0)
        layers = [keras.layers.LSTM(4), Counted(), keras.layers.Dense(1)]
        model = keras.Sequential([keras.Input((None, 2)), *layers])
        model.compile("sgd", "mse", run_eagerly=run_eagerly)
        calls.clear()
        model.fit(batches, epochs=2, verbose=0, shuffle=False)
        weights.append(model.get_weights())
    assert len(calls) == 3  # two batches are eager, and one trace serves all others
    for eager, traced in zip(*weights, strict=True):
        np.testing.assert_allclose(traced, eager, rtol=1e-4, atol=1e-6)
