"""Graphs of which XLA compiles a part: what only the host can do runs between the programs.

A print, a Python function or a text does not keep the rest of a function from being compiled. The
programs are as few as the order of values and effects allows.

    program ─► host ─► program ─► host
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gradtape.backends.xla.runtime.compilable import node_obstacle
from gradtape.backends.xla.runtime.counted import can_count, counted
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.passes import optimize_for_execution


class Part(NamedTuple):
    """A part of a graph, which is one program or is run by the host."""

    graph: Graph
    is_compiled: bool


def split(graph: Graph) -> list[Part]:
    """Return a graph as parts that compute it one after the other."""
    on_host = {id(node) for node in graph.nodes if node_obstacle(node) is not None}
    while True:
        parts = _parts(graph, on_host)
        crossing = {id(node) for part in parts if part.is_compiled for node in _crossing(part)}
        if not crossing:
            return parts
        on_host |= crossing


def _crossing(part: Part) -> list[Node]:
    """Return the nodes that exchange Python objects with other parts, as no program can."""
    ends = {id(v) for v in (*part.graph.inputs, *part.graph.outputs) if v.spec.dtype.hasobject}
    return [
        node
        for node in part.graph.nodes
        if any(id(value) in ends for value in (*node.inputs, *node.outputs))
    ]


def _parts(graph: Graph, on_host: set[int]) -> list[Part]:
    """Put each op into the earliest part that can have it; effects keep their order.

    Even parts are programs, odd ones run on the host.
    """
    part_of: dict[int, int] = {}  # by id of the value
    groups: dict[int, list[Node]] = {}
    latest = 0  # the part with the latest effect
    for node in graph.nodes:
        first = max([part_of.get(id(value), 0) for value in node.inputs], default=0)
        if node.acts:
            first = max(first, latest)
        index = first + ((first + (id(node) in on_host)) % 2)
        if node.acts:
            latest = index
        groups.setdefault(index, []).append(node)
        part_of.update({id(value): index for value in node.outputs})
    used_in: dict[int, set[int]] = {}
    for index, nodes in groups.items():
        for node in nodes:
            for value in node.inputs:
                used_in.setdefault(id(value), set()).add(index)
    results = {id(value) for value in graph.outputs}
    parts = []
    for index in sorted(groups):
        made = [value for node in groups[index] for value in node.outputs]
        outputs = [v for v in made if id(v) in results or used_in.get(id(v), set()) - {index}]
        parts.append(Part(_graph(groups[index], made, outputs), index % 2 == 0))
    return parts


def _graph(nodes: list[Node], made: list[Value], outputs: list[Value]) -> Graph:
    inside = {id(value) for value in made}
    inputs = {
        id(value): value
        for node in nodes
        for value in node.inputs
        if value.constant is None and id(value) not in inside
    }
    return Graph(tuple(inputs.values()), nodes, tuple(outputs))


def in_parts(
    graph: Graph, compiled: Callable[[Graph], Callable], hosted: Callable[[Graph], Callable]
) -> Callable[..., tuple]:
    """Return a graph as a function of arrays that runs its parts, made by these functions."""
    graph = optimize_for_execution(graph)
    if can_count(graph):
        return counted(graph, compiled, lambda limited: in_parts(limited, compiled, hosted))
    steps = []
    kept = {id(value) for value in graph.outputs}
    parts = split(graph)
    last = {id(v): i for i, part in enumerate(parts) for v in part.graph.inputs}
    for index, (part, is_compiled) in enumerate(parts):
        run = (compiled if is_compiled else hosted)(part)
        taken = [id(value) for value in part.inputs]
        dead = [key for key in taken if last[key] == index and key not in kept]
        steps.append((run, taken, [id(value) for value in part.outputs], dead))
    inputs = [id(value) for value in graph.inputs]

    def call(*arrays: Any) -> tuple:
        known = dict(zip(inputs, arrays, strict=True))
        for run, taken, given, dead in steps:
            known.update(zip(given, run(*[known[key] for key in taken]), strict=True))
            for key in dead:
                del known[key]
        return tuple([_result(value, known) for value in graph.outputs])

    return call


def _result(value: Value, known: dict[int, Any]) -> Any:
    return known[id(value)] if value.constant is None else value.constant._data
