"""NumPy's reductions, running sums and differences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gradtape import ops
from gradtape.api.numpy_names.elementwise import is_truth, maximum, minimum
from gradtape.api.numpy_names.logic import truth
from gradtape.core.tensor import Tensor

if TYPE_CHECKING:
    from gradtape.core.typing import TensorLike

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "average",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "diff",
    "max",
    "mean",
    "min",
    "prod",
    "ptp",
    "sort",
    "std",
    "sum",
    "trapezoid",
    "var",
]


def sum(x, axis=None, keepdims=False):
    """Return the sum over axes (all of them, if None)."""
    return ops.reduce_sum(x, axis, keepdims)


def prod(x, axis=None, keepdims=False):
    """Return the product over axes."""
    return ops.reduce_prod(x, axis, keepdims)


def mean(x, axis=None, keepdims=False):
    """Return the mean over axes."""
    return ops.reduce_mean(x, axis, keepdims)


def var(x, axis=None, keepdims=False):
    """Return the mean squared distance from the mean."""
    return ops.reduce_variance(x, axis, keepdims)


def std(x, axis=None, keepdims=False):
    """Return the square root of the variance."""
    return ops.reduce_std(x, axis, keepdims)


def all(x, axis=None, keepdims=False):
    """Return whether all elements are not 0."""
    return ops.reduce_all(truth(x), axis, keepdims)


def any(x, axis=None, keepdims=False):
    """Return whether any element is not 0."""
    return ops.reduce_any(truth(x), axis, keepdims)


def count_nonzero(x, axis=None, keepdims=False):
    """Return how many elements are not 0."""
    return ops.count_nonzero(x, axis, keepdims, "int32")


def average(x, axis=None, weights=None):
    """Return the mean, or the mean with weights: of x's shape, or one for each index along an
    axis."""
    x = ops.to_tensor(x)
    if weights is None:
        return ops.reduce_mean(x, axis)
    x, weights = ops.operands("average", x, weights)
    if tuple(weights.shape) != tuple(x.shape):
        if axis is None:
            raise TypeError(
                "average: an axis must be given where the shapes of x and weights differ, "
                f"{tuple(x.shape)} and {tuple(weights.shape)}."
            )
        axes = [axis] if isinstance(axis, int) else list(axis)
        axes = [ops.normalize_axis("average", a, x.ndim) for a in axes]
        if [x.shape[a] for a in axes] != list(weights.shape):
            raise ValueError(
                f"average: weights of shape {tuple(weights.shape)} do not fit the axes {axes} of x,"
                f" which has shape {tuple(x.shape)}."
            )
        shape = [1] * x.ndim
        for a in axes:
            shape[a] = x.shape[a]
        order = sorted(range(len(axes)), key=axes.__getitem__)
        weights = ops.broadcast_to(ops.reshape(ops.transpose(weights, order), shape), x.shape)
    return ops.reduce_sum(x * weights, axis) / ops.reduce_sum(weights, axis)


# --- extremes -------------------------------------------------------------------------------------


def _define_extreme(reduce, of_truth, choose, doc: str):
    def function(x, axis=None, keepdims=False, initial=None):
        x = ops.to_tensor(x)
        if is_truth(x):
            result = of_truth(x, axis, keepdims)
        elif initial is not None and not math.prod(x.shape):
            return ops.broadcast_to(
                ops.to_tensor(initial, x.dtype), ops.reduce_sum(x, axis, keepdims).shape
            )
        else:
            result = reduce(x, axis, keepdims)
        return result if initial is None else choose(result, ops.cast(initial, x.dtype))

    function.__doc__ = doc
    return function


max = _define_extreme(
    ops.reduce_max, ops.reduce_any, maximum, "Return the largest element over axes."
)
min = _define_extreme(
    ops.reduce_min, ops.reduce_all, minimum, "Return the smallest element over axes."
)


def ptp(x, axis=None, keepdims=False):
    """Return the difference of the largest and the smallest element."""
    x = ops.to_tensor(x)
    return ops.reduce_max(x, axis, keepdims) - ops.reduce_min(x, axis, keepdims)


def _define_arg_extreme(find, doc: str):
    def function(x, axis=None, keepdims=False):
        x = ops.to_tensor(x)
        rank = x.ndim
        if axis is None:
            x, axis = ops.reshape(x, (-1,)), 0
            shape = (1,) * rank
        else:
            axis = ops.normalize_axis("argmax", axis, rank)
            shape = tuple(1 if i == axis else n for i, n in enumerate(x.shape))
        index = find(x, axis, "int32")
        if x.dtype.is_floating:
            # A nan wins over every number.
            nan = ops.is_nan(x)
            if type(nan) is not Tensor or bool(ops.reduce_any(nan)):
                first = ops.argmax(nan, axis, "int32")
                index = ops.where(ops.reduce_any(nan, axis), first, index)
        return ops.reshape(index, shape) if keepdims else index

    function.__doc__ = doc
    return function


argmax = _define_arg_extreme(
    ops.argmax, "Return the index of the first of the largest elements (int32)."
)
argmin = _define_arg_extreme(
    ops.argmin, "Return the index of the first of the smallest elements (int32)."
)


# --- order ----------------------------------------------------------------------------------------


def _flat(x, axis):
    """Return x and an axis of it; the flattened x, if there is none."""
    x = ops.to_tensor(x)
    if axis is None or not x.ndim:
        return ops.reshape(x, (-1,)), 0
    return x, ops.normalize_axis("axis", axis, x.ndim)


def sort(x, axis=-1):
    """Sort the elements along an axis."""
    x, axis = _flat(x, axis)
    if is_truth(x):
        return ops.cast(ops.sort(ops.cast(x, "uint8"), axis), "bool")
    return ops.sort(x, axis)


def argsort(x, axis=-1):
    """Return the indices (int32) that sort the elements; the sort is stable."""
    x, axis = _flat(x, axis)
    return ops.argsort(ops.cast(x, "uint8") if is_truth(x) else x, axis)


# --- along an axis --------------------------------------------------------------------------------


def cumsum(x, axis=None):
    """Return running sums along an axis, or of the flattened x."""
    return ops.cumsum(*_flat(x, axis))


def cumprod(x, axis=None):
    """Return running products along an axis, or of the flattened x."""
    return ops.cumprod(*_flat(x, axis))


def diff(a, n=1, axis=-1):
    """Return the differences of neighbors along an axis, taken n times."""
    a = ops.to_tensor(a)
    axis = ops.normalize_axis("diff", axis, a.ndim)
    subtract = ops.not_equal if is_truth(a) else ops.subtract
    for _ in range(n):
        if not a.shape[axis]:  # nothing is left, however often
            break
        a = subtract(ops.slice_along(a, axis, 1, None), ops.slice_along(a, axis, None, -1))
    return a


def trapezoid(y, x=None, dx: TensorLike = 1.0, axis=-1):
    """Return the integral of y along an axis, at the points x or in steps of dx, by trapezoids."""
    y = ops.to_tensor(y)
    axis = ops.normalize_axis("trapezoid", axis, y.ndim)
    if x is None:
        steps = dx
    else:
        steps = ops.operands("trapezoid", y, x)[1]
        if steps.ndim == 1:
            steps = ops.reshape(diff(steps), (-1, *(1,) * (y.ndim - 1 - axis)))
        else:
            steps = diff(steps, axis=axis)
    heights = ops.slice_along(y, axis, 1, None) + ops.slice_along(y, axis, None, -1)
    return ops.reduce_sum(heights * steps, axis) * 0.5
