"""The inputs of the small problems, the same for all libraries."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

BATCH, FEATURES, HIDDEN = 32, 128, 128
POINTS, DIMENSIONS, COMPONENTS = 100, 4, 5
RK4_STEPS, RK4_TIME = 200, 5.0
COLLOCATION, WIDTH, VISCOSITY = 64, 16, 0.01
LOOP_STEPS = 10
CHARACTERS, BITS, LAYERS = 256, 14, 2
OBSERVATIONS = 500
FINGERS, BONES, VERTICES = 5, 3, 8
SAMPLES, NOISE = 48, 0.1
PARAMETERS, DESCENTS, HISTORY = 10, 40, 5
MASSES, MASS_STEPS = 16, 8


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


def characters() -> dict[str, np.ndarray]:
    """Return a text in bits, and the parameters of ADBench's LSTM, whose weights are vectors."""
    r = np.random.default_rng(3)
    return {
        "text": (r.random((CHARACTERS, BITS)) < 0.5).astype(np.float64),
        "weights": r.standard_normal((LAYERS, 2, 4, BITS)) * 0.5,
        "ends": r.standard_normal((3, BITS)) * 0.5,
    }


def bundle() -> dict[str, np.ndarray]:
    """Return for each observation a camera, a point and a weight in a row, and what was seen."""
    r = np.random.default_rng(4)
    camera = r.standard_normal((OBSERVATIONS, 11)) * 0.1 + np.repeat([0, 1, 0], [6, 1, 4])
    point = r.normal([0, 0, 5], 1, (OBSERVATIONS, 3))
    weight = r.uniform(0.5, 1, (OBSERVATIONS, 1))
    seen = r.standard_normal((OBSERVATIONS, 2))
    return {"rows": np.concatenate([camera, point, weight], 1), "seen": seen}


def hand() -> dict[str, np.ndarray]:
    """Return the angles of the joints of a hand, and the vertices that its bones carry."""
    r = np.random.default_rng(5)
    return {
        "angles": r.standard_normal((FINGERS, BONES, 3)) * 0.3,
        "vertices": r.standard_normal((FINGERS, BONES, VERTICES, 3)) * 0.1,
    }


def process() -> dict[str, np.ndarray]:
    """Return samples of a function, and logarithms of scale and height of a Gaussian process."""
    r = np.random.default_rng(6)
    x = np.sort(r.uniform(-3, 3, SAMPLES))[:, None]
    return {"x": x, "y": np.sin(2 * x), "logs": np.array([0.1, -0.2])}


def rosenbrock() -> dict[str, np.ndarray]:
    """Return where a descent into Rosenbrock's valley begins."""
    return {"x": np.random.default_rng(7).standard_normal(PARAMETERS)}


def masses() -> dict[str, np.ndarray]:
    """Return a chain of masses on springs: where they are, and how stiff the springs are."""
    r = np.random.default_rng(8)
    return {
        "x": r.standard_normal(MASSES) * 0.1,
        "stiffness": r.uniform(0.5, 2.0, MASSES + 1),
    }


def descend(value_and_gradient: Callable, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Minimize a function by L-BFGS with steps that are halved; return the end and its gradient."""
    pairs: list[tuple[np.ndarray, np.ndarray]] = []
    value, gradient = value_and_gradient(x)
    for _ in range(DESCENTS):
        direction, factors = -gradient, []
        for s, y in reversed(pairs):
            factors.append(s @ direction / (s @ y))
            direction = direction - factors[-1] * y
        if pairs:
            s, y = pairs[-1]
            direction = direction * (s @ y / (y @ y))
        for (s, y), factor in zip(pairs, reversed(factors), strict=True):
            direction = direction + (factor - y @ direction / (s @ y)) * s
        rate, slope = (1.0 if pairs else 1e-3), gradient @ direction
        while True:
            new = x + rate * direction
            new_value, new_gradient = value_and_gradient(new)
            if new_value <= value + 1e-4 * rate * slope or rate < 1e-10:
                break
            rate /= 2
        if (new - x) @ (new_gradient - gradient) > 1e-12:
            pairs = [*pairs[1 - HISTORY :], (new - x, new_gradient - gradient)]
        x, value, gradient = new, new_value, new_gradient
    return x, gradient
