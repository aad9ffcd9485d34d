"""Type aliases for annotations: what functions accept from their callers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

import numpy as np

if TYPE_CHECKING:
    from gradtape.core.dtypes import DType
    from gradtape.core.primitive import Primitive
    from gradtape.core.tensor import Spec, Tensor, TensorBase


class SupportsTensor(Protocol):
    """A value of another library, or of a Keras layer, that converts itself to a tensor."""

    def __tf_tensor__(self, dtype: Any = None) -> Any: ...


class SupportsArray(Protocol):
    """A value that converts itself to a NumPy array."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any: ...


# What `to_tensor` takes: tensors, variables, arrays, Python's values and (nested) lists of them.
TensorLike: TypeAlias = Union[
    "TensorBase",
    SupportsTensor,
    SupportsArray,
    "np.ndarray[Any, Any]",
    np.generic,
    complex,  # and float, int, bool
    str,
    bytes,
    Sequence[Any],
]
Array: TypeAlias = np.ndarray[Any, Any]
NumpyDType: TypeAlias = np.dtype[Any]
# What `as_dtype` takes.
DTypeLike: TypeAlias = Union["DType", NumpyDType, type, str, int]
# A size or an axis, also as a tensor or a NumPy integer.
IntLike: TypeAlias = Union[int, np.integer[Any], "TensorBase"]
Shape: TypeAlias = tuple[int, ...]
# A shape as users give it: one number, several, or a tensor of them.
ShapeLike: TypeAlias = IntLike | Sequence[Any] | Array | None
# None means all axes.
AxisLike: TypeAlias = IntLike | Sequence[Any] | Array | None
Params: TypeAlias = dict[str, Any]
Tensors: TypeAlias = Sequence["Tensor"]
# Batching rule: (primitive, size, which inputs are batched, inputs, parameters).
BatchRule: TypeAlias = Callable[["Primitive", int, Sequence[bool], Sequence[Any], Any], Any]
ShapeRule: TypeAlias = Callable[..., Union["Spec", tuple["Spec", ...]]]
