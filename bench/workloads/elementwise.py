"""Operations on large arrays that move memory more than they compute."""

from __future__ import annotations

import numpy as np

from workloads.arrays import normal, size, whole

ROWS, COLUMNS = 4096, 1024


def _gradients(library, function, parameters, *data):
    step = library.gradients(function, [library.parameter(p) for p in parameters], *data)
    return step, 1, size(library)


def elementwise(library):
    exp, sin, tanh, total = library.exp, library.sin, library.tanh, library.sum

    def function(parameters):
        (x,) = parameters
        return total(exp(-x * x) * sin(3.0 * x) + tanh(x) * x)

    return _gradients(library, function, [normal(1, 1_000_000)])


def bias_gelu(library):
    def function(parameters, upstream):
        x, bias = parameters
        return library.sum(library.gelu(x + bias) * upstream)

    arrays = [normal(1, ROWS, COLUMNS), normal(2, COLUMNS)]
    return _gradients(library, function, arrays, library.constant(normal(3, ROWS, COLUMNS)))


def cross_entropy(library):
    def function(parameters, labels):
        return library.cross_entropy(parameters[0], labels)

    labels = library.constant(whole(2, COLUMNS, ROWS))
    return _gradients(library, function, [normal(1, ROWS, COLUMNS)], labels)


def layer_norm(library):
    def function(parameters, upstream):
        x, scale, shift = parameters
        return library.sum(library.layer_norm(x, scale, shift) * upstream)

    arrays = [normal(1, ROWS, COLUMNS), np.ones(COLUMNS, np.float32), normal(2, COLUMNS)]
    return _gradients(library, function, arrays, library.constant(normal(3, ROWS, COLUMNS)))
