"""Reductions over axes."""

from __future__ import annotations

import operator

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import static_value, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import NUMBERS, REALS, batch_axis, check_dtype, linear


def normalize_axis(op: str, axis, rank: int) -> int:
    """One axis as a non-negative int."""
    try:
        index = operator.index(static_value(axis))
    except TypeError:
        raise TypeError(f"{op}: axis must be an integer, got {axis!r}. [Op:{op}]") from None
    if not -rank <= index < rank:
        raise ShapeError(
            f"{op}: axis {index} is out of range for a tensor of rank {rank}; it must lie in "
            f"[{-rank}, {rank}). [Op:{op}]"
        )
    return index % rank


def normalize_axes(op: str, axis, rank: int) -> tuple[int, ...]:
    """The axes to reduce, as a sorted tuple of non-negative ints; None means all."""
    if axis is None:
        return tuple(range(rank))
    axis = static_value(axis)
    if isinstance(axis, (list, tuple)) or np.ndim(axis):
        axes = [normalize_axis(op, a, rank) for a in axis]
        if len(set(axes)) != len(axes):
            raise ShapeError(f"{op}: axis {list(axis)} names the same axis twice. [Op:{op}]")
        return tuple(sorted(axes))
    return (normalize_axis(op, axis, rank),)


def _reduced_shape(x: Spec, axis, keepdims) -> Spec:
    if keepdims:
        return Spec(tuple(1 if i in axis else n for i, n in enumerate(x.shape)), x.dtype)
    return Spec(tuple(n for i, n in enumerate(x.shape) if i not in axis), x.dtype)


def _spread(g, x_shape, axis, keepdims):
    """Undo a reduction's shape: g, repeated along the reduced axes."""
    if not keepdims:
        g = ops.reshape(g, [1 if i in axis else n for i, n in enumerate(x_shape)])
    return ops.broadcast_to(g, x_shape)


reduce_sum_p = linear("reduce_sum", shape=_reduced_shape, transpose=_spread, batch=batch_axis)


def reduce_sum(x, axis=None, keepdims=False):
    """The sum over `axis` (all axes, if None)."""
    x = to_tensor(x)
    if x._data.dtype not in NUMBERS:
        check_dtype("Sum", NUMBERS, x)
    axes = normalize_axes("Sum", axis, len(x._data.shape))
    return bind(reduce_sum_p, (x,), {"axis": axes, "keepdims": bool(keepdims)})


def _among_ties(x, ans, axis, keepdims):
    """Each extreme element's equal share of the derivative, as TensorFlow: 1/k for k ties."""
    if not keepdims:
        ans = ops.reshape(ans, [1 if i in axis else n for i, n in enumerate(x.shape)])
    hit = ops.cast(ops.equal(x, ans), x.dtype)
    return hit / reduce_sum(hit, axis, keepdims=True)


def _extreme(name: str):
    return primitive(
        name, "x", shape=_reduced_shape, batch=batch_axis,
        vjp={"x": lambda g, x, ans, axis, keepdims: _spread(g, x.shape, axis, keepdims)
             * _among_ties(x, ans, axis, keepdims)},
        jvp={"x": lambda t, x, ans, axis, keepdims: reduce_sum(
            t * _among_ties(x, ans, axis, keepdims), axis, keepdims)},
    )  # fmt: skip


reduce_max_p, reduce_min_p = _extreme("reduce_max"), _extreme("reduce_min")


def _reducer(prim, op: str, allowed):
    def reduce(x, axis=None, keepdims=False):
        x = to_tensor(x)
        check_dtype(op, allowed, x)
        axes = normalize_axes(op, axis, x.ndim)
        return bind(prim, (x,), {"axis": axes, "keepdims": bool(keepdims)})

    reduce.__name__ = reduce.__qualname__ = prim.name
    return reduce


reduce_max = _reducer(reduce_max_p, "Max", REALS)
reduce_min = _reducer(reduce_min_p, "Min", REALS)


def reduce_mean(x, axis=None, keepdims=False):
    """The mean over `axis`. Integers are divided as integers, as TensorFlow's."""
    x = to_tensor(x)
    axes = normalize_axes("Mean", axis, x.ndim)
    count = 1
    for a in axes:
        count *= x.shape[a]
    total = reduce_sum(x, axes, keepdims)
    return total / count if x.dtype.is_differentiable else ops.floordiv(total, max(count, 1))
