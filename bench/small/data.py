"""The inputs of the small problems, the same for all libraries."""

from __future__ import annotations

import numpy as np

BATCH, FEATURES, HIDDEN = 32, 128, 128
POINTS, DIMENSIONS, COMPONENTS = 100, 4, 5
RK4_STEPS, RK4_TIME = 200, 5.0
COLLOCATION, WIDTH, VISCOSITY = 64, 16, 0.01


def lstm() -> dict[str, np.ndarray]:
    """Return one step of an LSTM: input, state, target and parameters."""
    r = np.random.default_rng(0)
    arrays = {
        "x": r.standard_normal((BATCH, FEATURES)),
        "h": r.standard_normal((BATCH, HIDDEN)),
        "c": r.standard_normal((BATCH, HIDDEN)),
        "target": r.standard_normal((BATCH, HIDDEN)),
        "w": r.standard_normal((FEATURES, 4 * HIDDEN)) * 0.1,
        "u": r.standard_normal((HIDDEN, 4 * HIDDEN)) * 0.1,
        "b": np.zeros(4 * HIDDEN),
    }
    return {name: array.astype(np.float32) for name, array in arrays.items()}


def rk4() -> dict[str, np.ndarray]:
    """Return predators and prey at the beginning, and the four rates."""
    return {"y": np.array([1.0, 0.5]), "rates": np.array([1.1, 0.4, 0.1, 0.4])}


def gmm() -> dict[str, np.ndarray]:
    """Return points, and the parameters of a mixture of Gaussians, as ADBench has them."""
    r = np.random.default_rng(1)
    return {
        "points": r.standard_normal((POINTS, DIMENSIONS)),
        "alphas": r.standard_normal(COMPONENTS),
        "means": r.standard_normal((COMPONENTS, DIMENSIONS)),
        "logs": r.standard_normal((COMPONENTS, DIMENSIONS)) * 0.1,
        "lower": np.tril(r.standard_normal((COMPONENTS, DIMENSIONS, DIMENSIONS)), -1) * 0.1,
    }


def pinn() -> dict[str, np.ndarray]:
    """Return times and places, and the parameters of a network."""
    r = np.random.default_rng(2)
    sizes = [(2, WIDTH), (WIDTH, WIDTH), (WIDTH, 1)]
    arrays = {
        "t": r.uniform(0, 1, (COLLOCATION, 1)),
        "x": r.uniform(-1, 1, (COLLOCATION, 1)),
    }
    for i, size in enumerate(sizes):
        arrays[f"w{i}"] = r.standard_normal(size) / np.sqrt(size[0])
        arrays[f"b{i}"] = np.zeros(size[1])
    return {name: array.astype(np.float32) for name, array in arrays.items()}
