"""Candidate classes for losses over very many classes, drawn as TensorFlow draws them."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from gradtape.backends.numpy.random_philox import words

_WORDS = 1024  # made at a time


def _stream(key: int, counter: int) -> Iterator[int]:
    """The words of a generator, one by one."""
    start = 0
    while True:
        yield from words(key, counter + start, _WORDS).tolist()
        start += _WORDS // 4


def _below(limit: int, bits: int, source: Iterator[int]) -> int:
    """An integer below `limit` from words of 32 bits; those that would favour some are dropped."""
    while True:
        value = next(source)
        if bits == 64:
            value |= next(source) << 32
        if not limit & (limit - 1):
            return value & (limit - 1)
        if value >= (1 << bits) % limit:
            return value % limit


# How to draw a class, and the probabilities of classes.
Sampler = tuple[Callable[[Iterator[int]], int], Callable[[NDArray[np.int64]], NDArray[np.float32]]]


def _uniform(limit: int) -> Sampler:
    probability = np.float32(1.0 / limit)
    return lambda source: _below(limit, 64, source), lambda c: np.full(c.shape, probability)


def _log_uniform(limit: int) -> Sampler:
    """Class c with a probability in proportion to log((c + 2) / (c + 1))."""
    log_range = math.log1p(limit)

    def sample(source: Iterator[int]) -> int:
        high, low = next(source) & 0xFFFFF, next(source)
        uniform = (high << 32 | low) * 2.0**-52
        return (int(math.exp(uniform * log_range)) - 1) % limit

    def probability(c: NDArray[np.int64]) -> NDArray[np.float32]:
        return (np.log((c + 2.0) / (c + 1.0)) / log_range).astype(np.float32)

    return sample, probability


def _fixed(weights: tuple[float, ...]) -> Sampler:
    """Classes with given weights, by Walker's alias method: one bucket, and one coin for it."""
    count = len(weights)
    singles = np.array(weights, np.float32)
    total = np.float32(0)
    for weight in singles:  # in this order and precision, as TensorFlow
        total += weight
    sum_of_weights = sum(singles.astype(float).tolist())
    share = [float(w * np.float32(count)) / sum_of_weights for w in singles]
    other = [-1] * count
    low = [i for i in range(count) if share[i] < 1.0]
    high = [i for i in range(count) if share[i] >= 1.0]
    while high and low:
        short, tall = low.pop(), high.pop()
        other[short] = tall
        share[tall] -= 1.0 - share[short]
        (low if share[tall] < 1.0 else high).append(tall)
    for i in (*high, *low):
        share[i], other[i] = 1.0, i
    coins = np.array(share, np.float32).tolist()

    def sample(source: Iterator[int]) -> int:
        coin = (next(source) & 0x7FFFFF) * 2.0**-23
        bucket = _below(count, 32, source)
        return bucket if coin < coins[bucket] else other[bucket]

    return sample, lambda c: singles[c] / total


def _counted(counts: tuple[int, ...] | tuple[float, ...]) -> Sampler:
    """Classes in proportion to counts: the one in which a number below their sum falls."""
    ends = np.cumsum(counts)
    total = int(ends[-1])
    shares = (np.array(counts, np.float32) / np.float32(total)).astype(np.float32)

    def sample(source: Iterator[int]) -> int:
        return int(np.searchsorted(ends, _below(total, 32, source), side="right"))

    return sample, lambda c: shares[c]


def candidates(
    key: int,
    counter: int,
    true_classes: NDArray[np.int64],
    sampled: int,
    unique: bool,
    limit: int,
    weights: tuple[int, ...] | tuple[float, ...] | str,
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
    """`sampled` classes below `limit`, and how often each true and drawn class is to be expected.

    `weights` are those of the classes (integers: how often each was met), or the name of a
    distribution.
    """
    by_name = {"uniform": _uniform, "log_uniform": _log_uniform}
    if isinstance(weights, str):
        sample, probability = by_name[weights](limit)
    else:
        sample, probability = (_counted if isinstance(weights[0], int) else _fixed)(weights)
    source = _stream(key, counter)
    drawn: list[int] = []
    tries, met = 0, set()
    while len(drawn) < sampled:
        tries += 1
        value = sample(source)
        if not unique or value not in met:
            met.add(value)
            drawn.append(value)
    found = np.array(drawn, np.int64)

    def expected(classes: NDArray[np.int64]) -> NDArray[np.float32]:
        p = probability(classes)
        if tries == sampled:
            return p * np.float32(sampled)
        # That a class is among `tries` independent draws.
        return -np.expm1(np.float32(tries) * np.log1p(-p))

    return found, expected(true_classes), expected(found)
