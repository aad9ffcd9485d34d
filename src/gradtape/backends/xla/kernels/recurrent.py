"""LSTM and GRU over whole sequences [batch, steps, inputs]: loops of the program itself."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax
from jax.nn import sigmoid


def _by_step(*arrays):
    """Transpose [batch, steps, …] to [steps, batch, …], or back."""
    return tuple(jnp.swapaxes(x, 0, 1) for x in arrays)


def _before(first, states):
    """Return the states before each step."""
    return jnp.concatenate([first[:, None], states[:, :-1]], 1)


def _product_of_rows(x, y):
    return x.reshape(-1, x.shape[-1]).T @ y.reshape(-1, y.shape[-1])


def lstm(x, h, c, w, u, b):
    def step(state, sums):
        h, c = state
        i, f, g, o = jnp.split(sums + h @ u, 4, -1)
        i, f, g, o = sigmoid(i), sigmoid(f), jnp.tanh(g), sigmoid(o)
        c = f * c + i * g
        h = o * jnp.tanh(c)
        return (h, c), (h, c, jnp.concatenate([i, f, g, o], -1))

    _, results = lax.scan(step, (h, c), _by_step(x @ w + b)[0])
    return _by_step(*results)


def lstm_grad(x, h, c, w, u, hidden, cells, gates, g_hidden, g_cells, b, input_gradient):
    def step(state, at):
        to_h, carry = state
        gates, cell, before, g_hidden, g_cell = at
        i, f, g, o = jnp.split(gates, 4, -1)
        squashed = jnp.tanh(cell)
        to_h = to_h + g_hidden
        carry = carry + g_cell + to_h * o * (1 - squashed**2)
        to_i, to_f = carry * g * i * (1 - i), carry * before * f * (1 - f)
        to_g, to_o = carry * i * (1 - g**2), to_h * squashed * o * (1 - o)
        sums = jnp.concatenate([to_i, to_f, to_g, to_o], -1)
        return (sums @ u.T, carry * f), sums

    start = (jnp.zeros_like(h), jnp.zeros_like(c))
    at = _by_step(gates, cells, _before(c, cells), g_hidden, g_cells)
    (to_h, to_c), sums = lax.scan(step, start, at, reverse=True)
    (sums,) = _by_step(sums)
    to_x = sums @ w.T if input_gradient else jnp.zeros(0, x.dtype)
    to_w, to_u = _product_of_rows(x, sums), _product_of_rows(_before(h, hidden), sums)
    return to_x, to_h, to_c, to_w, to_u, jnp.sum(sums, (0, 1))


def gru(x, h, w, u, b):
    def step(h, sums):
        sum_z, sum_r, sum_g = jnp.split(sums, 3, -1)
        product_z, product_r, inner = jnp.split(h @ u + b[1], 3, -1)
        z, r = sigmoid(sum_z + product_z), sigmoid(sum_r + product_r)
        g = jnp.tanh(sum_g + r * inner)
        h = z * h + (1 - z) * g
        return h, (h, jnp.concatenate([z, r, g, inner], -1))

    _, results = lax.scan(step, h, _by_step(x @ w + b[0])[0])
    return _by_step(*results)


def gru_grad(x, h, w, u, hidden, gates, g_hidden, b, input_gradient):
    def step(to_h, at):
        gates, before, g_hidden = at
        z, r, g, inner = jnp.split(gates, 4, -1)
        to_h = to_h + g_hidden
        to_z = to_h * (before - g) * z * (1 - z)
        to_g = to_h * (1 - z) * (1 - g**2)
        to_r = to_g * inner * r * (1 - r)
        sums = jnp.concatenate([to_z, to_r, to_g], -1)
        products = jnp.concatenate([to_z, to_r, to_g * r], -1)
        return to_h * z + products @ u.T, (sums, products)

    before = _before(h, hidden)
    at = _by_step(gates, before, g_hidden)
    to_h, outputs = lax.scan(step, jnp.zeros_like(h), at, reverse=True)
    sums, products = _by_step(*outputs)
    to_x = sums @ w.T if input_gradient else jnp.zeros(0, x.dtype)
    to_b = jnp.stack([jnp.sum(sums, (0, 1)), jnp.sum(products, (0, 1))])
    return to_x, to_h, _product_of_rows(x, sums), _product_of_rows(before, products), to_b


KERNELS = {"lstm": lstm, "lstm_grad": lstm_grad, "gru": gru, "gru_grad": gru_grad}
