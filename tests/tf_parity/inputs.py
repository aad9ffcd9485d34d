"""Descriptions of the input arrays of a case.

A description is built into an array when a case runs, from a seed that depends only on the name of
the case and of the input. The raw bits of a bit generator are all that is used of `numpy.random`,
because only they are promised to stay the same in every version of NumPy.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

# Random values are multiples of this, so that float32 and float64 cases see the same numbers.
GRID = 2.0**-12


def numpy_dtype(name: str) -> np.dtype:
    """The NumPy dtype of that name; bfloat16 comes from `ml_dtypes`."""
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


class Random:
    """A small source of pseudo-random arrays with a stream that never changes."""

    def __init__(self, *key: str) -> None:
        self._bits = np.random.PCG64(zlib.crc32("/".join(key).encode()))

    def unit(self, shape: tuple[int, ...]) -> np.ndarray:
        """Uniform float64 values in [0, 1)."""
        count = int(np.prod(shape))
        raw = self._bits.random_raw(count) if count else np.zeros(0, np.uint64)
        return ((raw >> np.uint64(11)) * 2.0**-53).reshape(shape)

    def normal(self, shape: tuple[int, ...]) -> np.ndarray:
        """Standard normal float64 values (Box and Muller's method)."""
        radius = np.sqrt(-2.0 * np.log1p(-self.unit(shape)))
        return radius * np.cos(2.0 * np.pi * self.unit(shape))

    def cotangent(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """Multiples of 1/8 between -2 and 2 without 0: exact in every floating dtype."""
        value = self._eighths(shape)
        if dtype.kind == "c":
            value = value + 1j * self._eighths(shape)
        return np.asarray(value, dtype)

    def _eighths(self, shape: tuple[int, ...]) -> np.ndarray:
        step = np.floor(self.unit(shape) * 32.0) - 16.0
        return (step + (step >= 0)) / 8.0


@dataclass(frozen=True)
class Input:
    """How an input array is made: `build` gets a `Random` and gives float64 or complex128."""

    build: Callable[[Random], Any]
    dtype: str

    def array(self, case_name: str, input_name: str) -> np.ndarray:
        value = self.build(Random(case_name, input_name))
        return np.asarray(value).astype(numpy_dtype(self.dtype))


def _grid(value: np.ndarray) -> np.ndarray:
    return np.round(value / GRID) * GRID


def _real_or_complex(dtype: str, make: Callable[[], np.ndarray]) -> np.ndarray:
    value = make()
    return value + 1j * make() if dtype.startswith("complex") else value


def normal(*shape: int, dtype: str = "float32", scale: float = 1.0, shift: float = 0.0) -> Input:
    """Normal values; both parts are normal when the dtype is complex."""

    def build(random: Random) -> np.ndarray:
        part = _real_or_complex(dtype, lambda: _grid(scale * random.normal(shape)))
        return part + shift

    return Input(build, dtype)


def uniform(*shape: int, low: float = 0.0, high: float = 1.0, dtype: str = "float32") -> Input:
    """Values between `low` and `high`."""

    def build(random: Random) -> np.ndarray:
        def part() -> np.ndarray:
            return np.clip(_grid(low + (high - low) * random.unit(shape)), low, high)

        return _real_or_complex(dtype, part)

    return Input(build, dtype)


def positive(*shape: int, dtype: str = "float32") -> Input:
    """Values between 0.3 and 3, away from the singularities at 0."""
    return uniform(*shape, low=0.3, high=3.0, dtype=dtype)


def distribution(*shape: int, axis: int = -1, dtype: str = "float32") -> Input:
    """Probabilities that sum to 1 along an axis."""

    def build(random: Random) -> np.ndarray:
        weights = 0.1 + random.unit(shape)
        return weights / weights.sum(axis, keepdims=True)

    return Input(build, dtype)


def distinct(*shape: int, dtype: str = "float32") -> Input:
    """A random order of evenly spaced values: no ties, no value near another."""

    def build(random: Random) -> np.ndarray:
        count = int(np.prod(shape))
        order = np.argsort(random.unit((count,)), kind="stable")
        return ((order - count // 2) * 0.125 + 0.0625).reshape(shape)

    return Input(build, dtype)


def integers(*shape: int, low: int = 0, high: int = 10, dtype: str = "int32") -> Input:
    """Integers with low <= value < high."""
    return Input(lambda random: np.floor(low + (high - low) * random.unit(shape)), dtype)


def booleans(*shape: int) -> Input:
    """True and false, about half and half."""
    return Input(lambda random: random.unit(shape) < 0.5, "bool")


def array(values: Any, dtype: str = "float32") -> Input:
    """Exactly these values."""
    return Input(lambda random: np.asarray(values), dtype)


def well_conditioned(*shape: int, dtype: str = "float32") -> Input:
    """Square matrices that are safe to invert: strictly dominant diagonals."""

    def build(random: Random) -> np.ndarray:
        size = shape[-1]
        noise = _real_or_complex(dtype, lambda: _grid(random.normal(shape)))
        return noise + 3.0 * np.sqrt(size) * np.eye(size)

    return Input(build, dtype)


def positive_definite(*shape: int, dtype: str = "float32") -> Input:
    """Symmetric (Hermitian) positive definite matrices with separated eigenvalues."""

    def build(random: Random) -> np.ndarray:
        size = shape[-1]
        noise = _real_or_complex(dtype, lambda: random.normal(shape))
        square = noise @ noise.conj().swapaxes(-1, -2)
        return np.round((square + np.diag(1.0 + np.arange(size))) / GRID) * GRID

    return Input(build, dtype)


def symmetric(*shape: int, dtype: str = "float32") -> Input:
    """Symmetric (Hermitian) matrices with separated eigenvalues of both signs."""

    def build(random: Random) -> np.ndarray:
        size = shape[-1]
        noise = _real_or_complex(dtype, lambda: _grid(random.normal(shape)))
        spread = np.diag(2.0 * np.arange(size) - size)
        return (noise + noise.conj().swapaxes(-1, -2)) / 2.0 + spread

    return Input(build, dtype)


def lower_triangular(*shape: int, dtype: str = "float32") -> Input:
    """Lower triangular matrices with a diagonal well away from 0."""

    def build(random: Random) -> np.ndarray:
        noise = _real_or_complex(dtype, lambda: _grid(random.normal(shape)))
        return np.tril(noise, -1) + 2.0 * np.eye(shape[-1]) + np.diag(0.25 * np.arange(shape[-1]))

    return Input(build, dtype)
