"""What `x + y` and the other operators mean, for tensors and (through `install`) variables."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import (
    NUMBERS_AS_TENSORS,
    is_tensor_like,
    number_as_tensor,
    operands,
    to_tensor,
)
from gradtape.core.errors import OpError
from gradtape.core.native import connect, extension
from gradtape.core.primitive import PRIMITIVES
from gradtape.core.tensor import Tensor, TensorLike
from gradtape.ops.families import INEXACT, NUMBERS, scalar_types

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


def _quick(name: str, prim, allowed: frozenset, operate):
    """`operate`, with a short way to `bind` for numbers and tensors that fit each other.

    One call less for the commonest ops, which also puts the user's frame where a tape looks first.
    """
    scalars = scalar_types(allowed)

    def quick(x, y):
        a, b = x, y
        try:
            if type(x) is not Tensor or (type(y) is not Tensor and type(y) is not float):
                a, b = operands(name, x, y)
            elif type(y) is float:
                b = NUMBERS_AS_TENSORS[y, float, x._data.dtype]
        except (TypeError, ValueError):
            return operate(x, y)  # says what is wrong
        kind = type(a._data)
        if kind is type(b._data):
            if kind in scalars:
                return bind(prim, (a, b))
            dtype = a._data.dtype
            if dtype is b._data.dtype and dtype in allowed:
                return bind(prim, (a, b))
        return operate(x, y)

    return quick


def _squaring(operate):
    """`x**y`, with the same short way for the commonest power."""
    square = PRIMITIVES["square"]

    def power(x, y):
        if type(y) is int and y == 2:
            base = x if type(x) is Tensor else to_tensor(x)
            if base._data.dtype in NUMBERS:
                return bind(square, (base,))
        return operate(x, y)

    return power


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
    quick = {
        "add": ("add", NUMBERS),
        "sub": ("subtract", NUMBERS),
        "mul": ("multiply", NUMBERS),
        "truediv": ("divide", INEXACT),
    }
    found = {f"__{name}__": _left(op, f"__r{name}__") for name, op in arithmetic.items()}
    for name, (prim, allowed) in quick.items():
        dunder = f"__{name}__"
        found[dunder] = _quick(name, PRIMITIVES[prim], allowed, found[dunder])
    found["__pow__"] = _squaring(found["__pow__"])
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
    operators = _operators()
    if extension is not None:
        extension.use_primitives(PRIMITIVES)
        connect(operators=operators, constant=number_as_tensor)
    for name, function in operators.items():
        own = name in vars(cls) and cls is not Tensor
        if not own and not (extension and name in vars(extension.Operators)):
            setattr(cls, name, function)
