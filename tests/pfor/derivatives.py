"""What is computed of a program for a batch: by a loop over the examples, and vectorized."""

import numpy as np

import gradtape as tf

X = np.array(
    [
        [0.9, 0.2, 0.3, 0.8, 0.4],
        [0.1, 0.7, 0.5, 0.6, 0.2],
        [0.6, 0.4, 0.9, 0.1, 0.3],
        [0.3, 0.8, 0.2, 0.4, 0.7],
    ]
)
K = np.array([2, 0, 3, 1], np.int32)
W = np.array([0.5, 1.5, 0.75, 1.25, 0.8])
DIRECTIONS = np.sin(np.arange(20.0)).reshape(4, 5)


def looped(function):
    """A function of one example as a function of a batch, by a Python loop."""

    def call(x, k, w, *more):
        examples = [
            tf.nest.flatten(function(x[i], tf.constant(K[i]), w, *[y[i] for y in more]))
            for i in range(len(K))
        ]
        return [tf.stack(column) for column in zip(*examples, strict=True)]

    return call


def vectorized(function):
    """A function of one example as a function of a batch, by `tf.vectorized_map`."""

    def call(x, k, w, *more):
        def one(example):
            results = function(example[0], example[1], w, *example[2:])
            return tuple(tf.nest.flatten(results))

        return list(tf.vectorized_map(one, (x, k, *more)))

    return call


# --- of one example ------------------------------------------------------------------------------


def example_value(program):
    return lambda x, k, w: program(tf, x, k, w)


def example_gradients(program):
    """The gradients of one example, by a tape inside of the map."""

    def call(x, k, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.reduce_sum(tf.sin(program(tf, x, k, w)))
        result = tape.gradient(y, [x, w], unconnected_gradients="zero")
        return [tf.convert_to_tensor(g) for g in result]

    return call


def example_second_gradients(program):
    first = example_gradients(program)

    def call(x, k, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            a, b = first(x, k, w)
            y = tf.reduce_sum(a**2) + tf.reduce_sum(b**3)
        result = tape.gradient(y, [x, w], unconnected_gradients="zero")
        return [tf.convert_to_tensor(g) for g in result]

    return call


def example_tangent(program):
    def call(x, k, w, direction):
        with tf.autodiff.ForwardAccumulator(x, direction) as accumulator:
            y = program(tf, x, k, w)
        return accumulator.jvp(y, unconnected_gradients="zero")

    return call


# --- of the batch --------------------------------------------------------------------------------


def gradients(batch):
    def call(x, k, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.reduce_sum(tf.sin(batch(x, k, w)[0]))
        return tape.gradient(y, [x, w], unconnected_gradients="zero")

    return call


def second_gradients(batch):
    first = gradients(batch)

    def call(x, k, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            a, b = first(x, k, w)
            y = tf.reduce_sum(a * a) + tf.reduce_sum(b**3)
        return tape.gradient(y, [x, w], unconnected_gradients="zero")

    return call


def jacobians(batch):
    def call(x, k, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = batch(x, k, w)[0]
        return tape.jacobian(y, [x, w], unconnected_gradients="zero")

    return call


def batch_jacobians(batch):
    def call(x, k, w):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reshape(batch(x, k, w)[0], (len(K), -1))
        return tape.batch_jacobian(y, x)

    return call


def tangents(batch):
    def call(x, k, w):
        primals, directions = [x, w], [tf.constant(DIRECTIONS), w * w]
        with tf.autodiff.ForwardAccumulator(primals, directions) as accumulator:
            y = batch(x, k, w)[0]
        return accumulator.jvp(y, unconnected_gradients="zero")

    return call


def _with_directions(batch):
    return lambda x, k, w: batch(x, k, w, tf.constant(DIRECTIONS))


# Each is a function from (a program, `looped` or `vectorized`) to a function of (x, k, w).
MODES = {
    "value": lambda program, mapped: mapped(example_value(program)),
    "gradient": lambda program, mapped: gradients(mapped(example_value(program))),
    "second gradient": lambda program, mapped: second_gradients(mapped(example_value(program))),
    "jacobian": lambda program, mapped: jacobians(mapped(example_value(program))),
    "batch jacobian": lambda program, mapped: batch_jacobians(mapped(example_value(program))),
    "tangent": lambda program, mapped: tangents(mapped(example_value(program))),
    "per example": lambda program, mapped: mapped(example_gradients(program)),
    "per example, second": lambda program, mapped: mapped(example_second_gradients(program)),
    "tangent inside": lambda program, mapped: _with_directions(mapped(example_tangent(program))),
}


def arguments() -> list:
    return [tf.constant(X), tf.constant(K), tf.constant(W)]


def arrays(results) -> list:
    return [np.asarray(y) for y in tf.nest.flatten(results)]


def assert_same(result, expected):
    result, expected = arrays(result), arrays(expected)
    assert len(result) == len(expected)
    for one, other in zip(result, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
