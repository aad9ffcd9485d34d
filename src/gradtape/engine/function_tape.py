"""`tf.gradients`: derivatives inside a function, with respect to anything used there."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.dtypes import is_differentiable
from gradtape.core.state import get_state, setting, using
from gradtape.engine.backward import backward, seed
from gradtape.engine.recording import Recording
from gradtape.engine.tape import UnconnectedGradients
from gradtape.engine.variable import as_variable

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive

_current: ContextVar[FullRecording | None] = ContextVar("gradtape_function_tape", default=None)


class FullRecording(Recording):
    """A recording that watches every input of every op: any tensor may later be a source.

    That of a branch or loop body knows the recording of what is `around` it.
    """

    __slots__ = ("around",)

    def __init__(self, around: FullRecording | None = None) -> None:
        super().__init__(watch_variables=True)
        self.around = around

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


@contextlib.contextmanager
def recorded_function(is_part: bool = False) -> Generator[None, None, None]:
    """Record the block's ops for `gradients`; nested blocks share the outermost recording.

    A function that is traced on its own, inside of another, has one of its own, and so has a part
    of a function (`is_part`).
    """
    current, tapes = _current.get(), get_state().tapes
    if current is not None and any(tape is current for tape in tapes):
        yield
        return
    recording = FullRecording(current if is_part else None)
    with setting(_current, recording), using(tapes=(*tapes, recording)):
        yield


def recorded_part(is_part: bool) -> Any:
    """Return a context that records the ops of a branch or loop body, if its function is."""
    is_recorded = is_part and _current.get() is not None
    return recorded_function(is_part=True) if is_recorded else contextlib.nullcontext()


def watch_arguments(tensors: list[Any]) -> None:
    """Watch what another function is called with: to a recording, the call is a single op."""
    recording = _current.get()
    if recording is not None and any(tape is recording for tape in get_state().tapes):
        for x in tensors:
            if is_differentiable(x._data.dtype):
                recording.watch(x)


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
    seeds = []
    for y, g in zip(targets, given, strict=True):
        value = ops.to_tensor(y)
        if not value.dtype.is_differentiable:
            raise TypeError(
                f"Gradients of tensors of dtype {value.dtype.name} do not exist: ys must be "
                "floating or complex."
            )
        seeds.append((value, seed(value, g)))
    stops = [] if stop_gradients is None else nest.flatten(stop_gradients)
    results = _cotangents(recording, seeds, sources, [as_variable(x) for x in stops])
    if unconnected is UnconnectedGradients.ZERO:
        results = [
            ops.zeros_like(x) if g is None else g for x, g in zip(sources, results, strict=True)
        ]
    return results


def _cotangents(
    recording: FullRecording, seeds: list[tuple[Any, Any]], sources: list[Any], stops: list[Any]
) -> list[Any]:
    """Return the cotangent of each source, given those of some tensors; None if not connected.

    In a part of a function, they are passed on to what is around it.
    """
    around = recording.around
    if around is not None:
        for y, _ in seeds:
            recording.watch(y)
    stopped = {slot for x in stops if (slot := recording.slot_of(x)) is not None}
    record = recording.without(stopped) if stopped else recording
    leaves = list(recording.leaves.values()) if around is not None else []
    slots = [recording.slot_of(x) for x in sources]
    wanted = {slot for slot in (*slots, *[leaf[0] for leaf in leaves]) if slot is not None}
    known = [(slot, g) for y, g in seeds if (slot := recording.slot_of(y)) is not None]
    by_slot = backward(record, known, wanted, consume=False)
    results = [None if slot is None else by_slot[slot] for slot in slots]
    if around is None:
        return results
    passed = [(x, by_slot[slot]) for slot, x in leaves if by_slot[slot] is not None]
    outer = _cotangents(
        around, [each for each in passed if _knows(around, each[0])], sources, stops
    )
    return [
        further if _knows(around, x) else own
        for x, own, further in zip(sources, results, outer, strict=True)
    ]


def _knows(recording: FullRecording | None, x: Any) -> bool:
    """Return whether a tensor or variable has a slot in a recording or in one around it."""
    while recording is not None:
        if recording.slot_of(x) is not None:
            return True
        recording = recording.around
    return False
