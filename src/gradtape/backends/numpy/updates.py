"""Steps of optimizers in one pass each, written into the arrays of the variables.

The caller owns the arrays: nobody else may hold them. `rate` and the like are numbers of the
arrays' own dtype, so that nothing is computed in another.
"""

from __future__ import annotations

import numpy as np


def sgd(value, gradient, rate) -> None:
    """value -= rate · gradient"""
    value -= gradient * rate


def sgd_rows(value, rows, indices, rate) -> None:
    """`sgd` for a gradient that is zero except in some rows; repeated ones add."""
    np.subtract.at(value, indices, rows * rate)


def momentum(value, moving, gradient, rate, decay, nesterov: bool) -> None:
    """Gradient descent with momentum, as Keras writes it."""
    step = gradient * rate
    moving *= decay
    moving -= step
    if nesterov:
        value += moving * decay - step
    else:
        value += moving


def adam(value, first, second, gradient, rate, beta_1, beta_2, epsilon, highest=None) -> None:
    """Adam; `rate` includes the correction for the beginning, `highest` is that of AMSGrad."""
    work = gradient - first
    work *= 1 - beta_1
    first += work
    np.multiply(gradient, gradient, out=work)
    work -= second
    work *= 1 - beta_2
    second += work
    if highest is not None:
        second = np.maximum(highest, second, out=highest)
    np.sqrt(second, out=work)
    work += epsilon
    step = first * rate
    step /= work
    value -= step


def rmsprop(value, second, gradient, rate, rho, epsilon) -> None:
    """RMSprop without momentum."""
    work = gradient * gradient
    work *= 1 - rho
    second *= rho
    second += work
    np.add(second, epsilon, out=work)
    np.sqrt(work, out=work)
    step = gradient * rate
    step /= work
    value -= step


def adagrad(value, total, gradient, rate, epsilon) -> None:
    """Adagrad."""
    work = gradient * gradient
    total += work
    np.add(total, epsilon, out=work)
    np.sqrt(work, out=work)
    step = gradient * rate
    step /= work
    value -= step
