"""Scaled dot-product attention as one op, whose memory is linear in the sequence lengths.

q [batch, queries, heads, depth], k [batch, keys, heads, depth], v [batch, keys, heads, width]; the
bias broadcasts to [batch, heads, queries, keys] and is added to the scores.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.backends.constants import MASKED_FROM
from gradtape.core.bind import bind
from gradtape.core.convert import operands, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import FLOATS, check_dtype

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.typing import Params, Tensors

__all__ = ["attention"]


def _results(
    q: Spec, k: Spec, v: Spec, bias: Spec, scale: float, causal: bool
) -> tuple[Spec, Spec]:
    """Return the specs of the result and of each query's logsumexp (for the derivative)."""
    return (
        Spec((*q.shape[:3], v.shape[3]), q.dtype),
        Spec((q.shape[0], q.shape[2], q.shape[1]), q.dtype),
    )


def _by_head(x: Tensor) -> Tensor:
    """Transpose [batch, time, heads, depth] to [batch, heads, time, depth], or back."""
    return ops.transpose(x, (0, 2, 1, 3))


def _open(q: Tensor, k: Tensor, bias: Tensor, causal: bool) -> Tensor:
    """Return the mask as numbers: 1 where a query attends to a key, else 0."""
    open_ = ops.cast(bias > MASKED_FROM, bias.dtype)
    if causal:
        open_ = open_ * ops.cast(Tensor(np.tri(q.shape[1], k.shape[1])), bias.dtype)
    return open_


def _weights(q: Tensor, k: Tensor, bias: Tensor, scale: float, causal: bool) -> Tensor:
    """Compute softmax(scale q kᵀ + bias) in full memory, for derivatives of higher order."""
    scores = ops.matmul(_by_head(q), _by_head(k), transpose_b=True) * scale
    scores = ops.where(bias > MASKED_FROM, scores + bias, bias)
    if causal:
        past = np.tri(q.shape[1], k.shape[1], dtype=bool)
        scores = ops.where(Tensor(past), scores, to_tensor(-np.inf, scores.dtype))
    return ops.softmax(scores)


def _pull_composite(
    g: Tensor, q: Tensor, k: Tensor, v: Tensor, bias: Tensor, scale: float, causal: bool
) -> tuple[Tensor, ...]:
    """Compute the cotangents of q, k, v and the bias from that of the result."""
    open_ = _open(q, k, bias, causal)
    p = _weights(q, k, bias, scale, causal)
    g, q, k, v = (_by_head(x) for x in (g, q, k, v))
    slope = ops.matmul(g, v, transpose_b=True)
    slope = p * (slope - ops.reduce_sum(p * slope, -1, keepdims=True)) * open_
    return (
        _by_head(ops.matmul(slope, k)) * scale,
        _by_head(ops.matmul(slope, q, transpose_a=True)) * scale,
        _by_head(ops.matmul(p, g, transpose_a=True)),
        ops.sum_to_shape(slope, tuple(bias.shape)),
    )


def _pull(
    g: tuple[Tensor, ...],
    q: Tensor,
    k: Tensor,
    v: Tensor,
    bias: Tensor,
    ans: tuple[Tensor, ...],
    needs_grad: tuple[bool, ...],
    scale: float,
    causal: bool,
) -> tuple[Tensor | None, ...]:
    if needs_grad[3]:  # the gradient of the bias is as large as the scores
        return _pull_composite(g[0], q, k, v, bias, scale, causal)
    inputs = (q, k, v, bias, *ans, g[0])
    return (*bind(attention_grad_p, inputs, {"scale": scale, "causal": causal}), None)


def _second_derivative(
    h: tuple[Tensor, ...],
    q: Tensor,
    k: Tensor,
    v: Tensor,
    bias: Tensor,
    g: Tensor,
    scale: float,
    causal: bool,
) -> tuple[Tensor | None, ...]:
    """Compute the cotangents of the inputs of `attention_grad` from those of its three results.

    They are the gradients of <g, result'>, where ' is the derivative in the direction h.
    """
    open_ = _open(q, k, bias, causal)
    p = _weights(q, k, bias, scale, causal)
    hq, hk, hv, q, k, v, g = (_by_head(x) for x in (*h, q, k, v, g))

    def rows(x: Tensor) -> Tensor:
        return ops.reduce_sum(x, -1, keepdims=True)

    s1 = (ops.matmul(hq, k, transpose_b=True) + ops.matmul(q, hk, transpose_b=True)) * scale
    s1 = s1 * open_
    p1 = p * (s1 - rows(p * s1))
    result1 = ops.matmul(p1, v) + ops.matmul(p, hv)
    a = ops.matmul(g, v, transpose_b=True)
    mean = rows(a * p)
    to_s1 = p * (a - mean) * open_
    to_p = a * (s1 - rows(p * s1)) - mean * s1 + ops.matmul(g, hv, transpose_b=True)
    to_s = p * (to_p - rows(p * to_p)) * open_
    return (
        _by_head(ops.matmul(to_s, k) + ops.matmul(to_s1, hk)) * scale,
        _by_head(ops.matmul(to_s, q, transpose_a=True) + ops.matmul(to_s1, hq, transpose_a=True))
        * scale,
        _by_head(ops.matmul(p1, g, transpose_a=True)),
        ops.sum_to_shape(to_s, tuple(bias.shape)),
        None,  # the results of `attention` follow from q, k, v and the bias
        None,
        _by_head(result1),
    )


def _batch(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> tuple[Tensor, ...]:
    """Merge the mapped axis into the batch axis."""
    rows = inputs[0].shape[1 if batched[0] else 0]
    merged = []
    for position, (x, is_batched) in enumerate(zip(inputs, batched, strict=True)):
        if not is_batched:
            if position == 3 and x.shape[0] == 1:
                merged.append(x)  # one bias for all
                continue
            x = ops.broadcast_to(x, (size, *x.shape))
        if x.shape[1] != rows:
            x = ops.broadcast_to(x, (size, rows, *x.shape[2:]))
        merged.append(ops.reshape(x, (size * rows, *x.shape[2:])))
    results = bind(prim, tuple(merged), params)
    return tuple(ops.reshape(y, (size, rows, *y.shape[1:])) for y in results)


# The gradient of attention takes five products for two: the scores are recomputed.
BACKWARD = 2.5


def _flops(inputs: Any, outputs: Any, params: Mapping[str, Any]) -> float:
    """Count the operations of q kᵀ and of the product with v."""
    q, k, v = (spec.shape for spec in inputs[:3])
    return 2.0 * math.prod(q[:3]) * k[1] * (q[3] + v[3])


attention_p = primitive(
    "attention",
    "q k v bias",
    flops=_flops,
    shape=_results,
    outputs=2,
    vjp=_pull,
    batch=_batch,
)
attention_grad_p = primitive(
    "attention_grad",
    "q k v bias result logs g",
    flops=lambda inputs, outputs, params: BACKWARD * _flops(inputs, outputs, params),
    shape=lambda q, k, v, bias, result, logs, g, scale, causal: (q, k, v),
    outputs=3,
    vjp=_second_derivative,
    batch=_batch,
)


def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    bias: Any = None,
    scale: float | None = None,
    causal: bool = False,
) -> Tensor:
    """Compute softmax(scale q kᵀ + bias) v; with `causal`, query i attends to keys 0 to i."""
    q, k = operands("Attention", q, k)
    q, v = operands("Attention", q, v)
    check_dtype("Attention", FLOATS, q)
    shapes = [list(x.shape) for x in (q, k, v)]
    if not (
        q.ndim == k.ndim == v.ndim == 4
        and k.shape[0] == v.shape[0] == q.shape[0]
        and k.shape[2] == v.shape[2] == q.shape[2]
        and k.shape[3] == q.shape[3]
        and v.shape[1] == k.shape[1]
    ):
        raise ShapeError(
            f"Attention: queries, keys and values of shapes {shapes}: they must be "
            "[batch, time, heads, depth], with one batch, as many heads, keys as deep as queries "
            "and as many values as keys. [Op:Attention]"
        )
    dtype = q.dtype
    if dtype.size < 4:  # sums of products and the softmax are in float32 at least
        q, k, v = (ops.cast(x, "float32") for x in (q, k, v))
    if bias is None:
        bias = ops.zeros((1, 1, 1, 1), q.dtype)
    else:
        bias = ops.cast(to_tensor(bias), q.dtype)
        bias = ops.reshape(bias, (1,) * (4 - bias.ndim) + tuple(bias.shape))
    full = (q.shape[0], q.shape[2], q.shape[1], k.shape[1])
    if bias.ndim != 4 or any(n not in (1, m) for n, m in zip(bias.shape, full, strict=True)):
        raise ShapeError(
            f"Attention: a bias of shape {list(bias.shape)} does not broadcast to the scores' "
            f"shape [batch, heads, queries, keys], {list(full)}. [Op:Attention]"
        )
    scale = 1 / math.sqrt(q.shape[3]) if scale is None else float(scale)
    params = {"scale": scale, "causal": bool(causal)}
    return ops.cast(bind(attention_p, (q, k, v, bias), params)[0], dtype)
