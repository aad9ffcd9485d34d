"""From a graph of primitives to TensorFlow's nodes: `rule` and `expansion` fill the two tables.

A rule adds nodes for one op. An expansion says the same with other ops, which are traced and
lowered in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.graph.graph import Graph, Value
from gradtape.graph.passes.dead_code import eliminate_dead_code
from gradtape.graph.tracing import Trace, trace_into
from gradtape.saved_model.writing.builder import Builder, CannotWrite, FunctionName, Ref
from gradtape.saved_model.writing.sizes import DifferentGraphs, NodePair, Pair

RULES: dict[str, Callable[..., Any]] = {}
EXPANSIONS: dict[str, Callable[..., Any]] = {}


def rule(*names: str) -> Callable[[Callable], Callable]:
    """Register how ops are written: a function of (builder, op, inputs) to one or more results."""

    def register(function: Callable) -> Callable:
        RULES.update(dict.fromkeys(names, function))
        return function

    return register


def expansion(*names: str) -> Callable[[Callable], Callable]:
    """Register what ops are made of: a function of tensors and parameters."""

    def register(function: Callable) -> Callable:
        EXPANSIONS.update(dict.fromkeys(names, function))
        return function

    return register


def lower(b: Builder, first: Graph, second: Graph, inputs: list[Ref]) -> list[Ref]:
    """Add the nodes of a graph, of which there are two traces; return its results."""
    known: dict[int, Ref] = {}
    values = [Pair(*pair) for pair in zip(first.inputs, second.inputs, strict=True)]
    for value, ref in zip(values, inputs, strict=True):
        known[id(value.first)] = b.remember(ref, value)

    def read(value: Pair) -> Ref:
        ref = known.get(id(value.first))
        if ref is None:
            ref = known[id(value.first)] = b.value(value)
        return ref

    first, second = eliminate_dead_code(first), eliminate_dead_code(second)
    if len(first.nodes) != len(second.nodes):
        raise DifferentGraphs
    for one, other in zip(first.nodes, second.nodes, strict=True):
        node = NodePair(one, other)
        results = _lowered(b, node, [read(value) for value in node.inputs])
        for value, ref in zip(node.outputs, results, strict=True):
            known[id(value.first)] = b.remember(ref, value)
    pairs = zip(first.outputs, second.outputs, strict=True)
    return [read(Pair(*pair)) for pair in pairs]


def _lowered(b: Builder, node: NodePair, inputs: list[Ref]) -> list[Ref]:
    write = RULES.get(node.name)
    if write is not None:
        made = write(b, node, *inputs)
        return [made] if isinstance(made, Ref) else list(made)
    expand = EXPANSIONS.get(node.name)
    if expand is None:
        raise CannotWrite(f"the op {node.name!r} has no form in TensorFlow's ops")
    graphs = [_expanded(expand, each.inputs, each.params) for each in (node.first, node.second)]
    return lower(b, graphs[0], graphs[1], inputs)


def _expanded(expand: Callable, inputs: tuple[Value, ...], params: dict) -> Graph:
    trace = Trace(1)
    with trace_into(trace):
        tensors = [trace.input(value.spec) for value in inputs]
        made = expand(*tensors, **params)
        results = made if isinstance(made, (tuple, list)) else (made,)
        outputs = tuple([trace.value_of(ops.to_tensor(y)) for y in results])
    trace.active = False
    return trace.graph(outputs)


def inner_function(b: Builder, name: str, first: Graph, second: Graph) -> FunctionName:
    """Add a function for a graph inside an op, and return its name."""
    inner = Builder(b.library, f"{name}_of_{b.name.removeprefix('__inference_')}")
    inputs = [inner.argument("x", value.spec.dtype) for value in first.inputs]
    results = lower(inner, first, second, inputs)
    return finished(b, inner, results)


def finished(b: Builder, inner: Builder, results: list[Ref]) -> FunctionName:
    """End an inner function: its results have names of their own."""
    results = [inner.op("Identity:output", ref) for ref in results]
    inner.definition(results, [f"result_{i}" for i in range(len(results))], [])
    b.is_stateful |= inner.is_stateful
    return FunctionName(inner.name)
