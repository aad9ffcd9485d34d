"""Candidate sampling, for losses over very many classes, with TensorFlow's random numbers."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from gradtape.prng.philox import words

_WORDS = 1024  # computed at a time


def _stream(key: int, counter: int) -> Iterator[int]:
    """Yield the words of a generator, one by one."""
    start = 0
    while True:
        yield from words(key, counter + start, _WORDS).tolist()
        start += _WORDS // 4


def _below(limit: int, bits: int, source: Iterator[int]) -> int:
    """Return an unbiased integer below `limit` from 32-bit words, by rejection."""
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
    """Return a sampler of class c with probability proportional to log((c + 2) / (c + 1))."""
    log_range = math.log1p(limit)

    def sample(source: Iterator[int]) -> int:
        high, low = next(source) & 0xFFFFF, next(source)
        uniform = (high << 32 | low) * 2.0**-52
        return (int(math.exp(uniform * log_range)) - 1) % limit

    def probability(c: NDArray[np.int64]) -> NDArray[np.float32]:
        return (np.log((c + 2.0) / (c + 1.0)) / log_range).astype(np.float32)

    return sample, probability


def _fixed(weights: tuple[float, ...]) -> Sampler:
    """Return a sampler of weighted classes, by Walker's alias method: a bucket, then a coin."""
    count = len(weights)
    singles = np.array(weights, np.float32)
    total = np.float32(0)
    for weight in singles:  # in this order and precision, as in TensorFlow
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


def _learned(limit: int, met: tuple[tuple[int, int], ...]) -> Sampler:
    """Return a sampler of classes in proportion to how often each was met, plus one.

    A number below the sum of all counts falls into a class; classes never met take one number each,
    so that only the others, in `met`, are looked through.
    """
    classes, counts = np.array(met, np.int64).reshape(-1, 2).T
    before = np.cumsum(counts) - counts  # of the classes below each
    starts = classes + before
    lasts = starts + counts
    total = limit + int(counts.sum())

    def sample(source: Iterator[int]) -> int:
        value = _below(total, 32, source)
        i = int(np.searchsorted(lasts, value))
        if i == len(classes):
            return value - int(counts.sum())
        return int(classes[i]) if value >= starts[i] else value - int(before[i])

    def probability(c: NDArray[np.int64]) -> NDArray[np.float32]:
        known = dict(met)
        times = np.array([1 + known.get(n, 0) for n in c.reshape(-1).tolist()], np.float32)
        return times.reshape(c.shape) / np.float32(total)

    return sample, probability


def candidates(
    key: int,
    counter: int,
    true_classes: NDArray[np.int64],
    sampled: int,
    unique: bool,
    limit: int,
    weights: tuple[float, ...] | str,
    met: tuple[tuple[int, int], ...],
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
    """Return `sampled` classes below `limit`, and the expected counts of true and sampled classes.

    `weights` are those of the classes, or the name of a distribution. The learned one depends on
    `met`: pairs of a class and how often it has occurred.
    """
    by_name = {"uniform": _uniform, "log_uniform": _log_uniform}
    if weights == "learned":
        sample, probability = _learned(limit, met)
    elif isinstance(weights, str):
        sample, probability = by_name[weights](limit)
    else:
        sample, probability = _fixed(weights)
    source = _stream(key, counter)
    ids = np.empty(sampled, np.int64)  # before anything is drawn: there may be no memory for it
    tries, drawn, taken = 0, 0, set()
    while drawn < sampled:
        tries += 1
        value = sample(source)
        if unique and value in taken:
            continue
        if unique:
            taken.add(value)
        ids[drawn] = value
        drawn += 1

    def expected(classes: NDArray[np.int64]) -> NDArray[np.float32]:
        p = probability(classes)
        if tries == sampled:
            return p * np.float32(sampled)
        # The probability that a class is among `tries` independent draws.
        return -np.expm1(np.float32(tries) * np.log1p(-p))

    return ids, expected(true_classes), expected(ids)
