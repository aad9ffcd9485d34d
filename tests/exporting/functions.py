"""Functions as cases for an export: name → (function, specs, sizes of the open axes for each run).

Each compares something else that a size, a branch, a loop or an op can be.
"""

from __future__ import annotations

import gradtape as tf

ROWS = (tf.TensorSpec([None, 4]),)
PAIRS = (tf.TensorSpec([None, None, 3]),)
SIZES = ((3,), (1,), (17,))
LONGER = ((3,), (8,), (17,))


def _while(x):
    def goes_on(i, y):
        return tf.logical_and(i < 20, tf.reduce_sum(y) < 50.0)

    return tf.while_loop(goes_on, lambda i, y: (i + 1, y * 1.5 + 1), (tf.constant(0), x))[1]


def _gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.nn.softmax(tf.tanh(x) @ tf.ones((4, 3))) ** 2)
    return tape.gradient(y, x)


def _switch(x):
    index = tf.cast(tf.reduce_sum(x) > 0, tf.int32) + 1
    return tf.switch_case(index, [lambda: x, lambda: x + 1, lambda: x * 3])


def _elementwise(x):
    positive = tf.abs(x) + 0.1
    return (
        *(f(x) for f in (tf.sin, tf.cos, tf.tan, tf.atan, tf.sinh, tf.cosh, tf.tanh, tf.exp)),
        *(f(x) for f in (tf.math.expm1, tf.math.erf, tf.math.erfc, tf.asinh, tf.sign, tf.round)),
        *(f(x) for f in (tf.asin, tf.acos, tf.atanh, tf.floor, tf.math.ceil, tf.square, tf.abs)),
        *(f(positive) for f in (tf.sqrt, tf.math.rsqrt, tf.math.log, tf.math.log1p)),
        *(f(x) for f in (tf.nn.gelu, tf.nn.softplus, tf.nn.softsign, tf.nn.elu, tf.nn.selu)),
        *(f(x) for f in (tf.nn.relu, tf.nn.relu6, tf.nn.silu, tf.sigmoid, tf.nn.leaky_relu)),
        tf.nn.gelu(x, approximate=True),
        tf.atan2(x, x[:, ::-1]),
        x // 0.3,
        x % 0.3,
        x**3,
        positive**x,
        tf.math.divide_no_nan(x, tf.nn.relu(x)),
        tf.math.multiply_no_nan(x, tf.nn.relu(x)),
    )


def _logic(x):
    some = x > 0
    return (
        tf.where(some, x, -x),
        tf.logical_and(some, x < 0.5),
        tf.reduce_any(some, 1),
        tf.reduce_all(some, 0),
        tf.math.is_finite(1 / tf.nn.relu(x)),
        tf.not_equal(x, x),
        tf.maximum(x, 0.2) - tf.minimum(x, 0.1),
    )


def _integers(x):
    return (
        x // 3,
        x % 3,
        -x // 3,
        -x % 3,
        tf.truncatediv(-x, 3),
        tf.math.mod(x, 5) * 2 - 1,
        tf.cast(x, tf.float32) / 2,
        tf.bitwise.bitwise_and(x, 3),
        tf.math.floordiv(x, 4),
    )


def _reductions(x):
    kinds = (tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_prod)
    return (
        *(f(x) for f in kinds),
        *(f(x, 0, keepdims=True) for f in kinds),
        tf.reduce_logsumexp(x, 1),
        tf.linalg.norm(x, axis=1),
        tf.math.reduce_variance(x, 0),
        tf.argmax(x, 1),
        tf.argmin(x, 0, tf.int32),
        tf.nn.moments(x, [0]),
    )


def _slices(x):
    return (
        x[:, -1],
        x[1:, ::2],
        x[::-1],
        x[:-1],
        x[-1],
        x[..., None, 1:3],
        x[tf.newaxis],
        x[: tf.shape(x)[0] // 2],
        tf.unstack(x, axis=1),
        tf.split(x, [1, 3], 1),
    )


def _written(x):
    first = tf.zeros_like(x[:1])
    return (
        tf.tensor_scatter_nd_update(x, [[0]], first),
        tf.tensor_scatter_nd_add(x, [[0], [0]], tf.ones((2, 4))),
        tf.scatter_nd([[1], [3]], tf.ones((2, 4)), [5, 4]),
        tf.pad(x, [[1, 2], [0, 1]]),
        tf.pad(x, [[0, 0], [2, 1]], mode="REFLECT"),
    )


def _segments(x):
    ids = tf.range(tf.shape(x)[0]) % 3 - 1
    return (
        tf.math.unsorted_segment_sum(x, ids, 3),
        tf.math.unsorted_segment_max(x, ids, 3),
        tf.math.unsorted_segment_prod(x, ids, 3),
    )


def _losses(x):
    labels = tf.argmax(x, 1)
    return (
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x),
        tf.nn.softmax_cross_entropy_with_logits(tf.one_hot(labels, 4), x),
        tf.nn.log_softmax(x),
        tf.nn.l2_normalize(x, 1),
    )


FUNCTIONS = {
    "branch": (lambda x: tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2, lambda: x - 1), ROWS, SIZES),
    "switch": (_switch, ROWS, SIZES),
    "while": (_while, ROWS, SIZES),
    "scan": (lambda x: tf.scan(lambda a, row: a * 0.5 + row, x), ROWS, SIZES),
    "fold": (lambda x: tf.foldr(lambda a, row: a * 0.5 + row, x), ROWS, SIZES),
    "map": (lambda x: tf.map_fn(lambda row: tf.sin(row) * 2, x), ROWS, SIZES),
    "gradient": (_gradient, ROWS, SIZES),
    "elementwise": (_elementwise, ROWS, SIZES),
    "logic": (_logic, ROWS, SIZES),
    "integers": (_integers, (tf.TensorSpec([None], tf.int32),), SIZES),
    "reductions": (_reductions, ROWS, SIZES),
    "slices": (_slices, ROWS, LONGER),
    "written": (_written, ROWS, LONGER),
    "segments": (_segments, ROWS, SIZES),
    "losses": (_losses, ROWS, SIZES),
    "cumulative": (
        lambda x: (tf.cumsum(x, 0, exclusive=True, reverse=True), tf.roll(x, 1, 0)),
        ROWS,
        LONGER,
    ),
    "sizes as numbers": (
        lambda x: x + tf.cast(tf.shape(x)[0], tf.float32) / tf.cast(tf.size(x), tf.float32),
        ROWS,
        SIZES,
    ),
    "filled": (lambda x: tf.eye(tf.shape(x)[0]) @ x + tf.zeros_like(x) + 1, ROWS, SIZES),
    "repeated": (lambda x: (tf.tile(x, [2, 3]), tf.repeat(x, 2, 1)), ROWS, SIZES),
    "sorted": (
        lambda x: (
            tf.sort(x, 0),
            tf.argsort(x, 1),
            tf.math.top_k(x, 2),
            tf.sort(x, 1, "DESCENDING"),
        ),
        ROWS,
        SIZES,
    ),
    "gather": (lambda x: tf.gather(x, [0, 2, 1], axis=1), ROWS, SIZES),
    "gather by row": (
        lambda x, i: tf.gather(x, i, batch_dims=1),
        (*ROWS, tf.TensorSpec([None, 2], tf.int32)),
        SIZES,
    ),
    "flat": (lambda x: tf.reshape(tf.transpose(x, [1, 0, 2]), [-1]), PAIRS, ((2, 5), (4, 1))),
    "flat and back": (
        lambda x: tf.reshape(tf.reshape(x, [-1, 3]) @ tf.ones((3, 2)), [*x.shape[:2], 2]),
        PAIRS,
        ((2, 5), (4, 1)),
    ),
    "equal sizes": (lambda x, y: x + y, (*ROWS, *ROWS), SIZES),
    "other sizes": (lambda x, y: tf.concat([x, y], 0), (*ROWS, *ROWS), SIZES),
    "einsum": (
        lambda x, y: tf.einsum("bij,bjk->bki", x, y),
        (tf.TensorSpec([None, 2, 3]), tf.TensorSpec([None, 3, None])),
        ((2, 4), (3, 1)),
    ),
    "spectrum": (lambda x: tf.abs(tf.signal.rfft(x)), (tf.TensorSpec([None, 16]),), SIZES),
}
