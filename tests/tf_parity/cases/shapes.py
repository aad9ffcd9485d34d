"""Functions that move elements without changing them."""

from __future__ import annotations

import numpy as np

from ..case import CaseList, call
from ..inputs import array, booleans, integers, normal

case = CaseList()

MATRIX = normal(2, 6)
CUBE = normal(2, 3, 4)
for label, shape in {
    "flat": [-1],
    "inferred": [3, -1],
    "ranks": [1, 2, 1, 6],
    "tuple": (4, 3),
    "same": [2, 6],
    "numpy": np.array([6, 2]),
}.items():
    case(f"reshape_{label}", call("reshape", shape), x=MATRIX)
case("reshape_scalar_to_vector", call("reshape", [1]), x=normal())
case("reshape_to_scalar", call("reshape", []), x=normal(1, 1))
case("reshape_tensor_shape", call("reshape"), x=MATRIX, shape=array([4, 3], "int32"))
case("reshape_int64_shape", call("reshape"), x=MATRIX, shape=array([3, 4], "int64"))
case("reshape_static_shape", lambda tf, x, y: tf.reshape(x, y.shape), x=MATRIX, y=normal(3, 4))
case("reshape_mixed_shape", lambda tf, x: tf.reshape(x, [tf.shape(x)[0], 3, 2]), x=MATRIX)
case("reshape_bool", call("reshape", [-1]), x=booleans(2, 2))

for label, perm in {
    "default": None,
    "rotate": [1, 2, 0],
    "same": [0, 1, 2],
    "swap": (0, 2, 1),
}.items():
    case(f"transpose_{label}", call("transpose", perm), x=CUBE)
case("transpose_vector", call("transpose"), x=normal(3))
case("transpose_scalar", call("transpose"), x=normal())
case("transpose_conjugate", call("transpose", conjugate=True), x=normal(2, 3, dtype="complex64"))
case("transpose_five_axes", call("transpose", [4, 2, 0, 1, 3]), x=normal(2, 1, 2, 3, 2))
case("transpose_tensor_perm", call("transpose"), x=normal(2, 3), perm=array([1, 0], "int32"))
case("transpose_int32", call("transpose"), x=integers(2, 3))

for axis in (0, 1, -1):
    label = str(axis).replace("-", "minus_")
    case(f"expand_dims_{label}", call("expand_dims", axis), x=MATRIX)
    case(
        f"concat_axis_{label}", lambda tf, x, y, a=axis: tf.concat([x, y, x], a), x=MATRIX, y=MATRIX
    )
    case(
        f"stack_axis_{label}", lambda tf, x, y, a=axis: tf.stack([x, y], axis=a), x=MATRIX, y=MATRIX
    )
    case(f"unstack_axis_{label}", call("unstack", axis=axis), x=normal(2, 3))
    case(f"split_axis_{label}", call("split", 2, axis), x=normal(2, 4))
    case(f"reverse_axis_{label}", call("reverse", [axis]), x=MATRIX)
    case(f"roll_axis_{label}", call("roll", 2, axis), x=MATRIX)
case(
    "concat_different_sizes", lambda tf, x, y: tf.concat([x, y], 0), x=normal(1, 3), y=normal(4, 3)
)
case("concat_one", lambda tf, x: tf.concat([x], 0), x=normal(2))
case("concat_single_tensor_axis_zero", lambda tf, x: tf.concat(x, 0), x=normal(2, 3))
case("concat_with_list", lambda tf, x: tf.concat([x, [1.0, 2.0]], 0), x=normal(2))
case("concat_int64", lambda tf, x: tf.concat([x, x], 0), x=integers(3, dtype="int64"))
case("concat_zero_size", lambda tf, x: tf.concat([x, tf.zeros([0, 3])], 0), x=normal(2, 3))
case("stack_scalars", lambda tf, x, y: tf.stack([x, y, x * y]), x=normal(), y=normal())
case("stack_python_and_tensor", lambda tf, x: tf.stack([x, 1.0, 2.0]), x=normal())
case("stack_by_conversion", lambda tf, x, y: tf.convert_to_tensor([x, y]), x=normal(2), y=normal(2))
case(
    "nested_list_of_tensors",
    lambda tf, x, y: tf.reduce_sum([[x, y], [y, x * x]], axis=0),
    x=normal(),
    y=normal(),
)
case("unstack_num", call("unstack", num=3), x=normal(3))
case("unstack_some_used", lambda tf, x: tf.unstack(x)[1], x=normal(3, 2))
case("split_sizes", call("split", [1, 3, 2], 1), x=normal(2, 6))
case("split_sizes_inferred", call("split", [1, -1], 1), x=normal(2, 6))
case("split_one_used", lambda tf, x: tf.split(x, 3, axis=1)[2], x=normal(2, 6))
case("squeeze_all", call("squeeze"), x=normal(1, 3, 1, 2))
case("squeeze_axis", call("squeeze", axis=[0]), x=normal(1, 3, 1))
case("squeeze_negative", call("squeeze", axis=-1), x=normal(1, 3, 1))
case("reverse_two_axes", call("reverse", [0, 2]), x=CUBE)
case("reverse_no_axes", call("reverse", []), x=normal(3))
case("roll_two_axes", call("roll", [1, -2], [0, 1]), x=MATRIX)
case("roll_far", call("roll", 15, 0), x=normal(4))
case("tile", call("tile", [2, 1]), x=MATRIX)
case("tile_three_axes", call("tile", [1, 2, 3]), x=normal(2, 1, 2))
case("tile_zero", call("tile", [0, 2]), x=normal(2, 2))
case("tile_scalar", call("tile", []), x=normal())
case("tile_int32", call("tile", [3]), x=integers(2))
case("repeat_number", call("repeat", 2, axis=0), x=normal(3, 2))
case("repeat_numbers", call("repeat", [1, 3, 0], axis=0), x=normal(3, 2))
case("repeat_flat", call("repeat", 2), x=normal(2, 2))
case("repeat_last_axis", call("repeat", [2, 1], axis=-1), x=normal(3, 2))
case("broadcast_to", call("broadcast_to", [2, 3]), x=normal(3))
case("broadcast_to_from_column", call("broadcast_to", [2, 2, 3]), x=normal(2, 1))
case("broadcast_to_from_scalar", call("broadcast_to", [4]), x=normal())
case(
    "broadcast_static_shape",
    lambda tf: list(tf.broadcast_static_shape(tf.TensorShape([2, 1, 3]), tf.TensorShape([4, 1]))),
)
case(
    "broadcast_dynamic_shape",
    call("broadcast_dynamic_shape"),
    x=array([2, 1, 3], "int32"),
    y=array([4, 1], "int32"),
)
case("meshgrid", lambda tf, x, y: tf.meshgrid(x, y), x=normal(3), y=normal(2))
case("meshgrid_ij", lambda tf, x, y: tf.meshgrid(x, y, indexing="ij"), x=normal(3), y=normal(2))
case(
    "meshgrid_three",
    lambda tf, x, y, z: tf.meshgrid(x, y, z),
    x=normal(2),
    y=normal(3),
    z=normal(2),
)
case("ensure_shape", call("ensure_shape", [2, None]), x=MATRIX)

PADDINGS = [[1, 2], [0, 1]]
for mode in ("CONSTANT", "REFLECT", "SYMMETRIC"):
    name = mode.lower()
    case(f"pad_{name}", call("pad", PADDINGS, mode), x=normal(3, 4))
    case(f"pad_{name}_three_axes", call("pad", [[1, 0], [1, 1], [0, 2]], mode), x=normal(2, 3, 4))
    case(f"pad_{name}_none", call("pad", [[0, 0]], mode), x=normal(3))
    case(f"pad_{name}_int32", call("pad", [[1, 1]], mode), x=integers(3))
    case(f"pad_{name}_float64", call("pad", [[2, 1]], mode), x=normal(4, dtype="float64"))
case("pad_value", call("pad", PADDINGS, constant_values=7.5), x=normal(2, 2))
case(
    "pad_tensor_value",
    lambda tf, x, v: tf.pad(x, [[1, 1]], constant_values=v),
    wrt="x",
    x=normal(2),
    v=normal(),
)
case("pad_lower_case_mode", call("pad", [[1, 1]], "reflect"), x=normal(3))
case("pad_tensor_paddings", call("pad"), x=normal(2, 2), p=array(PADDINGS, "int32"))

LENGTHS = array([2, 4, 1], "int32")
case(
    "reverse_sequence",
    lambda tf, x, n: tf.reverse_sequence(x, n, seq_axis=1, batch_axis=0),
    x=normal(3, 4, 2),
    n=LENGTHS,
)
case(
    "reverse_sequence_time_first",
    lambda tf, x, n: tf.reverse_sequence(x, n, seq_axis=0, batch_axis=1),
    x=normal(4, 3),
    n=LENGTHS,
)
case("sequence_mask", call("sequence_mask"), n=LENGTHS)
case("sequence_mask_maxlen", call("sequence_mask", maxlen=5), n=LENGTHS)
case("sequence_mask_dtype", lambda tf, n: tf.sequence_mask(n, 3, dtype=tf.float32), n=LENGTHS)
case("sequence_mask_matrix", call("sequence_mask"), n=array([[1, 2], [0, 3]], "int32"))
case("shape", call("shape"), wrt="", x=CUBE)
case("shape_int64", lambda tf, x: tf.shape(x, out_type=tf.int64), wrt="", x=CUBE)
case("shape_n", lambda tf, x, y: tf.shape_n([x, y]), wrt="", x=CUBE, y=MATRIX)
case("shape_of_scalar", call("shape"), wrt="", x=normal())
case("size", call("size"), wrt="", x=CUBE)
case("rank", call("rank"), wrt="", x=CUBE)
case("identity_n", lambda tf, x, y: tf.identity_n([x, y]), x=normal(2), y=normal(3))
case("tuple", lambda tf, x, y: tf.tuple([x, y]), x=normal(2), y=normal(3))
case("linalg_matrix_transpose", call("linalg.matrix_transpose"), x=CUBE)
case(
    "linalg_matrix_transpose_conjugate",
    call("linalg.matrix_transpose", conjugate=True),
    x=normal(2, 2, 3, dtype="complex64"),
)
case("adjoint", call("linalg.adjoint"), x=normal(2, 3, dtype="complex128"))
case("adjoint_real", call("linalg.adjoint"), x=CUBE)
case(
    "space_to_batch",
    lambda tf, x: tf.space_to_batch(x, [2, 2], [[0, 0], [0, 1]]),
    x=normal(1, 2, 3, 1),
)
case("space_to_batch_nd", lambda tf, x: tf.space_to_batch_nd(x, [2], [[1, 1]]), x=normal(2, 4, 2))
case(
    "nn.space_to_batch",
    lambda tf, x: tf.nn.space_to_batch(x, [2, 1], [[0, 0], [0, 0]]),
    x=normal(1, 4, 2, 1),
)
case(
    "batch_to_space",
    lambda tf, x: tf.batch_to_space(x, [2, 2], [[0, 0], [0, 1]]),
    x=normal(4, 1, 2, 1),
)
case(
    "batch_to_space_one_axis", lambda tf, x: tf.batch_to_space(x, [3], [[1, 0]]), x=normal(6, 2, 2)
)
case(
    "required_space_to_batch_paddings",
    lambda tf: tf.required_space_to_batch_paddings([5, 7], [2, 3]),
)
case(
    "bitcast_of_reshape",
    lambda tf, x: tf.bitcast(tf.reshape(x, [2, 3]), tf.int32),
    wrt="",
    x=normal(6),
)
for padding in ("SAME", "VALID"):
    case(
        f"extract_volume_patches_{padding.lower()}",
        call(
            "extract_volume_patches",
            ksizes=[1, 2, 2, 2, 1],
            strides=[1, 1, 2, 1, 1],
            padding=padding,
        ),
        x=normal(1, 2, 3, 3, 1),
    )
for block in (2, 3):
    case(f"space_to_depth_{block}", call("nn.space_to_depth", block), x=normal(1, 6, 6, 1))
    case(
        f"depth_to_space_{block}",
        call("nn.depth_to_space", block),
        x=normal(1, 2, 1, 2 * block * block),
    )
case("space_to_depth_float64", call("nn.space_to_depth", 2), x=normal(2, 2, 4, 2, dtype="float64"))
case("pad_strings", lambda tf: tf.pad(tf.constant(["a"]), [[1, 2]]))
case("pad_image_of_strings", lambda tf: tf.image.pad_to_bounding_box([[["a"]]], 0, 1, 2, 2))
case("batch_to_space_block_number", call("batch_to_space", 2, [[0, 0], [0, 1]]), x=normal(4, 1, 2))
