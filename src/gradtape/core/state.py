"""Which interpreters are listening: one immutable `State` per context (thread, asyncio task).

A state is never changed, only replaced, so a context that inherits one cannot be disturbed by
another, and an exception can leave nothing half done.
"""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import Any

from gradtape.core.native import compiled, connect


class State:
    """The active tapes and forward accumulators, outermost first, and the depth of `vmap`s.

    `trace` is the function being traced here, if one is: variables are read and written there.
    """

    __slots__ = ("accumulators", "depth", "tapes", "token", "trace")

    def __init__(
        self, tapes: tuple = (), accumulators: tuple = (), depth: int = 0, trace: Any = None
    ) -> None:
        self.tapes = tapes
        self.accumulators = accumulators
        self.depth = depth
        self.trace = trace
        # Stands for this state without keeping its tapes alive (see Variable._snapshot).
        self.token = object()

    def replaced(self, *, tapes=None, accumulators=None, depth=None, trace=None) -> State:
        """A state that differs in what is given; the one empty state where nothing is left."""
        tapes = self.tapes if tapes is None else tapes
        accumulators = self.accumulators if accumulators is None else accumulators
        depth = max(self.depth, EMPTY.depth) if depth is None else depth
        trace = self.trace if trace is None else trace
        if not tapes and not accumulators and depth == EMPTY.depth:
            return EMPTY
        return State(tapes, accumulators, depth, trace)


# Where nothing listens. Its depth is 0 until devices are in use (see gradtape.engine.device).
EMPTY = State()
_state: ContextVar[State] = ContextVar("gradtape_state", default=EMPTY)
get_state = _state.get
set_state = _state.set


def _restore(before: State) -> None:
    """Go back to a state; if devices came into use meanwhile, to one that looks for them."""
    set_state(before if before.depth >= EMPTY.depth else before.replaced())


@contextlib.contextmanager
def using(**changes):
    """The block runs with some interpreters replaced; afterwards all is as it was before."""
    before = get_state()
    set_state(before.replaced(**changes))
    try:
        yield
    finally:
        _restore(before)


@contextlib.contextmanager
def lifted():
    """The block runs at once, outside of every function being traced; no interpreter sees it."""
    before = get_state()
    set_state(EMPTY)
    try:
        yield
    finally:
        _restore(before)


def only_outside_of_functions(what: str) -> None:
    """Stop tracing, if a function is being traced: what comes next must happen on every call."""
    trace = get_state().trace
    if trace is not None:
        trace.fail(what)


@compiled
def push_tape(tape) -> None:
    """The tape listens from now on, innermost."""
    state = get_state()
    set_state(state.replaced(tapes=(*state.tapes, tape)))


@compiled
def remove_tape(tape) -> None:
    """The tape does not listen any more."""
    state = get_state()
    set_state(state.replaced(tapes=tuple([t for t in state.tapes if t is not tape])))


def not_recording():
    """The block's ops are seen by no tape (accumulators and vmaps still see them)."""
    return using(tapes=())


connect(State=State, state_variable=_state, empty_state=EMPTY)
