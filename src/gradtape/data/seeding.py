"""Random numbers of pipelines: TensorFlow's, from the same seeds."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from weakref import WeakKeyDictionary

from gradtape import ops
from gradtape.backends.xla.runtime.device import on_host
from gradtape.core.convert import static_int
from gradtape.core.state import call_with
from gradtape.prng.philox import philox_block, words
from gradtape.prng.seeds import FunctionSeeds, StatefulSeeds

_FIRST_CHUNK, _LARGEST_CHUNK = 64, 16384


def random_words(key: int, high: int) -> Iterator[int]:
    """Yield the 32-bit words of a generator, one at a time and without end."""
    block, count = 0, _FIRST_CHUNK
    while True:
        yield from words(key, (high << 64) + block, count).tolist()
        block += count // 4
        count = min(2 * count, _LARGEST_CHUNK)


# By function, the draws of the pass over the data that is under way: all repetitions are one pass.
PASS: ContextVar[WeakKeyDictionary | None] = ContextVar("dataset_pass", default=None)


def new_pass() -> WeakKeyDictionary:
    """Return an empty table for the draws of a new pass over a dataset."""
    return WeakKeyDictionary()


def in_pass(draws: WeakKeyDictionary, function: Callable, *args):
    """Call a function as a part of a pass."""
    return call_with(PASS, draws, on_host, function, *args)


class SeededFunction:
    """A function that a node calls on elements: it draws random numbers as a traced one does.

    The seeds are those of the time when the step was made; each pass over the data draws the same.
    """

    def __init__(self, function: Callable) -> None:
        self._function = function
        self._seed = ops.SEEDS.global_seed

    def __call__(self, *args):
        """Call the function, outside of any pass."""
        return self._function(*args)

    def in_this_pass(self) -> Callable:
        """Return the function with the seeds of the current pass."""
        draws = PASS.get()
        result = None if draws is None else draws.get(self)
        if result is None:
            own = StatefulSeeds()
            own.set_seed(self._seed)
            result = FunctionSeeds(own)
            if draws is not None:
                draws[self] = result
        return result.calls_of(self._function)


class SeedStream:
    """Where a shuffle takes its seeds from: one pair for each pass over the data.

    A pipeline that is `fresh` each time takes the pairs from a sequence of its own, which all
    iterators over the dataset continue; otherwise all passes get the same pair.
    """

    def __init__(self, seed, fresh: bool) -> None:
        pair = ops.SEEDS.op_seeds(None if seed is None else static_int(seed))
        self._pair = pair or (secrets.randbits(31), secrets.randbits(31))
        self._fresh = fresh
        self._drawn = 0

    def next_pair(self) -> tuple[int, int]:
        """Return the seeds of the next pass."""
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
