"""A profile for the trace viewers of browsers (chrome://tracing, Perfetto): JSON, compressed."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from typing import Any

from gradtape.profiler.planes import ReadPlane


def encode_trace(planes: Iterable[ReadPlane]) -> bytes:
    """Return planes as events of a trace viewer, in which a plane is a process."""
    content = {"displayTimeUnit": "ns", "traceEvents": list(_events(planes))}
    return gzip.compress(json.dumps(content, allow_nan=False).encode(), mtime=0)


def _events(planes: Iterable[ReadPlane]) -> Iterator[dict[str, Any]]:
    for process, plane in enumerate(planes, 1):
        if not plane.lines:
            continue
        yield _named("process_name", process, plane.name)
        for order, line in enumerate(plane.lines, 1):
            # Numbers of threads are too large for JavaScript's.
            yield _named("thread_name", process, f"{line.name}/{line.number}", order)
            for event in line.events:
                shown = {
                    "ph": "X",
                    "pid": process,
                    "tid": order,
                    "name": event.name,
                    "ts": event.begin / 1000,
                    "dur": event.duration / 1000,
                }
                facts = {name: str(value) for name, value in event.facts.items()}
                yield shown | {"args": facts} if facts else shown


def _named(what: str, process: int, name: str, thread: int | None = None) -> dict[str, Any]:
    event: dict[str, Any] = {"ph": "M", "pid": process, "name": what, "args": {"name": name}}
    return event if thread is None else event | {"tid": thread}
