"""A graph called on tensors: as one op where nobody needs to see inside, else op by op."""

from __future__ import annotations

from gradtape.core.dtypes import is_differentiable
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.custom_gradient import record_custom
from gradtape.engine.trace.derivative import is_known, pullback
from gradtape.engine.trace.execute import numpy_executable
from gradtape.engine.trace.graph import Graph, with_inputs_for
from gradtape.engine.trace.replay import replay


class NumpyBackend:
    """How graphs run on NumPy's arrays. Other backends have the same attributes."""

    name = "numpy"
    wrap = Tensor
    executable = staticmethod(numpy_executable)


def is_concrete(x) -> bool:
    """Whether a tensor has a value now, on the host or on a device."""
    return type(x) is Tensor or x._interpreter.depth == 0


def apply(graph: Graph, tensors: list, backend=NumpyBackend) -> list:
    """The outputs of a graph, seen by whoever listens.

    Forward accumulators, vmaps and functions being traced see every op. A tape sees one op, whose
    reverse rule is a graph too; to second order, that call is on the tape in turn.
    """
    state = get_state()
    if state.accumulators or (state.depth and not all(map(is_concrete, tensors))):
        return replay(graph, tensors)
    if state.tapes:
        graph, tensors, wanted = _with_watched_constants(graph, tensors, state.tapes)
        if any(wanted):
            return _recorded(graph, tensors, wanted, backend)
    return _run(backend, graph, [x._data for x in tensors])


def _run(backend, graph: Graph, arrays: list) -> list:
    return [backend.wrap(data) for data in backend.executable(graph)(*arrays)]


def _with_watched_constants(graph: Graph, tensors: list, tapes: tuple):
    """The graph with the constants that a tape watches as inputs, and which inputs are watched."""

    def is_watched(x) -> bool:
        return is_differentiable(x._data.dtype) and any(is_known(tape, x) for tape in tapes)

    wanted = tuple([is_watched(x) for x in tensors])
    watched = [value for value in graph.constants() if is_watched(value.constant)]
    if not watched:
        return graph, tensors, wanted
    key = ("constants", *map(id, watched))
    wider = graph.pullbacks.get(key)
    if wider is None:
        wider = graph.pullbacks[key] = with_inputs_for(graph, watched)
    tensors = [*tensors, *[value.constant for value in watched]]
    return wider, tensors, (*wanted, *[True] * len(watched))


def _recorded(graph: Graph, inputs: list, wanted: tuple, backend) -> list:
    rule = pullback(graph, wanted)
    found = _run(backend, rule.forward, [x._data for x in inputs])
    count = len(graph.outputs)
    kept = [x._data for x in found[count:]]

    def pull(*cotangents):
        given = [cotangents[place] for place in rule.targets]
        if _somebody_listens([*inputs, *given]):
            gradients = apply(rule.whole, [*inputs, *given], backend)
        else:
            gradients = _run(backend, rule.back, [*kept, *[g._data for g in given]])
        return rule.packed(gradients)

    return record_custom(found[:count], inputs, pull)


def _somebody_listens(tensors: list) -> bool:
    state = get_state()
    return bool(state.accumulators) or any(
        not is_concrete(x) or any(is_known(tape, x) for tape in state.tapes) for x in tensors
    )
