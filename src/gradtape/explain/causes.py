"""The causes of a missing gradient, as objects with words for people."""

from __future__ import annotations

import dataclasses
from typing import Any

from gradtape.core.dtypes import from_numpy
from gradtape.engine.lost import End
from gradtape.explain.source import Place
from gradtape.explain.tables import wrapped

TURN_ON_TRACKING = (
    "To see the line, run the program with GRADTAPE_TRACK_ORIGINS=1 (or `gradtape explain`)."
)


@dataclasses.dataclass(frozen=True)
class Cause:
    """Why there is no gradient.

    `kind` is for programs, `headline` and `remedy` are for people; `place` is where it happened,
    if that is known, and `also` are further places of the same kind.
    """

    kind: str
    headline: str
    remedy: str = ""
    place: Any = None
    detail: str = ""
    also: tuple[Place, ...] = ()

    def text(self, opening: str = "") -> str:
        """The whole explanation; the first line names the cause."""
        lines = [opening + self.headline]
        if self.place is not None:
            where = getattr(self.place, "function", "<module>")
            lines.append(f"  {self.place}" + (f" in {where}" if where != "<module>" else ""))
            quoted = self.place.quote("      ")
            if quoted:
                lines.append(quoted)
        lines += [f"  also at {place}: {place.text}" for place in self.also]
        if self.detail:
            lines += wrapped(self.detail)
        if self.remedy:
            lines += wrapped(f"Remedy: {self.remedy}")
        return "\n".join(lines)


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def from_end(end: End, also: tuple[Place, ...] = ()) -> Cause:
    """The cause that an end of a path is."""
    place = Place(end.code, end.lasti)
    maker = {"op": _op, "paused": _paused, "left": _left, "written": _written}[end.kind]
    return dataclasses.replace(maker(end, place), place=place, also=also)


def _op(end: End, place: Place) -> Cause:
    prim = end.what
    if prim.name == "stop_gradient":
        return Cause(
            "stop_gradient",
            "stop_gradient cuts the path to the target.",
            "Take the gradient of a value computed without stop_gradient, or leave it out.",
        )
    if prim.name == "cast_to_discrete" and end.result is not None:
        dtype = from_numpy(end.result.dtype).name
        return Cause(
            "dtype",
            f"the path to the target passes through the dtype {dtype}, which carries no gradient.",
            "Stay in a floating point dtype on the way from the source to the target.",
        )
    return Cause(
        "no_derivative",
        f"the path to the target passes through `{prim.name}`, which has no derivative.",
        _SMOOTH.get(prim.name, "Use an op with a derivative there, or compute it apart."),
        detail=_first_upper(prim.no_derivative or "") + ("." if prim.no_derivative else ""),
    )


_SMOOTH = {
    "argmax": "Use a smooth choice, as tf.nn.softmax(x), or the value itself: tf.reduce_max(x).",
    "argmin": "Use a smooth choice, as tf.nn.softmax(-x), or the value itself: tf.reduce_min(x).",
    "argsort": "Use tf.sort(x), which has a derivative, where the sorted values are wanted.",
    "greater": "Use a smooth step such as tf.sigmoid(k * (x - y)).",
    "less": "Use a smooth step such as tf.sigmoid(k * (y - x)).",
    "greater_equal": "Use a smooth step such as tf.sigmoid(k * (x - y)).",
    "less_equal": "Use a smooth step such as tf.sigmoid(k * (y - x)).",
    "round": "Let the gradient pass as if it were not there: tf.grad_pass_through(tf.round)(x).",
    "floor": "Let the gradient pass as if it were not there: tf.grad_pass_through(tf.floor)(x).",
    "ceil": "Let the gradient pass as if it were not there: tf.grad_pass_through(tf.math.ceil)(x).",
    "sign": "Use a smooth step such as tf.tanh(k * x).",
}


def _paused(end: End, place: Place) -> Cause:
    return Cause(
        "paused",
        "recording was paused by stop_recording() where the path to the target was computed.",
        "Compute it outside the `with tape.stop_recording():` block.",
    )


def _left(end: End, place: Place) -> Cause:
    how = end.what
    if "strings." in place.expression:
        return Cause(
            "dtype",
            "the path to the target passes through the dtype string, which carries no gradient.",
            "Stay in a floating point dtype on the way from the source to the target.",
        )
    return left_engine(how, place)


def left_engine(how: str, place: Place) -> Cause:
    """The value was handed to Python or NumPy."""
    by = f"by {how}" if how.strip(".()") in place.expression or how[0] != "." else "there"
    return Cause(
        "left_engine",
        f"the value left the engine {by}, and a tape cannot follow it into NumPy or Python.",
        "Use tf functions on the tensor itself, from the source to the target.",
        place=place,
    )


def _written(end: End, place: Place) -> Cause:
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
