"""Reductions, scans, sorting, counting and segments under TensorFlow's names."""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core import dtypes
from gradtape.core.convert import static_value, to_tensor
from gradtape.core.errors import InvalidArgumentError, ShapeError
from gradtape.core.shape import TensorShape
from gradtape.ops.families import FLOATS, REALS, check_dtype

TopKV2 = namedtuple("TopKV2", ["values", "indices"])
ApproxTopK = namedtuple("ApproxTopK", ["values", "indices"])
Unique = namedtuple("Unique", ["y", "idx"])
UniqueWithCounts = namedtuple("UniqueWithCounts", ["y", "idx", "count"])

# --- reductions ----------------------------------------------------------------------------------


def _export_reduction(name: str, *public: str) -> None:
    op = getattr(ops, name)

    def reduce(input_tensor, axis=None, keepdims=False, name=None):
        return op(input_tensor, axis, keepdims)

    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = op.__doc__
    export(*public)(reduce)


for _name in "sum mean prod max min any all logsumexp".split():
    _export_reduction(f"reduce_{_name}", f"math.reduce_{_name}", f"reduce_{_name}")
for _name in "std variance euclidean_norm".split():
    _export_reduction(f"reduce_{_name}", f"math.reduce_{_name}")


@export("math.argmax", "argmax")
def argmax(input, axis=None, output_type=dtypes.int64, name=None):
    """Where along an axis (the first, if None) the largest element is; of several, the first."""
    return ops.argmax(input, axis, output_type)


@export("math.argmin", "argmin")
def argmin(input, axis=None, output_type=dtypes.int64, name=None):
    """Where along an axis (the first, if None) the smallest element is; of several, the first."""
    return ops.argmin(input, axis, output_type)


@export("math.count_nonzero")
def count_nonzero(input, axis=None, keepdims=None, dtype=dtypes.int64, name=None):
    """How many elements are not zero (false, empty text)."""
    return ops.count_nonzero(input, axis, keepdims, dtype)


@export("math.zero_fraction", "nn.zero_fraction")
def zero_fraction(value, name=None):
    """The share of elements that are 0, as a float32."""
    value = to_tensor(value)
    nonzero = ops.cast(ops.count_nonzero(value), "float32")
    size = np.float32(value.shape.num_elements())
    return (size - nonzero) / size


@export("nn.l2_loss")
def l2_loss(t, name=None):
    """Half the sum of squares."""
    t = to_tensor(t)
    check_dtype("L2Loss", FLOATS, t)
    return ops.reduce_sum(t * t) * 0.5


# --- moments -------------------------------------------------------------------------------------


def _in_float32(x):
    """float16 sums of squares overflow soon: they are taken in float32."""
    return ops.cast(x, "float32") if x.dtype is dtypes.float16 else x


@export("nn.moments")
def moments(x, axes, shift=None, keepdims=False, name=None):
    """(mean, variance) over axes. `shift` is there for compatibility and has no effect."""
    x = to_tensor(x)
    if x.dtype.is_floating and x.dtype is not dtypes.float16:
        return ops.moments(x, axes, keepdims)
    y = _in_float32(x)
    mean = ops.reduce_mean(y, axes, keepdims=True)
    variance = ops.reduce_mean(ops.square(y - mean), axes, keepdims)
    if not keepdims:
        mean = ops.reshape(mean, variance.shape)
    return ops.cast(mean, x.dtype), ops.cast(variance, x.dtype)


@export("nn.weighted_moments")
def weighted_moments(x, axes, frequency_weights, keepdims=False, name=None):
    """(mean, variance) over axes, elements counting as often as their weights say."""
    x = to_tensor(x)
    y = _in_float32(x)
    weights = ops.cast(to_tensor(frequency_weights), y.dtype)
    total = ops.reduce_sum(weights + ops.zeros_like(y), axes, keepdims=True)
    # Where all weights are 0 there is nothing to average: 0, by a divisor of 1.
    is_empty = ops.equal(total, 0)
    divisor = ops.where(is_empty, ops.ones_like(total), total)
    share = ops.where(is_empty, ops.zeros_like(total), 1 / divisor)
    mean = ops.reduce_sum(weights * y, axes, keepdims=True) * share
    variance = ops.reduce_sum(weights * ops.square(y - mean), axes, keepdims=True) * share
    if not keepdims:
        kept = ops.normalize_axes("weighted_moments", axes, len(y.shape))
        shape = [n for i, n in enumerate(mean.shape) if i not in kept]
        mean, variance = ops.reshape(mean, shape), ops.reshape(variance, shape)
    return ops.cast(mean, x.dtype), ops.cast(variance, x.dtype)


@export("nn.sufficient_statistics")
def sufficient_statistics(x, axes, shift=None, keepdims=False, name=None):
    """(count, sum, sum of squares, shift) over axes, of x - shift."""
    x = to_tensor(x)
    axes = ops.normalize_axes("sufficient_statistics", axes, len(x.shape))
    count = ops.cast(to_tensor(math.prod(tuple(x.shape)[a] for a in axes)), x.dtype)
    if shift is not None:
        shift = ops.operands("sufficient_statistics", x, shift)[1]
    distance = x if shift is None else x - shift
    total = ops.reduce_sum(distance, axes, keepdims)
    return count, total, ops.reduce_sum(ops.square(distance), axes, keepdims), shift


@export("nn.normalize_moments")
def normalize_moments(counts, mean_ss, variance_ss, shift, name=None):
    """(mean, variance) from what `sufficient_statistics` gives."""
    share = 1 / to_tensor(counts)
    shifted_mean = mean_ss * share
    mean = shifted_mean if shift is None else shifted_mean + shift
    return mean, variance_ss * share - ops.square(shifted_mean)


# --- scans ---------------------------------------------------------------------------------------


@export("math.cumsum", "cumsum")
def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    """Running sums along an axis."""
    return ops.cumsum(x, axis, exclusive, reverse)


@export("math.cumprod")
def cumprod(x, axis=0, exclusive=False, reverse=False, name=None):
    """Running products along an axis."""
    return ops.cumprod(x, axis, exclusive, reverse)


@export("math.cumulative_logsumexp")
def cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None):
    """Running logarithms of sums of exponentials along an axis."""
    return ops.cumulative_logsumexp(x, axis, exclusive, reverse)


# --- order ---------------------------------------------------------------------------------------


@export("sort")
def sort(values, axis=-1, direction="ASCENDING", name=None):
    """The values in order along an axis."""
    return ops.sort(values, axis, direction)


@export("argsort")
def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    """Where the sorted values come from; equal ones always stay in order."""
    return ops.argsort(values, axis, direction)


@export("math.top_k", "nn.top_k")
def top_k(input, k=1, sorted=True, index_type=dtypes.int32, name=None):
    """The k largest elements along the last axis, largest first, and where they are."""
    return TopKV2(*ops.top_k(input, k, index_type))


@export("approx_top_k")
def approx_top_k(
    input,
    k,
    reduction_dimension=-1,
    recall_target=0.95,
    is_max_k=True,
    reduction_input_size_override=-1,
    aggregate_to_topk=True,
    name=None,
):
    """The k largest (smallest) elements along an axis: here, exactly those."""
    x = to_tensor(input)
    axis = ops.normalize_axis("ApproxTopK", reduction_dimension, len(x.shape))
    last = len(x.shape) - 1
    x = ops.moveaxis(x, axis, last) if axis != last else x
    values, indices = ops.top_k(x if is_max_k else -x, k)
    values = values if is_max_k else -values
    if axis != last:
        values, indices = ops.moveaxis(values, last, axis), ops.moveaxis(indices, last, axis)
    return ApproxTopK(values, indices)


@export("math.approx_max_k", "nn.approx_max_k")
def approx_max_k(
    operand,
    k,
    reduction_dimension=-1,
    recall_target=0.95,
    reduction_input_size_override=-1,
    aggregate_to_topk=True,
    name=None,
):
    """The k largest elements along an axis, and where they are: here, exactly those."""
    return approx_top_k(operand, k, reduction_dimension, recall_target)


@export("math.approx_min_k", "nn.approx_min_k")
def approx_min_k(
    operand,
    k,
    reduction_dimension=-1,
    recall_target=0.95,
    reduction_input_size_override=-1,
    aggregate_to_topk=True,
    name=None,
):
    """The k smallest elements along an axis, and where they are: here, exactly those."""
    return approx_top_k(operand, k, reduction_dimension, recall_target, is_max_k=False)


@export("math.in_top_k", "nn.in_top_k")
def in_top_k(targets, predictions, k, name=None):
    """Whether each target class is among the k best predictions of its row."""
    return ops.in_top_k(targets, predictions, k)


@export("unique")
def unique(x, out_idx=dtypes.int32, name=None):
    """The distinct elements in order of appearance, and the place of each element among them."""
    return Unique(*ops.unique(x, out_idx)[:2])


@export("unique_with_counts")
def unique_with_counts(x, out_idx=dtypes.int32, name=None):
    """As `unique`, and how often each of them occurs."""
    return UniqueWithCounts(*ops.unique(x, out_idx))


@export("math.invert_permutation")
def invert_permutation(x, name=None):
    """The permutation that undoes one."""
    return ops.invert_permutation(x)


@export("searchsorted")
def searchsorted(sorted_sequence, values, side="left", out_type=dtypes.int32, name=None):
    """Where values would go in a sorted sequence (each row in its own)."""
    return ops.searchsorted(sorted_sequence, values, side, out_type)


def _steps(op: str, x):
    """The differences of neighbours in the flattened x."""
    x = to_tensor(x)
    if not x.dtype.is_numeric:
        raise TypeError(f"{op}: Expected x to be numeric, got dtype {x.dtype.name}.")
    x = ops.reshape(x, (-1,))
    return x[1:] - x[:-1]


@export("math.is_non_decreasing")
def is_non_decreasing(x, name=None):
    """Whether no element is below the one before it."""
    steps = _steps("is_non_decreasing", x)
    return ops.reduce_all(steps >= 0)


@export("math.is_strictly_increasing")
def is_strictly_increasing(x, name=None):
    """Whether each element is above the one before it."""
    steps = _steps("is_strictly_increasing", x)
    return ops.reduce_all(steps > 0)


_Isotonic = namedtuple("IsotonicRegression", ["output", "segments"])


@export("nn.isotonic_regression")
def isotonic_regression(inputs, decreasing=True, axis=-1):
    """The nearest falling (rising) sequences in least squares, and their runs of equal values."""
    return _Isotonic(*ops.isotonic_regression(inputs, decreasing, axis))


# --- counting ------------------------------------------------------------------------------------


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
    nbins = int(static_value(nbins))
    if nbins <= 0:
        raise InvalidArgumentError(
            f"{op}: nbins should be a positive number, but got '{nbins}' [Op:{op}]"
        )
    return values, low, high, nbins


def _clipped_bins(scaled, nbins: int):
    return ops.cast(ops.minimum(ops.maximum(scaled, 0), nbins - 1), "int32")


@export("histogram_fixed_width_bins")
def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """Which of the equal bins of a range each value falls in; values outside, in the outermost."""
    op = "HistogramFixedWidthBins"
    values, low, high, nbins = _value_range(op, values, value_range, nbins)
    if not values.dtype.is_floating:
        values, low, high = ops.cast(values, "float64"), np.float64(low), np.float64(high)
    return _clipped_bins((values - low) / (high - low) * nbins, nbins)


@export("histogram_fixed_width")
def histogram_fixed_width(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """How many values fall in each of the equal bins of a range."""
    op = "HistogramFixedWidth"
    values, low, high, nbins = _value_range(op, values, value_range, nbins)
    if values.dtype.is_floating and bool(ops.reduce_any(ops.not_equal(values, values))):
        raise InvalidArgumentError(f"{op}: Histogram values must not contain NaN [Op:{op}]")
    width = float(high - low) / nbins
    bins = _clipped_bins(ops.cast(values - low, "float64") / width, nbins)
    return ops.unsorted_segment_sum(ops.ones(bins.shape, dtype), bins, nbins)


@export("math.bincount")
def bincount(
    arr,
    weights=None,
    minlength=None,
    maxlength=None,
    dtype=dtypes.int32,
    name=None,
    axis=None,
    binary_output=False,
):
    """How often (or with what total weight) each integer from 0 occurs: in all, or by rows."""
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
    rows = len(arr) if by_rows else 1
    values = np.asarray(static_value(arr)).astype(np.int64)
    if (values < 0).any():
        raise InvalidArgumentError(f"{op}: Input arr must be non-negative! [Op:{op}]")
    size = int(values.max(initial=-1)) + 1
    size = size if minlength is None else max(size, int(static_value(minlength)))
    size = size if maxlength is None else min(size, int(static_value(maxlength)))
    starts = np.arange(rows, dtype=np.int64).reshape(rows, 1) * size
    places = values.reshape(rows, -1)
    places = np.where(places < size, places + starts, -1)
    counts = ops.unsorted_segment_sum(ops.reshape(weights, (-1,)), places.reshape(-1), rows * size)
    if binary_output:
        counts = ops.minimum(counts, 1)
    return ops.reshape(counts, (rows, size)) if by_rows else counts


@export("math.confusion_matrix")
def confusion_matrix(
    labels, predictions, num_classes=None, weights=None, dtype=dtypes.int32, name=None
):
    """How often (rows) each label was predicted as (columns) each class."""
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
    count = int(largest) + 1 if num_classes is None else int(static_value(num_classes))
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
    places = known["labels"] * count + known["predictions"]
    cells = ops.unsorted_segment_sum(ops.cast(weights, dtype), places, count * count)
    return ops.reshape(cells, (count, count))


# --- segments ------------------------------------------------------------------------------------


def _export_segments(kind: str) -> None:
    op = getattr(ops, f"segment_{kind}")

    def segment(data, segment_ids, name=None):
        return op(data, segment_ids)

    segment.__name__ = segment.__qualname__ = f"segment_{kind}"
    segment.__doc__ = op.__doc__
    export(f"math.segment_{kind}")(segment)


def _export_unsorted(kind: str) -> None:
    op = getattr(ops, f"unsorted_segment_{kind}")

    def segment(data, segment_ids, num_segments, name=None):
        return op(data, segment_ids, num_segments)

    segment.__name__ = segment.__qualname__ = f"unsorted_segment_{kind}"
    segment.__doc__ = op.__doc__
    export(f"math.unsorted_segment_{kind}")(segment)


def _export_picked(kind: str) -> None:
    reduce = getattr(ops, f"unsorted_segment_{kind}")
    op = f"SparseSegment{kind.title().replace('_', '')}"

    def segment(data, indices, segment_ids, num_segments=None, name=None, sparse_gradient=False):
        indices = to_tensor(indices)
        x, ids, count = ops.sorted_segments(op, data, segment_ids, rows=len(indices))
        wanted = count if num_segments is None else int(static_value(num_segments))
        if wanted < count:
            raise InvalidArgumentError(
                f"{op}: segment ids must be < num_segments: {count - 1} and {wanted}. [Op:{op}]"
            )
        if sparse_gradient:
            rows = ops.gather(x, indices)
        else:
            known, size = np.asarray(static_value(indices)), x.shape[0]
            for i in np.flatnonzero((known < 0) | (known >= size))[:1]:
                raise InvalidArgumentError(
                    f"{op}: indices[{i}] == {known[i]} out of range [0, {size}) [Op:{op}]"
                )
            rows = ops.segment_rows(x, indices)
        return reduce(rows, ids, wanted)

    segment.__name__ = segment.__qualname__ = f"segment_{kind}"
    segment.__doc__ = f"`unsorted_segment_{kind}` of the rows of data at indices."
    export(f"sparse.segment_{kind}")(segment)


for _name in "sum mean prod max min".split():
    _export_segments(_name)
for _name in "sum mean prod max min sqrt_n".split():
    _export_unsorted(_name)
for _name in "sum mean sqrt_n".split():
    _export_picked(_name)
