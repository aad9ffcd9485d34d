"""The profile that is running, if any: `tf.profiler.experimental.start`, `stop`, `Profile`."""

from __future__ import annotations

import logging
import os
import threading
from typing import Any, NamedTuple

from gradtape.api.io.files import path_of, translated
from gradtape.core.errors import AlreadyExistsError, UnavailableError
from gradtape.graph.flat import forget_locks
from gradtape.profiler.clocks import Clocks
from gradtape.profiler.device import DeviceProfile
from gradtape.profiler.files import write_profile
from gradtape.profiler.python_calls import PythonCalls
from gradtape.profiler.recorder import Recorder

logger = logging.getLogger("gradtape")


class ProfilerOptions(NamedTuple):
    """What a profile records.

    `host_tracer_level`: 0 nothing of the host, 1 blocks of `Trace` and functions, 2 or more also
    ops. `python_tracer_level`: 1 also the calls of Python functions, which slows them down.
    `device_tracer_level`: 0 nothing of devices. `delay_ms` has no effect: no other host is waited
    for.
    """

    host_tracer_level: int | None = 2
    python_tracer_level: int | None = 0
    device_tracer_level: int | None = 1
    delay_ms: int | None = None


class Session:
    """A profile: it records from `begin` to `end`."""

    def __init__(self, folder: str, options: ProfilerOptions) -> None:
        self.folder = folder
        self.recorder: Recorder | None = None  # of the blocks of `Trace`, if they are recorded
        self._recorded = Recorder()
        self._host = _level(options.host_tracer_level, 2)
        calls = _level(options.python_tracer_level, 0)
        self._clocks = Clocks(self._recorded, with_ops=self._host > 1)
        self._calls = PythonCalls(self._recorded) if calls > 0 else None
        device = _level(options.device_tracer_level, 1)
        self._device = DeviceProfile(calls) if device > 0 else None

    def begin(self) -> None:
        """Record from now on."""
        if self._device is not None:
            self._device.start()
        if self._host > 0:
            self._clocks.put_on()
            self.recorder = self._recorded
        if self._calls is not None:
            self._calls.start()

    def end(self) -> None:
        """Record nothing more. It may be called again, after an interrupt."""
        self.recorder = None
        if self._calls is not None:
            self._calls.stop()
        try:
            self._clocks.take_off()
        finally:
            self._recorded.close()
            if self._device is not None:
                self._device.stop()

    def save(self) -> None:
        """Write the files of the profile."""
        if self._recorded.dropped:
            logger.warning(
                "tf.profiler: the profile is full; it lacks the last %d events. Profile fewer "
                "steps, or give host_tracer_level=1.",
                self._recorded.dropped,
            )
        with translated(self.folder):
            write_profile(self.folder, self._recorded, self._device)

    def forget(self) -> None:
        """Record nothing more in a forked process, in which JAX must not be called."""
        self._device = None
        self.end()

    def discard(self) -> None:
        if self._device is not None:
            self._device.discard()


def _level(value: Any, default: int) -> int:
    """Return a level as a number; as in TensorFlow, what is none means the default."""
    return value if isinstance(value, int) else default


class _Current:
    session: Session | None = None
    lock = threading.RLock()  # a handler of signals may stop the profile that is being started


def running() -> Session | None:
    """Return the profile that is running; None if there is none."""
    return _Current.session


def start(logdir, options=None) -> None:
    """Start to record ops, functions and steps of all threads, for the folder `logdir`."""
    session = _made(logdir, options)
    try:
        _begin(session)
    except BaseException:  # an interrupt leaves no profile running
        _abandon(session)
        raise


def _made(logdir, options) -> Session:
    """Return a profile, if none is running."""
    if _Current.session is not None:
        raise AlreadyExistsError("Another profiler is running.")
    if not isinstance(logdir, (str, bytes, os.PathLike)):
        raise TypeError(
            f"tf.profiler.experimental.start: logdir must be a path, got {type(logdir).__name__}."
        )
    if options is None:
        options = ProfilerOptions()
    if not isinstance(options, ProfilerOptions):
        raise AttributeError(
            "tf.profiler.experimental.start: options must be a "
            f"tf.profiler.experimental.ProfilerOptions, got {type(options).__name__}, which has no "
            "attribute '_asdict'."
        )
    return Session(path_of(logdir), options)


def _begin(session: Session) -> None:
    with _Current.lock:
        if _Current.session is not None:
            raise AlreadyExistsError("Another profiler is running.")
        _Current.session = session
        session.begin()


def _abandon(session: Session) -> None:
    """End a profile, if it is the one that runs, without its files."""
    with _Current.lock:
        if _Current.session is session:
            try:
                session.end()
            finally:
                _Current.session = None
                session.discard()


def stop(save=True) -> None:
    """End the profile, and write its files into the folder that `start` was given.

    The folder `plugins/profile/<time>` in it has one file for TensorBoard, and one for the trace
    viewers of browsers.
    """
    with _Current.lock:
        session = _Current.session
        if session is None:
            raise UnavailableError("Cannot export profiling results. No profiler is running.")
        try:
            try:
                session.end()
            except BaseException:  # an interrupt: nothing of the profile goes on
                session.end()
                raise
            finally:
                _Current.session = None
            if save:
                session.save()
        finally:
            session.discard()


class Profile:
    """Profiles a block: `start` where it begins, `stop` where it ends.

    ```python
    with tf.profiler.experimental.Profile("logs"):
        train(steps=10)
    ```
    """

    def __init__(self, logdir, options=None) -> None:
        self._logdir = logdir
        self._options = options

    def __enter__(self) -> None:
        session = _made(self._logdir, self._options)
        try:
            _begin(session)
        except BaseException:  # an interrupt: there will be no end of the block
            _abandon(session)
            raise

    def __exit__(self, typ, value, tb) -> None:
        stop()


def _forget_in_child() -> None:
    """Leave a forked process without a profile: the one that forked it goes on with its own."""
    _Current.lock = threading.RLock()
    forget_locks()
    session, _Current.session = _Current.session, None
    if session is not None:
        session.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)
