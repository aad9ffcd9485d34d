"""The causes of a missing gradient for a source that the tape does not know."""

from __future__ import annotations

from types import FrameType

from gradtape.core.tensor import Tensor
from gradtape.engine.broken_paths import LostPaths
from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable
from gradtape.explain import origins
from gradtape.explain.causes import TURN_ON_TRACKING, Cause, from_end, left_engine_cause
from gradtape.explain.paths import RecordingGraph
from gradtape.explain.source import Line, SourceLocation, self_assignments


def made_at(x) -> SourceLocation | None:
    """Return where a value was made, if tracking was on then."""
    origin = origins.origin_of(x)
    return None if origin is None else origin.location


class Unwatched:
    """The part of a diagnosis that looks at what a source is."""

    recording: Recording
    lost: LostPaths | None
    graph: RecordingGraph
    frame: FrameType | None
    reset_at: tuple | None

    def _unknown_variable(self, variable: Variable) -> Cause:
        ends = [] if self.lost is None else self.lost.ends
        reached = [end for end in ends if id(variable) in end.variables]
        for kinds in (("paused", "written"), ("left",)):
            results = [end for end in reached if end.kind in kinds]
            if results:
                return from_end(results[0])
        if not self.recording.watch_variables:
            return Cause(
                "not_watched",
                "the tape was made with watch_accessed_variables=False and did not watch "
                "the variable.",
                "Call tape.watch(variable) inside the `with` block.",
                made_at(variable),
            )
        if not variable.trainable:
            return Cause(
                "not_trainable",
                "the variable is not trainable, so the tape does not watch it.",
                "Make it with trainable=True (layer.trainable = True for a layer), or call "
                "tape.watch(variable).",
                made_at(variable),
            )
        if self.reset_at is not None:
            return self._reset()
        return self._other_object(variable) or self._not_read(variable)

    def _other_object(self, variable: Variable) -> Cause | None:
        """Return the cause: the tape watched another variable that looks the same (a second copy of
        the model)."""
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
                    made_at(variable),
                )
        return None

    def _not_read(self, variable: Variable) -> Cause:
        left, read = origins.left_at(variable), origins.read_at(variable)
        if left is not None:
            return left_engine_cause(*left)
        used = "It was used there, outside the tape." if read is not None else ""
        watched = [
            x.name.removesuffix(":0") for x in self.graph.names.values() if isinstance(x, Variable)
        ]
        if watched and not used:
            used = f"The tape read these variables: {', '.join(dict.fromkeys(watched[:6]))}."
        if not used and not origins.is_tracking():
            used = TURN_ON_TRACKING
        return Cause(
            "not_read",
            "the variable was not used while the tape was recording.",
            "Compute the target from it inside the `with tf.GradientTape() as tape:` block.",
            None if read is None else read.location,
            used,
        )

    def _unknown_tensor(self, tensor: Tensor, name: str | None) -> Cause:
        shown = name or "x"
        replaced = self._replaced_outside(tensor, name)
        if replaced is not None:
            return replaced
        location = made_at(tensor)
        detail = "" if location else TURN_ON_TRACKING if not origins.is_tracking() else ""
        if location is None and self.lost is not None and self.lost.behind(tensor):
            bits = self.lost.behind(tensor)
            first = self.lost.ends[(bits & -bits).bit_length() - 1]
            location = SourceLocation(first.code, first.lasti, first.scope)
            detail = "It was computed there, behind the end of a watched path."
        if self.reset_at is not None:
            return self._reset()
        return Cause(
            "not_watched",
            "it is a tensor that the tape does not watch.",
            f"Call tape.watch({shown}) inside the `with` block, before it is used; or make it a "
            "tf.Variable.",
            location,
            detail,
        )

    def _replaced_outside(self, tensor: Tensor, name: str | None) -> Cause | None:
        """Return the cause: the name referred to a variable until `x = x + 1` made it a tensor."""
        origin = origins.origin_of(tensor)
        location: SourceLocation | Line | None = None
        if origin is not None:
            if origin.kind != "op" or not origin.is_from_variable:
                return None
            location = origin.location
        elif self.frame is not None and name is not None and name.isidentifier():
            lines = self_assignments(self.frame, name)
            if not lines:
                return None
            location = Line(self.frame.f_code.co_filename, lines[-1])
        else:
            return None
        shown = name or "x"
        return Cause(
            "replaced",
            "the name no longer stands for the variable: it was replaced by a tensor, which the "
            "tape does not watch.",
            f"Change the variable itself: {shown}.assign(...), {shown}.assign_add(...) or "
            f"{shown}.assign_sub(...).",
            location,
        )

    def _reset(self) -> Cause:
        assert self.reset_at is not None
        return Cause(
            "reset",
            "tape.reset() made the tape forget what it had recorded and watched before.",
            "Compute (and watch) after the reset, or leave it out.",
            SourceLocation(*self.reset_at),
        )
