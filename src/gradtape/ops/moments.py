"""Means and variances in one pass, and (x - mean) · factor · scale + offset.

`rescale` is the second half of every normalization (by batch, layer, group or instance), and the
gradient of the first half, too. Its own gradient reads x once for all five cotangents.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import FLOATS, batch_axis, check_dtype
from gradtape.ops.reduce import kept_shape, reduced_shape

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.typing import Params, TensorLike, Tensors

__all__ = ["moments", "rescale", "spreads_to"]


# --- mean and variance ---------------------------------------------------------------------------


def _moments_shape(x: Spec, axis: tuple[int, ...], keepdims: bool) -> tuple[Spec, Spec]:
    return reduced_shape(x, axis, keepdims), reduced_shape(x, axis, keepdims)


def _moments_pull(
    g: tuple[Tensor, ...], x: Tensor, ans: tuple[Tensor, ...], axis: tuple[int, ...], keepdims: bool
) -> tuple[Tensor, ...]:
    to_mean, to_variance = g
    mean, count = ans[0], math.prod([x.shape[a] for a in axis])
    if not keepdims:
        kept = kept_shape(tuple(x.shape), axis)
        mean, to_mean, to_variance = (ops.reshape(v, kept) for v in (mean, to_mean, to_variance))
    # The variance has no derivative through the mean: distances sum to zero.
    return (rescale(x, mean, to_variance * (2 / count), None, to_mean / count),)


moments_p = primitive(
    "moments",
    "x",
    family="reduction",
    shape=_moments_shape,
    outputs=2,
    vjp=_moments_pull,
    batch=batch_axis,
)


def moments(
    x: TensorLike, axes: tuple[int, ...] | None, keepdims: bool = False
) -> tuple[Tensor, ...]:
    """Compute the mean and the variance of x over axes."""
    x = to_tensor(x)
    check_dtype("Moments", FLOATS, x)
    axis = ops.normalize_axes("Moments", axes, x.ndim)
    return bind(moments_p, (x,), {"axis": axis, "keepdims": bool(keepdims)})


# --- (x - mean) · factor · scale + offset --------------------------------------------------------


def _rescale_batch(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
    x = inputs[0] if batched[0] else ops.broadcast_to(inputs[0], (size, *inputs[0].shape))
    others = []
    for v, is_batched in zip(inputs[1:], batched[1:], strict=True):
        missing = len(x.shape) - len(v.shape)
        if is_batched and missing:
            v = ops.reshape(v, (size, *(1,) * missing, *v.shape[1:]))
        others.append(v)
    return bind(prim, (x, *others), params)


def _grad_shape(
    x: Spec, mean: Spec, factor: Spec, scale: Spec, g: Spec, offset_shape: tuple[int, ...]
) -> tuple[Spec, ...]:
    return x, mean, factor, scale, Spec(offset_shape, x.dtype)


def _grad_pull(
    h: tuple[Tensor, ...], x: Tensor, mean: Tensor, factor: Tensor, scale: Tensor, g: Tensor
) -> tuple[Tensor, ...]:
    """Differentiate the gradient: h are the cotangents of its five results."""
    to_x, to_mean, to_factor, to_scale, to_offset = h
    distance, moved = x - mean, to_x - to_mean
    slope = to_factor * scale + to_scale * factor
    by_x = g * slope
    return (
        by_x,
        -ops.sum_to_shape(by_x, tuple(mean.shape)),
        ops.sum_to_shape(g * (moved * scale + to_scale * distance), tuple(factor.shape)),
        ops.sum_to_shape(g * (moved * factor + to_factor * distance), tuple(scale.shape)),
        moved * (factor * scale) + distance * slope + to_offset,
    )


rescale_grad_p = primitive(
    "rescale_grad",
    "x mean factor scale g",
    family="reduction",
    shape=_grad_shape,
    outputs=5,
    vjp=_grad_pull,
    batch=ByLoop("each example has sums of its own"),
)
rescale_p = primitive(
    "rescale",
    "x mean factor scale offset",
    family="reduction",
    shape=lambda x, mean, factor, scale, offset: x,
    vjp=lambda g, x, mean, factor, scale, offset_shape: bind(
        rescale_grad_p, (x, mean, factor, scale, g), {"offset_shape": offset_shape}
    ),
    batch=_rescale_batch,
)


def rescale(
    x: Tensor,
    mean: TensorLike,
    factor: Tensor,
    scale: Tensor | None = None,
    offset: Tensor | None = None,
) -> Tensor:
    """Compute (x - mean) · factor · scale + offset, all broadcast to the shape of x."""
    x, mean = operands("Rescale", x, mean)
    check_dtype("Rescale", FLOATS, x)
    kind = x._data.dtype.type
    scale = Tensor(kind(1)) if scale is None else scale
    offset = Tensor(kind(0)) if offset is None else offset
    others = mean, *(operands("Rescale", x, v)[1] for v in (factor, scale, offset))
    shape = x._data.shape
    for v in others:
        if not spreads_to(v._data.shape, shape):
            raise ShapeError(
                "Rescale: mean, factor, scale and offset must broadcast to the shape of x. "
                f"Received: x.shape={x.shape} and {', '.join(str(v.shape) for v in others)}"
            )
    return bind(rescale_p, (x, *others))


def spreads_to(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Return whether an array of the first shape broadcasts to exactly the other."""
    if len(shape) > len(other):
        return False
    return all(n in (1, m) for n, m in zip(reversed(shape), reversed(other), strict=False))
