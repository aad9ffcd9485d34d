"""Random-number kernels: pure functions of a Philox key and counter.

All take `key` (a 64-bit integer) and `counter` (a 128-bit integer) first and return TensorFlow's
numbers for them. `gradtape.prng.seeds` determines both from seeds.

| kernel | result |
|---|---|
| `uniform(key, counter, shape, dtype)` | floats in [0, 1): float16, bfloat16, float32, float64 |
| `uniform_int(key, counter, shape, low, high, dtype)` | integers in [low, high): int32, int64 |
| `uniform_full_int(key, counter, shape, dtype)` | whole range: int32, uint32, int64, uint64 |
| `normal(key, counter, shape, dtype)` | standard normal |
| `truncated_normal(key, counter, shape, dtype)` | standard normal within (-2, 2) |
| `gamma(key, counter, alpha, samples)` | (samples, *alpha.shape), rate 1, alpha's dtype |
| `poisson(key, counter, rate, samples, dtype)` | (samples, *rate.shape) |
| `binomial(key, counter, counts, probabilities, samples, dtype)` | (samples, *broadcast shape) |
| `parameterized_truncated_normal(key, counter, mean, stddev, low, high, samples)` | same layout |
| `categorical(key, counter, logits, samples, dtype)` | (rows, samples) of (rows, classes) |
| `shuffle(key, counter, count)` | permutation indices |
| `index_shuffle(index, seed, max_index)` | images of indices under a seeded permutation |
| `words(key, counter, count)` | raw 32-bit words |
| `philox(key, counter, offsets)`, `philox_block(key, counter)` | raw blocks |
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradtape.backends.broadcasting import broadcast_shapes
from gradtape.backends.errors import BadValues
from gradtape.backends.numpy.random_candidates import candidates
from gradtape.backends.numpy.random_distributions import (
    binomial,
    categorical,
    gamma,
    poisson,
)
from gradtape.backends.numpy.random_permutations import index_shuffle, shuffle
from gradtape.backends.numpy.random_truncated_normal import parameterized_truncated_normal
from gradtape.prng.philox import (
    BLOCKS_PER_OUTPUT,
    normal,
    philox,
    philox_block,
    truncated_normal,
    uniform,
    uniform_full_int,
    uniform_int,
    words,
)

__all__ = [
    "BLOCKS_PER_OUTPUT",
    "KERNELS",
    "binomial",
    "categorical",
    "gamma",
    "index_shuffle",
    "normal",
    "parameterized_truncated_normal",
    "philox",
    "philox_block",
    "poisson",
    "shuffle",
    "truncated_normal",
    "uniform",
    "uniform_full_int",
    "uniform_int",
    "words",
]


# --- primitives ----------------------------------------------------------------------------------
#
# A primitive is given key and counter as data, in the form of a `tf.random.Generator`'s state:
# three 64-bit integers, the counter's low half, its high half, and the key.

_LOW_64 = 0xFFFFFFFFFFFFFFFF
_SCRAMBLE_KEY = 0x02461E293EC8F720


def seed_state(seed: NDArray[Any]) -> NDArray[np.int64]:
    """Return the state for a seed of two integers, scrambled."""
    low, high = (int(each) & _LOW_64 for each in seed)
    word0, word1, word2, word3 = philox_block(_SCRAMBLE_KEY, high << 64 | low)
    words = [0, word3 << 32 | word2, word1 << 32 | word0]
    return np.array(words, np.uint64).view(np.int64)


def _of_state(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return the kernel as a function of a state in place of key and counter."""

    def run(state: NDArray[np.int64], *parameters: Any, **options: Any) -> Any:
        low, high, key = (int(each) & _LOW_64 for each in state)
        try:
            return kernel(key, high << 64 | low, *parameters, **options)
        except ValueError as error:
            raise BadValues(str(error)) from None

    return run


_NUMBERS = {
    "uniform": uniform,
    "normal": normal,
    "truncated_normal": truncated_normal,
    "integers": uniform_full_int,
}


def _random_numbers(key, counter, kind, shape, dtype):
    return _NUMBERS[kind](key, counter, shape, dtype)


def _random_integers(key, counter, low, high, shape, dtype):
    if 0 in shape:  # then, as in TensorFlow, the bounds do not matter
        return np.empty(shape, dtype)
    return uniform_int(key, counter, shape, int(low), int(high), dtype)


def _index_shuffle(index, seed, max_index):
    seed = seed.astype(np.uint32)
    if seed.ndim == 1 and np.ndim(max_index) == 0:
        return _shuffled_indices(index, seed, max_index)
    shape = broadcast_shapes(np.shape(index), np.shape(max_index), seed.shape[:-1])
    indices = np.broadcast_to(index, shape)
    limits, seeds = np.broadcast_to(max_index, shape), np.broadcast_to(seed, (*shape, 3))
    out = np.empty(shape, index.dtype)
    for i in np.ndindex(shape):
        out[i] = _shuffled_indices(indices[i], seeds[i], limits[i])
    return out


def _shuffled_indices(index, seed, max_index):
    if max_index < 0:
        raise BadValues(f"max_index must be >= 0 but was {max_index}")
    if np.size(index) and np.min(index) < 0:
        raise BadValues(f"index must be >= 0 but was {np.min(index)}")
    if np.size(index) and np.max(index) > max_index:
        raise BadValues(f"max_index must be >= index, but {max_index} < {np.max(index)}")
    words = [int(word) for word in seed]
    return index_shuffle(np.asarray(index), words, int(max_index)).astype(index.dtype)


KERNELS: dict[str, Callable[..., Any]] = {
    "seed_state": seed_state,
    "random_numbers": _of_state(_random_numbers),
    "random_integers": _of_state(_random_integers),
    "random_permutation": _of_state(shuffle),
    "random_categorical": _of_state(categorical),
    "random_gamma": _of_state(gamma),
    "random_poisson": _of_state(poisson),
    "random_binomial": _of_state(binomial),
    "random_bounded_normal": _of_state(parameterized_truncated_normal),
    "random_candidates": _of_state(candidates),
    "index_shuffle": _index_shuffle,
}
