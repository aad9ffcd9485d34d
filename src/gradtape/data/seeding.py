"""Random numbers of pipelines: TensorFlow's, from the same seeds."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from gradtape import ops
from gradtape.backends.numpy.random import philox_block, words
from gradtape.core.convert import static_value

_FIRST_CHUNK, _LARGEST_CHUNK = 64, 16384


def random_words(key: int, high: int) -> Iterator[int]:
    """The 32-bit words of a generator, one at a time and without end."""
    block, count = 0, _FIRST_CHUNK
    while True:
        yield from words(key, (high << 64) + block, count).tolist()
        block += count // 4
        count = min(2 * count, _LARGEST_CHUNK)


class SeedStream:
    """Where a shuffle takes its seeds from: one pair for each pass over the data.

    A pipeline that is `fresh` each time takes the pairs from a sequence of its own, which all
    iterators over the dataset continue; otherwise all passes get the same pair.
    """

    def __init__(self, seed, fresh: bool) -> None:
        pair = ops.SEEDS.op_seeds(None if seed is None else int(static_value(seed)))
        self._pair = pair or (secrets.randbits(31), secrets.randbits(31))
        self._fresh = fresh
        self._drawn = 0

    def next_pair(self) -> tuple[int, int]:
        """The seeds of the next pass."""
        if not self._fresh:
            return self._pair
        key, high = self._pair
        block = philox_block(key, (high << 64) + self._drawn // 2)
        first = 2 * (self._drawn % 2)
        self._drawn += 1
        return block[first], block[first + 1]

    @property
    def state(self) -> tuple[int, int, int]:
        """All that decides the seeds to come, as three integers."""
        return (*self._pair, self._drawn)

    @state.setter
    def state(self, values) -> None:
        first, second, drawn = (int(value) for value in values)
        self._pair, self._drawn = (first, second), drawn
