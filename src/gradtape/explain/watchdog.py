"""`debug_nonfinite`: raise at the very op that gives an inf or nan, also in the backward pass."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

import numpy as np

from gradtape.core.errors import InvalidArgumentError
from gradtape.core.scope import op_scope
from gradtape.core.source_location import here
from gradtape.core.state import get_state, set_state
from gradtape.core.tensor import Tensor
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.engine.backward import differentiated
from gradtape.engine.observer import Observer
from gradtape.explain import cures
from gradtape.explain.nonfinite import NonFiniteFinding, describe, has_nan, is_finite
from gradtape.explain.paths import layer_of
from gradtape.explain.source import SourceLocation
from gradtape.graph.apply import settings


class NonFiniteError(InvalidArgumentError, FloatingPointError):
    """An op gave an inf or nan. `finding` says which, where, and what usually helps."""

    __module__ = "gradtape"  # as users know it

    def __init__(self, finding: NonFiniteFinding) -> None:
        super().__init__(str(finding))
        self.finding = finding


class Watchdog(Observer):
    """Sees every op, as a tape does, and keeps nothing."""

    __slots__ = ("only_nan",)

    def __init__(self, only_nan: bool) -> None:
        super().__init__()
        self.only_nan = only_nan

    @filters_tracebacks  # a native operator called it: no function of ours is between
    def record(self, prim, inputs: tuple, params: dict, out) -> None:
        results = [out] if isinstance(out, Tensor) else list(out)
        for y in results:
            if y._has_value and not self._is_fine(y._data):
                raise NonFiniteError(self._finding(prim, inputs, params, y))

    def _is_fine(self, data) -> bool:
        if is_finite(data):
            return True
        return self.only_nan and not bool(np.isnan(np.asarray(data)).any())

    def _finding(self, prim, inputs: tuple, params: dict, out: Tensor) -> NonFiniteFinding:
        current = differentiated()
        if current is not None:
            recording, entry = current
            kept = {
                n: np.asarray(x._data)
                for n, x in zip(entry[0].inputs, entry[3] or (), strict=False)
                if isinstance(x, Tensor) and x._has_value
            }
            what, cure = cures.why_slope(entry[0].name, list(kept.values()), None, False)
            described = tuple(f"{name} = {describe(x)}" for name, x in kept.items())
            location = SourceLocation(entry[6], entry[7], layer_of(recording, entry))
            return NonFiniteFinding("derivative", entry[0].name, location, what, cure, described)
        arrays = [np.asarray(x._data) for x in inputs if x._has_value]
        named = zip(prim.inputs, arrays, strict=False)
        described = (*[f"{n} = {describe(x)}" for n, x in named], f"result = {describe(out._data)}")
        location = SourceLocation(*here(), op_scope())
        # What makes a nan of infinities (their difference, say) is where that nan begins.
        is_spoilt = has_nan if has_nan(out._data) else lambda x: not is_finite(x)
        if any(is_spoilt(x) for x in arrays):
            what = "it was given a value that is inf or nan already"
            return NonFiniteFinding(
                "input", prim.name, location, what, cures.for_input(), described
            )
        what, cure = cures.what_happened(prim.name, arrays, out._data, params)
        return NonFiniteFinding("value", prim.name, location, what, cure, described)

    def end_path(self, kind: str, prim, inputs: tuple, out) -> None:
        self.record(prim, inputs, {}, out)


@contextlib.contextmanager
def debug_nonfinite(only_nan: bool = False) -> Generator[None]:
    """Make ops in the block raise an explained error if their results hold an inf or nan.

        with tf.debug_nonfinite():
            train_step(batch)

    `only_nan` lets infinities pass. Every op is checked, so that the block runs slower; what
    stands in a `tf.function` runs eagerly meanwhile.
    """
    with watching(Watchdog(bool(only_nan))):
        yield


@contextlib.contextmanager
def watching(watchdog: Watchdog):
    """Show a watchdog every op of the block; functions run eagerly meanwhile."""
    state = get_state()
    set_state(state.replaced(tapes=(watchdog, *state.tapes)))
    eager = settings["run_eagerly"]
    settings["run_eagerly"] = True
    try:
        yield
    finally:
        settings["run_eagerly"] = eager
        state = get_state()
        set_state(state.replaced(tapes=tuple(t for t in state.tapes if t is not watchdog)))
