"""What an operation costs when there is nothing to compute: scalars, short vectors, long loops."""

from __future__ import annotations

import numpy as np

from workloads.arrays import normal, number, size


def square(library):
    step = library.scalar(lambda x: x**2, 3.0)
    return step, 1, number(library)


def chain(library):
    sin = library.sin

    def function(x):
        y = x
        for _ in range(50):  # four operations each time
            y = sin((y * 1.1 + 0.3) * x)
        return y

    step = library.scalar(function, 0.7)
    return step, 1, number(library)


def vector_chain(library):
    tanh, total = library.tanh, library.sum

    def function(parameters):
        (x,) = parameters
        y = x
        for _ in range(6):  # four operations each time, and a sum
            y = tanh(y * 1.1 + 0.1) * x
        return total(y)

    step = library.gradients(function, [library.parameter(normal(1, 1000))])
    return step, 1, size(library)


def loop(library):
    sin = library.sin
    run = library.loop(lambda y, x: sin(y) * 1.001 + x * 0.001, 10_000)
    step = library.scalar(run, np.float32(0.5).item())
    return step, 1, number(library)
