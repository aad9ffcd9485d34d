"""Ops that move elements without changing them: reshape, transpose, broadcast, join and part."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, set_packer, static_value, to_tensor
from gradtape.core.errors import DTypeError, ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import linear
from gradtape.ops.reduce import normalize_axis

__all__ = [
    "broadcast_to", "concat", "expand_dims", "inverse_permutation", "moveaxis", "repeat",
    "reshape", "roll", "split", "squeeze", "stack", "static_shape", "sum_to_shape", "swapaxes",
    "tensors_alike", "tile", "transpose", "unstack",
]  # fmt: skip


def static_shape(shape, op: str = "shape") -> tuple[int, ...]:
    """A shape argument (list, tuple, tensor, int) as a tuple of ints."""
    if type(shape) is tuple or type(shape) is list:
        for n in shape:
            if type(n) is not int:
                break
        else:
            return tuple(shape)
    value = static_value(shape)
    if np.ndim(value) == 0 and isinstance(value, (int, np.integer, np.ndarray)):
        return (int(value),)
    try:
        return tuple([n.__index__() for n in value])
    except (TypeError, AttributeError):
        error = ValueError if value is None or None in value else DTypeError
        raise error(
            f"{op}: a list of integers is wanted where {shape!r} was given. [Op:{op}]"
        ) from None


# --- reshape -------------------------------------------------------------------------------------


def _reshape_shape(x: Spec, shape) -> Spec:
    if math.prod(shape) != math.prod(x.shape):
        raise ShapeError(
            f"Input to reshape is a tensor with {math.prod(x.shape)} values (shape "
            f"{list(x.shape)}), but the requested shape {list(shape)} has {math.prod(shape)}. "
            "[Op:Reshape]"
        )
    return Spec(tuple(shape), x.dtype)


reshape_p = linear(
    "reshape",
    shape=_reshape_shape,
    transpose=lambda g, x_shape: bind(reshape_p, (g,), {"shape": x_shape}),
    batch=lambda prim, size, batched, inputs, params: bind(
        prim, inputs, {"shape": (size, *params["shape"])}
    ),
)


def reshape(x, shape, name=None):
    """x with its elements in the same order and another shape; one size may be -1."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    wanted = static_shape(shape, "Reshape")
    if wanted and min(wanted) < 0:
        wanted = _without_unknown(x._data.shape, wanted)
    return bind(reshape_p, (x,), {"shape": wanted})


def _without_unknown(old: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...]:
    """The shape wanted, with the number for its -1."""
    if wanted.count(-1) > 1:
        raise ShapeError(f"Only one input size may be -1, not both of {list(wanted)}. [Op:Reshape]")
    if min(wanted) < -1:
        raise ShapeError(
            f"Reshape: size {min(wanted)} of {list(wanted)} must be non-negative (one may be -1). "
            "[Op:Reshape]"
        )
    known, total = -math.prod(wanted), math.prod(old)
    if known == 0 and total == 0:
        # Zeros say nothing of the missing size: the others do, as in TensorFlow.
        known = math.prod([n for n in wanted if n > 0])
        total = math.prod([n for n in old if n > 0])
    if known == 0 or total % known:
        raise ShapeError(
            f"Input to reshape is a tensor with {total} values (shape {list(old)}), but the "
            f"requested shape {list(wanted)} requires a multiple of {known}. [Op:Reshape]"
        )
    return tuple([total // known if n == -1 else n for n in wanted])


def expand_dims(x, axis, name=None):
    """x with a new axis of size 1 at `axis`."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    shape = x._data.shape
    rank = len(shape) + 1
    i = axis if type(axis) is int and 0 <= axis < rank else normalize_axis("ExpandDims", axis, rank)
    return bind(reshape_p, (x,), {"shape": (*shape[:i], 1, *shape[i:])})


def squeeze(x, axis=None, name=None):
    """x without axes of size 1: all of them, or those named."""
    x = to_tensor(x)
    shape = x._data.shape
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


def inverse_permutation(permutation) -> tuple[int, ...]:
    inverse = [0] * len(permutation)
    for i, p in enumerate(permutation):
        inverse[p] = i
    return tuple(inverse)


def _transpose_shape(x: Spec, permutation) -> Spec:
    return Spec(tuple([x.shape[i] for i in permutation]), x.dtype)


transpose_p = linear(
    "transpose",
    shape=_transpose_shape,
    transpose=lambda g, permutation: bind(
        transpose_p, (g,), {"permutation": inverse_permutation(permutation)}
    ),
    batch=lambda prim, size, batched, inputs, params: bind(
        prim, inputs, {"permutation": (0, *[i + 1 for i in params["permutation"]])}
    ),
)


def transpose(x, permutation=None):
    """x with its axes reordered; reversed, if no permutation is given."""
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


def moveaxis(x, source, destination):
    """x with one axis (or several) moved elsewhere, the others in their order."""
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


def swapaxes(x, axis1, axis2):
    """x with two axes exchanged."""
    x = to_tensor(x)
    order = list(range(len(x._data.shape)))
    i, j = (normalize_axis("swapaxes", a, len(order)) for a in (axis1, axis2))
    order[i], order[j] = order[j], order[i]
    return bind(transpose_p, (x,), {"permutation": tuple(order)})


# --- broadcast -----------------------------------------------------------------------------------


def _broadcast_shape(x: Spec, shape) -> Spec:
    fits = len(x.shape) <= len(shape) and all(
        a in (1, b) for a, b in zip(reversed(x.shape), reversed(shape), strict=False)
    )
    if not fits:
        raise ShapeError(
            f"Incompatible shapes: a tensor of shape {list(x.shape)} cannot be broadcast to "
            f"{list(shape)}. [Op:BroadcastTo]"
        )
    return Spec(tuple(shape), x.dtype)


def sum_to_shape(g, shape: tuple[int, ...]):
    """Undo broadcasting: sum g over the axes along which a tensor of `shape` was repeated."""
    extra = len(g.shape) - len(shape)
    axes = [*range(extra)]
    axes += [i + extra for i, n in enumerate(shape) if n == 1 and g.shape[i + extra] != 1]
    if axes:
        g = ops.reduce_sum(g, axes)
    return g if tuple(g.shape) == tuple(shape) else ops.reshape(g, shape)


def _batch_broadcast(prim, size, batched, inputs, params):
    (x,), shape = inputs, params["shape"]
    missing = len(shape) - (len(x.shape) - 1)
    x = ops.reshape(x, (size, *(1,) * missing, *x.shape[1:]))
    return bind(prim, (x,), {"shape": (size, *shape)})


broadcast_to_p = linear(
    "broadcast_to",
    shape=_broadcast_shape,
    transpose=lambda g, x_shape: sum_to_shape(g, x_shape),
    batch=_batch_broadcast,
)


def broadcast_to(x, shape, name=None) -> Any:
    """x repeated to `shape`, by the broadcasting rules."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    shape = static_shape(shape, "BroadcastTo")
    return x if x._data.shape == shape else bind(broadcast_to_p, (x,), {"shape": shape})


def tile(x, multiples):
    """x repeated as a block, `multiples[i]` times along axis i."""
    x = to_tensor(x)
    shape, times = tuple(x._data.shape), static_shape(multiples, "Tile")
    if len(times) != len(shape):
        raise ShapeError(
            f"Expected multiples argument to be a vector of length {len(shape)} but got length "
            f"{len(times)}: the tensor has shape {list(shape)}. [Op:Tile]"
        )
    if times and min(times) < 0:
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


def repeat(x, repeats, axis=None):
    """Each element (slice along `axis`) of x, one or `repeats` times over; flat without an axis."""
    x = to_tensor(x)
    if axis is None:
        x, axis = reshape(x, (-1,)), 0
    shape = tuple(x._data.shape)
    i = normalize_axis("repeat", axis, len(shape))
    counts = np.asarray(static_value(repeats))
    if counts.ndim > 1 or (counts.dtype.kind not in "iu" and counts.size):
        raise (ShapeError if counts.ndim > 1 else DTypeError)(
            f"repeat: repeats must be an integer or a vector of integers, got {repeats!r}. "
            "[Op:Repeat]"
        )
    if counts.size and counts.min() < 0:
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
    return ops.gather(reshape(x, shape), Tensor(np.repeat(np.arange(shape[i]), counts)), i)


def roll(x, shift, axis):
    """x with its elements shifted along an axis (or several), those beyond the end coming first."""
    x = to_tensor(x)
    shifts, axes = np.atleast_1d(static_value(shift)), np.atleast_1d(static_value(axis))
    if shifts.shape != axes.shape:
        raise ShapeError(
            f"shift and axis must have the same size, got {shift} and {axis}. [Op:Roll]"
        )
    for by, a in zip(shifts, axes, strict=True):
        i = normalize_axis("Roll", a, len(x._data.shape))
        size = x._data.shape[i]
        cut = size - int(by) % size if size else 0
        if 0 < cut < size:
            first, last = split(x, (cut, size - cut), i)
            x = concat([last, first], i)
    return x


# --- joining and parting -------------------------------------------------------------------------


def _concat_shape(*xs: Spec, axis) -> Spec:
    first = xs[0].shape
    for x in xs:
        if len(x.shape) != len(first) or any(
            i != axis and a != b for i, (a, b) in enumerate(zip(x.shape, first, strict=True))
        ):
            raise ShapeError(
                "ConcatOp : Ranks and dimensions of inputs should match: the shapes "
                f"{[list(x.shape) for x in xs]} differ outside of axis {axis}. [Op:ConcatV2]"
            )
    sizes = list(first)
    sizes[axis] = sum([x.shape[axis] for x in xs])
    return Spec(tuple(sizes), xs[0].dtype)


def _batch_joined(prim, size, batched, inputs, params):
    stacked = tuple(
        [
            x if b else broadcast_to(x, (size, *x.shape))
            for x, b in zip(inputs, batched, strict=True)
        ]
    )
    return bind(prim, stacked, {"axis": params["axis"] + 1})


concat_p = primitive(
    "concat", "*xs",
    shape=_concat_shape,
    vjp=lambda g, xs_shape, axis: bind(
        split_p, (g,), {"sizes": tuple([s[axis] for s in xs_shape]), "axis": axis}
    ),
    jvp="linear",
    batch=_batch_joined,
)  # fmt: skip


def concat(values, axis, name=None):
    """The tensors end to end along an axis that they have."""
    xs = tensors_alike("ConcatV2", values if isinstance(values, (list, tuple)) else [values])
    if len(xs) == 1:
        return ops.identity(xs[0])
    rank = max([len(x._data.shape) for x in xs])
    if rank == 0:
        raise ShapeError(
            "ConcatOp : Can't concatenate scalars (use tf.stack instead) [Op:ConcatV2]"
        )
    if type(axis) is not int or not 0 <= axis < rank:
        axis = normalize_axis("ConcatV2", axis, rank)
    return bind(concat_p, tuple(xs), {"axis": axis})


def _split_shape(x: Spec, sizes, axis) -> tuple[Spec, ...]:
    return tuple([Spec((*x.shape[:axis], n, *x.shape[axis + 1 :]), x.dtype) for n in sizes])


split_p = primitive(
    "split", "x",
    shape=_split_shape,
    vjp={"x": lambda g, axis: bind(concat_p, tuple(g), {"axis": axis})},
    jvp="linear",
    batch=lambda prim, size, batched, inputs, params: bind(
        prim, inputs, {**params, "axis": params["axis"] + 1}
    ),
    outputs=None,
)  # fmt: skip


def split(x, sizes: Any, axis=0) -> Any:
    """x cut along an axis: into `sizes` equal parts, or parts of the sizes given (one may be -1).

    The parts are given as a tuple.
    """
    if type(x) is not Tensor:
        x = to_tensor(x)
    shape = x._data.shape
    if type(axis) is not int or not 0 <= axis < len(shape):
        axis = normalize_axis("split", axis, len(shape))
    length = shape[axis]
    if type(sizes) is not int and type(sizes) is not list and type(sizes) is not tuple:
        sizes = static_value(sizes)
    if type(sizes) is int or np.ndim(sizes) == 0:
        try:
            count = operator.index(sizes)  # type: ignore[arg-type]
        except TypeError:
            raise ValueError(
                f"split: an integer or a list of sizes is wanted, got {sizes!r}."
            ) from None
        if count < 1:
            raise ShapeError(f"split: the number of parts must be >= 1, got {count}. [Op:Split]")
        if length % count:
            raise ShapeError(
                f"Dimension size must be evenly divisible by {count} but is {length}: axis {axis} "
                f"of a tensor of shape {list(shape)}. [Op:Split]"
            )
        wanted = (length // count,) * count
    else:
        wanted = static_shape(sizes, "SplitV")
        if wanted.count(-1) > 1:
            raise ShapeError(f"There can only be one -1 in sizes {sizes}. [Op:SplitV]")
        if -1 in wanted:
            wanted = tuple([length - sum(wanted) - 1 if n == -1 else n for n in wanted])
        if sum(wanted) != length or (wanted and min(wanted) < 0):
            raise ShapeError(
                "Determined shape must either match input shape along split_dim exactly if fully "
                f"specified, or be less than the size of the input along split_dim if not fully "
                f"specified: sizes {sizes} for axis {axis} of shape {list(shape)}. "
                "[Op:SplitV]"
            )
    if not wanted:
        return ()
    return bind(split_p, (x,), {"sizes": wanted, "axis": axis})


stack_p = primitive(
    "stack", "*xs",
    shape=lambda *xs, axis: Spec(
        (*xs[0].shape[:axis], len(xs), *xs[0].shape[axis:]), xs[0].dtype
    ),
    vjp=lambda g, axis: bind(unstack_p, (g,), {"axis": axis}),
    jvp="linear",
    batch=_batch_joined,
)  # fmt: skip


def stack(values, axis=0, name=None):
    """Tensors of one shape, side by side along a new axis."""
    if type(values) in (list, tuple) and not values:
        return ops.zeros((0,))
    xs = tensors_alike("Pack", values)
    shape = xs[0]._data.shape
    for x in xs:
        if x._data.shape != shape:
            raise ShapeError(
                "Shapes of all inputs must match: the list has tensors of shapes "
                f"{[list(x._data.shape) for x in xs]}. [Op:Pack]"
            )
    if type(axis) is not int or not 0 <= axis <= len(shape):
        axis = normalize_axis("Pack", axis, len(shape) + 1)
    return bind(stack_p, tuple(xs), {"axis": axis})


def _unstack_shape(x: Spec, axis) -> tuple[Spec, ...]:
    return (Spec((*x.shape[:axis], *x.shape[axis + 1 :]), x.dtype),) * x.shape[axis]


unstack_p = primitive(
    "unstack", "x",
    shape=_unstack_shape,
    vjp={"x": lambda g, axis: bind(stack_p, tuple(g), {"axis": axis})},
    jvp="linear",
    batch=lambda prim, size, batched, inputs, params: bind(
        prim, inputs, {"axis": params["axis"] + 1}
    ),
    outputs=None,
)  # fmt: skip


def unstack(x, num=None, axis=0, name=None):
    """The slices of x along an axis, as a tuple of tensors without that axis."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    shape = x._data.shape
    if not shape:
        raise ShapeError("unstack: a scalar has no axis to unstack along. [Op:Unpack]")
    if type(axis) is not int or not 0 <= axis < len(shape):
        axis = normalize_axis("Unpack", axis, len(shape))
    if num is not None and num != shape[axis]:
        raise ShapeError(
            f"Input shape axis {axis} must equal {num}, got shape {list(shape)}. [Op:Unpack]"
        )
    return bind(unstack_p, (x,), {"axis": axis}) if shape[axis] else ()


def tensors_alike(op: str, values) -> list[Tensor]:
    """The members of a list as tensors of one dtype: that of the tensors among them, if any."""
    if isinstance(values, Tensor):
        return list(unstack(values))
    values = list(values)
    if not values:
        raise ShapeError(f"{op}: at least one tensor is wanted, the list is empty. [Op:{op}]")
    first = values[0]
    if type(first) is Tensor:
        dtype = first._data.dtype
        for v in values:
            if type(v) is not Tensor or v._data.dtype != dtype:
                break
        else:
            return values
    leader = to_tensor(next((v for v in values if ops.is_tensor_like(v)), first))
    return [operands(op, leader, v)[1] for v in values]


def _pack_nested(value, dtype=None):
    """A (nested) list that holds tensors, as one tensor."""
    if isinstance(value, (list, tuple)):
        parts = [_pack_nested(v, dtype) if isinstance(v, (list, tuple)) else v for v in value]
        return stack([to_tensor(p, dtype) for p in parts] if dtype is not None else parts)
    return to_tensor(value, dtype)


set_packer(_pack_nested)
