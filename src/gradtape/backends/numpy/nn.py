"""Softmax and the cross-entropies, over the last axis, in as few passes as NumPy allows."""

from __future__ import annotations

import numpy as np

from gradtape.backends.errors import BadValues
from gradtape.backends.precision import in_float32


def _shifted(x):
    """Subtract the maximum from x, so that exp cannot overflow."""
    wide = x.astype(np.float32) if x.dtype.itemsize <= 2 else x
    if not x.shape[-1]:
        return wide
    return wide - wide.max(axis=-1, keepdims=True)


@in_float32
def softmax(x):
    powers = _shifted(x)
    powers = np.exp(powers, out=powers if powers is not x else None)
    powers /= powers.sum(axis=-1, keepdims=True)
    return powers


@in_float32
def softmax_grad(y, g):
    """Compute y · (g - Σ g · y) over the last axis."""
    along = g * y
    result = g - along.sum(axis=-1, keepdims=True)
    result *= y
    return result


@in_float32
def log_softmax(x):
    shifted = _shifted(x)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def softmax_cross_entropy(labels, logits):
    logs = log_softmax(logits)
    # A label of 0 contributes nothing, even where the logarithm is -inf.
    products = np.where(labels == 0, labels.dtype.type(0), labels * logs)
    wide = np.float32 if labels.dtype.itemsize <= 2 else None  # a sum in bfloat16 stagnates
    return -np.sum(products, axis=-1, dtype=wide).astype(labels.dtype, copy=False)


def _flat_indices(labels, classes: int):
    """Return the indices of the labels' classes in the flattened logits."""
    labels = np.ravel(labels)
    if labels.size and not (labels.min() >= 0 and labels.max() < classes):
        bad = labels[(labels < 0) | (labels >= classes)][0]
        raise BadValues(
            f"SparseSoftmaxCrossEntropyWithLogits: Received a label value of {bad} which is "
            f"outside the valid range of [0, {classes}): labels count the classes from 0."
        )
    return np.arange(0, labels.size * classes, classes) + labels.astype(np.intp, copy=False)


def sparse_softmax_cross_entropy(labels, logits):
    shifted = _shifted(logits)
    indices = _flat_indices(labels, logits.shape[-1])
    loss = np.log(np.exp(shifted).sum(axis=-1))
    loss -= shifted.ravel()[indices].reshape(loss.shape)
    return loss.astype(logits.dtype, copy=False)


def sparse_softmax_cross_entropy_grad(labels, logits, g):
    """Compute g (softmax(logits) - onehot(labels)) in one array."""
    result = softmax(logits)
    if result is logits or not result.flags.c_contiguous:
        result = result.copy()
    result.reshape(-1)[_flat_indices(labels, logits.shape[-1])] -= 1
    result *= g[..., None]
    return result


KERNELS = {
    "softmax": softmax,
    "softmax_grad": softmax_grad,
    "log_softmax": log_softmax,
    "softmax_cross_entropy": softmax_cross_entropy,
    "sparse_softmax_cross_entropy": sparse_softmax_cross_entropy,
    "sparse_softmax_cross_entropy_grad": sparse_softmax_cross_entropy_grad,
}
