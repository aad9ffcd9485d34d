"""Fuses a transpose of the last two axes into the matmul that uses it."""

from __future__ import annotations

from gradtape.graph.graph import Graph, Node
from gradtape.graph.passes.rewrite import Producers, replace_node, rewrite


def fuse_transposes(graph: Graph) -> Graph:
    """Return the graph with transposes as options of matmul."""
    return rewrite(graph, (_into_matmul,))


def _into_matmul(node: Node, producers: Producers) -> Node | None:
    if node.prim.name != "matmul":
        return None
    inputs = list(node.inputs)
    params = dict(node.params)
    for index, option in enumerate(("transpose_a", "transpose_b")):
        before = producers.of(inputs[index], "transpose")
        if before is None:
            continue
        order = tuple(before.params["permutation"])
        rank = len(order)
        if rank >= 2 and order == (*range(rank - 2), rank - 1, rank - 2):
            inputs[index] = before.inputs[0]
            params[option] = not params[option]
    return None if params == node.params else replace_node(node, tuple(inputs), params)
