"""Update steps of optimizers: in place by the native extension, into new arrays by NumPy.

The extension makes a step in one pass, for float32, with the same results. It needs arrays without
other references, which the caller owns, or variables in place of them: then it makes the step only
if one call into C finds them without other references. A function returns True if the extension
made the step, the new arrays, in the order of the old ones, if NumPy did, and False, with nothing
done, if it was given variables and the extension cannot (see `engine/transaction.py`).
`rate` and the like are numbers of the arrays' own dtype, so that nothing is computed in another.
`squares` are the squared gradients, if they are not simply the squares of `gradient`: rows that are
summed are squared first.
"""

from __future__ import annotations

import numpy as np

from gradtape.backends.native.extension import extension


def is_native(array: np.ndarray) -> bool:
    """Return whether the extension makes the steps of arrays like this one."""
    return extension is not None and array.dtype == np.float32


def _natively(name: str, *arguments) -> bool | None:
    """Return True if the extension did it, False if nobody can, None if it is left to NumPy."""
    if extension is not None and extension.in_place(getattr(extension, name), *arguments):
        return True
    return None if isinstance(arguments[0], np.ndarray) else False


def _scaled(gradient, rate, like):
    """Return rate · gradient in the memory order of another array: gradients may be transposed."""
    return np.multiply(gradient, rate, out=np.empty_like(like))


def sgd(value, gradient, rate) -> bool | tuple:
    """Compute value - rate · gradient."""
    done = _natively("descend", value, gradient, rate)
    if done is not None:
        return done
    step = _scaled(gradient, rate, value)
    return (np.subtract(value, step, out=step),)


def momentum(value, moving, gradient, rate, decay, nesterov: bool) -> bool | tuple:
    """Update by gradient descent with momentum, as Keras defines it."""
    done = _natively("momentum", value, moving, gradient, rate, decay, nesterov)
    if done is not None:
        return done
    step = _scaled(gradient, rate, value)
    moving = moving * decay
    moving -= step
    if not nesterov:
        return np.add(value, moving, out=step), moving
    change = moving * decay
    change -= step
    return np.add(value, change, out=change), moving


def adam(
    value, first, second, gradient, rate, beta_1, beta_2, epsilon, highest=None, squares=None
) -> bool | tuple:
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
    first = _averaged(first, gradient, 1 - beta_1, np.empty_like(first))
    new = np.empty_like(second)
    if squares is None:
        squares = np.multiply(gradient, gradient, out=new)
    second = _averaged(second, squares, 1 - beta_2, new)
    moments = [first, second]
    if highest is not None:
        moments.append(np.maximum(highest, second))
    root = np.sqrt(moments[-1])
    root += epsilon
    step = np.multiply(first, rate, out=np.empty_like(value))
    step /= root
    return np.subtract(value, step, out=step), *moments


def _averaged(average, x, share, new):
    """Return the next value of a moving average, average + (x - average) · share, in `new`."""
    np.subtract(x, average, out=new)
    new *= share
    new += average
    return new


def _descended_by_root(value, squares, gradient, rate, epsilon) -> tuple:
    """Return value - rate · gradient / √(squares + epsilon), and the squares."""
    root = squares + epsilon
    np.sqrt(root, out=root)
    step = _scaled(gradient, rate, value)
    step /= root
    return np.subtract(value, step, out=step), squares


def rmsprop(value, second, gradient, rate, rho, epsilon, squares=None) -> bool | tuple:
    """Update by RMSprop without momentum."""
    done = _natively("rmsprop", value, second, gradient, rate, rho, 1 - rho, epsilon, squares)
    if done is not None:
        return done
    second = second * rho
    second += (gradient * gradient if squares is None else squares) * (1 - rho)
    return _descended_by_root(value, second, gradient, rate, epsilon)


def adagrad(value, total, gradient, rate, epsilon, squares=None) -> bool | tuple:
    """Update by Adagrad."""
    done = _natively("adagrad", value, total, gradient, rate, epsilon, squares)
    if done is not None:
        return done
    total = np.add(
        total, gradient * gradient if squares is None else squares, out=np.empty_like(total)
    )
    return _descended_by_root(value, total, gradient, rate, epsilon)
