"""Where nothing is differentiated any more, a call with its own gradient is just its results."""

from __future__ import annotations

from gradtape.engine.trace.graph import Graph, Value, substituted


def without_gradients(graph: Graph) -> Graph:
    """The graph without gradient functions, and with gradients stopped by nothing."""
    table: dict[int, Value] = {}
    kept = []
    for node in graph.nodes:
        if node.prim.name in ("with_gradient", "stop_gradient"):
            for old, new in zip(node.outputs, node.inputs, strict=False):
                table[id(old)] = new
        else:
            kept.append(node)
    return substituted(graph, table, kept)
