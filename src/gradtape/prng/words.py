"""The words of a Philox generator one after the other, and numbers made of them."""

from __future__ import annotations

import numpy as np

from gradtape.prng.philox import philox_block


class Words:
    """32-bit words of a Philox generator."""

    def __init__(self, key: int, counter: int) -> None:
        self._key, self._counter = key, counter
        self._words: list[int] = []

    def word(self) -> int:
        """Return the next word."""
        if not self._words:
            self._words = list(philox_block(self._key, self._counter))[::-1]
            self._counter += 1
        return self._words.pop()

    def take(self, count: int) -> list[int]:
        """Return words from a new block on; the rest of the last one is skipped."""
        self._words = []
        words = [self.word() for _ in range(count)]
        self._words = []
        return words

    def unit(self) -> np.float32:
        """Return a float32 in [0, 1): 23 of a word's bits."""
        return np.uint32(self.word() & 0x7FFFFF | 0x3F800000).view(np.float32) - np.float32(1)

    def below(self, n: int) -> int:
        """Return an integer in [0, n), without bias: words that would cause one are rejected."""
        if n & (n - 1) == 0:
            return self.word() & (n - 1) if n else self.word() * 0
        rest = 0xFFFFFFFF % n + 1
        while (word := self.word()) < rest:
            pass
        return word % n
