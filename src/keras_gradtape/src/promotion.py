"""In which dtype to compute: Keras's promotion rule, and functions made to follow it."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from keras.src.backend.common import dtypes as keras_dtypes
from keras.src.backend.config import floatx

from gradtape import ops
from gradtape.core.convert import operands
from gradtape.core.dtypes import BY_NUMPY
from gradtape.core.tensor import Tensor
from keras_gradtape.src.conversion import SPARSE, convert_to_tensor, numpy_dtype

_BOOL = np.dtype(bool)
_INEXACT = frozenset(d for d, known in BY_NUMPY.items() if known.is_differentiable)


def _kind(x: Any) -> tuple[Any, Any]:
    """Return a tensor and its dtype, or a Python number and its type, which adapts to others."""
    if type(x) is Tensor:
        return x, x._data.dtype
    if type(x) is int or type(x) is float:
        return x, type(x)
    x = convert_to_tensor(x)
    return x, x._data.dtype


@functools.lru_cache(maxsize=4096)
def _result(precision: str, *kinds) -> np.dtype:
    strong = {kind for kind in kinds if isinstance(kind, np.dtype)}
    if len(strong) == 1:
        (dtype,) = strong
        known = BY_NUMPY[dtype]
        # A Python number beside tensors of one dtype changes it only if it is of a higher kind.
        # (Keras's own rule would also narrow 64-bit dtypes here.)
        fits = known.is_differentiable or (known.is_integer and float not in kinds)
        if fits or len(kinds) == 1 or set(kinds) == strong:
            return dtype
    names = [BY_NUMPY[k].name if isinstance(k, np.dtype) else k for k in kinds]
    return numpy_dtype(keras_dtypes.result_type(*names))


def result_dtype(*xs) -> np.dtype:
    """Return the common NumPy dtype of values, dtypes or Python types."""
    kinds = [x if isinstance(x, (np.dtype, type)) else _kind(x)[1] for x in xs]
    return _result(floatx(), *kinds)


def _to(x, dtype: np.dtype) -> Tensor:
    if type(x) is Tensor:
        return x if x._data.dtype == dtype else ops.cast(x, dtype)
    return convert_to_tensor(x, BY_NUMPY[dtype].name)


def common(x1, x2) -> tuple[Tensor, Tensor]:
    """Return two operands as tensors of their common dtype.

    This is called often: common cases first.
    """
    if type(x1) is Tensor:
        if type(x2) is Tensor:
            if x1._data.dtype == x2._data.dtype:
                return x1, x2
        elif (type(x2) is float or type(x2) is int) and x1._data.dtype in _INEXACT:
            return operands("common", x1, x2)
    x1, kind1 = _kind(x1)
    x2, kind2 = _kind(x2)
    dtype = _result(floatx(), kind1, kind2)
    return _to(x1, dtype), _to(x2, dtype)


def common_inexact(x1, x2) -> tuple[Tensor, Tensor]:
    """Return two operands as tensors of their common floating (or complex) dtype."""
    x1, kind1 = _kind(x1)
    x2, kind2 = _kind(x2)
    if kind1 is kind2 and isinstance(kind1, np.dtype) and BY_NUMPY[kind1].is_differentiable:
        return x1, x2
    dtype = _result(floatx(), kind1, kind2, float)
    return _to(x1, dtype), _to(x2, dtype)


def common_numeric(x1, x2):
    """Return two operands as tensors of their common dtype; truth values as int32."""
    x1, x2 = common(x1, x2)
    if x1._data.dtype == _BOOL:
        return ops.cast(x1, "int32"), ops.cast(x2, "int32")
    return x1, x2


def all_common(xs) -> list:
    """Return any number of operands as tensors of their common dtype."""
    pairs = [_kind(x) for x in xs]
    dtype = _result(floatx(), *[kind for _, kind in pairs])
    return [_to(x, dtype) for x, _ in pairs]


def inexact(x):
    """Return a tensor of a floating (or complex) dtype: integers become Keras's default float."""
    if type(x) is not Tensor:
        x = convert_to_tensor(x)
    dtype = x._data.dtype
    if BY_NUMPY[dtype].is_differentiable:
        return x
    return ops.cast(x, _result(floatx(), dtype, float))


def float32_or_more(x):
    """Return a tensor of a floating (or complex) dtype that is no smaller than float32."""
    x = inexact(x)
    return ops.cast(x, "float32") if x.dtype.size < 4 else x


def numeric(x):
    """Return a tensor of numbers: truth values become int32."""
    x = convert_to_tensor(x)
    return ops.cast(x, "int32") if x._data.dtype == _BOOL else x


# --- functions that follow the rule ---------------------------------------------------------------


def named_like(function, like, text: str | None = None):
    """Give a function the name of another, and its docstring or `text`."""
    function.__name__ = function.__qualname__ = like.__name__.strip("_")
    function.__doc__ = like.__doc__ or text
    return function


def unary(compute, prepare=convert_to_tensor, sparse=None):
    """Return a function of one tensor; `sparse` is the rule for a sparse one (of `sparse`)."""

    def function(x):
        if sparse is not None and type(x) in SPARSE:
            return sparse(function, x)
        return compute(prepare(x))

    return named_like(function, compute, "Of each element.")


def binary(compute, prepare=common, sparse=None):
    """Return a function of two tensors of one dtype; `sparse` is the rule if either is sparse."""

    def function(x1, x2):
        if sparse is not None and (type(x1) in SPARSE or type(x2) in SPARSE):
            return sparse(function, x1, x2)
        return compute(*prepare(x1, x2))

    return named_like(function, compute, "Of each pair of elements.")


def adapt(compute, prepare=convert_to_tensor, sparse=None):
    """Return a function whose first argument is a tensor; the others are passed on as they are."""

    @functools.wraps(compute)
    def function(x, *args, **kwargs):
        if sparse is not None and type(x) in SPARSE:
            return sparse(function, x, *args, **kwargs)
        return compute(prepare(x), *args, **kwargs)

    return function


def adapted_pair(compute, prepare=common):
    """Return a function whose first two arguments are tensors of one dtype."""

    @functools.wraps(compute)
    def function(x1, x2, *args, **kwargs):
        return compute(*prepare(x1, x2), *args, **kwargs)

    return function
