"""What `x + y` and the other operators mean, for tensors and (through `install`) variables."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.core.convert import is_tensor_like, to_tensor
from gradtape.core.errors import OpError
from gradtape.core.tensor import Tensor, TensorLike

__all__ = ["install"]

_KNOWN = (TensorLike, np.ndarray, np.generic, int, float, complex, str, bytes, list, tuple)


def _left(op, reflected: str):
    """`x ∘ y`. A class that gradtape does not know may answer with its reflected operator."""

    def operate(x, y):
        try:
            return op(x, y)
        except (TypeError, ValueError):
            if isinstance(y, _KNOWN) or not hasattr(type(y), reflected):
                raise
            return NotImplemented

    return operate


def _right(op):
    return lambda y, x: op(x, y)


def _logical_or_bitwise(name: str):
    """`&`, `|`, `^`: logical for bool, bit by bit for integers."""

    def op(x, y):
        own = x if isinstance(x, TensorLike) else y
        kind = "logical" if own.dtype.is_bool else "bitwise"
        return getattr(ops, f"{kind}_{name}")(x, y)

    return op


def invert(x):
    """`~x`: not, for bool; all bits turned, for integers."""
    return ops.logical_not(x) if x.dtype.is_bool else ops.bitwise_invert(x)


def _comparison(op, otherwise: bool):
    """`==` and `!=`. What cannot be compared element by element is simply different."""

    def compare(x, y):
        if y is None:
            return otherwise
        try:
            return op(x, y)
        except OpError:
            shapes = (to_tensor(x)._data.shape, to_tensor(y, _dtype_for(x, y))._data.shape)
            try:
                np.broadcast_shapes(*shapes)
            except ValueError:
                return Tensor(np.bool_(otherwise))
            raise

    return compare


def _dtype_for(x, y):
    return None if is_tensor_like(y) else x.dtype


def iterate(x):
    """The rows of a tensor, read at once: their gradients are then one stack, not a sum of n."""
    x = to_tensor(x)
    if not x._data.shape:
        raise TypeError("Cannot iterate over a scalar tensor.")
    return iter(ops.unstack(x))


def _operators() -> dict:
    arithmetic = {
        "add": ops.add,
        "sub": ops.subtract,
        "mul": ops.multiply,
        "truediv": ops.truediv,
        "floordiv": ops.floordiv,
        "mod": ops.floormod,
        "pow": ops.pow,
        "matmul": ops.matmul,
        "and": _logical_or_bitwise("and"),
        "or": _logical_or_bitwise("or"),
        "xor": _logical_or_bitwise("xor"),
    }
    found = {f"__{name}__": _left(op, f"__r{name}__") for name, op in arithmetic.items()}
    found |= {f"__r{name}__": _right(op) for name, op in arithmetic.items()}
    return found | {
        "__neg__": ops.negative,
        "__abs__": ops.abs,
        "__invert__": invert,
        "__lt__": _left(ops.less, "__gt__"),
        "__le__": _left(ops.less_equal, "__ge__"),
        "__gt__": _left(ops.greater, "__lt__"),
        "__ge__": _left(ops.greater_equal, "__le__"),
        "__eq__": _comparison(ops.equal, False),
        "__ne__": _comparison(ops.not_equal, True),
        "__getitem__": ops.getitem,
        "__iter__": iterate,
    }


def install(cls: type) -> None:
    """Give a class the operators. A method that the class defines itself stays as it is."""
    for name, function in _operators().items():
        if cls is Tensor or name not in vars(cls):
            setattr(cls, name, function)
