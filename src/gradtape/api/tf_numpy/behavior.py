"""`experimental_enable_numpy_behavior`: tensors with NumPy's methods, promotion and indexing."""

from __future__ import annotations

import functools
import math
import numbers

import numpy as np

from gradtape import ops
from gradtape.api.tf_numpy import elementwise, indexing, products, reductions, shapes
from gradtape.api.tf_numpy.promotion import numpy_name, prefer_float32, promote
from gradtape.core.tensor import Tensor, TensorBase
from gradtape.engine.variable import Variable

_OPERATORS = (
    "__add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __pow__ __and__ __or__ __xor__ "
    "__radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rmod__ __rpow__ __rand__ __ror__ "
    "__rxor__ __lt__ __le__ __gt__ __ge__ __eq__ __ne__"
).split()
_PROMOTED = (TensorBase, np.ndarray, np.generic, numbers.Number, list, tuple)
_enabled: set[str] = set()


@numpy_name("experimental_enable_numpy_behavior")
def experimental_enable_numpy_behavior(
    prefer_float32=False, dtype_conversion_mode="legacy"
) -> None:
    """Give tensors NumPy's methods (`T`, `reshape` …), promotion of dtypes, and indexing.

    It holds for the rest of the process.
    """
    if dtype_conversion_mode not in ("legacy", "off"):
        raise NotImplementedError(
            f"experimental_enable_numpy_behavior: dtype_conversion_mode={dtype_conversion_mode!r} "
            "(weak dtypes) is not supported. Use 'legacy', which is NumPy's promotion."
        )
    _set_preference(prefer_float32)
    if "methods" not in _enabled:
        _enabled.add("methods")
        _add_methods()
    if dtype_conversion_mode == "legacy" and "promotion" not in _enabled:
        _enabled.add("promotion")
        _promote_operands()


_set_preference = prefer_float32


def _reshape_method(self, *newshape, order="C"):
    if len(newshape) == 1 and not isinstance(newshape[0], int):
        newshape = newshape[0]
    return shapes.reshape(self, newshape, order)


def _add_methods() -> None:
    methods = {
        "T": property(shapes.transpose),
        "size": property(lambda self: math.prod(self.shape)),
        "data": property(lambda self: self),
        "tolist": lambda self: self.numpy().tolist(),
        "astype": lambda self, dtype, name=None: ops.cast(self, dtype),
        "transpose": shapes.transpose,
        "flatten": shapes.flatten,
        "reshape": _reshape_method,
        "ravel": shapes.ravel,
        "clip": elementwise.clip,
        "max": reductions.amax,
        "mean": reductions.mean,
        "min": reductions.amin,
        "__round__": elementwise.around,
        "__pos__": lambda self: self,
        "__getitem__": indexing.getitem,
    }
    for name, method in methods.items():
        setattr(Tensor, name, method)


def _promoting(operate):
    @functools.wraps(operate)
    def operator(x, y):
        if type(x) is type(y) is Tensor and x.dtype is y.dtype:
            return operate(x, y)
        return operate(*promote(x, y)) if isinstance(y, _PROMOTED) else operate(x, y)

    return operator


def _promote_operands() -> None:
    for cls in (Tensor, Variable):
        for name in _OPERATORS:
            setattr(cls, name, _promoting(getattr(cls, name)))
        cls.__matmul__ = products.matmul  # pyright: ignore[reportAttributeAccessIssue] (operators are replaced on purpose)
        cls.__rmatmul__ = lambda y, x: products.matmul(x, y)  # pyright: ignore[reportAttributeAccessIssue] (operators are replaced on purpose)
