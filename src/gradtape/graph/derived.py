"""Graphs made from a graph: its vjp, its jvp, and the graph batched.

They are the rules of primitives that contain graphs (branches, loops).
"""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.core.dtypes import is_differentiable
from gradtape.core.primitive import Primitive, primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.forward import ForwardAccumulator
from gradtape.engine.vmap import vmap
from gradtape.graph.derivative import pullback
from gradtape.graph.graph import Graph
from gradtape.graph.passes import optimize
from gradtape.graph.replay import replay
from gradtape.graph.tracing import Trace, trace_into


def cached_graph(graph: Graph, key: tuple, make) -> Graph:
    """Return the graph that `make` returns, made once for a graph and a key."""
    cached = graph.derived.get(key)
    if cached is None:
        cached = graph.derived[key] = make()
    return cached


def trace_graph(function, specs: list) -> Graph:
    """Trace a function from a list of tensors to a list of tensors, and optimize its graph."""
    trace = Trace(1)
    with trace_into(trace):
        tensors = [trace.input(spec) for spec in specs]
        outputs = tuple([trace.value_of(ops.to_tensor(y)) for y in function(tensors)])
    trace.active = False
    return optimize(trace.graph(outputs))


def vjp_graph(graph: Graph, needs_grad: tuple[bool, ...]) -> Graph:
    """Return the graph of the vjp: (inputs, cotangents) -> gradients of inputs that need them.

    There is a cotangent for each output; a gradient that does not exist is zeros.

    The cotangents of outputs without derivative are inputs, too: then all branches of a condition
    have the same inputs.
    """

    def make() -> Graph:
        rule = pullback(graph, needs_grad)
        count = len(graph.inputs)

        def function(tensors: list) -> list:
            xs, gs = tensors[:count], tensors[count:]
            gradients = rule.pack(replay(rule.whole, [*xs, *[gs[i] for i in rule.targets]]))
            return [
                ops.zeros_like(x) if g is None else ops.to_tensor(g)
                for x, g, needed in zip(xs, gradients, needs_grad, strict=True)
                if needed
            ]

        return trace_graph(function, [v.spec for v in (*graph.inputs, *graph.outputs)])

    return cached_graph(graph, ("vjp", needs_grad), make)


def jvp_graph(graph: Graph, given: tuple[bool, ...]) -> Graph:
    """Return (inputs, tangents of the given inputs) -> (outputs, a tangent for each output)."""

    def make() -> Graph:
        count = len(graph.inputs)
        specs = [v.spec for v in graph.inputs]

        def function(tensors: list) -> list:
            xs, ts = tensors[:count], tensors[count:]
            primals = [x for x, is_given in zip(xs, given, strict=True) if is_given]
            with ForwardAccumulator(primals, ts) as accumulator:
                ys = replay(graph, xs)
            out_tangents = [accumulator.tangent(y) for y in ys]
            return [
                *ys,
                *[
                    ops.zeros_like(y) if t is None else t
                    for y, t in zip(ys, out_tangents, strict=True)
                ],
            ]

        return trace_graph(function, [*specs, *[s for s, g in zip(specs, given, strict=True) if g]])

    return cached_graph(graph, ("jvp", given), make)


def batched_graph(graph: Graph, which: tuple[bool, ...], size: int) -> Graph:
    """Return the graph with a batch axis in front of all outputs and of the inputs in `which`."""

    def make() -> Graph:
        specs = [
            Spec((size, *v.spec.shape), v.spec.dtype) if b else v.spec
            for v, b in zip(graph.inputs, which, strict=True)
        ]
        axes = [0 if b else None for b in which]
        return trace_graph(
            lambda tensors: vmap(lambda *xs: replay(graph, xs), in_axes=axes)(*tensors), specs
        )

    return cached_graph(graph, ("batched", which, size), make)


def graph_primitive(name: str, *, kernel, shape, batch, vjp, jvp) -> Primitive:
    """Make a primitive whose parameters hold graphs. It is variadic: inputs `xs`, many outputs."""
    return primitive(
        name, "*xs", kernel=kernel, shape=shape, batch=batch, vjp=vjp, jvp=jvp, outputs=0
    )


def expand_with_none(tensors, needs_grad: tuple[bool, ...]) -> list[Any]:
    """Return the tensors at the indices where `needs_grad` is true, and None at the others."""
    values = iter(tensors)
    return [next(values) if needed else None for needed in needs_grad]


def differentiable_mask(xs) -> tuple[bool, ...]:
    """Return, for each tensor, whether its dtype can have a gradient."""
    return tuple([is_differentiable(x._data.dtype) for x in xs])


def fill_with_zeros(tangents, xs) -> list[Tensor]:
    """Return the tangents of `xs`, with zeros where there is None."""
    return [ops.zeros_like(x) if t is None else t for x, t in zip(xs, tangents, strict=True)]
