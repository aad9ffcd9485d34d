"""Connectionist temporal classification: the loss, and decoding."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.core.tensor import Tensor
from keras_gradtape.src.conversion import cast, convert_to_tensor
from keras_gradtape.src.promotion import inexact

__all__ = ["ctc_decode", "ctc_loss"]

# The logarithm of a probability that is practically 0; sums of several of them stay finite.
_NEVER = -1e5


def _float32_or_more(x):
    x = inexact(x)
    return ops.cast(x, "float32") if x.dtype.size < 4 else x


def _delayed(x, by: int):
    """x [batch, states] moved by some states, impossible ones moving in."""
    filler = ops.fill_like(ops.slice_along(x, 1, 0, by), _NEVER)
    return ops.concat([filler, ops.slice_along(x, 1, 0, x.shape[1] - by)], 1)


def ctc_loss(target, output, target_length, output_length, mask_index=0):
    """-log of the probability of all paths through `output` (logits) that read as `target`.

    The states are the labels with a blank before, between and after them. Each step stays, goes on
    by one, or skips a blank between different labels.
    """
    target = convert_to_tensor(target, "int32")
    output = _float32_or_more(output)
    target_length = convert_to_tensor(target_length, "int32")
    output_length = convert_to_tensor(output_length, "int32")
    batch, steps, _ = output.shape
    labels = target.shape[1]
    states = 2 * labels + 1
    blanks = ops.fill_like(target, mask_index)
    pairs = ops.reshape(ops.stack([blanks, target], 2), (batch, 2 * labels))
    path = ops.concat([pairs, ops.fill((batch, 1), ops.to_tensor(mask_index, target.dtype))], 1)
    # The log-probability of each state's symbol at each step: [steps, batch, states].
    symbols = ops.broadcast_to(ops.expand_dims(path, 1), (batch, steps, states))
    found = ops.take_along_axis(ops.log_softmax(output), symbols, 2)
    found = ops.unstack(ops.moveaxis(found, 1, 0))
    is_label = Tensor(np.arange(states) % 2 == 1)
    differs = ops.not_equal(path, ops.concat([path[:, :2] * 0 - 1, path[:, :-2]], 1))
    may_skip = ops.logical_and(is_label, differs)
    never = ops.fill_like(found[0], _NEVER)
    start = Tensor(np.arange(states) < 2)
    score = ops.where(start, found[0], never)
    for step in range(1, steps):
        skipped = ops.where(may_skip, _delayed(score, 2), never)
        ways = ops.stack([score, _delayed(score, 1), skipped])
        moved = ops.reduce_logsumexp(ways, 0) + found[step]
        going_on = ops.expand_dims(ops.less(step, output_length), 1)
        score = ops.where(going_on, moved, score)
    last = ops.expand_dims(2 * target_length, 1)
    at_blank = ops.take_along_axis(score, last, 1)
    at_label = ops.take_along_axis(score, ops.maximum(last - 1, 0), 1)
    # Without labels there is but one last state.
    at_label = ops.where(ops.greater(last, 0), at_label, _NEVER)
    return -ops.squeeze(names.logaddexp(at_blank, at_label), 1)


# --- decoding -------------------------------------------------------------------------------------


def ctc_decode(
    inputs,
    sequence_lengths,
    strategy="greedy",
    beam_width=100,
    top_paths=1,
    merge_repeated=True,
    mask_index=0,
):
    """(the labels read from `inputs`, filled up with -1, and their scores)."""
    inputs = _float32_or_more(inputs)
    lengths = cast(sequence_lengths, "int32")
    if mask_index is None:
        mask_index = inputs.shape[2] - 1
    if strategy == "greedy":
        return _greedy(inputs, lengths, merge_repeated, mask_index)
    if strategy == "beam_search":
        return _beam_search(inputs, lengths, beam_width, top_paths, mask_index)
    raise ValueError(
        f"Invalid strategy {strategy}. Supported values are 'greedy' and 'beam_search'."
    )


def _greedy(inputs, lengths, merge_repeated: bool, mask_index: int):
    steps = inputs.shape[1]
    beyond = ops.greater_equal(
        Tensor(np.arange(steps, dtype=np.int32)), ops.expand_dims(lengths, 1)
    )
    labels = ops.where(beyond, mask_index, ops.argmax(inputs, 2, "int32"))
    score = ops.where(beyond, 0, ops.reduce_max(inputs, 2))
    is_blank = ops.equal(labels, mask_index)
    if merge_repeated:
        repeated = ops.equal(labels[:, 1:], labels[:, :-1])
        is_blank = ops.logical_or(is_blank, ops.pad(repeated, ((0, 0), (1, 0)), "CONSTANT", False))
    labels = ops.where(is_blank, -1, labels)
    # Blanks go to the end, the others stay in order.
    order = ops.argsort(ops.cast(is_blank, "int32"), 1)
    labels = ops.take_along_axis(labels, order, 1)
    return ops.expand_dims(labels, 0), -ops.reduce_sum(score, 1, keepdims=True)


def _beam_search(inputs, lengths, beam_width: int, top_paths: int, mask_index: int):
    log_probabilities = ops.log_softmax(inputs).numpy()
    batch, steps, _ = log_probabilities.shape
    paths = np.full((top_paths, batch, steps), -1, np.int32)
    scores = np.full((batch, top_paths), -np.inf, log_probabilities.dtype)
    for i, length in enumerate(lengths.numpy()):
        found = _best_prefixes(log_probabilities[i, :length], beam_width, mask_index)
        for rank, (path, score) in enumerate(found[:top_paths]):
            paths[rank, i, : len(path)] = path
            scores[i, rank] = score
    return Tensor(paths), Tensor(scores)


def _best_prefixes(log_probabilities, width: int, blank: int) -> list:
    """The most probable label sequences, best first, with their log-probabilities.

    Each beam is a sequence with the probabilities that it was read so far and ended in a blank, or
    in its last label: only after a blank can the same label follow as a new one.
    """
    classes = log_probabilities.shape[1]
    beams: list[tuple] = [()]
    at_blank, at_label = np.zeros(1), np.full(1, -np.inf)
    for row in log_probabilities.astype(np.float64):
        last = np.array([path[-1] if path else -1 for path in beams])
        either = np.logaddexp(at_blank, at_label)
        # As they are: by a blank, or by the last label once more.
        stay_blank = either + row[blank]
        stay_label = np.where(last >= 0, at_label + row[last], -np.inf)
        longer = either[:, None] + row
        repeats = np.flatnonzero(last >= 0)
        longer[repeats, last[repeats]] = at_blank[repeats] + row[last[repeats]]
        longer[:, blank] = -np.inf
        # A longer sequence that is a beam already is counted there.
        numbers = {path: k for k, path in enumerate(beams)}
        for k, path in enumerate(beams):
            parent = numbers.get(path[:-1]) if path else None
            if parent is not None:
                stay_label[k] = np.logaddexp(stay_label[k], longer[parent, path[-1]])
                longer[parent, path[-1]] = -np.inf
        totals = np.concatenate([np.logaddexp(stay_blank, stay_label), longer.reshape(-1)])
        best = np.argsort(-totals, kind="stable")[:width]
        best = best[totals[best] > -np.inf]
        count = len(beams)
        old, new = best[best < count], best[best >= count] - count
        is_old = best < count
        next_blank, next_label = np.full(len(best), -np.inf), np.empty(len(best))
        next_blank[is_old], next_label[is_old] = stay_blank[old], stay_label[old]
        next_label[~is_old] = longer.reshape(-1)[new]
        beams = [
            beams[b] if b < count else (*beams[(b - count) // classes], (b - count) % classes)
            for b in best.tolist()
        ]
        at_blank, at_label = next_blank, next_label
    totals = np.logaddexp(at_blank, at_label)
    order = np.argsort(-totals, kind="stable")
    return [(beams[k], totals[k]) for k in order]
