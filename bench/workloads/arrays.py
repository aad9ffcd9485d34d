"""Data and weights as NumPy arrays: every library starts from the same."""

from __future__ import annotations

import numpy as np


def normal(seed: int, *shape: int, scale: float = 1.0) -> np.ndarray:
    """Normally distributed float32 numbers."""
    values = np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
    return values * np.float32(scale)


def whole(seed: int, high: int, *shape: int) -> np.ndarray:
    """Whole numbers below `high`."""
    return np.random.default_rng(seed).integers(0, high, shape, dtype=np.int32)


def weights(seed: int, *shape: int) -> np.ndarray:
    """Weights in the size that He et al. advise for the number of inputs."""
    return normal(seed, *shape, scale=float(np.sqrt(2 / np.prod(shape[:-1]))))


def number(library):
    """How to make a number of a scalar."""
    return lambda value: float(library.numpy(value))


def size(library):
    """How to make a number of gradients: the sum of their absolute values."""

    def of(gradients) -> float:
        several = gradients if isinstance(gradients, (list, tuple)) else [gradients]
        return float(sum(np.abs(library.numpy(g).astype(np.float64)).sum() for g in several))

    return of
