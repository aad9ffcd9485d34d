"""`tape.to_html()`: one self-contained page that shows a recording."""

from __future__ import annotations

import json
import math
from html import escape
from pathlib import Path

from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable
from gradtape.explain.listing import value_name
from gradtape.explain.memory import measure
from gradtape.explain.paths import RecordingGraph
from gradtape.explain.profile import profile
from gradtape.explain.source import SourceLocation
from gradtape.explain.tables import write_text

_TEMPLATE = Path(__file__).with_name("page.html")
# Shown in a notebook the page is a frame of this height.
_FRAME_HEIGHT = 420
# Above this number of ops a notebook gets the page without times, which take a run to measure.
_QUICK = 2000


def page_data(recording: Recording, target=None, timed: bool = True) -> dict:
    """Return what the page shows, as plain data."""
    graph = RecordingGraph(recording)
    memory = measure(recording)
    times = profile(recording, target, repeats=1).ops if timed and graph.ops else None
    locations: dict[tuple, int] = {}
    lines: list = []
    rows = []
    for op in graph.ops:
        location = op.location
        key = (location.file, location.span)
        if key not in locations:
            locations[key] = len(lines)
            lines.append(_line(location))
        timing = None if times is None else times[op.index]
        producers = [graph.producers[s].index if s in graph.producers else -1 for s in op.inputs]
        rows.append(
            [
                op.name,
                locations[key],
                [value_name(graph, s) for s in op.inputs[:8]],
                sorted({p for p in producers if p >= 0}),
                " ".join(str(list(recording.shapes[s])) for s in op.outputs),
                memory.by_index[op.index],
                None if timing is None else round(timing.forward * 1e6, 2),
                None if timing is None else round(timing.backward * 1e6, 2),
                None if timing is None else _number(timing.norm),
            ]
        )
    watched = [
        [value_name(graph, slot), str(list(x.shape)), x.dtype.name, isinstance(x, Variable)]
        for slot, x in graph.names.items()
    ]
    return {
        "ops": rows,
        "locations": lines,
        "watched": watched,
        "bytes": memory.total_bytes,
        "timed": times is not None,
    }


def _line(location: SourceLocation) -> list:
    return [location.file, location.line, location.text, location.function, location.expression]


def _number(value: float | None):
    """Return a number as JSON can hold it."""
    if value is None or math.isfinite(value):
        return value if value is None else float(f"{value:.6g}")
    return "nan" if math.isnan(value) else "inf"


def to_html(recording: Recording, path=None, target=None) -> str:
    """Return the page as text, also written to `path` if given."""
    data = json.dumps(page_data(recording, target), separators=(",", ":"))
    # No text of the program may end the script that holds it.
    page = _TEMPLATE.read_text(encoding="utf-8").replace("__DATA__", data.replace("</", "<\\/"))
    return write_text(page, path, "to_html")


def to_frame(recording: Recording) -> str:
    """Return the page inside a frame, for notebooks."""
    timed = len(recording.entries) <= _QUICK
    data = json.dumps(page_data(recording, timed=timed), separators=(",", ":"))
    page = _TEMPLATE.read_text(encoding="utf-8").replace("__DATA__", data.replace("</", "<\\/"))
    return (
        f'<iframe srcdoc="{escape(page)}" width="100%" height="{_FRAME_HEIGHT}" '
        'style="border:1px solid #8886" sandbox="allow-scripts"></iframe>'
    )
