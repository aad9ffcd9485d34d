"""Which values of a recording lead to which: the graph behind every explanation."""

from __future__ import annotations

from collections.abc import Iterable

from gradtape.core.primitive import Rule
from gradtape.engine.recording import Recording
from gradtape.explain.source import SourceLocation


class RecordedOp:
    """One op of a recording."""

    __slots__ = ("entry", "index", "inputs", "outputs", "prim")

    def __init__(self, index: int, entry: tuple) -> None:
        self.index = index
        self.entry = entry
        self.prim = entry[0]
        self.inputs: list[int] = entry[1]
        self.outputs = results(entry)

    @property
    def name(self) -> str:
        return "tf.function" if self.is_compiled else self.prim.name

    @property
    def is_custom(self) -> bool:
        """Whether its derivative is a function of its own: the user's, or a compiled one's."""
        return self.prim.name == "custom_gradient"

    @property
    def is_compiled(self) -> bool:
        """Whether it is a tf.function that was compiled and is one op to a tape."""
        rule = (self.entry[5] or {}).get("grad_fn")
        return getattr(rule, "__module__", "").startswith("gradtape.graph")

    @property
    def location(self) -> SourceLocation:
        return SourceLocation(self.entry[6], self.entry[7])

    def carries(self, position: int) -> bool:
        """Return whether a gradient can flow back to the input at a position."""
        rules = self.prim.vjps
        return rules is None or type(rules[position]) is Rule

    def reason(self, position: int) -> str:
        """Return why no gradient flows back to an input."""
        return getattr((self.prim.vjps or ())[position], "reason", "")


def results(entry: tuple) -> list[int]:
    """Return the slots of an entry's results that can have gradients."""
    slot = entry[2]
    return [slot] if type(slot) is int else [s for s in slot[0] if s >= 0]


class RecordingGraph:
    """The ops of a recording as a graph."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.ops = [RecordedOp(i, entry) for i, entry in enumerate(recording.entries)]
        self.producers: dict[int, RecordedOp] = {s: op for op in self.ops for s in op.outputs}
        self.names = dict(recording.leaves.values())

    def forward(self, starts: Iterable[int], through_all: bool = False) -> set[int]:
        """Return the slots that depend on these; `through_all`: also along non-differentiable
        edges."""
        reached = set(starts)
        for op in self.ops:
            for i, s in enumerate(op.inputs):
                if s in reached and (through_all or op.carries(i)):
                    reached.update(op.outputs)
                    break
        return reached

    def backward(self, starts: Iterable[int]) -> set[int]:
        """Return the slots that these depend on, along edges that carry a gradient."""
        reached = set(starts)
        for op in reversed(self.ops):
            if not reached.isdisjoint(op.outputs):
                reached.update(s for i, s in enumerate(op.inputs) if s >= 0 and op.carries(i))
        return reached

    def leaves_of(self, slots: Iterable[int]) -> list:
        """Return the watched tensors and variables that values were computed from."""
        reached = self.backward(slots)
        return [x for slot, x in self.names.items() if slot in reached]
