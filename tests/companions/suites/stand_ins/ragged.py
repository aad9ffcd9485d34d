"""`ops.ragged`: ragged tensors by the names of its modules."""

from __future__ import annotations

import gradtape as tf

math = tf.math
RaggedTensor = tf.RaggedTensor

range, matmul, ragged_cumsum = tf.ragged.range, tf.matmul, tf.cumsum
segment_sum, segment_prod = math.unsorted_segment_sum, math.unsorted_segment_prod
segment_max, segment_min = math.unsorted_segment_max, math.unsorted_segment_min
segment_mean, segment_sqrt_n = math.unsorted_segment_mean, math.unsorted_segment_sqrt_n
ragged_reshape = tf.reshape


def constant_value(pylist, dtype=None, ragged_rank=None, inner_shape=None, row_splits_dtype=None):
    """Return a constant as `tf.compat.v1.ragged.constant_value` does; rows of strings are bytes."""
    dtype = tf.string if dtype in (bytes, str) else dtype
    result = tf.ragged.constant(
        pylist, dtype, ragged_rank, inner_shape, row_splits_dtype=row_splits_dtype or "int64"
    )
    return result if isinstance(result, RaggedTensor) else result.numpy()


def convert_to_tensor_or_ragged_tensor(value, dtype=None, preferred_dtype=None, name=None):
    """Return a ragged tensor as it is, anything else as a tensor."""
    if isinstance(value, RaggedTensor):
        if dtype is not None and value.dtype != tf.as_dtype(dtype):
            raise ValueError(f"Tensor conversion requested dtype {dtype} for {value.dtype}")
        return value
    return tf.convert_to_tensor(value, dtype)


def is_ragged(value) -> bool:
    """Return whether a value is a ragged tensor."""
    return isinstance(value, RaggedTensor)


def to_tensor(rt_input, default_value=None, name=None, shape=None):
    """Return the tensor of a ragged tensor."""
    return rt_input.to_tensor(default_value, shape=shape)


from_tensor = RaggedTensor.from_tensor
