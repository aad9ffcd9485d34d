"""Segment reductions, counting, and confusion matrices."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, distinct, integers, normal

case = CaseList()

SORTED = array([0, 0, 1, 3, 3], "int32")
UNSORTED = array([2, 0, 2, 1, 0], "int32")
for name in "sum mean prod max min".split():
    path = f"math.segment_{name}"
    case(f"{path}_rows", call(path), x=distinct(5, 2), i=SORTED)
    case(f"{path}_vector", call(path), x=distinct(5), i=SORTED)
    case(f"{path}_float64", call(path), x=distinct(5, 2, 2, dtype="float64"), i=SORTED)
    case(f"{path}_int32", call(path), x=integers(5, low=-3, high=6), i=SORTED)
for name in "sum mean prod max min sqrt_n".split():
    path = f"math.unsorted_segment_{name}"
    case(f"{path}_rows", call(path, num_segments=3), x=distinct(5, 2), i=UNSORTED)
    case(f"{path}_vector", call(path, num_segments=3), x=distinct(5), i=UNSORTED)
    case(f"{path}_float64", call(path, num_segments=3), x=distinct(5, dtype="float64"), i=UNSORTED)
    case(f"{path}_empty_segment", call(path, num_segments=5), x=distinct(5), i=UNSORTED)
    case(
        f"{path}_negative_ids",
        call(path, num_segments=3),
        x=distinct(5),
        i=array([0, -1, 2, -1, 0], "int32"),
    )
    case(
        f"{path}_matrix_ids",
        call(path, num_segments=3),
        x=distinct(2, 2, 3),
        i=array([[0, 2], [2, 1]], "int32"),
    )
    if name not in ("mean", "sqrt_n"):
        case(f"{path}_int64", call(path, num_segments=3), x=integers(5, dtype="int64"), i=UNSORTED)
case("segment_max_ties", call("math.segment_max"), x=array([1.0, 1.0, 3.0, 2.0, 2.0]), i=SORTED)
case(
    "unsorted_segment_max_ties",
    call("math.unsorted_segment_max", num_segments=3),
    x=array([1.0, 4.0, 1.0, 2.0, 4.0]),
    i=UNSORTED,
)
case(
    "segment_prod_with_zero",
    call("math.unsorted_segment_prod", num_segments=3),
    x=array([0.0, 4.0, 5.0, 2.0, 0.0]),
    i=UNSORTED,
)
case(
    "segment_prod_two_zeros",
    call("math.unsorted_segment_prod", num_segments=2),
    x=array([0.0, 0.0, 5.0, 2.0]),
    i=array([0, 0, 0, 1], "int32"),
)
for name in "sum mean sqrt_n".split():
    path = f"sparse.segment_{name}"
    picks = {
        "x": normal(4, 2),
        "i": array([0, 3, 3, 1], "int32"),
        "s": array([0, 0, 1, 2], "int32"),
    }
    case(path, call(path), **picks)
    case(f"{path}_num_segments", call(path, num_segments=4), wrt="", **picks)

VALUES = array([1, 1, 3, 0, 3, 3], "int32")
case("bincount", call("math.bincount"), x=VALUES)
case("bincount_minlength", call("math.bincount", minlength=6), x=VALUES)
case("bincount_maxlength", call("math.bincount", maxlength=3), x=VALUES)
case("bincount_dtype", lambda tf, x: tf.math.bincount(x, dtype=tf.float32), x=VALUES)
case(
    "bincount_weights",
    lambda tf, x, w: tf.math.bincount(x, weights=w),
    wrt="",
    x=VALUES,
    w=normal(6),
)
case("bincount_matrix", call("math.bincount"), x=array([[1, 1], [0, 2]], "int32"))
case("bincount_rows", call("math.bincount", axis=-1), x=array([[1, 1], [0, 2]], "int32"))
case(
    "bincount_rows_weights",
    lambda tf, x, w: tf.math.bincount(x, weights=w, axis=-1),
    wrt="",
    x=array([[1, 1], [0, 2]], "int32"),
    w=normal(2, 2),
)
case(
    "bincount_binary",
    call("math.bincount", axis=-1, binary_output=True),
    x=array([[1, 1], [0, 2]], "int32"),
)
case("bincount_int64", call("math.bincount"), x=array([2, 0, 2], "int64"))

LABELS = {"labels": array([1, 2, 4, 1], "int32"), "predictions": array([2, 2, 4, 1], "int32")}
case("confusion_matrix", call("math.confusion_matrix"), **LABELS)
case("confusion_matrix_classes", call("math.confusion_matrix", num_classes=6), **LABELS)
case(
    "confusion_matrix_weights",
    lambda tf, labels, predictions: tf.math.confusion_matrix(
        labels, predictions, weights=[1, 2, 3, 4]
    ),
    **LABELS,
)
case(
    "confusion_matrix_float",
    lambda tf, labels, predictions: tf.math.confusion_matrix(labels, predictions, dtype=tf.float32),
    **LABELS,
)
