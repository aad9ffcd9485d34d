"""Steps that are all memory: a large embedding of which few rows change, and Adam."""

from __future__ import annotations

from workloads.arrays import normal, number, size, whole


def embedding(library):
    def loss(rows, targets):
        return library.mean(library.square(rows - targets))

    table = library.parameter(normal(1, 50_000, 256))
    indices = library.constant(whole(2, 50_000, 4096))
    targets = library.constant(normal(3, 4096, 256))
    step = library.sparse_train(loss, table, 1000.0, indices, targets)
    return step, 3, number(library)


def adam(library):
    parameters = [library.parameter(normal(seed, 1_000_000)) for seed in range(10)]
    gradients = [library.constant(normal(100 + seed, 1_000_000)) for seed in range(10)]
    step = library.adam(parameters, gradients, 0.01)
    return step, 3, size(library)
