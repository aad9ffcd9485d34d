"""Empty tensors, zero-size dimensions, and scalars."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, normal

case = CaseList()

NOTHING = normal(0)
ROWS = normal(0, 3)
COLUMNS = normal(2, 0)
for name in "exp sin sqrt abs sigmoid sign square negative".split():
    case(f"{name}_empty", call(name), x=ROWS)
for name in "add multiply divide maximum pow".split():
    case(f"{name}_empty", call(name), x=ROWS, y=normal(0, 3))
    case(f"{name}_empty_broadcast", call(name), x=ROWS, y=normal(1, 3))
    case(f"{name}_empty_scalar", call(name), x=COLUMNS, y=normal())
for name in "sum mean prod max min logsumexp euclidean_norm variance std".split():
    case(f"reduce_{name}_empty", call(f"math.reduce_{name}"), x=NOTHING)
    case(f"reduce_{name}_zero_axis", call(f"math.reduce_{name}", axis=1), x=COLUMNS)
    case(f"reduce_{name}_other_axis", call(f"math.reduce_{name}", axis=0), x=COLUMNS)
    case(f"reduce_{name}_scalar", call(f"math.reduce_{name}"), x=normal())
case("reduce_sum_empty_int32", call("reduce_sum"), x=array([], "int32"))
case("reduce_max_empty_int32", call("reduce_max"), x=array([], "int32"))
case("reduce_min_empty_int64", call("reduce_min"), x=array([], "int64"))
case("reduce_all_empty", call("reduce_all"), x=array([], "bool"))
case("reduce_any_empty", call("reduce_any"), x=array([], "bool"))
for name in ("cumsum", "cumprod", "cumulative_logsumexp"):
    case(f"{name}_empty", call(f"math.{name}", axis=0), x=ROWS)
    case(f"{name}_zero_width", call(f"math.{name}", axis=0), x=COLUMNS)
case("reshape_empty", call("reshape", [3, 0]), x=ROWS)
case("reshape_empty_flat", call("reshape", [-1]), x=ROWS)
case("transpose_empty", call("transpose"), x=ROWS)
case("concat_empty", lambda tf, x, y: tf.concat([x, y], 0), x=ROWS, y=normal(2, 3))
case("concat_only_empty", lambda tf, x: tf.concat([x, x], 1), x=COLUMNS)
case("stack_empty", lambda tf, x: tf.stack([x, x]), x=ROWS)
case("stack_nothing", lambda tf: tf.stack([]))
case("linspace_nothing", lambda tf: tf.linspace(0.0, 1.0, 0))
case("split_empty", call("split", 3, axis=1), x=ROWS)
case("tile_empty", call("tile", [2, 2]), x=ROWS)
case("pad_empty", call("pad", [[1, 1], [0, 0]]), x=ROWS)
case("reverse_empty", call("reverse", [0]), x=ROWS)
case("gather_from_empty", call("gather"), x=ROWS, i=array([], "int32"))
case("gather_nothing", call("gather", axis=1), x=normal(2, 3), i=array([], "int32"))
case("gather_nd_nothing", call("gather_nd"), x=normal(2, 3), i=normal(0, 2, dtype="int32"))
case(
    "scatter_nd_nothing",
    lambda tf, i, u: tf.scatter_nd(i, u, [3]),
    i=normal(0, 1, dtype="int32"),
    u=NOTHING,
)
case(
    "tensor_scatter_nothing",
    call("tensor_scatter_nd_add"),
    x=normal(3),
    i=normal(0, 1, dtype="int32"),
    u=NOTHING,
)
case("slice_of_empty", lambda tf, x: x[:, 1:], x=ROWS)
case("boolean_mask_empty", lambda tf, x: x[x > 0], x=NOTHING)
case("where_empty", call("where"), c=array([], "bool"), x=NOTHING, y=NOTHING)
case("where_coordinates_empty", call("where"), c=array([False, False], "bool"))
case("matmul_empty_inner", call("matmul"), a=normal(2, 0), b=normal(0, 3))
case("matmul_empty_outer", call("matmul"), a=normal(0, 2), b=normal(2, 3))
case("matmul_empty_batch", call("matmul"), a=normal(0, 2, 3), b=normal(0, 3, 2))
case("einsum_empty", lambda tf, a, b: tf.einsum("ij,jk->ik", a, b), a=normal(2, 0), b=normal(0, 3))
case("tensordot_empty", call("tensordot", axes=1), a=normal(2, 0), b=normal(0, 2))
case("sort_empty", call("sort"), x=ROWS)
case("top_k_empty_rows", call("math.top_k", k=2), x=ROWS)
case("softmax_empty_rows", call("nn.softmax"), x=ROWS)
case("relu_empty", call("nn.relu"), x=ROWS)
case("cast_empty", call("cast", "float64"), x=ROWS)
case("one_hot_empty", call("one_hot", 3), i=array([], "int32"))
case(
    "unsorted_segment_sum_empty",
    call("math.unsorted_segment_sum", num_segments=2),
    x=ROWS,
    i=array([], "int32"),
)
case("segment_sum_empty", call("math.segment_sum"), x=ROWS, i=array([], "int32"))
case("norm_empty", call("norm"), x=NOTHING)
case("clip_empty", lambda tf, x: tf.clip_by_value(x, 0.0, 1.0), x=NOTHING)
case(
    "conv2d_empty_batch",
    call("nn.conv2d", strides=1, padding="SAME"),
    x=normal(0, 3, 3, 1),
    w=normal(2, 2, 1, 2),
)
case(
    "max_pool_empty_batch",
    call("nn.max_pool2d", ksize=2, strides=2, padding="SAME"),
    x=normal(0, 4, 4, 1),
)
case(
    "conv2d_filter_too_large",
    call("nn.conv2d", strides=1, padding="VALID"),
    wrt="",
    x=normal(1, 2, 2, 1),
    w=normal(3, 3, 1, 1),
)
case("cholesky_empty_batch", call("linalg.cholesky"), a=normal(0, 2, 2))
case("inv_empty_batch", call("linalg.inv"), a=normal(0, 2, 2))
case("det_empty_batch", call("linalg.det"), a=normal(0, 2, 2))
case("det_zero_by_zero", call("linalg.det"), a=normal(0, 0))
case(
    "sparse_cross_entropy_empty",
    call("nn.sparse_softmax_cross_entropy_with_logits"),
    labels=array([], "int32"),
    logits=ROWS,
)
case("broadcast_to_empty", call("broadcast_to", [0, 3]), x=normal(3))
case("zeros_like_empty", call("zeros_like"), x=ROWS)
case("unique_empty", call("unique"), x=array([], "int32"))
case("bincount_empty", call("math.bincount"), x=array([], "int32"))
case("shape_of_empty", lambda tf, x: (tf.shape(x), tf.size(x), tf.rank(x)), wrt="", x=ROWS)
case("unstack_nothing", call("unstack"), x=ROWS)
case("iterate_nothing", lambda tf, x: list(x), x=ROWS)
