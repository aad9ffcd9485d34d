"""Tensors made from numbers."""

from __future__ import annotations

from keras.src.backend.common.variables import standardize_dtype
from keras.src.backend.config import floatx

from gradtape import ops
from gradtape.api import numpy_names as names
from keras_gradtape.src.conversion import cast, convert_to_tensor, numpy_dtype
from keras_gradtape.src.promotion import common_inexact, result_dtype

__all__ = [
    "arange",
    "array",
    "bartlett",
    "blackman",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "geomspace",
    "hamming",
    "hanning",
    "identity",
    "kaiser",
    "linspace",
    "logspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tri",
    "vander",
    "zeros",
    "zeros_like",
]


def _dtype(dtype):
    return numpy_dtype(floatx() if dtype is None else dtype)


def array(x, dtype=None):
    """Return a tensor with the values of x."""
    return convert_to_tensor(x, dtype)


def zeros(shape, dtype=None):
    """Return zeros."""
    return ops.zeros(shape, _dtype(dtype))


def ones(shape, dtype=None):
    """Return ones."""
    return ops.ones(shape, _dtype(dtype))


empty = zeros


def full(shape, fill_value, dtype=None):
    """Return a tensor filled with one value."""
    return names.full(shape, convert_to_tensor(fill_value), _dtype(dtype))


def _like(value):
    def function(x, dtype=None):
        return ops.fill_like(convert_to_tensor(x), value, None if dtype is None else _dtype(dtype))

    return function


zeros_like = _like(0)
zeros_like.__doc__ = "Zeros of the shape (and dtype) of x."
ones_like = _like(1)
ones_like.__doc__ = "Ones of the shape (and dtype) of x."
empty_like = zeros_like


def full_like(x, fill_value, dtype=None):
    """Return a tensor with the shape (and dtype) of x, filled with one value."""
    x = convert_to_tensor(x)
    wanted = x.dtype if dtype is None else _dtype(dtype)
    return names.full(x.shape, convert_to_tensor(fill_value), wanted)


def eye(N, M=None, k=0, dtype=None):
    """Return ones on a diagonal."""
    return names.eye(N, M, k, _dtype(dtype))


def identity(n, dtype=None):
    """Return the identity matrix."""
    return names.eye(n, dtype=_dtype(dtype))


def tri(N, M=None, k=0, dtype=None):
    """Return ones on and below a diagonal."""
    return names.tri(N, M, k, _dtype(dtype))


def vander(x, N=None, increasing=False):
    """Return the powers of each element, as rows."""
    return names.vander(convert_to_tensor(x), N, increasing)


def meshgrid(*x, indexing="xy"):
    """Return the coordinates of a grid."""
    return names.meshgrid(*map(convert_to_tensor, x), indexing=indexing)


# --- ranges ---------------------------------------------------------------------------------------


def arange(start, stop=None, step=None, dtype=None):
    """Return numbers in equal steps from start to (not including) stop."""
    if dtype is None:
        bounds = [b for b in (start, stop, step) if b is not None]
        dtype = result_dtype(*[getattr(b, "dtype", type(b)) for b in bounds])
    return names.arange(start, stop, step, numpy_dtype(standardize_dtype(dtype)))


def _ends(start, stop, dtype):
    """Return the ends in the dtype to compute in, and that of the result."""
    start, stop = common_inexact(start, stop)
    if dtype is None:
        return start, stop, start.dtype
    wanted = ops.zeros((), _dtype(dtype)).dtype
    if wanted.is_floating:
        # A wider dtype is used all along; a narrower one only at the end.
        start, stop = (
            ops.cast(x, wanted) if wanted.size > x.dtype.size else x for x in (start, stop)
        )
    return start, stop, wanted


def _round(points, dtype):
    """Return points in the wanted dtype; toward lower numbers, if that is of integers, as
    NumPy's."""
    return ops.cast(ops.floor(points) if dtype.is_integer else points, dtype)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    """Return numbers in equal steps, a given number of them."""
    start, stop, dtype = _ends(start, stop, dtype)
    points, step = names.linspace(start, stop, num, endpoint, True, axis)
    points = _round(points, dtype)
    return (points, step) if retstep else points


def logspace(start, stop, num=50, endpoint=True, base=10, dtype=None, axis=0):
    """Return powers of a base whose exponents are in equal steps."""
    start, stop, dtype = _ends(start, stop, dtype)
    base = convert_to_tensor(base, start.dtype)
    return ops.cast(names.logspace(start, stop, num, endpoint, base, axis), dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """Return numbers in equal ratios."""
    start, stop, dtype = _ends(start, stop, dtype)
    return ops.cast(names.geomspace(start, stop, num, endpoint, axis), dtype)


# --- windows --------------------------------------------------------------------------------------


def bartlett(x):
    """Return the triangular window of x points."""
    return cast(names.bartlett(x), floatx())


def blackman(x):
    """Return a Blackman window of x points."""
    return cast(names.blackman(x), floatx())


def hamming(x):
    """Return a Hamming window of x points."""
    return cast(names.hamming(x), floatx())


def hanning(x):
    """Return a Hann window of x points."""
    return cast(names.hanning(x), floatx())


def kaiser(x, beta):
    """Return a Kaiser window of x points."""
    return cast(names.kaiser(x, beta), floatx())
