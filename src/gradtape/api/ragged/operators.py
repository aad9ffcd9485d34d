"""Python's operators on ragged tensors: the ops, which take them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.api.ragged.broadcasting import elementwise
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.core.errors import InvalidArgumentError


def _comparison(op: Callable, otherwise: bool) -> Callable:
    """Return `==` or `!=`. Values that cannot be compared elementwise are unequal."""

    def compare(x: Any, y: Any) -> Any:
        if y is None:
            return otherwise
        try:
            return op(x, y)
        except (InvalidArgumentError, TypeError, ValueError):
            return otherwise

    return compare


_BINARY = {
    "add": ops.add,
    "sub": ops.subtract,
    "mul": ops.multiply,
    "truediv": ops.truediv,
    "div": ops.truediv,
    "floordiv": ops.floordiv,
    "mod": ops.floormod,
    "pow": ops.pow,
    "and": ops.logical_and,
    "or": ops.logical_or,
    "xor": lambda x, y: elementwise(ops.logical_xor, [x, y], "logical_xor"),
}
_COMPARISONS = {
    "eq": _comparison(ops.equal, otherwise=False),
    "ne": _comparison(ops.not_equal, otherwise=True),
    "lt": ops.less,
    "le": ops.less_equal,
    "gt": ops.greater,
    "ge": ops.greater_equal,
}
_UNARY = {"neg": ops.negative, "abs": ops.abs, "invert": ops.logical_not}


def _install() -> None:
    for name, op in (_BINARY | _COMPARISONS).items():
        setattr(RaggedTensor, f"__{name}__", lambda x, y, op=op: op(x, y))
    for name, op in _BINARY.items():
        setattr(RaggedTensor, f"__r{name}__", lambda x, y, op=op: op(y, x))
    for name, op in _UNARY.items():
        setattr(RaggedTensor, f"__{name}__", lambda x, op=op: op(x))


_install()
