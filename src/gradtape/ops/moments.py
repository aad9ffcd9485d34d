"""Means and variances in one pass, and (x - mean) · factor · scale + offset.

`rescale` is the second half of every normalization (by batch, layer, group or instance), and the
gradient of the first half too. Its own gradient visits x once for all five cotangents.
"""

from __future__ import annotations

import math

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import FLOATS, batch_axis, check_dtype

__all__ = ["moments", "rescale", "spreads_to"]


# --- mean and variance ---------------------------------------------------------------------------


def _kept(shape: tuple[int, ...], axis: tuple[int, ...]) -> tuple[int, ...]:
    """The shape with ones in place of the axes."""
    return tuple([1 if i in axis else n for i, n in enumerate(shape)])


def _moments_shape(x: Spec, axis, keepdims) -> tuple[Spec, Spec]:
    kept = _kept(x.shape, axis)
    shape = kept if keepdims else tuple(n for i, n in enumerate(kept) if i not in axis)
    return Spec(shape, x.dtype), Spec(shape, x.dtype)


def _moments_pull(g, x, ans, axis, keepdims):
    to_mean, to_variance = g
    mean, count = ans[0], math.prod([x.shape[a] for a in axis])
    if not keepdims:
        kept = _kept(tuple(x.shape), axis)
        mean, to_mean, to_variance = (ops.reshape(v, kept) for v in (mean, to_mean, to_variance))
    # Through the mean, the variance does not change: distances sum to zero.
    return (rescale(x, mean, to_variance * (2 / count), None, to_mean / count),)


moments_p = primitive(
    "moments", "x",
    shape=_moments_shape, outputs=2,
    vjp=_moments_pull,
    batch=batch_axis,
)  # fmt: skip


def moments(x, axes, keepdims=False):
    """The mean of x over axes, and that of the squared distances from it."""
    x = to_tensor(x)
    check_dtype("Moments", FLOATS, x)
    axis = ops.normalize_axes("Moments", axes, x.ndim)
    return bind(moments_p, (x,), {"axis": axis, "keepdims": bool(keepdims)})


# --- (x - mean) · factor · scale + offset --------------------------------------------------------


def _rescale_batch(prim, size, batched, inputs, params):
    x = inputs[0] if batched[0] else ops.broadcast_to(inputs[0], (size, *inputs[0].shape))
    others = []
    for v, is_batched in zip(inputs[1:], batched[1:], strict=True):
        missing = len(x.shape) - len(v.shape)
        if is_batched and missing:
            v = ops.reshape(v, (size, *(1,) * missing, *v.shape[1:]))
        others.append(v)
    return bind(prim, (x, *others), params)


def _grad_shape(x: Spec, mean: Spec, factor: Spec, scale: Spec, g: Spec, offset_shape):
    return x, mean, factor, scale, Spec(offset_shape, x.dtype)


def _grad_pull(h, x, mean, factor, scale, g):
    """The derivative of the gradient: h are the cotangents of its five results."""
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
    "rescale_grad", "x mean factor scale g",
    shape=_grad_shape, outputs=5,
    vjp=_grad_pull,
    batch=ByLoop("each example has sums of its own"),
)  # fmt: skip
rescale_p = primitive(
    "rescale", "x mean factor scale offset",
    shape=lambda x, mean, factor, scale, offset: x,
    vjp=lambda g, x, mean, factor, scale, offset_shape: bind(
        rescale_grad_p, (x, mean, factor, scale, g), {"offset_shape": offset_shape}
    ),
    batch=_rescale_batch,
)  # fmt: skip


def rescale(x, mean, factor, scale=None, offset=None):
    """(x - mean) · factor · scale + offset, each of them broadcast to the shape of x."""
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
    """Whether an array of the first shape broadcasts to the other, as it is."""
    if len(shape) > len(other):
        return False
    return all(n in (1, m) for n, m in zip(reversed(shape), reversed(other), strict=False))
