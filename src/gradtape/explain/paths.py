"""Which values of a recording lead to which: the graph behind every explanation."""

from __future__ import annotations

import bisect
import functools
from collections.abc import Iterable

from gradtape.core.primitive import Rule
from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable
from gradtape.explain.source import SourceLocation

# What reports call the ops that ran outside of all layers, beside those that ran in one.
NO_LAYER = "(no layer)"


class RecordedOp:
    """One op of a recording."""

    __slots__ = ("entry", "index", "inputs", "layer", "outputs", "prim")

    def __init__(self, index: int, entry: tuple, layer: str = "") -> None:
        self.index = index
        self.layer = layer
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
        return SourceLocation(self.entry[6], self.entry[7], self.layer)

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


def layer_of(recording: Recording, entry: tuple) -> str:
    """Return the path of the layer that an op ran in; empty outside of all."""
    if not recording.scopes:
        return ""
    slots = [entry[2]] if type(entry[2]) is int else entry[2][0]
    at = bisect.bisect(recording.scopes, max(slots), key=lambda event: event[0])
    return recording.scopes[at - 1][1] if at else ""


class RecordingGraph:
    """The ops of a recording as a graph."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.shapes = recording.shapes  # a recording makes this list each time it is asked
        self.ops = [
            RecordedOp(i, entry, layer_of(recording, entry))
            for i, entry in enumerate(recording.entries)
        ]
        self.producers: dict[int, RecordedOp] = {s: op for op in self.ops for s in op.outputs}
        self.names = dict(recording.leaves.values())

    @functools.cached_property
    def _layers_of_leaves(self) -> dict[int, str]:
        layers: dict[int, str] = {}
        for op in self.ops:
            for s in op.inputs:
                if s in self.names:
                    layers.setdefault(s, op.layer)
        return layers

    def name_in_layer(self, x) -> str:
        """Return the name of a watched variable with the layer that uses it first, as
        `model/dense/kernel`; empty where no layer does."""
        slot, _ = self.recording.leaves.get(id(x), (-1, None))
        layer = self._layers_of_leaves.get(slot, "")
        if not layer or not isinstance(x, Variable) or "/" in x.name:
            return ""
        return f"{layer}/{x.name.removesuffix(':0')}"

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
