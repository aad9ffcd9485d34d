"""Scans: two over the same rows become one, and what nobody needs is not kept from round to round.

A scan keeps the carries of all rounds for its reverse rule, and that rule asks for further values
of every round by a second scan with a wider body (see trace/scan.py).
"""

from __future__ import annotations

from gradtape.engine.trace.graph import Graph, Node, Value, substituted
from gradtape.engine.trace.passes.dead_code import without_dead_code


def with_joined_scans(graph: Graph) -> Graph:
    """The graph in which a scan gives at once what a wider one gives later."""
    table: dict[int, Value] = {}
    nodes: list[Node] = []
    first: dict[tuple, int] = {}  # where the scan with these inputs and this body stands
    for node in graph.nodes:
        if node.prim.name != "scan":
            nodes.append(node)
            continue
        body = node.params["body"]
        inputs = tuple([id(table.get(id(value), value)) for value in node.inputs])
        options = (*inputs, node.params["length"], node.params["reverse"])
        place = None if body.extends is None else first.get((id(body.extends), *options))
        if place is None:
            first.setdefault((id(body), *options), len(nodes))
            nodes.append(node)
            continue
        nodes[place] = _joined(nodes[place], node, table)
        del first[id(body.extends), *options]
        first[id(body), *options] = place
    return substituted(graph, table, nodes) if table else graph


def _joined(narrow: Node, wide: Node, table: dict[int, Value]) -> Node:
    """The wide scan in the place of the narrow one, whose results have other names from now on."""
    count = len(narrow.params["body"].outputs)
    every = len(wide.params["body"].outputs)
    results, carries = narrow.outputs[:count], narrow.outputs[count:]
    table |= {id(old): new for old, new in zip(wide.outputs, results, strict=False)}
    if carries:
        table |= {id(old): new for old, new in zip(wide.outputs[every:], carries, strict=False)}
    else:
        carries = wide.outputs[every:]
    params = {**wide.params, "keeps": bool(carries)}
    outputs = (*results, *wide.outputs[count:every], *carries)
    return Node(wide.prim, narrow.inputs, params, outputs, narrow.place)


def with_lean_scans(graph: Graph) -> Graph:
    """The graph whose scans take and give only what is used: rows, results, carries of all rounds.

    The bodies are others then, so that this is for graphs that will not be differentiated.
    """
    used = {id(value) for value in graph.outputs}
    nodes = []
    for node in reversed(graph.nodes):
        if node.prim.name == "scan":
            node = _lean(node, used)
        used.update(id(value) for value in node.inputs)
        nodes.append(node)
    return Graph(graph.inputs, nodes[::-1], graph.outputs)


def _lean(node: Node, used: set[int]) -> Node:
    params = node.params
    body, carry, rows = params["body"], params["carry"], params["rows"]
    count = len(body.outputs)
    made = [i for i in range(carry, count) if id(node.outputs[i]) in used]
    keeps = params["keeps"] and any(id(value) in used for value in node.outputs[count:])
    results = (*body.outputs[:carry], *[body.outputs[i] for i in made])
    lean = without_dead_code(Graph(body.inputs, body.nodes, results))
    needed = {id(value) for value in lean.used()}
    places = [i for i in range(carry, len(body.inputs)) if id(body.inputs[i]) in needed]
    given = [i for i in places if i < carry + rows]
    if (len(made), len(places), keeps) == (
        count - carry,
        len(body.inputs) - carry,
        params["keeps"],
    ):
        return node
    lean.inputs = (*body.inputs[:carry], *[body.inputs[i] for i in places])
    inputs = (*node.inputs[:carry], *[node.inputs[i] for i in places])
    outputs = (*node.outputs[:carry], *[node.outputs[i] for i in made])
    outputs += node.outputs[count:] if keeps else ()
    new = {**params, "body": lean, "rows": len(given), "keeps": keeps}
    return Node(node.prim, inputs, new, outputs, node.place)
