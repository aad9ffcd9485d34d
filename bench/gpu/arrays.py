"""Sizes, first parameters and data of the programs, as NumPy arrays: all libraries start alike."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np


class Gpt2(NamedTuple):
    """GPT-2 small, at the batch of the measurement."""

    layers: int = 12
    heads: int = 12
    width: int = 768
    vocabulary: int = 50257
    length: int = 512
    batch: int = 16


SMALL_GPT2 = Gpt2(layers=2, heads=2, width=32, vocabulary=101, length=16, batch=2)
ADAM = {"rate": 3e-4, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-8}
CHAIN_SIZE = 2**25  # 33.5 million
SMALL_CHAIN_SIZE = 2**12
MLP_SIZES = (784, 256, 256, 10)
MLP_BATCH = 128


def gpt2_parameters(size: Gpt2) -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    width = size.width

    def normal(*shape):
        return random.standard_normal(shape, np.float32) * np.float32(0.02)

    parameters = {
        "tokens": normal(size.vocabulary, width),
        "positions": normal(size.length, width),
    }
    for i in range(size.layers):
        for norm in ("norm_1", "norm_2"):
            parameters[f"{i}.{norm}.scale"] = np.ones(width, np.float32)
            parameters[f"{i}.{norm}.shift"] = np.zeros(width, np.float32)
        for name, rows, columns in (
            ("qkv", width, 3 * width),
            ("joined", width, width),
            ("up", width, 4 * width),
            ("down", 4 * width, width),
        ):
            parameters[f"{i}.{name}.weights"] = normal(rows, columns)
            parameters[f"{i}.{name}.bias"] = np.zeros(columns, np.float32)
    parameters["norm.scale"] = np.ones(width, np.float32)
    parameters["norm.shift"] = np.zeros(width, np.float32)
    return parameters


def gpt2_data(size: Gpt2) -> tuple[np.ndarray, np.ndarray]:
    """Tokens, and the tokens that follow them."""
    text = np.random.default_rng(1).integers(0, size.vocabulary, (size.batch, size.length + 1))
    text = text.astype(np.int32)
    return np.ascontiguousarray(text[:, :-1]), np.ascontiguousarray(text[:, 1:])


def chain_data(size: int) -> np.ndarray:
    return np.random.default_rng(2).standard_normal(size, np.float32)


def mlp_data() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    images = random.standard_normal((MLP_BATCH, MLP_SIZES[0]), dtype=np.float32)
    return images, random.integers(0, MLP_SIZES[-1], MLP_BATCH).astype(np.int32)


def mlp_parameters() -> dict[str, np.ndarray]:
    random = np.random.default_rng(2)
    parameters = {}
    for i, (fan_in, fan_out) in enumerate(pairwise(MLP_SIZES)):
        weights = random.standard_normal((fan_in, fan_out)) * np.sqrt(2 / fan_in)
        parameters[f"{i}.weights"] = weights.astype(np.float32)
        parameters[f"{i}.bias"] = np.zeros(fan_out, np.float32)
    return parameters
