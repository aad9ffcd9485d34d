"""Work in the background: reading ahead, and calling a function on several elements at once.

Threads belong to one pass over the data and end with it: when the data ends, or when the program
drops the iterator.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context

from gradtape.data.nodes import UnaryNode, attempts, resumed

AUTOTUNE = -1
_AUTOMATIC_BUFFER = 2
_TIMED_CALLS = 4
_WORTH_A_THREAD = 0.0005  # seconds


def worker_count(calls: int) -> int:
    """Return how many threads a `num_parallel_calls` means."""
    return (os.cpu_count() or 1) if calls == AUTOTUNE else calls


class _Buffer:
    """A buffer between the reading thread and the program: elements, then an end or an error."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.items: deque = deque()
        self.changed = threading.Condition()
        self.abandoned = False
        self.finished = False
        self.error: BaseException | None = None


def _fill(shelf: _Buffer, source: Iterator) -> None:
    """Run as the reading thread."""
    try:
        for item in attempts(source):
            with shelf.changed:
                while len(shelf.items) >= shelf.limit and not shelf.abandoned:
                    shelf.changed.wait()
                if shelf.abandoned:
                    return
                shelf.items.append(item)
                shelf.changed.notify()
    except (
        BaseException
    ) as error:  # the end of this pass: raised again where the elements are taken
        shelf.error = error
    finally:
        with shelf.changed:
            shelf.finished = True
            shelf.changed.notify()


def read_ahead(source: Iterator, limit: int) -> Iterator:
    """Return the elements of `source`, read by a thread that is at most `limit` elements ahead."""
    return resumed(_read_ahead(source, limit))


def _read_ahead(source: Iterator, limit: int):
    shelf = _Buffer(limit)
    # In a copy of this context, so that what the thread draws belongs to this pass over the data.
    threading.Thread(
        target=copy_context().run,
        args=(_fill, shelf, source),
        name="gradtape-prefetch",
        daemon=True,
    ).start()
    # Only the thread may hold the source: it closes it as well.
    del source
    try:
        while True:
            with shelf.changed:
                while not shelf.items and not shelf.finished:
                    shelf.changed.wait()
                if not shelf.items:
                    break
                item = shelf.items.popleft()
                shelf.changed.notify()
            yield item
        if shelf.error is not None:
            raise shelf.error
    finally:
        with shelf.changed:
            shelf.abandoned = True
            shelf.changed.notify()


class Prefetch(UnaryNode):
    """The same elements, computed before they are asked for."""

    name = "_PrefetchDataset"

    def __init__(self, source, size: int) -> None:
        super().__init__(source)
        self.size = _AUTOMATIC_BUFFER if size == AUTOTUNE else size

    def stream(self, skip=0, rows=False):
        source = self.source.stream(skip)
        return read_ahead(source, self.size) if self.size else source


class ParallelMap:
    """An iterator of a function's results, in order, with several calls in flight.

    A call that failed raises when its turn comes; the iterator can be used further.
    """

    def __init__(self, function: Callable, source: Iterator, workers: int) -> None:
        self._function = function
        self._source = source
        self._workers = workers
        self._calls: deque[Future] = deque()
        # Its threads end when nobody refers to the executor any longer.
        self._executor = ThreadPoolExecutor(workers, "gradtape-map")

    def __iter__(self):
        return self

    def __next__(self):
        while len(self._calls) < self._workers:
            try:
                element = next(self._source)
            except StopIteration:
                break
            except Exception as error:  # raised again in its turn
                failed: Future = Future()
                failed.set_exception(error)
                self._calls.append(failed)
                break
            self._calls.append(self._executor.submit(self._function, element))
        if not self._calls:
            self._executor.shutdown(wait=False)
            raise StopIteration
        return self._calls.popleft().result()


class AutomaticMap:
    """An iterator of a function's results that uses threads if the calls are worth it.

    The first calls are timed: handing a fast one to a thread would cost more than the call.
    """

    def __init__(self, function: Callable, source: Iterator) -> None:
        self._function = function
        self._source = source
        self._times: list[float] = []
        self._rest: Iterator | None = None

    def __iter__(self):
        return self

    def __next__(self):
        if self._rest is not None:
            return next(self._rest)
        element = next(self._source)
        began = time.perf_counter()
        try:
            return self._function(element)
        finally:
            self._times.append(time.perf_counter() - began)
            if len(self._times) == _TIMED_CALLS:
                self._choose()

    def _choose(self) -> None:
        if min(self._times) < _WORTH_A_THREAD:
            self._rest = map(self._function, self._source)
        else:
            self._rest = ParallelMap(self._function, self._source, worker_count(AUTOTUNE))


def parallel_map(function: Callable, source: Iterator, calls: int) -> Iterator:
    """Return a function's results, in order, with `calls` calls at once (AUTOTUNE: as many as
    help)."""
    if calls == AUTOTUNE:
        return AutomaticMap(function, source)
    return ParallelMap(function, source, calls)
