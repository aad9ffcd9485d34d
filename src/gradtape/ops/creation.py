"""Tensors made from nothing: zeros, ranges, grids."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import static_value, to_tensor
from gradtape.core.dtypes import as_dtype
from gradtape.core.errors import InvalidArgumentError, ResourceExhaustedError, ShapeError
from gradtape.core.placement import PLACERS, placed
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import INTEGERS, broadcast_shapes, check_dtype
from gradtape.ops.reduce import normalize_axis

__all__ = [
    "arange", "eye", "fill", "fill_like", "linspace", "meshgrid", "one_hot", "ones", "ones_like",
    "sequence_mask", "zeros", "zeros_like",
]  # fmt: skip


_MANY_NUMBERS = 65536  # from here on, a device fills tensors quicker than they travel to it


def _full(shape: tuple[int, ...], value, dtype: np.dtype) -> Tensor:
    if dtype.kind == "O":
        array = np.full(shape, value, dtype)
        return Tensor(array)
    # A scalar is a NumPy scalar, the cheap form of one number.
    if not shape:
        return placed(Tensor(dtype.type(value)))
    if PLACERS and math.prod(shape) > _MANY_NUMBERS:
        number = placed(Tensor(dtype.type(value)))
        if type(number) is not Tensor:  # on a device: filled there
            return ops.broadcast_to(number, shape)
    try:
        return placed(Tensor(np.full(shape, value, dtype) if value else np.zeros(shape, dtype)))
    except (MemoryError, ValueError) as error:
        raise ResourceExhaustedError(
            f"out of memory for a tensor of shape {list(shape)} and dtype {dtype}: {error} "
            "[Op:Fill]"
        ) from None


def _sizes(shape, op: str) -> tuple[int, ...]:
    shape = ops.static_shape(shape, op)
    if shape and min(shape) < 0:
        raise ShapeError(f"Dimension {min(shape)} of {list(shape)} must be >= 0. [Op:{op}]")
    return shape


def zeros(shape, dtype: Any = "float32"):
    """Zeros of a shape and dtype; for strings, empty ones."""
    dtype = as_dtype(dtype)
    return _full(_sizes(shape, "zeros"), b"" if dtype.name == "string" else 0, dtype.dtype)


def ones(shape, dtype: Any = "float32"):
    """Ones of a shape and dtype."""
    dtype = as_dtype(dtype)
    if dtype.name == "string":
        raise TypeError("ones: strings have no one.")
    return _full(_sizes(shape, "ones"), 1, dtype.dtype)


def fill_like(x, value, dtype=None):
    """A tensor of x's shape (and dtype, unless told) with one value throughout."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    dtype = x._data.dtype if dtype is None else as_dtype(dtype).dtype
    if dtype.kind == "O":
        value = b""
    elif PLACERS and hasattr(x, "_filled"):  # on a device, and so is the result
        return x._filled(dtype.type(value))  # type: ignore[attr-defined]
    return _full(x._data.shape, value, dtype)


def zeros_like(x, dtype=None):
    """Zeros of x's shape and dtype."""
    return fill_like(x, 0, dtype)


def ones_like(x, dtype=None):
    """Ones of x's shape and dtype."""
    return fill_like(x, 1, dtype)


def fill(shape, value):
    """One value throughout: a view of it, so that large shapes cost nothing."""
    value = to_tensor(value)
    if math.prod(value._data.shape) == 1:
        value = ops.reshape(value, ()) if value._data.shape else value
    else:
        raise ShapeError(
            f"value must be a scalar. Got shape {list(value._data.shape)} instead. [Op:Fill]"
        )
    return ops.broadcast_to(value, _sizes(shape, "Fill"))


def eye(rows, columns=None, batch_shape=(), dtype: Any = "float32"):
    """(A stack of) identity matrices."""
    sizes = _sizes((rows, rows if columns is None else columns), "eye")
    matrix = placed(Tensor(np.eye(*sizes, dtype=as_dtype(dtype).dtype)))
    stack = ops.static_shape(batch_shape, "eye")
    return ops.broadcast_to(matrix, (*stack, *sizes)) if stack else matrix


# --- ranges --------------------------------------------------------------------------------------


def arange(start, limit, delta, dtype):
    """Numbers from start to (not including) limit, in steps of delta; plain numbers, one dtype."""
    dtype = as_dtype(dtype)
    if delta == 0:
        raise InvalidArgumentError("Requires delta != 0: 0 [Op:Range]")
    if start > limit and delta > 0:
        raise InvalidArgumentError(
            f"Requires start <= limit when delta > 0: {start}/{limit} [Op:Range]"
        )
    if start < limit and delta < 0:
        raise InvalidArgumentError(
            f"Requires start >= limit when delta < 0: {start}/{limit} [Op:Range]"
        )
    if dtype.is_integer:
        return placed(Tensor(np.arange(int(start), int(limit), int(delta), dtype=dtype.dtype)))
    count = math.ceil(abs((float(limit) - float(start)) / float(delta)))
    kind = dtype.dtype.type
    steps = np.arange(count).astype(dtype.dtype)
    return placed(Tensor((kind(start) + steps * kind(delta)).astype(dtype.dtype)))


def linspace(start, stop, num, axis=0):
    """`num` numbers in equal steps from start to stop, both included, along a new axis."""
    start = to_tensor(start)
    stop = to_tensor(stop, None if ops.is_tensor_like(stop) else start.dtype)
    num = int(static_value(num))
    if num < 0:
        raise InvalidArgumentError(f"linspace: num must be >= 0, got {num}. [Op:LinSpace]")
    if not start.dtype.is_differentiable:
        wide = "float32" if start.dtype.size < 4 else "float64"
        start, stop = ops.cast(start, wide), ops.cast(stop, wide)
    shape = broadcast_shapes("LinSpace", start._data.shape, stop._data.shape)
    axis = normalize_axis("LinSpace", axis, len(shape) + 1)
    start = ops.expand_dims(ops.broadcast_to(start, shape), axis)
    stop = ops.expand_dims(ops.broadcast_to(stop, shape), axis)
    # The ends are given exactly, and what lies between is counted from the start.
    parts = [start] if num else []
    if num > 2:
        delta = (stop - start) / (num - 1)
        steps = np.arange(1, num - 1).reshape(-1, *(1,) * (len(shape) - axis))
        parts.append(start + delta * Tensor(steps.astype(start._data.dtype)))
    if num > 1:
        parts.append(stop)
    if not parts:
        return ops.zeros((*shape[:axis], 0, *shape[axis:]), start.dtype)
    return ops.concat(parts, axis)


def meshgrid(*tensors, indexing: str = "xy") -> list:
    """The coordinates of a grid: for each axis a tensor of the grid's shape."""
    if indexing not in ("xy", "ij"):
        raise ValueError(
            f"Argument `indexing` parameter must be either 'xy' or 'ij', got {indexing!r}"
        )
    flat = [ops.reshape(t, (-1,)) for t in tensors]
    sizes = [t._data.shape[0] for t in flat]
    places = list(range(len(flat)))
    if indexing == "xy" and len(flat) > 1:
        places[:2] = 1, 0
    grid = [0] * len(flat)
    for place, n in zip(places, sizes, strict=True):
        grid[place] = n
    found = []
    for place, t in zip(places, flat, strict=True):
        shape = [1] * len(flat)
        shape[place] = grid[place]
        found.append(ops.broadcast_to(ops.reshape(t, shape), grid))
    return found


# --- from integers -------------------------------------------------------------------------------

one_hot_p = primitive(
    "one_hot", "indices",
    shape=lambda indices, depth, dtype: Spec((*indices.shape, depth), dtype),
    no_derivative="indices are integers, which have no derivative",
    batch=lambda prim, size, batched, inputs, params: bind(prim, inputs, params),
)  # fmt: skip


def one_hot(indices, depth, axis=-1, dtype: Any = "float32"):
    """Vectors along a new axis that are 1 at an index and 0 elsewhere (all 0, if it is outside)."""
    indices = to_tensor(indices)
    if indices._data.dtype not in INTEGERS:
        check_dtype("OneHot", INTEGERS, indices)
    rank = len(indices._data.shape)
    depth = int(static_value(depth))
    if depth < 0:
        raise InvalidArgumentError(f"depth must be non-negative, got: {depth} [Op:OneHot]")
    if not -1 <= axis <= rank:
        raise ShapeError(
            f"Expected axis to be -1 or between [0, {rank + 1}).  But received: {axis} [Op:OneHot]"
        )
    params = {"depth": depth, "dtype": as_dtype(dtype).dtype}
    found = bind(one_hot_p, (indices,), params)
    return found if axis in (-1, rank) else ops.moveaxis(found, -1, axis)


def sequence_mask(lengths, size=None):
    """Vectors along a new last axis that are true in their first `lengths` places."""
    lengths = to_tensor(lengths)
    if lengths._data.dtype not in INTEGERS:
        check_dtype("sequence_mask", INTEGERS, lengths)
    if size is None:
        values = np.asarray(lengths.numpy())
        size = max(int(values.max(initial=0)), 0)
    places = arange(0, int(static_value(size)), 1, lengths.dtype)
    return ops.less(places, ops.expand_dims(lengths, -1))
