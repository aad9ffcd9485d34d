"""Attention, and recurrent layers over whole sequences."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.primitive import PRIMITIVES
from gradtape.engine.functional import vjp
from tests.ops.harness import Case, random

Q, K, V = random(2, 3, 2, 4), random(2, 5, 2, 4, seed=1), random(2, 5, 2, 3, seed=2)
MASK = np.where(random(2, 1, 3, 5) > -0.3, 0.0, -2e38)
G = random(2, 3, 2, 3, seed=3)


def _attention(bias=None, scale=None, causal=False):
    return lambda q, k, v: ops.attention(
        q, k, v, None if bias is None else ops.cast(bias, q.dtype), scale, causal
    )


def _pulled(q, k, v, g):
    return vjp(_attention(causal=True), q, k, v)[1](g)


UNITS = 3
X, H, C = random(2, 4, 5), random(2, UNITS), random(2, UNITS, seed=1)
G = [random(2, 4, UNITS, seed=2), random(2, 4, UNITS, seed=3)]
LSTM = [random(5, 4 * UNITS), random(UNITS, 4 * UNITS), random(4 * UNITS)]
GRU = [random(5, 3 * UNITS), random(UNITS, 3 * UNITS), random(2, 3 * UNITS)]


def _lstm_grad(x, h, c, w, u, b, g_hidden, g_cells):
    results = bind(PRIMITIVES["lstm"], (x, h, c, w, u, b))
    inputs = (x, h, c, w, u, *results, g_hidden, g_cells, b)
    return bind(PRIMITIVES["lstm_grad"], inputs, {"input_gradient": True})


def _gru_grad(x, h, w, u, b, g):
    results = bind(PRIMITIVES["gru"], (x, h, w, u, b))
    inputs = (x, h, w, u, *results, g, b)
    return bind(PRIMITIVES["gru_grad"], inputs, {"input_gradient": False})


CASES = [
    Case("attention", _attention(), [Q, K, V]),
    Case("attention causal", _attention(causal=True), [K, K, V]),
    Case("attention masked", _attention(MASK, scale=0.3), [Q, K, V]),
    Case("attention with bias", ops.attention, [Q, K, V, random(1, 2, 3, 5)]),
    Case("attention with one bias", ops.attention, [Q, K, V, random(5)]),
    Case("attention_grad", _pulled, [K, K, V, random(2, 5, 2, 3, seed=4)]),
    Case("lstm", ops.lstm, [X, H, C, *LSTM]),
    Case("lstm one step", ops.lstm, [X[:, :1], H, C, *LSTM], order=1),
    Case("gru", ops.gru, [X, H, *GRU]),
    Case("lstm_grad", _lstm_grad, [X, H, C, *LSTM, *G], order=1),
    Case("gru_grad", _gru_grad, [X, H, *GRU, G[0]], order=1),
]
