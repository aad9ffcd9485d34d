"""Derivatives beyond gradients: a Jacobian, and a Hessian."""

from __future__ import annotations

from workloads.arrays import normal, size


def jacobian(library):
    w1, w2 = (library.constant(normal(seed, 64, 64, scale=0.125)) for seed in (1, 2))
    step = library.jacobian(
        lambda x: library.tanh(library.reshape(x, (1, 64)) @ w1) @ w2, normal(3, 64)
    )
    return step, 1, size(library)


def hessian(library):
    data = library.constant(normal(1, 500, 200, scale=0.1))

    def function(p):
        scores = data @ library.reshape(p, (200, 1))
        return library.mean(library.softplus(scores)) + 0.01 * library.sum(p * p * p * p)

    step = library.hessian(function, normal(2, 200))
    return step, 1, size(library)
