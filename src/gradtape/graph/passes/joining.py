"""Makes an array that was joined of parts, and that several products read, once for all of them.

The gradient of a split is a concatenation, which two matrix products read, one for each gradient of
the product before the split, and a sum, for its bias. XLA would fuse the concatenation into each
of the three in another way, and write it out for every product.
"""

from __future__ import annotations

from gradtape.core.primitive import PRIMITIVES
from gradtape.graph.graph import Graph, Node, Value, substitute

_BARRIER = PRIMITIVES["barrier"]


def join_once(graph: Graph) -> Graph:
    """Return the graph with a barrier after concatenations that two products or more read."""
    users = _users(graph)
    table: dict[int, Value] = {}
    barriers: dict[int, Node] = {}
    for node in graph.nodes:
        if node.prim.name == "concat" and _products_of(node.outputs[0], users) > 1:
            (joined,) = node.outputs
            made = Value(joined.spec)
            table[id(joined)] = made
            barriers[id(node)] = Node(_BARRIER, (joined, joined), {}, (made,), node.location)
    if not table:
        return graph
    replaced = substitute(graph, table, graph.nodes)
    nodes = []
    for before, node in zip(graph.nodes, replaced.nodes, strict=True):
        nodes.append(node)
        if id(before) in barriers:
            nodes.append(barriers[id(before)])
    return Graph(graph.inputs, nodes, replaced.outputs)


def _users(graph: Graph) -> dict[int, list[Node]]:
    users: dict[int, list[Node]] = {}
    for node in graph.nodes:
        for value in node.inputs:
            users.setdefault(id(value), []).append(node)
    return users


def _products_of(value: Value, users: dict[int, list[Node]]) -> int:
    """Count the products that read a value, as it is or through views."""
    count = 0
    for node in users.get(id(value), ()):
        if node.prim.flops is not None:
            count += 1
        elif node.prim.family == "view":
            count += _products_of(node.outputs[0], users)
    return count
