"""Softmax and the cross-entropies, over the last axis.

A label out of range gives nan: a program on an accelerator cannot stop, and TensorFlow's on a
GPU does the same.
"""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from gradtape.backends.xla.kernels.reduce import wide_dtype


def _largest(wide):
    """Return the maxima of rows, with a last axis of size 1; 0 for rows without elements."""
    if not wide.shape[-1]:
        return jnp.zeros((*wide.shape[:-1], 1), wide.dtype)
    return jnp.max(wide, -1, keepdims=True)


def _shifted(x):
    """Subtract the maximum from x, so that exp cannot overflow."""
    wide = x.astype(wide_dtype(x.dtype))
    return wide - _largest(wide)


def softmax(x):
    powers = jnp.exp(_shifted(x))
    return (powers / jnp.sum(powers, -1, keepdims=True)).astype(x.dtype)


def softmax_grad(y, g):
    wide, g = y.astype(wide_dtype(y.dtype)), g.astype(wide_dtype(g.dtype))
    return (wide * (g - jnp.sum(g * wide, -1, keepdims=True))).astype(y.dtype)


def _log_softmax(x):
    shifted = _shifted(x)
    return shifted - jnp.log(jnp.sum(jnp.exp(shifted), -1, keepdims=True))


def log_softmax(x):
    return _log_softmax(x).astype(x.dtype)


def softmax_cross_entropy(labels, logits):
    logs = log_softmax(logits)
    # A label of 0 contributes nothing, even where the logarithm is -inf.
    terms = jnp.where(labels == 0, 0, labels * logs)
    return -jnp.sum(terms, -1, wide_dtype(terms.dtype)).astype(logits.dtype)


def _is_label(labels, classes: int):
    """Return the one-hot mask of the labels' classes along a new last axis."""
    return (
        lax.broadcasted_iota(labels.dtype, (*labels.shape, classes), labels.ndim)
        == (labels[..., None])
    )


def _nan_unless_class(labels, classes: int, values):
    return jnp.where((labels >= 0) & (labels < classes), values, jnp.nan)


def sparse_softmax_cross_entropy(labels, logits):
    classes = logits.shape[-1]
    wide = logits.astype(wide_dtype(logits.dtype))
    largest = _largest(wide)
    if classes:
        chosen = jnp.take_along_axis(logits, labels[..., None], -1, mode="clip")
        chosen = (chosen.astype(wide.dtype) - largest)[..., 0]
    else:
        chosen = 0
    loss = jnp.log(jnp.sum(jnp.exp(wide - largest), -1)) - chosen
    return _nan_unless_class(labels, classes, loss).astype(logits.dtype)


def sparse_softmax_cross_entropy_grad(labels, logits, g):
    """Compute g (softmax(logits) - onehot(labels)).

    Softmax is written as the exponential of its logarithm: as a quotient it would share the
    exponentials with the loss, and XLA would keep all of them, in float32, for the backward pass.
    """
    classes = logits.shape[-1]
    softmax = jnp.exp(_log_softmax(logits)).astype(logits.dtype)
    slope = softmax - _is_label(labels, classes).astype(logits.dtype)
    return slope * _nan_unless_class(labels, classes, g)[..., None].astype(g.dtype)


KERNELS = {
    "softmax": softmax,
    "softmax_grad": softmax_grad,
    "log_softmax": log_softmax,
    "softmax_cross_entropy": softmax_cross_entropy,
    "sparse_softmax_cross_entropy": sparse_softmax_cross_entropy,
    "sparse_softmax_cross_entropy_grad": sparse_softmax_cross_entropy_grad,
}
