"""Joining and splitting of tensors: concat, split, stack, unstack."""

from __future__ import annotations

import contextlib
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, set_packer, static_value, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import batch_axis
from gradtape.ops.reduce import normalize_axis
from gradtape.ops.shape import check_room, static_shape

if TYPE_CHECKING:
    from gradtape.core.typing import IntLike, Shape, TensorLike

__all__ = ["concat", "split", "stack", "tensors_alike", "unstack"]


def _concat_shape(*xs: Spec, axis: int) -> Spec:
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


concat_p = primitive(
    "concat",
    "*xs",
    family="movement",
    shape=_concat_shape,
    vjp=lambda g, xs_shape, axis: bind(
        split_p, (g,), {"sizes": tuple([s[axis] for s in xs_shape]), "axis": axis}
    ),
    jvp="linear",
    batch=batch_axis,
)


def concat(values: list[Any], axis: IntLike, name: str | None = None) -> Tensor:
    """Concatenate tensors along an existing axis."""
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


def _split_shape(x: Spec, sizes: Shape, axis: int) -> tuple[Spec, ...]:
    return tuple([Spec((*x.shape[:axis], n, *x.shape[axis + 1 :]), x.dtype) for n in sizes])


split_p = primitive(
    "split",
    "x",
    family="movement",
    shape=_split_shape,
    vjp={"x": lambda g, axis: bind(concat_p, tuple(g), {"axis": axis})},
    jvp="linear",
    batch=batch_axis,
    outputs=None,
)


def split(x: TensorLike, sizes: Any, axis: IntLike = 0) -> Any:
    """Split x along an axis: into `sizes` equal parts, or parts of these sizes (one may be -1).

    Return a tuple.
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
            count = operator.index(sizes)  # pyright: ignore[reportArgumentType] (raises TypeError for what is no number)
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
        check_room("Split", (count,))
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
    "stack",
    "*xs",
    family="movement",
    shape=lambda *xs, axis: Spec((*xs[0].shape[:axis], len(xs), *xs[0].shape[axis:]), xs[0].dtype),
    vjp=lambda g, axis: bind(unstack_p, (g,), {"axis": axis}),
    jvp="linear",
    batch=batch_axis,
)


def stack(values: Any, axis: IntLike = 0, name: str | None = None) -> Tensor:
    """Stack tensors of one shape along a new axis."""
    is_list = type(values) in (list, tuple)
    if is_list and type(axis) is int and axis == 0 and not any(map(ops.is_tensor_like, values)):
        with contextlib.suppress(TypeError, ValueError):  # an error of tf.stack says more
            return to_tensor(values)
    xs = [] if is_list and not values else tensors_alike("Pack", values)
    if not xs:
        return ops.zeros((0,))
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


def _unstack_shape(x: Spec, axis: int) -> tuple[Spec, ...]:
    return (Spec((*x.shape[:axis], *x.shape[axis + 1 :]), x.dtype),) * x.shape[axis]


unstack_p = primitive(
    "unstack",
    "x",
    family="movement",
    shape=_unstack_shape,
    vjp={"x": lambda g, axis: bind(stack_p, tuple(g), {"axis": axis})},
    jvp="linear",
    batch=batch_axis,
    outputs=None,
)


def unstack(
    x: TensorLike, num: int | None = None, axis: IntLike = 0, name: str | None = None
) -> tuple[Tensor, ...]:
    """Return the slices of x along an axis, as a tuple of tensors without that axis."""
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


def tensors_alike(op: str, values: list[Any]) -> list[Tensor]:
    """Convert the members of a list to tensors of one dtype: that of the tensors among them."""
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


def _pack_nested(value: TensorLike, dtype: Any = None) -> Tensor:
    """Stack a (nested) list that holds tensors.

    To a dtype that is asked for they are cast, as in TensorFlow, which does not cast a tensor by
    itself.
    """
    if isinstance(value, (list, tuple)):
        parts = [_pack_nested(v, dtype) if isinstance(v, (list, tuple)) else v for v in value]
        return stack([_cast_member(p, dtype) for p in parts] if dtype is not None else parts)
    return to_tensor(value, dtype)


def _cast_member(value: TensorLike, dtype: Any) -> Tensor:
    is_tensor = ops.is_tensor_like(value)
    return ops.cast(to_tensor(value), dtype) if is_tensor else to_tensor(value, dtype)


set_packer(_pack_nested)
