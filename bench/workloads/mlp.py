"""The network of the MLP workload as plain NumPy arrays: every library starts from the same."""

from itertools import pairwise

import numpy as np

SIZES = (784, 256, 256, 10)
BATCH = 128
LEARNING_RATE = 0.05
CHECKED_STEPS = 20


def data() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    images = random.standard_normal((BATCH, SIZES[0]), dtype=np.float32)
    return images, random.integers(0, SIZES[-1], BATCH)


def parameters() -> list[np.ndarray]:
    random = np.random.default_rng(2)
    arrays = []
    for fan_in, fan_out in pairwise(SIZES):
        weights = random.standard_normal((fan_in, fan_out)) * np.sqrt(2 / fan_in)
        arrays += [weights.astype(np.float32), np.zeros(fan_out, np.float32)]
    return arrays
