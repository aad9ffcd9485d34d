"""The active listeners and interpreters: one immutable `State` per context (thread, asyncio task).

A state is never changed, only replaced, so that a context that inherits one is isolated from the
others, and an exception cannot leave it half changed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from gradtape.core.native import connect, native_version

if TYPE_CHECKING:
    from gradtape.core.protocols import AccumulatorListener, TapeListener


class State:
    """The active tapes and forward accumulators, outermost first, and the depth of nested `vmap`s.

    `trace` is the trace of the function being traced, if any: it handles reads and writes of
    variables.
    """

    __slots__ = ("accumulators", "depth", "tapes", "token", "trace")

    def __init__(
        self,
        tapes: tuple[TapeListener, ...] = (),
        accumulators: tuple[AccumulatorListener, ...] = (),
        depth: int = 0,
        trace: Any = None,
    ) -> None:
        self.tapes = tapes
        self.accumulators = accumulators
        self.depth = depth
        self.trace = trace
        # Identifies this state without keeping its tapes alive (see Variable._snapshot).
        self.token = object()

    def replaced(
        self,
        *,
        tapes: tuple[Any, ...] | None = None,
        accumulators: tuple[Any, ...] | None = None,
        depth: int | None = None,
        trace: Any = None,
    ) -> State:
        """Return a state with these fields replaced; `EMPTY` if nothing is active in it."""
        tapes = self.tapes if tapes is None else tapes
        accumulators = self.accumulators if accumulators is None else accumulators
        depth = max(self.depth, EMPTY.depth) if depth is None else depth
        trace = self.trace if trace is None else trace
        if not tapes and not accumulators and depth == EMPTY.depth:
            return EMPTY
        return State(tapes, accumulators, depth, trace)


# The state without listeners. Its depth is 0 until devices are in use
# (backends/xla/runtime/device.py).
EMPTY = State()
_state: ContextVar[State] = ContextVar("gradtape_state", default=EMPTY)
# Whether the program is in a function of which TensorFlow would make a graph, traced or not.
inside: ContextVar[bool] = ContextVar("gradtape_inside_function", default=False)
get_state = _state.get
set_state = _state.set


# Context variables are set inside the `try` that restores them, since an interrupt may come right
# after, and restored by their old value rather than by a token, which it may have prevented.
@contextlib.contextmanager
def setting(variable: ContextVar[Any], value: Any) -> Generator[Any, None, None]:
    """Set a context variable during the block, which gets the value."""
    before = variable.get()
    try:
        variable.set(value)
        yield value
    finally:
        variable.set(before)


def call_with(
    variable: ContextVar[Any], value: Any, function: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    """Call a function with a context variable set."""
    before = variable.get()
    try:
        variable.set(value)
        return function(*args, **kwargs)
    finally:
        variable.set(before)


@contextlib.contextmanager
def using(**changes: Any) -> Generator[None, None, None]:
    """Run the block with some fields of the state replaced, and restore it afterwards; if a device
    was first used meanwhile, with the depth that this needs."""
    before = get_state()
    # An interrupt may come right after the state is set, or as a function of Python begins.
    try:
        set_state(before.replaced(**changes))
        yield
    finally:
        set_state(before if before.depth >= EMPTY.depth else before.replaced())


@contextlib.contextmanager
def lifted() -> Generator[None, None, None]:
    """Run the block eagerly, outside of any trace, where no listener or interpreter sees it."""
    before = get_state()
    try:
        set_state(EMPTY)
        yield
    finally:
        set_state(before if before.depth >= EMPTY.depth else before.replaced())


def only_outside_of_functions(what: str) -> None:
    """Stop tracing, if a function is being traced: what follows must happen on every call."""
    trace = get_state().trace
    if trace is not None:
        trace.fail(what)


def outside() -> Any:
    """Run the block as one outside of all functions."""
    return setting(inside, False)


@native_version
def push_tape(tape: TapeListener) -> None:
    """Add a tape to the active ones, as the innermost."""
    state = get_state()
    set_state(state.replaced(tapes=(*state.tapes, tape)))


@native_version
def remove_tape(tape: TapeListener) -> None:
    """Remove a tape from the active ones."""
    state = get_state()
    tapes = state.tapes
    if tapes and tapes[-1] is tape:
        tapes = tapes[:-1]
    else:
        tapes = tuple([t for t in tapes if t is not tape])
    set_state(state.replaced(tapes=tapes))


def not_recording() -> Any:
    """Hide the ops of the block from all tapes (accumulators and vmaps still see them)."""
    return using(tapes=())


connect(State=State, state_variable=_state, empty_state=EMPTY)
