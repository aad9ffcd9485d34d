"""Where paths from watched values end: recorded so that a missing gradient can be explained.

A recording has one `LostPaths` from the first time that a path ends. A value that depends on
something watched only through such an end has a mark with `key` and a set of ends, as the bits of
an integer: the number of ends depends on the lines of the program, not on how often they run.
"""

from __future__ import annotations

from types import CodeType
from typing import TYPE_CHECKING, Any

from gradtape.core.scope import op_scope
from gradtape.core.source_location import here
from gradtape.core.tensor import Spec, Tensor

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.typing import TensorLike
    from gradtape.engine.recording import Recording
    from gradtape.engine.variable import Variable


PREDICT = "predict()"  # how a value leaves in Keras's method, which has a remedy of its own


class End:
    """A line of the program where paths end, and the values (slots, variables) that reach it."""

    __slots__ = ("code", "kind", "lasti", "result", "scope", "slots", "variables", "what")

    def __init__(
        self,
        kind: str,
        what: Any,  # the primitive of an op; else text
        result: Spec | None,
        code: CodeType,
        lasti: int,
        scope: str,
    ) -> None:
        # "op": `what` is a primitive without derivative. "paused": a primitive, or None for a read.
        # "left": how the value left, as ".numpy()". "written": which method wrote to a variable.
        self.kind = kind
        self.what = what
        self.result = result
        self.code = code
        self.lasti = lasti
        self.scope = scope
        self.slots: set[int] = set()
        self.variables: dict[int, object] = {}  # id -> variables that the tape does not watch


class LostPaths:
    """The ends of paths on one recording."""

    __slots__ = ("_index", "ends", "key", "written")

    def __init__(self) -> None:
        self.key = object()
        self.ends: list[End] = []
        self._index: dict[tuple[Any, ...], tuple[End, int]] = {}
        self.written: dict[int, tuple[Any, ...]] = {}  # id -> (variable, ends of its value)

    def end(self, kind: str, what: Primitive | str | None, result: Any = None) -> tuple[End, int]:
        """Return the end at the user's current line, and its bit.

        `result` is the value computed there.
        """
        code, lasti = here()
        scope = op_scope()
        key = (kind, what, id(code), lasti, scope)
        known = self._index.get(key)
        if known is None:
            spec = None if result is None else result._spec()
            end = End(kind, what, spec, code, lasti, scope)
            known = self._index[key] = (end, 1 << len(self.ends))
            self.ends.append(end)
        return known

    def behind(self, x: TensorLike) -> int:
        """Return the ends that a value depends on, as bits."""
        if not isinstance(x, Tensor):
            return self.written[id(x)][1] if id(x) in self.written else 0
        mark = x._marks
        while mark is not None and mark[0] is not self.key:
            mark = mark[2]
        return 0 if mark is None else mark[1]

    def carry(
        self, inputs: tuple[Any, ...], out: Tensor | tuple[Tensor, ...], ends: int = 0
    ) -> None:
        """Mark the results of an op with the ends of its inputs, and with `ends`."""
        key = self.key
        for x in inputs:  # as `behind`, inlined: every op comes here
            mark = x._marks
            while mark is not None:
                if mark[0] is key:
                    ends |= mark[1]
                    break
                mark = mark[2]
        if ends:
            for y in (out,) if isinstance(out, Tensor) else out:
                y._marks = (key, ends, y._marks)


class Paused:
    """Replaces a recording among the active tapes during `stop_recording`."""

    __slots__ = ("key", "recording")

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.key = object()  # without values: a paused tape knows none

    def record(
        self, prim: Primitive, inputs: tuple[Any, ...], params: dict[Any, Any], out: Tensor
    ) -> None:
        self.recording.end_path("paused", prim, inputs, out)

    def end_path(self, kind: str, prim: Primitive, inputs: tuple[Any, ...], out: Any) -> None:
        self.recording.end_path("paused", prim, inputs, out)

    def slot_of(self, x: Any) -> None:
        """Return None: nothing is connected, as no gradient is computed from here."""

    def read_mark(self, variable: Variable, marks: tuple[Any, ...] | None) -> Any:
        recording = self.recording
        if not (id(variable) in recording.leaves or recording.would_watch(variable)):
            return marks
        lost = recording.lost_paths()
        end, bit = lost.end("paused", None)
        recording.reaches(end, variable)
        return (lost.key, bit | lost.behind(variable), marks)

    def leaves_engine(self, x: Tensor, how: str) -> None:
        """Ignore values that leave the engine: their ops are not recorded anyway."""

    def write(self, variable: Any, value: Any, how: str, adds: bool = False) -> None:
        self.recording.write(variable, value, how, adds)

    def enter_scope(self, path: str) -> None:
        self.recording.enter_scope(path)
