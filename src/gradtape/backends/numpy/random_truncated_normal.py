"""TensorFlow's normal distribution between bounds, with parameters for each output."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradtape.prng.philox import (
    CHUNK,
    c_library,
    log_float32,
    normal_float32,
    normal_float64,
    philox,
    uniform_float32,
    uniform_float64,
)


class _Blocks:
    """Consecutive blocks read as uniforms or normals, computed a window at a time."""

    def __init__(self, key: int, counter: int, dtype: np.dtype[Any]) -> None:
        self._key = key
        self._counter = counter
        double = dtype == np.float64
        self.per_block = 2 if double else 4
        self._convert: dict[str, Callable[[NDArray[np.uint64]], NDArray[Any]]] = {
            "uniform": uniform_float64 if double else uniform_float32,
            "normal": normal_float64 if double else normal_float32,
        }
        self._first = 0
        self._words = np.empty((4, 0), np.uint64)
        self._values: dict[str, NDArray[Any]] = {}

    def read(self, kind: str, first: int, count: int) -> NDArray[Any]:
        """Return the values of blocks first .. first + count, as (count, values of a block)."""
        if first < self._first or first + count > self._first + self._words.shape[1]:
            offsets = np.arange(first, first + max(count, 1024), dtype=np.uint64)
            self._first, self._words = first, philox(self._key, self._counter, offsets)
            self._values.clear()
        if kind not in self._values:
            self._values[kind] = self._convert[kind](self._words).T
        return self._values[kind][first - self._first : first - self._first + count]


def parameterized_truncated_normal(
    key: int,
    counter: int,
    mean: NDArray[Any],
    stddev: NDArray[Any],
    low: NDArray[Any],
    high: NDArray[Any],
    samples: int,
) -> NDArray[Any]:
    """Draw normals of mean and stddev inside [low, high], shape (samples, *parameters' shape).

    The four parameters have one shape and one dtype. All sets of parameters read one sequence of
    blocks, each starting where the one before stopped, so they are processed one after the other.
    float16 and bfloat16 are drawn in float32.
    """
    dtype = mean.dtype
    working = np.dtype(np.float64 if dtype == np.float64 else np.float32)
    parameters = [each.astype(working).reshape(-1) for each in (mean, stddev, low, high)]
    means, stddevs, lows, highs = parameters
    bounded = np.isfinite(lows) | np.isfinite(highs)
    if not ((stddevs > 0) & (lows < highs) & bounded).all():
        raise ValueError(
            "parameterized_truncated_normal: needs stddevs > 0 and minvals < maxvals, "
            "of which at least one is finite"
        )
    # The tail nearer to the mean comes first, by a reflection if need be.
    reflected = np.isneginf(lows) | (highs < means)
    lows, highs = np.where(reflected, highs, lows), np.where(reflected, lows, highs)
    stddevs = np.where(reflected, -stddevs, stddevs)
    out = np.empty((means.size, samples), working)
    blocks = _Blocks(key, counter, working)
    position = 0
    with np.errstate(all="ignore"):
        lows, highs = (lows - means) / stddevs, (highs - means) / stddevs
        roots = np.sqrt(lows * lows + 4)
        cuts = 2 * _exp(lows * (lows - roots) / 4 + working.type(0.5)) / (lows + roots)
        by_normals = ((lows < -1.3) & (highs >= 0)) | ((highs > 1.3) & (lows <= 0))
        by_uniforms = ~by_normals & (highs - lows < cuts)
        for row, (low_, high_) in enumerate(zip(lows, highs, strict=True)):
            if by_normals[row]:
                trial = partial(_normal_trial, blocks, low_, high_)
            elif by_uniforms[row]:
                trial = partial(_uniform_trial, blocks, low_, high_)
            else:
                trial = partial(_exponential_trial, blocks, low_, high_)
            position = _fill_by_trials(trial, 2 if by_uniforms[row] else 1, position, out[row])
        out = out * stddevs[:, None] + means[:, None]
    return out.T.reshape(samples, *mean.shape).astype(dtype)


# Rounds without a number that is accepted, of which each is accepted with some likelihood.
_MAX_FRUITLESS = 1000

Trial = Callable[[int, int], tuple[NDArray[Any], NDArray[Any]]]


def _fill_by_trials(trial: Trial, blocks_of_trial: int, position: int, out: NDArray[Any]) -> int:
    """Fill `out` with accepted candidates; return the position after the last block used.

    `trial(position, count)` makes `count` trials and returns two arrays (count, candidates of a
    trial): the candidates, and whether each is accepted.
    """
    filled = fruitless = 0
    while filled < out.size:
        if fruitless == _MAX_FRUITLESS:
            raise ValueError(
                "parameterized_truncated_normal: no number was found between the bounds: means "
                "and stddevs must be finite, and not too large or small for them"
            )
        candidates, accepted = trial(position, min((out.size - filled) // 2 + 2, CHUNK // 2))
        kept = np.flatnonzero(accepted)[: out.size - filled]
        out[filled : filled + kept.size] = candidates.reshape(-1)[kept]
        filled += kept.size
        fruitless = 0 if kept.size else fruitless + 1
        complete = filled == out.size and kept.size
        trials = int(kept[-1]) // candidates.shape[1] + 1 if complete else len(candidates)
        position += trials * blocks_of_trial
    return position


def _normal_trial(
    blocks: _Blocks, low: Any, high: Any, position: int, trials: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    z = blocks.read("normal", position, trials)
    return z, (z >= low) & (z <= high)


def _uniform_trial(
    blocks: _Blocks, low: Any, high: Any, position: int, trials: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    pairs = blocks.read("uniform", position, 2 * trials)
    z = pairs[0::2] * (high - low) + low
    peak = low * low if low >= 0 else low.dtype.type(0)
    return z, pairs[1::2] <= _exp((peak - z * z) / 2)


def _exponential_trial(
    blocks: _Blocks, low: Any, high: Any, position: int, trials: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    values = blocks.read("uniform", position, trials)
    alpha = (low + np.sqrt(low * low + 4)) / 2
    z = -_log(values[:, 0::2]) / alpha + low
    x = alpha - z if low < alpha else low - alpha
    return z, (values[:, 1::2] <= _exp(-x * x / 2)) & (z < high)


def _exp(x: NDArray[Any]) -> NDArray[Any]:
    return np.exp(x.astype(np.float64)).astype(x.dtype)


def _log(x: NDArray[Any]) -> NDArray[Any]:
    logarithm = c_library("log") if x.dtype == np.float64 else log_float32
    smallest = x.dtype.type(2.0**-52 if x.dtype == np.float64 else 2.0**-23)
    return np.where(x > 0, logarithm(np.maximum(x, smallest)), x.dtype.type(-np.inf))
