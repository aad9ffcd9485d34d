"""Custom gradients in a graph: the gradient function is traced to a graph of its own."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.core.errors import UnimplementedError
from gradtape.core.primitive import primitive
from gradtape.core.state import get_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.open_sizes import GraphHolder
from gradtape.graph.replay import replay
from gradtape.graph.tracing import NeedsValue, Obstacle, Trace, trace_into
from gradtape.ops.families import all_batched

# Up to which order the derivatives of a function are traced that its own gradient function calls:
# there is no end to them, and each has at least as many ops as the one before.
MAX_ORDER = 4


class CustomRule(GraphHolder):
    """The vjp of a call with a custom gradient, as a graph of captured tensors and cotangents.

    The inputs of the op are the results of the call, its arguments, and the captured tensors.
    """

    __slots__ = ("arguments", "error", "gradients", "graph", "is_assignment", "results")

    def __init__(self, results: int, arguments: int, graph: Graph, gradients: list) -> None:
        self.error: Exception | None = (
            None  # of the gradient function: raised if the gradient is asked for
        )
        self.results = results
        self.arguments = arguments
        self.graph = graph
        self.is_assignment = False  # of the result to a variable, the one argument
        self.gradients = gradients  # for each argument: None, () if dense, (dense shape,) if sparse


def _vjp(g, xs, rule: CustomRule):
    if rule.error is not None:
        raise rule.error.with_traceback(None)
    cotangents = g if isinstance(g, tuple) else (g,)
    captured = xs[rule.results + rule.arguments :]
    flat = iter(replay(rule.graph, [*captured, *cotangents]))
    gradients: list[Any] = [None] * rule.results
    for kind in rule.gradients:
        if kind is None:
            gradients.append(None)
        elif kind == ():
            gradients.append(next(flat))
        else:
            gradients.append(IndexedSlices(next(flat), next(flat), kind[0]))
    return [*gradients, *[None] * len(captured)]


def _jvp(tangents, xs, rule: CustomRule):
    """Return the tangents of the results: forward mode has seen the ops of the call."""
    out_tangents = tuple(
        ops.zeros_like(x) if t is None else t
        for x, t in zip(xs[: rule.results], tangents, strict=False)
    )
    return out_tangents[0] if rule.results == 1 else out_tangents


def _results(*arrays, rule: CustomRule):
    return arrays[0] if rule.results == 1 else arrays[: rule.results]


def _result_specs(*specs: Spec, rule: CustomRule):
    return specs[0] if rule.results == 1 else specs[: rule.results]


def _batched(prim, size, batched, inputs, params):
    rule = params["rule"]
    results = all_batched(size, batched[: rule.results], inputs[: rule.results])
    return results[0] if rule.results == 1 else results


WITH_GRADIENT = {
    outputs: primitive(
        "with_gradient",
        "*xs",
        kernel=_results,
        shape=_result_specs,
        batch=_batched,
        vjp=_vjp,
        jvp=_jvp,
        outputs=outputs,
    )
    for outputs in (1, 0)
}


def as_variable(trace: Trace, value: Value, variable: Value) -> Value:
    """Return a value that was assigned to a variable: its gradient is that of the variable."""
    cotangent = Value(value.spec)
    rule = CustomRule(1, 1, Graph((cotangent,), [], (cotangent,)), [()])
    rule.is_assignment = True
    out = Value(value.spec)
    trace.nodes.append(Node(WITH_GRADIENT[1], (value, variable), {"rule": rule}, (out,), None))
    return out


def _order(trace: Any, code: Any) -> int:
    """Return how many of the traces around are of this gradient function."""
    order = 0
    while isinstance(trace, Trace):
        order += trace.gradient_code is code
        trace = trace.outer
    return order


def with_gradient(trace: Trace, results: list, inputs: list, grad_fn) -> list:
    """Trace the gradient function of a call, and return the results as those of one op."""
    part = Trace(get_state().depth + 1, outer=trace)
    part.is_gradient = True
    given = getattr(grad_fn, "__wrapped__", None)  # by the program
    part.gradient_code = getattr(given, "__code__", type(given)) if given else None
    kinds: list = []
    outputs: tuple = ()
    error: Exception | None = None
    try:
        if given and _order(trace, part.gradient_code) >= MAX_ORDER:
            raise UnimplementedError(
                f"tf.function: the gradient function {getattr(given, '__qualname__', given)} calls "
                "the function that it is the gradient of; such derivatives are traced up to order "
                f"{MAX_ORDER}. Take the higher ones outside of tf.function."
            )
        with trace_into(part):
            cotangents = [part.input(y._spec()) for y in results]
            flat = []
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
    except MemoryError:
        raise
    except Exception as raised:  # raised again if the gradient is asked for
        error = raised.with_traceback(None)
    finally:
        part.active = False
    if part.written:
        trace.fail("a gradient function assigns to a variable", Obstacle.OTHER)
    captured = part.captured
    count = len(results)
    graph = Graph((*part.inputs[count:], *part.inputs[:count]), part.nodes, outputs)
    rule = CustomRule(count, len(inputs), graph, kinds)
    rule.error = error
    prim = WITH_GRADIENT[count == 1]
    out = trace.process(prim, (*results, *inputs, *captured), {"rule": rule})
    return [out] if isinstance(out, Tensor) else list(out)
