"""`eager.backprop` and `gradient_checker`: gradients of functions, by a tape."""

from __future__ import annotations

import inspect

import numpy as np

import gradtape as tf
from stand_ins.graphs import needs_a_graph


def _record(function, args, params, persistent=False):
    """Return what a function returns, and a function of its gradients by some arguments."""
    # Two arguments may be one tensor, but not one source.
    args = [
        arg if isinstance(arg, tf.Variable) else tf.identity(tf.convert_to_tensor(arg))
        for arg in args
    ]
    names = list(inspect.signature(function).parameters)
    chosen = [names.index(p) if isinstance(p, str) else p for p in params or range(len(args))]
    with tf.GradientTape(persistent=persistent) as tape:
        for arg in args:
            tape.watch(arg)
        result = function(*args)
    return result, lambda dy=None: tape.gradient(result, [args[i] for i in chosen], dy)


def make_vjp(f, params=None, persistent=True):
    """Return a function of a result and of its pullback."""
    return lambda *args: _record(f, args, params, persistent)


def val_and_grad_function(f, params=None):
    """Return a function of a result and of its gradients."""

    def function(*args, dy=None):
        result, pullback = _record(f, args, params)
        return result, pullback(dy)

    return function


def gradients_function(f, params=None):
    """Return a function of the gradients alone."""
    return lambda *args, dy=None: val_and_grad_function(f, params)(*args, dy=dy)[1]


def implicit_val_and_grad(f):
    """Return a function of a result, and of the gradients by the variables that it used."""

    def function(*args):
        with tf.GradientTape() as tape:
            result = f(*args)
        variables = tape.watched_variables()
        return result, list(zip(tape.gradient(result, variables), variables, strict=True))

    return function


def implicit_grad(f):
    """Return a function of these gradients alone."""
    return lambda *args: implicit_val_and_grad(f)(*args)[1]


def compute_gradient(x, *args, **options):
    """Return both gradients of a function; TensorFlow 1 asked for those of tensors in a graph."""
    return tf.test.compute_gradient(x, *args, **options) if callable(x) else needs_a_graph()


compute_gradient_error = needs_a_graph


def max_error(grad1, grad2) -> float:
    """Return the largest difference between two lists of gradients."""
    pairs = zip(grad1, grad2, strict=True)
    return max((np.abs(np.asarray(a) - b).max(initial=0) for a, b in pairs), default=0)
