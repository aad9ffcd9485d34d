"""Finding the cause: what became of the paths between one target and its sources."""

from __future__ import annotations

from types import FrameType

import numpy as np

from gradtape import ops
from gradtape.core.dtypes import is_differentiable
from gradtape.core.state import not_recording
from gradtape.core.tensor import Tensor
from gradtape.engine.backward import backward, seed
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable, as_variable
from gradtape.explain import origins
from gradtape.explain.causes import TURN_ON_TRACKING, Cause, from_end, left_engine_cause
from gradtape.explain.paths import RecordedOp, RecordingGraph
from gradtape.explain.source import SourceLocation
from gradtape.explain.unwatched import Unwatched, made_at


class Diagnosis(Unwatched):
    """One target (or several), examined once, to be asked about each source."""

    def __init__(self, tape, recording: Recording, targets: list, frame: FrameType | None) -> None:
        self.recording = recording
        self.lost = recording.lost
        self.graph = RecordingGraph(recording)
        self.frame = frame
        self.reset_at = None if tape is None else tape._reset_at
        self.targets = [as_variable(t) for t in targets]
        self.targets = [t.values if isinstance(t, IndexedSlices) else t for t in self.targets]
        self.tensors = [
            ops.to_tensor(t) if not isinstance(t, (Tensor, Variable)) and _is_like(t) else t
            for t in self.targets
        ]
        known = [t for t in self.tensors if isinstance(t, (Tensor, Variable))]
        self.known = [t for t in known if is_differentiable(t._data.dtype)]
        slots = [recording.slot_of(t) for t in self.known]
        self.slots = {s for s in slots if s is not None}
        self.behind = 0
        if self.lost is not None:
            for t in known:
                self.behind |= self.lost.behind(t)
        self.toward = self.graph.backward(self.slots)

    # --- the order of questions ------------------------------------------------------------------

    def cause(self, source, name: str | None = None, known_missing: bool = False) -> Cause | None:
        """Return why no gradient reaches a source; None if one does."""
        if not is_differentiable(source._data.dtype):
            return Cause(
                "source_dtype",
                f"it has the dtype {source.dtype.name}, and only floating point values have "
                "gradients.",
                f"Make it a float, for instance with tf.cast({name or 'x'}, tf.float32) before "
                "it is watched.",
                made_at(source),
            )
        slot = self.recording.slot_of(source)
        if slot is None:
            if isinstance(source, Variable):
                return self._unknown_variable(source)
            return self._unknown_tensor(source, name)
        if slot in self.toward and not self._custom_none(slot, known_missing):
            return None
        return self._unconnected(source, slot, name)

    def _unconnected(self, source, slot: int, name: str | None) -> Cause:
        reached = self.graph.forward([slot])
        return (
            self._no_tensor(reached)
            or self._blocked_input(reached)
            or (self._custom(slot) if slot in self.toward else None)
            or self._ended(reached, self.behind)
            or self._target_dtype()
            or self._replaced_inside(slot)
            or self._made_outside(source)
            or self._left(reached, source)
            or self._unused(slot)
            or self._target_outside()
            or self._apart(reached)
        )

    # --- the target is not known, or not a tensor ------------------------------------------------

    def _no_tensor(self, reached: set[int]) -> Cause | None:
        odd = [t for t in self.tensors if not isinstance(t, (Tensor, Variable))]
        if not odd or self.slots:
            return None
        if odd[0] is None:
            return Cause(
                "no_target",
                "the target is None: there is nothing to differentiate.",
                "Look at where it comes from: a function that ends without `return` gives None.",
            )
        what = "a NumPy value" if isinstance(odd[0], (np.ndarray, np.generic)) else "a Python value"
        left = self._ended(reached, -1, ("left",))
        return Cause(
            "left_engine",
            f"the target is {what}, not a tensor: it left the engine, and a tape cannot follow it "
            "into NumPy or Python.",
            "Compute the target with tf functions, and call .numpy() or float() after the "
            "gradient is taken.",
            None if left is None else left.location,
        )

    def _target_dtype(self) -> Cause | None:
        if self.slots or self.known or not self.tensors:
            return None
        target = self.tensors[0]
        return Cause(
            "target_dtype",
            f"the target has the dtype {target.dtype.name}, and only floating point values have "
            "gradients.",
            "Differentiate a floating point value.",
            made_at(target),
        )

    def _made_outside(self, source) -> Cause | None:
        """Return the cause if tracking shows an op on the path that the tape did not see."""
        own = origins.origin_of(source)
        for target in self.known:
            origin = origins.origin_of(target)
            for o in () if origin is None else origin.ancestors():
                if o.kind != "op" or self.recording.key in o.tapes:
                    continue
                if own in list(o.ancestors()) or any(source is v for v in o.variables()):
                    return self._outside(o.location, is_target=o is origin)
        return None

    def _target_outside(self) -> Cause | None:
        """Return the cause: the tape does not know the target, and nothing more is known."""
        if self.slots:
            return None
        if self.reset_at is not None:
            return self._reset()
        origin = origins.origin_of(self.known[0]) if self.known else None
        if origin is not None and self.recording.key in origin.tapes:
            return None
        return self._outside(None if origin is None else origin.location, is_target=True)

    def _outside(self, location: SourceLocation | None, is_target: bool) -> Cause:
        is_marked = any(isinstance(x, Tensor) and x._marks is not None for x in self.known)
        if is_target and is_marked:
            return Cause(
                "another_tape",
                "another tape has recorded the target, and this one has not.",
                "Ask the tape in whose block the target was computed. A second "
                "`with tf.GradientTape() as tape:` gives the name `tape` to a new one.",
                location,
            )
        return Cause(
            "outside",
            "the target was computed before or outside the tape."
            if is_target
            else "the target depends on it only by a value made outside the tape.",
            "Compute everything from the source to the target inside the "
            "`with tf.GradientTape() as tape:` block.",
            location,
            "" if origins.is_tracking() else TURN_ON_TRACKING,
        )

    # --- both are known --------------------------------------------------------------------------

    def _ended(self, reached: set[int], behind: int, kinds: tuple = ()) -> Cause | None:
        """Return an end of a path from the source that the target lies behind."""
        if self.lost is None:
            return None
        results = [
            end
            for i, end in enumerate(self.lost.ends)
            if (behind >> i & 1)
            and not reached.isdisjoint(end.slots)
            and (not kinds or end.kind in kinds)
        ]
        if not results:
            return None
        also = tuple(
            SourceLocation(e.code, e.lasti, e.scope)
            for e in results[1:4]
            if e.kind == results[0].kind
        )
        return from_end(results[0], also)

    def _blocked_input(self, reached: set[int]) -> Cause | None:
        """Return the cause: an op on the path has no derivative by the input that the path uses."""
        for op in self.graph.ops:
            for i, s in enumerate(op.inputs):
                blocked = s in reached and not op.carries(i)
                if blocked and not self.toward.isdisjoint(op.outputs):
                    return self._blocked(op, i)
        return None

    def _blocked(self, op: RecordedOp, position: int) -> Cause:
        which = op.prim.inputs[0 if op.prim.variadic else position]
        reason = op.reason(position)
        return Cause(
            "no_derivative",
            f"the path to the target passes through `{op.name}`, which has no derivative by its "
            f"argument `{which}`.",
            "Use another formula there, or give the function its own gradient with "
            "tf.custom_gradient.",
            op.location,
            reason[:1].upper() + reason[1:] + ("." if reason else ""),
        )

    def _custom_none(self, slot: int, known_missing: bool) -> bool:
        """Return whether a gradient function of the user's own gives None on the way."""
        if known_missing:
            return True
        on_the_way = self.graph.forward([slot]) & self.toward
        customs = [op for op in self.graph.ops if op.is_custom]
        if not any(on_the_way.intersection(op.outputs) for op in customs):
            return False
        if any(op.entry[5] is None for op in customs):  # the values are gone
            return True
        return self._gradients({slot})[slot] is None

    def _gradients(self, slots: set[int]) -> list:
        targets = [(self.recording.slot_of(t), t) for t in self.known]
        with not_recording():
            seeds = [(s, seed(t)) for s, t in targets if s is not None]
            return backward(self.recording, seeds, slots, consume=False)

    def _custom(self, slot: int) -> Cause:
        reached = self.graph.forward([slot])
        customs = [
            op
            for op in self.graph.ops
            if op.is_custom
            and not self.toward.isdisjoint(op.outputs)
            and not reached.isdisjoint(op.inputs)
        ]
        location = customs[0].location if customs else None
        if customs and customs[0].is_compiled:
            return Cause(
                "inside_function",
                "inside a compiled tf.function no path leads from it to the target.",
                "To see where the path ends there, run the program with `gradtape explain`, or "
                "with tf.config.run_functions_eagerly(True).",
                location,
            )
        return Cause(
            "custom_gradient",
            "the gradient function of a tf.custom_gradient on the way gave None.",
            "Return a gradient for this argument from its grad function.",
            location,
        )

    def _replaced_inside(self, slot: int) -> Cause | None:
        """Return the cause: the source is itself computed from something that leads to the
        target."""
        producer = self.graph.producers.get(slot)
        if producer is None or not self.slots:
            return None
        shared = [
            x
            for s, x in self.graph.names.items()
            if s in self.toward and s in self.graph.backward([slot])
        ]
        if not shared:
            return None
        first = shared[0]
        what = "the variable" if isinstance(first, Variable) else "a watched tensor"
        return Cause(
            "replaced",
            f"it is a tensor computed from {what}; the target was computed from {what} itself, "
            "not from this result.",
            "Differentiate by what the target was computed from, or compute the target from this "
            "result.",
            producer.location,
        )

    def _left(self, reached: set[int], source) -> Cause | None:
        result = self._ended(reached, -1, ("left",))
        if result is None:
            left = origins.left_at(source)
            return None if left is None else left_engine_cause(*left)
        return result

    def _unused(self, slot: int) -> Cause | None:
        if any(slot in op.inputs for op in self.graph.ops) or slot in self.graph.producers:
            return None
        return Cause(
            "unused",
            "it is watched, but nothing was computed from it after that while the tape was "
            "recording.",
            "Watch it before it is used, and compute the target from the very object that is "
            "watched.",
            made_at(self.graph.names.get(slot)),
        )

    def _apart(self, reached: set[int]) -> Cause:
        """Return the cause: both are on the tape, but the target does not depend on the source."""
        after = self.graph.forward(self.slots)
        meeting = next(
            (
                op
                for op in self.graph.ops
                if after.intersection(op.inputs) and reached.intersection(op.inputs)
            ),
            None,
        )
        last = next(
            (op for op in reversed(self.graph.ops) if not reached.isdisjoint(op.outputs)), None
        )
        made = next((op for op in self.graph.ops if not self.slots.isdisjoint(op.outputs)), None)
        details = []
        if last is not None:
            details.append(f"The last op computed from it is `{last.name}` at {last.location}.")
        if made is not None:
            details.append(f"The target is the result of `{made.name}` at {made.location}.")
        if meeting is not None:
            details.append(
                f"The nearest op that both reach is `{meeting.name}` at {meeting.location}."
            )
        return Cause(
            "not_connected",
            "the target does not depend on it.",
            "Differentiate what was computed from both"
            + (
                f": the result of line {meeting.location.line}."
                if meeting
                else ", or leave it out."
            ),
            None if meeting is None and last is None else (meeting or last).location,  # pyright: ignore[reportOptionalMemberAccess] (one of them is not None)
            " ".join(details),
        )


def _is_like(x) -> bool:
    return ops.is_tensor_like(x)
