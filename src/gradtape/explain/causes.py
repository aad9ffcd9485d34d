"""The causes of a missing gradient, as objects with words for people."""

from __future__ import annotations

import dataclasses
from typing import Any

from gradtape.core.dtypes import from_numpy
from gradtape.engine.broken_paths import PREDICT, End
from gradtape.explain.source import SourceLocation
from gradtape.explain.tables import wrap

TURN_ON_TRACKING = (
    "To see the line, run the program with GRADTAPE_TRACK_ORIGINS=1 (or `gradtape explain`)."
)


@dataclasses.dataclass(frozen=True)
class Cause:
    """Why there is no gradient.

    `kind` is for programs, `headline` and `remedy` are for people; `location` is where it happened,
    if that is known, and `also` are further locations of the same kind.
    """

    kind: str
    headline: str
    remedy: str = ""
    location: Any = None
    detail: str = ""
    also: tuple[SourceLocation, ...] = ()

    def text(self, opening: str = "") -> str:
        """Return the whole explanation; the first line names the cause."""
        lines = [opening + self.headline]
        if self.location is not None:
            lines.append(f"  {self.location.description}")
            quoted = self.location.quote("      ")
            if quoted:
                lines.append(quoted)
        lines += [f"  also at {location}: {location.text}" for location in self.also]
        if self.detail:
            lines += wrap(self.detail)
        if self.remedy:
            lines += wrap(f"Remedy: {self.remedy}")
        return "\n".join(lines)


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def from_end(end: End, also: tuple[SourceLocation, ...] = ()) -> Cause:
    """Return the cause for an end of a path."""
    location = SourceLocation(end.code, end.lasti, end.scope)
    maker = {
        "op": _op_cause,
        "paused": _paused_cause,
        "left": _left_cause,
        "written": _written_cause,
    }[end.kind]
    return dataclasses.replace(maker(end, location), location=location, also=also)


def _op_cause(end: End, location: SourceLocation) -> Cause:
    prim = end.what
    if prim.name == "stop_gradient":
        return Cause(
            "stop_gradient",
            "stop_gradient cuts the path to the target.",
            "Take the gradient of a value computed without stop_gradient, or leave it out.",
        )
    dtype = "" if end.result is None else from_numpy(end.result.dtype).name
    if dtype == "string" or (dtype and prim.name == "cast_to_discrete"):
        return Cause(
            "dtype",
            f"the path to the target passes through the dtype {dtype}, which carries no gradient.",
            "Stay in a floating point dtype on the way from the source to the target.",
        )
    return Cause(
        "no_derivative",
        f"the path to the target passes through `{prim.name}`, which has no derivative.",
        prim.remedy or "Use an op with a derivative there, or compute it apart.",
        detail=_first_upper(prim.no_derivative or "") + ("." if prim.no_derivative else ""),
    )


def _paused_cause(end: End, location: SourceLocation) -> Cause:
    return Cause(
        "paused",
        "recording was paused by stop_recording() where the path to the target was computed.",
        "Compute it outside the `with tape.stop_recording():` block.",
    )


def _left_cause(end: End, location: SourceLocation) -> Cause:
    return left_engine_cause(end.what, location)


def left_engine_cause(how: str, location: SourceLocation) -> Cause:
    """Return the cause: the value was handed to Python or NumPy."""
    by = f"by {how}" if how.strip(".()") in location.expression or how[0] != "." else "there"
    remedy = "Use tf functions on the tensor itself, from the source to the target."
    if how == PREDICT:
        remedy = "Call the model itself, model(x, training=True): predict returns NumPy arrays."
    return Cause(
        "left_engine",
        f"the value left the engine {by}, and a tape cannot follow it into NumPy or Python.",
        remedy,
        location=location,
    )


def _written_cause(end: End, location: SourceLocation) -> Cause:
    if end.what == "tf.Variable()":
        return Cause(
            "new_variable",
            "the value was copied into a new tf.Variable, which is a source of its own.",
            "Use the tensor itself, or differentiate by the new variable. Make variables before "
            "the tape.",
        )
    return Cause(
        "assigned",
        f"the value was written into a variable by {end.what}, and gradients do not flow through "
        "assignment.",
        "Compute with the tensor itself, and assign it after the gradient is taken.",
    )
