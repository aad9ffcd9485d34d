"""Constants of branches and loop bodies as operands of these ops, where tapes see them.

A loop that keeps what its gradient needs has another body (it `extends` the loop's own), and the
gradient reads what that body gives. Both get the same operands.
"""

from __future__ import annotations

from typing import Any

from gradtape.core.tensor import Tensor
from gradtape.graph.apply import WITH_PARTS, constants_within
from gradtape.graph.control.loop import LOOP, LOOP_VJP
from gradtape.graph.control.loop_backward import loop_backward, rule_of
from gradtape.graph.derived import cached_graph
from gradtape.graph.graph import Graph, Node, Value, substitute


def with_outer_constants(graph: Graph, tensors: list[Tensor]) -> Graph:
    """Return a graph in which branches and loop bodies get these constants as operands."""
    nodes: list[Node] = []
    histories: set[int] = set()  # ids of those that loops with more operands keep
    for node in graph.nodes:
        if node.prim in (LOOP, LOOP_VJP):
            node = _loop(node, tensors, histories)
        elif node.prim.name in WITH_PARTS:
            moved = _used(node.graphs, tensors)
            params = {name: _moved(x, moved) for name, x in node.params.items()} if moved else {}
            node = _changed(node, len(node.inputs), moved, params)
        nodes.append(node)
    return Graph(graph.inputs, nodes, graph.outputs)


def _used(parts: list[Graph], tensors: list[Tensor]) -> list[Tensor]:
    used = {id(x) for part in parts for x in constants_within(part)}
    return [x for x in tensors if id(x) in used]


def _moved(parameter: Any, tensors: list[Tensor]) -> Any:
    """Return a parameter with constants as operands of the graphs in it."""
    if isinstance(parameter, Graph):
        return _with_operands(parameter, tensors)
    if type(parameter) is tuple:
        return tuple([_moved(each, tensors) for each in parameter])
    return parameter


def _with_operands(part: Graph, tensors: list[Tensor]) -> Graph:
    """Return a branch or loop body with constants as additional inputs; it is made once."""

    def make() -> Graph:
        outer = with_outer_constants(part, tensors)
        fresh = {id(x): Value(x._spec()) for x in tensors}
        table = {id(v): fresh[id(v.constant)] for v in outer.constants() if id(v.constant) in fresh}
        made = substitute(outer, table, outer.nodes)
        made = Graph((*part.inputs, *fresh.values()), made.nodes, made.outputs)
        if part.extends is not None:
            made.extends = _with_operands(part.extends, tensors)
        return made

    return cached_graph(part, ("operands", *map(id, tensors)), make)


def _changed(node: Node, position: int, tensors: list[Tensor], params: dict) -> Node:
    """Return a node with these parameters, and with constants as operands at a position."""
    if not tensors:
        return node
    operands = [Value(x._spec(), x) for x in tensors]
    inputs = (*node.inputs[:position], *operands, *node.inputs[position:])
    return Node(node.prim, inputs, {**node.params, **params}, node.outputs, node.location)


def _loop(node: Node, tensors: list[Tensor], histories: set[int]) -> Node:
    """Return a loop, or the gradient of one, with constants as operands."""
    params, body = node.params, node.params["body"]
    narrow = body if body.extends is None else body.extends
    moved = _used([params["condition"], narrow], tensors)
    if not moved:
        return node
    step = _with_operands(narrow, moved)
    changed: dict[str, Any] = {
        "condition": _with_operands(params["condition"], moved),
        "body": step,
    }
    unneeded = (False,) * len(moved)
    if node.prim is LOOP_VJP:
        position = len(body.inputs)
        if id(node.inputs[position]) not in histories:
            return node
        return _changed(node, position, moved, {**changed, "which": (*params["which"], *unneeded)})
    if body is not narrow:
        rule = rule_of(body)
        if rule is None:
            return node
        which = (*rule.which, *unneeded)
        changed["body"] = loop_backward(step, params["count"], which).body
        histories.add(id(node.outputs[-1]))
    return _changed(node, len(node.inputs), moved, changed)
