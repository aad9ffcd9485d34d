"""`tf.debugging.enable_check_numerics`: the watchdog, for all that follows in this thread."""

from __future__ import annotations

from gradtape.core.state import get_state, set_state
from gradtape.explain.watchdog import Watchdog

_watchdog = Watchdog(only_nan=False)


def enable_check_numerics(stack_height_limit=30, path_length_limit=50) -> None:
    """Make ops raise an explained error, from now on, if their results hold an inf or nan.

    It holds for the calling thread, until `disable_check_numerics`. The limits, which shorten
    what TensorFlow shows of the stack, have no use here: the error names the line.
    """
    state = get_state()
    if _watchdog not in state.tapes:
        set_state(state.replaced(tapes=(_watchdog, *state.tapes)))


def disable_check_numerics() -> None:
    """Stop checking results."""
    state = get_state()
    set_state(state.replaced(tapes=tuple(t for t in state.tapes if t is not _watchdog)))
