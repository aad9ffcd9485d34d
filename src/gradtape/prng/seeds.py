"""From seeds to Philox generators: which key and counter each random draw uses.

Three ways lead to a generator, and they never mix:

* `StatefulSeeds`: ops with a global seed and optional op seeds (`tf.random.normal`);
* `stateless_generator`, `split`, `fold_in`: ops that take a seed of two integers
  (`tf.random.stateless_normal`);
* `GeneratorState`: the state of a `tf.random.Generator`.

Each gives a pair (key, counter) of Python integers, 64 and 128 bits wide, for the kernels in
`gradtape.backends.numpy.random`. The rules are TensorFlow's, so equal seeds give equal numbers.
"""

import contextlib
import random
import secrets
import threading
from collections.abc import Callable, Hashable, Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gradtape.core.state import call_with, setting
from gradtape.prng.philox import BLOCKS_PER_OUTPUT, philox_block, uniform_full_int

KeyCounter = tuple[int, int]

_LOW_64 = 0xFFFFFFFFFFFFFFFF
_LOW_128 = (1 << 128) - 1
_LARGEST_INT32 = 2**31 - 1
_DEFAULT_GLOBAL_SEED = 87654321
_SCRAMBLE_KEY = 0x02461E293EC8F720


# --- how far a draw moves a counter --------------------------------------------------------------


def output_blocks(outputs: int) -> int:
    """Return how many blocks a draw of `outputs` values owns: all kinds but those below."""
    return BLOCKS_PER_OUTPUT * outputs


def categorical_blocks(rows: int, samples: int) -> int:
    """Return how many blocks a stateful categorical draw owns: samples are rounded up to fours."""
    return BLOCKS_PER_OUTPUT * 2 * rows * (-(-samples // 4) * 4)


def shuffle_blocks(count: int) -> int:
    """Return how many blocks a shuffle of `count` rows reads: one word for each swap."""
    return -(-(count - 1) // 4) if count > 1 else 0


def binomial_blocks(parameter_sets: int, samples: int) -> int:
    """Return how many blocks a draw of `Generator.binomial` owns."""
    return BLOCKS_PER_OUTPUT * (parameter_sets * 200 * (samples + 3) // 4)


# --- stateful ops --------------------------------------------------------------------------------


def _integer(seed: Any) -> int:
    try:
        return int(np.asarray(seed))
    except OverflowError:
        raise ValueError(f"set_seed: an integer is expected where {seed} was given") from None


class StatefulSeeds:
    """The global seed, the op seeds drawn from it, and how far each seeded op has come.

    An op with a seed of its own continues its sequence from call to call. Calls share a sequence
    when they name the same `op` and the same seeds; `op` holds all that makes an op distinct, for
    instance `("RandomUniform", "float32", "int32")`: its kind, its dtype and the dtype of its
    shape argument. An op without a seed gets a new one on each call, in program order.

    All methods may be called from several threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seed: Any = None
        self._op_seeds = random.Random()
        self._positions: dict[Hashable, int] = {}

    @property
    def global_seed(self) -> Any:
        """What `set_seed` was given last; None before that."""
        return self._seed

    @property
    def epoch(self) -> object:
        """Another object after each `set_seed`: what was remembered before it is then void."""
        return self._op_seeds

    def set_seed(self, seed: Any) -> None:
        """Set the global seed and start every sequence afresh; None: not reproducible again."""
        source = seed if seed is None or isinstance(seed, (int, float)) else _integer(seed)
        with self._lock:
            self._seed = source
            self._op_seeds = random.Random(source)
            self._positions.clear()

    def op_seeds(self, op_seed: Any = None) -> tuple[int, int] | None:
        """Return the two seeds of an op call, drawing the second if necessary; None if unseeded."""
        with self._lock:
            return self._pair(op_seed)

    def _pair(self, op_seed: Any) -> tuple[int, int] | None:
        if self._seed is None:
            if op_seed is None:
                return None
            first = _DEFAULT_GLOBAL_SEED
        else:
            first = int(self._seed % _LARGEST_INT32)
            if op_seed is None:
                op_seed = self._op_seeds.randint(0, _LARGEST_INT32)
        try:
            second = int(op_seed) % _LARGEST_INT32
        except OverflowError:
            raise ValueError(f"a seed must be an integer, got {op_seed}") from None
        return (0, _LARGEST_INT32) if first == second == 0 else (first, second)

    def draw(self, op: Hashable, op_seed: Any, blocks: int) -> KeyCounter:
        """Return the key and counter for one call of `op`, which owns `blocks` blocks from there
        on."""
        call = _call.get()
        if call is None:
            return noted(lambda: self._next(op, op_seed, blocks))
        return noted(lambda: call[0].draw(call, self, op_seed, blocks))

    def sequence(self, op_seed: Any, index_in_function: int) -> "OpSequence":
        """Return the sequence of one op of a function; its index is its seed if it has none."""
        with self._lock:
            unseeded = self._seed is None and op_seed is None
            pair = (
                None if unseeded else self._pair(index_in_function if op_seed is None else op_seed)
            )
        return OpSequence(self, pair)

    def _next(self, op: Hashable, op_seed: Any, blocks: int) -> KeyCounter:
        with self._lock:
            pair = self._pair(op_seed)
            if pair is None:
                return secrets.randbits(64), secrets.randbits(128)
            key, high = pair
            low = 0
            # A seed drawn for this call alone is not met again: remembering its position would
            # only make the table grow without end.
            if op_seed is not None:
                low = self._positions.get((op, pair), 0)
                self._positions[op, pair] = low + blocks
            return key, (high << 64) + low & _LOW_128


class OpSequence:
    """The random numbers of one op in a function: from call to call it goes on where it was.

    Its seeds are those of the time when the function was traced; `set_seed` starts it afresh.
    """

    def __init__(self, seeds: StatefulSeeds, pair: tuple[int, int] | None) -> None:
        self._seeds = seeds
        self._pair = pair
        self._epoch = seeds.epoch
        self._position = 0
        self._lock = threading.Lock()

    def anew(self) -> "OpSequence":
        """Return the same sequence from its start, for another op."""
        return OpSequence(self._seeds, self._pair)

    def draw(self, blocks: int) -> KeyCounter:
        """Return the key and counter for a draw that owns `blocks` blocks."""
        if self._pair is None:
            return secrets.randbits(64), secrets.randbits(128)
        key, high = self._pair
        with self._lock:
            if self._epoch is not self._seeds.epoch:
                self._epoch = self._seeds.epoch
                self._position = 0
            low = self._position
            self._position += blocks
        return key, (high << 64) + low & _LOW_128


class FunctionSeeds:
    """The draws of a function that runs eagerly: the n-th of each call is taken for one op.

    With `seeds` of its own, a function's draws follow those rather than the process's.
    """

    def __init__(self, seeds: StatefulSeeds | None = None) -> None:
        self.seeds = seeds
        self.sequences: list[tuple[Any, OpSequence]] = []

    def calls_of(self, function: Callable) -> Callable:
        """Wrap a function so that each of its calls counts as a call of this one."""

        def run(*args):
            return call_with(_call, [self, 0, 0], function, *args)

        return run

    def call(self):
        """Run the block as one call of the function."""
        return setting(_call, [self, 0, 0])

    def draw(self, call: list, seeds: StatefulSeeds, op_seed: Any, blocks: int) -> KeyCounter:
        """Return the key and counter for the next draw of a call."""
        _, index, unseeded = call
        call[1] += 1
        call[2] += op_seed is None
        known = self.sequences[index] if index < len(self.sequences) else None
        if known is None or known[0] != op_seed:
            known = (op_seed, (self.seeds or seeds).sequence(op_seed, unseeded))
            self.sequences[index:] = [known]
        return known[1].draw(blocks)


# The call that is under way: (function, its draws so far, those of them without a seed).
_call: ContextVar[list | None] = ContextVar("function_call", default=None)


# --- the same draws again ------------------------------------------------------------------------

# (lists that note every draw, the draws to give again in place of new ones)
_draws: ContextVar[tuple[tuple[list, ...], Any]] = ContextVar("draws", default=((), None))


def noted(make: Callable[[], Any]) -> Any:
    """Return what `make()` draws, or the draw to repeat in its place; append it to active
    recorders."""
    recorders, replayed = _draws.get()
    drawn = make() if replayed is None else next(replayed)
    for recorder in recorders:
        recorder.append(drawn)
    return drawn


@contextlib.contextmanager
def recorded_draws():
    """Record the stateful draws of the block in the list that it yields."""
    recorders, replayed = _draws.get()
    drawn: list[KeyCounter] = []
    with setting(_draws, ((*recorders, drawn), replayed)):
        yield drawn


def replayed_draws(drawn: list[KeyCounter]):
    """Give the block's stateful draws the numbers of earlier ones, and leave the seeds alone."""
    return setting(_draws, (_draws.get()[0], iter(drawn)))


# --- stateless ops -------------------------------------------------------------------------------


def _seed_pair(seed: ArrayLike) -> NDArray[Any]:
    pair = np.asarray(seed)
    if pair.shape != (2,) or pair.dtype.kind not in "iu":
        raise ValueError(
            f"seed must have shape [2] and an integer dtype, not shape {list(pair.shape)} "
            f"and dtype {pair.dtype}"
        )
    return pair


def stateless_generator(seed: ArrayLike) -> KeyCounter:
    """Return the key and counter of a seed of two integers."""
    low, high = (int(each) & _LOW_64 for each in _seed_pair(seed))
    word0, word1, word2, word3 = philox_block(_SCRAMBLE_KEY, high << 64 | low)
    return word1 << 32 | word0, (word3 << 32 | word2) << 64


def split(seed: ArrayLike, count: int = 2) -> NDArray[Any]:
    """Return `count` new seeds as a (count, 2) array of the seed's dtype."""
    pair = _seed_pair(seed)
    return uniform_full_int(*stateless_generator(pair), (count, 2), pair.dtype)


def fold_in(seed: ArrayLike, data: Any) -> NDArray[Any]:
    """Return a new seed that depends on the integer `data`, in the dtype of `data`."""
    data = np.asarray(data)
    first = uniform_full_int(*stateless_generator(seed), (), data.dtype)
    return np.stack([first, data])


# --- generators ----------------------------------------------------------------------------------


def state_from_seed(seed: int | ArrayLike) -> NDArray[np.int64]:
    """Return the state of a generator: int64 [counter low half, counter high half, key].

    An integer fills it from the front, 64 bits at a time; a list fills it from the back.
    """
    if isinstance(seed, int):
        pieces = [(seed >> shift) & _LOW_64 for shift in (0, 64, 128)]
    else:
        pieces = [int(each) & _LOW_64 for each in np.asarray(seed, object).reshape(-1)[:3]]
        pieces = [0] * (3 - len(pieces)) + pieces
    return np.array(pieces, np.uint64).view(np.int64)


def state_generator(state: NDArray[np.int64]) -> KeyCounter:
    """Return the key and counter of a generator's state."""
    low, high, key = (int(each) & _LOW_64 for each in state)
    return key, high << 64 | low


def advance_state(state: NDArray[np.int64], blocks: int) -> NDArray[np.int64]:
    """Return the state after `blocks` more blocks."""
    key, counter = state_generator(state)
    counter = (counter + blocks) & _LOW_128
    return np.array([counter & _LOW_64, counter >> 64, key], np.uint64).view(np.int64)


class GeneratorState:
    """The state of a `tf.random.Generator` (Philox); may be used from several threads."""

    def __init__(self, state: ArrayLike) -> None:
        values = np.asarray(state, object).reshape(-1)
        if values.size != 3:
            raise ValueError(f"state must have shape [3], got {list(np.shape(state))}")
        self._lock = threading.Lock()
        self._state = state_from_seed(values)

    @classmethod
    def from_seed(cls, seed: int | ArrayLike) -> "GeneratorState":
        return cls(state_from_seed(seed))

    @classmethod
    def from_state(cls, state: ArrayLike) -> "GeneratorState":
        return cls(state)

    @classmethod
    def from_key_counter(cls, key: int, counter: Sequence[int]) -> "GeneratorState":
        return cls([int(counter[0]), int(counter[1]), int(np.asarray(key).reshape(()))])

    @classmethod
    def from_non_deterministic_state(cls) -> "GeneratorState":
        return cls([secrets.randbits(64) for _ in range(3)])

    @property
    def state(self) -> NDArray[np.int64]:
        """A copy of the state: [counter low half, counter high half, key]."""
        return self._state.copy()

    @property
    def key(self) -> int:
        """The key, as the signed integer that the state holds."""
        return int(self._state[2])

    def reset(self, state: ArrayLike) -> None:
        """Continue from `state`."""
        self._state = GeneratorState(state)._state

    def draw(self, outputs: int) -> KeyCounter:
        """Return the key and counter for a draw of `outputs` values, and advance past it."""
        return self.draw_blocks(output_blocks(outputs))

    def draw_blocks(self, blocks: int) -> KeyCounter:
        """Return the key and counter for a draw that owns `blocks` blocks, and advance past it."""
        with self._lock:
            generator = state_generator(self._state)
            self._state = advance_state(self._state, blocks)
            return generator

    def skip(self, outputs: int) -> None:
        """Move on as a draw of `outputs` values would."""
        self.draw(outputs)

    def make_seeds(self, count: int = 1) -> NDArray[np.int64]:
        """Return `count` seeds for stateless ops, as the columns of a (2, count) array."""
        keys = uniform_full_int(*self.draw(count), (count,), np.int64)
        return np.stack([keys, np.zeros_like(keys)])

    def split(self, count: int = 1) -> list["GeneratorState"]:
        """Return `count` new generators with keys of their own and counters at zero."""
        return [GeneratorState([0, 0, int(key)]) for key in self.make_seeds(count)[0]]
