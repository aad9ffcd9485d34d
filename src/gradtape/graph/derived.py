"""Graphs made from a graph: its vjp, its jvp, and the graph batched.

They are the rules of primitives that contain graphs (branches, loops).
"""

from __future__ import annotations

from itertools import compress
from typing import Any

from gradtape import ops
from gradtape.core.dtypes import is_differentiable
from gradtape.core.primitive import Primitive, primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.forward import ForwardAccumulator
from gradtape.engine.vmap import vectorized
from gradtape.graph.derivative import pullback
from gradtape.graph.graph import Graph
from gradtape.graph.passes import optimize
from gradtape.graph.passes.dead_code import eliminate_dead_code
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


def batched_graph(
    graph: Graph, which: tuple[bool, ...], size: int, outputs: tuple[bool, ...] | None = None
) -> Graph:
    """Return the graph with a batch axis in front of the inputs in `which`.

    All outputs have one, or those in `outputs`; the others must not depend on the batch.
    """

    def make() -> Graph:
        specs = [
            Spec((size, *v.spec.shape), v.spec.dtype) if b else v.spec
            for v, b in zip(graph.inputs, which, strict=True)
        ]
        axes = [0 if b else None for b in which]
        stacked = outputs or (True,) * len(graph.outputs)
        parts = [
            Graph(graph.inputs, graph.nodes, tuple(compress(graph.outputs, mask)))
            for mask in (stacked, [not b for b in stacked])
        ]
        # Effects are in the first part, once for each example.
        pure = [node for node in graph.nodes if not node.has_effect]
        parts[1] = eliminate_dead_code(Graph(graph.inputs, pure, parts[1].outputs))

        def function(tensors: list) -> list:
            if any(which):
                made = vectorized(lambda *xs: replay(parts[0], xs), in_axes=axes)(*tensors)
            else:
                made = [ops.broadcast_to(y, (size, *y.shape)) for y in replay(parts[0], tensors)]
            batched = iter(made)
            shared = iter(replay(parts[1], tensors))
            return [next(batched if b else shared) for b in stacked]

        return trace_graph(function, specs)

    return cached_graph(graph, ("batched", which, size, outputs), make)


def depends(graph: Graph, which: tuple[bool, ...]) -> tuple[bool, ...]:
    """Return, for each output, whether it is computed from an input in `which`."""
    known = {id(value) for value in compress(graph.inputs, which)}
    for node in graph.nodes:
        if any(id(value) in known for value in node.inputs):
            known.update(id(value) for value in node.outputs)
    return tuple([id(value) in known for value in graph.outputs])


def zeros_graph(graph: Graph) -> Graph:
    """Return a graph with the same inputs whose outputs are zeros."""

    def make() -> Graph:
        return trace_graph(
            lambda tensors: [ops.zeros(v.spec.shape, v.spec.dtype) for v in graph.outputs],
            [v.spec for v in graph.inputs],
        )

    return cached_graph(graph, ("zeros",), make)


def graph_primitive(
    name: str, *, kernel, shape, batch, vjp, jvp, has_effect: bool | None = None
) -> Primitive:
    """Make a primitive whose parameters hold graphs. It is variadic: inputs `xs`, many outputs."""
    return primitive(
        name,
        "*xs",
        kernel=kernel,
        shape=shape,
        batch=batch,
        vjp=vjp,
        jvp=jvp,
        outputs=0,
        has_effect=has_effect,
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
