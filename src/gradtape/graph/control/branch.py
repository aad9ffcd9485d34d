"""The BRANCH primitive, which runs the graph with a given index: `tf.cond` when traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.tensor import Tensor
from gradtape.engine.vmap import replace_inactive, select_examples
from gradtape.graph import derived
from gradtape.graph.control.outside import part_of, surroundings
from gradtape.graph.execute import inner_executable
from gradtape.graph.graph import Graph
from gradtape.graph.replay import OP_BY_OP, replay
from gradtape.graph.tracing import Obstacle, Trace, trace_into


def clamp_branch_index(index: int, count: int) -> int:
    """Return the index of the branch that runs; an index out of range means the last."""
    return index if 0 <= index < count else count - 1


def _kernel(index, *operands, graphs):
    return inner_executable(graphs[clamp_branch_index(int(index), len(graphs))])(*operands)


def _shape(index, *operands, graphs):
    return tuple(value.spec for value in graphs[0].outputs)


def _vjp(g, xs, graphs, needs_grad):
    index, *operands = xs
    vjps = tuple([derived.vjp_graph(graph, needs_grad[1:]) for graph in graphs])
    gradients = bind(BRANCH, (index, *operands, *g), {"graphs": vjps})
    return [None, *derived.expand_with_none(gradients, needs_grad[1:])]


def _jvp(tangents, xs, graphs):
    index, *operands = xs
    given = tuple([t is not None for t in tangents[1:]])
    jvps = tuple([derived.jvp_graph(graph, given) for graph in graphs])
    present = [t for t in tangents[1:] if t is not None]
    outputs = bind(BRANCH, (index, *operands, *present), {"graphs": jvps})
    return outputs[len(graphs[0].outputs) :]


def _batch(prim, size, batched, inputs, params):
    index, *operands = inputs
    graphs = tuple([derived.batched_graph(g, batched[1:], size) for g in params["graphs"]])
    if not batched[0]:
        return bind(BRANCH, inputs, {"graphs": graphs})
    # Every example takes its own branch: run each branch that any of them takes, and select. An
    # index out of range means the last branch.
    taken = [ops.equal(index, ops.cast(i, index.dtype)) for i in range(len(graphs) - 1)]
    others = ops.zeros((size,), "bool")
    for some in taken:
        others = ops.logical_or(others, some)
    taken.append(ops.logical_not(others))
    results: list = []
    for active, graph in zip(taken, graphs, strict=True):
        given = [
            replace_inactive(active, x) if is_batched else x
            for x, is_batched in zip(operands, batched[1:], strict=True)
        ]
        unused = ops.cast(ops.logical_not(ops.reduce_any(active)), "int32")
        params = {"graphs": (graph, derived.zeros_graph(graph))}
        outputs = bind(BRANCH, (unused, *given), params)
        results = [
            select_examples(active, x, y) for x, y in zip(outputs, results or outputs, strict=True)
        ]
    return tuple(results)


BRANCH = derived.graph_primitive(
    "branch", kernel=_kernel, shape=_shape, batch=_batch, vjp=_vjp, jvp=_jvp
)


def _op_by_op(index, *operands, graphs):
    chosen = clamp_branch_index(int(index._host_data()), len(graphs))
    return tuple(replay(graphs[chosen], operands))


OP_BY_OP["branch"] = _op_by_op


class DifferentShapes(Exception):
    """Raised by `trace_branches` with `may_differ` for results of different shapes."""


def trace_branches(
    trace: Any, index: Tensor, functions: list[Callable], may_differ: bool = False
) -> list:
    """Trace functions as the branches of one op, and return the results for a traced index.

    `trace` is that of the function around them, or None where there is none: in an eager vmap.
    Each function returns a list of tensors, with the same specs for all. Variables that any of
    them assigns to are written in `trace`.
    """
    trace = surroundings(trace)
    parts, results = [], []
    for function in functions:
        part = part_of(trace)
        try:
            with trace_into(part):
                outputs = [part.value_of(x) for x in function()]
        finally:
            part.active = False
        parts.append(part)
        results.append(outputs)
    written = {key: variable for part in parts for key, variable in part.written.items()}
    finals = []
    for part, outputs in zip(parts, results, strict=True):
        part.active = True
        with trace_into(part):
            finals.append((*outputs, *[part.current_value(v) for v in written.values()]))
        part.active = False
    specs = [[value.spec for value in outputs] for outputs in finals]
    for other in specs[1:]:
        if other != specs[0] and may_differ:
            raise DifferentShapes
        if other != specs[0]:
            trace.fail(
                f"the branches of a condition give different results, {specs[0]} and {other}",
                Obstacle.OTHER,
            )
    operands, graphs = _with_common_inputs(parts, finals)
    outputs = bind(BRANCH, (index, *operands), {"graphs": graphs})
    count = len(results[0])
    for variable, value in zip(written.values(), outputs[count:], strict=True):
        trace.write(variable, value)
    return list(outputs[:count])


def _with_common_inputs(parts: list[Trace], outputs: list) -> tuple[list, tuple[Graph, ...]]:
    """Return the tensors that any branch captures, and the branches as graphs of all of them."""
    tensors: dict = {}
    for part in parts:
        for key, (x, value) in part._captured.items():
            tensors.setdefault(key, (x, value.spec))
    graphs = []
    for part, results in zip(parts, outputs, strict=True):
        inputs = []
        for key, (x, _) in tensors.items():
            known = part._captured.get(key)
            inputs.append(part.input(x._spec())._value if known is None else known[1])
        graphs.append(Graph(tuple(inputs), part.nodes, results))
    return [x for x, _ in tensors.values()], tuple(graphs)
