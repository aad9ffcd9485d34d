"""Sorting, `tf.math.top_k`, `tf.unique` and other functions of order."""

from __future__ import annotations

from typing import NamedTuple

from gradtape import ops
from gradtape.api.export import export
from gradtape.core import dtypes
from gradtape.core.convert import to_tensor
from gradtape.core.tensor import Tensor
from gradtape.engine.vmap import per_example


class TopKV2(NamedTuple):
    """What `tf.math.top_k` returns."""

    values: Tensor
    indices: Tensor


class ApproxTopK(NamedTuple):
    """What `tf.approx_top_k` and its like return."""

    values: Tensor
    indices: Tensor


class Unique(NamedTuple):
    """What `tf.unique` returns."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """What `tf.unique_with_counts` returns."""

    y: Tensor
    idx: Tensor
    count: Tensor  # pyright: ignore[reportIncompatibleMethodOverride] (TensorFlow's name)


class IsotonicRegression(NamedTuple):
    """What `tf.nn.isotonic_regression` returns."""

    output: Tensor
    segments: Tensor


@export("sort")
def sort(values, axis=-1, direction="ASCENDING", name=None) -> Tensor:
    """Sort the values along an axis."""
    return ops.sort(values, axis, direction)


@export("argsort")
def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None) -> Tensor:
    """Return the indices that sort the values; the sort is stable."""
    return ops.argsort(values, axis, direction)


@export("math.top_k", "nn.top_k")
def top_k(input, k=1, sorted=True, index_type=dtypes.int32, name=None) -> TopKV2:
    """Return the k largest elements along the last axis, largest first, and their indices."""
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
) -> ApproxTopK:
    """Return the k largest (smallest) elements along an axis, exactly."""
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
) -> ApproxTopK:
    """Return the k largest elements along an axis and their indices, exactly."""
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
) -> ApproxTopK:
    """Return the k smallest elements along an axis and their indices, exactly."""
    return approx_top_k(operand, k, reduction_dimension, recall_target, is_max_k=False)


@export("math.in_top_k", "nn.in_top_k")
def in_top_k(targets, predictions, k, name=None) -> Tensor:
    """Return whether each target class is among the k best predictions of its row."""
    return ops.in_top_k(targets, predictions, k)


@export("unique")
@per_example
def unique(x, out_idx=dtypes.int32, name=None) -> Unique:
    """Return the distinct elements in order of appearance, and each element's index in them."""
    return Unique(*ops.unique(x, out_idx)[:2])


@export("unique_with_counts")
@per_example
def unique_with_counts(x, out_idx=dtypes.int32, name=None) -> UniqueWithCounts:
    """Return what `unique` returns, and how often each element occurs."""
    return UniqueWithCounts(*ops.unique(x, out_idx))


@export("math.invert_permutation")
def invert_permutation(x, name=None) -> Tensor:
    """Return the permutation that undoes one."""
    return ops.invert_permutation(x)


@export("searchsorted")
def searchsorted(sorted_sequence, values, side="left", out_type=dtypes.int32, name=None) -> Tensor:
    """Return the indices at which values would be inserted into a sorted sequence (row by row)."""
    return ops.searchsorted(sorted_sequence, values, side, out_type)


def _steps(op: str, x):
    """Return the differences of neighbors in the flattened x."""
    x = to_tensor(x)
    if not x.dtype.is_numeric:
        raise TypeError(f"{op}: Expected x to be numeric, got dtype {x.dtype.name}.")
    x = ops.reshape(x, (-1,))
    return x[1:] - x[:-1]


@export("math.is_non_decreasing")
def is_non_decreasing(x, name=None) -> Tensor:
    """Return whether no element is below the one before it."""
    steps = _steps("is_non_decreasing", x)
    return ops.reduce_all(steps >= 0)


@export("math.is_strictly_increasing")
def is_strictly_increasing(x, name=None) -> Tensor:
    """Return whether each element is above the one before it."""
    steps = _steps("is_strictly_increasing", x)
    return ops.reduce_all(steps > 0)


@export("nn.isotonic_regression")
def isotonic_regression(inputs, decreasing=True, axis=-1) -> IsotonicRegression:
    """Return the closest decreasing (increasing) sequences in least squares, and their runs of
    equal values."""
    return IsotonicRegression(*ops.isotonic_regression(inputs, decreasing, axis))
