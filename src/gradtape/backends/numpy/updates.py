"""Steps of optimizers in one pass each, written into the arrays of the variables.

The caller owns the arrays: nobody else may hold them. `rate` and the like are numbers of the
arrays' own dtype, so that nothing is computed in another. `squares` are those of the gradient,
where they are not simply its squares: those of rows that are summed are summed after squaring.

The native extension does each of them in one pass, for float32, with the same numbers.
"""

from __future__ import annotations

import numpy as np

from gradtape.backends.extension import extension


def sgd(value, gradient, rate) -> None:
    """value -= rate · gradient"""
    if extension is not None and extension.descend(value, gradient, rate):
        return
    value -= gradient * rate


def sgd_rows(value, rows, indices, rate) -> None:
    """`sgd` for a gradient that is zero except in some rows; repeated ones add."""
    if extension is not None and extension.descend_rows(value, rows, indices, rate):
        return
    _subtract_rows(value, rows * rate, indices)


_MOST_ROUNDS = 4


def _subtract_rows(value, rows, indices) -> None:
    """`np.subtract.at`, which is slow: first all rows that come for the first time, and so on."""
    left = np.arange(indices.size)
    for _ in range(_MOST_ROUNDS):
        if not left.size:
            return
        now, first = np.unique(indices[left], return_index=True)
        value[now] -= rows[left[first]]
        left = np.delete(left, first)
    np.subtract.at(value, indices[left], rows[left])


def momentum(value, moving, gradient, rate, decay, nesterov: bool) -> None:
    """Gradient descent with momentum, as Keras writes it."""
    if extension is not None and extension.momentum(value, moving, gradient, rate, decay, nesterov):
        return
    step = gradient * rate
    moving *= decay
    moving -= step
    if nesterov:
        value += moving * decay - step
    else:
        value += moving


def _squared(gradient, squares):
    """An array to work in, with the squares."""
    return gradient * gradient if squares is None else squares.copy()


def adam(
    value, first, second, gradient, rate, beta_1, beta_2, epsilon, highest=None, squares=None
) -> None:
    """Adam; `rate` includes the correction for the beginning, `highest` is that of AMSGrad."""
    if extension is not None and extension.adam(
        value, first, second, gradient, rate, 1 - beta_1, 1 - beta_2, epsilon, highest, squares
    ):
        return
    work = gradient - first
    work *= 1 - beta_1
    first += work
    if squares is None:
        squares = np.multiply(gradient, gradient, out=work)
    np.subtract(squares, second, out=work)
    work *= 1 - beta_2
    second += work
    if highest is not None:
        second = np.maximum(highest, second, out=highest)
    np.sqrt(second, out=work)
    work += epsilon
    step = first * rate
    step /= work
    value -= step


def rmsprop(value, second, gradient, rate, rho, epsilon, squares=None) -> None:
    """RMSprop without momentum."""
    if extension is not None and extension.rmsprop(
        value, second, gradient, rate, rho, 1 - rho, epsilon, squares
    ):
        return
    work = _squared(gradient, squares)
    work *= 1 - rho
    second *= rho
    second += work
    np.add(second, epsilon, out=work)
    np.sqrt(work, out=work)
    step = gradient * rate
    step /= work
    value -= step


def adagrad(value, total, gradient, rate, epsilon, squares=None) -> None:
    """Adagrad."""
    if extension is not None and extension.adagrad(value, total, gradient, rate, epsilon, squares):
        return
    work = _squared(gradient, squares)
    total += work
    np.add(total, epsilon, out=work)
    np.sqrt(work, out=work)
    step = gradient * rate
    step /= work
    value -= step
