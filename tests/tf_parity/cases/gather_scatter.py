"""Gather and scatter in all their forms."""

from __future__ import annotations

import numpy as np

from ..case import CaseList, call
from ..inputs import array, integers, normal

case = CaseList()

TABLE = normal(5, 3)
ROWS = array([0, 3, 3, 1], "int32")
case("gather", call("gather"), x=TABLE, i=ROWS)
case("gather_int64", call("gather"), x=TABLE, i=array([4, 4, 0], "int64"))
case("gather_scalar_index", call("gather"), x=TABLE, i=array(2, "int32"))
case("gather_matrix_of_indices", call("gather"), x=TABLE, i=array([[0, 1], [4, 0]], "int32"))
case("gather_vector", call("gather"), x=normal(5), i=ROWS)
case("gather_list", lambda tf, x: tf.gather(x, [2, 0]), x=TABLE)
case("gather_axis1", call("gather", axis=1), x=normal(3, 5), i=ROWS)
case(
    "gather_axis_last",
    call("gather", axis=-1),
    x=normal(2, 3, 4),
    i=array([[0, 3], [1, 1]], "int32"),
)
case("gather_axis_middle", call("gather", axis=1), x=normal(2, 3, 4), i=array([2, 0, 0], "int32"))
case("gather_axis1_scalar", call("gather", axis=1), x=normal(2, 3), i=array(1, "int32"))
case("gather_empty_indices", call("gather"), x=TABLE, i=array([], "int32"))
case("gather_batch", call("gather", axis=1, batch_dims=1), x=normal(3, 5), i=integers(3, 2, high=5))
case(
    "gather_batch_vectors",
    call("gather", axis=1, batch_dims=1),
    x=normal(3, 5, 2),
    i=integers(3, 2, high=5),
)
case(
    "gather_batch_axis2",
    call("gather", axis=2, batch_dims=1),
    x=normal(2, 3, 4),
    i=integers(2, 3, high=4),
)
case(
    "gather_batch_two",
    call("gather", axis=2, batch_dims=2),
    x=normal(2, 3, 4),
    i=integers(2, 3, 2, high=4),
)
case(
    "gather_batch_default_axis",
    call("gather", batch_dims=1),
    x=normal(2, 4),
    i=integers(2, 3, high=4),
)
case(
    "gather_batch_one_index_each",
    call("gather", batch_dims=1),
    x=normal(3, 4),
    i=integers(3, high=4),
)
case("gather_float64", call("gather"), x=normal(4, 2, dtype="float64"), i=array([1, 1, 3], "int32"))
case("gather_integers", call("gather"), x=integers(5), i=ROWS)
case("gather_complex", call("gather"), x=normal(4, dtype="complex64"), i=array([3, 3], "int32"))
case("gather_twice", lambda tf, x, i: tf.gather(x, i) + 2.0 * tf.gather(x, i), x=TABLE, i=ROWS)
case("gather_and_dense_use", lambda tf, x, i: (tf.gather(x, i), tf.reduce_sum(x)), x=TABLE, i=ROWS)
case("gather_then_scale", lambda tf, x, i: 3.0 * tf.gather(x, i), x=TABLE, i=ROWS)
case("gather_of_scaled", lambda tf, x, i: tf.gather(3.0 * x, i), x=TABLE, i=ROWS)
case("gather_from_variable", call("gather"), variables="x", x=TABLE, i=ROWS)
case(
    "gather_variable_twice",
    lambda tf, x: tf.gather(x, [0, 1]) * tf.gather(x, [1, 1]),
    variables="x",
    x=TABLE,
)
case(
    "gather_variable_and_dense",
    lambda tf, x: tf.reduce_sum(tf.gather(x, [0, 1])) + tf.reduce_sum(x),
    variables="x",
    x=TABLE,
)
case("gather_variable_axis1", call("gather", axis=1), variables="x", x=normal(2, 5), i=ROWS)
case("embedding_lookup", call("nn.embedding_lookup"), variables="x", x=TABLE, i=ROWS)
case(
    "embedding_lookup_tensor",
    call("nn.embedding_lookup"),
    x=TABLE,
    i=array([[1, 1], [0, 2]], "int64"),
)
case("embedding_lookup_max_norm", call("nn.embedding_lookup", max_norm=1.0), x=TABLE, i=ROWS)

case("gather_nd_rows", call("gather_nd"), x=TABLE, i=array([[0], [4], [0]], "int32"))
case("gather_nd_elements", call("gather_nd"), x=TABLE, i=array([[0, 1], [4, 2], [0, 1]], "int32"))
case("gather_nd_nested", call("gather_nd"), x=TABLE, i=array([[[0, 1], [1, 1]]], "int64"))
case(
    "gather_nd_batch",
    call("gather_nd", batch_dims=1),
    x=normal(2, 3, 2),
    i=array([[[1]], [[0]]], "int32"),
)
case(
    "gather_nd_batch_elements",
    call("gather_nd", batch_dims=1),
    x=normal(2, 3, 2),
    i=array([[2, 1], [0, 0]], "int32"),
)
# The gradient of a single element is an error in TensorFlow.
case("gather_nd_one", call("gather_nd"), wrt="", x=TABLE, i=array([3, 2], "int32"))
case("gather_nd_integers", call("gather_nd"), x=integers(3, 3), i=array([[1, 1], [2, 0]], "int32"))
case(
    "take_along_axis_by_gather",
    lambda tf, x, i: tf.gather(x, i, axis=1, batch_dims=1),
    x=normal(2, 4),
    i=integers(2, 4, high=4),
)

SPOTS = array([[4], [1], [1]], "int32")
POSITIONS = array([[0, 1], [4, 2], [0, 1]], "int32")
case("scatter_nd_vector", lambda tf, i, u: tf.scatter_nd(i, u, [6]), i=SPOTS, u=normal(3))
case("scatter_nd_rows", lambda tf, i, u: tf.scatter_nd(i, u, [5, 2]), i=SPOTS, u=normal(3, 2))
case("scatter_nd_elements", lambda tf, i, u: tf.scatter_nd(i, u, [5, 3]), i=POSITIONS, u=normal(3))
case(
    "scatter_nd_int64_shape",
    call("scatter_nd"),
    i=array([[1], [0]], "int64"),
    u=normal(2, dtype="float64"),
    s=array([3], "int64"),
)
case("scatter_nd_integers", lambda tf, i, u: tf.scatter_nd(i, u, [6]), i=SPOTS, u=integers(3))
for name in ("add", "sub", "update", "max", "min"):
    path = f"tensor_scatter_nd_{name}"
    # Doubled indices make the winner of an update depend on the order of execution.
    spots = array([[4], [1], [0]], "int32") if name in ("update", "max", "min") else SPOTS
    positions = (
        array([[0, 1], [4, 2], [2, 0]], "int32") if name in ("update", "max", "min") else POSITIONS
    )
    case(f"{path}_vector", call(path), x=normal(6), i=spots, u=normal(3))
    case(f"{path}_rows", call(path), x=normal(5, 2), i=spots, u=normal(3, 2))
    case(f"{path}_elements", call(path), x=normal(5, 3), i=positions, u=normal(3))
    case(
        f"{path}_float64",
        call(path),
        x=normal(6, dtype="float64"),
        i=spots,
        u=normal(3, dtype="float64"),
    )
    case(f"{path}_int32", call(path), x=integers(6), i=spots, u=integers(3))
    case(
        f"{path}_nested_indices",
        call(path),
        x=normal(4, 2),
        i=array([[[0, 1]], [[3, 0]]], "int32"),
        u=normal(2, 1),
    )
case(
    "tensor_scatter_nd_max_doubled",
    call("tensor_scatter_nd_max"),
    wrt="",
    x=normal(6),
    i=SPOTS,
    u=normal(3),
)
case(
    "tensor_scatter_nd_min_doubled",
    call("tensor_scatter_nd_min"),
    wrt="",
    x=normal(6),
    i=SPOTS,
    u=normal(3),
)
case(
    "scatter_then_gather",
    lambda tf, x, u: tf.gather(tf.tensor_scatter_nd_update(x, [[1], [3]], u), [1, 2, 3]),
    x=normal(5),
    u=normal(2),
)

case(
    "dynamic_partition",
    call("dynamic_partition", num_partitions=3),
    x=normal(5, 2),
    p=array([0, 2, 0, 2, 0], "int32"),
)
case(
    "dynamic_partition_vector",
    call("dynamic_partition", num_partitions=2),
    x=normal(4),
    p=array([1, 0, 0, 1], "int32"),
)
case(
    "dynamic_partition_matrix",
    call("dynamic_partition", num_partitions=2),
    x=normal(2, 2),
    p=array([[1, 0], [0, 0]], "int32"),
)
case(
    "dynamic_stitch",
    lambda tf, x, y: tf.dynamic_stitch([[0, 2], [1, 3]], [x, y]),
    x=normal(2, 2),
    y=normal(2, 2),
)
case(
    "dynamic_stitch_scalars",
    lambda tf, x, y: tf.dynamic_stitch([[2, 0], 1], [x, y]),
    x=normal(2),
    y=normal(),
)
case(
    "dynamic_stitch_overwrites",
    lambda tf, x, y: tf.dynamic_stitch([[0, 1], [1, 2]], [x, y]),
    wrt="",
    x=normal(2),
    y=normal(2),
)
case("partition_and_stitch", lambda tf, x: _there_and_back(tf, x), x=normal(5))


def _there_and_back(tf, x):
    groups = np.array([0, 1, 0, 1, 1], np.int32)
    parts = tf.dynamic_partition(x, groups, 2)
    positions = tf.dynamic_partition(tf.range(5), groups, 2)
    return tf.dynamic_stitch(positions, [parts[0] * 2.0, parts[1] * 3.0])


case("gather_batch_dims_none", call("gather", [1, 0], axis=1, batch_dims=None), x=normal(2, 3))
