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
from gradtape.explain.causes import TURN_ON_TRACKING, Cause, from_end, left_engine
from gradtape.explain.paths import Graph, Op
from gradtape.explain.source import Line, Place, self_assignments


class Diagnosis:
    """One target (or several), examined once, to be asked about each source."""

    def __init__(self, tape, recording: Recording, targets: list, frame: FrameType | None) -> None:
        self.recording = recording
        self.lost = recording.lost
        self.graph = Graph(recording)
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
        self.towards = self.graph.backward(self.slots)

    # --- the order of questions ------------------------------------------------------------------

    def cause(self, source, name: str | None = None, known_missing: bool = False) -> Cause | None:
        """Why no gradient reaches a source; None if one does."""
        if not is_differentiable(source._data.dtype):
            return Cause(
                "source_dtype",
                f"it has the dtype {source.dtype.name}, and only floating point values have "
                "gradients.",
                f"Make it a float, for instance with tf.cast({name or 'x'}, tf.float32) before "
                "it is watched.",
                _made_at(source),
            )
        slot = self.recording.slot_of(source)
        if slot is None:
            if isinstance(source, Variable):
                return self._unknown_variable(source)
            return self._unknown_tensor(source, name)
        if slot in self.towards and not self._custom_none(slot, known_missing):
            return None
        return self._unconnected(source, slot, name)

    def _unconnected(self, source, slot: int, name: str | None) -> Cause:
        reached = self.graph.forward([slot])
        return (
            self._no_tensor(reached)
            or self._blocked_input(reached)
            or (self._custom(slot) if slot in self.towards else None)
            or self._ended(reached, self.behind)
            or self._target_dtype()
            or self._replaced_inside(slot)
            or self._left(reached, source)
            or self._target_outside(source)
            or self._unused(slot)
            or self._apart(reached)
        )

    # --- the source is not known to the tape -----------------------------------------------------

    def _unknown_variable(self, variable: Variable) -> Cause:
        ends = [] if self.lost is None else self.lost.ends
        reached = [end for end in ends if id(variable) in end.variables]
        for kinds in (("paused", "written"), ("left",)):
            found = [end for end in reached if end.kind in kinds]
            if found:
                return from_end(found[0])
        if not self.recording.watch_variables:
            return Cause(
                "not_watched",
                "the tape was made with watch_accessed_variables=False and was not told to watch "
                "the variable.",
                "Call tape.watch(variable) inside the `with` block.",
                _made_at(variable),
            )
        if not variable.trainable:
            return Cause(
                "not_trainable",
                "the variable is not trainable, so the tape does not watch it.",
                "Make it with trainable=True (layer.trainable = True for a layer), or call "
                "tape.watch(variable).",
                _made_at(variable),
            )
        if self.reset_at is not None:
            return self._reset()
        return self._other_object(variable) or self._not_read(variable)

    def _other_object(self, variable: Variable) -> Cause | None:
        """The tape watched another variable that looks the same: another copy of the model."""
        for x in self.graph.names.values():
            if (
                isinstance(x, Variable)
                and tuple(x.shape) == tuple(variable.shape)
                and x.name == variable.name
                and x.dtype is variable.dtype
                and x.name != "Variable:0"
            ):
                return Cause(
                    "other_object",
                    "the tape never read this variable; it read another one with the same name "
                    f"('{variable.name.removesuffix(':0')}') and shape.",
                    "Differentiate by the variables of the object that computed the target: "
                    "there are two copies of it.",
                    _made_at(variable),
                )
        return None

    def _not_read(self, variable: Variable) -> Cause:
        left, read = origins.left_at(variable), origins.read_at(variable)
        if left is not None:
            return left_engine(*left)
        used = "It was used there, outside the tape." if read is not None else ""
        watched = [x.name.removesuffix(":0") for x in self.graph.names.values() if _is_variable(x)]
        if watched and not used:
            used = f"The tape read these variables: {', '.join(dict.fromkeys(watched[:6]))}."
        if not used and not origins.is_tracking():
            used = TURN_ON_TRACKING
        return Cause(
            "not_read",
            "the variable was not used while the tape was recording.",
            "Compute the target from it inside the `with tf.GradientTape() as tape:` block.",
            None if read is None else read.place,
            used,
        )

    def _unknown_tensor(self, tensor: Tensor, name: str | None) -> Cause:
        shown = name or "x"
        replaced = self._replaced_outside(tensor, name)
        if replaced is not None:
            return replaced
        place = _made_at(tensor)
        detail = "" if place else TURN_ON_TRACKING if not origins.is_tracking() else ""
        if place is None and self.lost is not None and self.lost.behind(tensor):
            ends = _ends(self.lost.behind(tensor))
            first = self.lost.ends[ends[0]]
            place = Place(first.code, first.lasti)
            detail = "It was computed there, behind the end of a watched path."
        if self.reset_at is not None:
            return self._reset()
        return Cause(
            "not_watched",
            "it is a tensor that the tape does not watch.",
            f"Call tape.watch({shown}) inside the `with` block, before it is used; or make it a "
            "tf.Variable.",
            place,
            detail,
        )

    def _replaced_outside(self, tensor: Tensor, name: str | None) -> Cause | None:
        """A name that stood for a variable: `x = x + 1` made it a tensor."""
        origin = origins.origin_of(tensor)
        place: Place | Line | None = None
        if origin is not None:
            if origin.kind != "op" or not origin.is_from_variable:
                return None
            place = origin.place
        elif self.frame is not None and name is not None and name.isidentifier():
            lines = self_assignments(self.frame, name)
            if not lines:
                return None
            place = Line(self.frame.f_code.co_filename, lines[-1])
        else:
            return None
        shown = name or "x"
        return Cause(
            "replaced",
            "the name no longer stands for the variable: it was replaced by a tensor, which the "
            "tape does not watch.",
            f"Change the variable itself: {shown}.assign(...), {shown}.assign_add(...) or "
            f"{shown}.assign_sub(...).",
            place,
        )

    def _reset(self) -> Cause:
        assert self.reset_at is not None
        return Cause(
            "reset",
            "tape.reset() made the tape forget what it had recorded and watched before.",
            "Compute (and watch) after the reset, or leave it out.",
            Place(*self.reset_at),
        )

    # --- the target is not known, or not a tensor ------------------------------------------------

    def _no_tensor(self, reached: set[int]) -> Cause | None:
        odd = [t for t in self.tensors if not isinstance(t, (Tensor, Variable))]
        if not odd or self.slots:
            return None
        what = "a NumPy value" if isinstance(odd[0], (np.ndarray, np.generic)) else "a Python value"
        left = self._ended(reached, -1, ("left",))
        return Cause(
            "left_engine",
            f"the target is {what}, not a tensor: it left the engine, and a tape cannot follow it "
            "into NumPy or Python.",
            "Compute the target with tf functions, and call .numpy() or float() after the "
            "gradient is taken.",
            None if left is None else left.place,
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
            _made_at(target),
        )

    def _target_outside(self, source) -> Cause | None:
        """The target was computed where the tape did not record, or only from other values."""
        if self.slots:
            return None
        if self.reset_at is not None:
            return self._reset()
        origin = origins.origin_of(self.known[0]) if self.known else None
        outside = _made_outside(origin, self.recording.key)
        if outside is not None and origin is not None and outside is not origin:
            headline = "the target depends on it only by a value made outside the tape."
        elif origin is not None and outside is None:
            return None
        else:
            headline = "the target was computed before or outside the tape."
        return Cause(
            "outside",
            headline,
            "Compute everything from the source to the target inside the "
            "`with tf.GradientTape() as tape:` block.",
            None if outside is None else outside.place,
            "" if origins.is_tracking() else TURN_ON_TRACKING,
        )

    # --- both are known --------------------------------------------------------------------------

    def _ended(self, reached: set[int], behind: int, kinds: tuple = ()) -> Cause | None:
        """An end of a path from the source that the target lies behind."""
        if self.lost is None:
            return None
        found = [
            end
            for i, end in enumerate(self.lost.ends)
            if (behind >> i & 1) and not reached.isdisjoint(end.slots)
            and (not kinds or end.kind in kinds)
        ]  # fmt: skip
        if not found:
            return None
        also = tuple(Place(e.code, e.lasti) for e in found[1:4] if e.kind == found[0].kind)
        return from_end(found[0], also)

    def _blocked_input(self, reached: set[int]) -> Cause | None:
        """An op on the way has a derivative, but none by the input that the path goes through."""
        for op in self.graph.ops:
            for i, s in enumerate(op.inputs):
                if s in reached and not op.carries(i):
                    if not self.towards.isdisjoint(op.outputs):
                        return self._blocked(op, i)
        return None

    def _blocked(self, op: Op, position: int) -> Cause:
        which = op.prim.inputs[0 if op.prim.variadic else position]
        reason = op.reason(position)
        return Cause(
            "no_derivative",
            f"the path to the target passes through `{op.name}`, which has no derivative by its "
            f"argument `{which}`.",
            "Use another formula there, or give the function its own gradient with "
            "tf.custom_gradient.",
            op.place,
            reason[:1].upper() + reason[1:] + ("." if reason else ""),
        )

    def _custom_none(self, slot: int, known_missing: bool) -> bool:
        """Whether a gradient function of the user's own gives None on the way."""
        if known_missing:
            return True
        on_the_way = self.graph.forward([slot]) & self.towards
        customs = [op for op in self.graph.ops if op.name == "custom_gradient"]
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
            if op.name == "custom_gradient"
            and not self.towards.isdisjoint(op.outputs)
            and not reached.isdisjoint(op.inputs)
        ]
        place = customs[0].place if customs else None
        return Cause(
            "custom_gradient",
            "the gradient function of a tf.custom_gradient on the way gave None.",
            "Return a gradient for this argument from its grad function.",
            place,
        )

    def _replaced_inside(self, slot: int) -> Cause | None:
        """The source is itself computed, from something that the target was computed from."""
        producer = self.graph.producers.get(slot)
        if producer is None or not self.slots:
            return None
        shared = [x for s, x in self.graph.names.items()
                  if s in self.towards and s in self.graph.backward([slot])]  # fmt: skip
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
            producer.place,
        )

    def _left(self, reached: set[int], source) -> Cause | None:
        found = self._ended(reached, -1, ("left",))
        if found is None:
            left = origins.left_at(source)
            return None if left is None else left_engine(*left)
        return found

    def _unused(self, slot: int) -> Cause | None:
        if any(slot in op.inputs for op in self.graph.ops) or slot in self.graph.producers:
            return None
        return Cause(
            "unused",
            "it is watched, but nothing was computed from it after that while the tape was "
            "recording.",
            "Watch it before it is used, and compute the target from the very object that is "
            "watched.",
            _made_at(self.graph.names.get(slot)),
        )

    def _apart(self, reached: set[int]) -> Cause:
        """Both are on the tape, and one does not depend on the other."""
        after = self.graph.forward(self.slots)
        meeting = next(
            (op for op in self.graph.ops if after.intersection(op.inputs)
             and reached.intersection(op.inputs)), None,
        )  # fmt: skip
        last = next(
            (op for op in reversed(self.graph.ops) if not reached.isdisjoint(op.outputs)), None
        )
        made = next((op for op in self.graph.ops if not self.slots.isdisjoint(op.outputs)), None)
        details = []
        if last is not None:
            details.append(f"The last op computed from it is `{last.name}` at {last.place}.")
        if made is not None:
            details.append(f"The target is the result of `{made.name}` at {made.place}.")
        if meeting is not None:
            details.append(f"The nearest op that both reach is `{meeting.name}` at {meeting.place}.")
        return Cause(
            "not_connected",
            "the target does not depend on it.",
            "Differentiate what was computed from both"
            + (f": the result of line {meeting.place.line}." if meeting else ", or leave it out."),
            None if meeting is None and last is None else (meeting or last).place,  # type: ignore[union-attr]
            " ".join(details),
        )


def _is_variable(x) -> bool:
    return isinstance(x, Variable)


def _is_like(x) -> bool:
    return ops.is_tensor_like(x)


def _ends(bits: int) -> list[int]:
    return [i for i in range(bits.bit_length()) if bits >> i & 1]


def _made_at(x) -> Place | None:
    origin = origins.origin_of(x)
    return None if origin is None else origin.place


def _made_outside(origin, key):
    """The origin of the nearest value, of those behind this one, that the tape did not see made."""
    if origin is None:
        return None
    outside = [o for o in origin.ancestors() if key not in o.tapes and o.kind == "op"]
    return outside[0] if outside else None
