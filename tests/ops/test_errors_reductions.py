"""Wrong arguments of reductions, scans, sorting and segments: the class and the text."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape import ops

ONE = tf.constant([1.0, 2.0, 3.0])
TWO = tf.constant([[1.0, 2.0], [3.0, 4.0]])
INVALID = tf.errors.InvalidArgumentError

# A call, the classes that its error must have, and pieces of its text.
WRONG = {
    "axis out of range": (
        lambda: tf.reduce_sum(TWO, axis=2),
        (INVALID, ValueError),
        "Sum: axis 2 is out of range for a tensor of rank 2; it must lie in [-2, 2)",
    ),
    "axis of a scalar": (
        lambda: tf.reduce_mean(1.0, axis=0),
        (INVALID, ValueError),
        "a scalar has no axes",
    ),
    "axis twice": (
        lambda: tf.reduce_max(TWO, axis=[0, -2]),
        (INVALID, ValueError),
        "Max: axis [0, -2] names the same axis twice",
    ),
    "axis is a float": (
        lambda: tf.reduce_sum(ONE, axis=0.5),
        (INVALID, TypeError),
        "Sum: axis must be an integer, got 0.5",
    ),
    "axis is text": (
        lambda: tf.reduce_sum(ONE, axis="x"),
        (INVALID, TypeError),
        "Sum: axis must be an integer, got 'x'",
    ),
    "axis is None": (
        lambda: tf.cumsum(ONE, axis=None),
        (ValueError,),
        "Cumsum: axis must be an integer",
    ),
    "sum of bools": (
        lambda: tf.reduce_sum([True]),
        (INVALID, TypeError),
        "Sum does not take a tensor of dtype bool",
    ),
    "maximum of complex numbers": (
        lambda: tf.reduce_max([1j]),
        (INVALID, TypeError),
        "Max does not take a tensor of dtype complex128",
    ),
    "any of integers": (
        lambda: tf.reduce_any(tf.constant([1])),
        (INVALID, TypeError),
        "it takes bool",
    ),
    "logsumexp of integers": (
        lambda: tf.reduce_logsumexp([1, 2]),
        (INVALID, TypeError),
        "Logsumexp does not take",
    ),
    "variance of integers": (
        lambda: tf.math.reduce_variance([1, 2]),
        (TypeError,),
        "reduce_variance: the input must be of a floating or complex dtype, got int32",
    ),
    "argmax of nothing": (
        lambda: tf.argmax(tf.zeros((0, 3))),
        (INVALID, ValueError),
        "ArgMax: Reduction axis 0 is empty in shape [0, 3]",
    ),
    "argmax into floats": (
        lambda: tf.argmax(ONE, output_type=tf.float32),
        (INVALID,),
        "ArgMax: output_type must be int16, uint16, int32 or int64, got float32",
    ),
    "l2_loss of integers": (
        lambda: tf.nn.l2_loss([1, 2]),
        (INVALID, TypeError),
        "L2Loss does not take",
    ),
    "cumsum of a scalar": (
        lambda: tf.cumsum(1.0),
        (INVALID, ValueError),
        "Cumsum: axis 0 is out of range",
    ),
    "recurrence of different shapes": (
        lambda: ops.linear_recurrence(ONE, TWO),
        (INVALID, ValueError),
        "the factors have shape [3], the terms [2, 2]",
    ),
    "direction": (
        lambda: tf.sort(ONE, direction="UP"),
        (ValueError,),
        "sort: Argument `direction` should be one of ASCENDING, DESCENDING. Received: direction=UP",
    ),
    "sort of bools": (lambda: tf.sort([True, False]), (INVALID, TypeError), "sort does not take"),
    "sort of a scalar": (
        lambda: tf.sort(1.0),
        (INVALID, ValueError),
        "sort: axis -1 is out of range",
    ),
    "top_k of too many": (
        lambda: tf.math.top_k(ONE, 4),
        (INVALID, ValueError),
        "input must have at least k columns. Had 3, needed 4: the shape is (3,)",
    ),
    "top_k of a negative number": (
        lambda: tf.math.top_k(ONE, -1),
        (INVALID,),
        "Need k >= 0, got -1",
    ),
    "top_k of several k": (
        lambda: tf.math.top_k(ONE, [1]),
        (INVALID, ValueError),
        "k must be one integer, got [1]",
    ),
    "top_k of a scalar": (
        lambda: tf.math.top_k(1.0),
        (INVALID, ValueError),
        "input must be >= 1-D",
    ),
    "top_k into floats": (
        lambda: tf.math.top_k(ONE, index_type=tf.float32),
        (INVALID,),
        "index_type must be int16, int32 or int64, got float32",
    ),
    "in_top_k lengths": (
        lambda: tf.math.in_top_k([0], TWO, 1),
        (INVALID, ValueError),
        "First dimension of predictions 2 must match length of targets 1",
    ),
    "in_top_k predictions": (
        lambda: tf.math.in_top_k([0, 1, 2], ONE, 1),
        (INVALID, ValueError),
        "predictions must be 2-dimensional, got shape (3,)",
    ),
    "in_top_k targets": (
        lambda: tf.math.in_top_k([[0, 1]], TWO, 1),
        (INVALID, ValueError),
        "targets must be 1-dimensional, got shape (1, 2)",
    ),
    "unique of a matrix": (
        lambda: tf.unique(TWO),
        (INVALID, ValueError),
        "unique expects a 1D vector, got shape (2, 2)",
    ),
    "unique into floats": (
        lambda: tf.unique(ONE, out_idx=tf.float32),
        (INVALID,),
        "out_idx must be int32 or int64, got float32",
    ),
    "permutation with a repetition": (
        lambda: tf.math.invert_permutation([1, 1, 0]),
        (INVALID,),
        "1 is duplicated in the input",
    ),
    "permutation out of range": (
        lambda: tf.math.invert_permutation([1, 3, 0]),
        (INVALID,),
        "3 is not between 0 and 3",
    ),
    "permutation of a matrix": (
        lambda: tf.math.invert_permutation([[1, 0]]),
        (INVALID, ValueError),
        "expects a 1D vector",
    ),
    "permutation of floats": (
        lambda: tf.math.invert_permutation([1.0, 0.0]),
        (INVALID,),
        "x must be of dtype int32 or int64, got float32",
    ),
    "searchsorted side": (
        lambda: tf.searchsorted(ONE, ONE, side="middle"),
        (ValueError,),
        "`side` must be either 'right' or 'left'. Received: 'middle'",
    ),
    "searchsorted rows": (
        lambda: tf.searchsorted(TWO, ONE),
        (INVALID, ValueError),
        "sorted_sequence has shape (2, 2), values (3,)",
    ),
    "searchsorted of a scalar": (
        lambda: tf.searchsorted(ONE, 1.5),
        (INVALID, ValueError),
        "at least rank 1",
    ),
    "searchsorted dtypes": (
        lambda: tf.searchsorted(ONE, tf.constant([1])),
        (INVALID, TypeError),
        "cannot compute LowerBound",
    ),
    "searchsorted into floats": (
        lambda: tf.searchsorted(ONE, ONE, out_type=tf.float32),
        (INVALID,),
        "out_type must be int32 or int64, got float32",
    ),
    "is_non_decreasing of bools": (
        lambda: tf.math.is_non_decreasing([True]),
        (TypeError,),
        "Expected x to be numeric",
    ),
    "histogram range": (
        lambda: tf.histogram_fixed_width(ONE, [5.0, 0.0]),
        (INVALID,),
        "value_range should satisfy value_range[0] < value_range[1], but got '[5.0, 0.0]'",
    ),
    "histogram range of three": (
        lambda: tf.histogram_fixed_width(ONE, [0.0, 1.0, 2.0]),
        (INVALID, ValueError),
        "value_range should be a vector of 2 elements",
    ),
    "histogram bins": (
        lambda: tf.histogram_fixed_width_bins(ONE, [0.0, 1.0], nbins=0),
        (INVALID,),
        "nbins should be a positive number, but got '0'",
    ),
    "histogram of nan": (
        lambda: tf.histogram_fixed_width([np.nan], [0.0, 1.0]),
        (INVALID,),
        "Histogram values must not contain NaN",
    ),
    "bincount of negative numbers": (
        lambda: tf.math.bincount([-1]),
        (INVALID,),
        "Input arr must be non-negative",
    ),
    "bincount axis": (
        lambda: tf.math.bincount([[1]], axis=1),
        (ValueError,),
        "Unsupported value for argument axis=1",
    ),
    "bincount of rows of rank 3": (
        lambda: tf.math.bincount([[[1]]], axis=-1),
        (INVALID, ValueError),
        "at most rank 2",
    ),
    "bincount weights": (
        lambda: tf.math.bincount([1, 2], weights=[1.0]),
        (INVALID, ValueError),
        "`weights` must be the same shape as `arr`, (2,). Received (1,)",
    ),
    "bincount binary with weights": (
        lambda: tf.math.bincount([1], weights=[1.0], binary_output=True),
        (ValueError,),
        "mutually exclusive",
    ),
    "confusion of negative labels": (
        lambda: tf.math.confusion_matrix([-1], [0]),
        (INVALID,),
        "`labels` contains negative values",
    ),
    "confusion out of bound": (
        lambda: tf.math.confusion_matrix([0], [3], num_classes=2),
        (INVALID,),
        "`predictions` out of bound: there is a 3, but num_classes is 2",
    ),
    "confusion of different lengths": (
        lambda: tf.math.confusion_matrix([0, 1], [0]),
        (INVALID, ValueError),
        "labels and predictions must have one shape, got (2,) and (1,)",
    ),
    "confusion weights": (
        lambda: tf.math.confusion_matrix([0, 1], [1, 0], weights=[1.0]),
        (ValueError,),
        "Shapes (2,) (of the predictions) and (1,) (of the weights) are incompatible",
    ),
    "segments out of order": (
        lambda: tf.math.segment_sum(ONE, [0, 2, 1]),
        (INVALID,),
        "segment ids are not increasing. Sort them, or use tf.math.unsorted_segment_sum",
    ),
    "negative segments": (
        lambda: tf.math.segment_max(ONE, [-1, 0, 1]),
        (INVALID,),
        "Segment id -1 is negative",
    ),
    "too few segment ids": (
        lambda: tf.math.segment_sum(ONE, [0, 1]),
        (INVALID, ValueError),
        "there are 2 ids for 3 rows",
    ),
    "matrix of segment ids": (
        lambda: tf.math.segment_mean(TWO, [[0, 0], [1, 1]]),
        (INVALID, ValueError),
        "segment_ids should be a vector, got shape [2, 2]",
    ),
    "segments of a scalar": (
        lambda: tf.math.segment_prod(1.0, 0),
        (INVALID, ValueError),
        "data must be at least rank 1",
    ),
    "segment ids of floats": (
        lambda: tf.math.segment_sum(ONE, [0.0, 0.0, 1.0]),
        (INVALID, TypeError),
        "SegmentSum does not take a tensor of dtype float32",
    ),
    "segment id too large": (
        lambda: tf.math.unsorted_segment_max(ONE, [0, 3, 0], 2),
        (INVALID,),
        "UnsortedSegmentMax: segment_ids[1] = 3 is out of range [0, 2)",
    ),
    "segment ids of another shape": (
        lambda: tf.math.unsorted_segment_sum(ONE, [0, 1], 2),
        (INVALID, ValueError),
        "data.shape = [3] does not start with segment_ids.shape = [2]",
    ),
    "negative number of segments": (
        lambda: tf.math.unsorted_segment_prod(ONE, [0, 0, 0], -1),
        (INVALID,),
        "Input num_segments == -1 must not be negative",
    ),
    "number of segments in a list": (
        lambda: tf.math.unsorted_segment_min(ONE, [0, 0, 0], [1]),
        (INVALID, ValueError),
        "num_segments should be one integer, got [1]",
    ),
    "picked rows out of range": (
        lambda: tf.sparse.segment_sum(ONE, [0, 5], [0, 0]),
        (INVALID,),
        "SparseSegmentSum: indices[1] == 5 out of range [0, 3)",
    ),
    "picked rows with too few segments": (
        lambda: tf.sparse.segment_mean(ONE, [0, 1], [0, 4], num_segments=3),
        (INVALID,),
        "segment ids must be < num_segments: 4 and 3",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_text_and_class(name):
    call, classes, text = WRONG[name]
    with pytest.raises(classes) as caught:
        call()
    assert all(isinstance(caught.value, c) for c in classes)
    assert text in str(caught.value)


def test_values_inside_vmap_are_not_known():
    with pytest.raises(TypeError, match="inside vmap has no single value"):
        tf.vmap(lambda x: float(x[0]))(TWO)
