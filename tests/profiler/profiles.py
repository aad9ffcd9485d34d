"""Profiles of small programs, and a reader of their files that knows only the fields' numbers."""

from __future__ import annotations

import gzip
import json
import pathlib
from typing import Any, NamedTuple

import gradtape as tf
from gradtape.core.primitive import PRIMITIVES
from gradtape.formats import protobuf
from gradtape.graph.flat import compiled_graphs

experimental = tf.profiler.experimental


class Seen(NamedTuple):
    name: str
    begin: int  # in picoseconds
    duration: int
    kind: str
    facts: dict[str, Any]

    @property
    def end(self) -> int:
        return self.begin + self.duration


def _fields(message) -> dict[int, list]:
    fields: dict[int, list] = {}
    for number, _, value, _ in protobuf.fields(message):
        fields.setdefault(number, []).append(value)
    return fields


def _table(entries) -> dict[int, dict[int, list]]:
    pairs = [_fields(entry) for entry in entries]
    return {pair[1][0]: _fields(pair[2][0]) for pair in pairs}


def _text(value) -> str:
    return bytes(value).decode()


def folder_of(logdir) -> pathlib.Path:
    """Return the folder of the only profile in a folder."""
    (run,) = (pathlib.Path(logdir) / "plugins" / "profile").iterdir()
    return run


def read_space(logdir) -> dict[str, dict]:
    """Return the planes of the only profile in a folder, by name: numbers of fields to values."""
    (path,) = folder_of(logdir).glob("*.xplane.pb")
    planes = [_fields(plane) for plane in _fields(path.read_bytes())[1]]
    return {_text(plane[2][0]): plane for plane in planes}


def read_lines(logdir) -> dict[str, list[Seen]]:
    """Return the events of the only profile in a folder, by the names of threads."""
    plane = read_space(logdir)["/host:CPU"]
    events, stats = _table(plane.get(4, ())), _table(plane.get(5, ()))

    def facts_of(encoded) -> dict[str, Any]:
        facts = {}
        for each in encoded:
            stat = _fields(each)
            (field,) = stat.keys() - {1}
            value = stat[field][0]
            value = _text(stats[value][2][0]) if field == 7 else value
            facts[_text(stats[stat[1][0]][2][0])] = value
        return facts

    lines: dict[str, list[Seen]] = {}
    for encoded in plane.get(3, ()):
        line = _fields(encoded)
        for each in line[4]:
            event = _fields(each)
            metadata = events[event[1][0]]
            kind = _text(metadata[4][0]) if 4 in metadata else ""
            seen = Seen(
                _text(metadata[2][0]), event[2][0], event[3][0], kind, facts_of(event.get(4, ()))
            )
            lines.setdefault(_text(line[2][0]), []).append(seen)
    return lines


def read_events(logdir) -> list[Seen]:
    """Return the events of the only thread that did something."""
    (events,) = read_lines(logdir).values()
    return events


def read_trace(logdir) -> list[dict]:
    (path,) = folder_of(logdir).glob("*.trace.json.gz")
    return json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]


def clocks_are_off() -> bool:
    graphs = [vars_of.__globals__ for vars_of in compiled_graphs()]
    values = [value for calls in graphs for value in list(calls.values())]
    values += [prim.kernel for prim in PRIMITIVES.values()]
    values.append(type(tf.function(abs)).__call__)
    return not any(hasattr(value, "unclocked") for value in values)
