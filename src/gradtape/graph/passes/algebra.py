"""Algebraic simplification: x·1, x−0, −(−x), a cast to the same dtype…

Only rewrites that keep every bit of the result.
"""

from __future__ import annotations

import numpy as np

from gradtape.core.primitive import PRIMITIVES
from gradtape.core.size import surely_equal
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.passes.rewrite import (
    Producers,
    is_filled_with,
    replace_node,
    rewrite,
)


def _same_spec(a: Value, b: Value) -> bool:
    return a.spec.dtype == b.spec.dtype and surely_equal(a.spec.shape, b.spec.shape)


def simplify_algebra(graph: Graph) -> Graph:
    """Return the graph without ops that change nothing."""
    return rewrite(graph, (_neutral, _no_op_reshape, _inverse_pairs, _square))


def _neutral(node: Node, producers: Producers) -> Value | None:
    """Simplify x·1, 1·x, x/1, x−0, x**1, and x+0 for integers (a float −0 would become 0)."""
    name, inputs, out = node.prim.name, node.inputs, node.outputs

    def unless_broadcast(value: Value) -> Value | None:
        return value if _same_spec(value, out[0]) else None

    if name in ("multiply", "divide") and is_filled_with(inputs[1], 1):
        return unless_broadcast(inputs[0])
    if name == "multiply" and is_filled_with(inputs[0], 1):
        return unless_broadcast(inputs[1])
    if name == "subtract" and is_filled_with(inputs[1], 0):
        return unless_broadcast(inputs[0])
    if name == "add" and out[0].spec.dtype.kind in "iu":
        for value, other in (inputs, inputs[::-1]):
            if is_filled_with(other, 0):
                return unless_broadcast(value)
    if name == "power_by" and node.params.get("exponent") == 1:
        return unless_broadcast(inputs[0])
    return None


def _no_op_reshape(node: Node, producers: Producers) -> Value | None:
    """Remove a cast, reshape, broadcast, transpose or sum that changes nothing."""
    name = node.prim.name
    if name in ("cast", "reshape", "broadcast_to", "conj", "real"):
        x = node.inputs[0]
        if _same_spec(x, node.outputs[0]) and x.spec.dtype.kind != "c":
            return x
    if name == "transpose":
        order = node.params["permutation"]
        return node.inputs[0] if tuple(order) == tuple(range(len(order))) else None
    if name == "reduce_sum" and node.params["axis"] == ():
        return node.inputs[0]
    return None


def _inverse_pairs(node: Node, producers: Producers) -> Value | Node | None:
    """Simplify −(−x), two transposes, two reshapes, and a cast to a wider dtype and back."""
    name = node.prim.name
    if name not in ("negative", "transpose", "reshape", "cast"):
        return None
    before = producers.of(node.inputs[0], name)
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
        return replace_node(node, (x,), {"permutation": order})
    if name == "reshape":
        same = surely_equal(x.spec.shape, node.outputs[0].spec.shape)
        return x if same else replace_node(node, (x,))
    if name == "cast" and x.spec.dtype == node.outputs[0].spec.dtype:
        # A cast to a wider dtype and back is exact.
        kinds = x.spec.dtype.kind + before.outputs[0].spec.dtype.kind
        wider = before.outputs[0].spec.dtype
        if kinds in ("ff", "ii", "uu", "if") and _is_exact_cast(wider, x.spec.dtype):
            return x
    return None


def _square(node: Node, producers: Producers) -> Node | None:
    """Replace x·x by the square, which the program may compute as well."""
    if node.prim.name != "multiply" or node.inputs[0] is not node.inputs[1]:
        return None
    return replace_node(node, node.inputs[:1], {}, PRIMITIVES["square"])


def _is_exact_cast(wide: np.dtype, narrow: np.dtype) -> bool:
    try:
        return np.can_cast(narrow, wide, "safe")
    except TypeError:
        return False
