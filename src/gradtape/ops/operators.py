"""The operators (`x + y` and others) of tensors and, through `install`, of variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.backends.broadcasting import broadcast_shapes
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
from gradtape.core.tensor import Tensor, TensorBase
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.ops.families import INEXACT, NUMBERS, scalar_types
from gradtape.ops.rule_programs import record_rule

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.typing import TensorLike

__all__ = ["install"]

_KNOWN = (TensorBase, np.ndarray, np.generic, int, float, complex, str, bytes, list, tuple)


def _left(op: Callable[..., Any], reflected: str) -> Callable[..., Any]:
    """Return `x ∘ y`.

    It defers to the reflected operator of a class that gradtape does not know.
    """

    def operate(x: Any, y: Any) -> Any:
        try:
            return op(x, y)
        except (TypeError, ValueError):
            if isinstance(y, _KNOWN) or not hasattr(type(y), reflected):
                raise
            return NotImplemented

    return operate


def _fast_path(
    name: str, prim: Primitive, allowed: frozenset[Any], operate: Callable[..., Any]
) -> Callable[..., Any]:
    """Return `operate` with a direct call of `bind` for numbers, and tensors of matching dtypes.

    It saves a call for the most common ops, and puts the user's frame where a tape looks first.
    """
    scalars = scalar_types(allowed)

    def operator(x: Any, y: Any) -> Any:
        a, b = x, y
        try:
            if type(x) is not Tensor or (type(y) is not Tensor and type(y) is not float):
                a, b = operands(name, x, y)
            elif type(y) is float:
                b = NUMBERS_AS_TENSORS[y, float, x._data.dtype]
        except (TypeError, ValueError):
            return operate(x, y)  # raises an error that explains
        kind = type(a._data)
        if kind is type(b._data) and kind in scalars:
            return bind(prim, (a, b))
        dtype = a._data.dtype
        if dtype is b._data.dtype and dtype in allowed:
            return bind(prim, (a, b))
        return operate(x, y)

    return operator


def _squaring(operate: Callable[..., Any]) -> Callable[..., Any]:
    """Return `x**y` with the same fast path for the most common power."""
    square = PRIMITIVES["square"]

    def power(x: TensorLike, y: TensorLike) -> Any:
        if type(y) is int and y == 2:
            base = x if type(x) is Tensor else to_tensor(x)
            if base._data.dtype in NUMBERS:
                return bind(square, (base,))
        return operate(x, y)

    return power


def _right(op: Callable[..., Any]) -> Callable[..., Any]:
    return lambda y, x: op(x, y)


def _logical_or_bitwise(name: str) -> Callable[..., Any]:
    """Return `&`, `|` or `^`: logical for bool, bitwise for integers."""

    def op(x: Any, y: Any) -> Tensor:
        own = x if isinstance(x, TensorBase) else y
        kind = "logical" if own.dtype.is_bool else "bitwise"
        return getattr(ops, f"{kind}_{name}")(x, y)

    return op


def _product(x: Any, y: Any) -> Tensor:
    """Return `x * y`. Of bools it is whether both are true, as in NumPy and JAX, which libraries
    for several backends of Keras count on; TensorFlow refuses it."""
    if _is_bool(x) and _is_bool(y):
        return ops.logical_and(x, y)
    return ops.multiply(x, y)


def _is_bool(x: Any) -> bool:
    return isinstance(x, TensorBase) and x.dtype.is_bool


def invert(x: Tensor) -> Tensor:
    """Compute `~x`: logical not for bool, bitwise not for integers."""
    return ops.logical_not(x) if x.dtype.is_bool else ops.bitwise_invert(x)


def _comparison(op: Callable[..., Any], otherwise: bool) -> Callable[..., Any]:
    """Return `==` or `!=`. Values that cannot be compared elementwise are unequal."""

    def compare(x: Any, y: Any) -> Tensor | bool:
        if y is None:
            return otherwise
        try:
            return op(x, y)
        except OpError:
            shapes = (to_tensor(x)._data.shape, to_tensor(y, _dtype_for(x, y))._data.shape)
            try:
                broadcast_shapes(*shapes)
            except ValueError:
                return Tensor(np.bool_(otherwise))
            raise

    return compare


def _dtype_for(x: Tensor, y: TensorLike) -> Any:
    return None if is_tensor_like(y) else x.dtype


def iterate(x: TensorLike) -> Any:
    """Iterate over the rows of a tensor.

    They are unstacked at once: their gradients are one stack, not a sum of n.
    """
    x = to_tensor(x)
    if not x._data.shape:
        raise TypeError("Cannot iterate over a scalar tensor.")
    return iter(ops.unstack(x))


def _operators() -> dict[Any, Any]:
    arithmetic = {
        "add": ops.add,
        "sub": ops.subtract,
        "mul": _product,
        "truediv": ops.truediv,
        "floordiv": ops.floordiv,
        "mod": ops.floormod,
        "pow": ops.pow,
        "matmul": ops.matmul,
        "and": _logical_or_bitwise("and"),
        "or": _logical_or_bitwise("or"),
        "xor": _logical_or_bitwise("xor"),
    }
    fast = {
        "add": ("add", NUMBERS),
        "sub": ("subtract", NUMBERS),
        "mul": ("multiply", NUMBERS),
        "truediv": ("divide", INEXACT),
    }
    methods = {f"__{name}__": _left(op, f"__r{name}__") for name, op in arithmetic.items()}
    for name, (prim, allowed) in fast.items():
        dunder = f"__{name}__"
        methods[dunder] = _fast_path(name, PRIMITIVES[prim], allowed, methods[dunder])
    methods["__pow__"] = _squaring(methods["__pow__"])
    methods |= {f"__r{name}__": _right(op) for name, op in arithmetic.items()}
    return methods | {
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
    """Add the operators to a class. Methods that the class defines itself are kept."""
    operators = {name: filters_tracebacks(each) for name, each in _operators().items()}
    if extension is not None:
        extension.use_primitives(PRIMITIVES)
        connect(operators=operators, constant=number_as_tensor, record_rule=record_rule)
    for name, function in operators.items():
        own = name in vars(cls) and cls is not Tensor
        if not own and not (extension and name in vars(extension.Operators)):
            setattr(cls, name, function)
