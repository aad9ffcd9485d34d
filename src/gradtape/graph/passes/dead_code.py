"""Dead code elimination."""

from __future__ import annotations

from gradtape.graph.graph import Graph


def eliminate_dead_code(graph: Graph, keeps_effects: bool = True) -> Graph:
    """Return the graph without the nodes that no output and no effect depends on."""
    needed = {id(value) for value in graph.outputs}
    kept = []
    for node in reversed(graph.nodes):
        if any(id(value) in needed for value in node.outputs) or (keeps_effects and node.acts):
            kept.append(node)
            needed.update(id(value) for value in node.inputs)
    if len(kept) == len(graph.nodes):
        return graph
    kept.reverse()
    return Graph(graph.inputs, kept, graph.outputs)
