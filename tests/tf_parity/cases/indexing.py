"""Every form of indexing a tensor, and the slice functions."""

from __future__ import annotations

import numpy as np

from ..case import CaseList, call
from ..inputs import array, booleans, integers, normal

case = CaseList()

CUBE = normal(4, 5, 3)
EXPRESSIONS = {
    "integer": lambda x: x[1],
    "negative_integer": lambda x: x[-1],
    "two_integers": lambda x: x[1, -2],
    "three_integers": lambda x: x[1, 2, 0],
    "range": lambda x: x[1:3],
    "open_start": lambda x: x[:2],
    "open_end": lambda x: x[2:],
    "negative_bounds": lambda x: x[-3:-1],
    "step": lambda x: x[::2],
    "step_with_bounds": lambda x: x[1:4:2],
    "reverse": lambda x: x[::-1],
    "reverse_step": lambda x: x[::-2],
    "reverse_with_bounds": lambda x: x[3:0:-1],
    "out_of_range_bounds": lambda x: x[2:100],
    "empty_range": lambda x: x[3:1],
    "second_axis": lambda x: x[:, 1:3],
    "second_axis_integer": lambda x: x[:, 2],
    "last_axis_step": lambda x: x[:, :, ::2],
    "all": lambda x: x[:],
    "all_axes": lambda x: x[:, :, :],
    "ellipsis": lambda x: x[..., 1],
    "ellipsis_alone": lambda x: x[...],
    "ellipsis_middle": lambda x: x[1, ..., 2],
    "ellipsis_end": lambda x: x[0, ...],
    "ellipsis_slice": lambda x: x[..., 1:],
    "new_axis_first": lambda x: x[None],
    "new_axis_last": lambda x: x[..., None],
    "new_axis_middle": lambda x: x[:, None, :, :],
    "new_axes": lambda x: x[None, :, None, 1],
    "mixed": lambda x: x[..., None, ::2],
    "mixed_integer_step": lambda x: x[1, ::2, None, -1],
    "list_is_read_as_a_tuple": lambda x: x[[0, 1]],
    "chained": lambda x: x[1][2][0],
    "overlap": lambda x: x[1:] * x[:-1],
    "two_reads": lambda x: x[0] + 2.0 * x[0],
    "numpy_integer": lambda x: x[np.int64(2)],
    "numpy_integer_slice": lambda x: x[np.int32(1) : np.int32(3)],
    "diagonal_by_rows": lambda x: [x[i, i] for i in range(3)],
    "negative_step_two_axes": lambda x: x[::-1, ::-2],
}
for name, index in EXPRESSIONS.items():
    case(name, lambda tf, x, index=index: index(x), x=CUBE)
for name in "integer range reverse ellipsis new_axis_last mixed".split():
    index = EXPRESSIONS[name]
    case(f"{name}_int32", lambda tf, x, index=index: index(x), x=integers(4, 5, 3))
    case(f"{name}_float64", lambda tf, x, i=index: i(x), x=normal(4, 5, 3, dtype="float64"))
case("newaxis_name", lambda tf, x: x[:, tf.newaxis], x=normal(3))
case("tensor_scalar_index", lambda tf, x, i: x[i], x=CUBE, i=array(2, "int32"))
case("tensor_scalar_in_tuple", lambda tf, x, i: x[:, i], x=CUBE, i=array(2, "int32"))
case("tensor_slice_bounds", lambda tf, x, i: x[i : i + 2], x=CUBE, i=array(1, "int32"))
case("tensor_slice_bounds_int64", lambda tf, x, i: x[i:], x=CUBE, i=array(1, "int64"))
case("boolean_mask_rows", lambda tf, x, m: x[m], x=CUBE, m=array([True, False, True, True], "bool"))
case("boolean_mask_all", lambda tf, x: x[x > 0], x=normal(3, 4))
case("boolean_mask_two_axes", lambda tf, x, m: x[m], x=CUBE, m=booleans(4, 5))
case("boolean_numpy_mask", lambda tf, x: x[np.array([True, False, False, True])], x=CUBE)
case("scalar_ellipsis", lambda tf, x: x[...], x=normal())
case("scalar_new_axis", lambda tf, x: x[None, None], x=normal())
case("complex_slice", lambda tf, x: x[1:, ::2], x=normal(3, 4, dtype="complex64"))
case("bool_slice", lambda tf, x: x[1:, 0], x=booleans(3, 4))
case("high_rank", lambda tf, x: x[0, :, 1:, ..., -1, None], x=normal(2, 2, 2, 1, 2, 2))

for dtype in ("float32", "float64"):
    x = normal(4, 5, dtype=dtype)
    case(f"slice_{dtype}", lambda tf, x: tf.slice(x, [1, 0], [2, 3]), x=x)
case("slice_to_end", lambda tf, x: tf.slice(x, [1, 2], [-1, -1]), x=normal(4, 5))
case("slice_empty", lambda tf, x: tf.slice(x, [1, 2], [0, 2]), x=normal(4, 5))
case(
    "slice_tensor_begin",
    lambda tf, x, b: tf.slice(x, b, [2, 2]),
    x=normal(4, 5),
    b=array([1, 1], "int32"),
)
case("strided_slice", lambda tf, x: tf.strided_slice(x, [0, 1], [4, 5], [2, 2]), x=normal(4, 5))
case(
    "strided_slice_default_strides",
    lambda tf, x: tf.strided_slice(x, [1, 1], [3, 4]),
    x=normal(4, 5),
)
case(
    "strided_slice_negative",
    lambda tf, x: tf.strided_slice(x, [3, 4], [0, 0], [-1, -2]),
    x=normal(4, 5),
)
case(
    "strided_slice_masks",
    lambda tf, x: tf.strided_slice(x, [1, 1], [2, 3], [1, 1], begin_mask=2, end_mask=1),
    x=normal(4, 5),
)
case(
    "strided_slice_shrink",
    lambda tf, x: tf.strided_slice(x, [1, 1], [2, 4], [1, 1], shrink_axis_mask=1),
    x=normal(4, 5),
)
case(
    "strided_slice_new_axis",
    lambda tf, x: tf.strided_slice(x, [0, 1], [0, 3], [1, 1], new_axis_mask=1),
    x=normal(4, 5),
)
case(
    "strided_slice_ellipsis",
    lambda tf, x: tf.strided_slice(x, [0, 1], [0, 3], [1, 1], ellipsis_mask=1),
    x=normal(4, 5, 4),
)

case("boolean_mask", lambda tf, x, m: tf.boolean_mask(x, m), x=normal(4, 3), m=booleans(4))
case("boolean_mask_full", lambda tf, x, m: tf.boolean_mask(x, m), x=normal(4, 3), m=booleans(4, 3))
case(
    "boolean_mask_axis",
    lambda tf, x: tf.boolean_mask(x, [True, False, True], axis=1),
    x=normal(4, 3),
)
case(
    "boolean_mask_inner_axes",
    lambda tf, x, m: tf.boolean_mask(x, m, axis=1),
    x=normal(2, 3, 2),
    m=booleans(3, 2),
)
case("boolean_mask_nothing", lambda tf, x: tf.boolean_mask(x, [False, False]), x=normal(2, 3))
case("boolean_mask_int32", lambda tf, x: tf.boolean_mask(x, [True, False, True]), x=integers(3))
case(
    "unravel_index",
    call("unravel_index"),
    i=array([0, 5, 11], "int32"),
    dims=array([3, 4], "int32"),
)
case(
    "unravel_index_scalar",
    call("unravel_index"),
    i=array(7, "int64"),
    dims=array([2, 2, 2], "int64"),
)
