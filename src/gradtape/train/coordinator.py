"""`tf.train.Coordinator`: threads that stop together."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Generator

from gradtape.core.errors import OutOfRangeError


class Coordinator:
    """Threads ask `should_stop()`; any of them calls `request_stop()`; the owner `join`s them."""

    def __init__(self, clean_stop_exception_types=None) -> None:
        self._clean = tuple(clean_stop_exception_types or (OutOfRangeError,))
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._threads: set[threading.Thread] = set()
        self._joined = False

    def request_stop(self, ex=None) -> None:
        """Ask all threads to stop; `join` raises the first error given here."""
        if isinstance(ex, tuple):  # as sys.exc_info() gives it
            ex = ex[1]
        with self._lock:
            if self._joined and ex is not None:
                raise ex
            if not self._stop.is_set():
                if ex is not None and not isinstance(ex, self._clean):
                    self._error = ex
                self._stop.set()

    def clear_stop(self) -> None:
        """Clear the request to stop, and the error."""
        with self._lock:
            self._joined = False
            self._error = None
            self._stop.clear()

    def should_stop(self) -> bool:
        """Return whether the threads are to stop."""
        return self._stop.is_set()

    @contextlib.contextmanager
    def stop_on_exception(self) -> Generator[None]:
        """Stop all threads if the block raises, instead of only this one."""
        try:
            yield
        except Exception as error:  # `join` raises it in the main thread
            self.request_stop(error)

    def wait_for_stop(self, timeout=None) -> bool:
        """Wait until the threads are to stop; return whether they are."""
        return self._stop.wait(timeout)

    def register_thread(self, thread) -> None:
        """Let `join` wait for this thread, too."""
        with self._lock:
            self._threads.add(thread)

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False) -> None:
        """Wait until a stop is asked for and the threads have ended."""
        with self._lock:
            waiting = list({*self._threads, *(threads or ())})
        while any(thread.is_alive() for thread in waiting) and not self._stop.wait(0.05):
            pass
        deadline = time.monotonic() + stop_grace_period_secs
        for thread in waiting:
            thread.join(max(0.0, deadline - time.monotonic()))
        with self._lock:
            self._joined = True
            self._threads.clear()
            error = self._error
        if error is not None:
            raise error
        alive = [thread.name for thread in waiting if thread.is_alive()]
        if alive and not ignore_live_threads:
            raise RuntimeError(f"Coordinator stopped with threads still running: {' '.join(alive)}")

    @property
    def joined(self) -> bool:
        """Return whether all threads have ended."""
        return self._joined

    def raise_requested_exception(self) -> None:
        """Raise the error that a thread stopped with."""
        with self._lock:
            if self._error is not None:
                raise self._error
