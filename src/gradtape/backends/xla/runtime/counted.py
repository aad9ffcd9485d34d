"""Loops of unknown length whose gradient is taken: a program counts their iterations first.

A program needs room for what a loop keeps for its gradient, so that it has to know how often the
loop runs. The function is then compiled for the next power of two.

    program that counts ─► program with room for so many iterations
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.backends.xla.runtime.compilable import obstacle
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph import derived
from gradtape.graph.control.loop import LOOP, LOOP_VJP
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.passes.dead_code import eliminate_dead_code
from gradtape.graph.replay import replay

_COUNT = Spec((), np.dtype(np.int32))


def can_count(graph: Graph) -> bool:
    """Return whether all that keeps a graph from being one program is the length of its loops."""
    loops = _loops(graph)
    if not loops or obstacle(with_limits(graph, (1,) * len(loops))) is not None:
        return False
    return obstacle(_counting_graph(graph, loops)) is None


def counted(
    graph: Graph, compiled: Callable[[Graph], Callable], program: Callable[[Graph], Callable]
) -> Callable[..., tuple]:
    """Return a graph that `can_count` as a function of arrays.

    `compiled` makes a program of a graph, and `program` the function of a graph with limits.
    """
    count = compiled(_counting_graph(graph, _loops(graph)))
    by_limits: dict[tuple[int, ...], Callable] = {}

    def call(*arrays: Any) -> tuple:
        limits = tuple([1 << max(int(n) - 1, 0).bit_length() for n in count(*arrays)])
        if limits not in by_limits:
            by_limits[limits] = program(with_limits(graph, limits))
        return by_limits[limits](*arrays)

    return call


def _loops(graph: Graph) -> list[Node]:
    """Return the loops of unknown length that keep something for their gradients."""
    return [
        node
        for node in graph.nodes
        if node.prim is LOOP and node.params["limit"] is None and node.params.get("keeps")
    ]


def with_limits(graph: Graph, limits: tuple[int, ...]) -> Graph:
    """Return the graph with these limits for its loops of unknown length, and their gradients."""
    of_loop = {id(node): n for node, n in zip(_loops(graph), limits, strict=True)}
    of_history: dict[int, int] = {}
    nodes = []
    for node in graph.nodes:
        limit = of_loop.get(id(node))
        if limit is not None:
            of_history[id(node.outputs[-1])] = limit
        elif node.prim is LOOP_VJP:
            limit = of_history.get(id(node.inputs[len(node.params["body"].inputs)]))
        if limit is not None:
            params = {**node.params, "limit": limit}
            node = Node(node.prim, node.inputs, params, node.outputs, node.location)
        nodes.append(node)
    return Graph(graph.inputs, nodes, graph.outputs)


def _counting_graph(graph: Graph, loops: list[Node]) -> Graph:
    """Return a graph of the same inputs, which gives the number of iterations of each loop."""
    numbers = {id(node): Value(_COUNT) for node in loops}
    nodes = [
        _counting(node, numbers[id(node)]) if id(node) in numbers else node for node in graph.nodes
    ]
    return eliminate_dead_code(Graph(graph.inputs, nodes, tuple(numbers.values())))


def _counting(node: Node, number: Value) -> Node:
    """Return a loop that counts its iterations, and keeps nothing."""
    condition, body, count = (node.params[name] for name in ("condition", "body", "count"))
    body = body if body.extends is None else body.extends

    def step(tensors: list) -> list:
        return [tensors[0] + ops.to_tensor(1), *replay(body, tensors[1:])]

    counting = derived.trace_graph(step, [_COUNT, *[value.spec for value in body.inputs]])
    test = Graph((Value(_COUNT), *condition.inputs), condition.nodes, condition.outputs)
    zero = Tensor(np.int32(0))
    params = {"condition": test, "body": counting, "count": count + 1, "limit": None}
    return Node(
        LOOP,
        (Value(_COUNT, zero), *node.inputs),
        params,
        (number, *node.outputs[:count]),
        node.location,
    )
