"""Peephole rewriting: the driver of passes that look at one op at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from gradtape.graph.graph import (
    Graph,
    Node,
    Value,
    substitute,
)

# A rule returns a value that equals the node's result, another node, or None to keep the node.
Rule = Callable[[Node, "Producers"], Value | Node | None]


class Producers:
    """Maps a value to the node that computes it."""

    def __init__(self) -> None:
        self._nodes: dict[int, Node] = {}

    def add(self, node: Node) -> None:
        for value in node.outputs:
            self._nodes[id(value)] = node

    def of(self, value: Value, *names: str) -> Node | None:
        """Return the node that computes a value, if it applies one of these primitives."""
        node = self._nodes.get(id(value))
        return node if node is not None and node.prim.name in names else None


def rewrite(graph: Graph, rules: Iterable[Rule]) -> Graph:
    """Apply every rule to every node, from first to last."""
    rules = tuple(rules)
    table: dict[int, Value] = {}
    producers = Producers()
    kept = []
    for original in graph.nodes:
        node: Node | None = original
        if any(id(value) in table for value in original.inputs):
            inputs = tuple([table.get(id(value), value) for value in original.inputs])
            node = Node(original.prim, inputs, original.params, original.outputs, original.location)
        assert node is not None
        for rule in rules:
            replacement = rule(node, producers)
            if isinstance(replacement, Value):
                table[id(node.outputs[0])] = replacement
                node = None
                break
            if replacement is not None:
                node = replacement
        if node is not None:
            producers.add(node)
            kept.append(node)
    return substitute(graph, table, kept)


def replace_node(
    node: Node, inputs: tuple[Value, ...], params: dict | None = None, prim=None
) -> Node:
    """Return a node that computes the outputs of `node` in another way."""
    return Node(
        node.prim if prim is None else prim,
        inputs,
        node.params if params is None else params,
        node.outputs,
        node.location,
    )


def is_filled_with(value: Value, number) -> bool:
    """Return whether a value is a small constant with this number everywhere (0 is not -0)."""
    if value.constant is None or value.constant._data.dtype.kind not in "fiuV":  # V: bfloat16
        return False
    data = np.asarray(value.constant._data)
    if not 0 < data.size <= 16 or not (data == number).all():
        return False
    return number != 0 or data.dtype.kind in "iu" or not np.signbit(data).any()
