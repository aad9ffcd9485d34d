"""Running a record again: the values that can be known, and the backward walk op by op."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from gradtape import ops
from gradtape.core.native import one_by_one, settled
from gradtape.core.primitive import Rule
from gradtape.core.state import using
from gradtape.core.tensor import Tensor
from gradtape.engine.backward import _accumulate, _leads_to_sources, _of_several
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.recording import Recording
from gradtape.explain.paths import Graph, Op


def quiet():
    """The block's ops are seen by nobody."""
    return using(tapes=(), accumulators=())


class Values:
    """The values by slot, as far as the record keeps them or they follow from what it keeps."""

    def __init__(self, graph: Graph, targets: list) -> None:
        self.graph = graph
        self.known: dict[int, np.ndarray] = {}
        recording = graph.recording
        for slot, x in recording.leaves.values():
            self.known[slot] = settled(x._data)
        for op in graph.ops:
            self._take(op)
        for target in targets:
            slot = recording.slot_of(target)
            if slot is not None:
                self.known[slot] = settled(target._data)
        with np.errstate(all="ignore"), one_by_one():
            for op in graph.ops:
                self._compute(op)

    def _take(self, op: Op) -> None:
        """What an op keeps of its inputs and results is how they were, whatever changed since."""
        kept, ans = op.entry[3], op.entry[4]
        for s, x in zip(op.inputs, kept or (), strict=False):
            if s >= 0 and type(x) is Tensor:
                self.known[s] = settled(x._data)
        if type(ans) is Tensor:
            self.known[op.entry[2]] = settled(ans._data)
        elif ans is not None:
            for s, y in zip(op.entry[2][0], ans, strict=True):
                if s >= 0 and type(y) is Tensor:
                    self.known[s] = settled(y._data)

    def _compute(self, op: Op) -> None:
        if all(s in self.known for s in op.outputs) or op.is_custom:
            return
        data = self.inputs(op)
        if any(x is None for x in data):
            return
        try:
            found = op.prim.kernel(*data, **op.entry[5])
        except Exception:  # a value that has changed since does not fit any more: it stays unknown
            return
        slots = op.entry[2]
        for s, y in [(slots, found)] if type(slots) is int else zip(slots[0], found, strict=True):
            if s >= 0:
                self.known[s] = y

    def inputs(self, op: Op) -> list:
        """The arrays an op was given; None where one is not known."""
        kept = op.entry[3] or (None,) * len(op.inputs)
        return [
            self.known.get(s) if s >= 0 else settled(x._data) if type(x) is Tensor else None
            for s, x in zip(op.inputs, kept, strict=True)
        ]

    def result(self, op: Op):
        """The array an op gave (the first, if several); None where it is not known."""
        return self.known.get(op.outputs[0]) if op.outputs else None


class Step:
    """One op of the backward walk: the cotangent it got, those it gave, and how long it took."""

    __slots__ = ("cotangent", "given", "op", "seconds")

    def __init__(self, op: Op, cotangent, given: list, seconds: float) -> None:
        self.op = op
        self.cotangent = cotangent
        self.given = given  # (slot, cotangent of the input), for each input that has one
        self.seconds = seconds


def walk_back(graph: Graph, seeds: list[tuple], sources: set[int]) -> Iterator[Step]:
    """The backward pass, one op at a time, leaving the record as it is."""
    recording = graph.recording
    cotangents: list = [None] * len(recording.shapes)
    for slot, g in seeds:
        _accumulate(cotangents, slot, g, set())
    leads = _leads_to_sources(recording, sources)
    for op in reversed(graph.ops):
        start = time.perf_counter()
        with quiet(), one_by_one():
            g = _cotangent(op, cotangents, sources)
            if g is None:
                continue
            given = list(_given(op, g, leads, recording))
            for slot, gx in given:
                _accumulate(cotangents, slot, gx, set())
        yield Step(op, g, given, time.perf_counter() - start)


def _cotangent(op: Op, cotangents: list, sources: set[int]):
    slot = op.entry[2]
    if type(slot) is not int:
        return _of_several(cotangents, slot, sources)
    g = cotangents[slot]
    if slot not in sources:
        cotangents[slot] = None
    return g.__tf_tensor__() if type(g) is IndexedSlices and op.name != "identity" else g


def _given(op: Op, g, leads, recording: Recording) -> Iterator[tuple]:
    prim, slots, _, kept, ans, params, _, _ = op.entry
    wanted = tuple(s >= 0 and (leads is None or bool(leads[s])) for s in slots)
    if prim.joint is not None:
        if any(wanted):
            given = prim.joint.call(g, kept, ans, params, wanted)
            for s, want, gx in zip(slots, wanted, given, strict=True):
                if want and gx is not None:
                    yield s, gx
        return
    for s, want, rule in zip(slots, wanted, prim.vjps, strict=True):
        if want and type(rule) is Rule:
            gx = rule.call(g, kept, ans, params, None)
            if prim.broadcasts and gx._data.shape != recording.shapes[s]:
                gx = ops.sum_to_shape(gx, recording.shapes[s])
            yield s, gx


def array_of(g) -> np.ndarray:
    """The numbers of a cotangent, sparse or not."""
    return np.asarray(g.values._data if isinstance(g, IndexedSlices) else g._data)


def timed(call: Callable, repeats: int) -> float:
    """The least of the times that a call takes."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best
