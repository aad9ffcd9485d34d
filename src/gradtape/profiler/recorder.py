"""`Recorder`: the events of a profile, in a line for each thread."""

from __future__ import annotations

import threading
import time
from typing import Any, NamedTuple

# A profile that nobody stops must not take all memory: an event takes about 200 bytes.
MAX_EVENTS = 1_000_000


class Event(NamedTuple):
    """Something that a thread did; `begin` and `end` are times of `time.perf_counter_ns`."""

    name: str
    begin: int
    end: int
    kind: str = ""  # for ops, the name of the op; a viewer groups them by it
    facts: dict[str, Any] | None = None


class ThreadLine:
    """The events of a thread, in the order in which they ended."""

    __slots__ = ("events", "name", "number")

    def __init__(self) -> None:
        self.number = threading.get_native_id()
        self.name = threading.current_thread().name
        self.events: list[Event] = []


class Recorder:
    """Collects events of all threads, until it is closed."""

    def __init__(self) -> None:
        self.lines: list[ThreadLine] = []
        self.dropped = 0
        self._count = 0  # of events; threads that write it at once make it a little too small
        self._is_open = True
        self._local = threading.local()
        # The two clocks, read together: events have one, files the other.
        self.began, self.began_at = time.perf_counter_ns(), time.time_ns()
        self.ended_at = self.began_at

    def add(self, event: Event) -> None:
        """Record an event of the present thread."""
        if not self._is_open:  # another thread is still in a clock
            return
        if self._count >= MAX_EVENTS:
            self.dropped += 1
            return
        self._count += 1
        try:
            line = self._local.line
        except AttributeError:
            line = self._local.line = ThreadLine()
            self.lines.append(line)
        line.events.append(event)

    def close(self) -> None:
        """Record nothing more."""
        self._is_open = False
        self.ended_at = time.time_ns()
