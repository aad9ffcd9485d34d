"""Writers of event files, which of them is the current one, and the current step."""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
import threading
import time
import weakref
from collections.abc import Generator
from typing import Any

import numpy as np

from gradtape.core.convert import static_int, static_value
from gradtape.core.tensor import Tensor
from gradtape.formats.records import frame_record
from gradtape.summary.events import summary_event, version_event

_serial = itertools.count()
_QUEUE, _FLUSH_MILLIS = 10, 120_000


class _State(threading.local):
    """What `as_default`, `set_step` and `record_if` have set in this thread."""

    writer: SummaryWriter | None = None
    step = None
    condition: object = True


_state = _State()


class SummaryWriter:
    """Where summaries go. This one writes nowhere."""

    def set_as_default(self, step=None) -> None:
        """Write summaries here from now on; with a step, that one from now on too."""
        _state.writer = self
        if step is not None:
            _state.step = step

    @contextlib.contextmanager
    def as_default(self, step=None) -> Generator[SummaryWriter]:
        """Write the block's summaries here."""
        before = _state.writer, _state.step
        _state.writer = self
        if step is not None:
            _state.step = step
        try:
            yield self
        finally:
            self.flush()
            _state.writer = before[0]
            if step is not None:
                _state.step = before[1]

    def init(self) -> None:
        """Do nothing: a writer is ready when it is made."""

    def flush(self) -> None:
        """Make what was written visible to others."""

    def close(self) -> None:
        """End writing."""

    def add(self, step: int, summary: bytes) -> None:
        """Write an encoded summary."""


class FileWriter(SummaryWriter):
    """Writes one event file in a folder, some events at a time."""

    def __init__(self, folder: str, max_queue: int, flush_millis: int, suffix: str) -> None:
        os.makedirs(folder, exist_ok=True)
        name = (
            f"events.out.tfevents.{int(time.time())}.{socket.gethostname()}.{os.getpid()}."
            f"{next(_serial)}{suffix}"
        )
        self._lock = threading.Lock()
        self._file = open(os.path.join(folder, name), "ab")  # noqa: SIM115 (closed by close)
        self._waiting: list[bytes] = [frame_record(version_event(time.time()))]
        self._max_queue, self._flush_seconds = max_queue, flush_millis / 1000
        self._flushed = time.monotonic()
        # A program that ends without closing its writer still gets its last events.
        self._end = weakref.finalize(self, _finish, self._file, self._waiting)
        self.flush()

    def add(self, step, summary):
        record = frame_record(summary_event(time.time(), step, summary))
        with self._lock:
            if self._file.closed:
                raise RuntimeError("SummaryWriter is already closed")
            self._waiting.append(record)
            late = time.monotonic() - self._flushed > self._flush_seconds
        if late or len(self._waiting) > self._max_queue:
            self.flush()

    def flush(self):
        with self._lock:
            if self._file.closed:
                return
            self._file.write(b"".join(self._waiting))
            self._file.flush()
            self._waiting.clear()
            self._flushed = time.monotonic()

    def close(self):
        self.flush()
        with self._lock:
            self._end.detach()
            self._file.close()


def _finish(file, waiting: list[bytes]) -> None:
    file.write(b"".join(waiting))
    file.close()


def create_file_writer(
    logdir,
    max_queue=None,
    flush_millis=None,
    filename_suffix=None,
    name=None,
    experimental_trackable=False,
    experimental_mesh=None,
) -> SummaryWriter:
    """Return a writer of an event file in the folder `logdir`."""
    if logdir is None:
        raise ValueError("Argument `logdir` cannot be None")
    folder = static_value(logdir)
    folder = folder.decode() if isinstance(folder, bytes) else os.fspath(folder)
    if not folder:
        raise ValueError("Argument `logdir` cannot be empty")
    suffix = static_value(filename_suffix)
    suffix = ".v2" if suffix is None else suffix.decode() if isinstance(suffix, bytes) else suffix
    return FileWriter(
        folder,
        _QUEUE if max_queue is None else static_int(max_queue),
        _FLUSH_MILLIS if flush_millis is None else static_int(flush_millis),
        suffix,
    )


def create_noop_writer() -> SummaryWriter:
    """Return a writer that writes nothing."""
    return SummaryWriter()


def flush(writer=None, name=None) -> None:
    """Make what a writer (or the current one) has written visible to others."""
    writer = _state.writer if writer is None else writer
    if writer is None:
        return
    if not isinstance(writer, SummaryWriter):
        raise TypeError(
            "tf.summary.flush: writer must be a tf.summary.SummaryWriter, not "
            f"{type(writer).__name__}"
        )
    writer.flush()


def current_writer() -> SummaryWriter | None:
    return _state.writer


# --- step and recording --------------------------------------------------------------------------


def get_step() -> Any:
    """Return the step that `set_step` or a writer's `as_default` has set; None if none has."""
    return _state.step


def set_step(step) -> None:
    """Set the step of summaries that do not name one; a variable is read when one is written."""
    _state.step = step


def checked_step(step) -> int:
    """Return the step of a summary, as a number."""
    step = _state.step if step is None else step
    if step is None:
        raise ValueError(
            "No step set. Please specify one either through the `step` argument or through "
            "tf.summary.experimental.set_step()"
        )
    return static_int(step)


def should_record_summaries() -> Tensor:
    """Return whether a summary written now would be recorded."""
    return Tensor(np.bool_(recording()))


def recording() -> bool:
    """Return whether there is a writer, and `record_if` allows recording."""
    if _state.writer is None:
        return False
    condition = _state.condition
    return bool(static_value(condition() if callable(condition) else condition))


@contextlib.contextmanager
def record_if(condition) -> Generator[None]:
    """Record the block's summaries only where a condition (or a function) is true."""
    before = _state.condition
    _state.condition = condition
    try:
        yield
    finally:
        _state.condition = before


def surroundings():
    """Return a context manager that sets the present settings again, for functions being traced."""
    kept = _state.writer, _state.step, _state.condition

    @contextlib.contextmanager
    def again():
        before = _state.writer, _state.step, _state.condition
        _state.writer, _state.step, _state.condition = kept
        try:
            yield
        finally:
            _state.writer, _state.step, _state.condition = before

    return again
