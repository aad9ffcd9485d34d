"""`tape.profile()`: how long each op takes, forward and backward, by replaying the recording."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape.core import native, nest
from gradtape.core.dtypes import is_differentiable
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.backward import backward, seed
from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable, as_variable
from gradtape.explain.paths import NO_LAYER, RecordedOp, RecordingGraph
from gradtape.explain.replay import (
    ReplayedValues,
    array_of,
    replay_backward,
    shortest_time,
    unrecorded,
)
from gradtape.explain.source import SourceLocation
from gradtape.explain.tables import Report, Table, in_seconds, tables_of_shares

# A backward pass shorter than this is repeated for about as long: few repeats of it are noise.
_ENOUGH = 5e-3


@dataclasses.dataclass
class Timing:
    """The time of an op, of a line, of a kind of op or of a layer, in seconds."""

    name: str
    forward: float = 0.0
    backward: float = 0.0
    ops: int = 0
    location: SourceLocation | None = None
    norm: float | None = None  # of the gradient that arrives at the op's result

    @property
    def total(self) -> float:
        return self.forward + self.backward


@dataclasses.dataclass(frozen=True, repr=False)
class Profile(Report):
    """Times per op in the order they ran, and summed by line and by kind of op.

    The time of an op forward is that of its kernel alone, on the CPU. Where the record does not
    keep an operand, one of ones stands in for it. Of the ops, `fused` are such that a program
    computes them together with their neighbors, in one pass (docs/fusion.md): forward that takes
    less than the sum of their times here, where each runs alone. The times backward are parts of
    the time that the whole backward pass takes.
    """

    ops: list[Timing]
    by_line: list[Timing]
    by_op: list[Timing]
    by_layer: list[Timing]  # empty where no op ran in a layer
    fused: int = 0

    @property
    def forward(self) -> float:
        return sum(t.forward for t in self.ops)

    @property
    def backward(self) -> float:
        return sum(t.backward for t in self.ops)

    def tables(self) -> list[Table]:
        title = (
            f"{len(self.ops)} ops: forward {in_seconds(self.forward)}, backward "
            f"{in_seconds(self.backward)}."
        )
        note = ""
        if self.fused:
            note = (
                f"{self.fused} of the ops are elementwise, on large arrays: a program fuses them, "
                "and takes less time for them than they take one by one here."
            )
        columns = {
            ">forward": lambda timing: in_seconds(timing.forward),
            ">backward": lambda timing: in_seconds(timing.backward),
        }
        return tables_of_shares(title, columns, self.by_line, self.by_op, self.by_layer, note)


def profile(recording: Recording, target=None, repeats: int = 3) -> Profile:
    """Time the ops of a recording."""
    if not isinstance(repeats, int) or repeats < 1:
        raise ValueError(
            f"tape.profile: repeats must be a whole number of 1 or more, got {repeats!r}"
        )
    graph = RecordingGraph(recording)
    targets = None if target is None else [_target(t) for t in nest.flatten(target)]
    values = ReplayedValues(graph, targets or [])
    timings = [Timing(op.name, ops=1, location=op.location) for op in graph.ops]
    measuring = shortest_time(_nothing, 100)
    for op, timing in zip(graph.ops, timings, strict=True):
        timing.forward = max(0.0, _forward(op, values, repeats) - measuring)
    start = seeds(graph, targets)
    for _ in range(repeats):
        _time_backward(graph, timings, start)
    alone = [timing.backward for timing in timings]
    whole = _whole_backward(graph, start, repeats)
    fused = [_is_fused(op, values) for op in graph.ops]
    for timing, seconds in zip(timings, shares(alone, whole, fused), strict=True):
        timing.backward = seconds
    return Profile(
        timings,
        _sum_timings(timings, lambda t: (t.location.file, t.location.line), with_location=True),
        _sum_timings(timings, lambda t: t.name),
        _sum_timings(timings, lambda t: t.location.layer or NO_LAYER)
        if any(op.layer for op in graph.ops)
        else [],
        fused=sum(fused),
    )


def _is_fused(op: RecordedOp, values: ReplayedValues) -> bool:
    """Return whether an op is deferred and fused with others."""
    sizes = [math.prod(values.graph.shapes[s]) for s in op.outputs]
    data = [x for x in values.inputs(op) if x is not None]
    return native.fuses(op.name, max(sizes, default=0)) and all(
        np.asarray(x).dtype == np.float32 for x in data
    )


def _target(target):
    value = as_variable(target)
    if not isinstance(value, (Tensor, Variable)):
        raise TypeError(
            f"tape.profile: the target must be a tensor, got {target!r} of type "
            f"{type(target).__name__}."
        )
    return value


def _time_backward(graph: RecordingGraph, timings: list[Timing], start: list[tuple]) -> None:
    sources = {leaf[0] for leaf in graph.recording.leaves.values()}
    for step in replay_backward(graph, start, sources):
        timing = timings[step.op.index]
        first = not timing.backward
        timing.backward = step.seconds if first else min(timing.backward, step.seconds)
        if timing.norm is None:
            several = step.cotangent if isinstance(step.cotangent, tuple) else (step.cotangent,)
            timing.norm = float(np.sqrt(sum(_squares(array_of(g)) for g in several)))


def _nothing() -> None:
    pass


def _whole_backward(graph: RecordingGraph, start: list[tuple], repeats: int) -> float:
    """Return the time of the backward pass as a program runs it: all ops at once."""
    if not start:
        return 0.0
    sources = {leaf[0] for leaf in graph.recording.leaves.values()}

    def run() -> None:
        cotangents = backward(graph.recording, start, sources, consume=False)
        for slot in sources:
            g = cotangents[slot]
            if isinstance(g, Tensor):
                native.materialize(g._data)

    with unrecorded():
        best = shortest_time(run, repeats)
        more = min(20, int(_ENOUGH / best)) if best else 0
        return min(best, shortest_time(run, more))


def shares(alone: list[float], whole: float, fused: list[bool]) -> list[float]:
    """Return the parts of ops in the time of a whole pass, given their times one by one.

    Run one by one, an op takes its own time, and that of running it so: for small ops that is
    nearly all, and about the same for each. So the shortest time, nearly, is taken off every op (a
    tenth stays, or noise would decide the shares of ops that are all alike). What still exceeds the
    whole is taken off ops that are fused in a whole pass first; then all are scaled to it.
    """
    ran = [seconds for seconds in alone if seconds > 0]
    if not ran:
        return alone
    overhead = 0.9 * min(ran)
    net = [max(0.0, seconds - overhead) for seconds in alone]
    together = sum(seconds for seconds, is_fused in zip(net, fused, strict=True) if is_fused)
    if together and sum(net) > whole:
        kept = max(0.1, 1 - (sum(net) - whole) / together)
        net = [s * kept if is_fused else s for s, is_fused in zip(net, fused, strict=True)]
    factor = whole / sum(net)
    return [seconds * factor for seconds in net]


def _squares(array: np.ndarray) -> float:
    with np.errstate(all="ignore"):
        return float(
            np.sum(
                np.abs(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)) ** 2
            )
        )


def seeds(graph: RecordingGraph, targets: list | None) -> list[tuple]:
    """Return (slot, cotangent) to start from: of the targets, or of every result that nothing
    uses."""
    recording = graph.recording
    with unrecorded():
        if targets is not None:
            slots = [(recording.slot_of(t), t) for t in targets if is_differentiable(t._data.dtype)]
            known = [(s, seed(t)) for s, t in slots if s is not None]
            if not known:
                raise ValueError(
                    "The target was not computed from anything that this tape watches. "
                    "tape.explain(target, sources) says why."
                )
            return known
        used = {s for op in graph.ops for s in op.inputs}
        loose = [s for op in graph.ops for s in op.outputs if s not in used]
        return [(s, Tensor(np.ones(graph.shapes[s], _dtype(graph, s)))) for s in loose]


def _dtype(graph: RecordingGraph, slot: int) -> np.dtype:
    """Return the dtype of a result: that of what its op was computed from."""
    op = graph.producers[slot]
    while True:
        if type(op.entry[2]) is tuple:
            return op.entry[2][1][op.entry[2][0].index(slot)].dtype
        for x in (op.entry[4], *(op.entry[3] or ())):
            if isinstance(x, (Tensor, Spec)) and op.name not in ("cast", "complex", "real", "imag"):
                return x._spec().dtype if isinstance(x, Tensor) else x.dtype
        if op.name == "cast":
            return op.entry[5]["dtype"]
        slot = next(s for s in op.inputs if s >= 0)
        if slot not in graph.producers:
            return graph.names[slot]._data.dtype
        op = graph.producers[slot]


def _forward(op: RecordedOp, values: ReplayedValues, repeats: int) -> float:
    if op.is_custom:
        return 0.0  # its inner ops are on the tape themselves
    data, shapes = values.inputs(op), values.graph.shapes
    kept = op.entry[3] or (None,) * len(data)
    sample = next((x for x in data if x is not None), None)
    if sample is None:
        return 0.0
    filled = [
        x if x is not None else np.ones(_stand_in(s, k, shapes, op), np.asarray(sample).dtype)
        for x, s, k in zip(data, op.inputs, kept, strict=True)
    ]
    try:
        with np.errstate(all="ignore"), native.without_fusion():
            return shortest_time(lambda: op.prim.kernel(*filled, **op.entry[5]), repeats)
    except Exception:  # a stand-in does not always fit, and no time is better than a wrong one
        return 0.0


def _stand_in(slot: int, kept, shapes: list, op: RecordedOp) -> tuple[int, ...]:
    if isinstance(kept, Spec):
        return tuple(kept.shape)
    if slot >= 0:
        return shapes[slot]
    return shapes[op.outputs[0]] if op.outputs else ()


def _sum_timings(
    timings: list[Timing], key: Callable[[Any], Any], with_location: bool = False
) -> list[Timing]:
    """Return the sums of timings with the same key, the largest first."""
    groups: dict[Any, Timing] = {}
    for t in timings:
        name = str(t.location) if with_location else key(t)
        location = t.location if with_location else None
        group = groups.setdefault(key(t), Timing(name, location=location))
        group.forward += t.forward
        group.backward += t.backward
        group.ops += 1
    return sorted(groups.values(), key=lambda t: -t.total)
