"""Ops that move elements without changing them: reshape, transpose, broadcast and repeat."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.backends.constants import MAX_AXES, MAX_BYTES
from gradtape.core.bind import bind
from gradtape.core.convert import TEXT, static_int, static_value, to_tensor
from gradtape.core.errors import DTypeError, ResourceExhaustedError, ShapeError
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.size import Size, has_negative, is_open, surely_equal
from gradtape.core.state import get_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import INTEGERS, batch_axis, batch_leading, check_dtype, linear
from gradtape.ops.reduce import normalize_axis

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.typing import AxisLike, IntLike, Params, Shape, TensorLike, Tensors

__all__ = [
    "barrier",
    "broadcast_to",
    "check_room",
    "expand_dims",
    "inverse_permutation",
    "moveaxis",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "static_shape",
    "sum_to_shape",
    "swapaxes",
    "tile",
    "transpose",
]


def static_shape(shape: Any, op: str = "shape") -> tuple[Any, ...]:
    """Return a shape argument (list, tuple, tensor, int) as a tuple of ints."""
    if type(shape) is tuple or type(shape) is list:
        for n in shape:
            if type(n) is not int and type(n) is not Size:
                break
        else:
            if len(shape) > MAX_AXES:
                raise _too_many_axes(len(shape), op)
            return tuple(shape)
        # TensorFlow makes a tensor of integers of such a list, and casts the tensors in it.
        shape = [static_int(n, op) if _is_real_scalar(n) else n for n in shape]
    value = static_value(shape, asks=True)
    if type(value) is Size:
        return (value,)
    if (
        not isinstance(value, list)
        and np.ndim(value) == 0
        and isinstance(value, (int, np.integer, np.ndarray))
    ):
        return (static_int(value, op),)
    is_text = isinstance(value, TEXT)
    try:
        if is_text:
            raise TypeError
        sizes = tuple([n if type(n) is Size else n.__index__() for n in value])
    except (TypeError, AttributeError):
        error = ValueError if _is_no_tensor(value) else DTypeError
        text = f"{op}: a list of integers is wanted where {shape!r} was given. [Op:{op}]"
        raise error(text) from None
    if len(sizes) > MAX_AXES:
        raise _too_many_axes(len(sizes), op)
    return sizes


def _is_no_tensor(value: Any) -> bool:
    """Return whether no tensor of any dtype can be made: of None, and of texts among numbers."""
    items = value if np.iterable(value) else [value]
    kinds = {None if n is None else isinstance(n, TEXT) for n in items}
    return len(kinds) > 1 or None in kinds


def _is_real_scalar(value: Any) -> bool:
    return isinstance(value, Tensor) and value.dtype.is_floating and value.shape.rank == 0


def check_room(op: str, shape: Shape) -> None:
    """Raise an error if no memory could hold so many elements."""
    # NumPy counts an axis of size 0 as 1 here: the other sizes have to fit, too.
    if math.prod([n or 1 for n in shape]) >= MAX_BYTES:
        raise ResourceExhaustedError(
            f"{op}: out of memory: the result would have shape {list(shape)}. [Op:{op}]"
        )


def _too_many_axes(count: int, op: str) -> ShapeError:
    return ShapeError(
        f"{op}: the result would have {count} axes; a tensor has at most {MAX_AXES}. [Op:{op}]"
    )


# --- reshape -------------------------------------------------------------------------------------


def _reshape_shape(x: Spec, shape: Shape) -> Spec:
    if math.prod(shape) != math.prod(x.shape):
        raise ShapeError(
            f"Input to reshape is a tensor with {math.prod(x.shape)} values, but the requested "
            f"shape has {math.prod(shape)}: from {list(x.shape)} to {list(shape)}. [Op:Reshape]"
        )
    return Spec(tuple(shape), x.dtype)


reshape_p = linear(
    "reshape",
    family="view",
    shape=_reshape_shape,
    transpose=lambda g, x_shape: bind(reshape_p, (g,), {"shape": x_shape}),
    batch=lambda prim, size, batched, inputs, params: bind(
        prim, inputs, {"shape": (size, *params["shape"])}
    ),
)


def reshape(x: TensorLike, shape: Sequence[Any], name: str | None = None) -> Tensor:
    """Reshape x, keeping the order of its elements; one size may be -1."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    wanted = static_shape(shape, "Reshape")
    if has_negative(wanted):
        wanted = _without_unknown(x._data.shape, wanted)
    return bind(reshape_p, (x,), {"shape": wanted})


def _without_unknown(old: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape with its -1 replaced by the size that fits."""
    if sum(n == -1 for n in wanted) > 1:
        raise ShapeError(f"Only one input size may be -1, not both of {list(wanted)}. [Op:Reshape]")
    for i, n in enumerate(wanted):
        if n < -1:
            text = f"{i} must be non-negative, not {n}, or -1 for what fits, in {list(wanted)}"
            raise ShapeError(f"Size {text}. [Op:Reshape]")
    known, total = -math.prod(wanted), math.prod(old)
    if known == 0 and total == 0:
        # Zeros do not determine the missing size: the other sizes do, as in TensorFlow.
        known = math.prod([n for n in wanted if n > 0])
        total = math.prod([n for n in old if n > 0])
    if known == 0 or total % known:
        raise ShapeError(
            f"Input to reshape is a tensor with {total} values, but the requested shape requires "
            f"a multiple of {known}: from {list(old)} to {list(wanted)}. [Op:Reshape]"
        )
    return tuple([total // known if n == -1 else n for n in wanted])


def expand_dims(x: TensorLike, axis: IntLike, name: str | None = None) -> Tensor:
    """Insert a new axis of size 1 at `axis`."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    shape = x._data.shape
    rank = len(shape) + 1
    i = axis if type(axis) is int and 0 <= axis < rank else normalize_axis("ExpandDims", axis, rank)
    return bind(reshape_p, (x,), {"shape": (*shape[:i], 1, *shape[i:])})


def squeeze(x: TensorLike, axis: Any = None, name: str | None = None) -> Tensor:
    """Remove axes of size 1: all of them, or those given."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    shape = x._data.shape
    if type(axis) is int:
        axes = {normalize_axis("Squeeze", axis, len(shape))}
    else:
        axis = static_value(axis)
        if axis is None or (np.ndim(axis) and not len(axis)):
            return bind(reshape_p, (x,), {"shape": tuple([n for n in shape if n != 1])})
        axes = {normalize_axis("Squeeze", a, len(shape)) for a in np.atleast_1d(axis)}
    for i in axes:
        if shape[i] != 1:
            raise ShapeError(
                f"Can not squeeze dim[{i}], expected a dimension of 1, got {shape[i]}: the tensor "
                f"has shape {list(shape)}. [Op:Squeeze]"
            )
    kept = tuple([n for i, n in enumerate(shape) if i not in axes])
    return bind(reshape_p, (x,), {"shape": kept})


# --- transpose -----------------------------------------------------------------------------------


def inverse_permutation(permutation: tuple[int, ...]) -> tuple[int, ...]:
    inverse = [0] * len(permutation)
    for i, p in enumerate(permutation):
        inverse[p] = i
    return tuple(inverse)


def _transpose_shape(x: Spec, permutation: tuple[int, ...]) -> Spec:
    return Spec(tuple([x.shape[i] for i in permutation]), x.dtype)


transpose_p = linear(
    "transpose",
    family="view",
    shape=_transpose_shape,
    transpose=lambda g, permutation: bind(
        transpose_p, (g,), {"permutation": inverse_permutation(permutation)}
    ),
    batch=lambda prim, size, batched, inputs, params: bind(
        prim, inputs, {"permutation": (0, *[i + 1 for i in params["permutation"]])}
    ),
)


def transpose(x: TensorLike, permutation: Sequence[int] | None = None) -> Tensor:
    """Permute the axes of x; reverse them if no permutation is given."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    rank = len(x._data.shape)
    if permutation is None:
        order = tuple(range(rank - 1, -1, -1))
    else:
        order = static_shape(permutation, "Transpose")
        if len(order) != rank:
            raise ShapeError(
                f"transpose expects a vector of size {rank}. But perm {list(order)} is a vector "
                f"of size {len(order)}: the tensor has shape {list(x._data.shape)}. [Op:Transpose]"
            )
        if order and min(order) < 0:
            order = tuple([normalize_axis("Transpose", i, rank) for i in order])
        if sorted(order) != list(range(rank)):
            raise ShapeError(
                f"Transpose: {list(order)} is not a permutation of the {rank} axes of a tensor "
                f"with shape {list(x._data.shape)}. [Op:Transpose]"
            )
    return bind(transpose_p, (x,), {"permutation": order})


def moveaxis(
    x: TensorLike, source: int | tuple[int, ...], destination: int | tuple[int, ...]
) -> Tensor:
    """Move one axis (or several) to other positions, keeping the order of the others."""
    x = to_tensor(x)
    rank = len(x._data.shape)
    sources = [normalize_axis("moveaxis", a, rank) for a in np.atleast_1d(static_value(source))]
    targets = [
        normalize_axis("moveaxis", a, rank) for a in np.atleast_1d(static_value(destination))
    ]
    if len(sources) != len(targets) or len({*sources}) != len(sources) != len({*targets}):
        raise ShapeError(
            f"moveaxis: source {source} and destination {destination} must name as many axes, "
            "each once. [Op:Transpose]"
        )
    order = [i for i in range(rank) if i not in sources]
    for target, axis in sorted(zip(targets, sources, strict=True)):
        order.insert(target, axis)
    if order == list(range(rank)):
        return x
    return bind(transpose_p, (x,), {"permutation": tuple(order)})


def swapaxes(x: TensorLike, axis1: int, axis2: int) -> Tensor:
    """Swap two axes of x."""
    x = to_tensor(x)
    order = list(range(len(x._data.shape)))
    i, j = (normalize_axis("swapaxes", a, len(order)) for a in (axis1, axis2))
    order[i], order[j] = order[j], order[i]
    return bind(transpose_p, (x,), {"permutation": tuple(order)})


# --- broadcast -----------------------------------------------------------------------------------


def _broadcast_shape(x: Spec, shape: Shape) -> Spec:
    fits = len(x.shape) <= len(shape) and all(
        a == b or a == 1 if type(a) is Size else a in (1, b)  # the first to hold is a condition
        for a, b in zip(reversed(x.shape), reversed(shape), strict=False)
    )
    if not fits or has_negative(shape):
        raise ShapeError(
            f"Incompatible shapes: a tensor of shape {list(x.shape)} cannot be broadcast to "
            f"{list(shape)}. [Op:BroadcastTo]"
        )
    return Spec(tuple(shape), x.dtype)


def sum_to_shape(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Undo broadcasting: sum g over the axes along which a tensor of `shape` was repeated."""
    whole = g._data.shape
    extra = len(whole) - len(shape)
    axes = [*range(extra)]
    axes += [i + extra for i, n in enumerate(shape) if _is_repeated(n, whole[i + extra])]
    if axes:
        g = ops.reduce_sum(g, axes)
    return g if surely_equal(g._data.shape, shape) else ops.reshape(g, shape)


def _is_repeated(size: int, whole: int) -> bool:
    """Return whether an axis was repeated to a size; a sum over an open one may be over one row."""
    if type(whole) is not Size and type(size) is not Size:
        return size == 1 and whole != 1
    return not surely_equal((size,), (whole,)) and size == 1


def _batch_broadcast(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
    (x,), shape = inputs, params["shape"]
    missing = len(shape) - (len(x.shape) - 1)
    x = ops.reshape(x, (size, *(1,) * missing, *x.shape[1:]))
    return bind(prim, (x,), {"shape": (size, *shape)})


broadcast_to_p = linear(
    "broadcast_to",
    family="movement",
    shape=_broadcast_shape,
    transpose=lambda g, x_shape: sum_to_shape(g, x_shape),
    batch=_batch_broadcast,
)


def broadcast_to(x: TensorLike, shape: Sequence[int], name: str | None = None) -> Any:
    """Broadcast x to `shape`."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    shape = static_shape(shape, "BroadcastTo")
    if is_open(shape):
        trace = get_state().trace
        lifted = trace.lift(x) if trace is not None and x._has_value else x
        same = surely_equal(x._data.shape, shape)
        return lifted if same else bind(broadcast_to_p, (lifted,), {"shape": shape})
    return x if x._data.shape == shape else bind(broadcast_to_p, (x,), {"shape": shape})


def tile(x: TensorLike, multiples: Sequence[int]) -> Tensor:
    """Tile x `multiples[i]` times along axis i."""
    x = to_tensor(x)
    shape, times = tuple(x._data.shape), static_shape(multiples, "Tile")
    if len(times) != len(shape):
        raise ShapeError(
            f"Expected multiples argument to be a vector of length {len(shape)} but got length "
            f"{len(times)}: the tensor has shape {list(shape)}. [Op:Tile]"
        )
    if has_negative(times):
        raise ShapeError(f"Expected multiples >= 0, but got {list(times)}. [Op:Tile]")
    # Only the axes that repeat get a second axis in front, so that the rest stays as it is.
    apart, spread = [], []
    for n, t in zip(shape, times, strict=True):
        if t != 1:
            apart.append(1)
            spread.append(t)
        apart.append(n)
        spread.append(n)
    if len(apart) == len(shape):
        return ops.identity(x)
    whole = tuple([n * t for n, t in zip(shape, times, strict=True)])
    return reshape(broadcast_to(reshape(x, apart), spread), whole)


def repeat(x: TensorLike, repeats: float | list[Any], axis: AxisLike = None) -> Tensor:
    """Repeat each element (slice along `axis`) of x `repeats` times; flatten x if axis is None."""
    x = to_tensor(x)
    if axis is None:
        x, axis = reshape(x, (-1,)), 0
    shape = tuple(x._data.shape)
    i = normalize_axis("repeat", axis, len(shape))
    if isinstance(repeats, Tensor) and not repeats._has_value and repeats.ndim == 1:
        check_dtype("repeat", INTEGERS, repeats)
        times = broadcast_to(repeats, (shape[i],))
        (rows,) = ops.host_arrays(_repeated_rows, [times], [(np.int64, (None,))])
        return ops.gather(reshape(x, shape), rows, i)
    counts = np.asarray(static_value(repeats))
    if counts.ndim > 1 or (counts.dtype.kind not in "iu" and counts.size):
        raise (ShapeError if counts.ndim > 1 else DTypeError)(
            f"repeat: repeats must be an integer or a vector of integers, got {repeats!r}. "
            "[Op:Repeat]"
        )
    if counts.size == 1 and int(counts.reshape(-1)[0]) < 0:
        raise ShapeError(f"repeat: repeats must be >= 0, got {repeats!r}. [Op:Repeat]")
    if counts.size == 1 and (counts.ndim == 0 or shape[i] != 1):
        times = int(counts.reshape(-1)[0])
        x = reshape(x, (*shape[: i + 1], 1, *shape[i + 1 :]))
        x = broadcast_to(x, (*shape[: i + 1], times, *shape[i + 1 :]))
        return reshape(x, (*shape[:i], shape[i] * times, *shape[i + 1 :]))
    if counts.size != shape[i]:
        raise ShapeError(
            f"repeat: repeats has {counts.size} entries, but axis {i} of the tensor (shape "
            f"{list(shape)}) has {shape[i]}. [Op:Repeat]"
        )
    # Through reshape, the gradient is a dense tensor, as in TensorFlow.
    return ops.gather(reshape(x, shape), Tensor(_repeated_rows(counts)[0]), i)


def _repeated_rows(counts: np.ndarray) -> list[np.ndarray]:
    if counts.size and counts.min() < 0:
        raise ShapeError(f"repeat: repeats must be >= 0, got {counts.tolist()}. [Op:Repeat]")
    return [np.repeat(np.arange(len(counts)), counts)]


roll_p = linear(
    "roll",
    shape=lambda x, shift, axis: x,
    transpose=lambda g, shift, axis: bind(roll_p, (g,), {"shift": -shift, "axis": axis}),
    batch=batch_axis,
)


def roll(x: Any, shift: Any, axis: AxisLike) -> Any:
    """Roll the elements of x along one or more axes; those beyond the end reenter at the start."""
    x = to_tensor(x)
    several = isinstance(shift, (list, tuple)) or len(to_tensor(shift)._data.shape)
    shifts = ops.slice_bounds(shift, "Roll") if several else (shift,)
    axes = np.atleast_1d(static_value(axis))
    if axes.shape != (len(shifts),):
        raise ShapeError(
            f"shift and axis must have the same size, got {shift} and {axis}. [Op:Roll]"
        )
    for by, a in zip(shifts, axes, strict=True):
        i = normalize_axis("Roll", a, len(x._data.shape))
        size = x._data.shape[i]
        if isinstance(by, Tensor) and not by._has_value:
            # Through reshape, the gradient is a dense tensor.
            positions = ops.floormod(Tensor(np.arange(size, dtype=by._data.dtype)) - by, size)
            x = ops.gather(reshape(x, x._data.shape), positions, i)
        elif size and static_int(by) % size:
            x = bind(roll_p, (x,), {"shift": static_int(by), "axis": i})
    return x


_WAITED_FOR = NoDerivative("the result waits for it, and does not depend on its value")
barrier_p = primitive(
    "barrier",
    "x after",
    family="view",
    shape=lambda x, after: x,
    vjp={"x": lambda g: g, "after": _WAITED_FOR},
    jvp={"x": lambda t: t, "after": _WAITED_FOR},
    batch=batch_leading,
)


def barrier(x: TensorLike, after: TensorLike) -> Tensor:
    """Return x, through which no optimization looks, once `after` has been computed."""
    return bind(barrier_p, (to_tensor(x), to_tensor(after)))
