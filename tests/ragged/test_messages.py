"""What errors about ragged tensors say."""

from __future__ import annotations

import pytest

import gradtape as tf

C = tf.ragged.constant
RT = C([[1, 2, 3], [], [4, 5]])
R2 = C([[[1, 2], [3]], [], [[4, 5, 6]]])
R = tf.RaggedTensor
INVALID = tf.errors.InvalidArgumentError


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: R.from_row_splits([1, 2], [0, 1]), INVALID, r"end at 1, but there are 2 values"),
        (lambda: R.from_row_splits([1], [1, 1]), INVALID, r"row_splits\[0\] must be zero, not 1"),
        (lambda: R.from_row_splits([1, 2], [0, 2, 1, 2]), INVALID, "must never decrease"),
        (lambda: R.from_row_splits([1], [0.0, 1.0]), ValueError, "dtype int32 or int64.*tf.cast"),
        (lambda: R.from_row_lengths([1], [2, -1]), INVALID, "has negative ones"),
        (lambda: R.from_row_starts([1], [1]), INVALID, r"row_starts\[0\] must be zero"),
        (lambda: R.from_row_limits([1, 2], [2, 1]), INVALID, "row_limits must never decrease"),
        (lambda: R.from_value_rowids([1, 2], [0]), ValueError, "one row for each value"),
        (lambda: R.from_value_rowids([1], [0], -1), ValueError, "nrows >= 0; got -1"),
        (lambda: R.from_uniform_row_length([1], -1), ValueError, "greater than or equal to 0"),
        (lambda: R.from_uniform_row_length([1], 1, -1), ValueError, "nrows must be greater"),
        (lambda: R.from_nested_row_splits([1], 3), TypeError, "must be a list of Tensors"),
        (
            lambda: R.from_nested_value_rowids([1], [[0]], [1, 2]),
            ValueError,
            "same length.*1|same length",
        ),
        (lambda: R.from_row_splits(5, [0, 1]), INVALID, "at least one dimension"),
        (lambda: R.from_tensor([[1]], ragged_rank=0), ValueError, "greater than 0"),
        (lambda: R.from_tensor([[1]], ragged_rank=1.5), TypeError, "must be an int"),
        (lambda: R.from_tensor([[[1]]], padding=3), ValueError, "shape of one element"),
        (lambda: R.from_tensor([[1]], lengths=[1, 2]), ValueError, "one length for each row"),
        (
            lambda: R.from_sparse(tf.SparseTensor([[0, 1]], [1], [1, 2])),
            INVALID,
            r"not right-ragged.*\[\[0, 1\]\]",
        ),
        (lambda: RT.with_values([1]), ValueError, "needs 5 values"),
        (lambda: RT.with_row_splits_dtype(tf.float32), ValueError, "int32 or int64"),
        (lambda: RT.merge_dims(1, 0), ValueError, "less than or equal to inner_axis"),
        (lambda: RT.to_tensor(shape=[3]), INVALID, r"rt_input.rank = 2 but shape.rank = 1"),
        (lambda: RT.to_tensor(default_value=tf.constant(1.5)), INVALID, "default_value has dtype"),
        (lambda: RT.to_tensor(default_value=[1, 2]), INVALID, "must broadcast"),
        (lambda: RT[3], IndexError, "Row key 3 out of bounds: the ragged tensor has 3 rows"),
        (lambda: RT[-4], INVALID, "has 3 rows"),
        (lambda: RT[:, 0], ValueError, "inner ragged dimension.*Use a slice"),
        (lambda: RT[..., ...], ValueError, "Multiple ellipses"),
        (lambda: RT["a"], TypeError, "tf.ragged.boolean_mask for a mask"),
        (lambda: RT[:, ::0], INVALID, "the step of a slice is 0"),
        (lambda: RT + C([[1], [2], [3]]), INVALID, r"row lengths \[3, 0, 2\] and \[1, 1, 1\]"),
        (lambda: tf.where(RT > 1, RT, C([[1]])), INVALID, "where: the shapes"),
        (lambda: tf.concat([RT, R2], 0), ValueError, "must have one rank"),
        (lambda: tf.concat([RT, C([[1]])], 1), INVALID, "3 and 1 rows"),
        (lambda: tf.concat([R2, R2[::-1]], 2), INVALID, "different row lengths"),
        (lambda: tf.ragged.stack([]), ValueError, "at least one tensor"),
        (lambda: tf.split(RT, 2), INVALID, "3 rows cannot be divided into 2"),
        (lambda: tf.split(RT, [1, 1]), INVALID, r"must add up to the 3 rows"),
        (lambda: tf.split(RT, 2, 1), ValueError, r"Use slices: rt\[:, :n\]"),
        (lambda: tf.tile(RT, [2]), INVALID, "one number for each of the 2 dimensions"),
        (lambda: tf.reverse(RT, 0), TypeError, "must be a list of int"),
        (lambda: tf.squeeze(RT, 1), INVALID, r"axis = 1\) is not squeezable"),
        (lambda: tf.gather(RT, [3]), INVALID, r"indices\[0\] = 3 is not in \[0, 3\)"),
        (lambda: tf.gather(RT, [0], axis=1), INVALID, "the shortest of them has 0"),
        (
            lambda: tf.gather(RT, C([[5], [], []]), batch_dims=1),
            INVALID,
            "index 5 is not in its row",
        ),
        (lambda: tf.gather(RT, C([[0]]), batch_dims=1), ValueError, "batch dimensions 3 and 1"),
        (lambda: tf.gather_nd(RT, [[0, 9]]), INVALID, r"indices \[0, 9\] are not in params"),
        (lambda: tf.gather_nd(RT, [[0]], 1), ValueError, "batch_dims != 0"),
        (lambda: tf.ragged.boolean_mask(RT, tf.constant([1])), TypeError, "mask must have dtype"),
        (lambda: tf.ragged.boolean_mask([1], [[True]]), ValueError, "more dimensions than data"),
        (lambda: tf.ragged.boolean_mask(RT, [True]), ValueError, "incompatible: boolean_mask"),
        (lambda: tf.where(RT > 1, RT), ValueError, "both be non-None or both be None"),
        (lambda: tf.nn.softmax(C([[1.0]]), 0), ValueError, "along its last axis"),
        (lambda: tf.cumsum(tf.expand_dims(RT, 0), 0), ValueError, "innermost ragged axis"),
        (
            lambda: tf.math.unsorted_segment_sum(RT, [0], 1),
            ValueError,
            "one id for each of the 3 rows",
        ),
        (
            lambda: tf.math.unsorted_segment_sum(RT, [0, 1, 2], 2),
            INVALID,
            "less than num_segments, 2; got 2",
        ),
        (lambda: R.from_uniform_row_length([1], 10**30), ValueError, "64-bit integer"),
        (lambda: tf.ragged.range(10**30), ValueError, "64"),
        (lambda: tf.map_fn(lambda x: x, C([], ragged_rank=1), 1.5), TypeError, "1.5"),
        (lambda: RT.bounding_shape(axis=7), ValueError, "bounding_shape"),
        (lambda: tf.strings.format(1, RT), TypeError, "must be strings"),
        (lambda: tf.expand_dims(tf.ones(2), RT), ValueError, "expand_dims takes no ragged"),
        (lambda: tf.nn.embedding_lookup(RT, [0]), ValueError, "takes no ragged tensor here"),
        (
            lambda: tf.math.unsorted_segment_sum(RT, C([[0]]), 1),
            ValueError,
            "same row splits",
        ),
        (lambda: tf.map_fn(lambda x: x, (RT, C([[1]]))), ValueError, r"\[1, 3\]"),
        (lambda: tf.map_fn(tf.reduce_sum, RT), INVALID, "Give fn_output_signature.*tf.int32"),
        (lambda: tf.ragged.range([[1]]), ValueError, "scalars or vectors"),
        (lambda: tf.ragged.stack_dynamic_partitions([1], [2], 2), INVALID, r"in \[0, 2\)"),
        (lambda: tf.ragged.stack_dynamic_partitions([1], [0, 1], 2), ValueError, "one number"),
        (
            lambda: tf.ragged.stack_dynamic_partitions([1], C([[0]]), 2),
            ValueError,
            "data must be ragged",
        ),
        (lambda: tf.ragged.cross(RT), TypeError, "must be a list"),
        (lambda: tf.ragged.cross([[1]]), ValueError, "must have rank 2"),
        (lambda: tf.ragged.cross([C([[1.5]])]), ValueError, "take strings and integers"),
        (lambda: tf.ragged.cross([RT, [[1]]]), INVALID, r"numbers of rows: \[3, 1\]"),
        (lambda: tf.ragged.constant(RT), TypeError, "must not be a RaggedTensor"),
        (lambda: C(5, ragged_rank=1), ValueError, "incompatible with ragged_rank=1"),
        (lambda: C(5, inner_shape=(1,)), ValueError, r"dim\(inner_shape\)=1"),
        (lambda: C([1], ragged_rank=1), ValueError, "same nesting depth"),
        (lambda: C([[[1, 2]]], inner_shape=(3,)), ValueError, "not inner_shape=.3,."),
        (lambda: C([[1], [[]]]), ValueError, "an empty list is nested 3 deep, scalars 2"),
        (lambda: tf.RaggedTensorSpec(None, tf.int32), ValueError, "known rank"),
        (lambda: tf.RaggedTensorSpec([2, 2], ragged_rank="1"), TypeError, "must be an int"),
        (
            lambda: tf.RaggedTensorSpec([2, None], row_splits_dtype=tf.float32),
            ValueError,
            "row_splits_dtype must be int32 or int64",
        ),
        (lambda: tf.strings.format("{}{}", RT), ValueError, "2 placeholder|expects 2 tensors"),
        (lambda: tf.strings.reduce_join(C([[["a"]]]), 0), ValueError, "only the innermost axis"),
        (lambda: hash(RT), TypeError, "unhashable"),
        (lambda: bool(RT), TypeError, "may not be used as a boolean"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()
