"""Methods of `GradientTape` that inspect its recording; `gradtape.explain` implements them.

That package is imported by the first use, so that tapes which are not inspected cost nothing.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from gradtape.core import nest
from gradtape.engine.recording import Recording
from gradtape.engine.variable import as_variable

if TYPE_CHECKING:
    from gradtape.explain.memory import Memory
    from gradtape.explain.nonfinite import NonFiniteFinding
    from gradtape.explain.profile import Profile
    from gradtape.explain.why_none import Explanation

_last_unexplained: list[weakref.ref] = []  # the last tape that returned None


class Question:
    """A call of `gradient` that returned None: what an explanation needs, without the values."""

    __slots__ = ("recording", "sources", "targets")

    def __init__(self, recording: Recording, targets: list[Any], sources: list[Any]) -> None:
        self.recording = recording
        self.targets = targets
        self.sources = sources


class Inspection:
    """Mixin of `GradientTape` with the methods that inspect its recording.

    `_recording` and `_persistent` are the tape's.
    """

    _recording: Recording | None
    _persistent: bool
    _question: Question | None = None  # the last `gradient` that returned None
    _reset_at: tuple[Any, ...] | None = None  # where in the program the last `reset` was

    def _ask_later(self, recording: Recording, targets: list[Any], sources: list[Any]) -> None:
        """Keep enough of the recording to explain later why a gradient is None."""
        self._question = Question(recording.outline(), targets, sources)
        _last_unexplained[:] = [weakref.ref(self)]

    def _recorded(self, asked: str) -> Recording:
        """Return the recording; raise an error that explains why if there is none."""
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
            "calling gradient, or make the tape with tf.GradientTape(persistent=True). Why a "
            'gradient is None, tape.gradient(…, unconnected_gradients="explain") says at once.'
        )

    def _was_used(self) -> bool:
        raise NotImplementedError

    def explain(self, target: Any, sources: Any) -> Explanation:
        """Explain, for each source, whether the target's gradient is connected, or why it is None.

        print(tape.explain(loss, model.trainable_variables))

        Call it before `gradient`, or on a persistent tape, or on one that has just returned None.
        The result prints as text; `result.findings` has an object for each source.
        """
        from gradtape.explain.why_none import explain

        return explain(self, target, sources)

    def find_nonfinite(self, target: Any, sources: Any = None) -> NonFiniteFinding | None:
        """Return the first op whose value or derivative is inf or nan; None if there is none.

        The derivatives are with respect to `sources`: by default, everything watched.
        """
        from gradtape.explain.nonfinite import find_nonfinite

        recording = self._recorded("find_nonfinite")
        return find_nonfinite(recording, nest.flatten(target), sources)

    def memory(self) -> Memory:
        """Measure what the recording keeps alive, by op and by source line. Prints as a table."""
        from gradtape.explain.memory import measure

        return measure(self._recorded("memory"))

    def profile(self, target: Any = None, repeats: int = 3) -> Profile:
        """Measure the forward and backward time of each op, by replaying the recording.

        `target` is what to differentiate: by default, every result that no other op uses.
        """
        from gradtape.explain.profile import profile

        return profile(self._recorded("profile"), target, repeats)

    def to_dot(self, path: Any = None) -> str:
        """Return the recording as a graph in Graphviz's DOT language; also write it to `path`."""
        from gradtape.explain.draw import to_dot

        return to_dot(self._recorded("to_dot"), path)

    def to_svg(self, path: Any = None) -> str:
        """Draw the recording, and return the text of the SVG image; also write it to `path`."""
        from gradtape.explain.draw import to_svg

        return to_svg(self._recorded("to_svg"), path)

    def to_html(self, path: Any = None, target: Any = None, compare: Any = None) -> str:
        """Return a self-contained HTML page that shows the recording; also write it to `path`.

        With a `target`, it shows times and the norms of its gradients, and what is wrong with them.
        `compare` names a page that was written before, to compare this one with.
        """
        from gradtape.explain.page.write import to_html

        return to_html(self._recorded("to_html"), path, target, compare=compare)

    def _repr_html_(self) -> str | None:
        """Return what notebooks display for a tape."""
        if self._recording is None:
            return None
        from gradtape.explain.page.write import to_frame

        return to_frame(self._recording)

    def __repr__(self) -> str:
        if self._recording is None:
            return f"<tf.GradientTape: {'used' if self._was_used() else 'nothing recorded'}>"
        from gradtape.explain.listing import title

        return title(self._recording)

    def __str__(self) -> str:
        if self._recording is None:
            return repr(self)
        from gradtape.explain.listing import listing

        return listing(self._recording)


def last_question() -> Question | None:
    """Return the `Question` of the last tape that returned None; None if that tape is gone."""
    tape: Any = _last_unexplained[0]() if _last_unexplained else None
    return None if tape is None else tape._question


def answered(
    tape: Any, recording: Recording, targets: list[Any], sources: list[Any], results: list[Any]
) -> None:
    """Warn about each None among the results, for `unconnected_gradients="explain"`."""
    from gradtape.explain.why_none import warn

    if any(g is None for g in results):
        tape._ask_later(recording, targets, [as_variable(s) for s in sources])
        warn(tape, recording, targets, sources, results)


def warn_of_left_values(tape: Any, value: Any, sources: Any) -> None:
    """Warn where a derivative is 0 because a value was passed to Python or NumPy."""
    lost = tape._recording.lost
    if lost is not None and any(end.kind == "left" for end in lost.ends):
        from gradtape.explain.why_none import warn_of_left

        warn_of_left(tape, nest.flatten(value), nest.flatten(sources))


__all__ = ["Inspection", "Question", "answered", "last_question", "warn_of_left_values"]
