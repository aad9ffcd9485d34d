"""How a pass that looks at one op at a time goes over a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from gradtape.engine.trace.graph import Graph, Node, Value, substituted

# What a rule makes of a node: a value that is its result already, another node, or None: nothing.
Rule = Callable[[Node, "Makers"], Value | Node | None]


class Makers:
    """Which node makes a value."""

    def __init__(self) -> None:
        self._nodes: dict[int, Node] = {}

    def add(self, node: Node) -> None:
        for value in node.outputs:
            self._nodes[id(value)] = node

    def of(self, value: Value, *names: str) -> Node | None:
        """The node that makes a value, if it is one of these primitives."""
        node = self._nodes.get(id(value))
        return node if node is not None and node.prim.name in names else None


def rewritten(graph: Graph, rules: Iterable[Rule]) -> Graph:
    """The graph after asking every rule about every node, from first to last."""
    rules = tuple(rules)
    table: dict[int, Value] = {}
    makers = Makers()
    kept = []
    for original in graph.nodes:
        node: Node | None = original
        if any(id(value) in table for value in original.inputs):
            inputs = tuple([table.get(id(value), value) for value in original.inputs])
            node = Node(original.prim, inputs, original.params, original.outputs, original.place)
        assert node is not None
        for rule in rules:
            found = rule(node, makers)
            if isinstance(found, Value):
                table[id(node.outputs[0])] = found
                node = None
                break
            if found is not None:
                node = found
        if node is not None:
            makers.add(node)
            kept.append(node)
    return substituted(graph, table, kept)


def changed(node: Node, inputs: tuple[Value, ...], params: dict | None = None, prim=None) -> Node:
    """A node that makes the same values in another way."""
    return Node(
        node.prim if prim is None else prim,
        inputs,
        node.params if params is None else params,
        node.outputs,
        node.place,
    )


def is_everywhere(value: Value, number) -> bool:
    """Whether a value is a small constant that has this number in all places (0 is not -0)."""
    if value.constant is None or value.constant._data.dtype.kind not in "fiu":
        return False
    data = np.asarray(value.constant._data)
    if not 0 < data.size <= 16 or not (data == number).all():
        return False
    return number != 0 or data.dtype.kind != "f" or not np.signbit(data).any()
