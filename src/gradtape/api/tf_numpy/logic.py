"""Comparisons and tests of each element, by NumPy's names."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.tf_numpy.elementwise import binary
from gradtape.api.tf_numpy.promotion import as_float, asarray, export_made, numpy_name, promote
from gradtape.core.tensor import Tensor

for _compare in (
    names.equal,
    names.not_equal,
    names.less,
    names.less_equal,
    names.greater,
    names.greater_equal,
):
    binary(_compare.__name__, _compare, _compare.__doc__)


@numpy_name("array_equal")
def array_equal(a1, a2) -> Tensor:
    """Return whether shapes and all elements are equal."""
    a1, a2 = promote(a1, a2)
    if tuple(a1.shape) != tuple(a2.shape):
        return ops.to_tensor(False)
    return ops.reduce_all(ops.equal(a1, a2))


@numpy_name("isclose")
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False) -> Tensor:
    """Return whether |a - b| <= atol + rtol |b|; of integers, whether they are equal."""
    a, b = promote(a, b)
    if not a.dtype.is_differentiable:
        return ops.equal(a, b)
    return names.isclose(a, b, rtol, atol, equal_nan)


@numpy_name("allclose")
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False) -> Tensor:
    """Return whether all elements are close."""
    return ops.reduce_all(isclose(a, b, rtol, atol, equal_nan))


# --- logic ----------------------------------------------------------------------------------------


def _logical(name: str):
    compute = getattr(names, name)

    def function(x1, x2) -> Tensor:
        return compute(asarray(x1, bool), asarray(x2, bool))

    export_made(name, function, compute.__doc__)


for _name in ("logical_and", "logical_or", "logical_xor"):
    _logical(_name)


@numpy_name("logical_not")
def logical_not(x) -> Tensor:
    """Return whether each element is 0."""
    return ops.logical_not(asarray(x, bool))


# --- kinds of numbers -----------------------------------------------------------------------------


def _test(name: str):
    compute = getattr(names, name)

    def function(x) -> Tensor:
        return compute(as_float(x))

    export_made(name, function, compute.__doc__)


for _name in ("isnan", "isfinite"):
    _test(_name)


def _test_of_infinity(name: str):
    compute = getattr(names, name)

    def function(x):
        x = asarray(x)
        # One answer for all elements where no element can be infinite, as in TensorFlow.
        return compute(x) if x.dtype.is_floating else False

    export_made(name, function, compute.__doc__)


for _name in ("isinf", "isposinf", "isneginf"):
    _test_of_infinity(_name)


@numpy_name("isreal")
def isreal(x) -> Tensor:
    """Return whether the imaginary part is 0."""
    return names.isreal(asarray(x))


@numpy_name("iscomplex")
def iscomplex(x) -> Tensor:
    """Return whether the imaginary part is not 0."""
    return ops.logical_not(names.isreal(asarray(x)))


@numpy_name("iscomplexobj")
def iscomplexobj(x) -> bool:
    """Return whether the dtype is complex."""
    return asarray(x).dtype.is_complex


@numpy_name("isrealobj")
def isrealobj(x) -> bool:
    """Return whether the dtype is not complex."""
    return not iscomplexobj(x)


@numpy_name("isscalar")
def isscalar(num: object) -> bool:
    """Return whether a value is a scalar."""
    return asarray(num).ndim == 0


@numpy_name("ndim")
def ndim(a) -> int:
    """Return the number of axes."""
    return asarray(a).ndim


@numpy_name("shape")
def shape(a):
    """Return the sizes of the axes."""
    return asarray(a).shape


@numpy_name("size")
def size(x, axis=None):
    """Return the number of elements."""
    if axis is not None:
        raise NotImplementedError("size: axis cannot be given; use x.shape[axis].")
    if isinstance(x, (int, float, np.integer, np.floating)):
        return 1
    return np.prod(tuple(asarray(x).shape), dtype=int)
