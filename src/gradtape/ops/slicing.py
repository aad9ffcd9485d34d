"""Indexing with integers, slices, `...` and new axes: reading, its transpose, and writing.

An *index* here is a tuple with an entry for each axis (axes without one are taken whole): an int
drops the axis, a tuple (start, stop, step) is a slice, and None is a new axis.
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.brief import brief
from gradtape.core.convert import is_tensor_like, to_tensor
from gradtape.core.errors import DTypeError, ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.size import Size, is_open
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import (
    all_batched,
    linear,
)
from gradtape.ops.reduce import normalize_axes

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.typing import AxisLike, Params, TensorLike, Tensors

__all__ = [
    "WHOLE",
    "getitem",
    "index_of_key",
    "put_slice",
    "reverse",
    "slice_along",
    "strided_key",
    "strided_slice",
    "strided_slice_update",
    "take_slice",
    "update_slice",
    "value_for_slice",
]

WHOLE: tuple[Any, ...] = (None, None, None)


def _length(entry: tuple[Any, ...], size: Any) -> Any:
    """Return how many elements a slice takes, where a bound or the size is open (core/size)."""
    start, stop, step = entry
    step = 1 if step is None else step
    if step < 0:
        if (start, stop) == (None, None):
            return (size - 1) // -step + 1
        return len(range(*slice(start, stop, step).indices(size)))  # asks for their numbers
    bounds = []
    for bound, default in ((start, 0), (stop, size)):
        bound = default if bound is None else bound
        if bound is not default:
            bound = bound if bound >= 0 else bound + size
            bound = 0 if bound < 0 else size if bound > size else bound
        bounds.append(bound)
    start, stop = bounds
    count = stop - start
    return (count + step - 1) // step if count >= 0 else 0


def _sliced(shape: tuple[int, ...], index: tuple[Any, ...]) -> tuple[int, ...]:
    """Return the shape of x[index], for x of that shape."""
    result, axis = [], 0
    for entry in index:
        if entry is None:
            result.append(1)
            continue
        if axis >= len(shape):
            raise ShapeError(
                f"Index out of range using input dim {axis}; input has only {len(shape)} dims: "
                f"its shape is {list(shape)}. [Op:StridedSlice]"
            )
        size = shape[axis]
        if type(entry) is tuple:
            if entry[2] == 0:
                raise ShapeError(f"slice: strides[{axis}] must be non-zero. [Op:StridedSlice]")
            is_known = type(size) is not Size and not is_open(entry)
            result.append(
                len(range(*slice(*entry).indices(size))) if is_known else _length(entry, size)
            )
        elif not -size <= entry < size:
            raise ShapeError(
                f"slice index {entry} of dimension {axis} out of bounds: the tensor has shape "
                f"{list(shape)}. [Op:StridedSlice]"
            )
        axis += 1
    return (*result, *shape[axis:])


slice_p = linear(
    "slice",
    family="movement",
    shape=lambda x, index: Spec(_sliced(x.shape, index), x.dtype),
    transpose=lambda g, x_shape, index: bind(put_slice_p, (g,), {"shape": x_shape, "index": index}),
    batch=lambda prim, size, batched, inputs, params: bind(
        prim, inputs, {"index": (WHOLE, *params["index"])}
    ),
)

put_slice_p = linear(
    "put_slice",
    family="movement",
    shape=lambda x, shape, index: Spec(tuple(shape), x.dtype),
    transpose=lambda g, index: bind(slice_p, (g,), {"index": index}),
    batch=lambda prim, size, batched, inputs, params: bind(
        prim, inputs, {"shape": (size, *params["shape"]), "index": (WHOLE, *params["index"])}
    ),
)


def take_slice(x: Tensor, index: tuple[Any, ...]) -> Tensor:
    """Return x[index], a view; see the module docstring for what an index is."""
    return bind(slice_p, (x,), {"index": index})


def put_slice(x: Tensor, shape: tuple[int, ...], index: tuple[Any, ...]) -> Tensor:
    """Return zeros of `shape` with x at `index`: the transpose of `take_slice`."""
    return bind(put_slice_p, (x,), {"shape": tuple(shape), "index": index})


def slice_along(
    x: Tensor, axis: int, start: int | None = None, stop: int | None = None, step: int | None = None
) -> Tensor:
    """Return x[start:stop:step] along one axis."""
    if axis < 0:
        axis += len(x._data.shape)
    return bind(slice_p, (x,), {"index": ((WHOLE,) * axis) + ((start, stop, step),)})


def reverse(x: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """Reverse the order of elements along some axes."""
    x = to_tensor(x)
    axes = normalize_axes("ReverseV2", axis, len(x._data.shape))
    if not axes:
        return x
    index = tuple([(None, None, -1) if i in axes else WHOLE for i in range(max(axes) + 1)])
    return bind(slice_p, (x,), {"index": index})


# --- writing -------------------------------------------------------------------------------------


def _update_shape(x: Spec, value: Spec, index: tuple[Any, ...]) -> Spec:
    wanted = _sliced(x.shape, index)
    if value.shape != wanted:
        raise ShapeError(
            f"a value of shape {list(value.shape)} cannot be written to a slice of shape "
            f"{list(wanted)} of a tensor of shape {list(x.shape)}. [Op:StridedSliceAssign]"
        )
    return x


def _batch_update(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
    both = all_batched(size, batched, inputs)
    return bind(prim, both, {"index": (WHOLE, *params["index"])})


def _without(g: Tensor, value_shape: tuple[int, ...], index: tuple[Any, ...]) -> Tensor:
    """Return g with zeros where the value was written: the cotangent of x."""
    return bind(update_slice_p, (g, ops.zeros(value_shape, g.dtype)), {"index": index})


update_slice_p = primitive(
    "update_slice",
    "x value",
    shape=_update_shape,
    vjp={"x": _without, "value": lambda g, index: bind(slice_p, (g,), {"index": index})},
    jvp="linear",
    batch=_batch_update,
)


def value_for_slice(shape: tuple[int, ...], value: Tensor, index: tuple[Any, ...]) -> Tensor:
    """Broadcast a tensor to the shape of the slice `index` of a tensor of `shape`."""
    wanted, given = _sliced(shape, index), tuple(value._data.shape)
    if given == wanted:
        return value
    extra = len(given) - len(wanted)
    if extra > 0 and given[:extra] == (1,) * extra:
        value = ops.reshape(value, given[extra:])
    return ops.broadcast_to(value, wanted)


def update_slice(x: Tensor, value: Tensor, index: tuple[Any, ...]) -> Tensor:
    """Return x with `value` (broadcast to the slice) at `index`."""
    x, value = ops.operands("StridedSliceAssign", x, value)
    value = value_for_slice(tuple(x._data.shape), value, index)
    return bind(update_slice_p, (x, value), {"index": index})


def strided_slice_update(x: TensorLike, key: Any, value: Tensor) -> Tensor:
    """Return x after `x[key] = value`, for the keys that `x[key]` takes (no masks)."""
    x = to_tensor(x)
    try:
        return update_slice(x, value, index_of_key(key, len(x._data.shape)))
    except NotStatic:
        x, value = ops.operands("StridedSliceAssign", x, value)
        return ops.slice_update(tuple(x._data.shape), key, value).of(x)


# --- x[key] --------------------------------------------------------------------------------------

_BAD_KEY = (
    "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
    "tf.int32/tf.int64 tensors are valid indices, got "
)


def getitem(x: TensorLike, key: Any) -> Tensor:
    """Return x[key] with TensorFlow's semantics."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    kind = type(key)
    if kind is int:
        return bind(slice_p, (x,), {"index": (key,)})
    if kind is not tuple and kind is not slice and _is_mask(key):
        return ops.boolean_mask(x, key)
    try:
        index = index_of_key(key, len(x._data.shape))
    except NotStatic:
        return ops.getitem_by_gather(x, key)
    return bind(slice_p, (x,), {"index": index})


def _is_mask(key: TensorLike) -> bool:
    if isinstance(key, Tensor) or is_tensor_like(key):
        return to_tensor(key)._data.dtype.kind == "b"
    return isinstance(key, (bool, np.bool_)) or (
        isinstance(key, np.ndarray) and key.dtype.kind == "b"
    )


def index_of_key(key: Any, rank: int) -> tuple[Any, ...]:
    """Convert a key in brackets to an index (see the module docstring) for that rank."""
    entries = key if type(key) is tuple or type(key) is list else (key,)
    index = []
    rest = None  # where the entries after an ellipsis begin
    for entry in entries:
        if type(entry) is int or entry is None:
            index.append(entry)
        elif type(entry) is slice:
            start, stop, step = entry.start, entry.stop, entry.step
            # Common bounds are used directly, without a call for each.
            if not (start is None or type(start) is int):
                start = _integer(start)
            if not (stop is None or type(stop) is int):
                stop = _integer(stop)
            if not (step is None or type(step) is int):
                step = _integer(step)
            index.append((start, stop, step))
        elif entry is Ellipsis:
            if rest is not None:
                raise ShapeError("Multiple ellipses in slice spec not allowed [Op:StridedSlice]")
            rest = len(index)
        else:
            index.append(_integer(entry))
    if rest is not None:
        taken = len(index) - index.count(None)
        index[rest:rest] = [WHOLE] * (rank - taken)
    return tuple(index)


class NotStatic(Exception):
    """An entry of a key is a tensor without a value of its own, inside vmap."""


def _integer(value: TensorLike) -> int:
    """Return an entry of a key that must be an integer, or a scalar tensor of one, as an int."""
    if isinstance(value, (bool, np.bool_)):
        raise DTypeError(f"{_BAD_KEY}{brief(value)}. For a mask use tf.boolean_mask(x, mask).")
    if isinstance(value, numbers.Integral):
        return int(value)
    if type(value) is Size:
        return value  # pyright: ignore[reportReturnType] (it computes as an integer does)
    if is_tensor_like(value):
        value = to_tensor(value)
        size = value._sizes()
        if type(size) is Size:
            return size  # pyright: ignore[reportReturnType] (as above)
        if value._data.dtype.kind in "iu" and not value._data.shape:
            if not value._has_value:
                raise NotStatic
            return int(value._data)
    elif isinstance(value, np.ndarray) and value.dtype.kind in "iu" and value.ndim == 0:
        return int(value)
    raise TypeError(f"{_BAD_KEY}{brief(value)}")


def strided_slice(
    x: TensorLike,
    begin: list[int],
    end: list[int],
    strides: list[int] | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """Compute TensorFlow's general slice: bit i of a mask says what entry i of the bounds means."""
    key = strided_key(
        begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    )
    return getitem(x, key)


def strided_key(
    begin: Any,
    end: Any,
    strides: list[int] | None,
    begin_mask: int,
    end_mask: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
) -> tuple[Any, ...]:
    """Return the key in brackets for the arguments of `strided_slice`."""
    begin, end = ops.slice_bounds(begin, "StridedSlice"), ops.slice_bounds(end, "StridedSlice")
    steps = (1,) * len(begin) if strides is None else ops.static_shape(strides, "StridedSlice")
    if not len(begin) == len(end) == len(steps):
        raise ShapeError(
            "Expected begin, end, and strides to be 1D equal size tensors, but got sizes "
            f"{len(begin)}, {len(end)} and {len(steps)} instead. [Op:StridedSlice]"
        )
    key = []
    for i, (start, stop, step) in enumerate(zip(begin, end, steps, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            key.append(Ellipsis)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(start)
        else:
            first = None if begin_mask & bit else start
            key.append(slice(first, None if end_mask & bit else stop, step))
    return tuple(key)
