"""Gather and scatter: reads and writes at indices that are tensors of integers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core import dtypes
from gradtape.core.bind import bind
from gradtape.core.convert import static_int, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import INTEGERS, check_dtype
from gradtape.ops.reduce import normalize_axis

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.typing import IntLike, Params, Shape, TensorLike, Tensors

__all__ = [
    "batch_dims_checked",
    "check_coordinates",
    "dense_rows",
    "gather",
    "gather_nd",
    "ravel_indices",
    "scatter_nd",
    "set_sparse_rows",
    "sparse_rows",
]

_INTEGER = NoDerivative("indices are integers, which have no derivative")


# --- sparse gradients ----------------------------------------------------------------------------


def dense_rows(values: Tensor, indices: Tensor, dense_shape: tuple[int, ...]) -> Tensor:
    """Return zeros of `dense_shape`, with each row of `values` added at its index."""
    return ops.unsorted_segment_sum(values, indices, dense_shape[0])


_sparse_rows = dense_rows


def set_sparse_rows(function: type) -> None:
    """Set the function that makes sparse gradients for `sparse_rows`: the engine has it."""
    global _sparse_rows  # noqa: PLW0603 - set once, when the engine is imported
    _sparse_rows = function


def sparse_rows(values: Tensor, indices: Tensor, dense_shape: tuple[int, ...]) -> Any:
    """Return a tensor that is zero but for the rows `values` at `indices`, sparse if possible."""
    if values._is_batched or indices._is_batched:
        return dense_rows(values, indices, dense_shape)
    return _sparse_rows(values, indices, dense_shape)


# --- gather --------------------------------------------------------------------------------------


def _gather_shape(x: Spec, indices: Spec, axis: int, batch_dims: int) -> Spec:
    return Spec((*x.shape[:axis], *indices.shape[batch_dims:], *x.shape[axis + 1 :]), x.dtype)


def _gather_transpose(
    g: Tensor, x_shape: tuple[int, ...], indices: Tensor, axis: int, batch_dims: int
) -> Any:
    """Add each slice of g at the index that it was gathered from."""
    if axis == 0:
        rows = ops.reshape(g, (math.prod(indices.shape), *x_shape[1:]))
        return sparse_rows(rows, ops.reshape(indices, (-1,)), x_shape)
    return _scatter_along(g, x_shape, indices, axis, batch_dims)


def _scatter_along(
    g: Tensor, x_shape: tuple[int, ...], indices: Tensor, axis: int, batch_dims: int
) -> Tensor:
    batch, outer = x_shape[:batch_dims], x_shape[batch_dims:axis]
    size, inner = x_shape[axis], x_shape[axis + 1 :]
    count = math.prod(indices.shape[batch_dims:])
    if not batch_dims:
        rows = ops.moveaxis(ops.reshape(g, (*outer, count, *inner)), axis, 0)
        total = ops.unsorted_segment_sum(rows, ops.reshape(indices, (-1,)), size)
        return ops.moveaxis(total, 0, axis)
    # All tables are one long table of rows: that of each batch entry (and outer position) begins at
    # a start.
    tables = math.prod(batch)
    spots = ops.reshape(indices, (tables, 1, count))
    positions = math.prod(outer)
    starts = np.arange(tables * positions, dtype=indices.dtype.as_numpy_dtype) * size
    spots = ops.reshape(spots + Tensor(starts.reshape(tables, positions, 1)), (-1,))
    rows = ops.reshape(g, (tables * positions * count, *inner))
    return ops.reshape(ops.unsorted_segment_sum(rows, spots, tables * positions * size), x_shape)


def _batch_gather(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
    x, indices = inputs
    axis, batch_dims = params["axis"], params["batch_dims"]
    if batched[0] and not batched[1] and not batch_dims:
        return bind(prim, inputs, {"axis": axis + 1, "batch_dims": 0})
    if not batched[0]:
        # The batch is one more axis of indices, after those shared with x.
        indices = ops.moveaxis(indices, 0, batch_dims)
        return ops.moveaxis(bind(prim, (x, indices), params), axis, 0)
    if not batched[1]:
        indices = ops.broadcast_to(indices, (size, *indices.shape))
    return bind(prim, (x, indices), {"axis": axis + 1, "batch_dims": batch_dims + 1})


gather_p = primitive(
    "gather",
    "x indices",
    shape=_gather_shape,
    vjp={"x": _gather_transpose, "indices": _INTEGER},
    jvp={
        "x": lambda t, indices, axis, batch_dims: bind(
            gather_p, (t, indices), {"axis": axis, "batch_dims": batch_dims}
        ),
        "indices": _INTEGER,
    },
    batch=_batch_gather,
)


def gather(x: TensorLike, indices: TensorLike, axis: IntLike = 0, batch_dims: int = 0) -> Tensor:
    """Gather slices of x along `axis` at `indices`; the first `batch_dims` axes are batch axes."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    if type(indices) is not Tensor:
        indices = to_tensor(indices)
    if indices._data.dtype not in INTEGERS:
        check_dtype("GatherV2", INTEGERS, indices)
    rank = len(x._data.shape)
    if not rank:
        raise ShapeError(
            "params must be at least 1 dimensional: tf.gather of a scalar. [Op:GatherV2]"
        )
    if batch_dims:
        batch_dims = batch_dims_checked(
            "GatherV2", x, indices, batch_dims, len(indices._data.shape)
        )
    if type(axis) is not int or not 0 <= axis < rank:
        axis = normalize_axis("GatherV2", axis, rank)
    if axis < batch_dims:
        raise ShapeError(
            f"batch_dims ({batch_dims}) must be less than or equal to axis ({axis}). [Op:GatherV2]"
        )
    return bind(gather_p, (x, indices), {"axis": axis, "batch_dims": batch_dims})


def batch_dims_checked(op: str, x: Tensor, indices: Tensor, batch_dims: int, most: int) -> int:
    """Return `batch_dims` as a non-negative int; raise unless those axes agree in both tensors."""
    count = static_int(batch_dims)
    if not -most <= count <= most:
        raise ShapeError(
            f"Expected batch_dims in the range [{-most}, {most}], but got {count}. [Op:{op}]"
        )
    count = count + most if count < 0 else count
    if tuple(x._data.shape[:count]) != tuple(indices._data.shape[:count]):
        raise ShapeError(
            f"params.shape[:{count}] = {list(x._data.shape[:count])} should be equal to "
            f"indices.shape[:{count}] = {list(indices._data.shape[:count])}: batch_dims is "
            f"{count}. [Op:{op}]"
        )
    return count


# --- positions named by several coordinates ------------------------------------------------------

# Flat row-major indices: with them, gather_nd and the like work on the rows of one long table.
ravel_index_p = primitive(
    "ravel_index",
    "indices",
    shape=lambda indices, shape, op, ignore: Spec(indices.shape[:-1], np.dtype(np.int64)),
    no_derivative="indices are integers, which have no derivative",
    batch=lambda prim, size, batched, inputs, params: bind(prim, inputs, params),
)


def ravel_indices(op: str, shape: Shape, indices: Tensor, policy: str) -> Tensor:
    """Return the flat index of each position in `shape`, given its coordinates as last axis.

    Positions out of range are an error, or (policy "IGNORE") become -1.
    """
    if policy not in ("", "DEFAULT", "ERROR", "IGNORE"):
        raise ValueError(
            f"bad_indices_policy must be '', 'DEFAULT', 'ERROR' or 'IGNORE', got {policy!r}. "
            f"[Op:{op}]"
        )
    params = {"shape": tuple(shape), "op": op, "ignore": policy == "IGNORE"}
    return bind(ravel_index_p, (indices,), params)


def check_coordinates(op: str, indices: TensorLike, rank: int) -> Tensor:
    """Return indices whose last axis has the leading coordinates of a position, checked."""
    indices = to_tensor(indices)
    if indices._data.dtype not in INTEGERS:
        check_dtype(op, INTEGERS, indices)
    shape = indices._data.shape
    if not shape:
        raise ShapeError(f"indices must be at least a vector, got a scalar. [Op:{op}]")
    if shape[-1] > rank:
        raise ShapeError(
            f"index innermost dimension length must be <= params rank; saw: {shape[-1]} vs. {rank}"
            f": indices have shape {list(shape)}. [Op:{op}]"
        )
    return indices


def gather_nd(x: TensorLike, indices: TensorLike, batch_dims: int = 0, policy: str = "") -> Tensor:
    """Gather slices of x at positions; the last axis of `indices` has their leading coordinates."""
    x = to_tensor(x)
    shape = tuple(x._data.shape)
    count = static_int(batch_dims)
    if count < 0:
        raise ValueError(f"tf.gather_nd does not allow negative batch_dims, got {count}.")
    indices = to_tensor(indices)
    if count and indices._data.shape:
        count = batch_dims_checked("GatherNd", x, indices, count, len(indices._data.shape) - 1)
    indices = check_coordinates("GatherNd", indices, len(shape) - count)
    if count:
        indices = _with_batch_coordinates(indices, count)
    depth = indices._data.shape[-1]
    numbers = ravel_indices("GatherNd", shape, indices, policy)
    inner = shape[depth:]
    # Rows of a table have sparse gradients, as in TensorFlow; other positions pass through reshape.
    if depth != 1 or len(indices._data.shape) != 2:
        x = ops.reshape(x, (math.prod(shape[:depth]), *inner))
    if policy != "IGNORE":
        return gather(x, numbers)
    picked = gather(x, ops.maximum(numbers, 0))
    hit = ops.reshape(numbers >= 0, (*numbers._data.shape, *(1,) * len(inner)))
    return ops.where(hit, picked, ops.zeros_like(picked))


def _with_batch_coordinates(indices: Tensor, count: int) -> Tensor:
    """Prepend the batch indices of the first `count` axes to the coordinates in `indices`."""
    shape = tuple(indices._data.shape)
    grid = np.indices(shape[:count], indices._data.dtype)
    grid = np.moveaxis(grid, 0, -1).reshape(*shape[:count], *(1,) * (len(shape) - count - 1), count)
    grid = np.broadcast_to(grid, (*shape[:-1], count))
    return ops.concat([Tensor(grid), indices], len(shape) - 1)


def scatter_nd(
    indices: TensorLike, updates: TensorLike, shape: Sequence[int], policy: str = ""
) -> Tensor:
    """Return zeros of `shape`, with each slice of `updates` added at its position."""
    shape, updates = ops.static_shape(shape, "ScatterNd"), to_tensor(updates)
    if updates.dtype.is_bool:  # the sum of flags is whether any is set
        return ops.scatter_nd(indices, ops.cast(updates, dtypes.int32), shape, policy) != 0
    numbers, rows = ops.rows_at("ScatterNd", shape, indices, updates, policy)
    count = math.prod(shape[: len(shape) - len(rows._data.shape) + 1])
    return ops.reshape(ops.unsorted_segment_sum(rows, numbers, count), shape)
