"""What wrong arguments of the array functions are answered with: class and text."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape import ops
from gradtape.core.errors import InvalidArgumentError

X = tf.reshape(tf.range(12.0), [3, 4])
CUBE = tf.zeros([2, 3, 3])
IMAGE = tf.zeros([1, 4, 4, 4])

# name: (the call, what the exception must be, a part of its text)
WRONG = {
    "no end of points": (
        lambda: tf.experimental.numpy.geomspace(1, 2, num=float("inf")),
        ValueError,
        "an integer is expected where inf was given",
    ),
    "no finite rate": (
        lambda: tf.audio.encode_wav([[1.0]], float("inf")),
        ValueError,
        "an integer is expected where inf was given",
    ),
    "no finite seed": (
        lambda: tf.random.shuffle(X, seed=-float("inf")),
        ValueError,
        "a seed must be an integer, got -inf",
    ),
    "gather_nd with batch_dims from the end": (
        lambda: tf.gather_nd(X, [[0]], batch_dims=-1),
        ValueError,
        "tf.gather_nd does not allow negative batch_dims, got -1",
    ),
    "hstack of nothing": (
        lambda: tf.experimental.numpy.hstack([]),
        ValueError,
        "hstack: at least one tensor is needed",
    ),
    "num_true that is no number": (
        lambda: tf.random.all_candidate_sampler([[0]], 1.5, 1, True),
        TypeError,
        "num_true must be an integer",
    ),
    "csv of numbers": (
        lambda: tf.io.decode_csv(X, [1.0]),
        TypeError,
        "decode_csv: records must be strings, got a tensor of float32",
    ),
    "csv with a quote inside": (
        lambda: tf.io.decode_csv('"a"b', [[""]]),
        tf.errors.InvalidArgumentError,
        "has to be escaped by another quote",
    ),
    "window without end": (
        lambda: tf.nn.avg_pool(IMAGE, float("inf"), 1, "SAME"),
        ValueError,
        "an integer is expected where inf was given",
    ),
    "floats that are integers": (
        lambda: tf.debugging.assert_same_float_dtype([1, 2]),
        ValueError,
        "float",
    ),
    "diagonal without end": (
        lambda: tf.experimental.numpy.diag_indices(float("inf")),
        ValueError,
        "an integer is expected where inf was given",
    ),
    "more bytes than there are": (
        lambda: tf.io.decode_raw("ab", tf.int8, fixed_length=2**63),
        ValueError,
        "fixed_length must be a size in bytes, got 9223372036854775808",
    ),
    "partitions that are no integers": (
        lambda: tf.dynamic_partition(X, [0.0, float("nan"), 1.0], 2),
        TypeError,
        "DynamicPartition does not take a tensor of dtype float32",
    ),
    # shapes
    "reshape size": (lambda: tf.reshape(X, [5]), ValueError, "12 values.* requested shape .* 5"),
    "reshape multiple": (lambda: tf.reshape(X, [5, -1]), ValueError, "requires a multiple of 5"),
    "reshape two": (lambda: tf.reshape(X, [-1, -1]), ValueError, "Only one input size may be -1"),
    "reshape negative": (
        lambda: tf.reshape(X, [4, -2, 3]),
        ValueError,
        r"^Size 1 must be non-negative, not -2, .* \[4, -2, 3\]. \[Op:Reshape\]$",
    ),
    "zeros float": (lambda: tf.zeros(2.5), TypeError, "zeros: a list of integers .* 2.5"),
    "reshape texts": (lambda: tf.reshape(X, ["a"]), TypeError, r"integers .* \['a'\]"),
    "reshape text": (lambda: tf.reshape(X, (4, "a")), ValueError, r"integers .* \[4, 'a'\]"),
    "reshape floats": (lambda: tf.reshape(X, [2.0, 6.0]), TypeError, r"integers .* \[2.0, 6.0\]"),
    "reshape none": (lambda: tf.reshape(X, [None, 4]), ValueError, r"integers .* \[None, 4\]"),
    "expand_dims": (lambda: tf.expand_dims(X, 4), ValueError, "axis 4 is out of range"),
    "squeeze": (lambda: tf.squeeze(X, 0), ValueError, r"Can not squeeze dim\[0\].* got 3"),
    "transpose size": (lambda: tf.transpose(X, [0]), ValueError, "expects a vector of size 2"),
    "transpose twice": (lambda: tf.transpose(X, [0, 0]), ValueError, "not a permutation"),
    "transpose axis": (lambda: tf.transpose(X, [-3, 0]), ValueError, "axis -3 is out of range"),
    "moveaxis": (lambda: ops.moveaxis(X, (0, 1), 0), ValueError, "as many axes, each once"),
    "broadcast_to": (lambda: tf.broadcast_to(X, [2, 4]), ValueError, r"\[3, 4\] .* \[2, 4\]"),
    "broadcast_to rank": (lambda: tf.broadcast_to(X, [4]), ValueError, r"\[3, 4\] .* \[4\]"),
    "broadcast_static_shape": (
        lambda: tf.broadcast_static_shape([2], [3]),
        ValueError,
        "Incompatible shapes",
    ),
    "broadcast_dynamic_shape": (
        lambda: tf.broadcast_dynamic_shape([2], [3]),
        InvalidArgumentError,
        r"\[2\] vs. \[3\]",
    ),
    "ensure_shape": (
        lambda: tf.ensure_shape(X, [2, None]),
        InvalidArgumentError,
        r"\[3, 4\] is not compatible with expected shape \[2,\?\]",
    ),
    "tile length": (lambda: tf.tile(X, [2]), ValueError, "vector of length 2 but got length 1"),
    "tile negative": (lambda: tf.tile(X, [-1, 2]), ValueError, r"multiples >= 0, .*\[-1, 2\]"),
    "repeat length": (lambda: tf.repeat(X, [1, 2], axis=0), ValueError, "2 entries, but axis 0"),
    "repeat negative": (lambda: tf.repeat(X, -1, axis=0), ValueError, "must be >= 0, got -1"),
    "repeat fraction": (lambda: tf.repeat(X, 1.5), TypeError, "must be .* integer.* got 1.5"),
    "repeat matrix": (lambda: tf.repeat(X, [[1]]), ValueError, "a vector of integers"),
    "roll": (lambda: tf.roll(X, [1, 2], [0]), ValueError, "must have the same size"),
    "reverse scalar": (lambda: tf.reverse(X, 0), InvalidArgumentError, "must be a list of axes"),
    "reverse twice": (lambda: tf.reverse(X, [0, -2]), ValueError, "twice"),
    "concat rank": (lambda: tf.concat([X, X[0]], 0), ValueError, "Ranks and dimensions"),
    "concat shape": (lambda: tf.concat([X, X[:, :2]], 0), ValueError, "differ outside of axis 0"),
    "concat scalars": (lambda: tf.concat([X[0, 0], X[0, 1]], 0), ValueError, "use tf.stack"),
    "concat nothing": (lambda: tf.concat([], 0), InvalidArgumentError, "the list is empty"),
    "concat dtypes": (lambda: tf.concat([X, tf.range(3)], 0), TypeError, "int32 tensor"),
    "stack shapes": (lambda: tf.stack([X, X[0]]), ValueError, "Shapes of all inputs must match"),
    "unstack number": (lambda: tf.unstack(X, num=5), ValueError, "axis 0 must equal 5"),
    "unstack scalar": (lambda: tf.unstack(X[0, 0]), ValueError, "no axis to unstack"),
    "split number": (lambda: tf.split(X, 2), ValueError, "evenly divisible by 2 but is 3"),
    "split none": (lambda: tf.split(X, 0), ValueError, "number of parts must be >= 1, got 0"),
    "split fraction": (lambda: tf.split(X, 1.5), ValueError, "integer or a list of sizes"),
    "split sizes": (lambda: tf.split(X, [1, 1]), ValueError, r"sizes \[1, 1\] for axis 0"),
    "split unknown": (lambda: tf.split(X, [-1, -1]), ValueError, "only be one -1"),
    "split count": (lambda: tf.split(X, [1, 2], num=3), InvalidArgumentError, "num is 3, but"),
    # slices
    "index": (lambda: X[5], InvalidArgumentError, "slice index 5 of dimension 0 out of bounds"),
    "index rank": (lambda: X[0, 0, 0], InvalidArgumentError, "input has only 2 dims"),
    "index ellipses": (lambda: X[..., ...], InvalidArgumentError, "Multiple ellipses"),
    "index step": (lambda: X[::0], InvalidArgumentError, r"strides\[0\] must be non-zero"),
    "index float": (lambda: X[1.0], TypeError, "Only integers, slices .* got 1.0"),
    "index text": (lambda: X["a"], TypeError, "Only integers, slices .* got 'a'"),
    "index vector": (lambda: X[tf.constant([0, 1])], TypeError, "Only integers, slices"),
    "index array": (lambda: X[np.array([0, 1])], TypeError, "Only integers, slices"),
    "index bound": (lambda: X[0:1.5], TypeError, "Only integers, slices .* got 1.5"),
    "index mask in tuple": (lambda: X[tf.constant([True] * 3), 0], TypeError, "Only integers"),
    "index bool": (lambda: X[True, 0], TypeError, "use tf.boolean_mask"),
    "index list of bool": (lambda: X[[True, False]], InvalidArgumentError, "use tf.boolean_mask"),
    "mask scalar": (lambda: X[True], ValueError, "mask cannot be scalar"),
    "mask shape": (lambda: X[tf.constant([True, False])], ValueError, "are incompatible"),
    "slice begin": (lambda: tf.slice(X, [4, 0], [0, 1]), ValueError, r"begin\[0\] in \[0, 3\]"),
    "slice size": (lambda: tf.slice(X, [0, 0], [5, 1]), ValueError, r"size\[0\] in \[0, 3\]"),
    "slice rank": (lambda: tf.slice(X, [0], [1]), ValueError, "1-D tensors of size 2"),
    "strided_slice": (
        lambda: tf.strided_slice(X, [0, 0], [1], [1]),
        ValueError,
        "1D equal size tensors",
    ),
    "update shape": (
        lambda: ops.strided_slice_update(X, 0, tf.zeros([3])),
        ValueError,
        r"\[3\] .* \[4\]",
    ),
    "dynamic_slice": (lambda: ops.dynamic_slice(X, [0, 0], [9, 1]), ValueError, "exceed the shape"),
    "dynamic_slice starts": (lambda: ops.dynamic_slice(X, [0], [1, 1]), ValueError, "1 start ind"),
    "dynamic_update_slice": (
        lambda: ops.dynamic_update_slice(X, tf.zeros([9, 1]), [0, 0]),
        ValueError,
        "does not fit",
    ),
    "item assignment": (
        lambda: X.__setitem__(0, 1.0),
        TypeError,
        "does not support item assignment",
    ),
    # gather and scatter
    "gather range": (
        lambda: tf.gather(X, [[0, 5]]),
        InvalidArgumentError,
        r"indices\[0,1\] = 5 .* \[0, 3\)",
    ),
    "gather negative": (
        lambda: tf.gather(X, -1),
        InvalidArgumentError,
        r"indices = -1 is not in \[0, 3\)",
    ),
    "gather batch range": (
        lambda: tf.gather(X, [[0], [4], [0]], batch_dims=1),
        InvalidArgumentError,
        r"indices\[1,0\] = 4 is not in \[0, 4\)",
    ),
    "gather scalar": (lambda: tf.gather(X[0, 0], [0]), ValueError, "at least 1 dimensional"),
    "gather floats": (lambda: tf.gather(X, [0.5]), InvalidArgumentError, "dtype float32"),
    "gather axis": (lambda: tf.gather(X, [0], axis=5), ValueError, "axis 5 is out of range"),
    "gather batch": (lambda: tf.gather(X, [[0]], batch_dims=1), ValueError, "should be equal to"),
    "gather batch rank": (lambda: tf.gather(X, [0], batch_dims=2), ValueError, "range \\[-1, 1\\]"),
    "gather batch axis": (
        lambda: tf.gather(CUBE, tf.zeros([2, 3], tf.int32), axis=1, batch_dims=2),
        ValueError,
        "less than or equal to axis",
    ),
    "gather_nd range": (
        lambda: tf.gather_nd(X, [[0, 0], [-1, 0]]),
        InvalidArgumentError,
        r"indices\[1\] = \[-1, 0\] does not index into shape \[3, 4\]",
    ),
    "gather_nd rank": (lambda: tf.gather_nd(X, [[0, 0, 0]]), ValueError, "saw: 3 vs. 2"),
    "gather_nd scalar": (lambda: tf.gather_nd(X, 0), ValueError, "at least a vector"),
    "gather_nd floats": (lambda: tf.gather_nd(X, [[0.0]]), InvalidArgumentError, "dtype float32"),
    "gather_nd policy": (
        lambda: tf.gather_nd(X, [[0]], bad_indices_policy="WRONG"),
        ValueError,
        "'WRONG'",
    ),
    "scatter_nd range": (
        lambda: tf.scatter_nd([[5]], [1.0], [3]),
        InvalidArgumentError,
        "does not index into",
    ),
    "scatter_nd shape": (
        lambda: tf.scatter_nd([[0]], [1.0, 2.0], [3]),
        ValueError,
        r"must have shape \[1\]",
    ),
    "scatter update range": (
        lambda: tf.tensor_scatter_nd_update(X, [[5]], X[:1]),
        InvalidArgumentError,
        r"= \[5\]",
    ),
    "take_along_axis": (lambda: ops.take_along_axis(X, [0]), ValueError, "must have the rank"),
    "boolean_mask": (lambda: tf.boolean_mask(X, [[True]]), ValueError, "are incompatible"),
    "dynamic_partition range": (
        lambda: tf.dynamic_partition([1, 2], [0, 5], 2),
        InvalidArgumentError,
        r"partitions\[1\] = 5 is not in \[0, 2\)",
    ),
    "dynamic_partition shape": (
        lambda: tf.dynamic_partition([1, 2], [0], 2),
        ValueError,
        "must start with partitions",
    ),
    "dynamic_stitch count": (
        lambda: tf.dynamic_stitch([[0]], [[1], [2]]),
        ValueError,
        "1 tensors of indices for 2",
    ),
    "dynamic_stitch shape": (
        lambda: tf.dynamic_stitch([[0, 1]], [[1]]),
        ValueError,
        "does not start with the shape",
    ),
    "dynamic_stitch negative": (
        lambda: tf.dynamic_stitch([[-1]], [[1]]),
        InvalidArgumentError,
        "must be >= 0, got -1",
    ),
    "unravel_index": (
        lambda: tf.unravel_index([15], [3, 4]),
        InvalidArgumentError,
        "out of bound as with dims",
    ),
    "reverse_sequence axes": (
        lambda: tf.reverse_sequence(X, [1, 2, 3], 0, 0),
        ValueError,
        "batch_dim == seq_dim == 0",
    ),
    "reverse_sequence none": (
        lambda: tf.reverse_sequence(X, [1, 2, 3]),
        TypeError,
        "seq_axis must be given",
    ),
    "reverse_sequence count": (
        lambda: tf.reverse_sequence(X, [1, 2], 1, 0),
        ValueError,
        "Length of seq_lengths",
    ),
    "reverse_sequence length": (
        lambda: tf.reverse_sequence(X, [1, 9, 2], 1, 0),
        InvalidArgumentError,
        r"\[1, 9, 2\]",
    ),
    # padding, blocks, diagonals
    "pad shape": (lambda: tf.pad(X, [[0, 0]]), ValueError, r"shape \[2, 2\]"),
    "pad negative": (lambda: tf.pad(X, [[-1, 0], [0, 0]]), ValueError, "must be non-negative"),
    "pad mode": (lambda: tf.pad(X, [[0, 0]] * 2, "BAD"), ValueError, "`mode` = BAD"),
    "pad reflect": (
        lambda: tf.pad(X, [[3, 0], [0, 0]], "REFLECT"),
        ValueError,
        "3, 0 greater than 2",
    ),
    "pad symmetric": (
        lambda: tf.pad(X, [[4, 0], [0, 0]], "SYMMETRIC"),
        ValueError,
        "4, 0 greater than 3",
    ),
    "space_to_batch": (
        lambda: tf.space_to_batch(IMAGE, [3, 2], [[0, 0]] * 2),
        ValueError,
        "is not divisible by",
    ),
    "space_to_batch rank": (
        lambda: tf.space_to_batch(X[0], [2], [[0, 0]]),
        ValueError,
        "rank should be >= 2",
    ),
    "batch_to_space": (
        lambda: tf.batch_to_space(IMAGE, [2], [[0, 0]]),
        ValueError,
        r"batch dimension \(1\)",
    ),
    "batch_to_space rank": (
        lambda: tf.batch_to_space(X[0], [2], [[0, 0]]),
        ValueError,
        "rank should be >= 2",
    ),
    "batch_to_space crops": (
        lambda: tf.batch_to_space(IMAGE, [1], [[3, 3]]),
        ValueError,
        "exceed the size 4",
    ),
    "space_to_depth": (
        lambda: tf.nn.space_to_depth(IMAGE, 3),
        ValueError,
        "should be divisible by block_size",
    ),
    "depth_to_space": (
        lambda: tf.nn.depth_to_space(IMAGE, 3),
        ValueError,
        "dimension 4 should be divisible",
    ),
    "depth_to_space rank": (lambda: tf.nn.depth_to_space(X, 2), ValueError, "must have rank 4"),
    "depth_to_space format": (
        lambda: tf.nn.depth_to_space(IMAGE, 2, "CHWN"),
        ValueError,
        "data_format must be",
    ),
    "diag order": (lambda: tf.linalg.diag([1.0], k=(2, 1)), ValueError, "2 > 1"),
    "diag k": (lambda: tf.linalg.diag([1.0], k=(1, 2, 3)), ValueError, "integer or a pair"),
    "diag scalar": (lambda: tf.linalg.diag(1.0), ValueError, "at least 1-dim"),
    "diag count": (
        lambda: tf.linalg.diag([[1.0, 2.0]], k=(0, 1)),
        ValueError,
        "number of diagonals provided",
    ),
    "diag rows": (lambda: tf.linalg.diag([1.0, 2.0], num_rows=1), ValueError, "rows is too small"),
    "diag columns": (
        lambda: tf.linalg.diag([1.0, 2.0], num_cols=1),
        ValueError,
        "columns is too small",
    ),
    "diag both": (
        lambda: tf.linalg.diag([1.0, 2.0], num_rows=4, num_cols=5),
        ValueError,
        "not consistent",
    ),
    "diag align": (lambda: tf.linalg.diag([1.0], align="foo"), ValueError, "got 'foo'"),
    "diag_part k": (lambda: tf.linalg.diag_part(X, k=5), ValueError, "out of bound: 5"),
    "diag_part rank": (lambda: tf.linalg.diag_part([1.0]), ValueError, "at least 2-dim"),
    "set_diag": (lambda: tf.linalg.set_diag(X, [1.0]), ValueError, r"diagonal.shape: \[3\]"),
    "band_part": (lambda: tf.linalg.band_part(X, 5, 0), ValueError, r"rows \(3\) got: 5"),
    "tensor_diag": (lambda: tf.linalg.tensor_diag(1.0), ValueError, "at least rank 1"),
    "tensor_diag_part": (
        lambda: tf.linalg.tensor_diag_part(X),
        ValueError,
        "dimensions 0 and 1 do not match",
    ),
    "tensor_diag_part rank": (
        lambda: tf.linalg.tensor_diag_part(CUBE),
        ValueError,
        "should be even and positive",
    ),
    # made from nothing
    "zeros negative": (lambda: tf.zeros([-1]), InvalidArgumentError, "-1 .* must be >= 0"),
    "ones of text": (lambda: tf.ones([2], tf.string), TypeError, "strings"),
    "fill vector": (lambda: tf.fill([2], [1.0, 2.0]), ValueError, "must be a scalar"),
    "fill negative": (lambda: tf.fill([-2], 1.0), ValueError, "must be >= 0"),
    "eye negative": (lambda: tf.eye(-1), ValueError, "must be >= 0"),
    "range step": (lambda: tf.range(0, 3, 0), InvalidArgumentError, "Requires delta != 0"),
    "range up": (lambda: tf.range(3, 0, 1), InvalidArgumentError, "start <= limit .* 3/0"),
    "range down": (lambda: tf.range(0, 3, -1), InvalidArgumentError, "start >= limit .* 0/3"),
    "range vector": (lambda: tf.range([1, 2]), InvalidArgumentError, "limit must be a scalar"),
    "range dtype": (lambda: tf.range(0.5, 3, dtype=tf.int32), TypeError, "0.5"),
    "range uint8": (lambda: tf.range(tf.constant(3, tf.uint8)), TypeError, "dtype uint8"),
    "linspace": (lambda: tf.linspace(0.0, 1.0, -1), InvalidArgumentError, "num must be >= 0"),
    "meshgrid": (lambda: tf.meshgrid([1], indexing="zz"), ValueError, "either 'xy' or 'ij'"),
    "meshgrid option": (lambda: tf.meshgrid([1], foo=1), TypeError, "'foo' is an invalid keyword"),
    "one_hot axis": (lambda: tf.one_hot([0], 2, axis=5), ValueError, "-1 or between .* 5"),
    "one_hot floats": (lambda: tf.one_hot([0.0], 2), InvalidArgumentError, "dtype float32"),
    "one_hot depth": (lambda: tf.one_hot([0], -1), InvalidArgumentError, "must be non-negative"),
    "one_hot values": (
        lambda: tf.one_hot([0], 2, on_value=1, off_value=0.5),
        TypeError,
        "does not match dtype",
    ),
    "one_hot dtype": (
        lambda: tf.one_hot([0], 2, on_value=tf.constant(1), dtype=tf.float32),
        TypeError,
        "of on_value does not match dtype parameter",
    ),
    "sequence_mask": (lambda: tf.sequence_mask([1.0]), InvalidArgumentError, "dtype float32"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_call(name):
    call, kind, text = WRONG[name]
    with pytest.raises(kind, match=text):
        call()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: tf.zeros([0] * 65), "zeros: the result would have 65 axes"),
        (lambda: tf.ones(tf.constant([1] * 65)), "ones: the result would have 65 axes"),
        # NumPy's own take reads and writes out of bounds here.
        (lambda: tf.gather(tf.zeros([1] * 40), tf.zeros([1] * 40, tf.int32)), "79 axes"),
        (lambda: tf.reshape(tf.zeros([1]), [1] * 65), "65 axes"),
    ],
    ids=["zeros", "shape as a tensor", "gather", "reshape"],
)
def test_more_axes_than_an_array_can_have(call, text):
    with pytest.raises(ValueError, match=f"{text}; a tensor has at most 64"):
        call()


def test_more_axes_than_numpy_broadcasts():
    """NumPy's functions about broadcasting stop at 32 axes."""
    x, y = tf.ones([1] * 40), tf.ones([2] + [1] * 40)
    function = tf.function(lambda x, y: tf.math.igamma(x, y) + tf.abs(tf.complex(x, y)))
    np.testing.assert_allclose(function(x, y), tf.math.igamma(x, y) + 2**0.5, rtol=1e-6)
    assert function(x, y).shape == [2] + [1] * 40
    with pytest.raises(ValueError, match="ncompatible shapes"):
        tf.function(lambda x, y: x + y)(tf.ones([3] + [1] * 40), y)


def test_sizes_beyond_int32_wrap_around_as_in_lists():
    np.testing.assert_array_equal(tf.broadcast_dynamic_shape(-(2**63), [1]), [0])


def test_nothing_is_stacked_to_nothing():
    assert tf.stack(tf.constant([], tf.float32)).shape == [0]
    assert tf.sparse.bincount(2, axis=-1).dense_shape.numpy().tolist() == [3]
