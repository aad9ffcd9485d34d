"""Loops that are unrolled while tracing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape.core.state import get_state


class UnrolledIterations:
    """The iterations of a loop that is unrolled: enter it as a context manager for each one.

    A random op of the body is the same op in every iteration: it goes on with one sequence.
    """

    def __init__(self) -> None:
        self._sequences: list = []
        self._next = self._draws = 0

    def __enter__(self) -> None:
        trace = get_state().trace
        self._trace = trace
        if trace is not None:
            self._before, trace._unrolling = trace._unrolling, self
            self._next = 0

    def __exit__(self, *exception) -> None:
        if self._trace is not None:
            self._trace._unrolling = self._before

    def sequence(self, seed, make: Callable) -> Any:
        """Return the random sequence of the next random op of the body."""
        if self._next == len(self._sequences):
            self._draws += seed is None
            self._sequences.append(make(seed, self._draws - 1 if seed is None else 0))
        self._next += 1
        return self._sequences[self._next - 1]
