"""Wrong calls: each must raise an exception of the class that TensorFlow raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .ragged import names

WRONG_CALLS: dict[str, Callable[[Any], Any]] = {
    # Shapes that do not fit.
    "add_shapes": lambda tf: tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0]),
    "multiply_shapes": lambda tf: tf.multiply(tf.ones([2, 3]), tf.ones([3, 2])),
    "maximum_shapes": lambda tf: tf.maximum(tf.ones([2]), tf.ones([3])),
    "less_shapes": lambda tf: tf.less(tf.ones([2]), tf.ones([3])),
    "pow_shapes": lambda tf: tf.pow(tf.ones([2]), tf.ones([3])),
    "where_shapes": lambda tf: tf.where([True, False], tf.ones([3]), tf.ones([3])),
    "matmul_shapes": lambda tf: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3])),
    "matmul_operator_shapes": lambda tf: tf.ones([2, 3]) @ tf.ones([4, 2]),
    "matmul_batch_shapes": lambda tf: tf.matmul(tf.ones([2, 2, 3]), tf.ones([3, 3, 2])),
    "matmul_vectors": lambda tf: tf.matmul(tf.ones([3]), tf.ones([3])),
    "matvec_shapes": lambda tf: tf.linalg.matvec(tf.ones([2, 3]), tf.ones([2])),
    "tensordot_shapes": lambda tf: tf.tensordot(tf.ones([2, 3]), tf.ones([2, 3]), 1),
    "einsum_shapes": lambda tf: tf.einsum("ij,jk->ik", tf.ones([2, 3]), tf.ones([2, 3])),
    "einsum_rank": lambda tf: tf.einsum("ijk->i", tf.ones([2, 3])),
    "einsum_operands": lambda tf: tf.einsum("ij,jk->ik", tf.ones([2, 3])),
    "einsum_unknown_output": lambda tf: tf.einsum("ij->iz", tf.ones([2, 3])),
    "reshape_size": lambda tf: tf.reshape(tf.ones([6]), [4, 2]),
    "reshape_two_unknown": lambda tf: tf.reshape(tf.ones([6]), [-1, -1]),
    "reshape_indivisible": lambda tf: tf.reshape(tf.ones([6]), [4, -1]),
    "broadcast_to_shapes": lambda tf: tf.broadcast_to(tf.ones([3]), [2, 4]),
    "concat_shapes": lambda tf: tf.concat([tf.ones([2, 3]), tf.ones([2, 4])], 0),
    "concat_ranks": lambda tf: tf.concat([tf.ones([2, 3]), tf.ones([2])], 0),
    "stack_shapes": lambda tf: tf.stack([tf.ones([2]), tf.ones([3])]),
    "split_indivisible": lambda tf: tf.split(tf.ones([5]), 2),
    "split_sizes_sum": lambda tf: tf.split(tf.ones([5]), [2, 2]),
    "squeeze_not_one": lambda tf: tf.squeeze(tf.ones([2, 3]), axis=0),
    "transpose_perm_length": lambda tf: tf.transpose(tf.ones([2, 3]), [0, 1, 2]),
    "transpose_perm_repeated": lambda tf: tf.transpose(tf.ones([2, 3]), [0, 0]),
    "tile_multiples_length": lambda tf: tf.tile(tf.ones([2, 3]), [2]),
    "pad_rank": lambda tf: tf.pad(tf.ones([2, 3]), [[1, 1]]),
    "pad_negative": lambda tf: tf.pad(tf.ones([2]), [[-1, 0]]),
    "pad_reflect_too_far": lambda tf: tf.pad(tf.ones([3]), [[3, 0]], "REFLECT"),
    "pad_symmetric_too_far": lambda tf: tf.pad(tf.ones([3]), [[4, 0]], "SYMMETRIC"),
    "pad_unknown_mode": lambda tf: tf.pad(tf.ones([3]), [[1, 0]], "MIRROR"),
    "boolean_mask_shape": lambda tf: tf.boolean_mask(tf.ones([3]), [True, False]),
    "add_n_shapes": lambda tf: tf.add_n([tf.ones([2]), tf.ones([3])]),
    "eye_of_strings": lambda tf: tf.eye(2, dtype=tf.string),
    "one_hot_of_strings": lambda tf: tf.one_hot([0], 2, dtype=tf.string),
    "map_fn_dtype": lambda tf: tf.map_fn(
        lambda x: x, tf.constant([1, 2]), fn_output_signature=tf.float32
    ),
    "map_fn_structure": lambda tf: tf.map_fn(
        lambda x: (x, x), tf.constant([1, 2]), fn_output_signature=[tf.int32, tf.int32]
    ),
    "ensure_shape": lambda tf: tf.ensure_shape(tf.ones([2]), [3]),
    # Dtypes that do not fit.
    "add_dtypes": lambda tf: tf.constant(1.0) + tf.constant(1),
    "add_float64": lambda tf: tf.constant(1.0) + tf.constant(1.0, tf.float64),
    "integer_tensor_and_float": lambda tf: tf.constant([1, 2]) * 2.5,
    "matmul_dtypes": lambda tf: tf.matmul(tf.ones([2, 2]), tf.ones([2, 2], tf.float64)),
    "concat_dtypes": lambda tf: tf.concat([tf.ones([2]), tf.ones([2], tf.int32)], 0),
    "stack_dtypes": lambda tf: tf.stack([tf.ones([2]), tf.ones([2], tf.float64)]),
    "maximum_dtypes": lambda tf: tf.maximum(tf.constant(1.0), tf.constant(1)),
    "where_dtypes": lambda tf: tf.where([True], tf.ones([1]), tf.ones([1], tf.int32)),
    "where_condition_type": lambda tf: tf.where(tf.ones([2]), tf.ones([2]), tf.ones([2])),
    "equal_dtypes": lambda tf: tf.equal(tf.constant(1.0), tf.constant(1)),
    "sin_of_integers": lambda tf: tf.sin(tf.constant([1, 2])),
    "exp_of_integers": lambda tf: tf.exp(tf.constant(1)),
    "sqrt_of_bool": lambda tf: tf.sqrt(tf.constant(True)),
    "logical_and_of_floats": lambda tf: tf.logical_and(tf.constant(1.0), tf.constant(0.0)),
    "invert_float": lambda tf: ~tf.constant(1.0),
    "bitwise_of_floats": lambda tf: tf.bitwise.bitwise_and(tf.constant(1.0), tf.constant(2.0)),
    "less_of_complex": lambda tf: tf.less(tf.constant(1j), tf.constant(2j)),
    "reduce_all_of_floats": lambda tf: tf.reduce_all(tf.constant([1.0])),
    "softmax_of_integers": lambda tf: tf.nn.softmax(tf.constant([1, 2])),
    "conv2d_of_strings": lambda tf: tf.nn.conv2d(
        tf.constant("a"), tf.ones([1, 1, 1, 1]), 1, "SAME"
    ),
    "gather_float_indices": lambda tf: tf.gather(tf.ones([3]), tf.constant([0.0, 1.0])),
    "one_hot_float_indices": lambda tf: tf.one_hot(tf.constant([0.0]), 3),
    "constant_wrong_dtype": lambda tf: tf.constant("a", dtype=tf.float32),
    "constant_float_as_int": lambda tf: tf.constant(1.5, dtype=tf.int32),
    "unknown_dtype_name": lambda tf: tf.constant(1.0, dtype="float31"),
    "complex_of_integers": lambda tf: tf.complex(tf.constant(1), tf.constant(2)),
    "complex_of_mixed": lambda tf: tf.complex(tf.constant(1.0), tf.constant(2.0, tf.float64)),
    "convert_wrong_dtype": lambda tf: tf.convert_to_tensor(tf.ones([2]), dtype=tf.float64),
    "variable_assign_dtype": lambda tf: tf.Variable([1.0]).assign(tf.constant([1.0], tf.float64)),
    # Axes and ranks.
    "reduce_sum_axis": lambda tf: tf.reduce_sum(tf.ones([2, 3]), axis=2),
    "reduce_max_axis": lambda tf: tf.reduce_max(tf.ones([2, 3]), axis=-3),
    "reduce_sum_repeated_axis": lambda tf: tf.reduce_sum(tf.ones([2, 3]), axis=[0, 0]),
    "argmax_axis": lambda tf: tf.argmax(tf.ones([2, 3]), axis=5),
    "concat_axis": lambda tf: tf.concat([tf.ones([2]), tf.ones([2])], 1),
    "concat_nothing": lambda tf: tf.concat([], 0),
    "stack_axis": lambda tf: tf.stack([tf.ones([2]), tf.ones([2])], axis=3),
    "unstack_axis": lambda tf: tf.unstack(tf.ones([2]), axis=1),
    "unstack_num": lambda tf: tf.unstack(tf.ones([2]), num=3),
    "split_axis": lambda tf: tf.split(tf.ones([4]), 2, axis=1),
    "expand_dims_axis": lambda tf: tf.expand_dims(tf.ones([2]), 3),
    "squeeze_axis": lambda tf: tf.squeeze(tf.ones([1, 2]), axis=4),
    "cumsum_axis": lambda tf: tf.cumsum(tf.ones([3]), axis=1),
    "reverse_axis": lambda tf: tf.reverse(tf.ones([3]), [1]),
    "sort_axis": lambda tf: tf.sort(tf.ones([3]), axis=1),
    "sort_direction": lambda tf: tf.sort(tf.ones([3]), direction="UP"),
    "gather_axis": lambda tf: tf.gather(tf.ones([3]), [0], axis=1),
    "gather_batch_dims": lambda tf: tf.gather(tf.ones([3]), [0], batch_dims=2),
    "softmax_axis": lambda tf: tf.nn.softmax(tf.ones([2, 3]), axis=2),
    "softmax_scalar": lambda tf: tf.nn.softmax(tf.constant(1.0)),
    "top_k_scalar": lambda tf: tf.math.top_k(tf.constant(1.0), 1),
    "top_k_too_many": lambda tf: tf.math.top_k(tf.ones([3]), 4),
    "norm_three_axes": lambda tf: tf.norm(tf.ones([2, 2, 2]), axis=[0, 1, 2]),
    "norm_unknown_order": lambda tf: tf.norm(tf.ones([2]), ord="nuclear"),
    "trace_of_vector": lambda tf: tf.linalg.trace(tf.ones([3])),
    "iterate_scalar": lambda tf: list(tf.constant(1.0)),
    "length_of_scalar": lambda tf: len(tf.constant(1.0)),
    # Indices.
    "index_out_of_range": lambda tf: tf.ones([3])[3],
    "index_below_range": lambda tf: tf.ones([3])[-4],
    "index_too_many": lambda tf: tf.ones([3])[0, 0],
    "index_of_scalar": lambda tf: tf.constant(1.0)[0],
    "index_float": lambda tf: tf.ones([3])[1.5],
    "index_string": lambda tf: tf.ones([3])["a"],
    "index_two_ellipses": lambda tf: tf.ones([3, 3])[..., ...],
    "index_zero_step": lambda tf: tf.ones([3])[::0],
    "index_assignment": lambda tf: _assign_item(tf.ones([3])),
    "gather_out_of_range": lambda tf: tf.gather(tf.ones([3]), [3]),
    "gather_negative": lambda tf: tf.gather(tf.ones([3]), [-1]),
    "gather_nd_out_of_range": lambda tf: tf.gather_nd(tf.ones([2, 2]), [[0, 2]]),
    "gather_nd_too_deep": lambda tf: tf.gather_nd(tf.ones([2, 2]), [[0, 0, 0]]),
    "scatter_nd_out_of_range": lambda tf: tf.scatter_nd([[4]], [1.0], [3]),
    "scatter_nd_shapes": lambda tf: tf.scatter_nd([[0], [1]], [1.0], [3]),
    "tensor_scatter_out_of_range": lambda tf: tf.tensor_scatter_nd_update(
        tf.ones([3]), [[5]], [1.0]
    ),
    "slice_out_of_range": lambda tf: tf.slice(tf.ones([3]), [2], [3]),
    "segment_ids_shape": lambda tf: tf.math.segment_sum(tf.ones([3]), [0, 1]),
    "segment_ids_unsorted": lambda tf: tf.math.segment_sum(tf.ones([3]), [1, 0, 1]),
    "unsorted_segment_ids_range": lambda tf: tf.math.unsorted_segment_sum(tf.ones([2]), [0, 5], 3),
    "sparse_labels_rank": lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(
        [0, 1, 2], tf.ones([2, 3])
    ),
    "cross_entropy_shapes": lambda tf: tf.nn.softmax_cross_entropy_with_logits(
        tf.ones([2, 3]), tf.ones([2, 4])
    ),
    "sigmoid_cross_entropy_shapes": lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(
        labels=tf.ones([2]), logits=tf.ones([3])
    ),
    # Linear algebra and neural-network kernels.
    "inv_not_square": lambda tf: tf.linalg.inv(tf.ones([2, 3])),
    "inv_singular": lambda tf: tf.linalg.inv(tf.zeros([2, 2])),
    "det_not_square": lambda tf: tf.linalg.det(tf.ones([2, 3])),
    "cholesky_vector": lambda tf: tf.linalg.cholesky(tf.ones([3])),
    "solve_shapes": lambda tf: tf.linalg.solve(tf.eye(2), tf.ones([3, 1])),
    "solve_singular": lambda tf: tf.linalg.solve(tf.zeros([2, 2]), tf.ones([2, 1])),
    "qr_of_vector": lambda tf: tf.linalg.qr(tf.ones([3])),
    "cross_of_pairs": lambda tf: tf.linalg.cross(tf.ones([2]), tf.ones([2])),
    "conv2d_channels": lambda tf: tf.nn.conv2d(
        tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 2, 1]), 1, "SAME"
    ),
    "conv2d_rank": lambda tf: tf.nn.conv2d(tf.ones([4, 4, 1]), tf.ones([2, 2, 1]), 1, "SAME"),
    "conv2d_padding_name": lambda tf: tf.nn.conv2d(
        tf.ones([1, 4, 4, 1]), tf.ones([2, 2, 1, 1]), 1, "FULL"
    ),
    "conv2d_strides_length": lambda tf: tf.nn.conv2d(
        tf.ones([1, 4, 4, 1]), tf.ones([2, 2, 1, 1]), [1, 2, 3], "SAME"
    ),
    "bias_add_shapes": lambda tf: tf.nn.bias_add(tf.ones([2, 3]), tf.ones([2])),
    "space_to_depth_indivisible": lambda tf: tf.nn.space_to_depth(tf.ones([1, 3, 3, 1]), 2),
    # Objects that are no tensors, and wrong uses.
    "constant_of_object": lambda tf: tf.constant(object()),
    "constant_of_none": lambda tf: tf.constant(None),
    "constant_ragged": lambda tf: tf.constant([[1.0, 2.0], [3.0]]),
    "constant_mixed": lambda tf: tf.constant([1.0, "a"]),
    "constant_shape": lambda tf: tf.constant([1.0, 2.0, 3.0], shape=[2]),
    "sin_of_string": lambda tf: tf.sin("a"),
    "sin_of_none": lambda tf: tf.sin(None),
    "add_none": lambda tf: tf.constant(1.0) + None,
    "add_string": lambda tf: tf.constant(1.0) + "a",
    "add_object": lambda tf: tf.constant(1.0) + object(),
    "reduce_sum_of_dict": lambda tf: tf.reduce_sum({"a": 1.0}),
    "bool_of_vector": lambda tf: bool(tf.constant([True, False])),
    "if_on_vector": lambda tf: 1 if tf.ones([2]) else 2,
    "float_of_vector": lambda tf: float(tf.ones([2])),
    "int_of_vector": lambda tf: int(tf.ones([2])),
    "hash_of_tensor": lambda tf: hash(tf.constant(1.0)),
    "zeros_negative": lambda tf: tf.zeros([-1, 2]),
    "range_zero_delta": lambda tf: tf.range(0, 5, 0),
    "clip_shapes": lambda tf: tf.clip_by_value(tf.ones([2]), tf.zeros([3]), 1.0),
    "variable_assign_shape": lambda tf: tf.Variable([1.0, 2.0]).assign([1.0, 2.0, 3.0]),
    "variable_without_value": lambda tf: tf.Variable(),
    "unknown_keyword": lambda tf: tf.reduce_sum(tf.ones([2]), axes=0),
    "missing_argument": lambda tf: tf.matmul(tf.ones([2, 2])),
    # The tape.
    "tape_used_twice": lambda tf: _use_twice(tf),
    "watch_a_number": lambda tf: _watch(tf, 3.0),
    "watch_a_string": lambda tf: _watch(tf, "x"),
    "watch_outside": lambda tf: _gradient_of_wrong_source(tf),
    "jacobian_used_twice": lambda tf: _jacobian_twice(tf),
    "batch_jacobian_shapes": lambda tf: _batch_jacobian(tf, tf.ones([2, 3]), tf.ones([3, 2])),
    "stop_recording_outside": lambda tf: _stop_outside(tf),
    "output_gradients_shape": lambda tf: _wrong_output_gradients(tf),
    "unconnected_name": lambda tf: _gradient_with(tf, unconnected_gradients="nothing"),
    "reenter_tape": lambda tf: _reenter(tf),
    "custom_gradient_count": lambda tf: _custom_gradient_count(tf),
    "switch_case_type": lambda tf: tf.switch_case(tf.constant(1.0), [lambda: 1, lambda: 2]),
    "cond_not_callable": lambda tf: tf.cond(tf.constant(True), 1, 2),
    "assert_equal": lambda tf: tf.debugging.assert_equal(tf.ones([2]), tf.zeros([2])),
    "assert_rank": lambda tf: tf.debugging.assert_rank(tf.ones([2]), 2),
    "assert_shapes": lambda tf: tf.debugging.assert_shapes([(tf.ones([2, 3]), ("N", "N"))]),
    "check_numerics": lambda tf: tf.debugging.check_numerics(tf.constant(float("nan")), "bad"),
    "nest_structures_differ": lambda tf: tf.nest.map_structure(lambda a, b: a, [1, 2], [1]),
    "nest_pack_too_few": lambda tf: tf.nest.pack_sequence_as([1, 2], [1]),
}


def _assign_item(tensor: Any) -> Any:
    tensor[0] = 1.0
    return tensor


def _tape(tf: Any, **options: Any) -> tuple[Any, Any, Any]:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(**options) as tape:
        tape.watch(x)
        y = x * x
    return tape, x, y


def _use_twice(tf: Any) -> Any:
    tape, x, y = _tape(tf)
    tape.gradient(y, x)
    return tape.gradient(y, x)


def _watch(tf: Any, thing: Any) -> Any:
    with tf.GradientTape() as tape:
        return tape.watch(thing)


def _gradient_of_wrong_source(tf: Any) -> Any:
    tape, _, y = _tape(tf)
    return tape.gradient(y, "x")


def _jacobian_twice(tf: Any) -> Any:
    tape, x, y = _tape(tf)
    tape.jacobian(y, x)
    return tape.jacobian(y, x)


def _batch_jacobian(tf: Any, x: Any, y: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.matmul(y, x)
    return tape.batch_jacobian(z, x)


def _stop_outside(tf: Any) -> Any:
    tape, _, _ = _tape(tf)
    with tape.stop_recording():
        return None


def _wrong_output_gradients(tf: Any) -> Any:
    tape, x, y = _tape(tf)
    return tape.gradient(y, x, output_gradients=tf.ones([3]))


def _gradient_with(tf: Any, **options: Any) -> Any:
    tape, x, y = _tape(tf)
    return tape.gradient(y, x, **options)


def _reenter(tf: Any) -> Any:
    with tf.GradientTape() as tape, tape:
        return None


def _custom_gradient_count(tf: Any) -> Any:
    @tf.custom_gradient
    def function(x, y):
        return x * y, lambda upstream: upstream

    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        z = function(a, b)
    return tape.gradient(z, [a, b])


# Ragged tensors: expressions of the names in `ragged.py`.
_RAGGED = """
C([[1], 2])
C([[[1]], [2]])
tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 2])
tf.RaggedTensor.from_row_splits([1, 2, 3], [1, 3])
tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 1, 3])
tf.RaggedTensor.from_row_splits([1, 2, 3], [])
tf.RaggedTensor.from_row_splits([1, 2, 3], [0.0, 3.0])
tf.RaggedTensor.from_row_lengths([1, 2, 3], [1, 1])
tf.RaggedTensor.from_row_lengths([1, 2, 3], [-1, 4])
tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2], nrows=2)
tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 2, 1])
tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 1])
tf.RaggedTensor.from_row_starts([1, 2, 3], [1, 2])
tf.RaggedTensor.from_row_limits([1, 2, 3], [1, 2])
tf.RaggedTensor.from_uniform_row_length([1, 2, 3], 2)
tf.RaggedTensor.from_row_splits(5, [0, 1])
tf.RaggedTensor(1, 2)
rt[3]
rt[-4]
rt[:, 0]
rt[0, 5]
rt[..., 0]
rt["a"]
rt[tf.constant([1])]
rt[1.0]
rt[:, ::0]
r2[0, :, 0]
uni[:, 2]
rt[rt > 1]
rt[True]
len(rt)
bool(rt)
hash(rt)
rt.with_values([1])
r2.with_flat_values([9.0])
rt.to_tensor(default_value=1.5)
rt.to_tensor(shape=[3])
tf.RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0], [0, 0, 0]], lengths=[1, 0])
tf.RaggedTensor.from_tensor([1, 2])
tf.RaggedTensor.from_tensor([[1, 2], [3, 4]], lengths=[1, 2], padding=0)
tf.RaggedTensor.from_tensor([[1, 2], [3, 4]], ragged_rank=2)
tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 1], [2, 0]], [1, 3], [4, 3]))
tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 0, 0]], [1], [4, 3, 1]))
C([[5], []]) & C([[4], []])
rt + [1, 2, 3]
rt + C([[10], [20], [30]])
rt + C([[1, 2], [3], [4]])
rt + tf.constant([[1], [2]])
r2 + rt[:, None]
rt + tf.constant(1.5)
tf.reduce_sum(rt, 2)
tf.argmax(rf, 1)
tf.concat([rt, rt], 2)
tf.concat([rt, r2], 0)
tf.concat([rt, C([[1]])], 1)
tf.gather(rt, [5])
tf.ragged.boolean_mask(rt, True)
tf.ragged.boolean_mask(rt, [1, 0, 1])
tf.ragged.boolean_mask(rt, C([[True], [], [True]]))
tf.expand_dims(rt, 3)
tf.squeeze(rt, 1)
tf.squeeze(tf.expand_dims(rt, 2))
tf.one_hot(C([[0, 1], [2]]), 3, axis=1)
tf.map_fn(tf.reduce_sum, rt)
tf.unstack(rt)
tf.ragged.range([1, 2, 3], [2, 3])
tf.ragged.range([1], [5], [0])
tf.ragged.row_splits_to_segment_ids([])
tf.ragged.map_flat_values(tf.add, rt, C([[1, 2], [3], [4, 5]]))
tf.ragged.map_flat_values(tf.reduce_sum, rt)
tf.convert_to_tensor(rt)
tf.RaggedTensorSpec([None, None], tf.int32, ragged_rank=2)
tf.transpose(rt)
tf.sparse.to_dense(rt)
tf.sort(rt)
tf.reduce_sum(rt.with_row_splits_dtype(tf.int32) + rt)
"""
for _line in _RAGGED.strip().split("\n"):
    WRONG_CALLS[f"ragged: {_line}"] = lambda tf, line=_line: eval(line, names(tf))
