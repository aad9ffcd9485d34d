"""Gather and scatter: reading and writing at places that tensors of integers name."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import static_value, to_tensor
from gradtape.core.errors import InvalidArgumentError, ShapeError
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import INTEGERS, broadcast_shapes, check_dtype
from gradtape.ops.reduce import normalize_axis

__all__ = [
    "batch_dims_checked", "boolean_mask", "dense_rows", "dynamic_partition", "dynamic_stitch",
    "gather", "gather_nd", "reverse_sequence", "scatter_nd", "set_sparse_rows", "sparse_rows",
    "take_along_axis", "tensor_scatter_nd_add", "tensor_scatter_nd_max", "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub", "tensor_scatter_nd_update", "unravel_index",
]  # fmt: skip

_INTEGER = NoDerivative("indices are integers, which have no derivative")


# --- sparse gradients ----------------------------------------------------------------------------


def dense_rows(values, indices, dense_shape):
    """Zeros of `dense_shape`, with each row of `values` added at its index."""
    return ops.unsorted_segment_sum(values, indices, dense_shape[0])


_sparse_rows = dense_rows


def set_sparse_rows(function) -> None:
    """Set how `sparse_rows` keeps a gradient that is zero in most rows (the engine's business)."""
    global _sparse_rows  # noqa: PLW0603 - set once, when the engine is imported
    _sparse_rows = function


def sparse_rows(values, indices, dense_shape: tuple[int, ...]):
    """A tensor that is zero but for the rows `values` at `indices`, kept as those if it may be."""
    if hasattr(values, "_physical") or hasattr(indices, "_physical"):  # inside vmap
        return dense_rows(values, indices, dense_shape)
    return _sparse_rows(values, indices, dense_shape)


# --- gather --------------------------------------------------------------------------------------


def _gather_shape(x: Spec, indices: Spec, axis, batch_dims) -> Spec:
    return Spec((*x.shape[:axis], *indices.shape[batch_dims:], *x.shape[axis + 1 :]), x.dtype)


def _gather_transpose(g, x_shape, indices, axis, batch_dims):
    """Add each slice of g where it came from."""
    if axis == 0:
        rows = ops.reshape(g, (math.prod(indices.shape), *x_shape[1:]))
        return sparse_rows(rows, ops.reshape(indices, (-1,)), x_shape)
    return _scatter_along(g, x_shape, indices, axis, batch_dims)


def _scatter_along(g, x_shape, indices, axis, batch_dims):
    batch, outer = x_shape[:batch_dims], x_shape[batch_dims:axis]
    size, inner = x_shape[axis], x_shape[axis + 1 :]
    count = math.prod(indices.shape[batch_dims:])
    if not batch_dims:
        rows = ops.moveaxis(ops.reshape(g, (*outer, count, *inner)), axis, 0)
        total = ops.unsorted_segment_sum(rows, ops.reshape(indices, (-1,)), size)
        return ops.moveaxis(total, 0, axis)
    # One long table of rows: the table of each batch entry (and outer place) begins at a start.
    tables = math.prod(batch)
    spots = ops.reshape(indices, (tables, 1, count))
    places = math.prod(outer)
    starts = np.arange(tables * places, dtype=indices.dtype.as_numpy_dtype) * size
    spots = ops.reshape(spots + Tensor(starts.reshape(tables, places, 1)), (-1,))
    rows = ops.reshape(g, (tables * places * count, *inner))
    return ops.reshape(ops.unsorted_segment_sum(rows, spots, tables * places * size), x_shape)


def _batch_gather(prim, size, batched, inputs, params):
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
    "gather", "x indices",
    shape=_gather_shape,
    vjp={"x": _gather_transpose, "indices": _INTEGER},
    jvp={
        "x": lambda t, indices, axis, batch_dims: bind(
            gather_p, (t, indices), {"axis": axis, "batch_dims": batch_dims}
        ),
        "indices": _INTEGER,
    },
    batch=_batch_gather,
)  # fmt: skip


def gather(x, indices, axis=0, batch_dims=0):
    """The slices of x along `axis` at `indices`; the first `batch_dims` axes go in step."""
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


def batch_dims_checked(op: str, x, indices, batch_dims, most: int) -> int:
    """`batch_dims` as a non-negative int, and the axes it counts equal in both tensors."""
    count = int(static_value(batch_dims))
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


# --- places named by several coordinates ---------------------------------------------------------

# Row-major numbers of places, so that gather_nd and its kin are about the rows of one long table.
place_number_p = primitive(
    "place_number", "indices",
    shape=lambda indices, sizes, op, ignore: Spec(indices.shape[:-1], np.dtype(np.int64)),
    no_derivative="indices are integers, which have no derivative",
    batch=lambda prim, size, batched, inputs, params: bind(prim, inputs, params),
)  # fmt: skip


def _place_numbers(op: str, shape, indices, policy: str):
    """The number of each place, where the last axis of `indices` has its coordinates in `shape`.

    Wrong places are an error, or (policy "IGNORE") have the number -1.
    """
    if policy not in ("", "DEFAULT", "ERROR", "IGNORE"):
        raise ValueError(
            f"bad_indices_policy must be '', 'DEFAULT', 'ERROR' or 'IGNORE', got {policy!r}. "
            f"[Op:{op}]"
        )
    depth = indices._data.shape[-1]
    params = {"sizes": tuple(shape[:depth]), "op": op, "ignore": policy == "IGNORE"}
    return bind(place_number_p, (indices,), params)


def _coordinates(op: str, indices, rank: int):
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


def gather_nd(x, indices, batch_dims=0, policy=""):
    """The slices of x at the places whose first coordinates the last axis of `indices` gives."""
    x = to_tensor(x)
    shape = tuple(x._data.shape)
    count = int(static_value(batch_dims))
    indices = _coordinates("GatherNd", indices, len(shape) - count)
    if count:
        count = batch_dims_checked("GatherNd", x, indices, count, len(indices._data.shape) - 1)
        indices = _with_batch_coordinates(indices, count)
    depth = indices._data.shape[-1]
    numbers = _place_numbers("GatherNd", shape, indices, policy)
    inner = shape[depth:]
    # Rows of a table have sparse gradients, as in TensorFlow; other places pass through reshape.
    if depth != 1 or len(indices._data.shape) != 2:
        x = ops.reshape(x, (math.prod(shape[:depth]), *inner))
    if policy != "IGNORE":
        return gather(x, numbers)
    found = gather(x, ops.maximum(numbers, 0))
    hit = ops.reshape(numbers >= 0, (*numbers._data.shape, *(1,) * len(inner)))
    return ops.where(hit, found, ops.zeros_like(found))


def _with_batch_coordinates(indices, count: int):
    """`indices`, whose first axes count a batch, with those counts as further coordinates."""
    shape = tuple(indices._data.shape)
    grid = np.indices(shape[:count], indices._data.dtype)
    grid = np.moveaxis(grid, 0, -1).reshape(*shape[:count], *(1,) * (len(shape) - count - 1), count)
    grid = np.broadcast_to(grid, (*shape[:-1], count))
    return ops.concat([Tensor(grid), indices], len(shape) - 1)


def _rows(op: str, shape: tuple[int, ...], indices, updates, policy: str):
    """The numbers of the rows to write (a vector) and the rows, for a table of `shape`."""
    indices = _coordinates(op, indices, len(shape))
    depth = indices._data.shape[-1]
    inner = shape[depth:]
    wanted = (*indices._data.shape[:-1], *inner)
    if tuple(updates._data.shape) != wanted:
        raise ShapeError(
            f"updates must have shape {list(wanted)}: that of indices, "
            f"{list(indices._data.shape)}, without its last axis, and of the slices that they "
            f"name in shape {list(shape)}. Got shape {list(updates._data.shape)}. [Op:{op}]"
        )
    numbers = ops.reshape(_place_numbers(op, shape, indices, policy), (-1,))
    count = math.prod(indices._data.shape[:-1])
    return numbers, ops.reshape(updates, (count, *inner)), (math.prod(shape[:depth]), *inner)


def scatter_nd(indices, updates, shape, policy=""):
    """Zeros of `shape`, with each slice of `updates` added at its place."""
    shape, updates = ops.static_shape(shape, "ScatterNd"), to_tensor(updates)
    numbers, rows, table = _rows("ScatterNd", shape, indices, updates, policy)
    return ops.reshape(ops.unsorted_segment_sum(rows, numbers, table[0]), shape)


def tensor_scatter_nd_add(x, indices, updates, policy=""):
    """x with each slice of `updates` added at its place."""
    x, updates = ops.operands("TensorScatterAdd", x, updates)
    return ops.add(x, scatter_nd(indices, updates, x._data.shape, policy))


def tensor_scatter_nd_sub(x, indices, updates, policy=""):
    """x with each slice of `updates` subtracted at its place."""
    x, updates = ops.operands("TensorScatterSub", x, updates)
    return ops.subtract(x, scatter_nd(indices, updates, x._data.shape, policy))


def _rows_shape(x: Spec, indices: Spec, updates: Spec, **params) -> Spec:
    return x


def _batch_rows(prim, size, batched, inputs, params):
    """The tables of all examples as one long table."""
    x, indices, updates = (
        z if b else ops.broadcast_to(z, (size, *z.shape))
        for z, b in zip(inputs, batched, strict=True)
    )
    starts = np.arange(size, dtype=indices.dtype.as_numpy_dtype).reshape(size, 1) * x.shape[1]
    # -1 stands for no place, whichever the table.
    spots = ops.where(indices < 0, indices, indices + Tensor(starts))
    table = ops.reshape(x, (size * x.shape[1], *x.shape[2:]))
    rows = ops.reshape(updates, (size * updates.shape[1], *updates.shape[2:]))
    return ops.reshape(bind(prim, (table, ops.reshape(spots, (-1,)), rows), params), x.shape)


def _set_rows(x, indices, updates):
    return bind(set_rows_p, (x, indices, updates))


# Of several updates of one row, the last stays; each of them is given the gradient of the row,
# as in TensorFlow, where the winner is left open.
set_rows_p = primitive(
    "set_rows", "x indices updates",
    shape=_rows_shape,
    vjp={
        "x": lambda g, indices, updates_shape: _set_rows(
            g, indices, ops.zeros(updates_shape, g.dtype)
        ),
        "indices": _INTEGER,
        "updates": lambda g, indices: gather(g, indices),
    },
    jvp={
        "x": lambda t, indices, updates: _set_rows(t, indices, ops.zeros_like(updates)),
        "indices": _INTEGER,
        "updates": lambda t, x, indices: _set_rows(ops.zeros_like(x), indices, t),
    },
    batch=_batch_rows,
)  # fmt: skip


def tensor_scatter_nd_update(x, indices, updates):
    """x with the slices at some places replaced by those of `updates`."""
    x, updates = ops.operands("TensorScatterUpdate", x, updates)
    shape = tuple(x._data.shape)
    numbers, rows, table = _rows("TensorScatterUpdate", shape, indices, updates, "")
    return ops.reshape(_set_rows(ops.reshape(x, table), numbers, rows), shape)


def _extreme_transpose(g, x, indices, updates, ans):
    """g in equal shares to all that attain the extreme, as TensorFlow."""
    placed = ops.maximum(indices, 0)
    from_x = ops.cast(ops.equal(x, ans), g.dtype)
    from_updates = ops.cast(ops.equal(updates, gather(ans, placed)), g.dtype)
    shares = g / (from_x + dense_rows(from_updates, indices, x.shape))
    return shares * from_x, None, gather(shares, placed) * from_updates


extreme_rows_p = primitive(
    "extreme_rows", "x indices updates",
    shape=_rows_shape,
    vjp=_extreme_transpose,
    batch=_batch_rows,
)  # fmt: skip


def _tensor_scatter_extreme(op: str, largest: bool):
    def scatter(x, indices, updates, policy=""):
        x, updates = ops.operands(op, x, updates)
        shape = tuple(x._data.shape)
        numbers, rows, table = _rows(op, shape, indices, updates, policy)
        x = bind(extreme_rows_p, (ops.reshape(x, table), numbers, rows), {"largest": largest})
        return ops.reshape(x, shape)

    return scatter


tensor_scatter_nd_max = _tensor_scatter_extreme("TensorScatterMax", True)
tensor_scatter_nd_min = _tensor_scatter_extreme("TensorScatterMin", False)

# --- composed of gather --------------------------------------------------------------------------


def take_along_axis(x, indices, axis=-1):
    """x at `indices`, which differ along the other axes too: the two shapes broadcast there."""
    x, indices = to_tensor(x), to_tensor(indices)
    rank = len(x._data.shape)
    if len(indices._data.shape) != rank:
        raise ShapeError(
            f"take_along_axis: indices must have the rank of the tensor, {rank}, got shape "
            f"{list(indices._data.shape)}. [Op:GatherV2]"
        )
    axis = normalize_axis("take_along_axis", axis, rank)
    x, indices = ops.moveaxis(x, axis, -1), ops.moveaxis(indices, axis, -1)
    before = broadcast_shapes("take_along_axis", x._data.shape[:-1], indices._data.shape[:-1])
    size = x._data.shape[-1]
    x = ops.reshape(ops.broadcast_to(x, (*before, size)), (*before, size))
    indices = ops.broadcast_to(indices, (*before, indices._data.shape[-1]))
    indices = ops.where(indices < 0, indices + size, indices)
    return ops.moveaxis(gather(x, indices, rank - 1, rank - 1), -1, axis)


def boolean_mask(x, mask, axis=0):
    """The slices of x along the axes of `mask` (from `axis` on) where the mask holds, in a row."""
    x, mask = to_tensor(x), to_tensor(mask)
    rank, shape = len(mask._data.shape), tuple(x._data.shape)
    if not rank:
        raise ValueError("mask cannot be scalar.")
    axis = int(static_value(axis))
    axis = axis + len(shape) if axis < 0 else axis
    if shape[axis : axis + rank] != tuple(mask._data.shape):
        raise ShapeError(
            f"Shapes {shape[axis : axis + rank]} and {tuple(mask._data.shape)} are incompatible: "
            f"the mask must have the sizes of the tensor's axes from {axis} on. [Op:boolean_mask]"
        )
    places = np.flatnonzero(mask.numpy())
    x = ops.reshape(x, (*shape[:axis], mask._data.size, *shape[axis + rank :]))
    return gather(x, Tensor(places), axis)


def dynamic_partition(x, partitions, count):
    """x divided into `count` tensors, by the number of the part that each slice belongs to."""
    x, numbers = to_tensor(x), to_tensor(partitions)
    shape, rank = tuple(x._data.shape), len(numbers._data.shape)
    if shape[:rank] != tuple(numbers._data.shape):
        raise ShapeError(
            f"data.shape must start with partitions.shape, got data.shape = {list(shape)}, "
            f"partitions.shape = {list(numbers._data.shape)}. [Op:DynamicPartition]"
        )
    values = np.asarray(numbers.numpy()).reshape(-1)
    count = int(static_value(count))
    if values.size and not 0 <= values.min() <= values.max() < count:
        place = int(np.flatnonzero((values < 0) | (values >= count))[0])
        raise InvalidArgumentError(
            f"partitions[{place}] = {values[place]} is not in [0, {count}). [Op:DynamicPartition]"
        )
    table = ops.reshape(x, (values.size, *shape[rank:]))
    return [gather(table, Tensor(np.flatnonzero(values == i))) for i in range(count)]


def dynamic_stitch(indices, data):
    """The opposite of `dynamic_partition`: slices put at their indices, later ones over earlier."""
    indices = [to_tensor(i) for i in indices]
    data = ops.tensors_alike("DynamicStitch", data)
    if len(indices) != len(data):
        raise ShapeError(
            f"dynamic_stitch: {len(indices)} tensors of indices for {len(data)} of data. "
            "[Op:DynamicStitch]"
        )
    inner = tuple(data[0]._data.shape[len(indices[0]._data.shape) :])
    numbers, rows = [], []
    for i, x in zip(indices, data, strict=True):
        if tuple(x._data.shape) != (*i._data.shape, *inner):
            raise ShapeError(
                f"data of shape {list(x._data.shape)} does not start with the shape of its indices,"
                f" {list(i._data.shape)}, or does not end with {list(inner)} as the first does. "
                "[Op:DynamicStitch]"
            )
        numbers.append(ops.reshape(i, (-1,)))
        rows.append(ops.reshape(x, (math.prod(i._data.shape), *inner)))
    numbers, rows = ops.concat(numbers, 0), ops.concat(rows, 0)
    places = numbers.numpy()
    if places.size and places.min() < 0:
        raise InvalidArgumentError(
            f"dynamic_stitch: indices must be >= 0, got {places.min()}. [Op:DynamicStitch]"
        )
    size = int(places.max(initial=-1)) + 1
    return _set_rows(ops.zeros((size, *inner), rows.dtype), numbers, rows)


def unravel_index(indices, dims):
    """The coordinates, one row for each axis, of places counted in row-major order."""
    indices = to_tensor(indices)
    sizes = ops.static_shape(dims, "UnravelIndex")
    total = math.prod(sizes)
    if type(indices) is Tensor:
        values = np.asarray(indices._data)
        if values.size and not 0 <= values.min() <= values.max() < total:
            raise InvalidArgumentError(
                f"index is out of bound as with dims: indices reach from {values.min()} to "
                f"{values.max()}, dims {list(sizes)} have {total} places. [Op:UnravelIndex]"
            )
    rows = []
    for size in sizes[:0:-1]:
        rows.append(ops.floormod(indices, size))
        indices = ops.floordiv(indices, size)
    return ops.stack([indices, *reversed(rows)])


def reverse_sequence(x, lengths, seq_axis, batch_axis=0):
    """The first `lengths[i]` elements along one axis reversed, for each i of another."""
    x, lengths = to_tensor(x), to_tensor(lengths)
    rank = len(x._data.shape)
    seq_axis = normalize_axis("ReverseSequence", seq_axis, rank)
    batch_axis = normalize_axis("ReverseSequence", batch_axis, rank)
    batch, size = x._data.shape[batch_axis], x._data.shape[seq_axis]
    if seq_axis == batch_axis:
        raise ShapeError(f"batch_dim == seq_dim == {seq_axis} [Op:ReverseSequence]")
    if tuple(lengths._data.shape) != (batch,):
        raise ShapeError(
            f"Length of seq_lengths != input.dims({batch_axis}), ({list(lengths._data.shape)} vs. "
            f"{batch}) [Op:ReverseSequence]"
        )
    if type(lengths) is Tensor and batch:
        values = lengths._data
        if values.min() < 0 or values.max() > size:
            raise InvalidArgumentError(
                f"seq_lens must lie in [0, input.dims({seq_axis})] = [0, {size}], got "
                f"{values.tolist()} [Op:ReverseSequence]"
            )
    steps = Tensor(np.arange(size, dtype=lengths._data.dtype))
    lengths = ops.expand_dims(lengths, 1)
    spots = ops.where(steps < lengths, lengths - 1 - steps, steps)
    moved = ops.moveaxis(x, (batch_axis, seq_axis), (0, 1))
    return ops.moveaxis(gather(moved, spots, 1, 1), (0, 1), (batch_axis, seq_axis))
