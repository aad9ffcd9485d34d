"""The reverse rule of a graph: traced by walking back through it, and split into two graphs."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.core.dtypes import is_differentiable
from gradtape.core.tensor import Tensor
from gradtape.engine.backward import backward
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.recording import Recording
from gradtape.engine.trace.graph import Graph, Value
from gradtape.engine.trace.passes import optimised
from gradtape.engine.trace.replay import replay
from gradtape.engine.trace.tracing import Trace, traced_by


class Pullback:
    """How cotangents of a graph's outputs become cotangents of some of its inputs.

    * `whole`: (inputs, cotangents) -> gradients, in one graph. It can be differentiated again.
    * `forward`: inputs -> (outputs, what the way back needs);
    * `back`: (what it needs, cotangents) -> gradients: the same as `whole`, in two parts.

    `seeded` tells which outputs can have a cotangent: all, unless it is given.
    """

    def __init__(
        self, graph: Graph, wanted: tuple[bool, ...], seeded: tuple[bool, ...] | None = None
    ) -> None:
        trace = Trace(1)
        xs = [trace.input(value.spec) for value in graph.inputs]
        recording = Recording(watch_variables=False)
        for x, want in zip(xs, wanted, strict=True):
            if want:
                recording.watch(x)
        with traced_by(trace, (recording,)):
            ys = replay(graph, xs)
        slots = [recording.slot_of(y) for y in ys]
        # The places of the outputs whose cotangents matter.
        self.targets = [
            place
            for place, (y, slot) in enumerate(zip(ys, slots, strict=True))
            if slot is not None
            and is_differentiable(y._data.dtype)
            and (seeded is None or seeded[place])
        ]
        cotangents = [trace.input(ys[place]._spec()) for place in self.targets]
        seeds = [(slots[p], g) for p, g in zip(self.targets, cotangents, strict=True)]
        sources = [
            recording.slot_of(x) if want else None for x, want in zip(xs, wanted, strict=True)
        ]
        with traced_by(trace):
            found = backward(recording, seeds, {s for s in sources if s is not None}, True)
            gradients = [None if s is None else found[s] for s in sources]
            flat, self._packers = _flattened(gradients)
            results = tuple([trace.value_of(ops.to_tensor(g)) for g in flat])
            outputs = tuple([trace.value_of(y) for y in ys])
        trace.active = False
        inputs = tuple(trace.inputs)
        joint = optimised(Graph(inputs, trace.nodes, (*outputs, *results)))
        # The effects of the call have happened when it is differentiated.
        pure = [node for node in joint.nodes if not node.has_effect]
        self.whole = optimised(Graph(inputs, pure, joint.outputs[len(outputs) :]))
        self._split(joint, len(xs), len(outputs))

    def _split(self, joint: Graph, count: int, outputs: int) -> None:
        primal = optimised(Graph(joint.inputs[:count], joint.nodes, joint.outputs[:outputs]))
        at_hand = {id(value) for value in primal.inputs}
        at_hand.update(id(value) for node in primal.nodes for value in node.outputs)
        inside = {id(node) for node in primal.nodes}
        rest = [node for node in joint.nodes if id(node) not in inside]
        results = joint.outputs[outputs:]
        needed: dict[int, Value] = {}
        for value in (*[v for node in rest for v in node.inputs], *results):
            if id(value) in at_hand and value.constant is None:
                needed[id(value)] = value
        residuals = tuple(needed.values())
        self.forward = Graph(primal.inputs, primal.nodes, (*primal.outputs, *residuals))
        self.back = Graph((*residuals, *joint.inputs[count:]), rest, results)

    def packed(self, flat: list[Any]) -> list:
        """The gradients (None where there is none; some sparse) from the tensors in them."""
        values = iter(flat)
        return [pack(values) for pack in self._packers]


def _flattened(gradients: list) -> tuple[list, list]:
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
    graph: Graph, wanted: tuple[bool, ...], seeded: tuple[bool, ...] | None = None
) -> Pullback:
    """The pullback of a graph for these inputs, made once."""
    key = wanted if seeded is None else ("seeded", wanted, seeded)
    found = graph.pullbacks.get(key)
    if found is None:
        found = graph.pullbacks[key] = Pullback(graph, wanted, seeded)
    return found


def is_known(tape, x: Tensor) -> bool:
    """Whether a tape (or a paused one) knows a tensor."""
    slot_of = getattr(tape, "slot_of", None)
    return slot_of is not None and slot_of(x) is not None
