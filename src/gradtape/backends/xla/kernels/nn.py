"""Softmax and the cross-entropies, over the last axis.

A label out of range gives nan: a program on an accelerator cannot stop, and TensorFlow's on a
GPU does the same.
"""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from gradtape.backends.xla.kernels.reduce import wide_dtype


def _shifted(x):
    """Subtract the maximum from x, so that exp cannot overflow."""
    wide = x.astype(wide_dtype(x.dtype))
    if not x.shape[-1]:
        return wide
    return wide - jnp.max(wide, -1, keepdims=True)


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
    shifted = _shifted(logits)
    chosen = jnp.sum(jnp.where(_is_label(labels, classes), shifted, 0), -1)
    loss = jnp.log(jnp.sum(jnp.exp(shifted), -1)) - chosen
    return _nan_unless_class(labels, classes, loss).astype(logits.dtype)


def sparse_softmax_cross_entropy_grad(labels, logits, g):
    """Compute g (softmax(logits) - onehot(labels))."""
    classes = logits.shape[-1]
    slope = softmax(logits) - _is_label(labels, classes).astype(logits.dtype)
    return slope * _nan_unless_class(labels, classes, g)[..., None].astype(g.dtype)


KERNELS = {
    "softmax": softmax,
    "softmax_grad": softmax_grad,
    "log_softmax": log_softmax,
    "softmax_cross_entropy": softmax_cross_entropy,
    "sparse_softmax_cross_entropy": sparse_softmax_cross_entropy,
    "sparse_softmax_cross_entropy_grad": sparse_softmax_cross_entropy_grad,
}
