"""Sorting, the largest elements, unique values, and search in sorted sequences."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.backends import cpu
from gradtape.core.bind import bind
from gradtape.core.convert import operands, static_value, to_tensor
from gradtape.core.dtypes import DType, as_dtype
from gradtape.core.errors import InvalidArgumentError, ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import (
    INTEGERS,
    REALS,
    batch_axis,
    batch_leading,
    check_dtype,
    same_shape,
)
from gradtape.ops.reduce import normalize_axis
from gradtape.ops.segment import segment_rows, unsorted_segment_mean

if TYPE_CHECKING:
    from gradtape.core.typing import IntLike, TensorLike

__all__ = [
    "argsort",
    "in_top_k",
    "invert_permutation",
    "isotonic_regression",
    "searchsorted",
    "sort",
    "top_k",
    "unique",
]

_INT32 = np.dtype(np.int32)
_FLOAT32 = as_dtype("float32")
_JUMPS = "the result is an index, which changes only in jumps"


def _take_along(x: Any, indices: Any, axis: int) -> Tensor:
    """Take the elements of x along an axis at indices given for each row."""
    last = len(x.shape) - 1
    if axis != last:
        x, indices = ops.moveaxis(x, axis, last), ops.moveaxis(indices, axis, last)
    *lead, size = x.shape
    rows, count = math.prod(lead), indices.shape[-1]
    if rows != 1:
        if rows * size >= 2**31 or indices.dtype.name == "int16":
            indices = ops.cast(indices, "int64")
        starts = np.arange(rows, dtype=indices.dtype.as_numpy_dtype) * size
        indices = ops.reshape(indices, (rows, count)) + Tensor(starts.reshape(rows, 1))
    y = segment_rows(ops.reshape(x, (rows * size,)), ops.reshape(indices, (rows * count,)))
    y = ops.reshape(y, (*lead, count))
    return y if axis == last else ops.moveaxis(y, last, axis)


# --- sorting -------------------------------------------------------------------------------------


def _is_descending(op: str, direction: str) -> bool:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            f"{op}: Argument `direction` should be one of ASCENDING, DESCENDING. Received: "
            f"direction={direction}"
        )
    return direction == "DESCENDING"


argsort_p = primitive(
    "argsort",
    "x",
    batch=batch_axis,
    no_derivative=_JUMPS,
    remedy="Use tf.sort(x), which has a derivative, where the sorted values are wanted.",
    shape=lambda x, axis, descending: Spec(x.shape, _INT32),
)


def argsort(x: TensorLike, axis: IntLike = -1, direction: str = "ASCENDING") -> Tensor:
    """Return the indices that sort x; the sort is stable."""
    x = to_tensor(x)
    check_dtype("argsort", REALS, x)
    axis = normalize_axis("argsort", axis, len(x.shape))
    return _argsort(x, axis, _is_descending("argsort", direction))


def _argsort(x: Any, axis: int, descending: bool = False) -> Any:
    return bind(argsort_p, (x,), {"axis": axis, "descending": descending})


def _sort_vjp(g: Any, x: Any, axis: int, descending: bool) -> Tensor:
    # Sorting again costs the backward pass what it saves every forward pass without a tape.
    indices = _argsort(x, axis, descending)
    return _take_along(g, _argsort(indices, axis), axis)


sort_p = primitive(
    "sort",
    "x",
    shape=same_shape,
    batch=batch_axis,
    vjp={"x": _sort_vjp},
    jvp={"x": lambda t, x, axis, descending: _take_along(t, _argsort(x, axis, descending), axis)},
)


def sort(x: TensorLike, axis: IntLike = -1, direction: str = "ASCENDING") -> Tensor:
    """Sort x along an axis."""
    x = to_tensor(x)
    check_dtype("sort", REALS, x)
    axis = normalize_axis("sort", axis, len(x.shape))
    return bind(sort_p, (x,), {"axis": axis, "descending": _is_descending("sort", direction)})


# --- the largest elements ------------------------------------------------------------------------

top_k_indices_p = primitive(
    "top_k_indices",
    "x",
    batch=batch_leading,
    no_derivative=_JUMPS,
    shape=lambda x, k, dtype: Spec((*x.shape[:-1], k), dtype),
)


def top_k(
    x: TensorLike, k: int | list[int] = 1, index_type: DType | str = "int32"
) -> tuple[Tensor, ...]:
    """Return (values, indices) of the k largest elements along the last axis, descending."""
    x, index_type = to_tensor(x), as_dtype(index_type)
    check_dtype("TopKV2", REALS, x)
    if index_type.name not in ("int16", "int32", "int64"):
        raise InvalidArgumentError(
            f"TopKV2: index_type must be int16, int32 or int64, got {index_type.name}. [Op:TopKV2]"
        )
    if not len(x.shape):
        raise ShapeError("TopKV2: input must be >= 1-D, got a scalar. [Op:TopKV2]")
    count = np.asarray(static_value(k, asks=True))
    if count.ndim or count.dtype.kind not in "iu":
        raise ShapeError(f"TopKV2: k must be one integer, got {k!r}. [Op:TopKV2]")
    if count < 0:
        raise InvalidArgumentError(f"TopKV2: Need k >= 0, got {count}. [Op:TopKV2]")
    if count > x.shape[-1]:
        raise ShapeError(
            f"TopKV2: input must have at least k columns. Had {x.shape[-1]}, needed {count}: the "
            f"shape is {x.shape}. [Op:TopKV2]"
        )
    indices = bind(top_k_indices_p, (x,), {"k": int(count), "dtype": index_type.dtype})
    return _take_along(x, indices, len(x.shape) - 1), indices


def in_top_k(targets: TensorLike, predictions: TensorLike, k: TensorLike) -> Tensor:
    """Return whether the target of each row is among its k largest predictions, or ties with them.

    False if the target is out of range, or if a prediction that decides is not finite.
    """
    targets, predictions = to_tensor(targets), to_tensor(predictions, _FLOAT32)
    check_dtype("InTopKV2", INTEGERS, targets)
    if len(predictions.shape) != 2:
        raise ShapeError(
            f"InTopKV2: predictions must be 2-dimensional, got shape {predictions.shape}. "
            "[Op:InTopKV2]"
        )
    if len(targets.shape) != 1:
        raise ShapeError(
            f"InTopKV2: targets must be 1-dimensional, got shape {targets.shape}. [Op:InTopKV2]"
        )
    rows, columns = predictions.shape
    if targets.shape[0] != rows:
        raise ShapeError(
            f"InTopKV2: First dimension of predictions {rows} must match length of targets "
            f"{targets.shape[0]}. [Op:InTopKV2]"
        )
    if not columns:
        return ops.zeros((rows,), "bool")
    exists = ops.logical_and(targets >= 0, targets < columns)
    column = ops.reshape(ops.where(exists, targets, ops.zeros_like(targets)), (rows, 1))
    scores = _take_along(predictions, column, 1)
    larger = ops.count_nonzero(predictions > scores, 1)
    # x - x is 0 for finite x only. Any nan or infinity in the row makes the answer false.
    decided = ops.reduce_all(ops.equal(predictions - predictions, 0), 1)
    few = larger < ops.cast(to_tensor(k), "int64")
    return ops.logical_and(ops.logical_and(exists, decided), few)


# --- sets of values ------------------------------------------------------------------------------


def unique(x: TensorLike, dtype: DType | str = "int32") -> tuple[Tensor, ...]:
    """Return (values in order of first occurrence, index of each element among them, counts)."""
    x, dtype = to_tensor(x), as_dtype(dtype)
    if len(x.shape) != 1:
        raise ShapeError(f"Unique: unique expects a 1D vector, got shape {x.shape}. [Op:Unique]")
    if dtype.name not in ("int32", "int64"):
        raise InvalidArgumentError(
            f"Unique: out_idx must be int32 or int64, got {dtype.name}. [Op:Unique]"
        )
    number = dtype.dtype
    specs = [(np.int64, (None,)), (number, x._data.shape), (number, (None,))]
    find = partial(_distinct, dtype=number)
    first, inverse, counts = ops.host_arrays(find, [x], specs)
    # The values are gathered from their first occurrence: that is where their gradient goes.
    return segment_rows(x, first), inverse, counts


def _distinct(known: np.ndarray, dtype: np.dtype) -> list[np.ndarray]:
    """Return the first position of each value, the number of each element's value, and counts."""
    if known.dtype.kind == "V":
        known = known.astype(np.float32)
    # Equal elements follow each other, the first one first.
    order = cpu.kernel("argsort")(known, axis=0, descending=False)
    ordered = known[order]
    begins = np.ones(len(known), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
    first = order[begins]
    is_first = np.zeros(len(known), bool)
    is_first[first] = True
    number = (np.cumsum(is_first) - 1)[first]  # of each value, in the order of appearance
    sizes = np.diff(np.flatnonzero(begins), append=len(known))
    inverse, counts = np.empty(len(known), dtype), np.empty(len(first), dtype)
    inverse[order], counts[number] = np.repeat(number, sizes), sizes
    return [np.flatnonzero(is_first), inverse, counts]


def invert_permutation(x: TensorLike) -> Tensor:
    """Return y with y[x[i]] = i."""
    x = to_tensor(x)
    if x.dtype.name not in ("int32", "int64"):
        raise InvalidArgumentError(
            f"InvertPermutation: x must be of dtype int32 or int64, got {x.dtype.name}. "
            "[Op:InvertPermutation]"
        )
    if len(x.shape) != 1:
        raise ShapeError(
            f"InvertPermutation: invert_permutation expects a 1D vector, got shape {x.shape}. "
            "[Op:InvertPermutation]"
        )
    if type(x) is Tensor:
        known, size = np.asarray(static_value(x)), x.shape[0]
        for value in known[(known < 0) | (known >= size)][:1]:
            raise InvalidArgumentError(
                f"InvertPermutation: {value} is not between 0 and {size}. [Op:InvertPermutation]"
            )
        if len(np.unique(known)) != size:
            values, counts = np.unique(known, return_counts=True)
            raise InvalidArgumentError(
                f"InvertPermutation: {values[counts > 1][0]} is duplicated in the input. "
                "[Op:InvertPermutation]"
            )
    return ops.cast(_argsort(x, 0), x.dtype)


# --- search --------------------------------------------------------------------------------------

searchsorted_p = primitive(
    "searchsorted",
    "sequence values",
    batch=batch_leading,
    no_derivative=_JUMPS,
    shape=lambda sequence, values, side, dtype: Spec(values.shape, dtype),
)


def searchsorted(
    sequence: Tensor, values: Tensor, side: str = "left", dtype: DType | str = "int32"
) -> Tensor:
    """Return the indices where values would be inserted in sorted rows (along the last axis)."""
    if side not in ("left", "right"):
        raise ValueError(
            f"searchsorted: Argument `side` must be either 'right' or 'left'. Received: {side!r}."
        )
    op = "LowerBound" if side == "left" else "UpperBound"
    sequence, values = operands(op, sequence, values)
    check_dtype(op, REALS, sequence)
    dtype = as_dtype(dtype)
    if dtype.name not in ("int32", "int64"):
        raise InvalidArgumentError(
            f"{op}: out_type must be int32 or int64, got {dtype.name}. [Op:{op}]"
        )
    if not len(sequence.shape) or not len(values.shape):
        raise ShapeError(
            f"{op}: sorted_sequence and values must have at least rank 1, got shapes "
            f"{sequence.shape} and {values.shape}. [Op:{op}]"
        )
    shape = tuple(values.shape)
    lead = math.prod(shape[:-1])
    if math.prod(tuple(sequence.shape)[:-1]) != lead:
        raise ShapeError(
            f"{op}: Leading dim_size of both tensors must match: sorted_sequence has shape "
            f"{sequence.shape}, values {values.shape}. [Op:{op}]"
        )
    sequence = ops.reshape(sequence, (lead, sequence.shape[-1]))
    result = bind(
        searchsorted_p,
        (sequence, ops.reshape(values, (lead, shape[-1]))),
        {"side": side, "dtype": dtype.dtype},
    )
    return ops.reshape(result, shape)


# --- isotonic regression -------------------------------------------------------------------------

isotonic_segments_p = primitive(
    "isotonic_segments",
    "x",
    batch=batch_leading,
    no_derivative=_JUMPS,
    shape=lambda x: Spec(x.shape, _INT32),
)


def isotonic_regression(x: Any, decreasing: bool = True, axis: IntLike = -1) -> tuple[Tensor, ...]:
    """Return (the closest monotonic rows in least squares, their runs of equal values)."""
    x = to_tensor(x)
    check_dtype("IsotonicRegression", REALS, x)
    if not x.dtype.is_floating:
        x = ops.cast(x, "float32" if x.dtype.size <= 2 else "float64")
    last = len(x.shape) - 1
    axis = normalize_axis("IsotonicRegression", axis, last + 1)
    x = x if axis == last else ops.moveaxis(x, axis, last)
    segments = bind(isotonic_segments_p, (x if decreasing else -x,))
    *lead, size = x.shape
    rows = math.prod(lead)
    # Each run has the mean of its elements; that determines the derivative, too.
    starts = np.arange(rows, dtype=np.int64).reshape(rows, 1) * size
    runs = ops.cast(ops.reshape(segments, (rows, size)), "int64") + Tensor(starts)
    runs = ops.reshape(runs, (rows * size,))
    means = unsorted_segment_mean(ops.reshape(x, (rows * size,)), runs, rows * size)
    y = ops.reshape(segment_rows(means, runs), x.shape)
    if axis == last:
        return y, segments
    return ops.moveaxis(y, last, axis), ops.moveaxis(segments, last, axis)
