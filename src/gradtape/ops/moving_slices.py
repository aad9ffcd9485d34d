"""Slices whose bounds are tensors without a single value: inside vmap, or in a traced function.

The size of a slice must be known. Where bounds differ between the examples of a vmap, it follows
from their values, if they have any; else from how the bounds were computed: x[i : i + 2] has two
elements, whatever i is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import is_tensor_like, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.state import get_state, only_outside_of_functions
from gradtape.core.tensor import Tensor
from gradtape.ops.slicing import (
    WHOLE,
    NotStatic,
    index_of_key,
    slice_along,
    take_slice,
    update_slice_p,
)

if TYPE_CHECKING:
    from gradtape.core.typing import TensorLike

__all__ = [
    "block",
    "dynamic_slice",
    "dynamic_update_slice",
    "getitem_by_gather",
    "moving_positions",
    "slice_bounds",
]


def slice_bounds(bounds: Any, op: str) -> tuple[Any, ...]:
    """Return the bounds of a slice: ints, and tensors where they have no single value."""
    if is_tensor_like(bounds):
        bounds = to_tensor(bounds)
        if bounds._has_value or len(bounds._data.shape) != 1:
            return ops.static_shape(bounds, op)
        return tuple(ops.unstack(bounds))
    if not isinstance(bounds, (list, tuple)) or not any(map(_is_unknown, bounds)):
        return ops.static_shape(bounds, op)
    return tuple([n if _is_unknown(n) else ops.static_int(n) for n in bounds])


def _is_unknown(x: Any) -> bool:
    return isinstance(x, Tensor) and not x._has_value


# --- x[key] --------------------------------------------------------------------------------------


def getitem_by_gather(x: Tensor, key: Any) -> Tensor:
    """Return x[key] where integers or bounds in the key have no single value, axis by axis."""
    entries = list(key) if type(key) in (tuple, list) else [key]
    static: list[Any] = []
    moving = []
    for entry in entries:
        is_slice = isinstance(entry, slice) and (
            _is_unknown(entry.start) or _is_unknown(entry.stop)
        )
        if is_slice or (isinstance(entry, Tensor) and type(entry) is not Tensor):
            moving.append((len(static), entry))
            static.append(slice(None))
        else:
            static.append(entry)
    try:
        index = index_of_key(tuple(static), len(x._data.shape))
    except NotStatic:
        raise _differs("The steps of a slice") from None
    # Where each entry of the key ends up in the sliced tensor: the ellipsis stands for several
    # axes, and integers for none.
    # (`in` would compare the tensors of the key with it.)
    has_ellipsis = any(entry is Ellipsis for entry in static)
    spread = len(index) - len(static) if has_ellipsis else None
    axes, axis = [], 0
    for entry in static:
        axes.append(axis)
        if entry is Ellipsis:
            axis += 0 if spread is None else spread + 1
        elif entry is None or isinstance(entry, slice):
            axis += 1
    x = take_slice(x, index)
    for position, entry in reversed(moving):
        axis = axes[position]
        size = x._data.shape[axis]
        if isinstance(entry, slice):
            step = 1 if entry.step is None else ops.static_int(entry.step)
            if step == 0:
                raise ShapeError(f"slice: strides[{axis}] must be non-zero. [Op:StridedSlice]")
            x = _gather_slice(x, axis, *_extent(entry.start, entry.stop, step, size), step)
        else:
            x = ops.gather(x, ops.where(entry < 0, entry + size, entry), axis)
    return x


def moving_positions(shape: tuple[int, ...], key: Any) -> tuple[Tensor, tuple[int, ...]]:
    """Return the coordinates of the elements of x[key], for x of that shape, and its own shape.

    Coordinates leave out the last axes if the key takes them whole: they are those of rows.
    """
    entries = list(key) if type(key) in (tuple, list) else [key]
    missing = len(shape) - sum(entry is not None and entry is not Ellipsis for entry in entries)
    whole = [slice(None)] * missing
    spot = next((i for i, entry in enumerate(entries) if entry is Ellipsis), len(entries))
    entries[spot : spot + 1] = whole
    sizes, selected = [], []
    for entry in entries:
        if entry is None:
            sizes.append(1)
            continue
        n = shape[len(selected)]
        along = ops.getitem(Tensor(np.arange(n, dtype=np.int32)), entry)
        sizes += along._data.shape
        selected.append(along)
    while len(selected) > 1 and _is_whole(entries.pop()):
        selected.pop()
    ranks = [len(along._data.shape) for along in selected]
    grid = tuple([n for along in selected for n in along._data.shape])
    spread = [
        ops.broadcast_to(ops.reshape(x, (*x._data.shape, *(1,) * sum(ranks[i + 1 :]))), grid)
        for i, x in enumerate(selected)
    ]
    return ops.stack(spread, -1), tuple(sizes)


def _is_whole(entry: Any) -> bool:
    bounds = (entry.start, entry.stop, entry.step) if type(entry) is slice else (entry,)
    return len(bounds) == 3 and all(bound is None for bound in bounds)


def _differs(what: str) -> TypeError:
    only_outside_of_functions("the size of a slice depends on the value of a tensor")
    return TypeError(
        f"{what} must be the same for all examples inside vmap; take "
        "tf.gather(x, start + tf.range(size)) instead."
    )


def _gather_slice(x: Tensor, axis: int, start: Any, size: int, step: int) -> Tensor:
    """Return `size` elements along an axis, from a start that is a tensor."""
    start = to_tensor(start)
    positions = start + ops.arange(0, size, 1, start.dtype) * step
    positions = ops.where(positions < 0, positions + x._data.shape[axis], positions)
    # Through reshape, the gradient is a dense tensor, as that of other slices.
    return ops.gather(ops.reshape(x, x._data.shape), positions, axis)


def _extent(start: Any, stop: Any, step: int, n: int) -> tuple[Any, int]:
    """Return the start and the size of a slice of n elements, one of whose bounds is a tensor."""
    known = _extent_by_values(start, stop, step, n)
    if known is not None:
        return known
    batched = any(isinstance(bound, Tensor) and bound._is_batched for bound in (start, stop))
    if not (batched or _is_mapped()):
        return _extent_of_this_call(start, stop, step, n)
    if start is None or stop is None:
        raise _differs("The size of a slice")
    (base, first), (other, last) = _offset(start), _offset(stop)
    if base is other and base is not None:
        distance = last - first
    elif _has_values(start) and _has_values(stop):  # in a vmap inside of another
        distance = ops.static_int(to_tensor(stop) - start)
    else:
        raise _differs("The size of a slice")
    return start, max(0, -(-distance // step))


def _extent_of_this_call(start: Any, stop: Any, step: int, n: int) -> tuple[Tensor, int]:
    """Return the start as a tensor, and the size that the slice has in this call of a function.

    What follows is traced for open sizes (see Trace.ask_sizes).
    """
    first, last = (0, n) if step > 0 else (-1, n - 1)
    ends = (first, last) if step > 0 else (last, first)

    def clamped(bound: Any, default: int) -> Tensor:
        if bound is None:
            return Tensor(np.int32(default))
        bound = ops.cast(to_tensor(bound), "int32")
        return ops.minimum(ops.maximum(ops.where(bound < 0, bound + n, bound), first), last)

    start, stop = (clamped(bound, end) for bound, end in zip((start, stop), ends, strict=True))
    room = ops.maximum(stop - start if step > 0 else start - stop, 0)
    trace: Any = get_state().trace
    return start, trace.ask_sizes((room + (abs(step) - 1)) // abs(step))


def _has_values(bound: Any) -> bool:
    while _is_unknown(bound) and bound._is_batched:
        bound = bound._physical
    return not _is_unknown(bound)


def _is_mapped() -> bool:
    """Return whether this is a part (a branch, a loop body) of a function that a vmap runs.

    Elsewhere a slice may be shorter at the end of a tensor, and has no size before it is taken.
    """
    trace = get_state().trace
    while trace is not None and trace.outer is not None:
        if trace.depth > trace.outer.depth + 1:
            return True
        trace = trace.outer
    return False


def _offset(bound: Any) -> tuple[Any, int]:
    """Return what a bound was computed from, and the number that was added to it."""
    return bound._offset() if _is_unknown(bound) else (None, ops.static_int(bound))


def _extent_by_values(start: Any, stop: Any, step: int, n: int) -> tuple[Any, int] | None:
    """Return the start and the size where the values of all examples are there, else None."""
    batches = [bound._interpreter for bound in (start, stop) if _is_unknown(bound)]
    columns = []
    for bound in (start, stop):
        if not _is_unknown(bound):
            columns.append(None if bound is None else ops.static_int(bound))
        elif bound._is_batched and bound._interpreter is batches[0]:
            if not bound._physical._has_value:
                return None
            columns.append(bound._physical.numpy().tolist())
        else:
            return None
    starts, stops = (c if isinstance(c, list) else [c] * batches[0].size for c in columns)
    ranges = [range(*slice(a, b, step).indices(n)) for a, b in zip(starts, stops, strict=True)]
    if len({len(each) for each in ranges}) > 1:
        raise _differs("The size of a slice")
    firsts = np.array([each.start for each in ranges], np.int64)
    return batches[0].wrap(Tensor(firsts)), len(ranges[0])


# --- blocks --------------------------------------------------------------------------------------


def block(x: TensorLike, begin: Any, sizes: Any) -> Tensor:
    """Return `sizes[i]` elements of each axis from `begin[i]` on; -1 means all the rest."""
    x = to_tensor(x)
    shape = tuple(x._data.shape)
    starts, sizes = slice_bounds(begin, "Slice"), ops.static_shape(sizes, "Slice")
    if not len(starts) == len(sizes) == len(shape):
        raise ShapeError(
            f"Expected begin and size arguments to be 1-D tensors of size {len(shape)}, but got "
            f"{len(starts)} and {len(sizes)} entries for shape {list(shape)}. [Op:Slice]"
        )
    index, moving = [], []
    for i, (start, size, n) in enumerate(zip(starts, sizes, shape, strict=True)):
        if type(start) is not int:
            moving.append((i, start, size))
            index.append(WHOLE)
            continue
        stop = n if size == -1 else start + size
        if not 0 <= start <= n:
            raise ShapeError(
                f"Expected begin[{i}] in [0, {n}], but got {start}: the tensor has shape "
                f"{list(shape)}. [Op:Slice]"
            )
        if not start <= stop <= n:
            raise ShapeError(
                f"Expected size[{i}] in [0, {n - start}], but got {size}: the tensor has shape "
                f"{list(shape)}. [Op:Slice]"
            )
        index.append((start, stop, None))
    x = take_slice(x, tuple(index))
    for axis, start, size in moving:
        n = shape[axis]
        if size == -1:
            x = _gather_slice(x, axis, *_extent(start, None, 1, n), 1)
        elif not 0 <= size <= n:
            raise ShapeError(
                f"Expected size[{axis}] in [0, {n}], but got {size}: the tensor has shape "
                f"{list(shape)}. [Op:Slice]"
            )
        else:
            x = _gather_slice(x, axis, start, size, 1)
    return x


def _starts(op: str, starts: Any, rank: int) -> list[Any]:
    """Return the start of each axis: an int, or a tensor if it has no single value inside vmap."""
    if isinstance(starts, Tensor):
        starts = ops.unstack(starts)
    if len(starts) != rank:
        raise ShapeError(f"{op}: {len(starts)} start indices for a tensor of rank {rank}.")
    numbers = []
    for start in starts:
        start = to_tensor(start)
        numbers.append(int(start._data) if type(start) is Tensor else start)
    return numbers


def dynamic_slice(x: TensorLike, starts: Tensor, sizes: Sequence[int]) -> Tensor:
    """Return a block of fixed `sizes` from `starts` on, clamped to lie inside of x."""
    x = to_tensor(x)
    shape, sizes = tuple(x._data.shape), ops.static_shape(sizes, "dynamic_slice")
    for axis, start in enumerate(_starts("dynamic_slice", starts, len(shape))):
        last, size = shape[axis] - sizes[axis], sizes[axis]
        if last < 0:
            raise ShapeError(f"dynamic_slice: sizes {list(sizes)} exceed the shape {list(shape)}.")
        if type(start) is int:
            start = min(max(start, 0), last)
            if size != shape[axis]:
                x = slice_along(x, axis, start, start + size)
        elif size != shape[axis]:
            start = ops.minimum(ops.maximum(start, 0), last)
            steps = Tensor(np.arange(size, dtype=start._data.dtype))
            x = ops.gather(x, start + steps, axis)
    return x


def dynamic_update_slice(x: Tensor, value: Tensor, starts: Any) -> Tensor:
    """Return x with the block from `starts` on replaced by `value`."""
    x, value = ops.operands("dynamic_update_slice", x, value)
    shape, sizes = tuple(x._data.shape), tuple(value._data.shape)
    if len(sizes) != len(shape) or any(n > m for n, m in zip(sizes, shape, strict=True)):
        raise ShapeError(
            f"dynamic_update_slice: a value of shape {list(sizes)} does not fit into a tensor of "
            f"shape {list(shape)}."
        )
    starts = _starts("dynamic_update_slice", starts, len(shape))
    lasts = [n - size for n, size in zip(shape, sizes, strict=True)]
    if all(type(start) is int for start in starts):
        starts = [min(max(start, 0), last) for start, last in zip(starts, lasts, strict=True)]
        index = tuple([(s, s + size, None) for s, size in zip(starts, sizes, strict=True)])
        return bind(update_slice_p, (x, value), {"index": index})
    inside: Any = None
    for axis, (start, last) in enumerate(zip(starts, lasts, strict=True)):
        # Which element of the value belongs at each position of x, and whether any does.
        start = ops.minimum(ops.maximum(to_tensor(start), 0), last)
        offsets = Tensor(np.arange(shape[axis], dtype=start._data.dtype)) - start
        top = sizes[axis] - 1
        value = ops.gather(value, ops.minimum(ops.maximum(offsets, 0), max(top, 0)), axis)
        here = ops.logical_and(offsets >= 0, offsets <= top)
        here = ops.reshape(here, (shape[axis], *(1,) * (len(shape) - axis - 1)))
        inside = here if inside is None else ops.logical_and(inside, here)
    return ops.where(inside, value, x)
