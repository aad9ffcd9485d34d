"""Softmax, cross-entropies and layer normalization, over the last axis."""

from __future__ import annotations

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.onnx.chapters.elementwise import number
from gradtape.exporting.samples import Op


def _softmax_grad(b: Builder, op: Op, y: str, g: str) -> str:
    total = b.reduce("ReduceSum", b("Mul", g, y), [-1], True)
    return b("Mul", y, b("Sub", g, total))


def _cross_entropy(b: Builder, op: Op, labels: str, logits: str) -> str:
    logs = b("LogSoftmax", logits, axis=-1)
    zero = number(op, 0)
    products = b("Where", b("Equal", labels, zero), zero, b("Mul", labels, logs))
    return b("Neg", b.reduce("ReduceSum", products, [-1], False))


def _picked(b: Builder, labels: str) -> str:
    return b.unsqueeze(b.cast(labels, np.int64), -1)


def _sparse_cross_entropy(b: Builder, op: Op, labels: str, logits: str) -> str:
    logs = b("LogSoftmax", logits, axis=-1)
    return b("Neg", b.squeeze(b("GatherElements", logs, _picked(b, labels), axis=-1), -1))


def _sparse_cross_entropy_grad(b: Builder, op: Op, labels: str, logits: str, g: str) -> str:
    classes = b("Range", np.int64(0), b.scalar(op.shape(1)[-1]), np.int64(1))
    hot = b.cast(b("Equal", _picked(b, labels), classes), op.dtype(1))
    return b("Mul", b("Sub", b("Softmax", logits, axis=-1), hot), b.unsqueeze(g, -1))


def _layer_normalize(b: Builder, op: Op, x: str, scale: str, offset: str) -> str:
    return b("LayerNormalization", x, scale, offset, axis=-1, epsilon=float(op["epsilon"]))


ROWS = {
    "softmax": lambda b, op, x: b("Softmax", x, axis=-1),
    "log_softmax": lambda b, op, x: b("LogSoftmax", x, axis=-1),
    "softmax_grad": _softmax_grad,
    "softmax_cross_entropy": _cross_entropy,
    "sparse_softmax_cross_entropy": _sparse_cross_entropy,
    "sparse_softmax_cross_entropy_grad": _sparse_cross_entropy_grad,
    "layer_normalize": _layer_normalize,
}
