"""Replaying a recording: the values that can be recomputed, and the backward pass op by op."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.native import materialize, without_fusion
from gradtape.core.primitive import Rule
from gradtape.core.state import using
from gradtape.core.tensor import Tensor
from gradtape.engine.backward import accumulate, leads_to_sources, of_several
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.explain.paths import RecordedOp, RecordingGraph

clock = time.perf_counter  # seconds


def unrecorded():
    """Return a context in which no tape or accumulator sees the ops."""
    return using(tapes=(), accumulators=())


def has_value(x) -> bool:
    """Return whether an entry keeps a value: a tensor that is not a symbol of a trace or a vmap."""
    return isinstance(x, Tensor) and x._has_value


def host_array(x) -> Any:
    """Return the value of a tensor or variable as NumPy has it, also of one on a device."""
    data = materialize(x._data)
    return data if isinstance(data, np.ndarray | np.generic) else np.asarray(data)


class ReplayedValues:
    """The values by slot: those that the recording keeps, and those computed from them."""

    def __init__(self, graph: RecordingGraph, targets: list) -> None:
        self.graph = graph
        self.known: dict[int, np.ndarray] = {}
        recording = graph.recording
        for slot, x in recording.leaves.values():
            self.known[slot] = host_array(x)
        for op in graph.ops:
            self._take(op)
        for target in targets:
            slot = recording.slot_of(target)
            if slot is not None:
                self.known[slot] = host_array(target)
        with np.errstate(all="ignore"), without_fusion():
            for op in graph.ops:
                self._compute(op)

    def _take(self, op: RecordedOp) -> None:
        """Take the inputs and results that an entry keeps: they are as they were when it ran."""
        kept, ans = op.entry[3], op.entry[4]
        for s, x in zip(op.inputs, kept or (), strict=False):
            if s >= 0 and has_value(x):
                self.known[s] = host_array(x)
        if has_value(ans):
            self.known[op.entry[2]] = host_array(ans)
        elif isinstance(ans, tuple):
            for s, y in zip(op.entry[2][0], ans, strict=True):
                if s >= 0 and has_value(y):
                    self.known[s] = host_array(y)

    def _compute(self, op: RecordedOp) -> None:
        if all(s in self.known for s in op.outputs) or op.is_custom:
            return
        data = self.inputs(op)
        if any(x is None for x in data):
            return
        try:
            result = op.prim.kernel(*data, **op.entry[5])
        except Exception:  # a value that has changed since does not fit any more: it stays unknown
            return
        slots = op.entry[2]
        for s, y in [(slots, result)] if type(slots) is int else zip(slots[0], result, strict=True):
            if s >= 0:
                self.known[s] = y

    def inputs(self, op: RecordedOp) -> list:
        """Return the input arrays of an op; None where one is not known."""
        kept = op.entry[3] or (None,) * len(op.inputs)
        return [
            self.known.get(s) if s >= 0 else host_array(x) if has_value(x) else None
            for s, x in zip(op.inputs, kept, strict=True)
        ]

    def result(self, op: RecordedOp):
        """Return the (first) result array of an op; None where it is not known."""
        return self.known.get(op.outputs[0]) if op.outputs else None


class BackwardOp:
    """One op of a replayed backward pass: its cotangent, those of its inputs, and its time."""

    __slots__ = ("cotangent", "input_cotangents", "op", "seconds")

    def __init__(self, op: RecordedOp, cotangent, input_cotangents: list, seconds: float) -> None:
        self.op = op
        self.cotangent = cotangent
        self.input_cotangents = (
            input_cotangents  # (slot, cotangent of the input), for each input that has one
        )
        self.seconds = seconds


def replay_backward(
    graph: RecordingGraph, seeds: list[tuple], sources: set[int]
) -> Iterator[BackwardOp]:
    """Run the backward pass one op at a time; yield each. The recording stays as it is."""
    recording = graph.recording
    cotangents: list = [None] * len(graph.shapes)
    for slot, g in seeds:
        accumulate(cotangents, slot, g, set())
    leads = leads_to_sources(recording, sources)
    for op in reversed(graph.ops):
        start = clock()
        with unrecorded(), without_fusion():
            g = _cotangent(op, cotangents, sources)
            if g is None:
                continue
            input_cotangents = list(_input_cotangents(op, g, leads, graph.shapes))
            for slot, gx in input_cotangents:
                accumulate(cotangents, slot, gx, set())
        yield BackwardOp(op, g, input_cotangents, clock() - start)


def _cotangent(op: RecordedOp, cotangents: list, sources: set[int]):
    slot = op.entry[2]
    if type(slot) is not int:
        return of_several(cotangents, slot, sources)
    g = cotangents[slot]
    if slot not in sources:
        cotangents[slot] = None
    return g.__tf_tensor__() if type(g) is IndexedSlices and op.name != "identity" else g


def _input_cotangents(op: RecordedOp, g, leads, shapes: list) -> Iterator[tuple]:
    prim, slots, _, kept, ans, params, _, _ = op.entry
    needs_grad = tuple(s >= 0 and (leads is None or bool(leads[s])) for s in slots)
    if prim.joint is not None:
        if any(needs_grad):
            results = prim.joint.call(g, kept, ans, params, needs_grad)
            for s, needed, gx in zip(slots, needs_grad, results, strict=True):
                if needed and gx is not None:
                    yield s, gx
        return
    for s, needed, rule in zip(slots, needs_grad, prim.vjps, strict=True):
        if needed and type(rule) is Rule:
            gx = rule.call(g, kept, ans, params, None)
            if prim.broadcasts and gx._data.shape != shapes[s]:
                gx = ops.sum_to_shape(gx, shapes[s])
            yield s, gx


def array_of(g) -> np.ndarray:
    """Return the array of a cotangent; of a sparse one, its values."""
    return np.asarray(g.values._data if isinstance(g, IndexedSlices) else g._data)


def shortest_time(call: Callable, repeats: int) -> float:
    """Return the shortest time that a call takes."""
    best = float("inf")
    for _ in range(repeats):
        start = clock()
        call()
        best = min(best, clock() - start)
    return best
