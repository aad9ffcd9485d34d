"""What the page shows of a recording, as plain data."""

from __future__ import annotations

import math

from gradtape.core import nest
from gradtape.core.tensor import Tensor
from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable
from gradtape.explain.listing import result_text, value_name
from gradtape.explain.memory import measure
from gradtape.explain.page.findings import find
from gradtape.explain.paths import RecordingGraph
from gradtape.explain.profile import Timing, profile
from gradtape.explain.source import SourceLocation


def page_data(
    recording: Recording, target=None, sources=None, title: str = "", timed: bool = True
) -> dict:
    """Return the data. Of an op: see `OP` in state.js."""
    graph = RecordingGraph(recording)
    memory = measure(recording)
    times = _times(graph, target) if timed and graph.ops else None
    locations, layers = _Numbered(), _Numbered()
    rows = []
    for op in graph.ops:
        location = op.location
        timing = None if times is None else times[op.index]
        producers = {graph.producers[s].index for s in op.inputs if s in graph.producers}
        rows.append(
            [
                op.name,
                locations.number((op.entry[6], op.entry[7]), location),
                [value_name(graph, s) for s in op.inputs[:8]],
                sorted(producers),
                result_text(graph, op),
                memory.by_index[op.index],
                None if timing is None else round(timing.forward * 1e6, 3),
                None if timing is None else round(timing.backward * 1e6, 3),
                None if timing is None else _number(timing.norm),
                layers.number(op.layer, op.layer),
            ]
        )
    watched = [
        [value_name(graph, slot), str(list(x.shape)), x.dtype.name, isinstance(x, Variable)]
        for slot, x in graph.names.items()
    ]
    return {
        "title": title,
        "ops": rows,
        "locations": [_line(location) for location in locations.values],
        "layers": layers.values,
        "watched": watched,
        "bytes": memory.total_bytes,
        "timed": times is not None,
        "findings": [] if target is None else find(graph, target, sources),
    }


def _times(graph: RecordingGraph, target) -> list[Timing]:
    """Return the times of all ops; where no gradient reaches the target, those of everything."""
    flat = nest.flatten(target)
    slots = [graph.recording.slot_of(t) for t in flat if isinstance(t, (Tensor, Variable))]
    reached = any(slot is not None for slot in slots)
    return profile(graph.recording, target if reached else None).ops


class _Numbered:
    """Values that many ops share, each once."""

    def __init__(self) -> None:
        self.values: list = []
        self._numbers: dict = {}

    def number(self, key, value) -> int:
        number = self._numbers.setdefault(key, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number


def _line(location: SourceLocation) -> list:
    return [location.file, location.line, location.text, location.function, location.expression]


def _number(value: float | None):
    """Return a number as JSON can hold it."""
    if value is None or math.isfinite(value):
        return value if value is None else float(f"{value:.6g}")
    return "nan" if math.isnan(value) else "inf"
