"""Graphs made from a graph: its reverse rule, its forward rule, the same for a batch.

They are what primitives with graphs inside (branches, loops) have in place of rules with ops.
"""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.core.dtypes import is_differentiable
from gradtape.core.primitive import Primitive, Rule
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.forward import ForwardAccumulator
from gradtape.engine.trace.derivative import pullback
from gradtape.engine.trace.graph import Graph
from gradtape.engine.trace.passes import optimised
from gradtape.engine.trace.replay import replay
from gradtape.engine.trace.tracing import Trace, traced_by
from gradtape.engine.vmap import vmap


def derived(graph: Graph, key: tuple, make) -> Graph:
    """What `make` gives, made once for a graph and a key."""
    found = graph.pullbacks.get(key)
    if found is None:
        found = graph.pullbacks[key] = make()
    return found


def traced_graph(function, specs: list) -> Graph:
    """The graph of a function from a list of tensors to a list of tensors."""
    trace = Trace(1)
    with traced_by(trace):
        tensors = [trace.input(spec) for spec in specs]
        outputs = tuple([trace.value_of(ops.to_tensor(y)) for y in function(tensors)])
    trace.active = False
    return optimised(trace.graph(outputs))


def reverse(graph: Graph, wanted: tuple[bool, ...]) -> Graph:
    """(inputs, a cotangent for every output) -> a gradient for every input wanted, zeros if none.

    All cotangents are inputs, also of outputs without derivative: then all branches look alike.
    """

    def make() -> Graph:
        rule = pullback(graph, wanted)
        count = len(graph.inputs)

        def function(tensors: list) -> list:
            xs, gs = tensors[:count], tensors[count:]
            found = rule.packed(replay(rule.whole, [*xs, *[gs[p] for p in rule.targets]]))
            return [
                ops.zeros_like(x) if g is None else ops.to_tensor(g)
                for x, g, want in zip(xs, found, wanted, strict=True)
                if want
            ]

        return traced_graph(function, [v.spec for v in (*graph.inputs, *graph.outputs)])

    return derived(graph, ("reverse", wanted), make)


def forward(graph: Graph, given: tuple[bool, ...]) -> Graph:
    """(inputs, a tangent for every input given) -> (outputs, a tangent for every output)."""

    def make() -> Graph:
        count = len(graph.inputs)
        specs = [v.spec for v in graph.inputs]

        def function(tensors: list) -> list:
            xs, ts = tensors[:count], tensors[count:]
            primals = [x for x, is_given in zip(xs, given, strict=True) if is_given]
            with ForwardAccumulator(primals, ts) as accumulator:
                ys = replay(graph, xs)
            moved = [accumulator.tangent(y) for y in ys]
            return [
                *ys,
                *[ops.zeros_like(y) if t is None else t for y, t in zip(ys, moved, strict=True)],
            ]

        return traced_graph(
            function, [*specs, *[s for s, g in zip(specs, given, strict=True) if g]]
        )

    return derived(graph, ("forward", given), make)


def batched(graph: Graph, which: tuple[bool, ...], size: int) -> Graph:
    """The graph on stacks (for the inputs that `which` names), giving stacks."""

    def make() -> Graph:
        specs = [
            Spec((size, *v.spec.shape), v.spec.dtype) if b else v.spec
            for v, b in zip(graph.inputs, which, strict=True)
        ]
        axes = [0 if b else None for b in which]
        return traced_graph(
            lambda tensors: vmap(lambda *xs: replay(graph, xs), in_axes=axes)(*tensors), specs
        )

    return derived(graph, ("batched", which, size), make)


def graph_primitive(name: str, *, kernel, shape, batch, vjp, jvp) -> Primitive:
    """A primitive whose parameters hold graphs. It has several results, and any inputs, `xs`."""
    prim = Primitive()
    prim.name, prim.inputs, prim.variadic = name, ("xs",), True
    prim.kernel, prim.shape, prim.batch = kernel, shape, batch
    prim.outputs, prim.broadcasts, prim.structure = 0, False, None
    prim.no_derivative, prim.differentiable = None, True
    prim.vjps, prim.joint = None, Rule(vjp, ("xs",), True)
    prim.jvps, prim.joint_jvp = None, Rule(jvp, ("xs",), True)
    prim.plans = {}
    return prim


def placed(found, wanted: tuple[bool, ...]) -> list[Any]:
    """The tensors found, at the places that are wanted; None at the others."""
    values = iter(found)
    return [next(values) if want else None for want in wanted]


def differentiable(xs) -> tuple[bool, ...]:
    return tuple([is_differentiable(x._data.dtype) for x in xs])


def with_zeros(tangents, xs) -> list[Tensor]:
    return [ops.zeros_like(x) if t is None else t for x, t in zip(xs, tangents, strict=True)]
