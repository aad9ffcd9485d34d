"""`tf.gradients`: derivatives inside a function, with respect to anything used there."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.dtypes import is_differentiable
from gradtape.core.state import get_state, using
from gradtape.engine.backward import backward, seed
from gradtape.engine.recording import Recording
from gradtape.engine.tape import UnconnectedGradients
from gradtape.engine.variable import as_variable

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive

_current: ContextVar[Recording | None] = ContextVar("gradtape_function_tape", default=None)


class FullRecording(Recording):
    """A recording that watches every input of every op: any tensor may later be a source."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(watch_variables=True)

    def record(self, prim: Primitive, inputs: Any, params: dict[str, Any], out: Any) -> None:
        for x in inputs:
            if is_differentiable(x._data.dtype):
                self.watch(x)
        super().record(prim, inputs, params, out)

    def read_mark(self, variable: Any, marks: Any) -> Any:
        return (self.key, self.watch(variable), marks)

    def without(self, stopped: set[int]) -> Recording:
        """Return the same recording without the ops that compute these slots."""
        other = Recording(watch_variables=False)
        other.key, other.shapes, other.leaves = self.key, self.shapes, self.leaves
        other.entries = [
            entry
            for entry in self.entries
            if not stopped.intersection((entry[2],) if isinstance(entry[2], int) else entry[2][0])
        ]
        return other


class recorded_function:
    """Records the block's ops for `gradients`; nested blocks share the outermost recording.

    A function that is traced on its own, inside of another, has one of its own.
    """

    def __enter__(self) -> None:
        self._token = self._using = None
        current = _current.get()
        if current is None or all(tape is not current for tape in get_state().tapes):
            recording = FullRecording()
            self._token = _current.set(recording)
            self._using = using(tapes=(*get_state().tapes, recording))
            self._using.__enter__()

    def __exit__(self, *exception: Any) -> None:
        if self._token is not None and self._using is not None:
            self._using.__exit__(*exception)
            _current.reset(self._token)


def recorded_part(is_part: bool) -> Any:
    """Return a context that records the ops of a branch or loop body, if its function is recorded.

    Gradients that are taken there are of what the part itself computes.
    """
    is_recorded = is_part and _current.get() is not None
    return recorded_function() if is_recorded else contextlib.nullcontext()


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    stop_gradients: Any = None,
    unconnected: Any = UnconnectedGradients.NONE,
) -> list[Any] | None:
    """Return the gradient of the sum of `ys` with respect to each `x`; None if not recording."""
    recording = _current.get()
    if not isinstance(recording, FullRecording):
        return None
    targets = [as_variable(y) for y in nest.flatten(ys)]
    sources = [as_variable(x) for x in nest.flatten(xs)]
    given = [None] * len(targets) if grad_ys is None else nest.flatten(grad_ys)
    if len(given) != len(targets):
        raise ValueError(
            f"Passed {len(given)} grad_ys for {len(targets)} ys: there must be one for each"
        )
    for x in sources:  # one that no op has used may be a target itself
        if is_differentiable(x._data.dtype):
            recording.watch(x)
    record: Recording = recording
    if stop_gradients is not None:
        stops = [recording.slot_of(as_variable(x)) for x in nest.flatten(stop_gradients)]
        record = recording.without({s for s in stops if s is not None})
    seeds = []
    for y, g in zip(targets, given, strict=True):
        y = ops.to_tensor(y)
        if not y.dtype.is_differentiable:
            raise TypeError(
                f"Gradients of tensors of dtype {y.dtype.name} do not exist: ys must be "
                "floating or complex."
            )
        slot = recording.slot_of(y)
        if slot is not None:
            seeds.append((slot, seed(y, g)))
    slots = [record.slot_of(x) for x in sources]
    cotangents = backward(record, seeds, {s for s in slots if s is not None}, consume=False)
    results = [None if slot is None else cotangents[slot] for slot in slots]
    if unconnected is UnconnectedGradients.ZERO:
        results = [
            ops.zeros_like(x) if g is None else g for x, g in zip(sources, results, strict=True)
        ]
    return results
