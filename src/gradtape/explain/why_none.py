"""`tape.explain`: for each source, whether a gradient reaches it, and if not, why not."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

from gradtape.core import nest
from gradtape.core.tensor import Tensor
from gradtape.engine.inspection import last_question
from gradtape.engine.variable import Variable, as_variable
from gradtape.explain.causes import Cause
from gradtape.explain.diagnosis import Diagnosis
from gradtape.explain.paths import RecordingGraph
from gradtape.explain.source import argument_names, calling_frame, element_names
from gradtape.explain.tables import text_html


class NoGradientWarning(UserWarning):
    """A gradient is None; the text says why."""

    __module__ = "gradtape"  # as users know it


@dataclasses.dataclass(frozen=True)
class SourceFinding:
    """The diagnosis of one source. `cause` is None where a gradient reaches it."""

    name: str
    source: Any
    cause: Cause | None

    @property
    def connected(self) -> bool:
        return self.cause is None

    def __str__(self) -> str:
        if self.cause is None:
            return f"{self.name}: a gradient reaches it."
        return self.cause.text(f"No gradient for {self.name}: ")

    def _repr_html_(self) -> str:
        """Return the finding for notebooks."""
        return text_html(str(self), "good" if self.connected else "bad")


class Explanation:
    """The findings for all sources, in their order. Prints as text."""

    def __init__(self, findings: list[SourceFinding]) -> None:
        self.findings = findings

    @property
    def missing(self) -> list[SourceFinding]:
        """The findings for sources that no gradient reaches."""
        return [f for f in self.findings if not f.connected]

    @property
    def cause(self) -> Cause | None:
        """The cause for the first source without a gradient."""
        return self.missing[0].cause if self.missing else None

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, index: int) -> SourceFinding:
        return self.findings[index]

    def __iter__(self):
        return iter(self.findings)

    def texts(self) -> list[str]:
        """Return the findings as texts; sources with one and the same cause share one."""
        return _merge(self.findings)

    def __str__(self) -> str:
        return "\n\n".join(self.texts()) or "There are no sources to explain."

    def _repr_html_(self) -> str:
        """Return the explanation for notebooks."""
        return "".join(
            text_html(text, "bad" if text.startswith("No gradient") else "good")
            for text in self.texts() or [str(self)]
        )

    __repr__ = __str__  # at Python's prompt, the answer itself


def _merge(findings: list[SourceFinding]) -> list[str]:
    """Return the texts; sources with one and the same cause share one."""
    groups: dict[tuple, list[SourceFinding]] = {}
    for f in findings:
        key = (
            (None,) if f.cause is None else (f.cause.kind, f.cause.headline, str(f.cause.location))
        )
        groups.setdefault(key, []).append(f)
    texts = []
    for group in groups.values():
        names = _list([f.name for f in group])
        cause = group[0].cause
        if cause is not None:
            texts.append(cause.text(f"No gradient for {names}: "))
        else:
            reaches = "a gradient reaches it." if len(group) == 1 else "gradients reach them."
            texts.append(f"{names}: {reaches}")
    return texts


def _list(names: list[str]) -> str:
    shown = names if len(names) <= 4 else [*names[:3], f"{len(names) - 3} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def source_name(written: str | None, x, index: int, graph: RecordingGraph) -> str:
    """Return a source as the text calls it: as the program wrote it, or by the variable's name."""
    own = "" if isinstance(x, Tensor) else getattr(x, "path", None) or getattr(x, "name", "")
    own = graph.name_in_layer(as_variable(x)) or own.removesuffix(":0")
    if own in ("Variable", written):
        own = ""
    if written is None:
        return f"'{own}'" if own else f"source {index}"
    return f"`{written}` ('{own}')" if own else f"`{written}`"


def explain(tape, target, sources) -> Explanation:
    """Run `GradientTape.explain`."""
    frame = calling_frame()
    written = argument_names(frame, 2)
    question = tape._question
    recording = tape._recording
    if recording is None:
        recording = tape._recorded("explain") if question is None else question.recording
    flat = nest.flatten(sources)
    for i, source in enumerate(flat):
        if not isinstance(as_variable(source), (Tensor, Variable)):
            raise TypeError(
                f"tape.explain: sources must be tensors or variables; source {i} is "
                f"{source!r} of type {type(source).__name__}."
            )
    names = element_names(written[1], len(flat), sources)
    diagnosis = Diagnosis(tape, recording, nest.flatten(target), frame)
    return Explanation(findings_for(diagnosis, flat, names))


def findings_for(diagnosis: Diagnosis, sources: list, names: list) -> list[SourceFinding]:
    """Return the diagnosis of each source; its name is as the program wrote it, or None."""
    findings = []
    for i, (source, name) in enumerate(zip(sources, names, strict=True)):
        cause = diagnosis.cause(as_variable(source), name)
        findings.append(SourceFinding(source_name(name, source, i, diagnosis.graph), source, cause))
    return findings


def warn(tape, recording, targets: list, sources: list, results: list) -> None:
    """Warn about each source whose gradient came out as None."""
    frame = calling_frame()
    written = argument_names(frame, 2)
    structure = sources if len(sources) > 1 else _syntax_only(written[1])
    names = element_names(written[1], len(sources), structure)
    diagnosis = Diagnosis(tape, recording, targets, frame)
    findings = [
        SourceFinding(
            source_name(name, s, i, diagnosis.graph),
            s,
            diagnosis.cause(as_variable(s), name, known_missing=True),
        )
        for i, (s, name, g) in enumerate(zip(sources, names, results, strict=True))
        if g is None
    ]
    for text in _merge(findings):
        warnings.warn_explicit(
            text, NoGradientWarning, frame.f_code.co_filename, frame.f_lineno, registry={}
        )


def warn_of_left(tape, targets: list, sources: list) -> None:
    """Warn about each argument of a function whose value went to Python or NumPy on its way."""
    frame = calling_frame()
    diagnosis = Diagnosis(tape, tape._recording, targets, frame)
    for i, source in enumerate(sources):
        cause = diagnosis.cause(source, None)
        if cause is not None and cause.kind == "left_engine":
            text = f"The derivative is 0: {SourceFinding(f'argument {i}', source, cause)}"
            file, line = frame.f_code.co_filename, frame.f_lineno
            warnings.warn_explicit(text, NoGradientWarning, file, line, registry={})


def _syntax_only(written: str | None):
    return [None] if written is not None and written.lstrip().startswith(("[", "(")) else None


def note_for_optimizer(variables=()) -> str:
    """Return why the last tape returned None, for an optimizer that received only None.

    Empty where that tape is gone, or was asked about other variables.
    """
    question = last_question()
    if question is None:
        return ""
    wanted = {id(as_variable(v)): v for v in variables}
    sources = [wanted.get(id(s), s) for s in question.sources if not wanted or id(s) in wanted]
    if not sources:
        return ""
    diagnosis = Diagnosis(None, question.recording, question.targets, None)
    explanation = Explanation(findings_for(diagnosis, sources, [None] * len(sources)))
    return "\n\n".join(_merge(explanation.missing))
