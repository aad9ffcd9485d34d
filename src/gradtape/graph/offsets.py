"""Finds what an integer in a trace was computed from: i + 3 - 1 is i, with 2 added."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape.core.symbolic_tensor import SymbolicTensor
from gradtape.graph.graph import Node, Value

_SAME_NUMBER = ("broadcast_to", "cast", "identity", "reshape")


def offset_of(x: Any) -> tuple[Any, int]:
    """Return (a value, the integer that was added to it) for a traced integer."""
    trace, value, total = x._interpreter, x._value, 0
    while True:
        node = next((n for n in reversed(trace.nodes) if value in n.outputs), None)
        if node is None:
            break
        step = _undo(node)
        if step is None:
            return value, total
        value, added = step
        total += added
    if value.constant is not None:
        number = _number(value)
        return (value, total) if number is None else (None, total + number)
    for tensor, known in trace._captured.values():
        if known is value and isinstance(tensor, SymbolicTensor):
            base, more = tensor._offset()
            return base, total + more
    return value, total


def _undo(node: Node) -> tuple[Value, int] | None:
    """Return the input of a node and the integer that the node adds to it; None if it does more."""
    if node.prim.name in _SAME_NUMBER:
        return node.inputs[0], 0
    if node.prim.name not in ("add", "subtract"):
        return None
    x, y = node.inputs
    sign = 1 if node.prim.name == "add" else -1
    number = _number(y)
    if number is not None:
        return x, sign * number
    number = _number(x)
    return None if number is None or sign < 0 else (y, number)


def _number(value: Value) -> int | None:
    """Return the one integer that all elements of a constant are."""
    if value.constant is None:
        return None
    array = np.asarray(value.constant.numpy())
    if array.dtype.kind not in "iu" or array.size == 0 or (array != array.flat[0]).any():
        return None
    return int(array.flat[0])
