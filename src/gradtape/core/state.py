"""Which interpreters are listening: one immutable `State` per context (thread, asyncio task).

A state is never changed, only replaced, so a context that inherits one cannot be disturbed by
another, and an exception can leave nothing half done.
"""

from __future__ import annotations

import contextlib
from contextvars import ContextVar


class State:
    """The active tapes and forward accumulators, outermost first, and the depth of `vmap`s."""

    __slots__ = ("accumulators", "depth", "tapes", "token")

    def __init__(self, tapes: tuple = (), accumulators: tuple = (), depth: int = 0) -> None:
        self.tapes = tapes
        self.accumulators = accumulators
        self.depth = depth
        # Stands for this state without keeping its tapes alive (see Variable._snapshot).
        self.token = object()

    def replaced(self, *, tapes=None, accumulators=None, depth=None) -> State:
        """A state that differs in what is given; the one empty state where nothing is left."""
        tapes = self.tapes if tapes is None else tapes
        accumulators = self.accumulators if accumulators is None else accumulators
        depth = self.depth if depth is None else depth
        if not tapes and not accumulators and not depth:
            return EMPTY
        return State(tapes, accumulators, depth)


EMPTY = State()
_state: ContextVar[State] = ContextVar("gradtape_state", default=EMPTY)
get_state = _state.get
set_state = _state.set


@contextlib.contextmanager
def using(**changes):
    """The block runs with some interpreters replaced; afterwards all is as it was before."""
    before = get_state()
    set_state(before.replaced(**changes))
    try:
        yield
    finally:
        set_state(before)


def not_recording():
    """The block's ops are seen by no tape (accumulators and vmaps still see them)."""
    return using(tapes=())
