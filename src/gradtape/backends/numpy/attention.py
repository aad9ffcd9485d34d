"""Scaled dot-product attention, for [batch, time, heads, depth], by blocks of queries.

The scores of all queries with all keys are never in memory together: `attention` returns each
query's logsumexp, from which `attention_grad` recomputes the weights.
"""

from __future__ import annotations

import numpy as np

from gradtape.backends.constants import MASKED_FROM

_SCORES = 2**20  # how many at a time


def _by_head(x):
    """Return [batch, time, heads, depth] as [batch, heads, time, depth], a view."""
    return x.transpose(0, 2, 1, 3)


def _blocks(q, k):
    batch, queries, heads, _ = q.shape
    step = max(1, _SCORES // max(1, batch * heads * k.shape[1]))
    for first in range(0, queries, step):
        yield slice(first, min(first + step, queries))


def _bias_of(bias, rows):
    """Return the part of a bias for some queries."""
    return bias if bias.shape[2] == 1 else bias[:, :, rows]


def _scores(q, k, bias, rows, scale, causal):
    """Return the scores of some queries with all keys, and where these are masked."""
    scores = np.matmul(_by_head(q)[:, :, rows], _by_head(k).swapaxes(-1, -2))
    bias = _bias_of(bias, rows)
    masked = np.broadcast_to(bias <= MASKED_FROM, scores.shape)
    scores = np.where(masked, bias, scores * scores.dtype.type(scale) + bias)
    if causal:
        later = np.arange(k.shape[1]) > np.arange(rows.start, rows.stop)[:, None]
        scores[..., later] = -np.inf
        masked = masked | later
    return scores, masked


def attention(q, k, v, bias, scale, causal):
    batch, queries, heads, _ = q.shape
    result = np.empty((batch, queries, heads, v.shape[3]), q.dtype)
    logs = np.empty((batch, heads, queries), q.dtype)
    for rows in _blocks(q, k):
        scores, _ = _scores(q, k, bias, rows, scale, causal)
        largest = scores.max(-1, keepdims=True)
        weights = np.exp(scores - largest)
        sums = weights.sum(-1, keepdims=True)
        _by_head(result)[:, :, rows] = np.matmul(weights, _by_head(v)) / sums
        logs[:, :, rows] = (largest + np.log(sums))[..., 0]
    return result, logs


def attention_grad(q, k, v, bias, result, logs, g, scale, causal):
    to_q, to_k, to_v = np.empty_like(q), np.zeros_like(k), np.zeros_like(v)
    for rows in _blocks(q, k):
        scores, masked = _scores(q, k, bias, rows, scale, causal)
        weights = np.exp(scores - logs[:, :, rows, None])
        if np.any(logs[:, :, rows] <= MASKED_FROM):
            # Fully masked queries: next to biases so low, rounding loses the logarithm of the sum.
            weights /= weights.sum(-1, keepdims=True)
        g_rows = _by_head(g)[:, :, rows]
        mean = np.sum(g_rows * _by_head(result)[:, :, rows], -1, keepdims=True)
        slope = weights * (np.matmul(g_rows, _by_head(v).swapaxes(-1, -2)) - mean)
        slope = np.where(masked, 0, slope) * scores.dtype.type(scale)
        _by_head(to_q)[:, :, rows] = np.matmul(slope, _by_head(k))
        to_k += _by_head(np.matmul(slope.swapaxes(-1, -2), _by_head(q)[:, :, rows]))
        to_v += _by_head(np.matmul(weights.swapaxes(-1, -2), g_rows))
    return to_q, to_k, to_v


KERNELS = {"attention": attention, "attention_grad": attention_grad}
