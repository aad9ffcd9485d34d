"""A transpose of the last two axes, in front of a product, is an option of the product."""

from __future__ import annotations

from gradtape.engine.trace.graph import Graph, Node
from gradtape.engine.trace.passes.rewrite import Makers, changed, rewritten


def with_transposes_in_products(graph: Graph) -> Graph:
    """The graph whose matrix products read their operands transposed, where they were."""
    return rewritten(graph, (_into_matmul,))


def _into_matmul(node: Node, makers: Makers) -> Node | None:
    if node.prim.name != "matmul":
        return None
    inputs = list(node.inputs)
    params = dict(node.params)
    for place, option in enumerate(("transpose_a", "transpose_b")):
        before = makers.of(inputs[place], "transpose")
        if before is None:
            continue
        order = tuple(before.params["permutation"])
        rank = len(order)
        if rank >= 2 and order == (*range(rank - 2), rank - 1, rank - 2):
            inputs[place] = before.inputs[0]
            params[option] = not params[option]
    return None if params == node.params else changed(node, tuple(inputs), params)
