"""Reductions over axes: sums, products, extremes, norms, argmax and argmin."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import static_value, to_tensor
from gradtape.core.dtypes import DType, as_dtype, bool_
from gradtape.core.errors import DTypeError, InvalidArgumentError, ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.size import is_open, numbers_of
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import (
    ANY,
    BOOL,
    FLOATS,
    INEXACT,
    NUMBERS,
    REALS,
    batch_axis,
    check_dtype,
    empty_as,
    linear,
)

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.typing import AxisLike, NumpyDType, Shape, TensorLike

__all__ = [
    "argmax",
    "argmin",
    "count_nonzero",
    "normalize_axes",
    "normalize_axis",
    "reduce_all",
    "reduce_any",
    "reduce_euclidean_norm",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_std",
    "reduce_sum",
    "reduce_variance",
]

_EVERY = tuple(tuple(range(rank)) for rank in range(65))  # all axes, by rank; NumPy's limit is 64


def normalize_axis(op: str, axis: AxisLike, rank: int) -> int:
    """Return an axis as a non-negative int."""
    if type(axis) is not int:
        try:
            axis = operator.index(static_value(axis))
        except TypeError:
            kind = ValueError if axis is None else DTypeError
            raise kind(f"{op}: axis must be an integer, got {axis!r}. [Op:{op}]") from None
    if not -rank <= axis < rank:
        raise ShapeError(
            f"{op}: axis {axis} is out of range for a tensor of rank {rank}; "
            + (f"it must lie in [{-rank}, {rank}). " if rank else "a scalar has no axes. ")
            + f"[Op:{op}]"
        )
    return axis % rank


def normalize_axes(op: str, axis: Any, rank: int) -> tuple[int, ...]:
    """Return the axes to reduce, as a sorted tuple of non-negative ints; None means all."""
    if axis is None:
        return _EVERY[rank]
    if type(axis) is int and -rank <= axis < rank:
        return (axis % rank,)
    if type(axis) is not list or not all(type(a) is int for a in axis):
        axis = static_value(axis)
    if isinstance(axis, (list, tuple, range)) or np.ndim(axis):
        axes = [normalize_axis(op, a, rank) for a in axis]
        if len(set(axes)) != len(axes):
            raise ShapeError(f"{op}: axis {list(axis)} names the same axis twice. [Op:{op}]")
        return tuple(sorted(axes))
    return (normalize_axis(op, axis, rank),)


def reduced_shape(x: Spec, axis: tuple[int, ...], keepdims: bool) -> Spec:
    if keepdims:
        return Spec(kept_shape(tuple(x.shape), axis), x.dtype)
    return Spec(tuple(n for i, n in enumerate(x.shape) if i not in axis), x.dtype)


def kept_shape(shape: Shape, axis: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape with ones in place of the axes."""
    return tuple(1 if i in axis else n for i, n in enumerate(shape))


def _with_ones(
    y: Tensor, x_shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool
) -> Tensor:
    """Reshape a reduction's result so that it broadcasts against its input."""
    # If only leading axes are reduced, it broadcasts already.
    if keepdims or axis == _EVERY[len(axis)]:
        return y
    return ops.reshape(y, kept_shape(x_shape, axis))


def _spread(g: Tensor, x_shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Tensor:
    """Broadcast g along the reduced axes, to the shape of the reduction's input."""
    return ops.broadcast_to(_with_ones(g, x_shape, axis, keepdims), x_shape)


def _reducer(prim: Primitive, op: str, allowed: frozenset[Any], doc: str) -> Callable[..., Any]:
    """Return the function that binds a reduction. It is called often: keep its Python short."""
    truth = allowed == BOOL

    def reduce(x: TensorLike, axis: AxisLike = None, keepdims: bool = False) -> Tensor:
        if type(x) is not Tensor:
            x = to_tensor(empty_as(x, bool_) if truth else x)
        data = x._data
        if data.dtype not in allowed:
            check_dtype(op, allowed, x)
        axes = normalize_axes(op, axis, len(data.shape))
        return bind(prim, (x,), {"axis": axes, "keepdims": bool(keepdims)})

    reduce.__name__ = reduce.__qualname__ = prim.name
    reduce.__doc__ = doc
    return reduce


# --- sum, mean -----------------------------------------------------------------------------------

reduce_sum = _reducer(
    linear(
        "reduce_sum", family="reduction", shape=reduced_shape, batch=batch_axis, transpose=_spread
    ),
    "Sum",
    NUMBERS,
    "Compute the sum over `axis` (all axes, if None).",
)


def _mean_transpose(
    g: Tensor, x_shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool
) -> Tensor:
    count = math.prod(x_shape[a] for a in axis)
    # A mean over no elements has no cotangent to compute: any divisor will do.
    divisor = count if is_open(count) else max(count, 1)
    return _spread(g / divisor, x_shape, axis, keepdims)


reduce_mean = _reducer(
    linear(
        "reduce_mean",
        family="reduction",
        shape=reduced_shape,
        batch=batch_axis,
        transpose=_mean_transpose,
    ),
    "Mean",
    NUMBERS,
    "Compute the mean over `axis`. Of integers, rounded toward 0, as in TensorFlow.",
)

# --- product -------------------------------------------------------------------------------------


def _cofactors(x: Tensor, axis: Any) -> Tensor:
    """Return the product of all other elements along an axis: exact where elements are 0."""
    (axis,) = axis
    before = ops.cumprod(x, axis, exclusive=True)
    return before * ops.cumprod(x, axis, exclusive=True, reverse=True)


reduce_prod_p = primitive(
    "reduce_prod",
    "x",
    family="reduction",
    shape=reduced_shape,
    batch=batch_axis,
    vjp={
        "x": lambda g, x, axis, keepdims: (
            _with_ones(g, x.shape, axis, keepdims) * ops.conj(_cofactors(x, axis))
        )
    },
    jvp={"x": lambda t, x, axis, keepdims: reduce_sum(t * _cofactors(x, axis), axis, keepdims)},
)


def reduce_prod(x: TensorLike, axis: AxisLike = None, keepdims: bool = False) -> Tensor:
    """Compute the product over `axis`. The primitive takes one axis: several are merged first."""
    x = to_tensor(x)
    check_dtype("Prod", NUMBERS, x)
    shape = tuple(x.shape)
    axes = normalize_axes("Prod", axis, len(shape))
    if not axes:
        return ops.identity(x)
    if len(axes) == 1:
        return bind(reduce_prod_p, (x,), {"axis": axes, "keepdims": bool(keepdims)})
    rest = tuple(i for i in range(len(shape)) if i not in axes)
    kept = tuple(shape[i] for i in rest)
    if axes[0] != len(rest):
        x = ops.transpose(x, (*rest, *axes))
    x = ops.reshape(x, (*kept, math.prod(shape[a] for a in axes)))
    y = bind(reduce_prod_p, (x,), {"axis": (len(rest),), "keepdims": False})
    return ops.reshape(y, kept_shape(shape, axes)) if keepdims else y


# --- maximum, minimum ----------------------------------------------------------------------------

_STEPS = "which element is the extreme one changes only in jumps"


tie_shares_p = primitive(
    "tie_shares",
    "x extreme",
    family="reduction",
    shape=lambda x, extreme, axis: x,
    no_derivative=_STEPS,
    batch=batch_axis,
)


def _shares(x: Tensor, ans: Tensor, axis: tuple[int, ...], keepdims: bool) -> Tensor:
    """Return each extreme element's share of the derivative, as TensorFlow: 1/k for k ties."""
    if not keepdims:
        ans = ops.reshape(ans, kept_shape(tuple(x.shape), axis))
    return bind(tie_shares_p, (x, ans), {"axis": axis})


def _weighted(
    name: str, weights: Callable[..., Any], jvp: Callable[..., Any] | None = None
) -> Primitive:
    """Define a reduction whose derivative is `weights(x, ans, axis, keepdims)`.

    `jvp` is its forward rule, if that is not the sum of the weighted tangents.
    """
    return primitive(
        name,
        "x",
        family="reduction",
        shape=reduced_shape,
        batch=batch_axis,
        vjp={
            "x": lambda g, x, ans, axis, keepdims: (
                _with_ones(g, x.shape, axis, keepdims) * weights(x, ans, axis, keepdims)
            )
        },
        jvp={
            "x": jvp
            or (
                lambda t, x, ans, axis, keepdims: reduce_sum(
                    t * weights(x, ans, axis, keepdims), axis, keepdims
                )
            )
        },
    )


def _extreme(name: str, op: str, word: str) -> Callable[..., Any]:
    prim = _weighted(name, _shares)
    return _reducer(prim, op, REALS, f"Compute the {word} over `axis`; nan if there is a nan.")


reduce_max = _extreme("reduce_max", "Max", "maximum")
reduce_min = _extreme("reduce_min", "Min", "minimum")

# --- truth ---------------------------------------------------------------------------------------


def _truth(name: str, op: str, doc: str) -> Callable[..., Any]:
    prim = primitive(
        name,
        "x",
        family="reduction",
        shape=reduced_shape,
        batch=batch_axis,
        no_derivative="the result is true or false, not a number",
    )
    return _reducer(prim, op, BOOL, doc)


reduce_any = _truth("reduce_any", "Any", "Return whether any element along `axis` is true.")
reduce_all = _truth("reduce_all", "All", "Return whether all elements along `axis` are true.")


def count_nonzero(
    x: TensorLike,
    axis: int | None = None,
    keepdims: bool | None = False,
    dtype: DType | str = "int64",
) -> Tensor:
    """Count the elements along `axis` that are not 0 (false, an empty string)."""
    x = to_tensor(x)
    check_dtype("count_nonzero", ANY, x)
    zero = b"" if x.dtype.name == "string" else 0
    hit = x if x.dtype.is_bool else ops.not_equal(x, Tensor(np.asarray(zero, x._data.dtype)))
    return ops.cast(reduce_sum(ops.cast(hit, "int64"), axis, bool(keepdims)), dtype)


# --- the logarithm of a sum of exponentials ------------------------------------------------------


def _softmax(x: Tensor, ans: Tensor, axis: tuple[int, ...], keepdims: bool) -> Tensor:
    # With an infinite ans this is nan at the infinite elements and 0 elsewhere, as TensorFlow's.
    return ops.exp(x - _with_ones(ans, tuple(x.shape), axis, keepdims))


reduce_logsumexp = _reducer(
    _weighted("reduce_logsumexp", _softmax),
    "Logsumexp",
    FLOATS,
    "Compute log(sum(exp(x))) over `axis`, without overflow.",
)

# --- norm, variance ------------------------------------------------------------------------------


def _direction(x: Tensor, ans: Tensor, axis: tuple[int, ...], keepdims: bool) -> Tensor:
    # At 0 this is 0/0: the gradient of the norm is nan there, as TensorFlow's.
    return x / _with_ones(ans, tuple(x.shape), axis, keepdims)


def _norm_tangent(
    t: Any, x: Any, ans: Any, axis: tuple[int, ...], keepdims: bool, x_dtype: Any
) -> Any:
    # The vjp for a complex x scales by g, as TensorFlow's, not by its real part: the same for real
    # targets, but no transpose of this.
    along = ops.real(ops.conj(_direction(x, ans, axis, keepdims)) * t)
    return ops.cast(reduce_sum(along, axis, keepdims), x_dtype)


reduce_euclidean_norm = _reducer(
    _weighted("reduce_euclidean_norm", _direction, _norm_tangent),
    "EuclideanNorm",
    NUMBERS,
    "Compute the square root of the sum of squares over `axis`.",
)


def reduce_variance(x: TensorLike, axis: AxisLike = None, keepdims: bool = False) -> Tensor:
    """Compute the variance over `axis` (the population's: divided by n, not n - 1)."""
    x = to_tensor(x)
    if x._data.dtype not in INEXACT:
        raise TypeError(
            "reduce_variance: the input must be of a floating or complex dtype, got "
            f"{x.dtype.name} (shape {x.shape}). Convert it with tf.cast(x, tf.float32)."
        )
    axes = normalize_axes("Mean", axis, len(x.shape))
    distance = x - reduce_mean(x, axes, keepdims=True)
    if x.dtype.is_complex:
        return reduce_mean(ops.real(ops.conj(distance) * distance), axes, keepdims)
    return reduce_mean(ops.square(distance), axes, keepdims)


def reduce_std(x: Tensor, axis: AxisLike = None, keepdims: bool = False) -> Tensor:
    """Compute the standard deviation; its gradient is nan where all elements are equal."""
    return ops.sqrt(reduce_variance(x, axis, keepdims))


# --- argmax and argmin ---------------------------------------------------------------------------


def _arg_shape(x: Spec, axis: int, dtype: NumpyDType) -> Spec:
    return Spec(x.shape[:axis] + x.shape[axis + 1 :], dtype)


def _arg_extreme(name: str, op: str, word: str, remedy: str) -> Callable[..., Any]:
    prim = primitive(
        name,
        "x",
        family="reduction",
        shape=_arg_shape,
        batch=batch_axis,
        no_derivative="the result is an index, which changes only in jumps",
        remedy=f"Use a smooth choice, as {remedy}.",
    )

    def find(x: TensorLike, axis: AxisLike = None, dtype: DType | str = "int64") -> Tensor:
        x, dtype = to_tensor(x), as_dtype(dtype)
        check_dtype(op, REALS | BOOL, x)
        if dtype.name not in ("int16", "uint16", "int32", "int64"):
            raise InvalidArgumentError(
                f"{op}: output_type must be int16, uint16, int32 or int64, got {dtype.name}. "
                f"[Op:{op}]"
            )
        shape = tuple(x.shape)
        axis = normalize_axis(op, 0 if axis is None else axis, len(shape))
        if not shape[axis]:
            raise ShapeError(
                f"{op}: Reduction axis {axis} is empty in shape {list(numbers_of(shape))}. "
                f"[Op:{op}]"
            )
        return bind(prim, (x,), {"axis": axis, "dtype": dtype.dtype})

    find.__name__ = find.__qualname__ = name
    find.__doc__ = f"Return the index along `axis` (0, if None) of the first {word}, ignoring nans."
    return find


argmax = _arg_extreme(
    "argmax", "ArgMax", "maximum", "tf.nn.softmax(x), or the value itself: tf.reduce_max(x)"
)
argmin = _arg_extreme(
    "argmin", "ArgMin", "minimum", "tf.nn.softmax(-x), or the value itself: tf.reduce_min(x)"
)
