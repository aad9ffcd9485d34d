"""The events of a profile as TensorBoard reads them: an XSpace of planes, lines and events.

A plane is a part of a machine (the host, a device), a line in it a thread or stream. Names of
events and of their facts are kept once for each plane, and events refer to them by number. Times
are in picoseconds since the start of their line, and that is in nanoseconds since the start of the
profile.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from gradtape.formats import protobuf
from gradtape.profiler.recorder import Recorder, ThreadLine

HOST, ENVIRONMENT = "/host:CPU", "Task Environment"
# Numbers of fields.
_SPACE_PLANES, _SPACE_WARNINGS, _SPACE_HOSTS = 1, 3, 4
_PLANE_ID, _PLANE_NAME, _PLANE_LINES, _PLANE_EVENTS, _PLANE_STATS, _PLANE_OWN = 1, 2, 3, 4, 5, 6
_LINE_ID, _LINE_NAME, _LINE_BEGIN, _LINE_EVENTS, _LINE_TITLE = 1, 2, 3, 4, 11


class _Numbers:
    """Gives each name of a plane a number, from 1 on."""

    def __init__(self) -> None:
        self.known: dict[Any, int] = {}

    def of(self, key: Any) -> int:
        return self.known.setdefault(key, len(self.known) + 1)


def _stat(names: _Numbers, name: str, value: Any) -> bytes:
    """Encode a fact: an integer, a float, or text, which is kept once, as a name."""
    number = protobuf.integer(1, names.of(name))
    if isinstance(value, int):
        return number + protobuf.integer(4, value)
    if isinstance(value, float):
        return number + protobuf.double(2, value)
    return number + protobuf.integer(7, names.of(str(value)))


def _encode_line(line: ThreadLine, began: int, events: _Numbers, stats: _Numbers) -> bytes:
    parts = [
        protobuf.integer(_LINE_ID, line.number),
        protobuf.data(_LINE_NAME, line.name),
        protobuf.data(_LINE_TITLE, line.name),
    ]
    # By their begin; of those that begin together, the one that has the others inside is first.
    for event in sorted(line.events, key=lambda event: (event.begin, -event.end)):
        message = [
            protobuf.integer(1, events.of((event.name, event.kind))),
            protobuf.integer(2, (event.begin - began) * 1000),
            protobuf.integer(3, (event.end - event.begin) * 1000),
        ]
        message += [
            protobuf.data(4, _stat(stats, name, value))
            for name, value in (event.facts or {}).items()
        ]
        parts.append(protobuf.data(_LINE_EVENTS, b"".join(message)))
    return protobuf.data(_PLANE_LINES, b"".join(parts))


def _encode_plane(name: str, lines: Iterable[bytes], events, stats, own: bytes = b"") -> bytes:
    parts = [protobuf.data(_PLANE_NAME, name), *lines]
    for (title, kind), number in events.known.items():
        metadata = protobuf.integer(1, number) + protobuf.data(2, title)
        metadata += protobuf.data(4, kind) if kind else b""
        entry = protobuf.integer(1, number) + protobuf.data(2, metadata)
        parts.append(protobuf.data(_PLANE_EVENTS, entry))
    for title, number in stats.known.items():
        metadata = protobuf.integer(1, number) + protobuf.data(2, title)
        entry = protobuf.integer(1, number) + protobuf.data(2, metadata)
        parts.append(protobuf.data(_PLANE_STATS, entry))
    return protobuf.data(_SPACE_PLANES, b"".join([*parts, own]))


def encode_space(recorder: Recorder, host: str, others: Iterable[bytes] = ()) -> bytes:
    """Return a profile as an XSpace; `others` are encoded planes of devices."""
    events, stats = _Numbers(), _Numbers()
    lines = [
        _encode_line(line, recorder.began, events, stats) for line in recorder.lines if line.events
    ]
    parts = [_encode_plane(HOST, lines, events, stats)]
    parts += [protobuf.data(_SPACE_PLANES, plane) for plane in others]
    stats = _Numbers()
    times = {"profile_start_time": recorder.began_at, "profile_stop_time": recorder.ended_at}
    own = [
        protobuf.data(_PLANE_OWN, protobuf.integer(1, stats.of(name)) + protobuf.integer(3, value))
        for name, value in times.items()
    ]
    parts.append(_encode_plane(ENVIRONMENT, [], _Numbers(), stats, b"".join(own)))
    if recorder.dropped:
        text = f"The profile is full: it lacks the last {recorder.dropped} events."
        parts.append(protobuf.data(_SPACE_WARNINGS, text))
    return b"".join([*parts, protobuf.data(_SPACE_HOSTS, host)])


# --- what others wrote ---------------------------------------------------------------------------


class ReadEvent(NamedTuple):
    """An event of a plane that was read; times are in nanoseconds since the profile began."""

    name: str
    begin: float
    duration: float
    facts: dict[str, Any]


class ReadLine(NamedTuple):
    number: int
    name: str
    events: list[ReadEvent]


class ReadPlane(NamedTuple):
    name: str
    lines: list[ReadLine]
    facts: dict[str, Any]


def read_planes(space: bytes) -> list[ReadPlane]:
    """Return the planes of an XSpace."""
    return [read_plane(plane) for plane in encoded_planes(space)]


def encoded_planes(space: bytes) -> list[memoryview]:
    """Return the planes of an XSpace, encoded."""
    return [v for field, _, v, _ in protobuf.fields(space) if field == _SPACE_PLANES]


def _signed(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value


def _text(value: Any) -> str:
    return bytes(value).decode(errors="replace")


def _names(entries: Iterable[Any]) -> dict[int, str]:
    """Return the names of a plane's events or facts, by their numbers."""
    names = {}
    for entry in entries:
        parts = {field: value for field, _, value, _ in protobuf.fields(entry)}
        metadata = {field: value for field, _, value, _ in protobuf.fields(parts.get(2, b""))}
        names[_signed(parts.get(1, 0))] = _text(metadata.get(2, b""))
    return names


def _facts(encoded: Iterable[Any], names: dict[int, str]) -> dict[str, Any]:
    facts = {}
    for stat in encoded:
        name, value = "", None
        for field, _, raw, _ in protobuf.fields(stat):
            if field == 1:
                name = names.get(_signed(raw), "")
            elif field == 2:
                (value,) = struct.unpack("<d", raw)
            elif field == 7:
                value = names.get(raw, "")
            elif field in (3, 4):
                value = _signed(raw) if field == 4 else raw
            elif field in (5, 6):
                value = _text(raw)
        facts[name] = value
    return facts


def read_plane(plane: bytes | memoryview) -> ReadPlane:
    """Return a plane."""
    fields: dict[int, list] = {}
    for field, _, value, _ in protobuf.fields(plane):
        fields.setdefault(field, []).append(value)
    events, stats = _names(fields.get(_PLANE_EVENTS, ())), _names(fields.get(_PLANE_STATS, ()))
    lines = [_read_line(line, events, stats) for line in fields.get(_PLANE_LINES, ())]
    name = _text(fields[_PLANE_NAME][-1]) if _PLANE_NAME in fields else ""
    return ReadPlane(name, lines, _facts(fields.get(_PLANE_OWN, ()), stats))


def _read_line(line: memoryview, names: dict[int, str], stats: dict[int, str]) -> ReadLine:
    number, name, title, begin, encoded = 0, "", "", 0, []
    for field, _, value, _ in protobuf.fields(line):
        if field == _LINE_ID:
            number = _signed(value)
        elif field == _LINE_NAME:
            name = _text(value)
        elif field == _LINE_TITLE:
            title = _text(value)
        elif field == _LINE_BEGIN:
            begin = _signed(value)
        elif field == _LINE_EVENTS:
            encoded.append(value)
    events = [_read_event(event, begin, names, stats) for event in encoded]
    return ReadLine(number, title or name, events)


def _read_event(event: memoryview, begin: int, names: dict, stats: dict) -> ReadEvent:
    parts = {1: 0, 2: 0, 3: 0}
    encoded = []
    for field, _, value, _ in protobuf.fields(event):
        if field == 4:
            encoded.append(value)
        elif field in parts:
            parts[field] = _signed(value)
    name = names.get(parts[1], "")
    return ReadEvent(name, begin + parts[2] / 1000, parts[3] / 1000, _facts(encoded, stats))


def _without(message: memoryview, field: int) -> Iterator[bytes]:
    return (bytes(whole) for number, _, _, whole in protobuf.fields(message) if number != field)


def moved_plane(plane: memoryview, name: str, by: int) -> bytes:
    """Return an encoded plane with another name, its lines later by so many nanoseconds."""
    parts = [protobuf.data(_PLANE_NAME, name)]
    for field, _, value, whole in protobuf.fields(plane):
        if field == _PLANE_LINES:
            begin = sum(_signed(v) for f, _, v, _ in protobuf.fields(value) if f == _LINE_BEGIN)
            line = protobuf.integer(_LINE_BEGIN, begin + by)
            line += b"".join(_without(value, _LINE_BEGIN))
            parts.append(protobuf.data(_PLANE_LINES, line))
        elif field != _PLANE_NAME:
            parts.append(bytes(whole))
    return b"".join(parts)
