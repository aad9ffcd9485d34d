"""Update steps of optimizers in one pass each, in place in the arrays of the variables.

The caller owns the arrays: there must be no other references. Variables may be passed in place of
their arrays: then the step is made only if one call into C can do it and there are no other
references, and otherwise the function does nothing and returns False (see `engine/transaction.py`).
`rate` and the like are numbers of the arrays' own dtype, so that nothing is computed in another.
`squares` are the squared gradients, if they are not simply the squares of `gradient`: rows that are
summed are squared first.

The native extension does each of them in one pass, for float32, with the same results.
"""

from __future__ import annotations

import numpy as np

from gradtape.backends.native.extension import extension


def _natively(name: str, *arguments) -> bool | None:
    """Return True if the extension did it, False if nobody can, None if it is left to NumPy."""
    if extension is not None and extension.in_place(getattr(extension, name), *arguments):
        return True
    return None if isinstance(arguments[0], np.ndarray) else False


def sgd(value, gradient, rate) -> bool:
    """Compute value -= rate · gradient."""
    done = _natively("descend", value, gradient, rate)
    if done is not None:
        return done
    value -= gradient * rate
    return True


def momentum(value, moving, gradient, rate, decay, nesterov: bool) -> bool:
    """Update by gradient descent with momentum, as Keras defines it."""
    done = _natively("momentum", value, moving, gradient, rate, decay, nesterov)
    if done is not None:
        return done
    step = gradient * rate
    moving *= decay
    moving -= step
    if nesterov:
        value += moving * decay - step
    else:
        value += moving
    return True


def _squared(gradient, squares):
    """Return a new array with the squares."""
    return gradient * gradient if squares is None else squares.copy()


def adam(
    value, first, second, gradient, rate, beta_1, beta_2, epsilon, highest=None, squares=None
) -> bool:
    """Update by Adam; `rate` includes the bias correction, `highest` is the maximum of AMSGrad."""
    done = _natively(
        "adam",
        value,
        first,
        second,
        gradient,
        rate,
        1 - beta_1,
        1 - beta_2,
        epsilon,
        highest,
        squares,
    )
    if done is not None:
        return done
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
    return True


def _descend_by_root(value, squares, gradient, rate, epsilon, work) -> bool:
    """Compute value -= rate · gradient / √(squares + epsilon)."""
    np.add(squares, epsilon, out=work)
    np.sqrt(work, out=work)
    step = gradient * rate
    step /= work
    value -= step
    return True


def rmsprop(value, second, gradient, rate, rho, epsilon, squares=None) -> bool:
    """Update by RMSprop without momentum."""
    done = _natively("rmsprop", value, second, gradient, rate, rho, 1 - rho, epsilon, squares)
    if done is not None:
        return done
    work = _squared(gradient, squares)
    work *= 1 - rho
    second *= rho
    second += work
    return _descend_by_root(value, second, gradient, rate, epsilon, work)


def adagrad(value, total, gradient, rate, epsilon, squares=None) -> bool:
    """Update by Adagrad."""
    done = _natively("adagrad", value, total, gradient, rate, epsilon, squares)
    if done is not None:
        return done
    work = _squared(gradient, squares)
    total += work
    return _descend_by_root(value, total, gradient, rate, epsilon, work)
