"""Ops that move elements without changing them: reshape, transpose, broadcast, join."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, set_packer, static_value, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import linear
from gradtape.ops.reduce import normalize_axis


def static_shape(shape, op: str = "shape") -> tuple[int, ...]:
    """A shape argument (list, tuple, tensor, int) as a tuple of ints."""
    value = static_value(shape)
    if isinstance(value, (int, np.integer)):
        return (int(value),)
    try:
        return tuple(int(n) for n in value)
    except TypeError:
        raise TypeError(f"{op}: {shape!r} is not a shape: a list of integers is wanted.") from None


# --- reshape -------------------------------------------------------------------------------------


def _reshape_shape(x: Spec, shape) -> Spec:
    if math.prod(shape) != math.prod(x.shape):
        raise ShapeError(
            f"Reshape: Input to reshape is a tensor with {math.prod(x.shape)} values (shape "
            f"{list(x.shape)}), but the requested shape {list(shape)} has {math.prod(shape)}. "
            "[Op:Reshape]"
        )
    return Spec(tuple(shape), x.dtype)


reshape_p = linear(
    "reshape",
    shape=_reshape_shape,
    transpose=lambda g, x_shape: ops.reshape(g, x_shape),
    batch=lambda prim, size, batched, inputs, params: bind(
        prim, inputs, {"shape": (size, *params["shape"])}
    ),
)


def reshape(x, shape, name=None):
    """x with its elements in the same order and another shape; one size may be -1."""
    x, wanted = to_tensor(x), static_shape(shape, "Reshape")
    old = x._data.shape
    if -1 in wanted:
        known = -math.prod(wanted)
        if wanted.count(-1) > 1 or any(n < -1 for n in wanted):
            raise ShapeError(f"Reshape: only one size of {list(wanted)} may be -1. [Op:Reshape]")
        total = math.prod(old)
        if known <= 0 or total % known:
            raise ShapeError(
                f"Reshape: Input to reshape is a tensor with {total} values (shape {list(old)}), "
                f"but the requested shape {list(wanted)} requires a multiple of {known}. "
                "[Op:Reshape]"
            )
        wanted = tuple(total // known if n == -1 else n for n in wanted)
    if any(n < 0 for n in wanted):
        raise ShapeError(f"Reshape: sizes must not be negative, got {list(wanted)}. [Op:Reshape]")
    return bind(reshape_p, (x,), {"shape": wanted})


# --- transpose -----------------------------------------------------------------------------------


def inverse_permutation(permutation) -> tuple[int, ...]:
    return tuple(int(i) for i in np.argsort(permutation))


transpose_p = linear(
    "transpose",
    shape=lambda x, permutation: Spec(tuple(x.shape[i] for i in permutation), x.dtype),
    transpose=lambda g, permutation: ops.transpose(g, inverse_permutation(permutation)),
    batch=lambda prim, size, batched, inputs, params: bind(
        prim, inputs, {"permutation": (0, *(i + 1 for i in params["permutation"]))}
    ),
)


def transpose(x, permutation=None):
    """x with its axes reordered; reversed, if no permutation is given."""
    x = to_tensor(x)
    rank = x.ndim
    if permutation is None:
        permutation = range(rank - 1, -1, -1)
    order = tuple(normalize_axis("Transpose", i, rank) for i in static_value(permutation))
    if sorted(order) != list(range(rank)):
        raise ShapeError(
            f"Transpose: {list(order)} is not a permutation of the {rank} axes of a tensor with "
            f"shape {x.shape}. [Op:Transpose]"
        )
    return bind(transpose_p, (x,), {"permutation": order})


# --- broadcast -----------------------------------------------------------------------------------


def _broadcast_shape(x: Spec, shape) -> Spec:
    fits = len(x.shape) <= len(shape) and all(
        a in (1, b) for a, b in zip(reversed(x.shape), reversed(shape), strict=False)
    )
    if not fits:
        raise ShapeError(
            f"BroadcastTo: Incompatible shapes: a tensor of shape {list(x.shape)} cannot be "
            f"broadcast to {list(shape)}. [Op:BroadcastTo]"
        )
    return Spec(tuple(shape), x.dtype)


def sum_to_shape(g, shape: tuple[int, ...]):
    """Undo broadcasting: sum g over the axes along which a tensor of `shape` was repeated."""
    extra = len(g.shape) - len(shape)
    axes = [i for i in range(extra)]
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


def broadcast_to(x, shape, name=None):
    """x repeated to `shape`, by the broadcasting rules."""
    x, shape = to_tensor(x), static_shape(shape, "BroadcastTo")
    return x if x._data.shape == shape else bind(broadcast_to_p, (x,), {"shape": shape})


# --- joining -------------------------------------------------------------------------------------


def _concat_shape(*xs: Spec, axis) -> Spec:
    first = xs[0].shape
    for x in xs:
        if len(x.shape) != len(first) or any(
            i != axis and a != b for i, (a, b) in enumerate(zip(x.shape, first, strict=True))
        ):
            raise ShapeError(
                f"ConcatOp: Dimension of inputs should match: shapes "
                f"{[list(x.shape) for x in xs]} differ outside of axis {axis}. [Op:ConcatV2]"
            )
    sizes = list(first)
    sizes[axis] = sum(x.shape[axis] for x in xs)
    return Spec(tuple(sizes), xs[0].dtype)


def _concat_transpose(g, xs_shape, axis):
    return ops.split(g, [s[axis] for s in xs_shape], axis)


def _batch_concat(prim, size, batched, inputs, params):
    stacked = tuple(
        x if b else broadcast_to(x, (size, *x.shape)) for x, b in zip(inputs, batched, strict=True)
    )
    return bind(prim, stacked, {"axis": params["axis"] + 1})


concat_p = primitive(
    "concat", "*xs", shape=_concat_shape, vjp=_concat_transpose, jvp="linear", batch=_batch_concat
)


def concat(values, axis, name=None):
    """The tensors end to end along an axis that they have."""
    xs = _alike("ConcatV2", values)
    axis = normalize_axis("ConcatV2", axis, max(x.ndim for x in xs))
    return bind(concat_p, tuple(xs), {"axis": axis})


stack_p = primitive(
    "stack", "*xs",
    shape=lambda *xs, axis: Spec(
        (*xs[0].shape[:axis], len(xs), *xs[0].shape[axis:]), xs[0].dtype
    ),
    vjp=lambda g, axis: ops.unstack(g, axis=axis),
    jvp="linear",
    batch=_batch_concat,
)  # fmt: skip


def stack(values, axis=0, name=None):
    """Tensors of one shape, side by side along a new axis."""
    xs = _alike("Pack", values)
    if any(x._data.shape != xs[0]._data.shape for x in xs):
        raise ShapeError(
            f"Pack: Shapes of all inputs must match, got {[x.shape.as_list() for x in xs]}. "
            "[Op:Pack]"
        )
    return bind(stack_p, tuple(xs), {"axis": normalize_axis("Pack", axis, xs[0].ndim + 1)})


def _alike(op: str, values) -> list[Tensor]:
    """The members of a list as tensors of one dtype: that of the tensors among them, if any."""
    if isinstance(values, Tensor):
        values = list(values)
    values = list(values)
    if not values:
        raise ValueError(f"{op}: at least one tensor is wanted, the list is empty. [Op:{op}]")
    leader = next((v for v in values if ops.is_tensor_like(v)), values[0])
    leader = to_tensor(leader)
    return [operands(op, leader, v)[1] for v in values]


def _pack_nested(value, dtype=None):
    """A (nested) list that holds tensors, as one tensor."""
    if isinstance(value, (list, tuple)):
        parts = [_pack_nested(v, dtype) if isinstance(v, (list, tuple)) else v for v in value]
        return stack([to_tensor(p, dtype) for p in parts] if dtype is not None else parts)
    return to_tensor(value, dtype)


set_packer(_pack_nested)

# --- making --------------------------------------------------------------------------------------


def zeros_like(x):
    """Zeros of x's shape and dtype."""
    return fill_like(x, 0)


def ones_like(x):
    """Ones of x's shape and dtype."""
    return fill_like(x, 1)


def fill_like(x, value):
    x = to_tensor(x)
    return Tensor(np.full(x._data.shape, value, x._data.dtype)[()])
