"""`tape.profile()`: how long each op takes, forward and backward, by replaying the recording."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from gradtape.core import native, nest
from gradtape.core.dtypes import is_differentiable
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.backward import seed
from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable, as_variable
from gradtape.explain.paths import RecordedOp, RecordingGraph
from gradtape.explain.replay import (
    ReplayedValues,
    array_of,
    replay_backward,
    shortest_time,
    unrecorded,
)
from gradtape.explain.source import SourceLocation
from gradtape.explain.tables import in_seconds, shorten, table

_SHOWN = 12


@dataclasses.dataclass
class Timing:
    """The time of an op, of a line or of a kind of op, in seconds."""

    name: str
    forward: float = 0.0
    backward: float = 0.0
    ops: int = 0
    location: SourceLocation | None = None
    norm: float | None = None  # of the gradient that arrives at the op's result

    @property
    def total(self) -> float:
        return self.forward + self.backward


@dataclasses.dataclass(frozen=True)
class Profile:
    """Times per op in the order they ran, and summed by line and by kind of op.

    The time of an op forward is that of its kernel alone. Where the record does not keep an
    operand, one of ones stands in for it. Of the ops, `fused` are such that a program computes
    them together with their neighbors, in one pass (docs/fusion.md): that takes less than the
    sum of their times here, where each runs alone.
    """

    ops: list[Timing]
    by_line: list[Timing]
    by_op: list[Timing]
    fused: int = 0

    @property
    def forward(self) -> float:
        return sum(t.forward for t in self.ops)

    @property
    def backward(self) -> float:
        return sum(t.backward for t in self.ops)

    def __str__(self) -> str:
        title = (
            f"{len(self.ops)} ops: forward {in_seconds(self.forward)}, backward "
            f"{in_seconds(self.backward)}."
        )
        lines = [
            [
                in_seconds(t.forward),
                in_seconds(t.backward),
                str(t.ops),
                str(t.location),
                shorten(t.location.text if t.location else ""),
            ]
            for t in self.by_line[:_SHOWN]
        ]
        kinds = [
            [in_seconds(t.forward), in_seconds(t.backward), str(t.ops), t.name]
            for t in self.by_op[:_SHOWN]
        ]
        more = len(self.by_line) - _SHOWN
        notes = [f"and {more} more lines"] if more > 0 else []
        if self.fused:
            notes.append(
                f"{self.fused} of the ops are elementwise, on large arrays: a program fuses them, "
                "and takes less time for them than they take one by one here."
            )
        notes = "\n".join(notes)
        return "\n\n".join(
            [
                table(title, [">forward", ">backward", ">ops", "line", "code"], lines, notes),
                table("By op", [">forward", ">backward", ">ops", "op"], kinds),
            ]
        )


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
    for op, timing in zip(graph.ops, timings, strict=True):
        timing.forward = _forward(op, values, recording, repeats)
    for _ in range(repeats):
        _time_backward(graph, timings, seeds(graph, targets))
    return Profile(
        timings,
        _sum_timings(timings, by_line=True),
        _sum_timings(timings, by_line=False),
        fused=sum(_is_fused(op, values) for op in graph.ops),
    )


def _is_fused(op: RecordedOp, values: ReplayedValues) -> bool:
    """Return whether an op is deferred and fused with others."""
    sizes = [math.prod(values.graph.recording.shapes[s]) for s in op.outputs]
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
        return [(s, Tensor(np.ones(recording.shapes[s], _dtype(graph, s)))) for s in loose]


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


def _forward(op: RecordedOp, values: ReplayedValues, recording: Recording, repeats: int) -> float:
    if op.is_custom:
        return 0.0  # its inner ops are on the tape themselves
    data = values.inputs(op)
    kept = op.entry[3] or (None,) * len(data)
    sample = next((x for x in data if x is not None), None)
    if sample is None:
        return 0.0
    filled = [
        x if x is not None else np.ones(_stand_in(s, k, recording, op), np.asarray(sample).dtype)
        for x, s, k in zip(data, op.inputs, kept, strict=True)
    ]
    try:
        with np.errstate(all="ignore"), native.without_fusion():
            return shortest_time(lambda: op.prim.kernel(*filled, **op.entry[5]), repeats)
    except Exception:  # a stand-in does not always fit, and no time is better than a wrong one
        return 0.0


def _stand_in(slot: int, kept, recording: Recording, op: RecordedOp) -> tuple[int, ...]:
    if isinstance(kept, Spec):
        return tuple(kept.shape)
    if slot >= 0:
        return recording.shapes[slot]
    return recording.shapes[op.outputs[0]] if op.outputs else ()


def _sum_timings(timings: list[Timing], by_line: bool) -> list[Timing]:
    groups: dict[object, Timing] = {}
    for t in timings:
        assert t.location is not None
        key: object = (t.location.file, t.location.line) if by_line else t.name
        name = str(t.location) if by_line else t.name
        location = t.location if by_line else None
        group = groups.setdefault(key, Timing(name, location=location))
        group.forward += t.forward
        group.backward += t.backward
        group.ops += 1
    return sorted(groups.values(), key=lambda t: -t.total)
