"""Where a path from something watched ends: kept so that a missing gradient can be explained.

A recording has one of these from the first time that such a thing happens to it. A value that
lies behind an end carries a mark with `key` and a set of ends, as the bits of an integer: which
ends there are is a matter of the program's lines, not of how often they run.
"""

from __future__ import annotations

from types import CodeType

from gradtape.core.places import here
from gradtape.core.tensor import Spec, Tensor


class End:
    """One place where paths end, and the values (slots, unknown variables) that reached it."""

    __slots__ = ("code", "kind", "lasti", "result", "slots", "variables", "what")

    def __init__(self, kind: str, what, result: Spec | None, code: CodeType, lasti: int) -> None:
        # "op": what is a primitive without derivative. "paused": a primitive, or None for a read.
        # "left": how the value left, as ".numpy()". "written": which method wrote to a variable.
        self.kind = kind
        self.what = what
        self.result = result
        self.code = code
        self.lasti = lasti
        self.slots: set[int] = set()
        self.variables: dict[int, object] = {}  # id -> variables that the tape does not watch


class LostPaths:
    """The ends of paths on one recording."""

    __slots__ = ("_index", "ends", "key", "written")

    def __init__(self) -> None:
        self.key = object()
        self.ends: list[End] = []
        self._index: dict[tuple, tuple[End, int]] = {}
        self.written: dict[int, tuple] = {}  # id -> (variable, ends behind its value)

    def end(self, kind: str, what, result=None) -> tuple[End, int]:
        """The end at the user's place now, and its bit. `result` is the value that was made."""
        code, lasti = here()
        key = (kind, what, id(code), lasti)
        found = self._index.get(key)
        if found is None:
            spec = None if result is None else result._spec()
            found = self._index[key] = (End(kind, what, spec, code, lasti), 1 << len(self.ends))
            self.ends.append(found[0])
        return found

    def behind(self, x) -> int:
        """The ends that a value lies behind."""
        if not isinstance(x, Tensor):
            return self.written[id(x)][1] if id(x) in self.written else 0
        mark = x._marks
        while mark is not None and mark[0] is not self.key:
            mark = mark[2]
        return 0 if mark is None else mark[1]

    def carry(self, inputs: tuple, out, ends: int = 0) -> None:
        """The results of an op lie behind the ends that its inputs do, and behind these."""
        key = self.key
        for x in inputs:  # as `behind`, without a call for each: every op comes here
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
    """Stands for a recording among the active tapes while `stop_recording` keeps it from them."""

    __slots__ = ("key", "recording")

    def __init__(self, recording) -> None:
        self.recording = recording
        self.key = object()  # of nothing: no value is known to a tape that is paused

    def record(self, prim, inputs: tuple, params: dict, out) -> None:
        self.recording.end_path("paused", prim, inputs, out)

    def end_path(self, kind: str, prim, inputs: tuple, out) -> None:
        self.recording.end_path("paused", prim, inputs, out)

    def read_mark(self, variable, marks):
        recording = self.recording
        if not (id(variable) in recording.leaves or recording.would_watch(variable)):
            return marks
        lost = recording.lost_paths()
        end, bit = lost.end("paused", None)
        recording.reaches(end, variable)
        return (lost.key, bit | lost.behind(variable), marks)

    def leaves_engine(self, x, how: str) -> None:
        """What leaves the engine now would be lost anyway."""

    def write(self, variable, value, how: str, adds: bool = False) -> None:
        self.recording.write(variable, value, how, adds)
