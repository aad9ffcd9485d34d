"""Random numbers of pipelines: TensorFlow's, from the same seeds."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from weakref import WeakKeyDictionary

from gradtape import ops
from gradtape.backends.numpy.random import philox_block, words
from gradtape.core.convert import static_value
from gradtape.core.seeds import FunctionSeeds, StatefulSeeds
from gradtape.engine.device import on_host

_FIRST_CHUNK, _LARGEST_CHUNK = 64, 16384


def random_words(key: int, high: int) -> Iterator[int]:
    """The 32-bit words of a generator, one at a time and without end."""
    block, count = 0, _FIRST_CHUNK
    while True:
        yield from words(key, (high << 64) + block, count).tolist()
        block += count // 4
        count = min(2 * count, _LARGEST_CHUNK)


# By function, the draws of the pass over the data that is under way: all repetitions are one pass.
PASS: ContextVar[WeakKeyDictionary | None] = ContextVar("dataset_pass", default=None)


def new_pass() -> WeakKeyDictionary:
    """The draws of a pass over a dataset that begins."""
    return WeakKeyDictionary()


def in_pass(draws: WeakKeyDictionary, function: Callable, *args):
    """What a function gives as a part of a pass."""
    token = PASS.set(draws)
    try:
        return on_host(function, *args)
    finally:
        PASS.reset(token)


class Drawing:
    """A function that a step calls on elements: it draws random numbers as a traced one does.

    The seeds are those of the time when the step was made; each pass over the data draws the same.
    """

    def __init__(self, function: Callable) -> None:
        self._function = function
        self._seed = ops.SEEDS.global_seed

    def __call__(self, *args):
        """The function, outside of any pass."""
        return self._function(*args)

    def in_this_pass(self) -> Callable:
        """The function for the elements of the pass that is under way."""
        draws = PASS.get()
        found = None if draws is None else draws.get(self)
        if found is None:
            own = StatefulSeeds()
            own.set_seed(self._seed)
            found = FunctionSeeds(own)
            if draws is not None:
                draws[self] = found
        return found.calls_of(self._function)


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
