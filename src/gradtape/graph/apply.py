"""Calls a graph on tensors: as one op where no interpreter needs to see its ops, else op by op."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from gradtape.core.dtypes import is_differentiable
from gradtape.core.protocols import GraphExecutor
from gradtape.core.state import State, get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.custom_gradient import record_custom
from gradtape.engine.function_tape import watch_arguments
from gradtape.graph.derivative import is_tracked, pullback
from gradtape.graph.execute import numpy_executable, writing_executable
from gradtape.graph.graph import Graph, constants_to_inputs
from gradtape.graph.replay import replay

# Set by tf.config.run_functions_eagerly.
settings = {"run_eagerly": False}
# Whether functions called now are inlined into the one being traced: in the function of a replica.
inlined: ContextVar[bool] = ContextVar("gradtape_inlined_functions", default=False)


class WholeGraphBackend(ABC):
    """Base of the backends that run a graph as a whole, which tapes see as one op.

    See `GraphBackend` and `GraphExecutor` in `core.protocols`.
    """

    name: str

    @abstractmethod
    def executable(self, graph: Graph) -> Callable[..., tuple]: ...

    @abstractmethod
    def wrap(self, data: Any) -> Tensor: ...

    @abstractmethod
    def run(self, routine: Any, tensors: list) -> list[Tensor]: ...

    def apply(self, graph: Graph, tensors: list) -> list[Tensor]:
        """Return the outputs of a graph, seen by all listeners and interpreters."""
        return apply(graph, tensors, self)


class NumpyBackend(WholeGraphBackend):
    """Runs graphs on NumPy's arrays, by the host's kernels."""

    name = "numpy"

    def executable(self, graph: Graph) -> Callable[..., tuple]:
        return numpy_executable(graph)

    def wrap(self, data: Any) -> Tensor:
        return Tensor(data)

    def run(self, routine: Any, tensors: list) -> list[Tensor]:
        """Call a routine for the first time; from then on it calls the executable itself."""
        routine.use(*writing_executable(routine.graph, routine.replaced_inputs()))
        return routine(tensors)


NUMPY = NumpyBackend()


def apply(graph: Graph, tensors: list, backend: GraphExecutor = NUMPY) -> list[Tensor]:
    """Return the outputs of a graph for these inputs.

    Forward accumulators, vmaps and functions being traced see every op. A tape sees one op, whose
    vjp is a graph too; for second order, the call of that graph is recorded in turn.
    """
    state = get_state()
    if state.tapes or state.accumulators:
        graph = _with_observed_parts(graph, state)
    if state.accumulators or (state.depth and not all(x._has_value for x in tensors)):
        return replay(graph, tensors)
    if state.tapes:
        watch_arguments(tensors)
        graph, tensors, needs_grad = _with_watched_constants(graph, tensors, state.tapes)
        if any(needs_grad):
            return _record(graph, tensors, needs_grad, backend)
    return _run(backend, graph, [x._data for x in tensors])


def _run(backend: GraphExecutor, graph: Graph, arrays: list) -> list:
    return [backend.wrap(data) for data in backend.executable(graph)(*arrays)]


def _with_watched_constants(graph: Graph, tensors: list, tapes: tuple):
    """Turn constants that a tape watches into inputs; return also which inputs are watched."""

    def is_watched(x) -> bool:
        return is_differentiable(x._data.dtype) and any(is_tracked(tape, x) for tape in tapes)

    needs_grad = tuple([is_watched(x) for x in tensors])
    watched = [value for value in graph.constants() if is_watched(value.constant)]
    if not watched:
        return graph, tensors, needs_grad
    key = ("constants", *map(id, watched))
    extended = graph.derived.get(key)
    if extended is None:
        extended = graph.derived[key] = constants_to_inputs(graph, watched)
    tensors = [*tensors, *[value.constant for value in watched]]
    return extended, tensors, (*needs_grad, *[True] * len(watched))


WITH_PARTS = ("branch", "loop", "scan")  # ops of which each graph has all operands but the first


def _with_observed_parts(graph: Graph, state: State) -> Graph:
    """Return a graph in which branches and loops have as operands what listeners know of theirs."""
    inner = [x for x in _inner_constants(graph) if _is_known(x, state)]
    if not inner:
        return graph
    key = ("inner constants", *map(id, inner))
    outer = graph.derived.get(key)
    if outer is None:
        from gradtape.graph.control.operands import with_outer_constants

        outer = graph.derived[key] = with_outer_constants(graph, inner)
    return outer


def _is_known(x: Tensor, state: State) -> bool:
    """Return whether a tape watches a constant, or an accumulator has a tangent of it."""
    return is_differentiable(x._data.dtype) and (
        any(is_tracked(tape, x) for tape in state.tapes)
        or any(accumulator.tangent(x) is not None for accumulator in state.accumulators)
    )


def _inner_constants(graph: Graph) -> list[Tensor]:
    """Return the constants of the branches and loop bodies in a graph."""
    known = graph.derived.get("inner constants")
    if known is None:
        parts = [each for n in graph.nodes if n.prim.name in WITH_PARTS for each in n.graphs]
        tensors = [x for part in parts for x in constants_within(part)]
        known = graph.derived["inner constants"] = list({id(x): x for x in tensors}.values())
    return known


def constants_within(graph: Graph) -> list[Tensor]:
    """Return the constants of a graph, and of the branches and loop bodies in it."""
    own = [value.constant for value in graph.constants() if value.constant is not None]
    return own + _inner_constants(graph)


def _record(graph: Graph, inputs: list, needs_grad: tuple, backend: GraphExecutor) -> list:
    rule = pullback(graph, needs_grad)
    outputs = _run(backend, rule.forward, [x._data for x in inputs])
    count = len(graph.outputs)
    residuals = [x._data for x in outputs[count:]]

    def vjp(*cotangents):
        given = [cotangents[index] for index in rule.targets]
        if _is_observed([*inputs, *given]):
            gradients = apply(rule.whole, [*inputs, *given], backend)
        else:
            gradients = _run(backend, rule.backward, [*residuals, *[g._data for g in given]])
        return rule.pack(gradients)

    return record_custom(outputs[:count], inputs, vjp)


def _is_observed(tensors: list) -> bool:
    state = get_state()
    return bool(state.accumulators) or any(
        not x._has_value or any(is_tracked(tape, x) for tape in state.tapes) for x in tensors
    )
