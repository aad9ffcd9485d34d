"""LSTM and GRU over whole sequences [batch, steps, inputs], and their gradients.

The inputs of all steps are multiplied at once; the rest goes step by step. Gate activations are
kept for the gradients, whose products with all steps are again one.
"""

from __future__ import annotations

import numpy as np


def _sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1).astype(x.dtype) / (1 + e)


def _matmul(x, y):
    # NumPy's product of bfloat16 matrices is float32 with ml_dtypes 0.6.
    return np.matmul(x, y).astype(x.dtype, copy=False)


def _before(first, states):
    """Return the states before each step."""
    return np.concatenate([first[:, None], states[:, :-1]], axis=1)


def _rows(x):
    return x.reshape(-1, x.shape[-1])


def lstm(x, h, c, w, u, b):
    """Return (hidden states, cell states, gates) of all steps.

    The gates are input, forget, candidate and output.
    """
    gates = _matmul(x, w) + b
    units = h.shape[1]
    hidden = np.empty((*x.shape[:2], units), x.dtype)
    cells = np.empty_like(hidden)
    for t in range(x.shape[1]):
        z = gates[:, t]
        z += _matmul(h, u)
        i, f, g, o = (z[:, k * units : (k + 1) * units] for k in range(4))
        i[...], f[...], g[...], o[...] = _sigmoid(i), _sigmoid(f), np.tanh(g), _sigmoid(o)
        c = cells[:, t] = f * c + i * g
        h = hidden[:, t] = o * np.tanh(c)
    return hidden, cells, gates


def lstm_grad(x, h, c, w, u, hidden, cells, gates, g_hidden, g_cells, b, input_gradient):
    sums = np.empty_like(gates)
    units = h.shape[1]
    cells_before = _before(c, cells)
    to_h, carry = np.zeros_like(h), np.zeros_like(c)
    for t in reversed(range(x.shape[1])):
        i, f, g, o = (gates[:, t, k * units : (k + 1) * units] for k in range(4))
        squashed = np.tanh(cells[:, t])
        to_h = to_h + g_hidden[:, t]
        carry = carry + g_cells[:, t] + to_h * o * (1 - squashed**2)
        di = carry * g * i * (1 - i)
        df = carry * cells_before[:, t] * f * (1 - f)
        dg = carry * i * (1 - g**2)
        do = to_h * squashed * o * (1 - o)
        sums[:, t] = np.concatenate([di, df, dg, do], -1)
        carry = carry * f
        to_h = _matmul(sums[:, t], u.T)
    to_x = _matmul(sums, w.T) if input_gradient else np.zeros(0, x.dtype)
    to_w = _matmul(_rows(x).T, _rows(sums))
    to_u = _matmul(_rows(_before(h, hidden)).T, _rows(sums))
    return to_x, to_h, carry, to_w, to_u, _rows(sums).sum(0)


def gru(x, h, w, u, b):
    """Return (hidden states, gates) of all steps.

    The gates are update, reset, candidate, and the candidate's product with the state, which the
    reset gate multiplies.
    """
    inputs = _matmul(x, w) + b[0]
    units = h.shape[1]
    hidden = np.empty((*x.shape[:2], units), x.dtype)
    gates = np.empty((*x.shape[:2], 4 * units), x.dtype)
    for t in range(x.shape[1]):
        inner = _matmul(h, u) + b[1]
        z = _sigmoid(inputs[:, t, :units] + inner[:, :units])
        r = _sigmoid(inputs[:, t, units : 2 * units] + inner[:, units : 2 * units])
        g = np.tanh(inputs[:, t, 2 * units :] + r * inner[:, 2 * units :])
        gates[:, t] = np.concatenate([z, r, g, inner[:, 2 * units :]], -1)
        h = hidden[:, t] = z * h + (1 - z) * g
    return hidden, gates


def gru_grad(x, h, w, u, hidden, gates, g_hidden, b, input_gradient):
    units = h.shape[1]
    to_inputs = np.empty((*x.shape[:2], 3 * units), x.dtype)
    to_products = np.empty_like(to_inputs)
    before = _before(h, hidden)
    to_h = np.zeros_like(h)
    for t in reversed(range(x.shape[1])):
        z, r, g, inner = (gates[:, t, k * units : (k + 1) * units] for k in range(4))
        to_h = to_h + g_hidden[:, t]
        dz = to_h * (before[:, t] - g) * z * (1 - z)
        dg = to_h * (1 - z) * (1 - g**2)
        dr = dg * inner * r * (1 - r)
        to_inputs[:, t] = np.concatenate([dz, dr, dg], -1)
        to_products[:, t] = np.concatenate([dz, dr, dg * r], -1)
        to_h = to_h * z + _matmul(to_products[:, t], u.T)
    to_x = _matmul(to_inputs, w.T) if input_gradient else np.zeros(0, x.dtype)
    to_w = _matmul(_rows(x).T, _rows(to_inputs))
    to_u = _matmul(_rows(before).T, _rows(to_products))
    to_b = np.stack([_rows(to_inputs).sum(0), _rows(to_products).sum(0)])
    return to_x, to_h, to_w, to_u, to_b


KERNELS = {"lstm": lstm, "lstm_grad": lstm_grad, "gru": gru, "gru_grad": gru_grad}
