"""The pullback (vjp) of a graph: its backward pass is traced, and split into two graphs."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.core.dtypes import is_differentiable
from gradtape.core.protocols import TapeListener
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.backward import backward
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.recording import Recording
from gradtape.graph.graph import Graph, Value
from gradtape.graph.passes import optimize
from gradtape.graph.passes.dead_code import eliminate_dead_code
from gradtape.graph.replay import replay
from gradtape.graph.tracing import Trace, trace_into


class Pullback:
    """Maps cotangents of a graph's outputs to gradients of some of its inputs.

    * `whole`: (inputs, cotangents) -> gradients, in one graph. It can be differentiated again.
    * `forward`: inputs -> (outputs, residuals that the backward pass needs);
    * `backward`: (residuals, cotangents) -> gradients: the same as `whole`, in two parts.

    `needs_grad` says which inputs get a gradient, `seeded` which outputs can have a cotangent (all
    if it is None); `targets` are the indices of the outputs whose cotangents matter.
    """

    def __init__(
        self, graph: Graph, needs_grad: tuple[bool, ...], seeded: tuple[bool, ...] | None = None
    ) -> None:
        trace = Trace(1)
        xs = [trace.input(value.spec) for value in graph.inputs]
        recording = Recording(watch_variables=False)
        for x, needed in zip(xs, needs_grad, strict=True):
            if needed:
                recording.watch(x)
        with trace_into(trace, (recording,)):
            ys = replay(graph, xs)
        slots = [recording.slot_of(y) for y in ys]
        self.targets = [
            index
            for index, (y, slot) in enumerate(zip(ys, slots, strict=True))
            if slot is not None
            and is_differentiable(y._data.dtype)
            and (seeded is None or seeded[index])
        ]
        cotangents = [trace.input(ys[index]._spec()) for index in self.targets]
        seeds = [(slots[i], g) for i, g in zip(self.targets, cotangents, strict=True)]
        sources = [
            recording.slot_of(x) if needed else None
            for x, needed in zip(xs, needs_grad, strict=True)
        ]
        with trace_into(trace):
            by_slot = backward(recording, seeds, {s for s in sources if s is not None}, True)
            gradients = [None if s is None else by_slot[s] for s in sources]
            flat, self._packers = _flatten(gradients)
            results = tuple([trace.value_of(ops.to_tensor(g)) for g in flat])
            outputs = tuple([trace.value_of(y) for y in ys])
        trace.active = False
        inputs = tuple(trace.inputs)
        joint = optimize(Graph(inputs, trace.nodes, (*outputs, *results)))
        # When a call is differentiated, its effects have happened.
        results = joint.outputs[len(outputs) :]
        pure = eliminate_dead_code(Graph(inputs, joint.nodes, results), keeps_effects=False)
        self.whole = optimize(pure)
        self._split(joint, len(xs), len(outputs))

    def _split(self, joint: Graph, count: int, outputs: int) -> None:
        primal = optimize(Graph(joint.inputs[:count], joint.nodes, joint.outputs[:outputs]))
        available = {id(value) for value in primal.inputs}
        available.update(id(value) for node in primal.nodes for value in node.outputs)
        inside = {id(node) for node in primal.nodes}
        rest = [node for node in joint.nodes if id(node) not in inside]
        results = joint.outputs[outputs:]
        needed: dict[int, Value] = {}
        for value in (*[v for node in rest for v in node.inputs], *results):
            if id(value) in available and value.constant is None:
                needed[id(value)] = value
        residuals = tuple(needed.values())
        self.forward = Graph(primal.inputs, primal.nodes, (*primal.outputs, *residuals))
        self.backward = Graph((*residuals, *joint.inputs[count:]), rest, results)

    def pack(self, flat: list[Any]) -> list:
        """Return the gradients (None where there is none; some sparse) made of flat tensors."""
        values = iter(flat)
        return [pack(values) for pack in self._packers]


def _flatten(gradients: list) -> tuple[list, list]:
    flat: list = []
    packers: list = []
    for g in gradients:
        if g is None:
            packers.append(lambda values: None)
        elif isinstance(g, IndexedSlices):
            flat += [g.values, g.indices]
            shape = g._dense_shape
            packers.append(
                lambda values, shape=shape: IndexedSlices(next(values), next(values), shape)
            )
        else:
            flat.append(g)
            packers.append(next)
    return flat, packers


def pullback(
    graph: Graph, needs_grad: tuple[bool, ...], seeded: tuple[bool, ...] | None = None
) -> Pullback:
    """Return the pullback of a graph for these inputs; it is made once."""
    key = needs_grad if seeded is None else ("seeded", needs_grad, seeded)
    rule = graph.derived.get(key)
    if rule is None:
        rule = graph.derived[key] = Pullback(graph, needs_grad, seeded)
    return rule


def is_tracked(tape: TapeListener, x: Tensor) -> bool:
    """Return whether a tensor is on a tape."""
    return tape.slot_of(x) is not None


def tracked_mask(tensors) -> tuple[bool, ...]:
    """Return which of the tensors are on a tape that is recording."""
    tapes = get_state().tapes
    return tuple(
        [
            is_differentiable(x._data.dtype) and any(is_tracked(tape, x) for tape in tapes)
            for x in tensors
        ]
    )
