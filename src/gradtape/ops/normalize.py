"""Layer normalization over the last axis: one pass forward, one pass backward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import FLOATS, check_dtype

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import Params, Tensors

__all__ = ["layer_normalize"]


def _standard(x: Tensor, epsilon: float) -> tuple[Tensor, ...]:
    """Return x standardized to mean 0 and variance 1 in each row, and the factor used."""
    distance = x - ops.reduce_mean(x, -1, keepdims=True)
    factor = ops.rsqrt(ops.reduce_mean(ops.square(distance), -1, keepdims=True) + epsilon)
    return distance * factor, factor


def _mean(x: Tensor) -> Tensor:
    return ops.reduce_mean(x, -1, keepdims=True)


def _moved(v: Tensor, y: Tensor, factor: Tensor) -> Tensor:
    """Return the derivative of y = _standard(x) in direction v. Its matrix is symmetric."""
    return factor * (v - _mean(v) - y * _mean(v * y))


def _over_rows(x: Tensor) -> Tensor:
    """Return the sum of all rows."""
    return ops.reduce_sum(ops.reshape(x, (-1, x.shape[-1])), 0)


def _normalize_batch(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
    x, scale, offset = inputs
    if batched[1] or batched[2]:
        y = _standard(x, **params)[0]
        spread = (size, *(1,) * (y.ndim - batched[0] - 1), y.shape[-1])
        scale, offset = (
            ops.reshape(v, spread) if is_batched else v
            for v, is_batched in zip((scale, offset), batched[1:], strict=True)
        )
        return y * scale + offset
    return bind(prim, inputs, params)


def _grad_shape(x: Spec, scale: Spec, g: Spec, epsilon: float) -> tuple[Spec, ...]:
    return x, scale, scale


def _grad_pull(
    h: tuple[Tensor, ...], x: Tensor, scale: Tensor, g: Tensor, epsilon: float
) -> tuple[Tensor, ...]:
    """Differentiate the gradient: h are the cotangents of its three results."""
    to_x, to_scale, to_offset = h
    y, factor = _standard(x, epsilon)
    u = g * scale
    moved_h, moved_u = _moved(to_x, y, factor), _moved(u, y, factor)
    along_h, along_u = _mean(to_x * y), _mean(u * y)
    by_x = -factor * (y * _mean(to_x * moved_u) + along_u * moved_h + along_h * moved_u)
    return (
        by_x + _moved(g * to_scale, y, factor),
        _over_rows(g * moved_h),
        scale * moved_h + to_scale * y + to_offset,
    )


_grad_p = primitive(
    "layer_normalize_grad",
    "x scale g",
    family="reduction",
    shape=_grad_shape,
    outputs=3,
    vjp=_grad_pull,
    batch=ByLoop("each example has sums over rows of its own"),
)
_normalize_p = primitive(
    "layer_normalize",
    "x scale offset",
    family="reduction",
    shape=lambda x, scale, offset, epsilon: x,
    vjp=lambda g, x, scale, epsilon: bind(_grad_p, (x, scale, g), {"epsilon": epsilon}),
    batch=_normalize_batch,
)


def layer_normalize(x: Tensor, scale: Tensor, offset: Tensor, epsilon: float) -> Tensor:
    """Compute (x - mean) / sqrt(variance + epsilon) · scale + offset over the last axis."""
    x, scale = operands("LayerNormalize", x, scale)
    x, offset = operands("LayerNormalize", x, offset)
    check_dtype("LayerNormalize", FLOATS, x)
    wanted = tuple(x.shape)[-1:]
    if x.ndim == 0 or tuple(scale.shape) != wanted or tuple(offset.shape) != wanted:
        raise ShapeError(
            "LayerNormalize: scale and offset must have the shape of the last axis of x. Received: "
            f"x.shape={x.shape}, scale.shape={scale.shape}, offset.shape={offset.shape}"
        )
    return bind(_normalize_p, (x, scale, offset), {"epsilon": float(epsilon)})
