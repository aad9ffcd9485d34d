"""Updates of some rows, as XLA's scatters.

A program on an accelerator cannot stop at an index out of range. As TensorFlow on a GPU, it drops
such a row. If an index occurs several times in `set_rows`, any of the updates may win.
"""

from __future__ import annotations

import math

import jax.numpy as jnp

from gradtape.backends.xla.kernels.gather import inside


def _rows(x, indices, updates):
    """Return a table of rows like the updates, and the indices, with -1 moved out of range."""
    inner = updates.shape[1:]
    count = math.prod(x.shape[: x.ndim - len(inner)])
    return jnp.asarray(x).reshape(count, *inner), inside(indices, count)


def set_rows(x, indices, updates):
    table, targets = _rows(x, indices, updates)
    return table.at[targets].set(updates, mode="drop").reshape(x.shape)


def add_rows(x, indices, updates, subtract):
    table, targets = _rows(x, indices, updates)
    updates = -updates if subtract else updates
    return table.at[targets].add(updates, mode="drop").reshape(x.shape)


def extreme_rows(x, indices, updates, largest):
    """Return the maximum (or minimum) of each row and all updates for it."""
    table, targets = _rows(x, indices, updates)
    rows = table.at[targets]
    result = rows.max(updates, mode="drop") if largest else rows.min(updates, mode="drop")
    return result.reshape(x.shape)


def scale_rows(x, indices, updates, divide):
    table, targets = _rows(x, indices, updates)
    if not divide:
        return table.at[targets].multiply(updates, mode="drop").reshape(x.shape)
    # XLA has no scatter that divides: each row is divided by the product of all its divisors.
    updates, order = jnp.asarray(updates), jnp.argsort(targets)
    ordered = targets[order]
    group = jnp.cumsum(jnp.concatenate([jnp.zeros(1, bool), ordered[1:] != ordered[:-1]]))
    products = jnp.ones_like(updates).at[group].multiply(updates[order])[group]
    quotients = _quotient(table.at[ordered].get(mode="fill", fill_value=1), products)
    return table.at[ordered].set(quotients, mode="drop").reshape(x.shape)


def _quotient(x, y):
    if not jnp.issubdtype(x.dtype, jnp.integer):
        return x / y
    result = x // y
    return result + ((result < 0) & (result * y != x)).astype(x.dtype)


def row_number(indices, size, op):
    """Return the indices, with -1 for those that are not in [0, size)."""
    return jnp.where((indices < 0) | (indices >= size), -1, indices)


KERNELS = {
    "set_rows": set_rows,
    "add_rows": add_rows,
    "extreme_rows": extreme_rows,
    "scale_rows": scale_rows,
    "row_number": row_number,
}
