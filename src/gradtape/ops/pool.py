"""Maxima and sums over sliding windows, channels last: x [batch, *space, channels]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import (
    FLOATS,
    REALS,
    all_batched,
    check_dtype,
    linear,
)

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import Params, TensorLike, Tensors

__all__ = ["max_pool", "max_pool_argmax", "window_sum"]


def _pooled_shape(
    x: Spec,
    window: tuple[int, ...],
    strides: tuple[int, ...],
    padding: tuple[Any, ...],
    dilations: tuple[int, ...],
) -> Spec:
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


def _batch_images(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
    """Merge the mapped axis into the batch axis: images are independent."""
    stacked = all_batched(size, batched, inputs)
    images = stacked[0].shape[1]
    merged = [ops.reshape(x, (size * x.shape[1], *x.shape[2:])) for x in stacked]
    if "shape" in params:
        params = {**params, "shape": (size * images, *params["shape"][1:])}
    y = bind(prim, tuple(merged), params)
    return ops.reshape(y, (size, images, *y.shape[1:]))


_FIXED = NoDerivative("which element of a window is the largest is piecewise constant")

max_pool_p = primitive(
    "max_pool",
    "x",
    shape=_pooled_shape,
    vjp={
        "x": lambda g, x, ans, window, strides, padding, dilations: _spread(
            x, ans, g, window, strides, padding, dilations
        )
    },
    jvp={
        "x": lambda t, x, ans, window, strides, padding, dilations: _pick(
            x, ans, t, window, strides, padding, dilations
        )
    },
    batch=_batch_images,
)


def _by_maxima(
    name: str, shape: Callable[..., Any], itself: Callable[..., Any], transpose: Callable[..., Any]
) -> Primitive:
    """Define an op that is linear in v, given the positions of the maxima y of x."""

    def rule(op: Callable[..., Any]) -> Callable[..., Any]:
        return lambda v, x, y, window, strides, padding, dilations: op(
            x, y, v, window, strides, padding, dilations
        )

    return primitive(
        name,
        "x y v",
        shape=shape,
        vjp={"x": _FIXED, "y": _FIXED, "v": rule(transpose)},
        jvp={"x": _FIXED, "y": _FIXED, "v": rule(itself)},
        batch=_batch_images,
    )


max_pool_argmax_p = primitive(
    "max_pool_argmax",
    "x y",
    shape=lambda x, y, **options: Spec(y.shape, np.dtype(np.int64)),
    no_derivative="a position is an integer, piecewise constant",
    batch=_batch_images,
)


def _options(
    window: tuple[int, ...],
    strides: tuple[int, ...],
    padding: tuple[Any, ...],
    dilations: tuple[int, ...],
) -> dict[Any, Any]:
    return {
        "window": tuple(window),
        "strides": tuple(strides),
        "padding": tuple(tuple(pair) for pair in padding),
        "dilations": tuple(dilations),
    }


def _spread(x: Tensor, y: Tensor, v: Tensor, *options: Any) -> Tensor:
    return bind(max_pool_spread_p, (x, y, v), _options(*options))


def _pick(x: Tensor, y: Tensor, v: Tensor, *options: Any) -> Tensor:
    return bind(max_pool_pick_p, (x, y, v), _options(*options))


# Spread and pick are each other's transposes; of equal maxima in a window, the first counts.
max_pool_spread_p = _by_maxima("max_pool_spread", lambda x, y, v, **options: x, _spread, _pick)
max_pool_pick_p = _by_maxima("max_pool_pick", lambda x, y, v, **options: y, _pick, _spread)


def _pooled(
    prim: Primitive, op: str, allowed: frozenset[Any], x: TensorLike, options: dict[Any, Any]
) -> Tensor:
    """Check x, then reduce each of its windows to one element."""
    x = to_tensor(x)
    check_dtype(op, allowed, x)
    _pooled_shape(x._spec(), **options)
    return bind(prim, (x,), options)


def max_pool(
    x: TensorLike,
    window: tuple[int, ...],
    strides: tuple[int, ...],
    padding: tuple[Any, ...],
    dilations: tuple[int, ...],
) -> Tensor:
    """Return the maximum of every window."""
    options = _options(window, strides, padding, dilations)
    return _pooled(max_pool_p, "MaxPool", REALS, x, options)


def max_pool_argmax(
    x: Tensor,
    y: Tensor,
    window: tuple[int, ...],
    strides: tuple[int, ...],
    padding: tuple[Any, ...],
    dilations: tuple[int, ...],
) -> Tensor:
    """Return the flat index, within its image, of each element that `max_pool` chose."""
    return bind(max_pool_argmax_p, (x, y), _options(window, strides, padding, dilations))


window_sum_p = linear(
    "window_sum",
    shape=_pooled_shape,
    transpose=lambda g, x_shape, window, strides, padding, dilations: bind(
        window_spread_p,
        (g,),
        {"shape": x_shape, **_options(window, strides, padding, dilations)},
    ),
    batch=_batch_images,
)
window_spread_p = linear(
    "window_spread",
    shape=lambda x, shape, **options: Spec(tuple(shape), x.dtype),
    transpose=lambda g, window, strides, padding, dilations: window_sum(
        g, window, strides, padding, dilations
    ),
    batch=_batch_images,
)


def window_sum(
    x: TensorLike,
    window: tuple[int, ...],
    strides: tuple[int, ...],
    padding: tuple[Any, ...],
    dilations: tuple[int, ...],
) -> Tensor:
    """Return the sum of every window."""
    options = _options(window, strides, padding, dilations)
    return _pooled(window_sum_p, "AvgPool", FLOATS, x, options)
