"""NumPy's tensors made from numbers: ranges, grids, simple matrices, windows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.backends.broadcasting import broadcast_shapes
from gradtape.core.convert import static_int
from gradtape.core.dtypes import as_dtype
from gradtape.core.tensor import Tensor

if TYPE_CHECKING:
    from gradtape.core.typing import DTypeLike, TensorLike

__all__ = [
    "arange",
    "bartlett",
    "blackman",
    "eye",
    "full",
    "geomspace",
    "hamming",
    "hanning",
    "kaiser",
    "linspace",
    "logspace",
    "meshgrid",
    "tri",
    "vander",
]


def _number(value):
    """Return a Python number, also where a tensor holds it."""
    value = ops.static_value(value)
    return value.item() if hasattr(value, "item") else value


def arange(start, stop=None, step=None, dtype=None):
    """Return numbers from start to (not including) stop; from 0, if only one is given."""
    if stop is None:
        start, stop = 0, start
    bounds = [_number(value) for value in (start, stop, 1 if step is None else step)]
    wanted = as_dtype(dtype).dtype
    if wanted.kind in "iufc":
        return Tensor(np.arange(*bounds, dtype=wanted))
    # Half precision types from outside NumPy: counted in float32, then rounded.
    return Tensor(np.arange(*bounds, dtype=np.float32).astype(wanted))


def full(shape, fill_value, dtype):
    """Return a tensor filled with one value, or with a value that broadcasts."""
    return ops.broadcast_to(ops.cast(ops.to_tensor(fill_value), dtype), shape)


def eye(N, M=None, k=0, dtype: DTypeLike = "float32"):
    """Return ones on the diagonal k of a matrix, zeros elsewhere."""
    rows, columns = _number(N), None if M is None else _number(M)
    return Tensor(np.eye(rows, columns, _number(k), dtype=as_dtype(dtype).dtype))


def tri(N, M=None, k=0, dtype: DTypeLike = "float32"):
    """Return ones on and below the diagonal k of a matrix, zeros above."""
    rows = _number(N)
    below = below_diagonal("tri", rows, rows if M is None else _number(M), k)
    return Tensor(below.astype(as_dtype(dtype).dtype))


def below_diagonal(op: str, rows: int, columns: int, k, shift: int = 0) -> np.ndarray:
    """Return which elements of a matrix lie on its diagonal k + shift or below."""
    # Beyond the corners all diagonals are alike.
    diagonal = min(max(static_int(k, f"{op}: k") + shift, -rows - 1), columns + 1)
    return np.tri(rows, columns, diagonal, dtype=bool)


def meshgrid(*x, indexing="xy"):
    """Return the coordinates of a grid, a tensor for each axis."""
    return ops.meshgrid(*x, indexing=indexing)


def vander(x, N=None, increasing=False):
    """Return the powers of each element, from N - 1 down to 0 (or up from 0), as rows."""
    x = ops.to_tensor(x)
    if x.ndim != 1:
        raise ValueError(f"vander: a vector is wanted, got shape {tuple(x.shape)}.")
    size = x.shape[0]
    count = size if N is None else N
    column = ops.reshape(x, (size, 1))
    # Products rather than powers: their derivatives are right at 0 too.
    factors = [ops.ones((size, 1), x.dtype), ops.broadcast_to(column, (size, max(count - 1, 0)))]
    powers = ops.cumprod(ops.concat(factors, 1), 1)
    powers = ops.slice_along(powers, 1, 0, count)
    return powers if increasing else ops.reverse(powers, [1])


# --- spaces ---------------------------------------------------------------------------------------


def linspace(start, stop, num=50, endpoint=True, retstep=False, axis=0):
    """Return numbers in equal steps from start to stop, along a new axis; and the step, if
    asked."""
    start, stop = ops.operands("linspace", start, stop)
    num = ops.static_int(num)
    points = ops.linspace(start, stop, num if endpoint else num + 1, axis)
    if not endpoint:
        along = ops.normalize_axis("linspace", axis, points.ndim)
        points = ops.slice_along(points, along, 0, num)
    if not retstep:
        return points
    parts = num - 1 if endpoint else num
    return points, (stop - start) / parts if parts else (stop - start) * np.nan


def logspace(start, stop, num=50, endpoint=True, base: TensorLike = 10, axis=0):
    """Return the powers of a base with exponents in equal steps."""
    exponents: Any = linspace(start, stop, num, endpoint, axis=axis)
    return ops.pow(ops.operands("logspace", exponents, base)[1], exponents)


def geomspace(start, stop, num=50, endpoint=True, axis=0):
    """Return numbers in equal ratios from start to stop, which have one sign."""
    start, stop = ops.operands("geomspace", start, stop)
    num = ops.static_int(num)
    shape = broadcast_shapes(tuple(start.shape), tuple(stop.shape))
    start, stop = ops.broadcast_to(start, shape), ops.broadcast_to(stop, shape)
    direction = ops.stop_gradient(ops.sign(start))
    exponents = linspace(
        ops.log(start * direction), ops.log(stop * direction), num, endpoint, axis=axis
    )
    axis = ops.normalize_axis("geomspace", axis, len(shape) + 1)
    points = ops.exp(exponents) * ops.expand_dims(direction, axis)
    # The ends are given, so they are exact.
    first, last = ops.expand_dims(start, axis), ops.expand_dims(stop, axis)
    if num < 1:
        return points
    if not endpoint or num == 1:
        return ops.concat([first, ops.slice_along(points, axis, 1, None)], axis)
    return ops.concat([first, ops.slice_along(points, axis, 1, -1), last], axis)


# --- windows --------------------------------------------------------------------------------------


def _define_window(make, doc: str):
    def function(x):
        return Tensor(make(ops.static_int(x)))

    function.__doc__ = doc
    return function


bartlett = _define_window(
    np.bartlett, "Return the triangular window of x points, 0 at both ends (float64)."
)
blackman = _define_window(np.blackman, "Return a Blackman window of x points (float64).")
hamming = _define_window(np.hamming, "Return a Hamming window of x points (float64).")
hanning = _define_window(np.hanning, "Return a Hann window of x points (float64).")


def kaiser(x, beta):
    """Return a Kaiser window of x points (float64)."""
    return Tensor(np.kaiser(ops.static_int(x), float(_number(beta))))
