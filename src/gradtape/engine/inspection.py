"""What a tape can tell about itself: methods of `GradientTape`, done by `gradtape.explain`.

The package is loaded by the first question, so that tapes that nobody asks pay nothing for it.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from gradtape.core import nest
from gradtape.engine.recording import Recording
from gradtape.engine.variable import as_variable

if TYPE_CHECKING:
    from gradtape.explain.memory import Memory
    from gradtape.explain.nonfinite import Finding
    from gradtape.explain.profile import Profile
    from gradtape.explain.why_none import Explanation

_last_unexplained: list[weakref.ref] = []  # the tape that gave None last


class Question:
    """A call of `gradient` that gave None: what an explanation needs, without the values."""

    __slots__ = ("recording", "sources", "targets")

    def __init__(self, recording: Recording, targets: list, sources: list) -> None:
        self.recording = recording
        self.targets = targets
        self.sources = sources


class Inspection:
    """The methods. `_recording` and `_persistent` are the tape's."""

    _recording: Recording | None
    _persistent: bool
    _question: Question | None = None  # the last `gradient` that gave None
    _reset_at: tuple | None = None  # the place of the last `reset`

    def _ask_later(self, recording: Recording, targets: list, sources: list) -> None:
        """A gradient is about to be None and the record to go: keep enough to say why."""
        self._question = Question(recording.outline(), targets, sources)
        _last_unexplained[:] = [weakref.ref(self)]

    def _recorded(self, asked: str) -> Recording:
        """The record, or the error that tells why there is none."""
        if self._recording is not None:
            return self._recording
        if self._reset_at is not None and not self._was_used():
            raise RuntimeError(
                f"tape.{asked}: tape.reset() made this tape forget its record. Ask before reset, "
                "or record anew: `with tape:`."
            )
        if self._question is None and not self._was_used():
            raise RuntimeError(
                f"tape.{asked}: this tape has recorded nothing. Enter it first: "
                "`with tf.GradientTape() as tape:`."
            )
        raise RuntimeError(
            f"tape.{asked}: this tape has given its gradient and let go of its record. Ask before "
            "calling gradient, or make the tape with tf.GradientTape(persistent=True)."
        )

    def _was_used(self) -> bool:
        raise NotImplementedError

    def explain(self, target, sources) -> Explanation:
        """Why the gradient of a target by each source is what it is: connected, or None and why.

            print(tape.explain(loss, model.trainable_variables))

        Ask before `gradient`, or of a persistent tape; of a tape that has just given None as well.
        The result prints as text; `result.findings` has an object for each source.
        """
        from gradtape.explain.why_none import explain

        return explain(self, target, sources)

    def find_nonfinite(self, target, sources=None) -> Finding | None:
        """The earliest op whose value, or whose derivative, is inf or nan; None if there is none.

        `sources` are where the derivatives are asked for: all that is watched, unless given.
        """
        from gradtape.explain.nonfinite import find_nonfinite

        recording = self._recorded("find_nonfinite")
        return find_nonfinite(recording, nest.flatten(target), sources)

    def memory(self) -> Memory:
        """What the record keeps alive, by op and by line of the program. Prints as a table."""
        from gradtape.explain.memory import measure

        return measure(self._recorded("memory"))

    def profile(self, target=None, repeats: int = 3) -> Profile:
        """How long each op takes forward and backward: the record is run again, and timed.

        `target` is what to differentiate; without it, everything that nothing was computed from.
        """
        from gradtape.explain.profile import profile

        return profile(self._recorded("profile"), target, repeats)

    def to_dot(self, path=None) -> str:
        """The record as a graph in the language of Graphviz; also written to `path`."""
        from gradtape.explain.draw import to_dot

        return to_dot(self._recorded("to_dot"), path)

    def to_svg(self, path=None) -> str:
        """The record drawn, as the text of an SVG image; also written to `path`."""
        from gradtape.explain.draw import to_svg

        return to_svg(self._recorded("to_svg"), path)

    def to_html(self, path=None, target=None) -> str:
        """One page, in need of nothing else, that shows the record; also written to `path`.

        With a `target`, it shows times and the sizes of gradients, too.
        """
        from gradtape.explain.html import to_html

        return to_html(self._recorded("to_html"), path, target)

    def _repr_html_(self) -> str | None:
        """How notebooks show a tape."""
        if self._recording is None:
            return None
        from gradtape.explain.html import to_frame

        return to_frame(self._recording)

    def __str__(self) -> str:
        if self._recording is None:
            return f"<tf.GradientTape: {'used' if self._was_used() else 'nothing recorded'}>"
        from gradtape.explain.listing import listing

        return listing(self._recording)


def last_question() -> Question | None:
    """What the tape that gave None last was asked; None if that tape is gone."""
    tape: Any = _last_unexplained[0]() if _last_unexplained else None
    return None if tape is None else tape._question


def answered(tape: Any, recording: Recording, targets: list, sources: list, results: list) -> None:
    """`unconnected_gradients="explain"`: warn about each None in the results."""
    from gradtape.explain.why_none import warn

    if any(g is None for g in results):
        tape._ask_later(recording, targets, [as_variable(s) for s in sources])
        warn(tape, recording, targets, sources, results)


__all__ = ["Inspection", "Question", "answered", "last_question"]
