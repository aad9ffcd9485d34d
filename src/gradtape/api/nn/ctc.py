"""`tf.nn.ctc_loss` and the helpers around it: connectionist temporal classification."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.sparse.construction import check_order, indices_of, sizes_of
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.brief import brief
from gradtape.core.convert import static_int
from gradtape.core.tensor import Tensor

# The logarithm that stands for probability 0 where a path ends too early: labels that cannot be
# aligned have a large loss rather than an infinite one, as TensorFlow's.
_LOG_ZERO = math.log(1e-307)
# Where no path leads at all; finite, so that differences of such values are no NaNs.
_NOWHERE: Any = -1e30


def _lengths(value, what: str, batch: int) -> np.ndarray:
    """Return an argument that must have one length for each example."""
    lengths = np.asarray(ops.to_tensor(value).numpy())
    if lengths.dtype.kind not in "iu":
        raise TypeError(f"ctc_loss: {what} must be integers, got {brief(value)}")
    if lengths.shape != (batch,):
        raise ops.ShapeError(
            f"ctc_loss: {what} must have one length for each of the {batch} examples of logits, "
            f"got shape {list(lengths.shape)}"
        )
    return lengths.astype(np.int64)


def _logsumexp(parts: list):
    """Return log Σ exp of tensors, elementwise."""
    largest = ops.stop_gradient(_maximum(parts))
    total = ops.exp(parts[0] - largest)
    for part in parts[1:]:
        total = total + ops.exp(part - largest)
    return ops.log(total) + largest


def _maximum(parts: list):
    largest = parts[0]
    for part in parts[1:]:
        largest = ops.maximum(largest, part)
    return largest


def _shift(alpha, by: int):
    """Return alpha moved to the right along its last axis."""
    return ops.pad(alpha, [[0, 0], [by, 0]], constant_values=_NOWHERE)[:, : alpha.shape[1]]


def _loss(logits, labels: np.ndarray, label_length, logit_length, blank: int):
    """Return the negative log-likelihood of labels; logits are [time, batch, classes].

    The states of a path are blank, label 1, blank, label 2, …, blank. The forward variable of
    each state is updated step by step, in logarithms.
    """
    steps, batch, classes = logits.shape
    rows, count = labels.shape
    if rows not in (1, batch):
        raise ops.ShapeError(f"ctc_loss: labels have {rows} rows, for {batch} examples of logits")
    states = 2 * count + 1
    labels = np.clip(labels, 0, classes - 1)
    extended = np.full((batch, states), blank, np.int64)
    extended[:, 1::2] = labels
    # Between two different labels the blank may be left out.
    skips = np.zeros((batch, states), bool)
    skips[:, 3::2] = labels[:, 1:] != labels[:, :-1]
    state = np.arange(states)
    ends = (state == 2 * label_length[:, None]) | (state == 2 * label_length[:, None] - 1)
    dtype = logits.dtype
    final = ops.to_tensor(np.where(ends, 0.0, _LOG_ZERO), dtype)
    starts = np.broadcast_to(np.where(state < 2, 0.0, _NOWHERE), (batch, states))
    first = ops.to_tensor(starts, dtype)
    may_skip = Tensor(skips)
    nowhere = ops.to_tensor(np.full((batch, states), _NOWHERE), dtype)
    log_probabilities = ops.transpose(ops.log_softmax(logits, -1), (1, 0, 2))
    observed: Any = ops.unstack(ops.gather(log_probabilities, Tensor(extended), 2, 1), axis=1)
    alpha = first
    for step in range(steps):
        if step == 0:
            moved = first + observed[0]
        else:
            from_last = _shift(alpha, 1)
            from_skip = ops.where(may_skip, _shift(alpha, 2), nowhere)
            moved = _logsumexp([alpha, from_last, from_skip]) + observed[step]
        going = step < logit_length
        alpha = moved if going.all() else ops.where(Tensor(going[:, None]), moved, alpha)
    return -ops.reduce_logsumexp(alpha + final, -1)


def _feasible(labels: np.ndarray, label_length, logit_length) -> np.ndarray:
    """Return whether the steps suffice for the labels and the blanks between equal ones."""
    within = np.arange(1, labels.shape[1])[None] < label_length[:, None]
    repeats = ((labels[:, 1:] == labels[:, :-1]) & within).sum(1)
    return logit_length >= label_length + repeats


def _dense_labels(labels: SparseTensor) -> tuple[np.ndarray, np.ndarray]:
    check_order("CTCLoss", labels, strictly=False)
    sizes = sizes_of(labels)
    if len(sizes) != 2:
        raise ops.ShapeError(
            f"ctc_loss: labels must be a sparse matrix [batch, length], got shape {list(sizes)}"
        )
    indices, (rows, columns) = indices_of(labels), sizes
    dense = np.zeros((rows, columns), np.int64)
    dense[indices[:, 0], indices[:, 1]] = labels.values.numpy()
    return dense, np.bincount(indices[:, 0], minlength=rows)


@export("nn.ctc_loss")
def ctc_loss(
    labels,
    logits,
    label_length,
    logit_length,
    logits_time_major=True,
    unique=None,
    blank_index=None,
    name=None,
) -> Tensor:
    """Return the negative log-likelihood of label sequences under every alignment with the logits.

    Labels are a dense [batch, length] tensor with `label_length`, or a `SparseTensor`. Where the
    logits are too short for the labels, the loss is a large number for dense labels and infinite,
    with a gradient of zero, for sparse ones.
    """
    logits = ops.to_tensor(logits)
    if logits.ndim != 3:
        raise ops.ShapeError(f"ctc_loss: logits must have rank 3, got shape {logits.shape}")
    narrow = logits.dtype if logits.dtype.name in ("float16", "bfloat16") else None
    if narrow is not None:
        logits = ops.cast(logits, "float32")
    if not logits_time_major:
        logits = ops.transpose(logits, (1, 0, 2))
    classes = logits.shape[2]
    is_sparse = isinstance(labels, SparseTensor)
    if is_sparse and blank_index is None:
        raise ValueError(
            "Argument `blank_index` must be provided when `labels` is a `SparseTensor`."
        )
    blank = 0 if blank_index is None else static_int(blank_index, "ctc_loss: blank_index")
    blank = blank + classes if blank < 0 else blank
    if not 0 <= blank < classes:
        raise ValueError(
            f"Argument `blank_index` must be in [{-classes}, {classes}), got {blank_index}"
        )
    batch = logits.shape[1]
    steps = _lengths(logit_length, "logit_length", batch)
    if is_sparse:
        known, sizes = _dense_labels(labels)
        loss = _loss(logits, known, sizes, steps, blank)
        possible = Tensor(_feasible(known, sizes, steps))
        infinite = ops.to_tensor(np.full(loss.shape, np.inf), loss.dtype)
        loss = ops.where(possible, loss, infinite)
    else:
        known = np.asarray(ops.to_tensor(labels).numpy())
        if known.ndim != 2:
            raise ops.ShapeError(
                f"ctc_loss: labels must be [batch, length], got shape {list(known.shape)}"
            )
        sizes = _lengths(label_length, "label_length", batch)
        loss = _loss(logits, known.astype(np.int64), sizes, steps, blank)
    return loss if narrow is None else ops.cast(loss, narrow)


@export("nn.ctc_unique_labels")
def ctc_unique_labels(labels, name=None) -> list:
    """Return, for each row, its distinct labels in order of appearance, and each label's index
    there."""
    array = np.asarray(ops.to_tensor(labels).numpy())
    if array.ndim != 2:
        raise ops.ShapeError(
            f"ctc_unique_labels: labels must have two axes, got shape {array.shape}"
        )
    with np.errstate(invalid="ignore"):  # infinity, which is the least integer
        array = array.astype(np.int64)
    values = np.zeros(array.shape, np.int64)
    indices = np.zeros(array.shape, np.int32)
    for row, unique, where in zip(array, values, indices, strict=True):
        order: dict = {}
        where[:] = [order.setdefault(int(label), len(order)) for label in row]
        unique[: len(order)] = list(order)
    return [Tensor(values), Tensor(indices)]


@export("nn.collapse_repeated")
def collapse_repeated(labels, seq_length, name=None) -> tuple:
    """Return (labels with runs of equal ones made one, the new lengths)."""
    tensor = ops.to_tensor(labels)
    array = np.asarray(tensor.numpy())
    lengths = np.asarray(ops.to_tensor(seq_length).numpy())
    if array.ndim != 2 or lengths.shape != array.shape[:1]:
        raise ops.ShapeError(
            "collapse_repeated: labels must have two axes and seq_length a number for each row, "
            f"got shapes {array.shape} and {lengths.shape}"
        )
    keep = np.ones(array.shape, bool)
    keep[:, 1:] = array[:, 1:] != array[:, :-1]
    keep &= np.arange(array.shape[1]) < lengths[:, None]
    sizes = keep.sum(1)
    collapsed = np.zeros((len(array), int(sizes.max(initial=0))), array.dtype)
    collapsed[np.arange(collapsed.shape[1]) < sizes[:, None]] = array[keep]
    return Tensor(collapsed), Tensor(sizes.astype(lengths.dtype))
