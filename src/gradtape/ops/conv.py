"""Convolution and its two transposes: three bilinear primitives that are each other's derivatives.

Channels last: x [batch, *space, channels], w [*window, channels / groups, features]. `padding` is a
pair of counts for each spatial axis. (What is called convolution here does not flip the window.)
"""

from __future__ import annotations

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import FLOATS, INTEGERS, check_dtype

__all__ = ["conv", "conv_filter", "conv_input", "conv_output_shape"]


def _options(strides, padding, dilations, groups) -> dict:
    return {
        "strides": tuple(strides),
        "padding": tuple(tuple(pair) for pair in padding),
        "dilations": tuple(dilations),
        "groups": groups,
    }


def conv_output_shape(x_shape, w_shape, strides, padding, dilations, groups=1) -> tuple[int, ...]:
    """The shape of a convolution's result; raises if the arguments do not fit."""
    rank = len(w_shape) - 2
    shown = f"input of shape {list(x_shape)} and filter of shape {list(w_shape)}"
    if len(x_shape) != rank + 2:
        raise ShapeError(
            f"Conv{rank}D: {shown}: the input must have rank {rank + 2} "
            "([batch, *space, channels]). [Op:Conv]"
        )
    channels, depth, features = x_shape[-1], w_shape[-2], w_shape[-1]
    if depth * groups != channels or features % groups:
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


def _batch_bilinear(fold_first, grouped):
    """Batch by enlarging the batch axis where only the first input has one, else by groups."""

    def rule(prim, size, batched, inputs, params):
        if batched == (True, False) and fold_first:
            x, w = inputs
            merged = ops.reshape(x, (size * x.shape[1], *x.shape[2:]))
            if "shape" in params:
                params = {**params, "shape": (size * params["shape"][0], *params["shape"][1:])}
            y = bind(prim, (merged, w), params)
            return ops.reshape(y, (size, x.shape[1], *y.shape[1:]))
        stacked = [
            x if is_batched else ops.broadcast_to(x, (size, *x.shape))
            for x, is_batched in zip(inputs, batched, strict=True)
        ]
        return grouped(prim, size, *stacked, params)

    return rule


def _to_channels(x):
    """[size, batch, *space, channels] -> [batch, *space, size * channels]."""
    rank = len(x.shape)
    moved = ops.transpose(x, (*range(1, rank - 1), 0, rank - 1))
    return ops.reshape(moved, (*moved.shape[:-2], -1))


def _from_channels(y, size: int):
    """[batch, *space, size * channels] -> [size, batch, *space, channels]."""
    split = ops.reshape(y, (*y.shape[:-1], size, y.shape[-1] // size))
    rank = len(split.shape)
    return ops.transpose(split, (rank - 2, *range(rank - 2), rank - 1))


def _grouped_conv(prim, size, x, w, params):
    params = {**params, "groups": params["groups"] * size}
    return _from_channels(bind(prim, (_to_channels(x), _to_channels(w)), params), size)


def _grouped_input(prim, size, g, w, params):
    shape = params["shape"]
    params = {**params, "groups": params["groups"] * size, "shape": (*shape[:-1], shape[-1] * size)}
    return _from_channels(bind(prim, (_to_channels(g), _to_channels(w)), params), size)


conv_p = primitive(
    "conv", "x w",
    shape=lambda x, w, **options: Spec(
        conv_output_shape(x.shape, w.shape, **options), x.dtype
    ),
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
)  # fmt: skip

conv_input_p = primitive(
    "conv_input", "g w",
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
)  # fmt: skip

conv_filter_p = primitive(
    "conv_filter", "x g",
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
)  # fmt: skip


def conv(x, w, strides, padding, dilations, groups=1):
    """Slide w over x: sums of products, at every window."""
    x, w = operands("Conv", x, w)
    check_dtype("Conv", FLOATS | INTEGERS, x)
    options = _options(strides, padding, dilations, groups)
    conv_output_shape(tuple(x.shape), tuple(w.shape), **options)
    return bind(conv_p, (x, w), options)


def conv_input(g, w, shape, strides, padding, dilations, groups=1):
    """Transposed convolution: the cotangent of an input of this shape, given that of the result."""
    options = _options(strides, padding, dilations, groups)
    return bind(conv_input_p, (g, w), {"shape": tuple(shape), **options})


def conv_filter(x, g, shape, strides, padding, dilations, groups=1):
    """The cotangent of a filter of this shape, given that of the result."""
    options = _options(strides, padding, dilations, groups)
    return bind(conv_filter_p, (x, g), {"shape": tuple(shape), **options})
