"""Random programs of small arrays, for native code beside the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

import gradtape as tf
from gradtape.graph import flat

SHAPES = [(), (1,), (5,), (3, 4), (2, 3, 4), (1, 4), (3, 1), (17, 33)]
# Rows that are short, matrices that are small, squares that can be added to their transposes.
SHAPES += [(40, 3), (700, 3), (2, 60, 2), (60, 1), (25, 3, 3), (6, 6)]
UNARY = [
    tf.exp, tf.tanh, tf.sin, tf.sigmoid, tf.square, tf.abs, tf.negative, tf.nn.relu, tf.nn.softplus,
    tf.identity, tf.math.expm1, tf.math.sign, tf.nn.softmax, tf.nn.log_softmax,
    lambda x: tf.math.log(tf.abs(x) + 1), lambda x: tf.sqrt(tf.abs(x)),
    lambda x: tf.math.rsqrt(tf.abs(x) + 1), lambda x: 1 / (x * x + 1), lambda x: x**3,
    lambda x: tf.abs(x) ** 1.7, lambda x: tf.cast(tf.cast(x > 0, tf.int32), x.dtype),
    lambda x: tf.cast(tf.cast(x, tf.float64), x.dtype), lambda x: tf.where(x > 0, x, 2 * x),
    lambda x: tf.math.divide_no_nan(x, tf.nn.relu(x)), lambda x: tf.math.atan2(x, x + 1),
]  # fmt: skip
BINARY = [
    tf.add, tf.subtract, tf.multiply, tf.divide, tf.maximum, tf.minimum,
    lambda x, y: tf.where(x < y, x, y), tf.math.multiply_no_nan,
]  # fmt: skip
REDUCE = [
    tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_logsumexp,
    lambda x, axis, keepdims: tf.cast(tf.reduce_any(x > 1, axis, keepdims), x.dtype),
]  # fmt: skip


@st.composite
def programs(draw) -> tuple[Any, list[np.ndarray]]:
    """Draw a function of two tensors, as a list of choices, and its arguments."""
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    seed = draw(st.integers(0, 1000))
    numbers = np.random.default_rng(seed)
    arguments = [
        numbers.standard_normal(draw(st.sampled_from(SHAPES))).astype(dtype) for _ in range(2)
    ]
    kinds = st.sampled_from(
        ["unary", "binary", "reduce", "move", "matmul", "gather", "join", "cross", "turned"]
    )
    steps = draw(
        st.lists(
            st.tuples(kinds, *[st.integers(0, 99)] * 4),
            min_size=2,
            max_size=10,
        )
    )
    return steps, arguments


def _broadcasts(x, y) -> bool:
    try:
        np.broadcast_shapes(tuple(x.shape), tuple(y.shape))
    except ValueError:
        return False
    return True


def _moved(x, which: int, a: int, b: int):
    rank = len(x.shape)
    if rank == 0:
        return tf.reshape(x, (1, 1)) if which % 2 else tf.broadcast_to(x, (2, 3))
    axis = a % rank
    moves = [
        lambda: tf.reshape(x, (-1,)),
        lambda: tf.transpose(x),
        lambda: tf.expand_dims(x, axis),
        lambda: x[..., : 1 + b % x.shape[-1]],
        lambda: x[b % x.shape[0]],
        lambda: tf.reverse(x, [axis]),
        lambda: tf.split(x, [1, x.shape[axis] - 1], axis)[b % 2 if x.shape[axis] > 1 else 0],
        lambda: tf.unstack(x, axis=axis)[b % x.shape[axis]],
        lambda: tf.pad(x, [[1, b % 2]] * rank),
        lambda: tf.broadcast_to(x, (2, *x.shape)),
        lambda: x[:: 1 + b % 2],
    ]
    return moves[which % len(moves)]()


def _next(step: tuple, values: list):
    kind, which, i, a, b = step
    x, y = values[i % len(values)], values[a % len(values)]
    rank = len(x.shape)
    if kind == "unary" or (kind == "binary" and not _broadcasts(x, y)):
        function = UNARY[which % len(UNARY)]
        return function(x) if rank or which % len(UNARY) not in (12, 13) else tf.exp(-x)
    if kind == "binary":
        return BINARY[which % len(BINARY)](x, y)
    if kind == "reduce":
        axis = [b % rank] if rank and b % 3 else None
        return REDUCE[which % len(REDUCE)](x, axis, keepdims=bool(b % 2))
    if kind == "matmul" and rank >= 2:
        return tf.matmul(x, x, transpose_a=bool(b % 2), transpose_b=not b % 2)
    if kind == "cross" and rank and x.shape[-1] == 3:
        return tf.linalg.cross(x, y if x.shape == y.shape else x + 1)
    if kind == "turned" and rank >= 2 and x.shape[-1] == x.shape[-2]:
        return BINARY[which % len(BINARY)](tf.linalg.matrix_transpose(x), x)
    if kind == "gather" and rank:
        return tf.gather(x, [0, x.shape[0] - 1, 0])
    if kind == "join":
        joined = [x, y] if x.shape == y.shape else [x, x]
        return tf.concat(joined, a % rank) if rank and b % 2 else tf.stack(joined, a % (rank + 1))
    return _moved(x, which, a, b)


def evaluate(steps: list, x, y) -> list:
    """Return all values of a program, and the gradients of their sum."""
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        values = [x, y]
        for step in steps:
            made = _next(step, values)
            if np.prod(made.shape) <= 4000:
                values.append(made)
        total = tf.add_n([tf.reduce_sum(value) for value in values])
    gradients = tape.gradient(total, [x, y], unconnected_gradients="zero")
    return [*values[2:], total, *gradients]


class Compared:
    """Runs functions with flat programs and without."""

    def __init__(self, monkeypatch) -> None:
        self.monkeypatch = monkeypatch
        self.programs: list = []

    def __call__(self, function, *arguments) -> list[list[np.ndarray]]:
        """Return the arrays that a traced function gives, in both forms."""
        result = []
        for extension in (flat.extension, None):
            with self.monkeypatch.context() as patch:
                patch.setattr(flat, "extension", extension)
                results = tf.function(function)(*[tf.constant(x) for x in arguments])
                result.append([y.numpy() for y in tf.nest.flatten(results)])
        return result


def same_bits(x: np.ndarray, y: np.ndarray) -> bool:
    """Return whether two arrays are the same, bit for bit; all NaNs are one."""
    if x.dtype != y.dtype or x.shape != y.shape:
        return False
    nans = (np.isnan(x) & np.isnan(y)) if x.dtype.kind == "f" else False
    unsigned = np.dtype(f"u{x.dtype.itemsize}")
    x, y = np.atleast_1d(np.ascontiguousarray(x)), np.atleast_1d(np.ascontiguousarray(y))
    return bool(np.all((x.view(unsigned) == y.view(unsigned)) | nans))
