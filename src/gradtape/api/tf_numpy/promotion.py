"""Which dtype values of several dtypes get together, and how values become tensors of it."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core import nest
from gradtape.core.dtypes import DType, as_dtype
from gradtape.core.tensor import Tensor

__all__ = [
    "array",
    "as_float",
    "asarray",
    "default_float",
    "is_inexact",
    "numpy_name",
    "prefer_float32",
    "promote",
    "result_type",
]

_PREFER_FLOAT32 = [False]


def numpy_name(*names: str):
    """Export under names of `tf.experimental.numpy`."""
    return export(*(f"experimental.numpy.{name}" for name in names))


def export_made(name: str, function, doc: str | None):
    """Export a function that was made for a name of `tf.experimental.numpy`, which it gets."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return numpy_name(name)(function)


def prefer_float32(prefer: bool) -> None:
    """Set whether Python's floats are float32 from here on."""
    _PREFER_FLOAT32[0] = bool(prefer)


def _kind(value) -> Any:
    """Return what `np.result_type` should see of a value."""
    if isinstance(value, numbers.Number):
        if _PREFER_FLOAT32[0] and isinstance(value, float):
            return np.float32(value)
        if _PREFER_FLOAT32[0] and isinstance(value, complex):
            return np.complex64(value)
        return value
    if isinstance(value, (DType, str)):
        return as_dtype(value).dtype
    if value is float and _PREFER_FLOAT32[0]:
        return np.float32
    dtype = getattr(value, "dtype", None)
    return dtype.dtype if isinstance(dtype, DType) else value


@numpy_name("result_type")
def result_type(*arrays_and_dtypes) -> DType:
    """Return the common dtype of tensors, numbers and dtypes, by NumPy's promotion rules."""
    leaves = [_kind(leaf) for leaf in nest.flatten(list(arrays_and_dtypes))]
    dtype = np.result_type(*(leaves or [np.float64]))
    # A lone Python number is weak in NumPy, but makes a tensor like any other.
    return as_dtype(dtype)


@numpy_name("promote_types")
def promote_types(type1, type2) -> np.dtype:
    """Return the smallest NumPy dtype that both can be converted to."""
    return np.promote_types(as_dtype(type1).dtype, as_dtype(type2).dtype)


def default_float() -> DType:
    """Return the dtype of Python's floats."""
    return result_type(float)


def is_inexact(x) -> bool:
    return x.dtype.is_differentiable


def as_float(x):
    """Return a tensor of an inexact dtype: the default one, for integers and truth values."""
    x = asarray(x)
    return x if is_inexact(x) else ops.cast(x, default_float())


def _dtype_of(value) -> DType:
    if isinstance(value, (str, bytes)):
        return as_dtype("string")
    return result_type(value)


def _convert(value, dtype: DType):
    """Convert a value to a tensor, also where that drops fractions, as NumPy does."""
    if isinstance(value, (list, tuple)) and any(map(ops.is_tensor_like, nest.flatten(value))):
        leaves = [_tensor(leaf, dtype) for leaf in nest.flatten(value)]
        return ops.to_tensor(nest.pack_sequence_as(value, leaves), dtype)
    try:
        return ops.to_tensor(value, dtype)
    except (TypeError, ValueError):
        return ops.cast(ops.to_tensor(np.asarray(value)), dtype)


def _tensor(value, dtype: DType | None):
    if ops.is_tensor_like(value):
        value = ops.to_tensor(value)
        return value if dtype is None or value.dtype is dtype else ops.cast(value, dtype)
    return _convert(value, _dtype_of(value) if dtype is None else dtype)


@numpy_name("array")
def array(val, dtype=None, copy=True, ndmin=0) -> Tensor:
    """Return a tensor of a value; with at least `ndmin` axes."""
    if ndmin > 32:
        raise ValueError(f"array: ndmin may be 32 at most, got {ndmin}.")
    x = _tensor(val, None if dtype is None else result_type(dtype))
    if copy:
        x = ops.identity(x)
    return ops.reshape(x, (1,) * (ndmin - x.ndim) + tuple(x.shape)) if x.ndim < ndmin else x


@numpy_name("asarray")
def asarray(a, dtype=None) -> Tensor:
    """Return a tensor of a value: the value itself, if it is one."""
    if type(a) is Tensor and dtype is None:
        return a
    return array(a, dtype, copy=False)


def promote(*values) -> list:
    """Convert values to tensors of their common dtype."""
    dtype = result_type(*values)
    return [_tensor(value, dtype) for value in values]
