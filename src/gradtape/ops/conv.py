"""Convolution and its two transposes: three bilinear primitives that are each other's derivatives.

Channels last: x [batch, *space, channels], w [*window, channels / groups, features]. `padding` is a
pair of counts for each spatial axis. (What is called convolution here does not flip the window.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import (
    FLOATS,
    INTEGERS,
    all_batched,
    check_dtype,
)

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import Params, Shape, TensorLike, Tensors

__all__ = ["conv", "conv_filter", "conv_input", "conv_output_shape"]


def _options(
    strides: tuple[int, ...], padding: tuple[Any, ...], dilations: tuple[int, ...], groups: int
) -> dict[Any, Any]:
    return {
        "strides": tuple(strides),
        "padding": tuple(tuple(pair) for pair in padding),
        "dilations": tuple(dilations),
        "groups": groups,
    }


def conv_output_shape(
    x_shape: tuple[int, ...],
    w_shape: tuple[int, ...],
    strides: tuple[int, ...],
    padding: tuple[Any, ...],
    dilations: tuple[int, ...],
    groups: int = 1,
) -> tuple[int, ...]:
    """Return the shape of a convolution's result; raise if the arguments do not match."""
    rank = len(w_shape) - 2
    shown = f"input of shape {list(x_shape)} and filter of shape {list(w_shape)}"
    if len(x_shape) != rank + 2:
        raise ShapeError(
            f"Conv{rank}D: {shown}: the input must have rank {rank + 2} "
            "([batch, *space, channels]). [Op:Conv]"
        )
    channels, depth, features = x_shape[-1], w_shape[-2], w_shape[-1]
    if groups < 1 or depth * groups != channels or features % groups:
        raise ShapeError(
            f"Conv{rank}D: {shown}: the input has {channels} channels, which must be a multiple "
            f"of the filter's depth {depth} and divide evenly among {features} features. "
            "[Op:Conv]"
        )
    space = []
    for n, k, s, d, (before, after) in zip(
        x_shape[1:-1], w_shape[:-2], strides, dilations, padding, strict=True
    ):
        size = (n + before + after - (k - 1) * d - 1) // s + 1
        if size < 0 or k == 0:
            raise ShapeError(
                f"Conv{rank}D: Negative dimension size: {shown}, strides {list(strides)}, "
                f"dilations {list(dilations)}, padding {list(padding)}: the window does not fit. "
                "[Op:Conv]"
            )
        space.append(size)
    return (x_shape[0], *space, features)


def _batch_bilinear(fold_first: bool, grouped: Callable[..., Any]) -> Callable[..., Any]:
    """Return a batching rule: it enlarges the batch axis if only the first input is batched.

    Otherwise the examples become groups of one convolution.
    """

    def rule(
        prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
    ) -> Tensor:
        if batched == (True, False) and fold_first:
            x, w = inputs
            merged = ops.reshape(x, (size * x.shape[1], *x.shape[2:]))
            if "shape" in params:
                params = {**params, "shape": (size * params["shape"][0], *params["shape"][1:])}
            y = bind(prim, (merged, w), params)
            return ops.reshape(y, (size, x.shape[1], *y.shape[1:]))
        return grouped(prim, size, *all_batched(size, batched, inputs), params)

    return rule


def _to_channels(x: Tensor) -> Tensor:
    """Reshape [size, batch, *space, channels] to [batch, *space, size * channels]."""
    rank = len(x.shape)
    moved = ops.transpose(x, (*range(1, rank - 1), 0, rank - 1))
    return ops.reshape(moved, (*moved.shape[:-2], -1))


def _from_channels(y: Tensor, size: int) -> Tensor:
    """Reshape [batch, *space, size * channels] to [size, batch, *space, channels]."""
    split = ops.reshape(y, (*y.shape[:-1], size, y.shape[-1] // size))
    rank = len(split.shape)
    return ops.transpose(split, (rank - 2, *range(rank - 2), rank - 1))


def _grouped_conv(
    prim: Primitive, size: int, x: Tensor, w: Tensor, params: dict[str, Any]
) -> Tensor:
    params = {**params, "groups": params["groups"] * size}
    return _from_channels(bind(prim, (_to_channels(x), _to_channels(w)), params), size)


def _grouped_input(prim: Any, size: Any, g: Tensor, w: Tensor, params: Any) -> Tensor:
    shape = params["shape"]
    params = {**params, "groups": params["groups"] * size, "shape": (*shape[:-1], shape[-1] * size)}
    return _from_channels(bind(prim, (_to_channels(g), _to_channels(w)), params), size)


def _window_flops(filters: Spec, result: Spec) -> float:
    """Count the operations of a convolution: each element of the result is a sum over a window."""
    return 2.0 * math.prod(result.shape) * math.prod(filters.shape) / filters.shape[-1]


conv_p = primitive(
    "conv",
    "x w",
    flops=lambda inputs, outputs, params: _window_flops(inputs[1], outputs[0]),
    shape=lambda x, w, **options: Spec(conv_output_shape(x.shape, w.shape, **options), x.dtype),
    vjp={
        "x": lambda g, w, x_shape, strides, padding, dilations, groups: conv_input(
            g, w, x_shape, strides, padding, dilations, groups
        ),
        "w": lambda g, x, w_shape, strides, padding, dilations, groups: conv_filter(
            x, g, w_shape, strides, padding, dilations, groups
        ),
    },
    jvp="multilinear",
    batch=_batch_bilinear(True, _grouped_conv),
)

conv_input_p = primitive(
    "conv_input",
    "g w",
    flops=lambda inputs, outputs, params: _window_flops(inputs[1], inputs[0]),
    shape=lambda g, w, shape, **options: Spec(tuple(shape), g.dtype),
    vjp={
        "g": lambda g, w, strides, padding, dilations, groups: conv(
            g, w, strides, padding, dilations, groups
        ),
        "w": lambda h, g, w_shape, strides, padding, dilations, groups: conv_filter(
            h, g, w_shape, strides, padding, dilations, groups
        ),
    },
    jvp="multilinear",
    batch=_batch_bilinear(True, _grouped_input),
)

conv_filter_p = primitive(
    "conv_filter",
    "x g",
    flops=lambda inputs, outputs, params: _window_flops(outputs[0], inputs[1]),
    shape=lambda x, g, shape, **options: Spec(tuple(shape), x.dtype),
    vjp={
        "x": lambda h, g, x_shape, strides, padding, dilations, groups: conv_input(
            g, h, x_shape, strides, padding, dilations, groups
        ),
        "g": lambda h, x, strides, padding, dilations, groups: conv(
            x, h, strides, padding, dilations, groups
        ),
    },
    jvp="multilinear",
    batch=_batch_bilinear(False, _grouped_input),
)


def conv(
    x: Tensor,
    w: Tensor,
    strides: tuple[int, ...],
    padding: tuple[Any, ...],
    dilations: tuple[int, ...],
    groups: int = 1,
) -> Tensor:
    """Convolve x with the filter w, without flipping it."""
    x, w = operands("Conv", x, w)
    check_dtype("Conv", FLOATS | INTEGERS, x)
    options = _options(strides, padding, dilations, groups)
    conv_output_shape(tuple(x.shape), tuple(w.shape), **options)
    return bind(conv_p, (x, w), options)


def conv_input(
    g: TensorLike,
    w: TensorLike,
    shape: Sequence[int],
    strides: Any,
    padding: Any,
    dilations: Any,
    groups: Any = 1,
) -> Tensor:
    """Compute the cotangent of an input of this shape from that of the result.

    It is the transposed convolution.
    """
    options = _options(strides, padding, dilations, groups)
    return bind(conv_input_p, (g, w), {"shape": tuple(shape), **options})


def conv_filter(
    x: Tensor,
    g: Tensor,
    shape: Shape,
    strides: tuple[int, ...],
    padding: tuple[Any, ...],
    dilations: tuple[int, ...],
    groups: int = 1,
) -> Tensor:
    """Compute the cotangent of a filter of this shape from that of the result."""
    options = _options(strides, padding, dilations, groups)
    return bind(conv_filter_p, (x, g), {"shape": tuple(shape), **options})
