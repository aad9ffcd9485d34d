"""Norms, and clipping by them."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices

# --- norms ---------------------------------------------------------------------------------------


def _check_norm(ord: Any, axis) -> tuple[int, ...] | None:
    """Return the axes of a norm as a tuple; TensorFlow's errors for what has no norm."""
    is_matrix = isinstance(axis, (list, tuple)) and len(axis) == 2
    is_integer = [isinstance(a, (int, np.integer)) for a in axis] if is_matrix else []
    if is_matrix:
        if not all(is_integer) or axis[0] == axis[1]:
            raise ValueError(
                f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}"
            )
        if ord not in ("euclidean", "fro", 1, 2, np.inf):
            raise ValueError(
                "'ord' must be a supported matrix norm in ['euclidean', 'fro', 1, 2, inf], got "
                f"{ord}"
            )
        return tuple(axis)
    if axis is not None and not isinstance(axis, (int, np.integer)):
        raise ValueError(
            f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}"
        )
    if ord != "euclidean" and not (isinstance(ord, numbers.Real) and float(ord) > 0):
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
    return None if axis is None else (int(axis),)


@export("norm", "linalg.norm")
def norm(tensor, ord: Any = "euclidean", axis=None, keepdims=None, name=None) -> Tensor:
    """Return the norm of vectors (one axis, or all elements) or of matrices (two axes).

    The gradient of the Euclidean norm of zeros is nan, as TensorFlow's.
    """
    axes = _check_norm(ord, axis)
    x = ops.to_tensor(tensor)
    keepdims = bool(keepdims)
    is_matrix = axes is not None and len(axes) == 2
    if ord == 2 and is_matrix:
        return _spectral_norm(x, axes, keepdims)
    if ord in ("fro", "euclidean", 2):
        return ops.sqrt(ops.reduce_sum(x * ops.conj(x), axes, keepdims))
    size = ops.abs(x)
    if axes is not None and len(axes) == 2:
        rows, columns = axes if ord == 1 else axes[::-1]
        sums = ops.reduce_sum(size, rows, keepdims=True)
        largest = ops.reduce_max(sums, columns, keepdims=True)
        return largest if keepdims else ops.squeeze(largest, axes)
    if ord == 1:
        return ops.reduce_sum(size, axes, keepdims)
    if ord == np.inf:
        return ops.reduce_max(size, axes, keepdims)
    return ops.reduce_sum(size**ord, axes, keepdims) ** (1.0 / ord)


def _spectral_norm(x, axes, keepdims):
    axes = [ops.normalize_axis("norm", a, x.ndim) for a in axes]
    rest = [a for a in range(x.ndim) if a not in axes]
    largest = ops.reduce_max(ops.svd_values(ops.transpose(x, [*rest, *axes])), -1)
    if keepdims:
        shape = [1 if a in axes else n for a, n in enumerate(x.shape)]
        return ops.reshape(largest, shape)
    return largest


@export("linalg.normalize")
def normalize(tensor, ord="euclidean", axis=None, name=None) -> tuple[Tensor, Tensor]:
    """Return the tensor divided by its norm, and the norm (with its axes kept)."""
    tensor = ops.to_tensor(tensor)
    size = ops.cast(norm(tensor, ord, axis, keepdims=True), tensor.dtype)
    return tensor / size, size


@export("linalg.l2_normalize", "math.l2_normalize", "nn.l2_normalize")
def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None) -> Tensor:
    """Return x divided by its Euclidean norm along `axis`, at least sqrt(epsilon)."""
    x = ops.to_tensor(x)
    axis = dim if axis is None else axis
    squares = ops.square(x) if not x.dtype.is_complex else ops.real(x * ops.conj(x))
    total = ops.reduce_sum(squares, axis, keepdims=True)
    return x * ops.cast(ops.rsqrt(ops.maximum(total, epsilon)), x.dtype)


# --- clipping ------------------------------------------------------------------------------------


def _values(t):
    return t.values if isinstance(t, IndexedSlices) else ops.to_tensor(t)


def _like(t, values):
    """Return new values in the form of t: rows of IndexedSlices, or a tensor."""
    return (
        IndexedSlices(values, t.indices, t._dense_shape) if isinstance(t, IndexedSlices) else values
    )


def _tensor_list(t_list) -> list:
    if not isinstance(t_list, (list, tuple)):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    return list(t_list)


@export("linalg.global_norm")
def global_norm(t_list, name=None) -> Tensor:
    """Return the Euclidean norm of all tensors of a list together; None counts as nothing."""
    total = None
    for t in _tensor_list(t_list):
        if t is not None:
            part = ops.reduce_sum(ops.square(_values(t)))
            total = part if total is None else total + part
    return ops.to_tensor(0.0) if total is None else ops.sqrt(total)


@export("clip_by_global_norm")
def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    """Return the tensors scaled so that their norm together is at most clip_norm, and that norm.

    If the norm is not finite, all results are nan.
    """
    tensors = _tensor_list(t_list)
    use_norm = global_norm(tensors) if use_norm is None else ops.to_tensor(use_norm)
    scale = clip_norm * ops.minimum(1.0 / use_norm, 1.0 / ops.to_tensor(clip_norm, use_norm.dtype))
    scale = scale + (use_norm - use_norm)
    clipped = [
        None if t is None else _like(t, _values(t) * ops.cast(scale, _values(t).dtype))
        for t in tensors
    ]
    return clipped, use_norm


@export("clip_by_norm")
def clip_by_norm(t, clip_norm, axes=None, name=None):
    """Return t scaled so that its Euclidean norm (along `axes`) is at most clip_norm."""
    values = _values(t)
    total = ops.reduce_sum(values * values, axes, keepdims=True)
    positive = total > 0
    # Two selections, so that the derivative of the root at 0 is never taken.
    safe = ops.where(positive, total, ops.ones_like(total))
    size = ops.where(positive, ops.sqrt(safe), total)
    scaled = values * clip_norm
    TensorShape(values.shape).assert_is_compatible_with(scaled.shape)
    return _like(t, scaled / ops.maximum(size, clip_norm))


@export("compat.v1.clip_by_average_norm")
def clip_by_average_norm(t, clip_norm, name=None):
    """Return t scaled so that its Euclidean norm per element is at most clip_norm."""
    values = _values(t)
    count = float(math.prod(values._data.shape))
    inverse = ops.rsqrt(ops.reduce_sum(values * values))
    return _like(t, values * clip_norm * ops.minimum(inverse * count, 1.0 / clip_norm))
