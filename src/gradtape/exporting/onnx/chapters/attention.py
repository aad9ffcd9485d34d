"""Scaled dot-product attention, composed of products and a softmax."""

from __future__ import annotations

import numpy as np

from gradtape.backends.constants import MASKED_FROM
from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.onnx.chapters.elementwise import number
from gradtape.exporting.samples import Op


def _scores(b: Builder, op: Op, q: str, k: str, bias: str) -> str:
    """Return the scores [batch, heads, queries, keys]; a very low bias replaces a score."""
    products = b("MatMul", b.transpose(q, [0, 2, 1, 3]), b.transpose(k, [0, 2, 3, 1]))
    scores = b("Mul", products, number(op, op["scale"]))
    known = b.known(bias)
    if known is None or known.any():
        masked = b("LessOrEqual", bias, number(op, MASKED_FROM))
        scores = b("Where", masked, bias, b("Add", scores, bias))
    if not op["causal"]:
        return scores
    keys = b("Range", np.int64(0), b.scalar(op.shape(1)[1]), np.int64(1))
    queries = b("Range", np.int64(0), b.scalar(op.shape(0)[1]), np.int64(1))
    later = b("Greater", keys, b.unsqueeze(queries, 1))
    return b("Where", later, number(op, -np.inf), scores)


def _attention(b: Builder, op: Op, q: str, k: str, v: str, bias: str) -> list[str]:
    scores = _scores(b, op, q, k, bias)
    weighted = b("MatMul", b("Softmax", scores, axis=-1), b.transpose(v, [0, 2, 1, 3]))
    result = b.transpose(weighted, [0, 2, 1, 3])
    if not op.needed[1]:
        return [result]
    largest = b.reduce("ReduceMax", scores, [-1], True)
    total = b.reduce("ReduceSum", b("Exp", b("Sub", scores, largest)), [-1], True)
    return [result, b.squeeze(b("Add", b("Log", total), largest), -1)]


def _attention_grad(
    b: Builder, op: Op, q: str, k: str, v: str, bias: str, result: str, logs: str, g: str
) -> list[str]:
    """Return the gradients of queries, keys and values, whose weights are computed again."""
    swap, by_head = [0, 1, 3, 2], [0, 2, 1, 3]
    scores = _scores(b, op, q, k, bias)
    weights = b("Softmax", scores, axis=-1)
    q, k, v, result, g = (b.transpose(x, by_head) for x in (q, k, v, result, g))
    mean = b.reduce("ReduceSum", b("Mul", g, result), [-1], True)
    slope = b("Mul", weights, b("Sub", b("MatMul", g, b.transpose(v, swap)), mean))
    # What is masked has no slope, not even where all of it is.
    masked = b("LessOrEqual", scores, number(op, MASKED_FROM))
    slope = b("Mul", b("Where", masked, number(op, 0), slope), number(op, op["scale"]))
    made = (
        b("MatMul", slope, k),
        b("MatMul", b.transpose(slope, swap), q),
        b("MatMul", b.transpose(weights, swap), g),
    )
    return [b.transpose(x, by_head) for x in made]


ROWS = {"attention": _attention, "attention_grad": _attention_grad}
