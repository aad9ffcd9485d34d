"""Softmax and the cross-entropies, over the last axis, in as few passes as NumPy allows."""

from __future__ import annotations

import numpy as np

from gradtape.backends.errors import BadValues


def _shifted_exp(x):
    """exp(x - max) and its sum: no overflow, and exact where one element dominates."""
    wide = x.astype(np.float32) if x.dtype.itemsize <= 2 else x
    shifted = wide - np.max(wide, axis=-1, keepdims=True, initial=-np.inf)
    powers = np.exp(shifted)
    return shifted, powers, np.sum(powers, axis=-1, keepdims=True)


def softmax(x):
    _, powers, total = _shifted_exp(x)
    powers /= total
    return powers.astype(x.dtype, copy=False)


def log_softmax(x):
    shifted, _, total = _shifted_exp(x)
    shifted -= np.log(total)
    return shifted.astype(x.dtype, copy=False)


def softmax_cross_entropy(labels, logits):
    logs = log_softmax(logits)
    # A label of 0 counts for nothing, even where the logarithm is -inf.
    return -np.sum(np.where(labels == 0, labels.dtype.type(0), labels * logs), axis=-1)


def sparse_softmax_cross_entropy(labels, logits):
    shifted, _, total = _shifted_exp(logits)
    if np.size(labels) and not (np.min(labels) >= 0 and np.max(labels) < logits.shape[-1]):
        bad = np.reshape(labels, -1)[(np.reshape(labels, -1) < 0) | (
            np.reshape(labels, -1) >= logits.shape[-1])][0]  # fmt: skip
        raise BadValues(
            f"SparseSoftmaxCrossEntropyWithLogits: Received a label value of {bad} which is "
            f"outside the valid range of [0, {logits.shape[-1]}): labels count the classes from 0."
        )
    chosen = np.take_along_axis(shifted, np.asarray(labels)[..., None], axis=-1)
    loss = (np.log(total) - chosen)[..., 0]
    return loss.astype(logits.dtype, copy=False)


def sparse_softmax_cross_entropy_grad(labels, logits, g):
    """g (softmax(logits) - onehot(labels)): in one array."""
    result = softmax(logits)
    rows = result.reshape(-1, result.shape[-1])
    rows[np.arange(rows.shape[0]), np.reshape(labels, -1)] -= 1
    return result * g[..., None]


KERNELS = {
    "softmax": softmax,
    "log_softmax": log_softmax,
    "softmax_cross_entropy": softmax_cross_entropy,
    "sparse_softmax_cross_entropy": sparse_softmax_cross_entropy,
    "sparse_softmax_cross_entropy_grad": sparse_softmax_cross_entropy_grad,
}
