"""Functions with a gradient of their own, in a graph: their gradient is a graph beside it."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.core.primitive import Primitive, Rule
from gradtape.core.state import get_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.trace.graph import Graph
from gradtape.engine.trace.replay import replay
from gradtape.engine.trace.tracing import NeedsValue, Trace, traced_by


class CustomRule:
    """The reverse rule of a call, as a graph: of tensors that it holds on to, and cotangents.

    The inputs of the op are the results of the call, then its arguments, then those tensors.
    """

    __slots__ = ("arguments", "gradients", "graph", "results")

    def __init__(self, results: int, arguments: int, graph: Graph, gradients: list) -> None:
        self.results = results
        self.arguments = arguments
        self.graph = graph
        self.gradients = gradients  # for each argument: None, or the shape of a sparse one, or ()


def _pull(g, xs, rule: CustomRule):
    cotangents = g if isinstance(g, tuple) else (g,)
    held = xs[rule.results + rule.arguments :]
    found = iter(replay(rule.graph, [*held, *cotangents]))
    gradients: list[Any] = [None] * rule.results
    for kind in rule.gradients:
        if kind is None:
            gradients.append(None)
        elif kind == ():
            gradients.append(next(found))
        else:
            gradients.append(IndexedSlices(next(found), next(found), kind[0]))
    return [*gradients, *[None] * len(held)]


def _push(tangents, xs, rule: CustomRule):
    """In forward mode the ops of the call have been seen: their tangents are right."""
    moved = tuple(
        ops.zeros_like(x) if t is None else t
        for x, t in zip(xs[: rule.results], tangents, strict=False)
    )
    return moved[0] if rule.results == 1 else moved


def _results(*arrays, rule: CustomRule):
    return arrays[0] if rule.results == 1 else arrays[: rule.results]


def _result_specs(*specs: Spec, rule: CustomRule):
    return specs[0] if rule.results == 1 else specs[: rule.results]


def _batched(prim, size, batched, inputs, params):
    rule = params["rule"]
    results = tuple(
        x if is_batched else ops.broadcast_to(x, (size, *x.shape))
        for x, is_batched in zip(inputs[: rule.results], batched, strict=False)
    )
    return results[0] if rule.results == 1 else results


def _make_primitive(outputs: int) -> Primitive:
    prim = Primitive()
    prim.name, prim.inputs, prim.variadic = "with_gradient", ("xs",), True
    prim.kernel, prim.shape, prim.batch = _results, _result_specs, _batched
    prim.outputs, prim.broadcasts, prim.structure = outputs, False, None
    prim.no_derivative, prim.differentiable = None, True
    prim.vjps, prim.joint = None, Rule(_pull, ("xs",), True)
    prim.jvps, prim.joint_jvp = None, Rule(_push, ("xs",), True)
    prim.plans = {}
    return prim


WITH_GRADIENT = {1: _make_primitive(1), 0: _make_primitive(0)}


def with_gradient(trace: Trace, results: list, inputs: list, grad_fn) -> list:
    """Note a call with its own gradient, which is traced here: its results, as the op's."""
    part = Trace(get_state().depth + 1, outer=trace)
    try:
        with traced_by(part):
            cotangents = [part.input(y._spec()) for y in results]
            kinds, flat = [], []
            for g in grad_fn(*cotangents):
                if g is None:
                    kinds.append(None)
                elif isinstance(g, IndexedSlices):
                    kinds.append((g._dense_shape,))
                    flat += [g.values, g.indices]
                else:
                    kinds.append(())
                    flat.append(ops.to_tensor(g))
            outputs = tuple([part.value_of(x) for x in flat])
    except NeedsValue:
        raise
    except Exception as error:
        trace.fail(f"a gradient function cannot be traced ({type(error).__name__}: {error})")
    finally:
        part.active = False
    if part.written:
        trace.fail("a gradient function assigns to a variable")
    held = part.captured
    count = len(results)
    graph = Graph((*part.inputs[count:], *part.inputs[:count]), part.nodes, outputs)
    rule = CustomRule(count, len(inputs), graph, kinds)
    prim = WITH_GRADIENT[count == 1]
    out = trace.process(prim, (*results, *inputs, *held), {"rule": rule})
    return [out] if isinstance(out, Tensor) else list(out)
