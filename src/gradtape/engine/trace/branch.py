"""A choice between graphs, by a number that only a call knows: `tf.cond` in a traced function."""

from __future__ import annotations

from collections.abc import Callable

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.trace import derived
from gradtape.engine.trace.execute import inner_executable
from gradtape.engine.trace.graph import Graph
from gradtape.engine.trace.tracing import Trace, traced_by


def chosen(index: int, count: int) -> int:
    """The branch that an index means; one out of range means the last."""
    return index if 0 <= index < count else count - 1


def _kernel(index, *operands, graphs):
    return inner_executable(graphs[chosen(int(index), len(graphs))])(*operands)


def _shape(index, *operands, graphs):
    return tuple(value.spec for value in graphs[0].outputs)


def _vjp(g, xs, graphs, wanted):
    index, *operands = xs
    reverse = tuple([derived.reverse(graph, wanted[1:]) for graph in graphs])
    found = bind(BRANCH, (index, *operands, *g), {"graphs": reverse})
    return [None, *derived.placed(found, wanted[1:])]


def _jvp(tangents, xs, graphs):
    index, *operands = xs
    given = tuple([t is not None for t in tangents[1:]])
    forward = tuple([derived.forward(graph, given) for graph in graphs])
    moving = [t for t in tangents[1:] if t is not None]
    found = bind(BRANCH, (index, *operands, *moving), {"graphs": forward})
    return found[len(graphs[0].outputs) :]


def _batch(prim, size, batched, inputs, params):
    index, *operands = inputs
    graphs = tuple([derived.batched(g, batched[1:], size) for g in params["graphs"]])
    if not batched[0]:
        return bind(BRANCH, inputs, {"graphs": graphs})
    # Every example takes its own branch: all are computed, and chosen from.
    count = len(graphs)
    every = [bind(BRANCH, (ops.to_tensor(i), *operands), {"graphs": graphs}) for i in range(count)]
    results = every[-1]
    for i in range(count - 1):
        here = ops.equal(index, ops.cast(ops.to_tensor(i), index.dtype))
        results = [
            ops.where(ops.reshape(here, (size, *[1] * (y.ndim - 1))), x, y)
            for x, y in zip(every[i], results, strict=True)
        ]
    return tuple(results)


BRANCH = derived.graph_primitive(
    "branch", kernel=_kernel, shape=_shape, batch=_batch, vjp=_vjp, jvp=_jvp
)


def traced_branches(trace: Trace, index: Tensor, functions: list[Callable]) -> list:
    """The results of the function with a traced number: a list of tensors, alike for all.

    A function gives a list of tensors. Variables that any of them assigns to are assigned to.
    """
    parts, results = [], []
    for function in functions:
        part = Trace(get_state().depth + 1, outer=trace)
        try:
            with traced_by(part):
                outputs = [part.value_of(x) for x in function()]
        finally:
            part.active = False
        parts.append(part)
        results.append(outputs)
    written = {key: variable for part in parts for key, variable in part.written.items()}
    finals = []
    for part, outputs in zip(parts, results, strict=True):
        part.active = True
        with traced_by(part):
            finals.append((*outputs, *[part.current_value(v) for v in written.values()]))
        part.active = False
    specs = [[value.spec for value in outputs] for outputs in finals]
    for other in specs[1:]:
        if other != specs[0]:
            trace.fail(
                f"the branches of a condition give different results, {specs[0]} and {other}"
            )
    operands, graphs = _with_common_inputs(parts, finals)
    found = bind(BRANCH, (index, *operands), {"graphs": graphs})
    count = len(results[0])
    for variable, value in zip(written.values(), found[count:], strict=True):
        trace.write(variable, value)
    return list(found[:count])


def _with_common_inputs(parts: list[Trace], outputs: list) -> tuple[list, tuple[Graph, ...]]:
    """The tensors that any branch uses, and the branches as graphs of all of these."""
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
