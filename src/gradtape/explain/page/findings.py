"""What is wrong with a gradient, for the top of the page: where a NaN begins, what is None."""

from __future__ import annotations

from gradtape.core import nest
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable, as_variable
from gradtape.explain.diagnosis import Diagnosis
from gradtape.explain.nonfinite import find_nonfinite
from gradtape.explain.paths import RecordingGraph
from gradtape.explain.why_none import Explanation, findings_for

# Above this number of sources without a gradient, the rest are only counted.
_MAX_SOURCES = 50


def find(graph: RecordingGraph, target, sources=None) -> list[dict]:
    """Return the findings: kind, headline, text, and the number of the op if one is to blame.

    `sources` are those of the gradient; by default, everything watched.
    """
    targets = nest.flatten(target)
    return [*_nonfinite(graph, targets, sources), *_missing(graph, targets, sources)]


def _nonfinite(graph: RecordingGraph, targets: list, sources) -> list[dict]:
    try:
        finding = find_nonfinite(graph.recording, targets, sources)
    except (TypeError, ValueError):  # not on this tape: what is None says why
        return []
    if finding is None:
        return []
    at = next(
        (op.index for op in graph.ops if op.name == finding.op and op.location == finding.location),
        None,
    )
    headline, _, rest = str(finding).partition("\n")
    return [{"kind": "nan", "headline": headline, "text": rest, "op": at}]


def _missing(graph: RecordingGraph, targets: list, sources) -> list[dict]:
    recording = graph.recording
    tensors = [t for t in map(as_variable, targets) if isinstance(t, _TENSORS)]
    reached = graph.backward(s for t in tensors if (s := recording.slot_of(t)) is not None)
    if sources is None:
        wanted = list(graph.names.values())
    else:
        wanted = [s for s in nest.flatten(sources) if isinstance(as_variable(s), _TENSORS)]
    lost = [s for s in wanted if recording.slot_of(as_variable(s)) not in reached]
    if not lost:
        return []
    diagnosis = Diagnosis(None, recording, targets, None)
    explained = findings_for(diagnosis, lost[:_MAX_SOURCES], [None] * len(lost[:_MAX_SOURCES]))
    texts = Explanation([f for f in explained if not f.connected]).texts()
    findings = []
    for text in texts:
        headline, _, rest = text.partition("\n")
        findings.append({"kind": "none", "headline": headline, "text": rest, "op": None})
    if len(lost) > _MAX_SOURCES:
        more = f"{len(lost) - _MAX_SOURCES} more sources have no gradient."
        findings.append({"kind": "none", "headline": more, "text": "", "op": None})
    return findings


_TENSORS = (Tensor, Variable)
