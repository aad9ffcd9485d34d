"""Tensors made from numbers, by NumPy's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.array.creation import range_
from gradtape.api.tf_numpy.promotion import array, asarray, default_float, numpy_name, result_type
from gradtape.core.tensor import Tensor


@numpy_name("asanyarray")
def asanyarray(a, dtype=None) -> Tensor:
    """Return a tensor of a value."""
    return asarray(a, dtype)


@numpy_name("ascontiguousarray")
def ascontiguousarray(a, dtype=None) -> Tensor:
    """Return a tensor of a value, with one axis at least."""
    return array(a, dtype, ndmin=1)


@numpy_name("copy")
def copy(a) -> Tensor:
    """Return the same values."""
    return array(a, copy=True)


def _float_dtype(dtype):
    return default_float() if dtype is None else result_type(dtype)


@numpy_name("zeros")
def zeros(shape, dtype=float) -> Tensor:
    """Return zeros."""
    return ops.zeros(shape, _float_dtype(dtype))


@numpy_name("ones")
def ones(shape, dtype=float) -> Tensor:
    """Return ones."""
    return ops.ones(shape, _float_dtype(dtype))


@numpy_name("empty")
def empty(shape, dtype=float) -> Tensor:
    """Return zeros: a tensor always has values."""
    return zeros(shape, dtype)


@numpy_name("zeros_like")
def zeros_like(a, dtype=None) -> Tensor:
    """Return zeros with the shape of a."""
    a = asarray(a)
    return ops.zeros(a.shape, a.dtype if dtype is None else result_type(dtype))


@numpy_name("ones_like")
def ones_like(a, dtype=None) -> Tensor:
    """Return ones with the shape of a."""
    a = asarray(a)
    return ops.ones(a.shape, a.dtype if dtype is None else result_type(dtype))


@numpy_name("empty_like")
def empty_like(a, dtype=None) -> Tensor:
    """Return zeros with the shape of a."""
    return zeros_like(a, dtype)


@numpy_name("full")
def full(shape, fill_value, dtype=None) -> Tensor:
    """Return a tensor filled with one value, or with a value that broadcasts."""
    return ops.broadcast_to(asarray(fill_value, dtype), ops.static_shape(shape, "full"))


@numpy_name("full_like")
def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None) -> Tensor:
    """Return a tensor with the shape of a, filled with one value."""
    if order != "K" or not subok or shape:
        raise ValueError(
            f"full_like: order={order!r}, subok={subok} and shape={shape} cannot be had; leave "
            "them out."
        )
    a = asarray(a)
    return full(tuple(a.shape), fill_value, a.dtype if dtype is None else dtype)


@numpy_name("eye")
def eye(N, M=None, k=0, dtype=float) -> Tensor:
    """Return ones on the diagonal k of a matrix, zeros elsewhere."""
    return names.eye(N, M or N, k, _float_dtype(dtype).name)


@numpy_name("identity")
def identity(n, dtype=float) -> Tensor:
    """Return the identity matrix."""
    return eye(n, n, dtype=dtype)


@numpy_name("tri")
def tri(N, M=None, k=0, dtype=None) -> Tensor:
    """Return ones on and below the diagonal k of a matrix, zeros above."""
    return names.tri(N, M, k, _float_dtype(dtype).name)


@numpy_name("vander")
def vander(x, N=None, increasing=False) -> Tensor:
    """Return the powers of each element, from N - 1 down to 0 (or up from 0), as rows."""
    return names.vander(asarray(x), N, increasing)


@numpy_name("meshgrid")
def meshgrid(*xi, **kwargs) -> list[Tensor]:
    """Return the coordinates of a grid, a tensor for each axis."""
    if kwargs.get("sparse", False) or not kwargs.get("copy", True):
        raise ValueError(f"meshgrid: only sparse=False and copy=True can be had, got {kwargs}.")
    return names.meshgrid(*map(asarray, xi), indexing=kwargs.get("indexing", "xy"))


@numpy_name("diag_indices")
def diag_indices(n, ndim=2) -> tuple[Tensor, ...]:
    """Return the indices of a diagonal: `ndim` times the numbers below n."""
    if n < 0 or ndim < 0:
        raise ValueError(f"diag_indices: n and ndim must not be negative, got {n} and {ndim}.")
    times = ops.static_int(ndim, "diag_indices: ndim")
    ops.check_room("diag_indices", (times,))
    return (ops.arange(0, ops.static_int(n, "diag_indices: n"), 1, "int32"),) * times


# --- ranges ---------------------------------------------------------------------------------------


@numpy_name("arange")
def arange(start, stop=None, step=1, dtype=None) -> Tensor:
    """Return numbers from start to (not including) stop, or from 0 to start."""
    if not step:
        raise ValueError("arange: step must not be zero.")
    bounds = [start, step] if stop is None else [start, step, stop]
    dtype = result_type(*bounds) if dtype is None else result_type(dtype)
    low, high = (0, start) if stop is None else (start, stop)
    if (step > 0 and low > high) or (step < 0 and low < high):
        return ops.zeros((0,), dtype)
    # Counted as TensorFlow counts: a range of the bounds' dtype, converted afterwards.
    return ops.cast(range_(low, high, step), dtype)


@numpy_name("linspace")
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=float, axis=0):
    """Return `num` numbers in equal steps from start to stop; with the step too, if `retstep`."""
    if num < 0:
        raise ValueError(f"linspace: num must not be negative, got {num}.")
    # As with NumPy 2, the dtype follows from the bounds.
    dtype = result_type(start, stop, 1.0) if dtype else None
    start, stop = (asarray(x, dtype) for x in (start, stop))
    return names.linspace(start, stop, num, endpoint, retstep, axis)


@numpy_name("logspace")
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0) -> Tensor:
    """Return the powers of a base with exponents in equal steps."""
    exponents: Any = linspace(start, stop, num, endpoint, axis=axis)
    return ops.pow(ops.cast(asarray(base), exponents.dtype), exponents)


@numpy_name("geomspace")
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0) -> Tensor:
    """Return numbers in equal ratios from start to stop, which have one sign."""
    dtype = result_type(start, stop, float(num), default_float()) if dtype is None else dtype
    dtype = result_type(dtype)
    wide = result_type(dtype, np.float32)
    points = names.geomspace(asarray(start, wide), asarray(stop, wide), num, endpoint, axis=axis)
    return ops.cast(points, dtype)
