"""Removes custom gradients from a graph that will not be differentiated."""

from __future__ import annotations

from gradtape.graph.graph import Graph, Value, substitute


def remove_custom_gradients(graph: Graph) -> Graph:
    """Return the graph without custom gradients and stop_gradient."""
    table: dict[int, Value] = {}
    kept = []
    for node in graph.nodes:
        if node.prim.name in ("with_gradient", "stop_gradient"):
            for old, new in zip(node.outputs, node.inputs, strict=False):
                table[id(old)] = new
        else:
            kept.append(node)
    return substitute(graph, table, kept)
