"""Scans keep the carries of all rounds for their reverse rule: not where nobody needs them."""

from __future__ import annotations

from gradtape.engine.trace.graph import Graph, Node


def without_kept_carries(graph: Graph) -> Graph:
    """The graph whose scans give the carries of all rounds only if they are used."""
    used = {id(value) for value in graph.used()}
    nodes = []
    for node in graph.nodes:
        if node.prim.name == "scan" and node.params["keeps"]:
            results = len(node.params["body"].outputs)
            if not any(id(value) in used for value in node.outputs[results:]):
                params = {**node.params, "keeps": False}
                node = Node(node.prim, node.inputs, params, node.outputs[:results], node.place)
        nodes.append(node)
    return Graph(graph.inputs, nodes, graph.outputs)
