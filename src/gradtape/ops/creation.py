"""Creation of tensors: zeros, ranges, grids."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import static_int, to_tensor
from gradtape.core.dtypes import as_dtype, int64
from gradtape.core.errors import InvalidArgumentError, ResourceExhaustedError, ShapeError
from gradtape.core.placement import PLACERS, placed
from gradtape.core.primitive import primitive
from gradtape.core.size import has_negative, is_open
from gradtape.core.state import get_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import INTEGERS, broadcast_shapes, check_dtype, empty_as
from gradtape.ops.reduce import normalize_axis

if TYPE_CHECKING:
    from gradtape.core.typing import DTypeLike, IntLike, TensorLike

__all__ = [
    "arange",
    "eye",
    "fill",
    "fill_like",
    "linspace",
    "meshgrid",
    "one_hot",
    "ones",
    "ones_like",
    "sequence_mask",
    "zeros",
    "zeros_like",
]


_MANY_NUMBERS = 65536  # from this size on, filling on the device is faster than a transfer


def _full(shape: tuple[int, ...], value: bytes | int, dtype: np.dtype) -> Tensor:
    if dtype.kind == "O" and not is_open(shape):
        array = np.full(shape, value, dtype)
        return Tensor(array)
    if is_open(shape):
        return ops.broadcast_to(placed(Tensor(dtype.type(value))), shape)
    # A scalar is a NumPy scalar, the cheap form of one number.
    if not shape:
        return placed(Tensor(dtype.type(value)))
    if PLACERS and math.prod(shape) > _MANY_NUMBERS:
        number = placed(Tensor(dtype.type(value)))
        if type(number) is not Tensor:  # on a device: filled there
            return ops.broadcast_to(number, shape)
    try:
        return placed(Tensor(np.full(shape, value, dtype) if value else np.zeros(shape, dtype)))
    except (MemoryError, ValueError) as error:  # explained with the shape
        raise ResourceExhaustedError(
            f"out of memory for a tensor of shape {list(shape)} and dtype {dtype}: {error} "
            "[Op:Fill]"
        ) from None


def _sizes(shape: Any, op: str) -> tuple[int, ...]:
    shape = ops.static_shape(shape, op)
    if has_negative(shape):
        raise ShapeError(f"Dimension {min(shape)} of {list(shape)} must be >= 0. [Op:{op}]")
    return shape


def zeros(shape: Any, dtype: Any = "float32") -> Tensor:
    """Return zeros of a shape and dtype; empty strings for dtype string."""
    dtype = as_dtype(dtype)
    return _full(_sizes(shape, "zeros"), b"" if dtype.name == "string" else 0, dtype.dtype)


def ones(shape: Any, dtype: Any = "float32") -> Tensor:
    """Return ones of a shape and dtype."""
    dtype = as_dtype(dtype)
    if dtype.name == "string":
        raise TypeError("ones: strings have no one.")
    return _full(_sizes(shape, "ones"), 1, dtype.dtype)


def fill_like(x: TensorLike, value: Any, dtype: Any = None) -> Tensor:
    """Return a tensor of x's shape (and dtype, unless given) filled with a value."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    dtype = x._data.dtype if dtype is None else as_dtype(dtype).dtype
    if dtype.kind == "O":
        value = b""
    elif PLACERS:  # on the device of x
        filled = x._filled(dtype.type(value))
        if filled is not None:
            return filled
    return _full(x._data.shape, value, dtype)


def zeros_like(x: Any, dtype: Any = None) -> Tensor:
    """Return zeros of x's shape and dtype."""
    return fill_like(x, 0, dtype)


def ones_like(x: TensorLike, dtype: Any = None) -> Tensor:
    """Return ones of x's shape and dtype."""
    return fill_like(x, 1, dtype)


def fill(shape: Sequence[int], value: TensorLike) -> Tensor:
    """Return a tensor filled with a value: a broadcast view, so that large shapes cost nothing."""
    value = to_tensor(value)
    if math.prod(value._data.shape) == 1:
        value = ops.reshape(value, ()) if value._data.shape else value
    else:
        raise ShapeError(
            f"value must be a scalar. Got shape {list(value._data.shape)} instead. [Op:Fill]"
        )
    return ops.broadcast_to(value, _sizes(shape, "Fill"))


def eye(
    rows: int, columns: Any = None, batch_shape: tuple[Any, ...] = (), dtype: Any = "float32"
) -> Tensor:
    """Return an identity matrix, or a stack of them."""
    if as_dtype(dtype).name == "string":
        raise TypeError("eye: strings have no one.")
    sizes = _sizes((rows, rows if columns is None else columns), "eye")
    if is_open(sizes):
        trace: Any = get_state().trace
        matrix = trace.from_sizes(np.eye, sizes, Spec(sizes, as_dtype(dtype).dtype))
    else:
        matrix = placed(Tensor(np.eye(*sizes, dtype=as_dtype(dtype).dtype)))
    stack = ops.static_shape(batch_shape, "eye")
    return ops.broadcast_to(matrix, (*stack, *sizes)) if stack else matrix


# --- ranges --------------------------------------------------------------------------------------


def arange(start: Any, limit: int | np.generic, delta: Any, dtype: DTypeLike) -> Tensor:
    """Return numbers from start to limit (exclusive) in steps of delta, given as plain numbers."""
    dtype = as_dtype(dtype)
    if delta == 0:
        raise InvalidArgumentError("Requires delta != 0: 0 [Op:Range]")
    if delta > 0 and start > limit:
        raise InvalidArgumentError(
            f"Requires start <= limit when delta > 0: {start}/{limit} [Op:Range]"
        )
    if delta < 0 and start < limit:
        raise InvalidArgumentError(
            f"Requires start >= limit when delta < 0: {start}/{limit} [Op:Range]"
        )
    if dtype.is_integer and is_open((start, limit, delta)):
        steps = limit - start + delta - (1 if delta > 0 else -1)
        trace: Any = get_state().trace
        bounds = (start, limit, delta)
        return trace.from_sizes(np.arange, bounds, Spec((steps // delta,), dtype.dtype))
    if dtype.is_integer:
        return placed(Tensor(np.arange(*map(static_int, (start, limit, delta)), dtype=dtype.dtype)))
    if math.isinf(start) or math.isinf(limit):
        raise InvalidArgumentError(f"Requires finite bounds: {start}/{limit} [Op:Range]")
    kind = dtype.dtype.type
    # How many numbers there are is computed in the dtype itself, as TensorFlow does: in float32,
    # (1 + 2) / 0.00375 is 800, though the float32 nearest to 0.00375 is less than it.
    with np.errstate(over="ignore"):
        quotient = float(abs((kind(limit) - kind(start)) / kind(delta)))
    if not quotient < 2**63:
        raise InvalidArgumentError(
            f"Requires ((limit - start) / delta) <= {2**63 - 1}: ({limit} - {start}) / {delta} "
            "[Op:Range]"
        )
    count = math.ceil(quotient)
    steps = np.arange(count).astype(dtype.dtype)
    return placed(Tensor((kind(start) + steps * kind(delta)).astype(dtype.dtype)))


def linspace(start: Any, stop: Any, num: int, axis: IntLike = 0) -> Tensor:
    """Return `num` evenly spaced numbers from start to stop (inclusive), along a new axis."""
    start = to_tensor(start)
    stop = to_tensor(stop, None if ops.is_tensor_like(stop) else start.dtype)
    num = static_int(num)
    if num < 0:
        raise InvalidArgumentError(f"linspace: num must be >= 0, got {num}. [Op:LinSpace]")
    if not start.dtype.is_differentiable:
        wide = "float32" if start.dtype.size < 4 else "float64"
        start, stop = ops.cast(start, wide), ops.cast(stop, wide)
    shape = broadcast_shapes("LinSpace", start._data.shape, stop._data.shape)
    axis = normalize_axis("LinSpace", axis, len(shape) + 1)
    start = ops.expand_dims(ops.broadcast_to(start, shape), axis)
    stop = ops.expand_dims(ops.broadcast_to(stop, shape), axis)
    # Both ends are exact, and what lies between is computed from the start.
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


def meshgrid(*tensors: Any, indexing: str = "xy") -> list[Any]:
    """Return the coordinates of a grid: for each axis, a tensor of the grid's shape."""
    if indexing not in ("xy", "ij"):
        raise ValueError(
            f"Argument `indexing` parameter must be either 'xy' or 'ij', got {indexing!r}"
        )
    flat = [ops.reshape(t, (-1,)) for t in tensors]
    sizes = [t._data.shape[0] for t in flat]
    axes = list(range(len(flat)))
    if indexing == "xy" and len(flat) > 1:
        axes[:2] = 1, 0
    grid = [0] * len(flat)
    for axis, n in zip(axes, sizes, strict=True):
        grid[axis] = n
    grids = []
    for axis, t in zip(axes, flat, strict=True):
        shape = [1] * len(flat)
        shape[axis] = grid[axis]
        grids.append(ops.broadcast_to(ops.reshape(t, shape), grid))
    return grids


# --- from integers -------------------------------------------------------------------------------

one_hot_p = primitive(
    "one_hot",
    "indices",
    family="elementwise",
    shape=lambda indices, depth, dtype: Spec((*indices.shape, depth), dtype),
    no_derivative="indices are integers, which have no derivative",
    batch=lambda prim, size, batched, inputs, params: bind(prim, inputs, params),
)


def one_hot(indices: TensorLike, depth: int, axis: int = -1, dtype: Any = "float32") -> Tensor:
    """Return one-hot vectors along a new axis; all zeros for an index that is out of range."""
    indices = to_tensor(empty_as(indices, int64))
    if indices._data.dtype not in INTEGERS:
        check_dtype("OneHot", INTEGERS, indices)
    rank = len(indices._data.shape)
    depth = static_int(depth)
    if depth < 0:
        raise InvalidArgumentError(f"depth must be non-negative, got: {depth} [Op:OneHot]")
    if not -1 <= axis <= rank:
        raise ShapeError(
            f"Expected axis to be -1 or between [0, {rank + 1}).  But received: {axis} [Op:OneHot]"
        )
    params = {"depth": depth, "dtype": as_dtype(dtype).dtype}
    grids = bind(one_hot_p, (indices,), params)
    return grids if axis in (-1, rank) else ops.moveaxis(grids, -1, axis)


def sequence_mask(lengths: TensorLike, size: int | None = None) -> Tensor:
    """Return boolean vectors along a new last axis, true in their first `lengths` entries."""
    lengths = to_tensor(lengths)
    if lengths._data.dtype not in INTEGERS:
        check_dtype("sequence_mask", INTEGERS, lengths)
    if size is None:
        size = ops.reduce_max(ops.maximum(lengths, 0)) if math.prod(lengths._data.shape) else 0
    indices = arange(0, static_int(size), 1, lengths.dtype)
    return ops.less(indices, ops.expand_dims(lengths, -1))
