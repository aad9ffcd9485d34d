"""Random numbers. They are compared with TensorFlow's elsewhere; here are their rules."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.ops.random import gamma_slope
from tests.ops.harness import Case, random

SEED = np.array([3, 4])
FLOAT64, INT32 = np.dtype(np.float64), np.dtype(np.int32)
POSITIVE = random(2, 3, low=0.5, high=3.0)


def _from_seed(draw):
    """A case function of a seed, so that batching maps over seeds."""
    return lambda seed, *args: draw(ops.seed_state(seed), *args)


def _bounded(state, mean, stddev, low, high):
    return ops.random_bounded_normal(state, mean, stddev, low, high, 4)


# Draws are steps of a rejection method: their derivatives, where they have some, are those of the
# distribution, which no differences of draws can show.
CASES = [
    *[
        Case(
            f"random {kind}",
            _from_seed(lambda state, kind=kind: ops.random_numbers(state, kind, (2, 3), FLOAT64)),
            [SEED],
            order=0,
        )
        for kind in ("uniform", "normal", "truncated_normal")
    ],
    Case(
        "random integers of all bits",
        _from_seed(lambda state: ops.random_numbers(state, "integers", (5,), INT32)),
        [SEED],
        order=0,
    ),
    Case(
        "random integers",
        _from_seed(lambda state, low, high: ops.random_integers(state, low, high, (2, 3), INT32)),
        [SEED, np.int32(-2), np.int32(9)],
        order=0,
    ),
    Case(
        "random permutation",
        _from_seed(lambda state: ops.random_permutation(state, 7)),
        [SEED],
        order=0,
    ),
    Case(
        "random categorical",
        _from_seed(lambda state, x: ops.random_categorical(state, x, 5, INT32)),
        [SEED, random(2, 3)],
        order=0,
    ),
    Case(
        "random poisson",
        _from_seed(lambda state, x: ops.random_poisson(state, x, 4, INT32)),
        [SEED, 9 * POSITIVE],
        order=0,
    ),
    Case(
        "random binomial",
        _from_seed(lambda state, n, p: ops.random_binomial(state, n, p, 4, INT32)),
        [SEED, 20 * POSITIVE, random(3, low=0.2, high=0.8)],
        order=0,
    ),
    Case(
        "random gamma",
        _from_seed(lambda state, x: ops.random_gamma(state, x, 4)),
        [SEED, POSITIVE],
        order=0,
    ),
    Case(
        "random gamma by alpha",
        gamma_slope,
        [POSITIVE, random(2, 3, seed=1, low=0.3, high=4)],
        rtol=1e-5,
    ),
    Case(
        "random gamma by large alpha",
        gamma_slope,
        [np.array([2e6, 3e6]), np.array([2.001e6, 2.999e6])],
        low_precision=False,
        step=1.0,
    ),
    Case(
        "random bounded normal",
        _from_seed(_bounded),
        [SEED, random(3), random(3, low=1.0, high=2.0), random(3) - 2.0, random(3) + 2.0],
        order=0,
    ),
    Case(
        "random candidates",
        _from_seed(lambda state, c: ops.random_candidates(state, c, 5, True, 9, "log_uniform")),
        [SEED, np.array([[1, 2], [0, 8]])],
        order=0,
    ),
    Case(
        "index shuffle",
        lambda seed: ops.index_shuffle(ops.to_tensor([0, 3, 5]), seed, ops.to_tensor(9)),
        [np.array([1, 2, 3])],
        order=0,
    ),
]
