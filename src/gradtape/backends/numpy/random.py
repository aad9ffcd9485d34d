"""Random-number kernels: pure functions of a Philox key and counter.

All take `key` (a 64-bit integer) and `counter` (a 128-bit integer) first and give TensorFlow's
numbers for them. Where the two come from is the business of `gradtape.core.seeds`.

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

from gradtape.backends.numpy.random_distributions import (
    binomial,
    categorical,
    gamma,
    parameterized_truncated_normal,
    poisson,
)
from gradtape.backends.numpy.random_permutations import index_shuffle, shuffle
from gradtape.backends.numpy.random_philox import (
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
