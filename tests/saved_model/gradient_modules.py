"""Models with custom gradients, as in `modules.py`: TensorFlow's own differ from the formula's."""

from __future__ import annotations

import numpy as np


def _random(seed: int):
    draw = np.random.default_rng(seed)
    return lambda *shape: draw.normal(size=shape).astype(np.float32)


def custom_gradient(tf):
    """A gradient that is not the derivative, with what it computed on the way."""
    random = _random(31)

    @tf.custom_gradient
    def scaled(x, w):
        e = tf.exp(x)

        def grad(upstream):
            return upstream * e * 3.0, tf.reduce_sum(upstream * x)

        return e * w, grad

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(2.0)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def __call__(self, x):
            return scaled(x * 2.0, self.w)

    return Model(), {"__call__": (random(4),)}


def straight_through(tf):
    """The gradient of the identity, for a variable: it must not be taken for an assignment."""
    random = _random(32)

    @tf.custom_gradient
    def rounded(x):
        return tf.round(x * 2.0) / 2.0, lambda upstream: upstream

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(3, 2))

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
        def __call__(self, x):
            return rounded(x) @ rounded(self.w)

    return Model(), {"__call__": (random(5, 3),)}


def several_results(tf):
    """Two results and two arguments, one of them without a gradient; used twice."""
    random = _random(33)

    @tf.custom_gradient
    def pair(x, y):
        def grad(first, second):
            return first * tf.cos(y) - 2.0 * second, None

        return (x * y, x - y), grad

    class Model(tf.Module):
        @tf.function(
            input_signature=[tf.TensorSpec([3], tf.float32), tf.TensorSpec([3], tf.float32)]
        )
        def __call__(self, x, y):
            a, b = pair(x, y)
            c, d = pair(a, x)
            return a + d, b * c

    return Model(), {"__call__": (random(3), random(3))}


def gradient_with_variables(tf):
    """A gradient that is given the variables which the function reads."""
    random = _random(34)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(3, 3))

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
        def __call__(self, x):
            @tf.custom_gradient
            def product(x):
                w = self.w.read_value()

                def grad(upstream, variables=None):
                    slope = tf.matmul(x, upstream, transpose_a=True)
                    return tf.matmul(upstream, w, transpose_b=True) * 0.5, [slope * 2.0]

                return x @ w, grad

            return product(x)

    return Model(), {"__call__": (random(4, 3),)}


def clipped_in_a_loop(tf):
    """A gradient that is clipped in each round of a loop, and by a number of outside."""
    random = _random(35)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(3, 3) * 2.0)

        @tf.function(input_signature=[tf.TensorSpec([2, 3], tf.float32)])
        def __call__(self, x):
            limit = tf.reduce_max(tf.abs(x)) * 0.1

            @tf.custom_gradient
            def clipped(x):
                return tf.identity(x), lambda g: tf.clip_by_value(g, -limit, limit)

            def step(i, x):
                return i + 1, clipped(tf.tanh(x @ self.w))

            return tf.while_loop(lambda i, x: i < 40, step, (tf.constant(0), x))[1]

    return Model(), {"__call__": (random(2, 3),)}


def nested_gradients(tf):
    """A gradient that has a gradient of its own: used when the model is differentiated twice."""
    random = _random(36)

    @tf.custom_gradient
    def inner(x):
        return x * x, lambda g: g * 7.0 * x

    @tf.custom_gradient
    def outer(x):
        def grad(g):
            return g * inner(x)

        return tf.sin(x), grad

    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([3], tf.float32)])
        def __call__(self, x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = outer(x)
            return y, tape.gradient(y, x)

    return Model(), {"__call__": (random(3),)}


def clipped_at_any_rank(tf):
    random = _random(37)

    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
        def __call__(self, x):
            @tf.custom_gradient
            def clipped(x):
                return tf.identity(x), lambda g: tf.clip_by_norm(g, 0.5)

            return clipped(x * x)

    return Model(), {"__call__": (random(2, 3, 2),)}


BUILDERS = [
    custom_gradient,
    straight_through,
    several_results,
    gradient_with_variables,
    clipped_in_a_loop,
    nested_gradients,
    clipped_at_any_rank,
]
