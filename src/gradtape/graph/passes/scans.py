"""Merges two scans over the same rows into one, and removes their unused inputs and outputs.

A scan keeps the carries of all iterations for its vjp, which gets other residuals by a second scan
with more outputs (see graph/control/scan.py). A loop of unknown length gets all of its residuals by
a second loop (see graph/control/loop.py).
"""

from __future__ import annotations

from gradtape.core.size import key_of_sizes
from gradtape.graph.graph import (
    Graph,
    Node,
    Value,
    substitute,
)
from gradtape.graph.passes.dead_code import eliminate_dead_code


def merge_scans(graph: Graph) -> Graph:
    """Return the graph with a scan or loop and a later one that extends its body as one."""
    table: dict[int, Value] = {}
    nodes: list[Node] = []
    first: dict[tuple, int] = {}  # index of the scan with this body and these inputs
    for node in graph.nodes:
        if node.prim.name not in ("scan", "loop"):
            nodes.append(node)
            continue
        body = node.params["body"]
        inputs = tuple([id(table.get(id(value), value)) for value in node.inputs])
        names = ("length", "reverse") if node.prim.name == "scan" else ("condition", "limit")
        options = (*inputs, *[key_of_sizes(node.params[name]) for name in names])
        index = None if body.extends is None else first.get((id(body.extends), *options))
        if index is None:
            first.setdefault((id(body), *options), len(nodes))
            nodes.append(node)
            continue
        merge = _merge if node.prim.name == "scan" else _merge_loops
        nodes[index] = merge(nodes[index], node, table)
        del first[id(body.extends), *options]
        first[id(body), *options] = index
    return substitute(graph, table, nodes) if table else graph


def _merge(narrow: Node, wide: Node, table: dict[int, Value]) -> Node:
    """Return the wide scan with the outputs of the narrow one; add what they replace to `table`."""
    count = len(narrow.params["body"].outputs)
    total = len(wide.params["body"].outputs)
    results, carries = narrow.outputs[:count], narrow.outputs[count:]
    table |= {id(old): new for old, new in zip(wide.outputs, results, strict=False)}
    if carries:
        table |= {id(old): new for old, new in zip(wide.outputs[total:], carries, strict=False)}
    else:
        carries = wide.outputs[total:]
    params = {**wide.params, "keeps": bool(carries)}
    outputs = (*results, *wide.outputs[count:total], *carries)
    return Node(wide.prim, narrow.inputs, params, outputs, narrow.location)


def _merge_loops(narrow: Node, wide: Node, table: dict[int, Value]) -> Node:
    table |= {id(old): new for old, new in zip(wide.outputs, narrow.outputs, strict=False)}
    outputs = (*narrow.outputs, wide.outputs[-1])
    return Node(wide.prim, narrow.inputs, wide.params, outputs, narrow.location)


def prune_scans(graph: Graph) -> Graph:
    """Return the graph with unused rows, results and kept carries of its scans removed.

    The bodies change, so that this is for graphs that will not be differentiated.
    """
    used = {id(value) for value in graph.outputs}
    nodes = []
    for node in reversed(graph.nodes):
        if node.prim.name == "scan":
            node = _prune(node, used)
        used.update(id(value) for value in node.inputs)
        nodes.append(node)
    return Graph(graph.inputs, nodes[::-1], graph.outputs)


def _prune(node: Node, used: set[int]) -> Node:
    params = node.params
    body, carry, rows = params["body"], params["carry"], params["rows"]
    count = len(body.outputs)
    made = [i for i in range(carry, count) if id(node.outputs[i]) in used]
    keeps = params["keeps"] and any(id(value) in used for value in node.outputs[count:])
    results = (*body.outputs[:carry], *[body.outputs[i] for i in made])
    pruned = eliminate_dead_code(Graph(body.inputs, body.nodes, results))
    needed = {id(value) for value in pruned.used()}
    kept = [i for i in range(carry, len(body.inputs)) if id(body.inputs[i]) in needed]
    given = [i for i in kept if i < carry + rows]
    if (len(made), len(kept), keeps) == (
        count - carry,
        len(body.inputs) - carry,
        params["keeps"],
    ):
        return node
    pruned.inputs = (*body.inputs[:carry], *[body.inputs[i] for i in kept])
    inputs = (*node.inputs[:carry], *[node.inputs[i] for i in kept])
    outputs = (*node.outputs[:carry], *[node.outputs[i] for i in made])
    outputs += node.outputs[count:] if keeps else ()
    new = {**params, "body": pruned, "rows": len(given), "keeps": keeps}
    return Node(node.prim, inputs, new, outputs, node.location)
