"""Ops that change nothing, and pairs of ops that are one: x·1, x−0, −(−x), a cast to the same…

Only what gives the same numbers, bit by bit.
"""

from __future__ import annotations

import numpy as np

from gradtape.core.primitive import PRIMITIVES
from gradtape.engine.trace.graph import Graph, Node, Value
from gradtape.engine.trace.passes.rewrite import Makers, changed, is_everywhere, rewritten


def simplified(graph: Graph) -> Graph:
    """The graph without ops that change nothing."""
    return rewritten(graph, (_neutral, _same_form, _twice, _square))


def _neutral(node: Node, makers: Makers) -> Value | None:
    """x·1, 1·x, x/1, x−0, x**1, and x+0 for integers (a float −0 would become 0)."""
    name, inputs, out = node.prim.name, node.inputs, node.outputs

    def unless_broadcast(value: Value) -> Value | None:
        return value if value.spec == out[0].spec else None

    if name in ("multiply", "divide") and is_everywhere(inputs[1], 1):
        return unless_broadcast(inputs[0])
    if name == "multiply" and is_everywhere(inputs[0], 1):
        return unless_broadcast(inputs[1])
    if name == "subtract" and is_everywhere(inputs[1], 0):
        return unless_broadcast(inputs[0])
    if name == "add" and out[0].spec.dtype.kind in "iu":
        for value, other in (inputs, inputs[::-1]):
            if is_everywhere(other, 0):
                return unless_broadcast(value)
    if name == "power_by" and node.params.get("exponent") == 1:
        return unless_broadcast(inputs[0])
    return None


def _same_form(node: Node, makers: Makers) -> Value | None:
    """A cast, reshape, broadcast, transpose or sum that leaves everything as it is."""
    name = node.prim.name
    if name in ("cast", "reshape", "broadcast_to", "conj", "real"):
        x = node.inputs[0]
        if x.spec == node.outputs[0].spec and x.spec.dtype.kind != "c":
            return x
    if name == "transpose":
        order = node.params["permutation"]
        return node.inputs[0] if tuple(order) == tuple(range(len(order))) else None
    if name == "reduce_sum" and node.params["axis"] == ():
        return node.inputs[0]
    return None


def _twice(node: Node, makers: Makers) -> Value | Node | None:
    """−(−x), two transposes, two reshapes, a cast there and back."""
    name = node.prim.name
    if name not in ("negative", "transpose", "reshape", "cast"):
        return None
    before = makers.of(node.inputs[0], name)
    if before is None:
        return None
    x = before.inputs[0]
    if name == "negative":
        return x
    if name == "transpose":
        first, second = before.params["permutation"], node.params["permutation"]
        order = tuple([first[axis] for axis in second])
        if order == tuple(range(len(order))):
            return x
        return changed(node, (x,), {"permutation": order})
    if name == "reshape":
        return x if x.spec.shape == node.outputs[0].spec.shape else changed(node, (x,))
    if name == "cast" and x.spec.dtype == node.outputs[0].spec.dtype:
        # To a wider dtype and back loses nothing.
        kinds = x.spec.dtype.kind + before.outputs[0].spec.dtype.kind
        wider = before.outputs[0].spec.dtype
        if kinds in ("ff", "ii", "uu", "if") and _holds(wider, x.spec.dtype):
            return x
    return None


def _square(node: Node, makers: Makers) -> Node | None:
    """x·x is the square: then it is not computed again where the program squares x."""
    if node.prim.name != "multiply" or node.inputs[0] is not node.inputs[1]:
        return None
    return changed(node, node.inputs[:1], {}, PRIMITIVES["square"])


def _holds(wide: np.dtype, narrow: np.dtype) -> bool:
    try:
        return np.can_cast(narrow, wide, "safe")
    except TypeError:
        return False
