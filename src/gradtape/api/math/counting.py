"""`tf.histogram_fixed_width`, `tf.math.bincount` and `tf.math.confusion_matrix`."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core import dtypes
from gradtape.core.convert import static_int, static_value, to_tensor
from gradtape.core.errors import InvalidArgumentError, ShapeError
from gradtape.core.shape import TensorShape
from gradtape.core.symbolic_tensor import SymbolicTensor
from gradtape.core.tensor import Tensor
from gradtape.engine.vmap import per_example
from gradtape.ops.families import REALS, check_dtype


def _value_range(op: str, values, value_range, nbins):
    values = to_tensor(values)
    check_dtype(op, REALS, values)
    ends = np.asarray(static_value(value_range))
    if ends.shape != (2,):
        raise ShapeError(
            f"{op}: value_range should be a vector of 2 elements, got {value_range!r}. [Op:{op}]"
        )
    low, high = ends.astype(values.dtype.as_numpy_dtype)
    if not low < high:
        raise InvalidArgumentError(
            f"{op}: value_range should satisfy value_range[0] < value_range[1], but got "
            f"'[{low}, {high}]' [Op:{op}]"
        )
    nbins = static_int(nbins)
    if nbins <= 0:
        raise InvalidArgumentError(
            f"{op}: nbins should be a positive number, but got '{nbins}' [Op:{op}]"
        )
    return values, low, high, nbins


def _clipped_bins(scaled, nbins: int):
    return ops.cast(ops.minimum(ops.maximum(scaled, 0), nbins - 1), "int32")


@export("histogram_fixed_width_bins")
def histogram_fixed_width_bins(
    values, value_range, nbins=100, dtype=dtypes.int32, name=None
) -> Tensor:
    """Return the index of the bin, of equal ones, that each value falls in; values outside of the
    range are in the outermost."""
    op = "HistogramFixedWidthBins"
    values, low, high, nbins = _value_range(op, values, value_range, nbins)
    if not values.dtype.is_floating:
        values, low, high = ops.cast(values, "float64"), np.float64(low), np.float64(high)
    return _clipped_bins((values - low) / (high - low) * nbins, nbins)


@export("histogram_fixed_width")
@per_example
def histogram_fixed_width(values, value_range, nbins=100, dtype=dtypes.int32, name=None) -> Tensor:
    """Return how many values fall in each of the equal bins of a range."""
    op = "HistogramFixedWidth"
    values, low, high, nbins = _value_range(op, values, value_range, nbins)
    if values.dtype.is_floating and bool(ops.reduce_any(ops.not_equal(values, values))):
        raise InvalidArgumentError(f"{op}: Histogram values must not contain NaN [Op:{op}]")
    # In float64, and divided before it is subtracted: the width of the range can overflow.
    low, high, values = float(low), float(high), ops.cast(values, "float64")
    bins = _clipped_bins((values - low) / (high / nbins - low / nbins), nbins)
    return ops.unsorted_segment_sum(ops.ones(bins.shape, dtype), bins, nbins)


@export("math.bincount")
@per_example
def bincount(
    arr,
    weights=None,
    minlength=None,
    maxlength=None,
    dtype=dtypes.int32,
    name=None,
    axis=None,
    binary_output=False,
) -> Tensor:
    """Return how often (or with what total weight) each integer from 0 occurs: in all, or by
    rows."""
    op = "DenseBincount"
    arr = to_tensor(arr)
    if weights is not None and binary_output:
        raise ValueError(
            "bincount: Arguments `binary_output` and `weights` are mutually exclusive. Please "
            "specify only one."
        )
    if axis not in (None, 0, -1):
        raise ValueError(
            f"bincount: Unsupported value for argument axis={axis}. Only 0 and -1 are currently "
            "supported."
        )
    if not arr.dtype.is_integer:
        arr = ops.cast(arr, "int32")
    weights = ops.ones(arr.shape, dtype) if weights is None else to_tensor(weights)
    if tuple(weights.shape) != tuple(arr.shape):
        raise ShapeError(
            f"{op}: `weights` must be the same shape as `arr`, {arr.shape}. Received "
            f"{weights.shape}. [Op:{op}]"
        )
    by_rows = axis == -1 and len(arr.shape) > 1
    if by_rows and len(arr.shape) > 2:
        raise ShapeError(
            f"{op}: with axis=-1 the shape must be at most rank 2 but is {arr.shape}. [Op:{op}]"
        )
    if isinstance(arr, SymbolicTensor) and minlength is not None and maxlength is not None:
        size = static_int(minlength, "bincount: minlength")
        if size == static_int(maxlength, "bincount: maxlength"):
            return _traced_counts(arr, weights, size, by_rows, binary_output)
    rows = len(arr) if by_rows else 1
    values = np.asarray(static_value(arr)).astype(np.int64)
    if (values < 0).any():
        raise InvalidArgumentError(f"{op}: Input arr must be non-negative! [Op:{op}]")
    size = int(values.max(initial=-1)) + 1
    size = size if minlength is None else max(size, static_int(minlength, "bincount: minlength"))
    size = size if maxlength is None else min(size, static_int(maxlength, "bincount: maxlength"))
    if size < 0:
        raise InvalidArgumentError(f"{op}: maxlength must be 0 or more, got {maxlength}. [Op:{op}]")
    ops.check_room(op, (rows, size))
    starts = np.arange(rows, dtype=np.int64).reshape(rows, 1) * size
    bins = values.reshape(rows, values.size // max(rows, 1))
    bins = np.where(bins < size, bins + starts, -1)
    counts = ops.unsorted_segment_sum(ops.reshape(weights, (-1,)), bins.reshape(-1), rows * size)
    if binary_output:
        counts = ops.minimum(counts, 1)
    return ops.reshape(counts, (rows, size)) if by_rows else counts


def _traced_counts(arr, weights, size: int, by_rows: bool, binary_output: bool) -> Tensor:
    """Return the counts of values that a trace does not know; negative ones are not counted."""
    if not by_rows:
        arr, weights = ops.reshape(arr, (-1,)), ops.reshape(weights, (-1,))
    hits = ops.one_hot(arr, size, dtype=weights.dtype)
    counts = ops.reduce_sum(hits * ops.expand_dims(weights, -1), axis=-2)
    return ops.minimum(counts, 1) if binary_output else counts


@export("math.confusion_matrix")
@per_example
def confusion_matrix(
    labels, predictions, num_classes=None, weights=None, dtype=dtypes.int32, name=None
) -> Tensor:
    """Count how often each label (row) was predicted as each class (column)."""
    classes = {"labels": to_tensor(labels), "predictions": to_tensor(predictions)}
    known = {n: np.asarray(static_value(c)).astype(np.int64) for n, c in classes.items()}
    ranks = known["labels"].ndim - known["predictions"].ndim
    for name, excess in (("labels", 1), ("predictions", -1)):
        if ranks == excess and known[name].shape[-1] == 1:
            known[name] = known[name][..., 0]
    if known["labels"].shape != known["predictions"].shape:
        raise ShapeError(
            f"confusion_matrix: labels and predictions must have one shape, got "
            f"{classes['labels'].shape} and {classes['predictions'].shape}."
        )
    for name, values in known.items():
        if (values < 0).any():
            raise InvalidArgumentError(f"confusion_matrix: `{name}` contains negative values.")
    largest = max(values.max(initial=-1) for values in known.values())
    count = (
        int(largest) + 1
        if num_classes is None
        else static_int(num_classes, "confusion_matrix: num_classes")
    )
    for name, values in known.items():
        if (values >= count).any():
            raise InvalidArgumentError(
                f"confusion_matrix: `{name}` out of bound: there is a {values.max()}, but "
                f"num_classes is {count}."
            )
    shape = known["labels"].shape
    weights = ops.ones(shape, dtype) if weights is None else to_tensor(weights)
    if tuple(weights.shape) != shape:
        raise ShapeError(
            f"confusion_matrix: Shapes {TensorShape(shape)} (of the predictions) and "
            f"{weights.shape} (of the weights) are incompatible"
        )
    ops.check_room("confusion_matrix", (count, count))
    bins = known["labels"] * count + known["predictions"]
    cells = ops.unsorted_segment_sum(ops.cast(weights, dtype), bins, count * count)
    return ops.reshape(cells, (count, count))
