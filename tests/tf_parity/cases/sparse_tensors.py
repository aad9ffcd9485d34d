"""`tf.sparse` and `tf.sets`: sparse tensors, their shapes and their arithmetic."""

from __future__ import annotations

from typing import Any

from ..case import CaseList
from ..inputs import array, normal

case = CaseList()

POSITIONS = [[0, 1], [0, 3], [1, 0], [2, 2], [2, 3]]
OTHERS = [[0, 0], [0, 3], [2, 1], [2, 2]]
SHAPE = [4, 4]


def _parts(sparse: Any) -> Any:
    return sparse.indices, sparse.values, sparse.dense_shape


def _sparse(tf: Any, values: Any, positions: Any = POSITIONS, shape: Any = SHAPE) -> Any:
    return tf.sparse.SparseTensor(positions, values, shape)


def unary(name, function, *, wrt=None, positions=POSITIONS, shape=SHAPE):
    """A case of a function of one sparse tensor, whose result is sparse or dense."""

    def run(tf, v):
        actual = function(tf, _sparse(tf, v, positions, shape))
        return _parts(actual) if hasattr(actual, "dense_shape") else actual

    case(name, run, wrt=wrt, v=normal(len(positions)))


UNSORTED = [[2, 3], [0, 3], [1, 0], [2, 2], [0, 1]]
# TensorFlow has no gradient of splitting, joining, and of maxima and minima.
unary("to_dense_default", lambda tf, s: tf.sparse.to_dense(s, default_value=-1.0))
unary("reorder", lambda tf, s: tf.sparse.reorder(s), positions=UNSORTED)
unary("transpose", lambda tf, s: tf.sparse.transpose(s))
unary("transpose_order", lambda tf, s: tf.sparse.transpose(s, [0, 1]))
unary("reshape", lambda tf, s: tf.sparse.reshape(s, [2, -1]))
unary("reshape_three", lambda tf, s: tf.sparse.reshape(s, [2, 2, 4]))
unary("reset_shape", lambda tf, s: tf.sparse.reset_shape(s))
unary("reset_shape_larger", lambda tf, s: tf.sparse.reset_shape(s, [5, 6]))
for axis in (None, 0, 1, -2):
    unary(f"expand_dims_{axis}", lambda tf, s, a=axis: tf.sparse.expand_dims(s, a))
unary("retain", lambda tf, s: tf.sparse.retain(s, [True, False, False, True, True]))
unary("slice", lambda tf, s: tf.sparse.slice(s, [0, 1], [3, 2]))
unary("slice_beyond", lambda tf, s: tf.sparse.slice(s, [2, 2], [5, 5]))
unary("softmax", lambda tf, s: tf.sparse.softmax(s))
unary(
    "softmax_three_axes",
    lambda tf, s: tf.sparse.softmax(s),
    positions=[[0, 0, 1], [0, 0, 2], [0, 1, 1], [1, 1, 0], [1, 1, 2]],
    shape=[2, 2, 3],
)
for keepdims in (False, True):
    for axis in (None, 0, 1, [0, 1], -1):
        name = f"{axis}_{'kept' if keepdims else 'dropped'}".replace(" ", "")
        options = {"axis": axis, "keepdims": keepdims}
        unary(f"reduce_sum_{name}", lambda tf, s, o=options: tf.sparse.reduce_sum(s, **o))
        unary(f"reduce_max_{name}", lambda tf, s, o=options: tf.sparse.reduce_max(s, **o), wrt="")
        unary(
            f"reduce_sum_sparse_{name}",
            lambda tf, s, o=options: tf.sparse.reduce_sum(s, output_is_sparse=True, **o),
            wrt="",
        )
        unary(
            f"reduce_max_sparse_{name}",
            lambda tf, s, o=options: tf.sparse.reduce_max(s, output_is_sparse=True, **o),
            wrt="",
        )
unary("map_values", lambda tf, s: tf.sparse.map_values(tf.exp, s))
unary("map_values_two", lambda tf, s: tf.sparse.map_values(tf.multiply, s, s))
unary("absolute", lambda tf, s: tf.abs(s))
unary("square", lambda tf, s: tf.math.square(s))
unary("negative", lambda tf, s: tf.negative(s))
unary("tanh", lambda tf, s: tf.tanh(s))
unary("cast", lambda tf, s: tf.cast(s, tf.float64))
unary("shape_of", lambda tf, s: (tf.shape(s), tf.size(s), tf.rank(s)), wrt="")
unary("identity", lambda tf, s: tf.identity(s))
unary("times_dense", lambda tf, s: s * tf.reshape(tf.range(16.0), [4, 4]))
unary("times_row", lambda tf, s: s * tf.constant([[1.0, 2.0, 3.0, 4.0]]))
unary("over_dense", lambda tf, s: s / (tf.reshape(tf.range(16.0), [4, 4]) + 1.0))
case(
    "times_dense_gradients",
    lambda tf, v, d: (_sparse(tf, v) * d).values,
    v=normal(5),
    d=normal(1, 4),
)
case(
    "over_dense_gradients",
    lambda tf, v, d: (_sparse(tf, v) / d).values,
    v=normal(5),
    d=normal(4, 4, shift=3.0),
)
for axis in (0, 1):
    for count in (1, 2, 3):
        case(
            f"split_{axis}_{count}",
            lambda tf, v, a=axis, n=count: [
                _parts(p) for p in tf.sparse.split(sp_input=_sparse(tf, v), num_split=n, axis=a)
            ],
            wrt="",
            v=normal(5),
        )
    case(
        f"concat_{axis}",
        lambda tf, v, w, a=axis: _parts(
            tf.sparse.concat(a, [_sparse(tf, v), _sparse(tf, w, OTHERS)])
        ),
        wrt="",
        v=normal(5),
        w=normal(4),
    )
case(
    "concat_expand",
    lambda tf, v, w: _parts(
        tf.sparse.concat(
            0, [_sparse(tf, v), _sparse(tf, w, OTHERS, [3, 5])], expand_nonconcat_dims=True
        )
    ),
    wrt="",
    v=normal(5),
    w=normal(4),
)
case(
    "add",
    lambda tf, v, w: _parts(tf.sparse.add(_sparse(tf, v), _sparse(tf, w, OTHERS))),
    v=normal(5),
    w=normal(4),
)
case(
    "add_threshold",
    lambda tf, v, w: _parts(tf.sparse.add(_sparse(tf, v), _sparse(tf, w, OTHERS), threshold=0.5)),
    v=array([0.1, 1.0, -0.6, 0.5, 0.3]),
    w=array([0.2, -0.7, -2.0, 0.1]),
)
case("add_dense", lambda tf, v, d: tf.sparse.add(_sparse(tf, v), d), v=normal(5), d=normal(4, 4))
case("dense_add", lambda tf, v, d: tf.sparse.add(d, _sparse(tf, v)), v=normal(5), d=normal(4, 4))
for name in ("maximum", "minimum"):
    case(
        name,
        lambda tf, v, w, n=name: _parts(
            getattr(tf.sparse, n)(_sparse(tf, v), _sparse(tf, w, OTHERS))
        ),
        wrt="",
        v=normal(5),
        w=normal(4),
    )
for left in (False, True):
    for right in (False, True):
        flags = f"{'adjoint' if left else 'plain'}_{'adjoint' if right else 'plain'}"
        for dtype in ("float32", "complex64"):
            case(
                f"matmul_{flags}_{dtype}",
                lambda tf, v, d, a=left, b=right: tf.sparse.sparse_dense_matmul(
                    _sparse(tf, v, POSITIONS, [4, 5]), d, adjoint_a=a, adjoint_b=b
                ),
                v=normal(5, dtype=dtype),
                d=normal(*((3, 4 if left else 5) if right else (4 if left else 5, 3)), dtype=dtype),
            )
        case(
            f"dense_matmul_{flags}",
            lambda tf, v, d, a=left, b=right: tf.sparse.sparse_dense_matmul(
                d, _sparse(tf, v, POSITIONS, [4, 5]), adjoint_a=a, adjoint_b=b
            ),
            v=normal(5),
            d=normal(*((5 if right else 4, 3) if left else (3, 5 if right else 4))),
        )
case(
    "matmul_unsorted_repeated",
    lambda tf, v, d: tf.sparse.sparse_dense_matmul(
        _sparse(tf, v, [[2, 1], [0, 0], [2, 1]], [3, 2]), d
    ),
    v=normal(3),
    d=normal(2, 2),
)
case(
    "sampled_addmm",
    lambda tf, v, a, b: tf.sparse.sampled_addmm(POSITIONS, v, SHAPE, a, b, beta=0.5, alpha=2.0),
    wrt="",
    v=normal(5),
    a=normal(4, 3),
    b=normal(3, 4),
)


def _filled(tf, v, default):
    filled, empty = tf.sparse.fill_empty_rows(
        _sparse(tf, v, [[0, 1], [0, 3], [2, 0]], [5, 6]), default
    )
    return _parts(filled), empty


case("fill_empty_rows", _filled, v=normal(3), default=array(7.0))
case("from_dense_gradient", lambda tf, x: tf.sparse.from_dense(x).values, x=normal(2, 3))
case("eye", lambda tf: [_parts(tf.sparse.eye(3)), _parts(tf.sparse.eye(2, 4, tf.int32))])
case(
    "to_indicator",
    lambda tf: tf.sparse.to_indicator(
        tf.SparseTensor(
            [[0, 0, 0], [0, 1, 0], [1, 0, 3], [1, 1, 2]],
            tf.constant([0, 10, 103, 150], tf.int64),
            [2, 3, 4],
        ),
        200,
    ),
)


def _masked(tf, x):
    kept = tf.sparse.mask(tf.IndexedSlices(x, [2, 5, 7]), [5])
    return kept.values, kept.indices


case("mask", _masked, wrt="", x=normal(3, 2))
IDS = [[0, 0], [0, 1], [1, 1], [2, 0], [2, 2]]
for name, options in {
    "plain": {},
    "rows": {"axis": -1},
    "minlength": {"minlength": 9},
    "maxlength": {"maxlength": 4},
    "both": {"minlength": 3, "maxlength": 4, "axis": -1},
    "binary": {"binary_output": True, "axis": -1},
}.items():
    case(
        f"bincount_dense_{name}",
        lambda tf, o=options: _parts(tf.sparse.bincount([[1, 2, 1], [5, 5, 0]], **o)),
    )
    case(
        f"bincount_sparse_{name}",
        lambda tf, o=options: _parts(
            tf.sparse.bincount(
                tf.SparseTensor(IDS, tf.constant([3, 1, 3, 6, 6], tf.int64), [4, 3]), **o
            )
        ),
    )
case(
    "bincount_weights",
    lambda tf: _parts(
        tf.sparse.bincount([[1, 2, 1], [5, 5, 0]], [[0.5, 1.0, 2.0], [1.0, 3.0, 4.0]], axis=-1)
    ),
)

LEFT = [[9, 2, 2, 5], [1, 1, 1, 1], [3, 4, 5, 6]]
RIGHT = [[2, 7, 9], [1, 2, 3], [7, 7, 8]]
for name in ("intersection", "union", "difference"):
    case(
        f"sets_{name}",
        lambda tf, n=name: _parts(getattr(tf.sets, n)(tf.constant(LEFT), tf.constant(RIGHT))),
    )
    case(
        f"sets_{name}_sparse",
        lambda tf, n=name: _parts(
            getattr(tf.sets, n)(
                tf.SparseTensor(IDS, [3, 1, 3, 6, 6], [4, 3]),
                tf.SparseTensor(IDS, [1, 1, 4, 6, 5], [4, 3]),
            )
        ),
    )
case(
    "sets_difference_reversed",
    lambda tf: _parts(tf.sets.difference(tf.constant(LEFT), tf.constant(RIGHT), aminusb=False)),
)
case(
    "sets_dense_sparse",
    lambda tf: _parts(
        tf.sets.union(
            tf.constant([[4, 4], [1, 2], [0, 3]]), tf.SparseTensor(IDS, [1, 1, 4, 6, 5], [3, 3])
        )
    ),
)
case("sets_size", lambda tf: tf.sets.size(tf.SparseTensor(IDS, [3, 1, 3, 6, 6], [4, 3])))
