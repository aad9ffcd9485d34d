"""How many floating point operations the products of a graph take: two for each multiplication.

Primitives say it themselves (`Primitive.flops`). Other ops take time for what they read and write,
not for what they compute: they count as nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.passes.attention import FUSED_ATTENTION_VJP
from gradtape.ops.attention import BACKWARD


def is_product(node: Node) -> bool:
    """Return whether an op is one whose arithmetic counts."""
    return node.prim.flops is not None or node.prim is FUSED_ATTENTION_VJP


def _own_flops(node: Node) -> float:
    assert node.prim.flops is not None
    inputs, outputs = ([value.spec for value in values] for values in (node.inputs, node.outputs))
    return node.prim.flops(inputs, outputs, node.params)


def flops(node: Node, maker: Callable[[Value], Node | None]) -> float:
    """Return the operations of one op; those of a loop over rows are of all its rounds.

    `maker` returns the op that made a value: the backward op of a fused attention has no sizes.
    """
    if node.prim is FUSED_ATTENTION_VJP:
        forward = maker(node.inputs[0])
        return 0.0 if forward is None else BACKWARD * _own_flops(forward)
    if node.prim.flops is not None:
        return _own_flops(node)
    inner = [
        graph
        for parameter in node.params.values()
        for graph in (parameter if isinstance(parameter, tuple) else (parameter,))
        if isinstance(graph, Graph)
    ]
    if not inner:
        return 0.0
    rounds = node.params.get("length") or 1
    return rounds * max(sum(flops(each, maker) for each in graph.nodes) for graph in inner)
