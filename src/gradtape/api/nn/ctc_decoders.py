"""`tf.nn.ctc_greedy_decoder` and `tf.nn.ctc_beam_search_decoder`."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.convert import static_int
from gradtape.core.errors import FailedPreconditionError
from gradtape.core.tensor import Tensor

_NEVER = -math.inf


def _inputs(inputs, sequence_length, what: str) -> tuple[np.ndarray, np.ndarray]:
    logits = np.asarray(ops.to_tensor(inputs).numpy())
    lengths = np.asarray(ops.to_tensor(sequence_length).numpy())
    if logits.ndim != 3:
        raise ops.ShapeError(
            f"{what}: inputs must be [time, batch, classes], got shape {list(logits.shape)}"
        )
    if lengths.shape != (logits.shape[1],):
        raise ops.ShapeError(
            f"{what}: sequence_length must have one entry for each of the {logits.shape[1]} "
            f"examples, got shape {list(lengths.shape)}"
        )
    for i, length in enumerate(lengths):
        if length > logits.shape[0]:
            raise FailedPreconditionError(
                f"{what}: sequence_length({i}) <= {logits.shape[0]} does not hold: it is {length}"
            )
    return logits, lengths


def _sparse(rows: list[list[int]]) -> SparseTensor:
    """Return sequences of labels as a sparse [batch, longest] tensor."""
    indices = [(i, j) for i, row in enumerate(rows) for j in range(len(row))]
    values = [label for row in rows for label in row]
    return SparseTensor(
        np.array(indices, np.int64).reshape(-1, 2),
        np.array(values, np.int64),
        np.array([len(rows), max(map(len, rows), default=0)], np.int64),
    )


@export("nn.ctc_greedy_decoder")
def ctc_greedy_decoder(inputs, sequence_length, merge_repeated=True, blank_index=None) -> tuple:
    """Return ([labels as a SparseTensor], minus the sum of the largest logits, [batch, 1])."""
    logits, lengths = _inputs(inputs, sequence_length, "ctc_greedy_decoder")
    classes = logits.shape[2]
    blank = (
        classes - 1
        if blank_index is None
        else static_int(blank_index, "ctc_greedy_decoder: blank_index")
    )
    blank = blank + classes if blank < 0 else blank
    best = logits.argmax(2)
    rows, scores = [], []
    for i, length in enumerate(lengths):
        row, last = [], -1
        for label in best[:length, i].tolist():
            if label != blank and not (merge_repeated and label == last):
                row.append(label)
            last = label
        rows.append(row)
        scores.append(-logits[:length, i].max(1).sum())
    return [_sparse(rows)], Tensor(np.array(scores, logits.dtype)[:, None])


class _Beam:
    """A prefix of labels: a node of the tree of all prefixes.

    The log-probabilities of the prefix, ending in a blank or in its label, are kept for this
    step and the last one.
    """

    __slots__ = ("blank", "children", "label", "last", "old_blank", "old_total", "parent", "total")

    def __init__(self, parent, label: int) -> None:
        self.parent, self.label = parent, label
        self.children: dict[int, _Beam] = {}
        self.forget()
        self.old_total = self.old_blank = _NEVER

    def forget(self) -> None:
        self.total = self.blank = self.last = _NEVER

    def labels(self) -> list[int]:
        result, beam = [], self
        while beam.parent is not None:
            result.append(beam.label)
            beam = beam.parent
        return result[::-1]


def _add(a: float, b: float) -> float:
    """Return log(exp a + exp b)"""
    if a == _NEVER or b == _NEVER:
        return max(a, b)
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))


def _after(parent: _Beam, label: int) -> float:
    """Return the probability of a label next: after itself, only through a blank."""
    return parent.old_blank if label == parent.label else parent.old_total


class _Search:
    """The beam search of one example."""

    def __init__(self, width: int, blank: int) -> None:
        self.width, self.blank = width, blank
        root = _Beam(None, -1)
        root.total = root.blank = 0.0
        self.leaves = [root]

    def _is_candidate(self, total: float) -> bool:
        if total == _NEVER:
            return False
        return len(self.leaves) < self.width or total > min(b.total for b in self.leaves)

    def step(self, log_probabilities: list[float]) -> None:
        branches = sorted(self.leaves, key=lambda b: -b.total)
        for beam in branches:
            beam.old_total, beam.old_blank = beam.total, beam.blank
        for beam in branches:
            if beam.parent is not None:
                if beam.parent.total != _NEVER:
                    beam.last = _add(beam.last, _after(beam.parent, beam.label))
                beam.last += log_probabilities[beam.label]
            beam.blank = beam.old_total + log_probabilities[self.blank]
            beam.total = _add(beam.blank, beam.last)
        self.leaves = list(branches)
        for beam in branches:
            if self._is_candidate(beam.old_total):
                self._grow(beam, log_probabilities)

    def _grow(self, beam: _Beam, log_probabilities: list[float]) -> None:
        for label, p in enumerate(log_probabilities):
            if label == self.blank:
                continue
            child = beam.children.get(label)
            if child is None:
                child = beam.children[label] = _Beam(beam, label)
            if child.total != _NEVER:
                continue
            child.blank = _NEVER
            child.last = child.total = p + _after(beam, label)
            if self._is_candidate(child.total):
                if len(self.leaves) == self.width:
                    worst = min(self.leaves, key=lambda b: b.total)
                    worst.forget()
                    self.leaves.remove(worst)
                self.leaves.append(child)
            else:
                child.forget()
                child.old_total = child.old_blank = _NEVER


@export("nn.ctc_beam_search_decoder")
def ctc_beam_search_decoder(inputs, sequence_length, beam_width=100, top_paths=1) -> tuple:
    """Return ([the k-th best labels of each example, as a SparseTensor], their
    log-probabilities)."""
    logits, lengths = _inputs(inputs, sequence_length, "ctc_beam_search_decoder")
    if top_paths > beam_width:
        raise ops.InvalidArgumentError(
            f"ctc_beam_search_decoder: requested more paths ({top_paths}) than the beam width "
            f"({beam_width})"
        )
    wide = logits.astype(np.float64)
    largest = wide.max(2, keepdims=True)
    normal = wide - largest - np.log(np.exp(wide - largest).sum(2, keepdims=True))
    paths: list[list[list[int]]] = [[] for _ in range(top_paths)]
    scores = np.zeros((logits.shape[1], top_paths), logits.dtype)
    for i, length in enumerate(lengths):
        search = _Search(beam_width, logits.shape[2] - 1)
        for step in range(int(length)):
            search.step(normal[step, i].tolist())
        best = sorted(search.leaves, key=lambda b: -b.total)
        if len(best) < top_paths:
            raise ops.InvalidArgumentError(
                f"ctc_beam_search_decoder: fewer leaves ({len(best)}) than requested paths "
                f"({top_paths})"
            )
        for rank in range(top_paths):
            paths[rank].append(best[rank].labels())
            scores[i, rank] = best[rank].total
    return [_sparse(rows) for rows in paths], Tensor(scores)
