"""Maxima and sums over sliding windows, channels last: x [batch, *space, channels]."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import FLOATS, REALS, check_dtype, linear

__all__ = ["max_pool", "max_pool_argmax", "window_sum"]


def _pooled_shape(x: Spec, window, strides, padding, dilations) -> Spec:
    space = []
    for n, k, s, d, (before, after) in zip(
        x.shape[1:-1], window, strides, dilations, padding, strict=True
    ):
        size = (n + before + after - (k - 1) * d - 1) // s + 1
        if size < 1 and n:
            raise ShapeError(
                f"Pool: the window {list(window)} (dilations {list(dilations)}) does not fit an "
                f"input of shape {list(x.shape)} with padding {list(padding)}. [Op:Pool]"
            )
        space.append(max(size, 0))
    return Spec((x.shape[0], *space, x.shape[-1]), x.dtype)


def _batch_images(prim, size, batched, inputs, params):
    """Images do not mix: a batch of batches is a longer batch."""
    merged = []
    for x, is_batched in zip(inputs, batched, strict=True):
        if not is_batched:
            x = ops.broadcast_to(x, (size, *x.shape))
        merged.append(ops.reshape(x, (size * x.shape[1], *x.shape[2:])))
    images = inputs[0].shape[1] if batched[0] else inputs[0].shape[0]
    if "shape" in params:
        params = {**params, "shape": (size * images, *params["shape"][1:])}
    y = bind(prim, tuple(merged), params)
    return ops.reshape(y, (size, images, *y.shape[1:]))


_FIXED = NoDerivative("which element of a window is the largest is piecewise constant")

max_pool_p = primitive(
    "max_pool", "x",
    shape=_pooled_shape,
    vjp={"x": lambda g, x, ans, window, strides, padding, dilations: _spread(
        x, ans, g, window, strides, padding, dilations)},
    jvp={"x": lambda t, x, ans, window, strides, padding, dilations: _pick(
        x, ans, t, window, strides, padding, dilations)},
    batch=_batch_images,
)  # fmt: skip

# Spread and pick are each other's transposes; of equal maxima in a window, the first counts.
max_pool_spread_p = primitive(
    "max_pool_spread", "x y g",
    shape=lambda x, y, g, **options: x,
    vjp={"x": _FIXED, "y": _FIXED,
         "g": lambda h, x, y, window, strides, padding, dilations: _pick(
             x, y, h, window, strides, padding, dilations)},
    jvp={"x": _FIXED, "y": _FIXED,
         "g": lambda t, x, y, window, strides, padding, dilations: _spread(
             x, y, t, window, strides, padding, dilations)},
    batch=_batch_images,
)  # fmt: skip
max_pool_pick_p = primitive(
    "max_pool_pick", "x y t",
    shape=lambda x, y, t, **options: y,
    vjp={"x": _FIXED, "y": _FIXED,
         "t": lambda h, x, y, window, strides, padding, dilations: _spread(
             x, y, h, window, strides, padding, dilations)},
    jvp={"x": _FIXED, "y": _FIXED,
         "t": lambda t, x, y, window, strides, padding, dilations: _pick(
             x, y, t, window, strides, padding, dilations)},
    batch=_batch_images,
)  # fmt: skip
max_pool_argmax_p = primitive(
    "max_pool_argmax", "x y",
    shape=lambda x, y, **options: Spec(y.shape, np.dtype(np.int64)),
    no_derivative="a position is an integer, piecewise constant",
    batch=_batch_images,
)  # fmt: skip


def _options(window, strides, padding, dilations) -> dict:
    return {
        "window": tuple(window),
        "strides": tuple(strides),
        "padding": tuple(tuple(pair) for pair in padding),
        "dilations": tuple(dilations),
    }


def _spread(x, y, g, *options):
    return bind(max_pool_spread_p, (x, y, g), _options(*options))


def _pick(x, y, t, *options):
    return bind(max_pool_pick_p, (x, y, t), _options(*options))


def max_pool(x, window, strides, padding, dilations):
    """The largest element of every window."""
    x = to_tensor(x)
    check_dtype("MaxPool", REALS, x)
    options = _options(window, strides, padding, dilations)
    _pooled_shape(x._spec(), **options)
    return bind(max_pool_p, (x,), options)


def max_pool_argmax(x, y, window, strides, padding, dilations):
    """Where the elements that `max_pool` chose lie in each image, flattened."""
    return bind(max_pool_argmax_p, (x, y), _options(window, strides, padding, dilations))


window_sum_p = linear(
    "window_sum",
    shape=_pooled_shape,
    transpose=lambda g, x_shape, window, strides, padding, dilations: bind(
        window_spread_p, (g,),
        {"shape": x_shape, **_options(window, strides, padding, dilations)},
    ),
    batch=_batch_images,
)  # fmt: skip
window_spread_p = linear(
    "window_spread",
    shape=lambda x, shape, **options: Spec(tuple(shape), x.dtype),
    transpose=lambda g, window, strides, padding, dilations: window_sum(
        g, window, strides, padding, dilations
    ),
    batch=_batch_images,
)


def window_sum(x, window, strides, padding, dilations):
    """The sum of every window."""
    x = to_tensor(x)
    check_dtype("AvgPool", FLOATS, x)
    options = _options(window, strides, padding, dilations)
    _pooled_shape(x._spec(), **options)
    return bind(window_sum_p, (x,), options)
