"""Calls of Python functions as events of a profile: `ProfilerOptions(python_tracer_level=1)`."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable
from time import perf_counter_ns
from types import CodeType, FrameType
from typing import Any

from gradtape.profiler.recorder import Event, Recorder

_FOLDER = os.path.dirname(__file__)
logger = logging.getLogger("gradtape")


class PythonCalls:
    """Records the calls of this thread, and of those that start while the profile runs.

    It takes Python's own profile function (`sys.setprofile`), which must be free.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._names: dict[CodeType, str] = {}
        self._observe: Callable[..., None] | None = None

    def start(self) -> None:
        """Record calls from now on."""
        if sys.getprofile() is not None:
            logger.warning(
                "tf.profiler: the profile lacks the calls of Python, because another profiler of "
                "Python is running."
            )
            return
        self._observe = self._observer()
        threading.setprofile(self._begin_thread)
        sys.setprofile(self._observe)

    def stop(self) -> None:
        """Record nothing more. Other threads stop at their next call."""
        if self._observe is not None:
            threading.setprofile(None)
            if sys.getprofile() is self._observe:
                sys.setprofile(None)
            self._observe = None

    def _begin_thread(self, frame: FrameType, event: str, argument: Any) -> None:
        observe = self._observer()
        sys.setprofile(observe)
        observe(frame, event, argument)

    def _observer(self) -> Callable[..., None]:
        """Return the profile function of a thread."""
        begins: list[int] = []

        def observe(frame: FrameType, event: str, argument: Any) -> None:
            if event == "call":
                begins.append(perf_counter_ns())
            elif event == "return" and begins:  # without a begin it was called before the start
                end = perf_counter_ns()
                begin, name = begins.pop(), self._name(frame.f_code)
                if name:
                    self._recorder.add(Event(name, begin, end))
            if self._observe is None:
                sys.setprofile(None)

        return observe

    def _name(self, code: CodeType) -> str:
        """Return the name of a function; empty for those of the profile itself."""
        name = self._names.get(code)
        if name is None:
            folder, file = os.path.split(code.co_filename)
            if folder != _FOLDER:
                name = f"${file}:{code.co_firstlineno} {code.co_qualname}"
            self._names[code] = name = name or ""
        return name
